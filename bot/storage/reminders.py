"""Reminders: occurrences that fall due, and the series that customers keep."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, bindparam, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.reminders.kinds import CHECKPOINT, ReminderKind
from bot.reminders.rhythm import next_of
from bot.reminders.rules import occurrence_key, planned
from bot.reminders.series import Occurrence, Series
from bot.reminders.trial import Trial
from bot.storage.tables import CUSTOMER, REMINDER, SERIES
from bot.storage.upsert import prebuilt

RECENT: Final = 20
"""How many of the reminders sent last can still be answered by a tap."""
ANSWERABLE: Final = timedelta(days=14)


async def remind(tx: AsyncConnection, occurrence: Occurrence, *, mark: str = "") -> None:
    """Write an occurrence (its id does not count); the same one for the same moment is written once, whatever its `mark`."""
    row = {
        "key": occurrence_key(occurrence.kind + mark, occurrence.subject, occurrence.due_at),
        "kind": occurrence.kind,
        "customer_id": occurrence.customer_id,
        "trial_id": occurrence.trial_id,
        "series_id": occurrence.series_id,
        "due_at": occurrence.due_at,
        "times_sent": occurrence.times_sent,
    }
    await tx.execute(_REMIND(tx), row)


async def remind_once(tx: AsyncConnection, kind: ReminderKind, customer_id: int, key: str, due_at: datetime) -> None:
    """Write the one occurrence that a subject ever has; while it was not sent, it moves to `due_at`."""
    row = {"key": f"{kind.code}:{key}", "kind": kind.code, "customer_id": customer_id, "due_at": due_at}
    await tx.execute(_REMIND_ONCE(tx), {**row, "times_sent": 0})


async def claim_due(tx: AsyncConnection, now: datetime, limit: int) -> list[Occurrence]:
    """Lock due occurrences for this transaction, longest due first; another copy skips them."""
    rows = await tx.execute(
        select(REMINDER).where(_due(now)).order_by(REMINDER.c.due_at).limit(limit).with_for_update(skip_locked=True)
    )
    return [_occurrence(row) for row in rows]


async def these(tx: AsyncConnection, ids: Iterable[int]) -> list[Occurrence]:
    """Return occurrences by their ids, longest due first."""
    rows = await tx.execute(select(REMINDER).where(REMINDER.c.id.in_(tuple(ids))).order_by(REMINDER.c.due_at))
    return [_occurrence(row) for row in rows]


async def nothing_due(tx: AsyncConnection, now: datetime) -> bool:
    """Whether no reminder waits to be sent by now."""
    return (await tx.execute(select(REMINDER.c.id).where(_due(now)).limit(1))).first() is None


async def due_and_late(tx: AsyncConnection, now: datetime, late: datetime) -> tuple[int, int]:
    """Return how many reminders are due by now, and how many of them were due by an earlier moment."""
    due = select(func.count(), func.count().filter(REMINDER.c.due_at <= late)).where(_due(now))
    row = (await tx.execute(due)).one()
    return int(row[0]), int(row[1])


async def finish(tx: AsyncConnection, reminder_id: int, now: datetime) -> None:
    """Mark an occurrence as sent."""
    await tx.execute(
        update(REMINDER).where(REMINDER.c.id == reminder_id).values(done_at=now, times_sent=REMINDER.c.times_sent + 1)
    )


async def postpone(tx: AsyncConnection, reminder_id: int, due_at: datetime) -> None:
    """Move an occurrence that must not come now."""
    await tx.execute(update(REMINDER).where(REMINDER.c.id == reminder_id).values(due_at=due_at))


async def answer(tx: AsyncConnection, customer_id: int, reminder_id: int, now: datetime) -> bool:
    """Note that a sent occurrence was answered; False when it was already, so that a second tap changes nothing."""
    done = await tx.execute(
        update(REMINDER)
        .where(
            REMINDER.c.id == reminder_id,
            REMINDER.c.customer_id == customer_id,
            REMINDER.c.answered_at.is_(None),
        )
        .values(answered_at=now)
    )
    return done.rowcount > 0


async def answerable(tx: AsyncConnection, customer_id: int, now: datetime) -> tuple[Occurrence, ...]:
    """Return a customer's sent and unanswered occurrences, the newest first."""
    rows = await tx.execute(_ANSWERABLE, {"customer": customer_id, "since": now - ANSWERABLE})
    return tuple(_occurrence(row) for row in rows)


async def drop(
    tx: AsyncConnection,
    customer_id: int,
    *,
    kinds: Iterable[str] = (),
    trial_id: int | None = None,
    series_id: int | None = None,
) -> None:
    """Delete a customer's open occurrences of some kinds, of a trial, or of a series, so that their moments are free again."""
    which: list[ColumnElement[bool]] = [REMINDER.c.customer_id == customer_id, REMINDER.c.done_at.is_(None)]
    if kinds:
        which.append(REMINDER.c.kind.in_(tuple(kinds)))
    if trial_id is not None:
        which.append(REMINDER.c.trial_id == trial_id)
    if series_id is not None:
        which.append(REMINDER.c.series_id == series_id)
    await tx.execute(delete(REMINDER).where(and_(*which)))


async def replan(tx: AsyncConnection, customer_id: int, trial: Trial, zone: tzinfo, now: datetime) -> None:
    """Write what a trial in its present state calls for, in place of all that was open."""
    await drop(tx, customer_id, trial_id=trial.id)
    for kind, due_at in planned(trial, now):
        await remind(tx, Occurrence(0, kind.code, customer_id, trial.id, None, due_at))
    for series in await kept(tx, customer_id):
        if series.trial_id == trial.id and trial.computes and series.paused_at is None:
            await schedule(tx, customer_id, series, zone, after=now, until=trial.planned_end_at)
        elif series.trial_id == trial.id and not trial.is_running:
            await change(tx, customer_id, series.id, ended_at=now)


async def add(
    tx: AsyncConnection,
    customer_id: int,
    kind: ReminderKind,
    *,
    text: str,
    rule: str,
    now: datetime,
    trial_id: int | None = None,
) -> Series:
    """Store a series that counts from now; returns it."""
    made = await tx.execute(
        insert(SERIES)
        .values(customer_id=customer_id, kind=kind.code, trial_id=trial_id, text=text, rule=rule, anchor_at=now)
        .returning(SERIES.c.id)
    )
    return Series(int(made.scalar_one()), kind.code, trial_id, text, rule, now)


async def change(tx: AsyncConnection, customer_id: int, series_id: int, **values: Any) -> None:
    """Change columns of a customer's series and drop its open occurrences; `schedule` writes the next one."""
    which = (SERIES.c.id == series_id, SERIES.c.customer_id == customer_id)
    await tx.execute(update(SERIES).where(*which).values(**values))
    await drop(tx, customer_id, series_id=series_id)


async def schedule(
    tx: AsyncConnection,
    customer_id: int,
    series: Series,
    zone: tzinfo,
    *,
    after: datetime,
    until: datetime | None = None,
) -> datetime | None:
    """Write the next occurrence of a series after a moment, before `until`; returns when it is, None when there is none."""
    due_at = next_of(series.rule, series.anchor_at, zone, after)
    if due_at is None or (until is not None and due_at >= until):
        return None
    await remind(tx, Occurrence(0, series.kind, customer_id, series.trial_id, series.id, due_at))
    return due_at


async def kept(tx: AsyncConnection, customer_id: int) -> tuple[Series, ...]:
    """Return a customer's series that have not ended, each with its next moment; a one-time one ends once it was sent."""
    return tuple(_series(row) for row in await tx.execute(_KEPT, {"customer": customer_id}))


async def series_of(tx: AsyncConnection, series_id: int) -> Series | None:
    """Return a series by its id; None once it was deleted."""
    row = (await tx.execute(select(SERIES).where(SERIES.c.id == series_id, SERIES.c.ended_at.is_(None)))).first()
    return _series(row) if row else None


async def rezone(tx: AsyncConnection, customer_id: int, zone: tzinfo, now: datetime) -> None:
    """Let the repeating series of a customer who has moved keep their local time in the new zone; single moments stay."""
    for series in await kept(tx, customer_id):
        if series.rule.startswith("every=P") and not series.rule.startswith("every=PT") and series.paused_at is None:
            await drop(tx, customer_id, series_id=series.id)
            await schedule(tx, customer_id, replace(series, next_at=None), zone, after=now)


def _due(now: datetime) -> ColumnElement[bool]:
    """What may be sent by now: nothing for those who have blocked the bot."""
    # Asked of each due row by its key: a list of all who have blocked the bot would be read anew at every tick.
    blocked = select(CUSTOMER.c.id).where(CUSTOMER.c.id == REMINDER.c.customer_id, CUSTOMER.c.blocked_at.is_not(None))
    return and_(
        REMINDER.c.done_at.is_(None),
        REMINDER.c.paused_at.is_(None),
        REMINDER.c.due_at <= now,
        ~blocked.exists(),
    )


def _occurrence(row: Any) -> Occurrence:
    return Occurrence(row.id, row.kind, row.customer_id, row.trial_id, row.series_id, row.due_at, row.times_sent)


def _series(row: Any) -> Series:
    next_at = getattr(row, "next_at", None)
    return Series(row.id, row.kind, row.trial_id, row.text, row.rule, row.anchor_at, row.paused_at, next_at)


# What many updates need is built once: to build a statement takes longer than to run it.
_REMIND: Final = prebuilt(lambda insert: insert(REMINDER).on_conflict_do_nothing(index_elements=["key"]))


def _remind_once(insert: Any) -> Any:
    new = insert(REMINDER)
    moved = {"due_at": new.excluded.due_at}
    return new.on_conflict_do_update(index_elements=["key"], set_=moved, where=REMINDER.c.done_at.is_(None))


_REMIND_ONCE: Final = prebuilt(_remind_once)
_ANSWERABLE: Final = (
    select(REMINDER)
    .where(
        REMINDER.c.customer_id == bindparam("customer"),
        REMINDER.c.done_at > bindparam("since"),
        REMINDER.c.answered_at.is_(None),
    )
    .order_by(REMINDER.c.done_at.desc(), REMINDER.c.id.desc())
    .limit(RECENT)
)
_NEXT_AT = (
    select(func.min(REMINDER.c.due_at))
    .where(REMINDER.c.series_id == SERIES.c.id, REMINDER.c.done_at.is_(None))
    .scalar_subquery()
)
_KEPT: Final = (
    select(SERIES, _NEXT_AT.label("next_at"))
    .where(SERIES.c.customer_id == bindparam("customer"), SERIES.c.ended_at.is_(None))
    .where(or_(SERIES.c.paused_at.is_not(None), _NEXT_AT.is_not(None), SERIES.c.kind == CHECKPOINT.code))
    .order_by(SERIES.c.id)
)
