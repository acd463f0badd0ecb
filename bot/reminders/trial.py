"""A trial instance as its reminders see it, and what it has cost so far."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal


@dataclass(frozen=True)
class Trial:
    """A registered trial instance; `price_per_gpu_hour` is locked at registration, times are aware UTC."""

    id: int
    gpu: str
    gpus: int
    price_per_gpu_hour: Decimal
    currency: str
    started_at: datetime
    planned_end_at: datetime
    destroyed_at: datetime | None = None

    @property
    def is_running(self) -> bool:
        """Whether it still costs money."""
        return self.destroyed_at is None

    @property
    def price_per_hour(self) -> Decimal:
        """What all its cards cost an hour, in its currency."""
        return self.price_per_gpu_hour * self.gpus

    def ran_for(self, now: datetime) -> timedelta:
        """Return how long it has been billed, up to now or to its destruction."""
        return max(timedelta(0), (self.destroyed_at or now) - self.started_at)

    def cost(self, now: datetime) -> Decimal:
        """Return the compute cost so far, metered by the second, rounded to cents; storage and traffic come on top.

        2 cards at 0.35 for 90 minutes: 2 x 0.35 x 1.5 = 1.05.
        """
        seconds = Decimal(int(self.ran_for(now).total_seconds()))
        return (self.price_per_hour * seconds / 3600).quantize(Decimal("0.01"), ROUND_HALF_UP)
