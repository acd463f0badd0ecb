"""Customers write while copies of the bot are killed, Telegram misbehaves and the database goes away: is anything lost?

`python -m tests.chaos [KILLS]` prints what became of it; the short form is a test.
"""

import asyncio
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import text

from bot.checklist.answer import Answers
from bot.reminders.kinds import DESTROY
from bot.reminders.series import Occurrence
from bot.reminders.trial import Trial
from bot.sandbox import Sandbox
from bot.storage import engine as engines
from bot.storage import migrations, people, reminders, requests, trials
from tests import postgres
from tests.driver import Telegram

ANSWERS = 8
"""Each of these messages answers one question; applied twice it would answer two, lost it would leave one open."""

MOST_S = 400
"""Killing ends after so many seconds, however slow the machine is."""

CALL_FAULTS = (
    {"status": 429, "retry_after": 1},
    {"status": 500},
    {"status": 502, "html_502": True},
    {"status": 413},
    {"delay_s": 1.0},
    {"hang": True},
    {"reset": True},
    {"half_body": True},
    {"bad_json": True},
    {"after_effect": True, "reset": True},
    {"after_effect": True, "status": 500},
)
DELIVERY_FAULTS = ("duplicate", "redeliver", "conflict", "late")
VICTIM_FAULTS = ({"status": 403}, {"status": 400, "description": "Bad Request: chat not found"}, {"status": 401})
"""What ends calls for good is done to somebody whose messages are not counted."""

SENT = ("sendMessage", "sendPhoto", "copyMessage")


@dataclass
class Report:
    """What was done, and what was found in the end."""

    database: str
    kills: int = 0
    outages: int = 0
    faults: int = 0
    met: int = 0
    customers: int = 0
    messages: int = 0
    reminders: int = 0
    lost_answers: int = 0
    wrong: list[str] = field(default_factory=list)
    repeats: int = 0

    def __str__(self) -> str:
        return (
            f"{self.database}: {self.customers} customers, {self.messages} messages, {self.reminders} reminders; "
            f"{self.kills} kills, {self.faults} faults ({self.met} calls failed, {self.lost_answers} of them after a message was sent), "
            f"{self.outages} database outages; {self.repeats} messages sent twice, {len(self.wrong)} wrong"
            + "".join(f"\n  {line}" for line in self.wrong)
        )


class Copies:
    """Processes of the bot on one database."""

    def __init__(self, sandbox: Sandbox, database_url: str, count: int) -> None:
        self._environment = {
            **os.environ,
            "BOT_TOKEN": sandbox.token,
            "BOT_API_URL": sandbox.api_url,
            "BOT_DATABASE_URL": database_url,
            "BOT_STAFF_CHAT_ID": str(sandbox.staff_chat_id),
            "BOT_MESSAGES_PER_SECOND": "0",
            "BOT_LOG_LEVEL": "ERROR",
        }
        self._log = None
        if folder := os.environ.get("CHAOS_LOGS"):
            self._log = (Path(folder) / f"{database_url.partition(':')[0]}.log").open("a")
        self._ports = [free_port() for _ in range(count)]
        self.running = [self._start(port) for port in self._ports]

    async def working(self) -> list[int]:
        """Wait until a copy works, and return all that do."""
        while True:
            found = [which for which, port in enumerate(self._ports) if is_open(port)]
            if found:
                return found
            await asyncio.sleep(0.1)

    def kill(self, which: int) -> bool:
        """Kill one at once and start another in its place; False when it had already ended by itself."""
        alive = self.running[which].poll() is None
        self.running[which].send_signal(signal.SIGKILL)
        self.running[which].wait()
        self.running[which] = self._start(self._ports[which])
        return alive

    def end(self) -> None:
        for process in self.running:
            process.kill()
            process.wait()

    def _start(self, port: int) -> subprocess.Popen:
        log = self._log or subprocess.DEVNULL
        environment = {**self._environment, "BOT_LISTEN": f"127.0.0.1:{port}"}
        return subprocess.Popen([sys.executable, "-m", "bot", "run"], env=environment, stderr=log, stdout=log)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Chaos:
    """One database with its copies and its own Telegram."""

    def __init__(
        self,
        database_url: str,
        copies: int,
        kills: int,
        server: postgres.Server | None = None,
        longest_life_s: float = 8.0,
    ) -> None:
        self.url, self.count, self.kills, self.server = database_url, copies, kills, server
        self.longest_life_s = longest_life_s
        self.report = Report(f"{database_url.partition('+')[0]}, {copies} copies")
        self.people: list[int] = []
        self.registering: list[asyncio.Task] = []
        self.calm = asyncio.Event()

    async def run(self, settle_s: float = 120.0) -> Report:
        sandbox = Sandbox(port=0)
        await sandbox.start()
        self.telegram = Telegram(sandbox.url, sandbox.staff_chat_id)
        self.engine = engines.connect(self.url)
        await migrations.migrate(self.engine)
        self.copies = Copies(sandbox, self.url, self.count)
        try:
            customers = asyncio.create_task(self._customers())
            faults = asyncio.create_task(self._faults())
            await self._kill()
            self.calm.set()
            await faults
            await customers
            await asyncio.gather(*self.registering)
            await self._settle(settle_s)
            await self._judge()
        finally:
            self.copies.end()
            await self.engine.dispose()
            await self.telegram.close()
            await sandbox.stop()
        return self.report

    async def _customers(self) -> None:
        """Customers come, write their answers without waiting, and have a trial that ends soon; two at a time, to the end."""
        while not self.calm.is_set():
            await asyncio.gather(self._customer(), self._customer())

    async def _customer(self) -> None:
        person = await self.telegram.person("en")
        for words in ("/start", *["TBD"] * ANSWERS):
            await self.telegram.call(f"/users/{person.id}/messages", {"text": words})
            if words == "/start":
                await self._greeted(person)
            self.report.messages += 1
            await asyncio.sleep(random.uniform(0.05, 0.6))
        self.people.append(person.id)
        self.report.customers += 1
        self.registering.append(asyncio.create_task(self._stubbornly(lambda: self._trial(person.id))))

    async def _trial(self, customer_id: int) -> None:
        async with self.engine.begin() as tx:
            if await people.person(tx, customer_id) is None:
                raise LookupError("the bot has not met this customer yet")
            now = datetime.now(UTC)
            end = now + timedelta(seconds=random.uniform(1, 20))
            trial = Trial(0, "rtx-4090-24gb", 1, Decimal("0.35"), "USD", now, end)
            trial_id = await trials.register(tx, customer_id, trial)
            await reminders.remind(tx, Occurrence(0, DESTROY.code, customer_id, trial_id, None, end, 0))

    async def _greeted(self, person) -> None:
        """Wait for the first question: an update that comes late could else bring an answer before there is a question."""
        while not await person.screen():  # noqa: ASYNC110 - the other process has nothing that could wake us
            await asyncio.sleep(0.2)

    async def _stubbornly(self, what: Callable) -> None:
        """Do something in the database, which may be away just now."""
        while True:
            try:
                return await what()
            except Exception:  # noqa: BLE001 - it is stopped and started behind our back
                await asyncio.sleep(0.3)

    async def _faults(self) -> None:
        """Switch every fault on in turn, over and over; what was not met in its round is taken back."""
        victim = await self.telegram.person("en")
        while not self.calm.is_set():
            for action in CALL_FAULTS:
                method = random.choice(("sendMessage", "editMessageReplyMarkup", "getUpdates"))
                await self.telegram.call("/faults", {"match": {"method": method, "times": 1}, "action": action})
                self.report.faults += 1
                await asyncio.sleep(random.uniform(0.1, 0.5))
            for delivery in DELIVERY_FAULTS:
                await self.telegram.call("/faults", {"delivery": delivery})
                self.report.faults += 1
                await asyncio.sleep(random.uniform(0.1, 0.3))
            for action in VICTIM_FAULTS:
                await self.telegram.call("/faults", {"match": {"chat_id": victim.id, "times": 1}, "action": action})
                await self.telegram.call(f"/users/{victim.id}/messages", {"text": "/help"})
                self.report.faults += 1
            # While no copy works nothing meets them: they would pile up, and stand in the way of all that comes later.
            await self.telegram.call("/faults", method="DELETE")

    async def _kill(self) -> None:
        """Kill copies at random moments, and stop the database now and then."""
        deadline = time.monotonic() + MOST_S
        while self.report.kills < self.kills and time.monotonic() < deadline:
            await self.copies.working()
            await asyncio.sleep(random.uniform(0.1, self.longest_life_s))
            self.report.kills += self.copies.kill(random.choice(await self.copies.working()))
            if self.server and self.report.kills % 10 == 5:
                await asyncio.to_thread(self.server.stop)
                await asyncio.sleep(random.uniform(0.5, 2))
                await asyncio.to_thread(self.server.start)
                self.report.outages += 1

    async def _settle(self, seconds: float) -> None:
        """Wait until all is done; what is still open after so long is wrong."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            await asyncio.sleep(0.5)
            waiting = await self.telegram.call("/idle?quiet_ms=300&timeout_s=1")
            async with self.engine.connect() as tx:
                open_rows = [
                    (
                        await tx.execute(text(f"SELECT count(*) FROM {table} WHERE done_at IS NULL{more}"), limits)
                    ).scalar()
                    for table, more, limits in (
                        ("inbox", "", {}),
                        ("outbox", "", {}),
                        ("reminder", " AND paused_at IS NULL AND due_at < :soon", {"soon": self._soon()}),
                    )
                ]
            if waiting["idle"] and open_rows == [0, 0, 0]:
                return
        left = dict(zip(("inbox", "outbox", "reminder"), open_rows, strict=True))
        self.report.wrong.append(f"it did not come to rest: open rows {left}, Telegram idle: {waiting['idle']}")

    def _soon(self) -> object:
        """Trials end within seconds, their next reminders come much later."""
        moment = datetime.now(UTC) + timedelta(minutes=5)
        return moment.replace(tzinfo=None) if self.engine.dialect.name == "sqlite" else moment

    async def _judge(self) -> None:
        """Compare what the customers did with what is stored and with what Telegram was sent."""
        calls = await self.telegram.calls()
        report, made = self.report, [call for call in calls if call["method"] in SENT and call.get("result")]
        report.met = sum(call["status"] != 200 for call in calls)
        report.lost_answers = sum(call["status"] != 200 for call in made)
        async with self.engine.connect() as tx:
            failed = (await tx.execute(text("SELECT update_id, error FROM inbox WHERE error IS NOT NULL"))).all()
            report.wrong += [f"update {row.update_id} failed: {row.error}" for row in failed]
            for person in self.people:
                await self._judge_person(tx, person)
            sent = text("SELECT count(*) FROM outbox WHERE method IN ('send_message', 'send_photo', 'copy_message')")
            noted = (await tx.execute(text(f"{sent} AND message_id IS NOT NULL"))).scalar_one()
        report.repeats = len(made) - noted
        if report.repeats > report.kills + report.lost_answers:
            report.wrong.append(f"{report.repeats} repeats are more than kills and lost answers explain")

    async def _judge_person(self, tx, person: int) -> None:
        found = await requests.newest(tx, person)
        answers = found.answers if found else Answers()
        if len(answers) != ANSWERS:
            self.report.wrong.append(f"customer {person}: {len(answers)} answers for {ANSWERS} messages")
        rows = (
            await tx.execute(
                text(
                    "SELECT priority, message_id, error FROM outbox WHERE customer_id = :id AND method = 'send_message'"
                    " AND chat_id = :id ORDER BY id"
                ),
                {"id": person},
            )
        ).all()
        self.report.wrong += [f"customer {person}: not sent, {row.error}" for row in rows if row.message_id is None]
        numbers = [row.message_id for row in rows if row.message_id is not None]
        if numbers != sorted(numbers):
            self.report.wrong.append(f"customer {person}: replies out of order {numbers}")
        reminders = sum(row.priority == 10 for row in rows)
        self.report.reminders += reminders
        if reminders != 1:
            self.report.wrong.append(f"customer {person}: {reminders} reminders for one trial")


async def main(kills: int) -> int:
    with postgres.server() as server, TemporaryDirectory() as folder:
        reports = await asyncio.gather(
            Chaos(server.fresh_database(), 2, kills * 2 // 3, server).run(),
            Chaos(f"sqlite+aiosqlite:///{folder}/desk.db", 1, kills - kills * 2 // 3).run(),
        )
    for report in reports:
        sys.stdout.write(f"{report}\n")
    return 1 if any(report.wrong for report in reports) else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 66)))
