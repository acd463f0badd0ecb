"""Reminders in one run on both databases, as ratios: `python -m tests.bench_reminders`, printed, nothing asserted.

Ten thousand fall due at one moment while one customer talks, with Telegram's limits on; and a tick with a million pending beside one with
a thousand.
"""

import asyncio
import os
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta

from sqlalchemy import String, cast, insert, literal, select, text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.reminders.kinds import OWN
from bot.reminders.series import Occurrence
from bot.sandbox import Sandbox
from bot.sandbox.models import User
from bot.settings import Settings
from bot.storage import engine as engines
from bot.storage import migrations, reminders
from bot.storage.tables import CUSTOMER, REMINDER, SERIES
from bot.telegram.ticker import Ticker
from tests import postgres
from tests.driver import Telegram

DUE = int(os.environ.get("BENCH_DUE", "10000"))
PENDING = int(os.environ.get("BENCH_PENDING", "1000000"))
DRAIN_S = float(os.environ.get("BENCH_DRAIN_S", "30"))
TICKS = 400
PERMITTED_PER_S = 30
FIRST = 5_000_000
"""The first of the customers' ids, far from those that the local Telegram gives out."""


async def drain(name: str, url: str) -> None:
    """Let many reminders fall due at once, and talk meanwhile."""
    sandbox = Sandbox(port=0, flood_limits=True)
    await sandbox.start()
    engine = engines.connect(url)
    await migrations.migrate(engine)
    due_at = datetime.now(UTC) + timedelta(seconds=8)
    await prepare(engine, due_at)
    for n in range(DUE):
        sandbox.world.add_person(User(FIRST + n, "Customer", language_code="en", started=True))
    telegram = Telegram(sandbox.url, sandbox.staff_chat_id)
    environment = {
        "BOT_TOKEN": sandbox.token,
        "BOT_API_URL": sandbox.api_url,
        "BOT_DATABASE_URL": url,
        "BOT_STAFF_CHAT_ID": str(sandbox.staff_chat_id),
        "BOT_LOG_LEVEL": "ERROR",
    }
    bot = await asyncio.create_subprocess_exec(sys.executable, "-m", "bot", "run", env={**os.environ, **environment})
    try:
        await asyncio.sleep((due_at - datetime.now(UTC)).total_seconds() + 1)
        waits = await talk(telegram, time.monotonic() + DRAIN_S)
        calls = await telegram.calls()
    finally:
        bot.terminate()
        await bot.wait()
        await telegram.close()
        await engine.dispose()
        await sandbox.stop()
    sent = sorted(
        datetime.fromisoformat(call["time"])
        for call in calls
        if call["method"] == "sendMessage" and call["status"] == 200
    )
    floods = sum(call["status"] == 429 for call in calls)
    sent = [moment for moment in sent if moment >= due_at]
    rate = (len(sent) - 1) / (sent[-1] - sent[0]).total_seconds()
    sys.stdout.write(
        f"{name:10} {DUE} reminders due at once: {rate:.1f} messages a second, {rate / PERMITTED_PER_S:.1%} of what is permitted,"
        f" {floods} refused; {len(waits)} answers meanwhile after {statistics.median(waits):.2f} s, at most {max(waits):.2f} s\n"
    )


async def prepare(engine: AsyncEngine, due_at: datetime) -> None:
    """Customers with one reminder of their own each, all due at one moment."""
    ids = range(FIRST, FIRST + DUE)
    async with engine.begin() as tx:
        await tx.execute(
            insert(CUSTOMER),
            [{"id": n, "first_name": "Customer", "language_code": "en", "created_at": due_at} for n in ids],
        )
        theirs = {"kind": OWN.code, "text": "save", "rule": "every=P1D;at=09:00", "anchor_at": due_at}
        await tx.execute(insert(SERIES), [{"id": n, "customer_id": n} | theirs for n in ids])
        due = {"kind": OWN.code, "due_at": due_at, "times_sent": 0}
        await tx.execute(insert(REMINDER), [{"key": f"b{n}", "customer_id": n, "series_id": n} | due for n in ids])


async def talk(telegram: Telegram, until: float) -> list[float]:
    """Write something every three seconds; returns the seconds until each answer."""
    person, waits = await telegram.person("en"), []
    while time.monotonic() < until:
        before, begun = len(await person.screen()), time.monotonic()
        await telegram.call(f"/users/{person.id}/messages", {"text": "/help"})
        while len(await person.screen()) == before and time.monotonic() < begun + 30:  # noqa: ASYNC110 - another process answers
            await asyncio.sleep(0.02)
        waits.append(time.monotonic() - begun)
        await asyncio.sleep(3)
    return waits


async def tick(name: str, few_url: str, many_url: str) -> None:
    """Time the tick beside few pending reminders and beside many, in turns: one look in vain, one with a reminder that is due."""
    now, desks = datetime.now(UTC), []
    for url, pending in ((few_url, 1_000), (many_url, PENDING)):
        engine = engines.connect(url)
        await migrations.migrate(engine)
        await pend(engine, pending, now)
        desks.append((engine, Ticker(engine, Settings(), lambda: now, lambda: None), []))
    for n in range(TICKS):
        for engine, ticker, times in desks:
            async with engine.begin() as tx:
                await reminders.remind(tx, Occurrence(0, OWN.code, n, None, None, now - timedelta(seconds=n)))
            begun = time.perf_counter()
            await ticker.tick()
            await ticker.tick()
            times.append(time.perf_counter() - begun)
    few, many = (statistics.median(times) for _, _, times in desks)
    sys.stdout.write(
        f"{name:10} the tick with {PENDING} pending takes {many / few:.2f} × the tick with 1000 ({few * 1e3:.2f} ms)\n"
    )
    for engine, _, _ in desks:
        await engine.dispose()


async def pend(engine: AsyncEngine, pending: int, now: datetime) -> None:
    """Write reminders that are not due for long."""
    portion = 1_000
    numbers = select(literal(0).label("n")).cte(recursive=True)
    numbers = numbers.union_all(select(numbers.c.n + 1).where(numbers.c.n < portion - 1))
    columns = ("key", "kind", "customer_id", "times_sent", "due_at")
    async with engine.begin() as tx:
        for first in range(0, pending, portion):
            due_at = now + timedelta(days=1, minutes=first // portion)
            n = numbers.c.n + first
            row = select(
                literal("p").concat(cast(n, String)),
                literal(OWN.code),
                n,
                literal(0),
                literal(due_at, REMINDER.c.due_at.type),
            )
            await tx.execute(insert(REMINDER).from_select(columns, row))
        await tx.execute(text("ANALYZE"))


async def main() -> None:
    with postgres.server() as server, tempfile.TemporaryDirectory() as folder:
        files = (f"sqlite+aiosqlite:///{folder}/{name}.db" for name in "abc")
        await drain("sqlite", next(files))
        await drain("postgres", server.fresh_database())
        await tick("sqlite", next(files), next(files))
        await tick("postgres", server.fresh_database(), server.fresh_database())


if __name__ == "__main__":
    asyncio.run(main())
