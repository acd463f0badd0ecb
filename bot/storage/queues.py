"""Calls that wait to be sent, as they are written, changed and counted; `claims` is how they are sent."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final, Required, TypedDict, Unpack

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.tables import OUTBOX

HELD: Final = timedelta(seconds=1.2)
"""How long a reply to a part of a paste waits for the next part."""

LATELY: Final = 500
"""How many messages to a customer are looked through for the one that was changed."""


class NewCall(TypedDict, total=False):
    """A call to be written; the columns of `Outbox` that its writer decides. It is not sent before `held_until`."""

    method: Required[str]
    payload: Required[dict[str, Any]]
    lane: Required[str]
    chat_id: int | None
    customer_id: int | None
    topic_of: int | None
    target_id: int | None
    priority: int
    purge: bool
    held_until: datetime | None


async def add_call(tx: AsyncConnection, *, now: datetime, **call: Unpack[NewCall]) -> int:
    """Write a call to be sent after the commit and return its id."""
    return (await add_calls(tx, [call], now))[0]


async def add_calls(tx: AsyncConnection, calls: Sequence[NewCall], now: datetime) -> list[int]:
    """Write calls to be sent after the commit, one after the other inside a lane, and return their ids in the same order."""
    rows = [
        {
            "chat_id": None,
            "customer_id": None,
            "topic_of": None,
            "target_id": None,
            "priority": 0,
            "purge": False,
            **call,
            "created_at": now,
            "not_before": call.get("held_until") or now,
            "attempts": 0,
        }
        for call in calls
    ]
    for row in rows:
        row.pop("held_until", None)
    return list((await tx.execute(_ADD, rows)).scalars())


async def delay_call(tx: AsyncConnection, call_id: int, until: datetime, error: str | None) -> None:
    """Let a call, and with it its lane, wait until a moment."""
    await tx.execute(
        update(OUTBOX).where(OUTBOX.c.id == call_id).values(not_before=until, leased_until=None, error=error)
    )


async def change_call(
    tx: AsyncConnection, call_id: int, *, method: str, payload: dict[str, Any], target_id: int | None, now: datetime
) -> None:
    """Let a call be tried again at once in another form."""
    await tx.execute(
        update(OUTBOX)
        .where(OUTBOX.c.id == call_id)
        .values(method=method, payload=payload, target_id=target_id, not_before=now, leased_until=None)
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


async def copy_of(tx: AsyncConnection, customer_id: int, chat_id: int, message_id: int) -> int | None:
    """Return the id of the call that passed a message of another chat on to a customer; None when it was not passed on lately."""
    copies = (OUTBOX.c.customer_id == customer_id, OUTBOX.c.chat_id == customer_id, OUTBOX.c.method == "copy_message")
    rows = await tx.execute(
        select(OUTBOX.c.id, OUTBOX.c.payload).where(*copies).order_by(OUTBOX.c.id.desc()).limit(LATELY)
    )
    wanted = {"from_chat_id": chat_id, "message_id": message_id}
    return next((row.id for row in rows if row.payload == wanted), None)


async def drop_calls(tx: AsyncConnection, lane: str, now: datetime) -> None:
    """Give up all open calls of a lane, for a person who has blocked the bot."""
    theirs = (OUTBOX.c.lane == lane, OUTBOX.c.done_at.is_(None))
    await tx.execute(delete(OUTBOX).where(*theirs, OUTBOX.c.purge.is_(True)))
    await tx.execute(update(OUTBOX).where(*theirs).values(done_at=now, error="blocked"))


async def take_back(tx: AsyncConnection, call_id: int) -> bool:
    """Delete a call that nobody has begun to send; False when it is too late for that."""
    unsent = (OUTBOX.c.id == call_id, OUTBOX.c.done_at.is_(None), OUTBOX.c.attempts == 0)
    return bool((await tx.execute(delete(OUTBOX).where(*unsent))).rowcount)


async def outbox_is_empty(tx: AsyncConnection, now: datetime) -> bool:
    """Whether nothing is to be sent by now; what only Telegram's limits put off counts as open, what failed does not."""
    by_now = (OUTBOX.c.not_before <= now) | OUTBOX.c.error.is_(None)
    return (await tx.execute(select(OUTBOX.c.id).where(OUTBOX.c.done_at.is_(None), by_now).limit(1))).first() is None


async def depth(tx: AsyncConnection) -> tuple[int, datetime | None]:
    """Return how many calls are open, and since when the oldest is."""
    row = (
        await tx.execute(select(func.count(), func.min(OUTBOX.c.created_at)).where(OUTBOX.c.done_at.is_(None)))
    ).one()
    return int(row[0]), row[1]


_ADD: Final = insert(OUTBOX).returning(OUTBOX.c.id, sort_by_parameter_order=True)
