"""Updates that wait to be handled, and calls that wait to be sent."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.tables import INBOX, OUTBOX
from bot.storage.upsert import insert_for

MOST_ATTEMPTS: Final = 3
"""How often an update is tried before it is set aside."""

LEASE: Final = timedelta(seconds=10)
"""How long a call that is being sent belongs to its sender, who renews it while sending; a dead sender's calls are free after that."""


async def store_update(
    tx: AsyncConnection, *, update_id: int, chat_id: int, payload: dict[str, Any], now: datetime
) -> bool:
    """Store an update once; False when it had been stored before."""
    values = {"update_id": update_id, "chat_id": chat_id, "payload": payload, "received_at": now, "not_before": now}
    statement = insert_for(tx, INBOX).values(attempts=0, **values).on_conflict_do_nothing(index_elements=["update_id"])
    return bool((await tx.execute(statement)).rowcount > 0)


async def open_updates(tx: AsyncConnection, now: datetime, limit: int) -> list[tuple[int, dict[str, Any]]]:
    """Return the oldest open update of each chat as (id, payload), oldest first; order inside a chat rests on this."""
    firsts = select(func.min(INBOX.c.id)).where(INBOX.c.done_at.is_(None)).group_by(INBOX.c.chat_id)
    rows = await tx.execute(
        select(INBOX.c.id, INBOX.c.payload)
        .where(INBOX.c.id.in_(firsts), INBOX.c.not_before <= now)
        .order_by(INBOX.c.id)
        .limit(limit)
    )
    return [(row.id, row.payload) for row in rows]


async def take_update(tx: AsyncConnection, inbox_id: int) -> bool:
    """Lock an open update for this transaction; False when it is done, or another copy is at it."""
    found = await tx.execute(
        select(INBOX.c.id).where(INBOX.c.id == inbox_id, INBOX.c.done_at.is_(None)).with_for_update(skip_locked=True)
    )
    return found.first() is not None


async def finish_update(tx: AsyncConnection, inbox_id: int, now: datetime) -> None:
    """Mark an update as handled; of its content nothing is kept, only its number, so that it is not taken twice."""
    await tx.execute(update(INBOX).where(INBOX.c.id == inbox_id).values(done_at=now, payload={}))


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


async def inbox_is_empty(tx: AsyncConnection) -> bool:
    """Whether every stored update has been handled."""
    return (await tx.execute(select(INBOX.c.id).where(INBOX.c.done_at.is_(None)).limit(1))).first() is None


HELD: Final = timedelta(seconds=1.2)
"""How long a reply to a part of a paste waits for the next part."""


@dataclass(frozen=True)
class Call:
    """A call to be sent; the columns of `Outbox` that the sender needs."""

    id: int
    lane: str
    chat_id: int | None
    customer_id: int | None
    topic_of: int | None
    method: str
    payload: dict[str, Any]
    target_id: int | None
    attempts: int


async def add_call(
    tx: AsyncConnection,
    *,
    method: str,
    payload: dict[str, Any],
    now: datetime,
    lane: str,
    chat_id: int | None = None,
    customer_id: int | None = None,
    topic_of: int | None = None,
    target_id: int | None = None,
    priority: int = 0,
    purge: bool = False,
    held_until: datetime | None = None,
) -> int:
    """Write a call to be sent after the commit, or not before `held_until`, and return its id."""
    result = await tx.execute(
        insert(OUTBOX)
        .values(
            lane=lane,
            priority=priority,
            chat_id=chat_id,
            customer_id=customer_id,
            topic_of=topic_of,
            method=method,
            payload=payload,
            target_id=target_id,
            purge=purge,
            created_at=now,
            not_before=held_until or now,
            attempts=0,
        )
        .returning(OUTBOX.c.id)
    )
    return int(result.scalar_one())


async def claim_calls(tx: AsyncConnection, now: datetime, limit: int, wall: datetime) -> list[Call]:
    """Lease the first open call of each free lane, replies before reminders; a dead sender's calls become free again.

    `now` says what is to be sent by now, `wall` is the machine's own time, by which leases run out.
    """
    earlier = OUTBOX.alias()
    first_of_lane = (
        ~select(earlier.c.id)
        .where(earlier.c.lane == OUTBOX.c.lane, earlier.c.done_at.is_(None), earlier.c.id < OUTBOX.c.id)
        .exists()
    )
    free = (OUTBOX.c.leased_until.is_(None)) | (OUTBOX.c.leased_until <= wall)
    rows = await tx.execute(
        select(OUTBOX)
        .where(OUTBOX.c.done_at.is_(None), OUTBOX.c.not_before <= now, free, first_of_lane)
        .order_by(OUTBOX.c.priority, OUTBOX.c.id)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    calls = [
        Call(
            row.id,
            row.lane,
            row.chat_id,
            row.customer_id,
            row.topic_of,
            row.method,
            row.payload,
            row.target_id,
            row.attempts,
        )
        for row in rows
    ]
    if calls:
        ids = [call.id for call in calls]
        await tx.execute(
            update(OUTBOX).where(OUTBOX.c.id.in_(ids)).values(leased_until=wall + LEASE, attempts=OUTBOX.c.attempts + 1)
        )
    return calls


async def renew_leases(tx: AsyncConnection, call_ids: Collection[int], wall: datetime) -> None:
    """Keep calls that are still being sent."""
    await tx.execute(
        update(OUTBOX)
        .where(OUTBOX.c.id.in_(call_ids), OUTBOX.c.leased_until.is_not(None))
        .values(leased_until=wall + LEASE)
    )


async def finish_call(
    tx: AsyncConnection, call_id: int, now: datetime, *, message_id: int | None = None, error: str | None = None
) -> None:
    """Mark a call as done, sent or given up; a row that must leave nothing behind is deleted."""
    await tx.execute(delete(OUTBOX).where(OUTBOX.c.id == call_id, OUTBOX.c.purge.is_(True)))
    await tx.execute(
        update(OUTBOX)
        .where(OUTBOX.c.id == call_id)
        .values(done_at=now, message_id=message_id, error=error, leased_until=None)
    )


async def delay_call(tx: AsyncConnection, call_id: int, until: datetime, error: str) -> None:
    """Let a call, and with it its lane, wait until a moment."""
    await tx.execute(
        update(OUTBOX).where(OUTBOX.c.id == call_id).values(not_before=until, leased_until=None, error=error)
    )


async def change_call(
    tx: AsyncConnection, call_id: int, *, method: str, payload: dict[str, Any], now: datetime
) -> None:
    """Let a call be tried again at once in another form."""
    await tx.execute(
        update(OUTBOX)
        .where(OUTBOX.c.id == call_id)
        .values(method=method, payload=payload, target_id=None, not_before=now, leased_until=None)
    )


async def move_lane(tx: AsyncConnection, old_chat: int, new_chat: int) -> None:
    """Send what waits for a group that became a supergroup to its new id, in the old order."""
    await tx.execute(
        update(OUTBOX)
        .where(OUTBOX.c.chat_id == old_chat, OUTBOX.c.done_at.is_(None))
        .values(chat_id=new_chat, lane=str(new_chat))
    )


async def message_of(tx: AsyncConnection, call_id: int) -> int | None:
    """Return the id of the message that an earlier call made; None when it made none."""
    return (await tx.execute(select(OUTBOX.c.message_id).where(OUTBOX.c.id == call_id))).scalar_one_or_none()


async def drop_calls(tx: AsyncConnection, lane: str, now: datetime) -> None:
    """Give up all open calls of a lane, for a person who has blocked the bot."""
    await tx.execute(
        update(OUTBOX).where(OUTBOX.c.lane == lane, OUTBOX.c.done_at.is_(None)).values(done_at=now, error="blocked")
    )


async def drop_held(tx: AsyncConnection, lane: str, now: datetime) -> set[int]:
    """Take back the calls of a lane that are still held, and return their ids; what is being sent stays."""
    held = (OUTBOX.c.lane == lane, OUTBOX.c.done_at.is_(None), OUTBOX.c.attempts == 0, OUTBOX.c.not_before > now)
    rows = await tx.execute(select(OUTBOX.c.id).where(*held).with_for_update())
    ids = {row.id for row in rows}
    await tx.execute(delete(OUTBOX).where(OUTBOX.c.id.in_(ids)))
    return ids


async def free_leases(tx: AsyncConnection) -> None:
    """Free all leases; right only where no other copy can be sending, as on SQLite at start."""
    await tx.execute(update(OUTBOX).where(OUTBOX.c.leased_until.is_not(None)).values(leased_until=None))


async def outbox_is_empty(tx: AsyncConnection, now: datetime) -> bool:
    """Whether nothing is to be sent by now, and no reply is held for a moment."""
    held = (OUTBOX.c.attempts == 0) & (OUTBOX.c.not_before <= now + HELD)
    waiting = select(OUTBOX.c.id).where(OUTBOX.c.done_at.is_(None), (OUTBOX.c.not_before <= now) | held).limit(1)
    return (await tx.execute(waiting)).first() is None
