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
"""The same in every run, so that a failure comes again; another one can be tried by hand."""

BATCH = 100
DATA = re.compile(r'"callback_data": "([^"]+)"')


class Drive:
    """The application with everything but the sending: updates are stored, taken and handled as in service."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.written, self.outcomes = desk, [], Counter()
        self.buttons = defaultdict(lambda: deque(maxlen=60))
        event.listen(desk.engine.sync_engine, "before_cursor_execute", self._note)
        desk.application.add_error_handler(self._failed)
        self.failed = []

    def _note(self, _connection, _cursor, statement, parameters, _context, _many) -> None:
        if statement.startswith("INSERT INTO outbox"):
            self.written.append(str(parameters))

    async def _failed(self, _update, context) -> None:
        self.failed.append(repr(context.error))

    async def batch(self, updates: list[dict]) -> None:
        by_id = {update["update_id"]: update for update in updates}
        await self.desk.inbox.store([arrival(update) for update in updates])
        for _ in updates:
            taken = await self.desk.inbox.get()
            self.written.clear()
            with capture_logs([format_exc_info]) as logs:
                await self.desk.application.process_update(taken)
            self._judge(by_id[taken.update_id], logs)
        if not os.environ.get("EXPLORE"): assert await self.desk.inbox.idle(), "an update was left open"

    def _judge(self, update: dict, logs: list[dict]) -> None:
        told = json.dumps(update)[:3000]
        if os.environ.get("EXPLORE"):
            for log in logs:
                if log["log_level"] != "debug":
                    FOUND.setdefault(log.get("exception", str(log))[-700:], told[:700])
            reasons = [log["reason"] for log in logs if log["event"] == "update_ignored"]
            if len(reasons) != (0 if self.written else 1) and not FOUND.get(told[20:60]): SILENT.append(told[:500])
            for data in DATA.findall("".join(self.written)):
                self.buttons[update["update_id"] % 3].append(data)
            return
        wrong = [log for log in logs if log["log_level"] in ("warning", "error", "critical")]
        assert (wrong, self.failed) == ([], []), f"seed {SEED}: {told}"
        reasons = [log["reason"] for log in logs if log["event"] == "update_ignored"]
        assert len(reasons) == (0 if self.written else 1), f"seed {SEED}: {reasons or 'neither answered nor ignored'}: {told}"
        self.outcomes.update(reasons or ["answered"])
        for data in DATA.findall("".join(self.written)):
            self.buttons[update["update_id"] % 3].append(data)


@pytest.fixture
async def drive(sandbox, settings_for, database_url):
    """A desk whose clock moves only when it is told to, on each database."""
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
    count = 20_000 if drive.desk.engine.dialect.name == "sqlite" else 2_000
    for first in range(0, count, BATCH):
        numbers = range(first, first + BATCH)
        await drive.batch([Chance(SEED, n, drive.buttons[n % 3]).update() for n in numbers])
        drive.desk.clock.advance(1800)
        with capture_logs([format_exc_info]) as logs:
            await drive.desk.ticker.tick()
        assert [log for log in logs if log["log_level"] != "debug"] == []
    async with drive.desk.engine.connect() as tx:
        poisoned = (await tx.exec_driver_sql("SELECT payload, error FROM inbox WHERE error IS NOT NULL")).all()
    assert poisoned == []
    print(drive.outcomes)
    print(SILENT[:8], len(SILENT))
    for k,v in FOUND.items(): print("=====\n",k,"\n",v)
FOUND, SILENT = {}, []
