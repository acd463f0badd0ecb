"""Updates in: stored before Telegram is told that they arrived, then handled one by one per chat, chats in parallel."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Final

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine
from telegram import Bot, Update

from bot.storage import inbox
from bot.storage.inbox import Arrival
from bot.storage.outage import is_outage
from bot.telegram import metrics
from bot.telegram.arrival import arrival
from bot.telegram.faults import back_off_s

log = structlog.get_logger(__name__)

MOST_AT_ONCE: Final = 16
"""Updates handled at the same time in one process."""

MOST_IN_MEMORY: Final = 2000
"""Stored updates that are also remembered here; what goes beyond is read from the table."""

LOOK_AGAIN_S: Final = 0.5
"""How often the table is read: other copies' updates, retries and what a dead copy left wake nobody here."""

LONGEST_PAUSE_S: Final = 10.0
"""The longest pause between two tries to store what was polled."""

_Row = tuple[int, dict[str, Any], float]
"""A stored update: its row, what Telegram sent, and when it was noted here (monotonic seconds)."""


class Inbox(asyncio.Queue[object]):
    """The library's update queue with a table behind it.

    `put` returns when the update is stored, and only then is it confirmed to Telegram. `get` gives the oldest open update of a
    chat that is not being handled here. Its row stays open until its transaction has committed; what is in memory only spares
    looks at the table.
    """

    def __init__(self, engine: AsyncEngine, now: Callable[[], datetime]) -> None:
        super().__init__()
        self._engine, self._now = engine, now
        self._news = asyncio.Event()
        self._waiting: dict[int, deque[_Row]] = {}
        self._ready: deque[int] = deque()
        self._in_hand: dict[int, tuple[int, int]] = {}
        self._unsaved: list[tuple[Sequence[Arrival], asyncio.Future[None]]] = []
        self._writer: asyncio.Task[None] | None = None
        self._next_look = 0.0
        self._bot: Bot | None = None
        self._closing = False

    def use(self, bot: Bot) -> None:
        """Set the bot that updates read from the table belong to."""
        self._bot = bot

    async def put(self, item: object) -> None:
        """Store an update, however often that takes; the library's stop signal passes through."""
        if isinstance(item, Update):
            await self.store_surely([arrival(item.to_dict())])
            return
        self._closing = True
        await super().put(item)
        self._news.set()

    async def store(self, arrivals: Sequence[Arrival]) -> None:
        """Store updates; those that come while others are being written share one transaction. Raises what the database raises."""
        done = asyncio.get_running_loop().create_future()
        self._unsaved.append((arrivals, done))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write(), name="inbox writer")
        await done

    async def store_surely(self, arrivals: Sequence[Arrival]) -> None:
        """Store updates, with growing pauses while the database fails."""
        attempts = 0
        while True:
            try:
                await self.store(arrivals)
            except Exception as error:  # noqa: BLE001 - told apart in the next line
                if not is_outage(error):
                    await self._store_apart(arrivals, error)
                    return
                attempts += 1
                wait = min(back_off_s(attempts), LONGEST_PAUSE_S)
                metrics.ERRORS.labels("update_not_stored").inc()
                log.warning("updates_not_stored", updates=len(arrivals), error=type(error).__name__, wait_s=wait)
                await asyncio.sleep(wait)
            else:
                return

    async def get(self) -> object:
        """Return the next update to handle, or the stop signal; waits for either."""
        while True:
            if self._closing and not self.empty():
                return await super().get()
            self._news.clear()
            if not self._closing and len(self._in_hand) < MOST_AT_ONCE:
                if not self._ready and time.monotonic() >= self._next_look:
                    await self._look()
                if self._ready and (found := await self._next()) is not None:
                    return found
                if self._ready:
                    continue
            try:
                await asyncio.wait_for(self._news.wait(), LOOK_AGAIN_S)
            except TimeoutError:
                continue

    def row_of(self, update: Update) -> int | None:
        """Return the table row behind an update that `get` gave out."""
        found = self._in_hand.get(update.update_id)
        return found[0] if found else None

    def release(self, update: Update) -> None:
        """Note that an update is no longer being handled here, whatever became of it."""
        _row, chat_id = self._in_hand.pop(update.update_id)
        if chat_id in self._waiting:
            self._ready.append(chat_id)
        self._news.set()

    def task_done(self) -> None:
        """Count only what went through the library's own queue."""
        if self._unfinished_tasks > 0:  # type: ignore[attr-defined]  # the counter that the library's join() waits on
            super().task_done()

    async def idle(self) -> bool:
        """Whether nothing is being handled and nothing is open."""
        if self._in_hand or self._unsaved:
            return False
        async with self._engine.connect() as tx:
            return await inbox.inbox_is_empty(tx)

    async def _store_apart(self, arrivals: Sequence[Arrival], error: Exception) -> None:
        """Store one by one what the database refused together; an update that it refuses alone can only be told of."""
        if len(arrivals) > 1:
            for each in arrivals:
                await self.store_surely([each])
            return
        metrics.ERRORS.labels("update_refused").inc()
        log.error("update_refused", update_id=arrivals[0].update_id, error=type(error).__name__)

    async def _write(self) -> None:
        while self._unsaved:
            batch, self._unsaved = self._unsaved, []
            arrivals = [each for group, _ in batch for each in group]
            try:
                async with self._engine.begin() as tx:
                    rows = await inbox.store_updates(tx, arrivals, self._now())
            except Exception as error:  # noqa: BLE001 - whoever waits for these updates decides
                _settle(batch, error)
                continue
            metrics.UPDATES.inc(len(rows))
            for each in arrivals:
                if each.update_id in rows:
                    self._remember(rows.pop(each.update_id), each)
            _settle(batch, None)
            self._news.set()

    def _remember(self, row_id: int, update: Arrival) -> None:
        """Let a stored update be handled without a look at the table; its chat is ready unless one of it is being handled."""
        waiting = self._waiting.get(update.chat_id)
        if waiting is not None:
            waiting.append((row_id, update.payload, time.monotonic()))
        elif len(self._waiting) < MOST_IN_MEMORY:
            self._waiting[update.chat_id] = deque([(row_id, update.payload, time.monotonic())])
            if all(chat_id != update.chat_id for _, chat_id in self._in_hand.values()):
                self._ready.append(update.chat_id)

    async def _look(self) -> None:
        """Read what is open in the table and is not known here."""
        self._next_look = time.monotonic() + LOOK_AGAIN_S
        try:
            async with self._engine.connect() as tx:
                rows = await inbox.open_updates(tx, self._now(), MOST_AT_ONCE * 4)
        except Exception as error:
            # Whatever it is: what waits for the next update must not die of it, or the bot is deaf.
            if not is_outage(error):
                log.exception("inbox_broken")
            metrics.ERRORS.labels("inbox_unreadable").inc()
            log.warning("inbox_unreadable", error=type(error).__name__)
            return
        known = {chat_id for _, chat_id in self._in_hand.values()} | self._waiting.keys()
        for row_id, update in rows:
            if update.chat_id not in known:
                self._remember(row_id, update)

    async def _next(self) -> Update | None:
        """Take the next update of the chat whose turn it is; None for one that nobody can read, which is set aside."""
        chat_id = self._ready.popleft()
        row_id, payload, since = self._waiting[chat_id].popleft()
        metrics.STAGE_S.labels("wait").observe(time.monotonic() - since)
        if not self._waiting[chat_id]:
            del self._waiting[chat_id]
        try:
            update = Update.de_json(payload, self._bot)
        except Exception as error:
            log.exception("update_unreadable", row=row_id)
            if chat_id in self._waiting:
                self._ready.append(chat_id)
            await self._set_aside(row_id, f"unreadable: {type(error).__name__}")
            return None
        self._in_hand[update.update_id] = (row_id, chat_id)
        return update

    async def _set_aside(self, row_id: int, error: str) -> None:
        metrics.ERRORS.labels("update_unreadable").inc()
        try:
            async with self._engine.begin() as tx:
                await inbox.set_aside(tx, row_id, error, self._now())
        except Exception as failure:
            if not is_outage(failure):
                log.exception("inbox_broken")
            log.warning("failure_not_stored", row=row_id, error=type(failure).__name__)


def _settle(batch: Sequence[tuple[Sequence[Arrival], asyncio.Future[None]]], error: Exception | None) -> None:
    """Tell those who wait whether their updates are stored; one that has gone away meanwhile is told nothing."""
    for _arrivals, done in batch:
        if done.done():
            continue
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)
