"""Connects to the database: a SQLite file or PostgreSQL, with the same code above."""

import sqlite3
from typing import Any, Final

from sqlalchemy import event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.errors import ConfigurationError
from bot.storage import inline_sqlite

DRIVERS: Final = {
    "sqlite": inline_sqlite.NAME.replace(".", "+"),
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}


CONNECTIONS: Final = 20
"""Connections that are kept open: one for each update in hand, and for the loops. To open one anew costs as much as ten updates."""


def connect(url: str) -> AsyncEngine:
    """Return an engine for a database address; nothing is opened before its first use.

    Raises ConfigurationError for an address that is malformed or of a database we do not support.
    """
    try:
        parsed = make_url(url)
        driver = DRIVERS[parsed.drivername.split("+")[0]]
    except (ArgumentError, KeyError):
        raise ConfigurationError(
            "BOT_DATABASE_URL must be sqlite+aiosqlite:///FILE or postgresql+asyncpg://USER:PASSWORD@HOST/NAME"
        ) from None
    if parsed.get_backend_name() == "sqlite":
        return _connect_sqlite(parsed.set(drivername=driver))
    # No ping before each use: a connection that a restart of the server has cut fails once, all of its age are
    # dropped with it, and whatever failed is tried again.
    return create_async_engine(
        parsed.set(drivername=driver),
        pool_size=CONNECTIONS,
        max_overflow=5,
        pool_timeout=10,
        connect_args={"timeout": 5, "command_timeout": 30},
    )


def _connect_sqlite(url: Any) -> AsyncEngine:
    """SQLite with a write-ahead log."""
    engine = create_async_engine(url, connect_args={"timeout": 5}, pool_size=CONNECTIONS, max_overflow=5)

    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=NORMAL")
        cursor.execute("PRAGMA foreign_keys=ON")
        # To wait for the lock inside of SQLite would hold up the very task that has it; BEGIN waits off the loop.
        cursor.execute("PRAGMA busy_timeout=0")
        cursor.close()

    event.listen(engine.sync_engine, "begin", inline_sqlite.begin)
    return engine
