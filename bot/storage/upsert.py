"""The insert statement of the database at hand, for `ON CONFLICT`, which both databases spell alike."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

_INSERTS = {"postgresql": postgresql.insert, "sqlite": sqlite.insert}


def insert_for(tx: AsyncConnection, table: Table) -> Any:
    """Return an insert into `table` that knows `on_conflict_do_nothing` and `on_conflict_do_update`."""
    return _INSERTS[tx.dialect.name](table)


def prebuilt(build: Callable[[Any], Any]) -> Callable[[AsyncConnection], Any]:
    """Build a statement once for each database from its `insert`; what comes back gives the one for a connection.

    To build such a statement takes several times as long as to run it.
    """
    made = {name: build(insert) for name, insert in _INSERTS.items()}
    return lambda tx: made[tx.dialect.name]
