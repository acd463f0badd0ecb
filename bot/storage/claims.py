"""The sending side of the outbox: one copy leases the first call of each free lane, within Telegram's limits, and settles it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import bindparam, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import pace
from bot.storage.pace import COUNTED, OVERALL, Limit
from bot.storage.queues import delay_call
from bot.storage.tables import OUTBOX

LEASE: Final = timedelta(seconds=10)
"""How long a call that is being sent belongs to its sender, who renews it while sending; a dead sender's calls are free after that."""

AHEAD: Final = timedelta(seconds=0.15)
"""How far into the future moments for sending are given out: far enough for few claims, too near to make a reply wait."""


@dataclass(frozen=True)
class Call:
    """A call to be sent; the columns of `Outbox` that the sender needs, and `start_at`, before which the limits forbid it."""

    id: int
    lane: str
    chat_id: int | None
    customer_id: int | None
    topic_of: int | None
    method: str
    payload: dict[str, Any]
    target_id: int | None
    attempts: int
    purge: bool
    created_at: datetime
    start_at: datetime


@dataclass(frozen=True)
class Outcome:
    """What became of a call: the message that it made, or why it was given up."""

    call_id: int
    message_id: int | None = None
    error: str | None = None
    purge: bool = False


async def claim_calls(
    tx: AsyncConnection, now: datetime, most: int, wall: datetime, limit: Limit | None = None
) -> list[Call]:
    """Lease the first open call of each free lane, replies before reminders; a dead sender's calls become free again.

    `now` says what is to be sent by now, `wall` is the machine's own time, by which leases run out and limits count. With a
    `limit` of the whole bot, only as many messages are leased as may go in a moment, each with its own `start_at`.
    """
    free = await pace.lock(tx, [OVERALL], wall) if limit else {}
    full = bool(free) and free[OVERALL] > wall + AHEAD
    rows = await tx.execute(_NEXT_UNCOUNTED if full else _NEXT, {"now": now, "wall": wall, "most": most})
    calls = [_call(row, wall) for row in rows]
    if limit and calls:
        calls = await _paced(tx, calls, now, wall, limit)
    if calls:
        await tx.execute(_LEASE, {"ids": [call.id for call in calls], "until": wall + LEASE})
    return calls


async def _paced(tx: AsyncConnection, calls: list[Call], now: datetime, wall: datetime, limit: Limit) -> list[Call]:
    """Give each message its moment; one whose chat must wait is put off, one that the whole bot has no room for is left."""
    free = await pace.lock(tx, [OVERALL, *(call.lane for call in calls if call.method in COUNTED)], wall)
    used, taken = {}, []
    for call in calls:
        if call.method not in COUNTED:
            taken.append(call)
            continue
        start = limit.start(free[OVERALL], wall)
        own = pace.limit_of(call.lane)
        allowed = own.start(free[call.lane], wall)
        if allowed > start:
            await delay_call(tx, call.id, now + (allowed - wall), None)
        elif start <= wall + AHEAD:
            taken.append(replace(call, start_at=start))
            free[OVERALL] = used[OVERALL] = limit.after(free[OVERALL], start)
            free[call.lane] = used[call.lane] = own.after(free[call.lane], start)
    await pace.save(tx, used)
    return taken


async def renew_leases(tx: AsyncConnection, call_ids: Collection[int], wall: datetime) -> None:
    """Keep calls that are still being sent."""
    await tx.execute(
        update(OUTBOX)
        .where(OUTBOX.c.id.in_(call_ids), OUTBOX.c.leased_until.is_not(None))
        .values(leased_until=wall + LEASE)
    )


async def finish_calls(tx: AsyncConnection, outcomes: Sequence[Outcome], now: datetime) -> None:
    """Mark calls as done, sent or given up; a row that must leave nothing behind is deleted."""
    done = [
        {"row": each.call_id, "now": now, "message": each.message_id, "why": each.error}
        for each in outcomes
        if not each.purge
    ]
    if done:
        await tx.execute(_FINISH, done)
    gone = [each.call_id for each in outcomes if each.purge]
    if gone:
        await tx.execute(delete(OUTBOX).where(OUTBOX.c.id.in_(gone)))


async def targets_of(tx: AsyncConnection, calls: Sequence[Call]) -> dict[int, int | None]:
    """Return the messages that calls mean to change, by the rows that made them; None for one that made none."""
    wanted = [call.target_id for call in calls if call.target_id is not None]
    if not wanted:
        return {}
    rows = await tx.execute(select(OUTBOX.c.id, OUTBOX.c.message_id).where(OUTBOX.c.id.in_(wanted)))
    return {row.id: row.message_id for row in rows}


async def release_calls(tx: AsyncConnection, call_ids: Collection[int]) -> None:
    """Give calls back that were leased and not begun."""
    await tx.execute(update(OUTBOX).where(OUTBOX.c.id.in_(call_ids)).values(leased_until=None))


async def free_leases(tx: AsyncConnection) -> None:
    """Free all leases; right only where no other copy can be sending, as on SQLite at start."""
    await tx.execute(update(OUTBOX).where(OUTBOX.c.leased_until.is_not(None)).values(leased_until=None))


def _call(row: Any, wall: datetime) -> Call:
    return Call(
        row.id,
        row.lane,
        row.chat_id,
        row.customer_id,
        row.topic_of,
        row.method,
        row.payload,
        row.target_id,
        row.attempts,
        row.purge,
        row.created_at,
        wall,
    )


_EARLIER = OUTBOX.alias()
# A scalar subquery, not EXISTS: it is one look into the index for a row, whatever the planner believes of the table.
_FIRST = (
    select(func.min(_EARLIER.c.id))
    .where(_EARLIER.c.lane == OUTBOX.c.lane, _EARLIER.c.done_at.is_(None))
    .scalar_subquery()
)
_NEXT: Final = (
    select(OUTBOX)
    .where(
        OUTBOX.c.done_at.is_(None),
        OUTBOX.c.not_before <= bindparam("now"),
        OUTBOX.c.leased_until.is_(None) | (OUTBOX.c.leased_until <= bindparam("wall")),
        OUTBOX.c.id == _FIRST,
    )
    .order_by(OUTBOX.c.priority, OUTBOX.c.id)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True, of=OUTBOX)
)
_NEXT_UNCOUNTED: Final = _NEXT.where(OUTBOX.c.method.not_in(COUNTED))
_LEASE: Final = (
    update(OUTBOX)
    .where(OUTBOX.c.id.in_(bindparam("ids", expanding=True)))
    .values(leased_until=bindparam("until"), attempts=OUTBOX.c.attempts + 1)
)
_FINISH: Final = (
    update(OUTBOX)
    .where(OUTBOX.c.id == bindparam("row"))
    .values(done_at=bindparam("now"), message_id=bindparam("message"), error=bindparam("why"), leased_until=None)
)
