"""When a reminder is due next, and whether it comes late."""

from datetime import datetime, timedelta
from typing import Final

from bot.reminders.kinds import ReminderKind

LATE_AFTER: Final = timedelta(minutes=5)
"""A reminder sent later than this after its time says so."""

SNOOZES: Final = {"15m": timedelta(minutes=15), "1h": timedelta(hours=1), "1d": timedelta(days=1)}
"""How far "remind me later" moves a reminder, by button code."""


def next_due(kind: ReminderKind, sent_at: datetime, times_sent: int) -> datetime | None:
    """Return when an unanswered reminder comes again after it was sent for the `times_sent`-th time (from 1); None for never.

    Counted from the sending, not from the planned time, so that one that came late is not followed by a burst.
    """
    if not kind.again_after:
        return None
    return sent_at + kind.again_after[min(times_sent, len(kind.again_after)) - 1]


def is_late(due_at: datetime, now: datetime) -> bool:
    """Return whether a reminder sent now is late enough to say so."""
    return now - due_at > LATE_AFTER


def occurrence_key(kind: str, subject: str, due_at: datetime) -> str:
    """Return the unique key of one occurrence: the same reminder for the same moment can be written only once."""
    return f"{kind}:{subject}:{due_at.isoformat()}"
