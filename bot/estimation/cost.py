"""What a plan costs: computing, storage and traffic, from low to high."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Annotated

from pydantic import PlainSerializer

from .assumptions import BASELINE_SHARE, RESERVED_SHARE
from .prices import Band, Prices

# A sum of money: exact inside, a number in JSON.
Money = Annotated[Decimal, PlainSerializer(float, return_type=float, when_used="json")]

_CENT = Decimal("0.01")
_HOURS_A_MONTH = Decimal(720)


@dataclass(frozen=True, slots=True)
class Cost:
    """Cost of all cards of a plan, in `currency`; totals are None while the size of the job is not known."""

    currency: str
    per_hour_low: Money
    per_hour_high: Money
    total_low: Money | None
    total_high: Money | None
    as_of: str
    basis: str


def cost(
    band: Band,
    prices: Prices,
    gpus: int,
    hours: float | None,
    *,
    billed_share: float = 1.0,
    disk_gb: float,
    leaving_gb: float,
) -> Cost:
    """Return the cost of `gpus` cards for `hours`, with `disk_gb` stored meanwhile and `leaving_gb` taken away.

    `billed_share` of the full on-demand price is paid for the cards, see `billed_share`. Two H100 at 2.40 to 6.16 USD
    for 10 h, 200 GB: 48.24 to 123.38 USD.
    """
    low, high = band.low * gpus, band.high * gpus
    totals: tuple[Decimal | None, Decimal | None] = (None, None)
    if hours is not None:
        time = Decimal(str(round(hours * billed_share, 6)))
        leaving = Decimal(str(round(leaving_gb, 3)))
        storage_low, storage_high = storage_cost(prices, disk_gb, hours)
        totals = (
            _cents(low * time + storage_low + prices.side.traffic_low * leaving),
            _cents(high * time + storage_high + prices.side.traffic_high * leaving),
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
        return "reserve_baseline" if baseline_share(utilization) > BASELINE_SHARE else "on_demand_cheaper"
    return "reserve_cheaper" if utilization >= RESERVED_SHARE else "on_demand_cheaper"


def break_even(load: str | None) -> float:
    """Return the utilization (0..1) from which a reservation pays, as `reservation` advises: of all cards, or of a baseline.

    A bursty load's baseline is 2·u·(1 - 0.7) of its cards up to half load, and worth a contract above a tenth of them: 17 %.
    """
    return BASELINE_SHARE / (2 * (1 - RESERVED_SHARE)) if load == "bursty" else RESERVED_SHARE


def monthly(per_hour: float, utilization: float, way: str) -> float:
    """Return the cost of 30 days in the price's currency, of cards at `per_hour` on demand, in use for `utilization` of the time.

    `way` is on_demand, reserved or baseline (reserved, with the peaks on demand). 10 USD an hour at half load: 3,600 USD on
    demand, 5,040 reserved, 3,276 with the baseline of a bursty load reserved.
    """
    paid = {
        "on_demand": utilization,
        "reserved": RESERVED_SHARE,
        "baseline": billed_share(utilization, "bursty"),
    }
    return per_hour * float(_HOURS_A_MONTH) * paid[way]


def baseline_share(utilization: float) -> float:
    """Return the share of a bursty load's cards that is worth reserving: those in use longer than their price allows.

    The load is taken to swing evenly around its mean. At half load every card t of the peak is in use 1 - t of the
    time, so that at 0.7 of the price the first 30 % of the cards are reserved.
    """
    bottom, top = _swing(utilization)
    return bottom + (1 - RESERVED_SHARE) * (top - bottom)


def billed_share(utilization: float, load: str | None) -> float:
    """Return what is paid of the full on-demand price of all cards over a period, the cheaper way.

    A constant load pays its hours or the reservation: 0.7 from 70 % on. A bursty one pays for its baseline reserved and
    for the rest by the hour: at half load 0.7·0.3 + (0.5 - 0.255) = 0.455.
    """
    if load != "bursty":
        return min(utilization, RESERVED_SHARE)
    bottom, top = _swing(utilization)
    reserved = baseline_share(utilization)
    above = reserved - bottom
    in_use = bottom + above - above * above / (2 * (top - bottom)) if top > bottom else utilization
    return RESERVED_SHARE * reserved + utilization - in_use


def _swing(utilization: float) -> tuple[float, float]:
    """Return the lowest and the highest share of cards in use of a load that swings evenly around its mean."""
    return max(0.0, 2 * utilization - 1), min(1.0, 2 * utilization)


def _cents(amount: Decimal) -> Decimal:
    return amount.quantize(_CENT, rounding=ROUND_HALF_UP)
