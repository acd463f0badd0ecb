"""Updates in: stored before Telegram is told that they arrived, then handled one by one per chat, chats in parallel."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

import structlog
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine
from telegram import Bot, Update

from bot.storage import queues
from bot.telegram.faults import back_off_s

log = structlog.get_logger(__name__)

MOST_AT_ONCE: Final = 16
"""Updates handled at the same time in one process."""

LOOK_AGAIN_S: Final = 0.5
"""How long to wait for news before the table is read again: other copies' updates and retries wake nobody here."""


class Inbox(asyncio.Queue[object]):
    """The library's update queue with a table behind it.

    `put` returns when the update is stored, and only then does the library confirm it to Telegram. `get` gives the oldest open
    update of a chat that is not being handled here. Its row stays open until its transaction has committed; what is in
    memory only spares useless looks at the table.
    """

    def __init__(self, engine: AsyncEngine, now: Callable[[], datetime]) -> None:
        super().__init__()
        self._engine, self._now = engine, now
        self._news = asyncio.Event()
        self._in_hand: dict[int, int] = {}
        self._bot: Bot | None = None
        self._closing = False

    def use(self, bot: Bot) -> None:
        """Set the bot that updates read from the table belong to."""
        self._bot = bot

    async def put(self, item: object) -> None:
        """Store an update, however often that takes; the library's stop signal passes through."""
        if not isinstance(item, Update):
            self._closing = True
            await super().put(item)
            self._news.set()
            return
        attempts = 0
        while True:
            try:
                await self._store(item)
            except (SQLAlchemyError, OSError) as error:
                attempts += 1
                wait = min(back_off_s(attempts), 10.0)
                log.warning("update_not_stored", update_id=item.update_id, error=type(error).__name__, wait_s=wait)
                await asyncio.sleep(wait)
            else:
                self._news.set()
                return

    async def get(self) -> object:
        """Return the next update to handle, or the stop signal; waits for either."""
        while True:
            if self._closing and not self.empty():
                return await super().get()
            self._news.clear()
            found = None if self._closing or len(self._in_hand) >= MOST_AT_ONCE else await self._next()
            if found is not None:
                return found
            try:
                await asyncio.wait_for(self._news.wait(), LOOK_AGAIN_S)
            except TimeoutError:
                continue

    def row_of(self, update: Update) -> int | None:
        """Return the table row behind an update that `get` gave out."""
        return self._in_hand.get(update.update_id)

    def release(self, update: Update) -> None:
        """Note that an update is no longer being handled here, whatever became of it."""
        self._in_hand.pop(update.update_id, None)
        self._news.set()

    def task_done(self) -> None:
        """Count only what went through the library's own queue."""
        if self._unfinished_tasks > 0:  # type: ignore[attr-defined]  # the counter that the library's join() waits on
            super().task_done()

    async def idle(self) -> bool:
        """Whether nothing is being handled and nothing is open."""
        if self._in_hand:
            return False
        async with self._engine.connect() as tx:
            return await queues.inbox_is_empty(tx)

    async def _store(self, update: Update) -> None:
        chat, user = update.effective_chat, update.effective_user
        chat_id = chat.id if chat else user.id if user else 0
        payload: dict[str, Any] = update.to_dict()
        async with self._engine.begin() as tx:
            await queues.store_update(tx, update_id=update.update_id, chat_id=chat_id, payload=payload, now=self._now())

    async def _next(self) -> Update | None:
        try:
            async with self._engine.connect() as tx:
                rows = await queues.open_updates(tx, self._now(), MOST_AT_ONCE * 2)
        except (SQLAlchemyError, OSError) as error:
            log.warning("inbox_unreadable", error=type(error).__name__)
            return None
        held = set(self._in_hand.values())
        for row_id, payload in rows:
            if row_id not in held:
                update = Update.de_json(payload, self._bot)
                self._in_hand[update.update_id] = row_id
                return update
        return None
