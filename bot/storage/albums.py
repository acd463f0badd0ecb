"""Passes an album on to a customer's topic in one call, so that it arrives as one album."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import queues
from bot.storage.tables import OUTBOX

METHOD = "copy_messages"


async def relay(
    tx: AsyncConnection,
    customer_id: int,
    message_id: int,
    *,
    lane: str,
    goes_on: bool,
    now: datetime,
    priority: int,
) -> None:
    """Write the call that copies one message of an album, together with those of the album before it that still wait.

    Telegram sends an album as single messages; the call waits for more of them, as a reply does for a paste.
    """
    before = await _waiting(tx, customer_id) if goes_on else None
    ids = [*before[1], message_id] if before and await queues.take_back(tx, before[0]) else [message_id]
    await queues.add_call(
        tx,
        method=METHOD,
        payload={"from_chat_id": customer_id, "message_ids": sorted(ids)},
        now=now,
        lane=lane,
        customer_id=customer_id,
        topic_of=customer_id,
        priority=priority,
        held_until=now + queues.HELD,
    )


async def _waiting(tx: AsyncConnection, customer_id: int) -> tuple[int, list[int]] | None:
    """The newest call of the kind that is not sent yet, with its messages."""
    mine = (OUTBOX.c.topic_of == customer_id, OUTBOX.c.method == METHOD, OUTBOX.c.done_at.is_(None))
    row = (
        await tx.execute(select(OUTBOX.c.id, OUTBOX.c.payload).where(*mine).order_by(OUTBOX.c.id.desc()).limit(1))
    ).first()
    return (int(row[0]), list(row[1]["message_ids"])) if row else None
