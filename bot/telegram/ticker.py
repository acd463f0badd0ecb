"""The clock's tick: turns due reminders into calls; rows are the truth, the tick only looks at them."""

from collections.abc import Callable
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

import structlog
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.dialog.screen import TrialReminder
from bot.i18n import locale_for, texts
from bot.reminders.kinds import KINDS
from bot.reminders.rules import is_late, next_due
from bot.settings import Settings
from bot.storage import people, queues, trials
from bot.storage.people import Person
from bot.storage.trials import DueReminder
from bot.telegram.screens.render import render
from bot.telegram.screens.view import Reader
from bot.telegram.turn import REMINDER

log = structlog.get_logger(__name__)

BATCH: Final = 100


class Ticker:
    """Writes the calls of due reminders; safe to run in several copies at once, since each row is locked by one."""

    def __init__(
        self, engine: AsyncEngine, settings: Settings, now: Callable[[], datetime], wake: Callable[[], None]
    ) -> None:
        self._engine, self._settings, self._now, self._wake = engine, settings, now, wake

    async def tick(self, _context: object = None) -> None:
        """Send what is due by now."""
        try:
            while await self._batch() == BATCH:
                pass
        except (SQLAlchemyError, OSError) as error:
            log.warning("tick_failed", error=type(error).__name__)

    async def idle(self) -> bool:
        """Whether nothing is due."""
        async with self._engine.connect() as tx:
            return await trials.nothing_due(tx, self._now())

    async def _batch(self) -> int:
        now = self._now()
        async with self._engine.connect() as peek:
            if await trials.nothing_due(peek, now):
                return 0
        async with self._engine.begin() as tx:
            due = await trials.claim_due(tx, now, BATCH)
            for reminder in due:
                await self._send(tx, reminder, now)
        if due:
            self._wake()
        return len(due)

    async def _send(self, tx: AsyncConnection, reminder: DueReminder, now: datetime) -> None:
        """Write one reminder in its reader's language of now, and when it comes again."""
        person = await people.person(tx, reminder.customer_id)
        trial = await trials.trial_of(tx, reminder.trial_id) if reminder.trial_id is not None else None
        await trials.finish_reminder(tx, reminder.id, now)
        if person is None or trial is None or not trial.is_running:
            return
        view = render(TrialReminder(trial, late=is_late(reminder.due_at, now)), self._reader(person, now))
        assert view is not None
        await queues.add_call(
            tx,
            method="send_message",
            payload={"text": view.text, "parse_mode": "HTML", "reply_markup": view.keyboard()},
            now=now,
            lane=str(person.id),
            chat_id=person.id,
            customer_id=person.id,
            priority=REMINDER,
        )
        kind = KINDS[reminder.kind]
        again = next_due(kind, now, reminder.times_sent + 1)
        if again is not None:
            await trials.remind(
                tx,
                kind,
                customer_id=person.id,
                trial_id=trial.id,
                due_at=again,
                times_sent=reminder.times_sent + 1,
            )

    def _reader(self, person: Person, now: datetime) -> Reader:
        locale = person.locale or locale_for(person.language_code, self._settings.default_locale)
        zone = ZoneInfo(person.zone) if person.zone else self._settings.zone
        return Reader(texts=texts(locale), zone=zone, now=now, settings=self._settings)
