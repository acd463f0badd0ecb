"""When a reminder is due, when it comes again, whether it is late, and what night does to it."""

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final

from bot.reminders.kinds import DESTROY, MOVE, STORAGE, Night, ReminderKind
from bot.reminders.trial import Trial

LATE_AFTER: Final = timedelta(minutes=5)
"""A reminder sent later than this after its time says so."""
SHORTEST_LEAD: Final = timedelta(minutes=5)
"""Notice shorter than this before a planned end helps nobody."""
STORAGE_AFTER: Final = timedelta(days=1)
"""How long after a stop the first word about storage comes."""
NUDGE_AFTER: Final = timedelta(days=1)
"""How long a customer waits for an answer before the first word about it."""
START_NOTICES: Final = (timedelta(days=7), timedelta(days=1))
"""How long before the start of a reservation it is spoken of."""
MORNING: Final = time(9)
EVENING: Final = time(20)

SNOOZES: Final = ("15m", "1h", "tonight", "tomorrow")
"""The codes of the buttons that move a reminder."""

Quiet = tuple[time, time]
"""From when to when nothing is sent at night, by the reader's clock; equal ends mean never."""
QUIET: Final[Quiet] = (time(22), time(8))


def snoozed_to(code: str, now: datetime, zone: tzinfo) -> datetime | None:
    """Return the moment that a snooze means: tonight is 20:00, tomorrow 9:00; None for a night that has begun or another code."""
    local = now.astimezone(zone)
    if code == "15m":
        return now + timedelta(minutes=15)
    if code == "1h":
        return now + timedelta(hours=1)
    if code == "tonight":
        return at_local(local.date(), EVENING, zone) if local.time() < EVENING else None
    return at_local(local.date() + timedelta(days=1), MORNING, zone) if code == "tomorrow" else None


def at_local(day: date, clock: time, zone: tzinfo) -> datetime:
    """Return the moment of a local date and time as UTC.

    A time that the clocks skip becomes the one as long after the gap's begin; one that comes twice is the first.
    """
    return datetime.combine(day, clock, zone).astimezone(UTC)


def next_due(kind: ReminderKind, sent_at: datetime, times_sent: int) -> datetime | None:
    """Return when an unanswered reminder comes again after it was sent for the `times_sent`-th time (from 1); None for never.

    Counted from the sending, not from the planned time, so that one that came late is not followed by a burst.
    """
    if not kind.again_after:
        return None
    return sent_at + kind.again_after[min(times_sent, len(kind.again_after)) - 1]


def planned(trial: Trial, now: datetime) -> tuple[tuple[ReminderKind, datetime], ...]:
    """Return the reminders that a trial in this state calls for, each with when it is due first.

    Before the planned end: a quarter of the plan (at most an hour) to move data, a tenth (at most 15 minutes) to destroy.
    """
    if trial.is_stopped:
        return ((STORAGE, now + STORAGE_AFTER),)
    if not trial.is_running:
        return ()
    span, end = trial.planned_end_at - trial.started_at, trial.planned_end_at
    found = []
    move_at = end - min(timedelta(hours=1), span / 4)
    if trial.moved_at is None and end - move_at >= SHORTEST_LEAD and move_at > now:
        found.append((MOVE, move_at))
    notice_at = end - min(timedelta(minutes=15), span / 10)
    if end - notice_at >= SHORTEST_LEAD and notice_at > now:
        found.append((DESTROY, notice_at))
    else:
        found.append((DESTROY, end if end > now else now + DESTROY.again_after[0]))
    return tuple(found)


def is_late(due_at: datetime, now: datetime) -> bool:
    """Return whether a reminder sent now is late enough to say so."""
    return now - due_at > LATE_AFTER


def quiet_until(quiet: Quiet, now: datetime, zone: tzinfo) -> datetime | None:
    """Return when the quiet hours end that hold now; None outside them."""
    begin, end = quiet
    local = now.astimezone(zone)
    clock = local.time()
    inside = begin <= clock < end if begin < end else begin != end and (clock >= begin or clock < end)
    if not inside:
        return None
    day = local.date() + timedelta(days=1 if clock >= end else 0)
    return at_local(day, end, zone)


def wakes(kind: ReminderKind, trial: Trial | None) -> bool:
    """Return whether a reminder may come in quiet hours: one's own may, and those of an instance while its cards are billed."""
    if kind.night is Night.BREAKS_WHILE_COMPUTING:
        return trial is not None and trial.computes
    return kind.night is Night.COMES


def occurrence_key(kind: str, subject: str, due_at: datetime) -> str:
    """Return the unique key of one occurrence: the same reminder for the same moment can be written only once."""
    return f"{kind}:{subject}:{due_at.isoformat()}"
