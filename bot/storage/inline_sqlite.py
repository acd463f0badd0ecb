"""SQLite without a thread: statements run where they are awaited, so that a transaction is one piece of work.

A thread of its own costs a hop per statement, which is most of what a small transaction takes. In write-ahead mode a commit
touches only the page cache, and only BEGIN ever waits for another writer: that wait leaves the event loop free.
"""

import asyncio
import sqlite3
import time
from typing import Any, Final

from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.engine import URL
from sqlalchemy.pool import AsyncAdaptedQueuePool, Pool
from sqlalchemy.util import await_only

NAME: Final = "sqlite.inline"
LONGEST_WAIT_S: Final = 30.0
"""How long BEGIN waits for another writer, such as a migration or a backup, before it fails."""


class Cursor(sqlite3.Cursor):
    """A cursor that the library's asyncio results accept."""

    async def _async_soft_close(self) -> None:
        """Nothing is held elsewhere that would have to be let go."""


class Connection(sqlite3.Connection):
    """A connection whose cursors are ours."""

    def cursor(self, *_arguments: Any) -> Cursor:  # type: ignore[override]  # the library asks for the plain one only
        """Return a cursor."""
        return super().cursor(Cursor)


class InlineSqlite(SQLiteDialect_pysqlite):
    """The standard library's driver, as SQLAlchemy's asyncio engine takes it."""

    driver = "inline"
    is_async = True
    supports_statement_cache = True

    @classmethod
    def get_pool_class(cls, url: URL) -> type[Pool]:  # noqa: ARG003 - the library's signature
        """A pool that waits without holding up the loop."""
        return AsyncAdaptedQueuePool

    def connect(self, *arguments: Any, **options: Any) -> Any:
        """Open a connection of our kind."""
        return super().connect(*arguments, factory=Connection, **options)

    def do_execute(self, cursor: Any, statement: str, parameters: Any, context: Any = None) -> None:
        """Run a statement here; the library insists that something is awaited."""
        await_only(_nothing())
        super().do_execute(cursor, statement, parameters, context)  # type: ignore[no-untyped-call]  # so it is in the library

    def do_executemany(self, cursor: Any, statement: str, parameters: Any, context: Any = None) -> None:
        """Run a statement for several rows."""
        await_only(_nothing())
        super().do_executemany(cursor, statement, parameters, context)  # type: ignore[no-untyped-call]  # so it is in the library


def begin(connection: Any) -> None:
    """Open a transaction with the write lock, so that none fails half-way; waits for another writer off the loop."""
    deadline = time.monotonic() + LONGEST_WAIT_S
    while True:
        try:
            connection.connection.driver_connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            await_only(asyncio.sleep(0.005))
        else:
            return


async def _nothing() -> None:
    """An await that does not leave the task."""


registry.register(NAME, __name__, InlineSqlite.__name__)
