"""What a plan costs: computing, storage and traffic, from low to high."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from .assumptions import BASELINE_SHARE, RESERVED_SHARE
from .prices import Band, Prices

_CENT = Decimal("0.01")
_HOURS_A_MONTH = Decimal(720)


@dataclass(frozen=True, slots=True)
class Cost:
    """Cost of all cards of a plan, in `currency`; totals are None while the size of the job is not known."""

    currency: str
    per_hour_low: Decimal
    per_hour_high: Decimal
    total_low: Decimal | None
    total_high: Decimal | None
    as_of: str
    basis: str


def cost(band: Band, prices: Prices, gpus: int, hours: float | None, *, disk_gb: float, leaving_gb: float) -> Cost:
    """Return the cost of `gpus` cards for `hours`, with `disk_gb` stored meanwhile and `leaving_gb` taken away.

    Two H100 at 2.40 to 6.16 USD for 10 h, 200 GB: 48.05 to 123.38 USD.
    """
    low, high = band.low * gpus, band.high * gpus
    totals: tuple[Decimal | None, Decimal | None] = (None, None)
    if hours is not None:
        time, leaving = Decimal(str(round(hours, 6))), Decimal(str(round(leaving_gb, 3)))
        totals = (
            _cents(low * time + storage_cost(prices, disk_gb, hours)[0] + prices.side.traffic_low * leaving),
            _cents(high * time + storage_cost(prices, disk_gb, hours)[1] + prices.side.traffic_high * leaving),
        )
    return Cost(band.currency, low, high, *totals, as_of=band.as_of, basis=band.basis)


def storage_cost(prices: Prices, disk_gb: float, hours: float) -> tuple[Decimal, Decimal]:
    """Return what `disk_gb` costs for `hours`, low and high; it runs on while an instance is stopped."""
    amount = Decimal(str(round(disk_gb, 3))) * Decimal(str(round(hours, 6))) / _HOURS_A_MONTH
    return prices.side.storage_low * amount, prices.side.storage_high * amount


def reservation(utilization: float, load: str | None) -> str:
    """Return the code of REASONS for reserving or not: the time in use against the reserved share of the price.

    Bursty loads reserve their baseline and rent the peaks on demand.
    """
    if load == "bursty":
        return "reserve_baseline" if utilization > BASELINE_SHARE else "on_demand_cheaper"
    return "reserve_cheaper" if utilization >= RESERVED_SHARE else "on_demand_cheaper"


def _cents(amount: Decimal) -> Decimal:
    return amount.quantize(_CENT, rounding=ROUND_HALF_UP)
