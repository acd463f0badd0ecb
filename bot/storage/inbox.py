"""Updates that wait to be handled: stored once, taken in order inside a chat."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import bindparam, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.tables import INBOX
from bot.storage.upsert import prebuilt

MOST_ATTEMPTS: Final = 3
"""How often an update is tried before it is set aside."""

HEAD_START: Final = timedelta(seconds=1)
"""For so long an update is left to the copy that stored it, which has it in memory; after that it is anyone's."""


@dataclass(frozen=True)
class Arrival:
    """An update as Telegram sent it, with the chat whose order it keeps."""

    update_id: int
    chat_id: int
    payload: dict[str, Any]


async def store_updates(tx: AsyncConnection, arrivals: Sequence[Arrival], now: datetime) -> dict[int, int]:
    """Store updates once; returns the rows of those that are new, by their update ids."""
    rows = [
        {
            "update_id": arrival.update_id,
            "chat_id": arrival.chat_id,
            "payload": arrival.payload,
            "received_at": now,
            "not_before": now + HEAD_START,
            "attempts": 0,
        }
        for arrival in arrivals
    ]
    stored = await tx.execute(_STORE(tx), rows)
    return {row.update_id: row.id for row in stored}


async def open_updates(tx: AsyncConnection, now: datetime, limit: int) -> list[tuple[int, Arrival]]:
    """Return the oldest open update of each chat as (row, update), oldest first; order inside a chat rests on this."""
    return [
        (row.id, Arrival(row.update_id, row.chat_id, row.payload))
        for row in await tx.execute(_OPEN, {"now": now, "most": limit})
    ]


async def take_updates(tx: AsyncConnection, rows: Sequence[int], now: datetime) -> dict[int, int]:
    """Take updates of different chats; returns the chats of those taken, by their rows.

    They are done once this transaction commits, and open again when it does not. One is not taken when it is done already, not
    its chat's oldest, or another copy is at it. Of its content nothing is kept, only its number, so that it is not taken twice.
    """
    taken = await tx.execute(_TAKE, {"rows": rows, "now": now, "nothing": {}})
    return {row.id: row.chat_id for row in taken}


async def fail_update(tx: AsyncConnection, inbox_id: int, error: str, now: datetime) -> bool:
    """Count a failed try; True when it was the last one and the update is set aside with its error."""
    tried = await tx.execute(select(INBOX.c.attempts).where(INBOX.c.id == inbox_id).with_for_update())
    attempts = int(tried.scalar_one()) + 1
    aside = attempts >= MOST_ATTEMPTS
    await tx.execute(
        update(INBOX)
        .where(INBOX.c.id == inbox_id)
        .values(
            attempts=attempts, error=error, done_at=now if aside else None, not_before=now + timedelta(seconds=attempts)
        )
    )
    return aside


async def set_aside(tx: AsyncConnection, inbox_id: int, error: str, now: datetime) -> None:
    """Put an update away that no try can handle; its content stays for staff to look at."""
    await tx.execute(update(INBOX).where(INBOX.c.id == inbox_id).values(error=error, done_at=now))


async def inbox_is_empty(tx: AsyncConnection) -> bool:
    """Whether every stored update has been handled."""
    return (await tx.execute(select(INBOX.c.id).where(INBOX.c.done_at.is_(None)).limit(1))).first() is None


_STORE: Final = prebuilt(
    lambda insert: (
        insert(INBOX).on_conflict_do_nothing(index_elements=["update_id"]).returning(INBOX.c.update_id, INBOX.c.id)
    )
)
_EARLIER = INBOX.alias()
# A scalar subquery, not EXISTS: it is one look into the index for a row, whatever the planner believes of the table.
_FIRST = (
    select(func.min(_EARLIER.c.id))
    .where(_EARLIER.c.chat_id == INBOX.c.chat_id, _EARLIER.c.done_at.is_(None))
    .scalar_subquery()
)
_OLDEST = (
    select(INBOX.c.id)
    .where(INBOX.c.id.in_(bindparam("rows", expanding=True)), INBOX.c.done_at.is_(None), INBOX.c.id == _FIRST)
    .with_for_update(skip_locked=True, of=INBOX)
)
_TAKE: Final = (
    update(INBOX)
    .where(INBOX.c.id.in_(_OLDEST))
    .values(done_at=bindparam("now"), payload=bindparam("nothing"))
    .returning(INBOX.c.id, INBOX.c.chat_id)
)
_OPEN: Final = (
    select(INBOX.c.id, INBOX.c.update_id, INBOX.c.chat_id, INBOX.c.payload)
    .where(INBOX.c.done_at.is_(None), INBOX.c.not_before <= bindparam("now"), INBOX.c.id == _FIRST)
    .order_by(INBOX.c.id)
    .limit(bindparam("most"))
)
