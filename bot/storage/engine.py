"""Connects to the database: a SQLite file or PostgreSQL, with the same code above."""

import sqlite3
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.errors import ConfigurationError

DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}


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
    return create_async_engine(parsed.set(drivername=driver), pool_size=10, max_overflow=10, pool_pre_ping=True)


def _connect_sqlite(url: Any) -> AsyncEngine:
    """SQLite with a write-ahead log; each transaction takes the write lock at its start, so that none fails half-way."""
    engine = create_async_engine(url, connect_args={"timeout": 30}, pool_size=5, max_overflow=5)

    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=NORMAL")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def begin(connection: Any) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine
