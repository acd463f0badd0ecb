"""What only one copy may do at a time: it holds a row for a while, and renews it for as long as it lives."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.tables import LEASE
from bot.storage.upsert import insert_for

TERM: Final = timedelta(seconds=10)
"""How long a lease lasts without being renewed."""


async def take(tx: AsyncConnection, name: str, holder: str, wall: datetime) -> bool:
    """Take or renew a lease; False while another copy has it. `wall` is the machine's own time."""
    row = insert_for(tx, LEASE).values(name=name, holder=holder, until=wall + TERM)
    statement = row.on_conflict_do_update(
        index_elements=["name"],
        set_={"holder": row.excluded.holder, "until": row.excluded.until},
        where=(LEASE.c.holder == holder) | (LEASE.c.until <= wall),
    )
    return bool((await tx.execute(statement)).rowcount > 0)


async def give_back(tx: AsyncConnection, name: str, holder: str) -> None:
    """Let another copy take over at once."""
    await tx.execute(delete(LEASE).where(LEASE.c.name == name, LEASE.c.holder == holder))


async def free_all(tx: AsyncConnection) -> None:
    """Free every lease; right only where no other copy can be alive, as on SQLite at start."""
    await tx.execute(delete(LEASE))
