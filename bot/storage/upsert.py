"""The insert statement of the database at hand, for `ON CONFLICT`, which both databases spell alike."""

from typing import Any

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection


def insert_for(tx: AsyncConnection, table: Table) -> Any:
    """Return an insert into `table` that knows `on_conflict_do_nothing` and `on_conflict_do_update`."""
    return (postgresql if tx.dialect.name == "postgresql" else sqlite).insert(table)
