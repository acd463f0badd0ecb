"""Every loop in the background outlives whatever the database or Telegram does to it."""

import asyncio
import json
import time

import pytest
from sqlalchemy.exc import OperationalError, ProgrammingError, SQLAlchemyError

from bot.storage import claims, inbox, leases, pace, reminders
from bot.telegram import outbox, poller
from tests.driver import said

FAILURES = (
    OperationalError("", {}, Exception("database is locked")),
    ProgrammingError("", {}, Exception("no such column")),
    SQLAlchemyError("anything"),
    OSError("reset by peer"),
)
"""What databases raise: outages, and what should never be."""

QUERIES = (
    *((inbox, "open_updates"), (claims, "finish_calls"), (pace, "drop_idle")),
    *((leases, "take"), (reminders, "nothing_due")),
)
"""The first query of each loop: inbox, outbox, its leases, poller, ticker."""


@pytest.fixture
def quick(monkeypatch):
    """Loops that come round quickly, so that each fails often."""
    monkeypatch.setattr(outbox, "LOOK_AGAIN_S", 0.02)
    monkeypatch.setattr(claims, "LEASE", claims.LEASE / 100)
    monkeypatch.setattr(poller, "RENEW_S", 0.05)
    monkeypatch.setattr(poller, "LONGEST_PAUSE_S", 0.02)


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: type(failure).__name__)
async def test_loops_outlive_a_failing_database(quick, telegram, monkeypatch, failure):
    failed = set()
    with monkeypatch.context() as patched:
        for module, name in QUERIES:

            async def fails(*_arguments, which=name, **_more):
                failed.add(which)
                raise failure

            patched.setattr(module, name, fails)
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline and len(failed) < len(QUERIES):
            telegram.desk.sender.wake()
            await asyncio.sleep(0.05)
    assert failed == {name for _, name in QUERIES}
    person = await telegram.person("en")
    assert "Welcome" in said(await person.says("/start"))
    assert {"outbox", "leases", "poller", "poller lease"} <= {task.get_name() for task in asyncio.all_tasks()}


async def test_polling_outlives_what_is_no_update(quick, telegram, monkeypatch):
    fetch, served = poller.Poller._fetch, []

    async def broken_once(self, offset):
        if served:
            return await fetch(self, offset)
        served.append(json.loads('[{"no": "number"}]'))
        return served[0]

    monkeypatch.setattr(poller.Poller, "_fetch", broken_once)
    person = await telegram.person("en")
    await telegram.call(f"/users/{person.id}/messages", {"text": "/start"})
    await telegram.idle()
    assert "Welcome" in said(await person.says("/start"))
    assert served
