"""The tick: one reminder that cannot be written holds nothing up, a failing database only postpones, a stop is quick."""

from datetime import UTC, datetime

import pytest
from sqlalchemy.exc import InterfaceError, OperationalError
from structlog.testing import capture_logs

from bot.reminders.kinds import OWN
from bot.reminders.series import Occurrence
from bot.settings import Settings
from bot.storage import claims, migrations, people, reminders
from bot.storage import engine as engines
from bot.storage.people import Profile
from bot.telegram.ticker import PUT_OFF, Ticker

NOW = datetime(2026, 11, 30, 2, 0, tzinfo=UTC)
CUSTOMERS = range(1, 26)


@pytest.fixture
async def engine(database_url):
    made = engines.connect(database_url)
    await migrations.migrate(made)
    async with made.begin() as tx:
        for customer in CUSTOMERS:
            await people.meet(tx, Profile(customer, "Customer", None, None, "en"), None, NOW)
            series = await reminders.add(tx, customer, OWN, text="save", rule="every=P1D;at=09:00", now=NOW)
            await reminders.remind(tx, Occurrence(0, OWN.code, customer, None, series.id, NOW))
    yield made
    await made.dispose()


def ticker(engine, now=lambda: NOW) -> Ticker:
    return Ticker(engine, Settings(), now, lambda: None)


async def written(engine) -> list[int]:
    async with engine.begin() as tx:
        return sorted(call.customer_id for call in await claims.claim_calls(tx, NOW + PUT_OFF, 100, NOW))


async def test_a_reminder_that_cannot_be_written_waits_alone(engine):
    async with engine.begin() as tx:
        await people.set_quiet(tx, 7, "never")
    with capture_logs() as logs:
        await ticker(engine).tick()
    assert [log["event"] for log in logs] == ["reminder_failed"]
    assert await written(engine) == [n for n in CUSTOMERS if n != 7]
    async with engine.connect() as tx:
        assert await reminders.nothing_due(tx, NOW), "it does not come up every second"
        assert not await reminders.nothing_due(tx, NOW + PUT_OFF)


@pytest.mark.parametrize(
    "error",
    [
        OperationalError("", {}, Exception("locked")),
        InterfaceError("", {}, Exception("closed")),
        OSError("reset"),
        TimeoutError(),
    ],
    ids=lambda error: type(error).__name__,
)
async def test_a_failing_database_postpones_the_tick(engine, monkeypatch, error):
    claim = reminders.claim_due

    async def fails(*_arguments):
        raise error

    monkeypatch.setattr(reminders, "claim_due", fails)
    with capture_logs() as logs:
        await ticker(engine).tick()
    assert [(log["event"], log["log_level"]) for log in logs] == [("tick_failed", "warning")]
    monkeypatch.setattr(reminders, "claim_due", claim)
    await ticker(engine).tick()
    assert await written(engine) == list(CUSTOMERS)


async def test_a_stop_waits_for_no_more_than_the_batch_in_hand(engine):
    desk = ticker(engine)
    desk.stop()
    await desk.tick()
    assert await written(engine) == []
