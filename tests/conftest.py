import logging
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import structlog
from pydantic import SecretStr

from bot.app import Desk, running
from bot.clock import Clock
from bot.sandbox import Sandbox
from bot.settings import Settings
from tests import postgres
from tests.driver import Telegram


@pytest.fixture(autouse=True)
def logs_of_its_own(monkeypatch):
    """What one test sets up for the logs ends with it: its level and its stream are not those of the next."""
    configure, root = structlog.configure, logging.getLogger()
    handlers, level = root.handlers[:], root.level
    monkeypatch.setattr(structlog, "configure", lambda **how: configure(**how | {"cache_logger_on_first_use": False}))
    yield
    structlog.reset_defaults()
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch, tmp_path):
    """No setting of the machine reaches a test, no `.env` of the checkout, and no test the model hub."""
    for name in list(os.environ):
        if name.startswith("BOT_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("BOT_HUB_URL", "")
    monkeypatch.setitem(Settings.model_config, "env_file", None)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Server]:
    with postgres.server() as server:
        yield server


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite+aiosqlite:///{tmp_path / 'desk.db'}"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def database_url(request) -> str:
    if request.param == "sqlite":
        return request.getfixturevalue("sqlite_url")
    return request.getfixturevalue("postgres_server").fresh_database()


@pytest.fixture
def clock() -> Clock:
    """A clock that begins at one Monday's morning in Europe, afternoon in China: quiet hours and dates are the same in every run."""
    return Clock(datetime(2026, 11, 30, 8, 0, tzinfo=UTC) - datetime.now(UTC))


@pytest.fixture
async def sandbox(clock):
    """A local Telegram on a free port, without a bot."""
    local = Sandbox(port=0, clock=clock)
    await local.start()
    yield local
    await local.stop()


@pytest.fixture
def settings_for(sandbox):
    """Settings of a bot in the sandbox, on a database."""

    def make(database_url: str, **more) -> Settings:
        inside = {
            "token": SecretStr(sandbox.token),
            "api_url": sandbox.api_url,
            "database_url": database_url,
            "staff_chat_id": sandbox.staff_chat_id,
            "messages_per_second": 0,
        }
        return Settings(**{**inside, **more})

    return make


@pytest.fixture
async def telegram(sandbox, settings_for, sqlite_url, clock):
    """People's Telegram with the bot running behind it, on SQLite."""
    async with started(sandbox, settings_for(sqlite_url), clock) as people:
        yield people


@pytest.fixture
async def telegram_on(sandbox, settings_for, database_url, clock):
    """The same on each database in turn."""
    async with started(sandbox, settings_for(database_url), clock) as people:
        yield people


class started:  # noqa: N801 - reads as a verb in `async with`
    """A bot in the sandbox, and the people's side of it."""

    def __init__(self, sandbox, settings, clock) -> None:
        self.desk = Desk(settings, clock)
        sandbox.quiet, sandbox.on_clock = self.desk.idle, self.desk.moved_clock
        self.sandbox = sandbox

    async def __aenter__(self) -> Telegram:
        self._running = running(self.desk)
        await self._running.__aenter__()
        self.people = Telegram(self.sandbox.url, self.sandbox.staff_chat_id)
        self.people.desk = self.desk
        return self.people

    async def __aexit__(self, kind, *error) -> None:
        refused = [] if kind or self.people.refusals_expected else await self.people.refusals()
        await self.people.close()
        await self._running.__aexit__(None, None, None)
        self.sandbox.quiet = None
        assert refused == [], "Telegram refused a call that nobody made it refuse"
