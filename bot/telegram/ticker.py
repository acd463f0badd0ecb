"""The clock's tick: turns due reminders into calls; rows are the truth, the tick only looks at them."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, time, timedelta
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.dialog.screen import Due
from bot.reminders.kinds import DESTROY, KINDS, Night, ReminderKind
from bot.reminders.rules import QUIET, Quiet, next_due, quiet_until, wakes
from bot.reminders.series import Occurrence
from bot.settings import Settings
from bot.storage import people, queues, reminders, requests
from bot.storage.outage import is_outage
from bot.storage.people import Person
from bot.telegram import metrics
from bot.telegram.composer import SUMMED_FROM, due_of, reader_of
from bot.telegram.replies import REMINDER
from bot.telegram.screens.view import Reader

log = structlog.get_logger(__name__)

BATCH: Final = 10
"""Reminders written in one transaction: few, since on SQLite nobody is answered meanwhile."""

PUT_OFF: Final = timedelta(hours=1)
"""How long a reminder waits that could not be written for a fault of its own."""


class Ticker:
    """Writes the calls of due reminders; safe to run in several copies at once, since each row is locked by one."""

    def __init__(
        self, engine: AsyncEngine, settings: Settings, now: Callable[[], datetime], wake: Callable[[], None]
    ) -> None:
        self._engine, self._settings, self._now, self._wake = engine, settings, now, wake
        self._stopping = False

    def stop(self) -> None:
        """Write no more than the batch in hand: thousands that are due must not hold up the end of the process."""
        self._stopping = True

    async def tick(self, _context: object = None) -> None:
        """Send what is due by now; what cannot be written waits, and holds nothing else up."""
        try:
            async with self._engine.connect() as tx:
                if await reminders.nothing_due(tx, self._now()):
                    return
            while not self._stopping and await self._some() == BATCH:  # noqa: ASYNC110 - nothing is waited for
                # On SQLite a transaction holds everybody up: between two of them people are answered.
                await asyncio.sleep(0)
        except Exception as error:
            metrics.ERRORS.labels("tick_failed").inc()
            if not is_outage(error):
                raise
            log.warning("tick_failed", error=type(error).__name__)

    async def idle(self) -> bool:
        """Whether nothing is due."""
        async with self._engine.connect() as tx:
            return await reminders.nothing_due(tx, self._now())

    async def _some(self) -> int:
        """Write a batch, or where that fails for another reason than the database, each customer's part for itself."""
        try:
            return await self._batch(self._customer)
        except Exception as error:
            if is_outage(error):
                raise
            return await self._batch(self._apart)

    async def _batch(self, write: Callable[[AsyncConnection, int, list[Occurrence], datetime], Awaitable[None]]) -> int:
        now = self._now()
        async with self._engine.begin() as tx:
            due = await reminders.claim_due(tx, now, BATCH)
            for customer_id, theirs in groupby(sorted(due, key=attrgetter("customer_id")), attrgetter("customer_id")):
                await write(tx, customer_id, list(theirs), now)
        if due:
            self._wake()
        return len(due)

    async def _apart(self, tx: AsyncConnection, customer_id: int, theirs: list[Occurrence], now: datetime) -> None:
        """Write one customer's reminders; those that fail are put off."""
        try:
            async with tx.begin_nested():
                await self._customer(tx, customer_id, theirs, now)
        except Exception as error:
            if is_outage(error):
                raise
            metrics.ERRORS.labels("reminder_failed").inc()
            log.exception("reminder_failed", reminders=[one.id for one in theirs])
            for one in theirs:
                await reminders.postpone(tx, one.id, now + PUT_OFF)

    async def _customer(self, tx: AsyncConnection, customer_id: int, theirs: list[Occurrence], now: datetime) -> None:
        """Write one customer's reminders: each as a message, several late ones as one."""
        person = await people.person(tx, customer_id)
        sent = []
        for one in sorted(theirs, key=attrgetter("due_at")):
            due = await self._settle(tx, one, person, now)
            if due is not None:
                sent.append(due)
        late = [due.occurrence.id for due in sent if due.late]
        summed = late if len(late) >= SUMMED_FROM else []
        if summed:
            await self._call(tx, customer_id, {"due": summed}, now)
        for due in sent:
            if due.occurrence.id not in summed:
                await self._call(tx, customer_id, {"due": [due.occurrence.id]}, now)
            if KINDS[due.occurrence.kind].task_from == due.occurrence.times_sent + 1:
                await self._task(tx, due.occurrence, now)

    async def _settle(self, tx: AsyncConnection, one: Occurrence, person: Person | None, now: datetime) -> Due | None:
        """Write when a reminder comes next, and return it when it is to be sent now; in quiet hours most wait for their end."""
        due = await due_of(tx, one, now) if person is not None else None
        if person is None or due is None:
            await _drop(tx, one, now)
            return None
        kind, reader = KINDS[one.kind], reader_of(person, self._settings, now)
        if kind.rests and (rested := await requests.touched_at(tx, one.customer_id) + kind.rests) > now:
            await reminders.postpone(tx, one.id, rested)
            return None
        until = quiet_until(_quiet(person), now, reader.zone)
        if until is not None and not wakes(kind, due.trial):
            if kind.night is Night.SKIPS:
                await _drop(tx, one, now)
                await self._again(tx, one, due, reader, until)
            else:
                await reminders.postpone(tx, one.id, until)
            return None
        await reminders.finish(tx, one.id, now)
        await self._again(tx, one, due, reader, now)
        return due

    async def _again(self, tx: AsyncConnection, one: Occurrence, due: Due, reader: Reader, now: datetime) -> None:
        """Write the next occurrence of a series, or the one that follows an unanswered reminder."""
        kind, trial = KINDS[one.kind], due.trial
        if one.series_id is not None:
            series = await reminders.series_of(tx, one.series_id)
            until = trial.planned_end_at if trial is not None else None
            if series is not None and series.paused_at is None:
                await reminders.schedule(tx, one.customer_id, series, reader.zone, after=now, until=until)
            return
        again, times = _next(kind, one, due, now)
        if again is not None:
            following = Occurrence(0, one.kind, one.customer_id, one.trial_id, None, again, times)
            await reminders.remind(tx, following)

    async def _call(self, tx: AsyncConnection, customer_id: int, payload: dict[str, Any], now: datetime) -> None:
        await queues.add_call(
            tx,
            method="send_message",
            payload=payload,
            now=now,
            lane=str(customer_id),
            chat_id=customer_id,
            customer_id=customer_id,
            priority=REMINDER,
        )

    async def _task(self, tx: AsyncConnection, one: Occurrence, now: datetime) -> None:
        """Put a reminder that nobody answers into the customer's topic, for a person to see to."""
        if self._settings.staff_chat_id is None:
            return
        await queues.add_call(
            tx,
            method="send_message",
            payload={"task": one.id},
            now=now,
            lane=str(self._settings.staff_chat_id),
            customer_id=one.customer_id,
            topic_of=one.customer_id,
            priority=REMINDER,
        )


def _next(kind: ReminderKind, one: Occurrence, due: Due, now: datetime) -> tuple[datetime | None, int]:
    """When an unanswered reminder comes again, and how often it came by then; notice before the end does not count."""
    if kind is DESTROY and due.trial is not None and now < due.trial.planned_end_at:
        return due.trial.planned_end_at, 0
    return next_due(kind, now, one.times_sent + 1), one.times_sent + 1


async def _drop(tx: AsyncConnection, one: Occurrence, now: datetime) -> None:
    """Let an occurrence end unsent; "later" must not mean one that nobody saw."""
    await reminders.finish(tx, one.id, now)
    await reminders.answer(tx, one.customer_id, one.id, now)


def _quiet(person: Person) -> Quiet:
    if not person.quiet_hours:
        return QUIET
    begin, end = person.quiet_hours.split("-")
    return time.fromisoformat(begin), time.fromisoformat(end)
