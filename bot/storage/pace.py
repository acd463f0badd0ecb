"""Telegram's limits on sending, kept ahead of time and shared by all copies: a row for each lane says when it is free again.

A lane may send while it is at most a burst ahead of its rate; each message moves `free_at` on by the time that it costs
(the generic cell rate algorithm, ITU-T I.371). Example: one message a second with bursts of 3, nothing sent before, at
12:00:00: three go at once, which makes `free_at` 12:00:03, and the fourth may go at 12:00:01.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.tables import PACE
from bot.storage.upsert import insert_for

OVERALL: Final = "all"
"""The lane of the bot as a whole."""

COUNTED: Final = (
    "send_message",
    "send_photo",
    "send_document",
    "send_media_group",
    "copy_message",
    "copy_messages",
    "forward_message",
)
"""The methods that make a message, and so count against the limits."""


@dataclass(frozen=True)
class Limit:
    """One message every `every_s` seconds in the long run, `burst` at once."""

    every_s: float
    burst: int = 1

    def start(self, free_at: datetime, at: datetime) -> datetime:
        """The first moment from `at` on at which a lane that is free at `free_at` may send."""
        return max(at, free_at - timedelta(seconds=self.every_s * (self.burst - 1)))

    def after(self, free_at: datetime, start: datetime) -> datetime:
        """When the lane is free once a message was sent at `start`."""
        return max(free_at, start) + timedelta(seconds=self.every_s)


PRIVATE: Final = Limit(every_s=1.05, burst=3)
"""1 a second in a chat, of which short bursts pass; the rest is for clocks and networks that are not exact."""

GROUP: Final = Limit(every_s=4.0, burst=5)
"""20 a minute in a group: at most 5 at once and 15 in the minute after."""


def overall(messages_per_s: float) -> Limit:
    """The limit of the whole bot; 29/30 of what is permitted, evenly, so that no second ever holds one too many."""
    return Limit(every_s=30 / 29 / messages_per_s)


def limit_of(lane: str) -> Limit:
    """The limit of a chat; a group's id is negative."""
    return GROUP if lane.startswith("-") else PRIVATE


async def lock(tx: AsyncConnection, lanes: Iterable[str], wall: datetime) -> dict[str, datetime]:
    """Lock the rows of some lanes in the order of their names; returns when each is free (now, for one without a row)."""
    wanted = sorted(set(lanes))
    if OVERALL in wanted:
        row = insert_for(tx, PACE).values(lane=OVERALL, free_at=wall)
        await tx.execute(row.on_conflict_do_nothing(index_elements=["lane"]))
    found = await tx.execute(
        select(PACE.c.lane, PACE.c.free_at).where(PACE.c.lane.in_(wanted)).order_by(PACE.c.lane).with_for_update()
    )
    return dict.fromkeys(wanted, wall) | {row.lane: row.free_at for row in found}


async def save(tx: AsyncConnection, free: Mapping[str, datetime]) -> None:
    """Write back when lanes are free."""
    if not free:
        return
    row = insert_for(tx, PACE).values([{"lane": lane, "free_at": moment} for lane, moment in sorted(free.items())])
    await tx.execute(row.on_conflict_do_update(index_elements=["lane"], set_={"free_at": row.excluded.free_at}))


async def drop_idle(tx: AsyncConnection, wall: datetime) -> None:
    """Delete the rows of lanes that have long been free: no row says the same."""
    await tx.execute(delete(PACE).where(PACE.c.free_at < wall - timedelta(minutes=1), PACE.c.lane != OVERALL))
