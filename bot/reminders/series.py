"""Reminders as rows see them: a series that its owner can change, and one occurrence of a reminder."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Series:
    """A reminder that a customer can list, edit, pause and delete; `rule` is a `remind` form, `next_at` when it is due next."""

    id: int
    kind: str
    trial_id: int | None
    text: str
    rule: str
    anchor_at: datetime
    paused_at: datetime | None = None
    next_at: datetime | None = None


@dataclass(frozen=True)
class Occurrence:
    """One time that a reminder is due; `times_sent` counts the unanswered ones before it.

    `unheard` tells that its reader has said nothing since it was sent, so that what they say next is likely about it.
    """

    id: int
    kind: str
    customer_id: int
    trial_id: int | None
    series_id: int | None
    due_at: datetime
    times_sent: int = 0
    unheard: bool = False

    @property
    def subject(self) -> str:
        """What it is about, as its key names it."""
        if self.series_id is not None:
            return f"s{self.series_id}"
        return str(self.trial_id) if self.trial_id is not None else f"c{self.customer_id}"
