"""Whatever Telegram may send, the bot takes: answered, or ignored for a reason that is written down."""

import json
import os
import re
from collections import Counter, defaultdict, deque

import pytest
from sqlalchemy import event
from structlog.processors import format_exc_info
from structlog.testing import capture_logs
from telegram import Update

from bot.app import Desk
from bot.clock import Clock
from bot.storage import migrations, people
from bot.storage.people import Profile
from bot.telegram.arrival import arrival
from bot.telegram.ignored import Ignored
from tests.updates import CUSTOMERS, STAFF, THREADS, Chance, message_parts

SEED = int(os.environ.get("UPDATES_SEED", "1"))
"""The same in every run, so that a failure comes again; another one can be tried by hand.

A generator of our own with a seed: hypothesis keeps a record of every choice, and each of these updates needs hundreds.
"""

COUNTS = {"sqlite": 20_000, "postgresql": 600}
BATCH = 100
BUTTON = re.compile(r'"callback_data": "([^"]+)"')


class Drive:
    """The application with everything but the sending: updates are stored, taken and handled as in service."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.outcomes, self._written, self._failed = desk, Counter(), [], []
        self.buttons = defaultdict(lambda: deque(maxlen=60))
        desk.application.add_error_handler(self._note_failure)
        event.listen(desk.engine.sync_engine, "before_cursor_execute", self._note)

    def _note(self, _connection, _cursor, statement, parameters, _context, _many) -> None:
        if statement.startswith("INSERT INTO outbox"):
            self._written.append(str(parameters))

    async def _note_failure(self, _update, context) -> None:
        self._failed.append(repr(context.error))

    async def batch(self, numbers: range) -> None:
        updates = {n + 1: Chance(SEED, n, self.buttons[n % 3]).update() for n in numbers}
        with capture_logs([format_exc_info]) as logs:
            await self.desk.inbox.store([arrival(update) for update in updates.values()])
            for _ in updates:
                await self._handle_next(updates, logs)
            if numbers.stop % (5 * BATCH) == 0:
                self.desk.clock.advance(7200)
                await self.desk.ticker.tick()
        assert [log for log in logs if log["event"] != "update_ignored"] == [], f"seed {SEED}"
        assert await self.desk.inbox.idle(), f"an update was left open, seed {SEED}"

    async def _handle_next(self, updates: dict, logs: list) -> None:
        update = await self.desk.inbox.get()
        said = len(logs)
        self._written.clear()
        await self.desk.application.process_update(update)
        reasons = [log["reason"] for log in logs[said:] if log["event"] == "update_ignored"]
        if bool(self._written) == bool(reasons):
            raise AssertionError(
                f"seed {SEED}: {json.dumps(updates[update.update_id])[:3000]}: {logs[said:] + self._failed}"
            )
        self.outcomes.update(reasons or ["answered"])
        self.buttons[update.update_id % 3].extend(BUTTON.findall("".join(self._written)))


@pytest.fixture
async def drive(settings_for, database_url):
    """A desk whose clock moves only when it is told to, on each database; a few customers have topics."""
    desk = Desk(settings_for(database_url, staff_chat_id=STAFF), Clock())
    await migrations.migrate(desk.engine)
    await desk.application.initialize()
    desk.handlers.username = desk.application.bot.username
    async with desk.engine.begin() as tx:
        for customer, thread in zip(CUSTOMERS, THREADS, strict=False):
            await people.meet(tx, Profile(customer, "Customer", None, None, "en"), None, desk.clock.now())
            await people.save_topic(tx, customer, STAFF, thread, desk.clock.now())
    yield Drive(desk)
    await desk.stop()


@pytest.mark.filterwarnings("ignore::telegram.warnings.PTBDeprecationWarning")
async def test_every_update_is_answered_or_knowingly_ignored(drive):
    count = COUNTS[drive.desk.engine.dialect.name]
    for first in range(0, count, BATCH):
        await drive.batch(range(first, first + BATCH))
    assert drive.outcomes.total() == count
    if count == max(COUNTS.values()):
        # Things are kept where there is no staff group; here there is one.
        assert drive.outcomes["answered"] > count / 3
        assert drive.outcomes.keys() == {"answered", *Ignored} - {Ignored.KEPT}


def test_every_kind_of_update_and_every_part_of_a_message_comes_up():
    """What the library knows is read from its own signatures, so that a new version's kinds are covered by themselves."""
    made = [Chance(SEED, n).update() for n in range(4 * (len(Update.ALL_TYPES) + len(message_parts())))]
    assert set(Update.ALL_TYPES) <= {key for update in made for key in update}
    parts = {key for update in made for key in update.get("message", {})}
    assert set(message_parts()) - {"from_user"} <= parts | SPELLED_OTHERWISE


SPELLED_OTHERWISE = {"api_kwargs"}
