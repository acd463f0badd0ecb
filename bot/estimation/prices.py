"""What cards, storage and traffic cost: market bands with their dates, and staff prices, which come first."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cache

from .catalogue import records


@dataclass(frozen=True, slots=True)
class Band:
    """Price of one card for one hour, from low to high; `as_of` is a year, month or day; `basis` a code of BASES."""

    low: Decimal
    median: Decimal
    high: Decimal
    currency: str
    as_of: str
    basis: str
    providers: int = 0


@dataclass(frozen=True, slots=True)
class Side:
    """Price of storage (per GB and month of 30 days) and of traffic that leaves (per GB), from low to high."""

    storage_low: Decimal
    storage_high: Decimal
    traffic_low: Decimal
    traffic_high: Decimal


BASES: Mapping[str, str] = {
    "staff": "set by the staff of this company",
    "market_dated": "band of dated marketplace offers",
    "market_undated": "band of marketplace offers without a date",
    "market_lowest_offer": "lowest offers of the market over 30 days",
}

# The company itself offers what its staff puts a price on.
_OWN = 99
_NO_SIDE = Side(Decimal(0), Decimal(0), Decimal(0), Decimal(0))


@dataclass(frozen=True, slots=True)
class Prices:
    """All prices of one currency; staff prices replace the market band of their card.

    `own` are the staff's prices in whatever currency they were set.
    """

    currency: str
    bands: Mapping[str, Band]
    interruptible: Mapping[str, Band]
    side: Side
    own: Mapping[str, Band] = field(default_factory=dict)

    @staticmethod
    def default(currency: str = "USD") -> "Prices":
        """Return the market's prices in `currency` ("USD" or "CNY"); another currency has no bands."""
        return _default(currency.upper())

    def with_staff(self, prices: Mapping[str, tuple[Decimal, str]], as_of: str) -> "Prices":
        """Return these prices with the staff's for some cards, `{card key: (price per card and hour, currency)}`.

        Prices in another currency make no estimate: nothing here converts money. They are still what the card is offered at.
        """
        own = {
            card: Band(price, price, price, currency.upper(), as_of, "staff", providers=_OWN)
            for card, (price, currency) in prices.items()
        }
        staff = {card: band for card, band in own.items() if band.currency == self.currency}
        return replace(self, bands={**self.bands, **staff}, own=own)

    def offered(self, card: str) -> Band | None:
        """Return what a card is offered at: the staff's price in its currency, else the market's band; None without either."""
        return self.own.get(card) or self.bands.get(card)

    def band(self, card: str) -> Band | None:
        """Return the band of the card with this key, or None when nobody states a price."""
        return self.bands.get(card)


@cache
def _default(currency: str) -> Prices:
    bands: dict[str, Band] = {}
    interruptible: dict[str, Band] = {}
    for record in records("prices.toml", "price"):
        if record["currency"] != currency or record["scope"] != "marketplace":
            continue
        band = Band(
            low=Decimal(record["low_per_hour"]),
            median=Decimal(record["median_per_hour"]),
            high=Decimal(record["high_per_hour"]),
            currency=currency,
            as_of=record["as_of"],
            basis=record["basis"],
            providers=record["providers"],
        )
        (interruptible if record["interruptible"] else bands)[record["card"]] = band
    return Prices(currency, bands, interruptible, _side(currency))


def _side(currency: str) -> Side:
    storage = next((r for r in records("prices.toml", "storage") if r["currency"] == currency), None)
    traffic = next((r for r in records("prices.toml", "traffic") if r["currency"] == currency), None)
    if storage is None or traffic is None:
        return _NO_SIDE
    return Side(
        Decimal(storage["low_per_gb_month"]),
        Decimal(storage["high_per_gb_month"]),
        Decimal(traffic["low_per_gb"]),
        Decimal(traffic["high_per_gb"]),
    )
