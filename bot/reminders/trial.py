"""A trial instance as its reminders see it: how far it has come, and what it has cost so far."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from typing import Final

CENT: Final = Decimal("0.01")
MONTH_S: Final = 30 * 86400
"""Seconds of the month in a price per GB and month: 30 days, as in `estimation.prices`."""

Stop = tuple[datetime, datetime | None]
"""From when to when an instance lay stopped; None while it still does."""


class TrialState(StrEnum):
    """How far a trial has come; `stopped` may be left out, the others follow each other."""

    RUNNING = "running"
    STOPPED = "stopped"
    MOVED = "moved"
    VERIFIED = "verified"
    DESTROYED = "destroyed"


@dataclass(frozen=True)
class Trial:
    """A registered trial instance; `price_per_gpu_hour` is locked at registration, times are aware UTC.

    `storage_gb` (1e9 bytes) is 0 while nobody has told it; its price is for one GB and month of 30 days, in the trial's currency.
    """

    id: int
    gpu: str
    gpus: int
    price_per_gpu_hour: Decimal
    currency: str
    started_at: datetime
    planned_end_at: datetime
    destroyed_at: datetime | None = None
    storage_gb: int = 0
    storage_price_per_gb_month: Decimal = Decimal(0)
    stops: tuple[Stop, ...] = ()
    moved_at: datetime | None = None
    verified_at: datetime | None = None

    @property
    def is_running(self) -> bool:
        """Whether it still costs money: only destroying ends that."""
        return self.destroyed_at is None

    @property
    def computes(self) -> bool:
        """Whether its cards are billed now."""
        return self.is_running and not self.is_stopped

    @property
    def is_stopped(self) -> bool:
        """Whether it lies stopped, so that only its storage is billed."""
        return self.is_running and bool(self.stops) and self.stops[-1][1] is None

    @property
    def state(self) -> TrialState:
        """The furthest step that was told."""
        if not self.is_running:
            return TrialState.DESTROYED
        if self.verified_at is not None:
            return TrialState.VERIFIED
        if self.moved_at is not None:
            return TrialState.MOVED
        return TrialState.STOPPED if self.is_stopped else TrialState.RUNNING

    @property
    def price_per_hour(self) -> Decimal:
        """What all its cards cost an hour, in its currency."""
        return self.price_per_gpu_hour * self.gpus

    @property
    def storage_per_day(self) -> Decimal:
        """What its disk costs a day, stopped or not, unrounded: 100 GB at 0.10 a month are 0.33 and a third of a cent."""
        return self.storage_price_per_gb_month * self.storage_gb / 30

    def ran_for(self, now: datetime) -> timedelta:
        """Return how long its cards have been billed, up to now or to its destruction, stops left out."""
        end = self._end(now)
        stopped = sum((max(timedelta(0), (to or end) - since) for since, to in self.stops), timedelta(0))
        return max(timedelta(0), end - self.started_at - stopped)

    def existed_for(self, now: datetime) -> timedelta:
        """Return how long its disk has been billed: from the start to now or to its destruction."""
        return max(timedelta(0), self._end(now) - self.started_at)

    def compute_cost(self, now: datetime) -> Decimal:
        """Return the cost of the cards so far, metered by the second, rounded to cents.

        2 cards at 0.35 for 90 minutes: 2 x 0.35 x 1.5 = 1.05.
        """
        return cents(self.price_per_hour * _whole_seconds(self.ran_for(now)) / 3600)

    def storage_cost(self, now: datetime) -> Decimal:
        """Return the cost of the disk so far, metered by the second, rounded to cents: 200 GB at 0.10 for 3 days: 2.00."""
        rate = self.storage_price_per_gb_month * self.storage_gb
        return cents(rate * _whole_seconds(self.existed_for(now)) / MONTH_S)

    def cost(self, now: datetime) -> Decimal:
        """Return compute and storage so far, the sum of the two lines of the bill; traffic comes on top."""
        return self.compute_cost(now) + self.storage_cost(now)

    def _end(self, now: datetime) -> datetime:
        return self.destroyed_at or now


def cents(amount: Decimal) -> Decimal:
    """Return an amount rounded to cents, half a cent up."""
    return amount.quantize(CENT, ROUND_HALF_UP)


def _whole_seconds(span: timedelta) -> Decimal:
    return Decimal(span // timedelta(seconds=1))
