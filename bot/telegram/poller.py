"""Updates by polling: of several copies the one that holds the lease asks Telegram, and stores before it confirms."""

import asyncio
import secrets
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine
from telegram import Bot
from telegram.error import TelegramError

from bot.storage import leases
from bot.storage.outage import is_outage
from bot.telegram import metrics
from bot.telegram.arrival import arrival
from bot.telegram.faults import Remedy, back_off_s, judge
from bot.telegram.inbox import Inbox
from bot.telegram.request import AiohttpRequest

log = structlog.get_logger(__name__)

POLL_S: Final = 10
"""How long Telegram may keep a poll open when there is nothing to say."""

MOST_AT_ONCE: Final = 100
LONGEST_PAUSE_S: Final = 10.0
RENEW_S: Final = leases.TERM.total_seconds() / 4
NAME: Final = "poller"


class Poller:
    """Polls while this copy holds the lease; another copy takes over when it does not renew it."""

    def __init__(
        self, engine: AsyncEngine, bot: Bot, request: AiohttpRequest, inbox: Inbox, wall: Callable[[], datetime]
    ) -> None:
        self._engine, self._bot, self._request, self._inbox, self._wall = engine, bot, request, inbox, wall
        self._holder = secrets.token_hex(8)
        self._polling: asyncio.Task[None] | None = None
        self._electing: asyncio.Task[None] | None = None
        self._allowed: list[str] = []
        self._heard_at = time.monotonic()

    def start(self, allowed_updates: list[str]) -> None:
        """Begin to poll, or to wait for the lease."""
        self._allowed = allowed_updates
        self._electing = asyncio.create_task(self._elect(), name="poller lease")

    async def stop(self) -> None:
        """Stop polling and let another copy take over; what was fetched and not stored comes again."""
        tasks = [task for task in (self._electing, self._polling) if task is not None]
        if not tasks:
            return
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        try:
            async with self._engine.begin() as tx:
                await leases.give_back(tx, NAME, self._holder)
        except Exception as error:
            if not is_outage(error):
                raise
            log.warning("lease_not_given_back", error=type(error).__name__)

    def silent_s(self) -> float:
        """For how long Telegram has not answered a poll; 0 while another copy polls."""
        return time.monotonic() - self._heard_at if self._polling is not None else 0.0

    async def _elect(self) -> None:
        """Take or renew the lease; poll while it is ours, and never a moment longer than it lasts."""
        held_until = 0.0
        while True:
            begun = time.monotonic()
            try:
                async with self._engine.begin() as tx:
                    ours = await leases.take(tx, NAME, self._holder, self._wall())
            except Exception as error:
                if not is_outage(error):
                    log.exception("lease_broken")
                log.warning("lease_not_renewed", error=type(error).__name__)
                ours = begun < held_until
            else:
                held_until = begun + leases.TERM.total_seconds() if ours else 0.0
            await self._follow(ours=ours)
            await asyncio.sleep(RENEW_S if ours else 1.0)

    async def _follow(self, *, ours: bool) -> None:
        metrics.POLLING.set(ours)
        if ours and self._polling is None:
            self._heard_at = time.monotonic()
            self._polling = asyncio.create_task(self._poll(), name="poller")
        elif not ours and self._polling is not None:
            self._polling.cancel()
            await asyncio.gather(self._polling, return_exceptions=True)
            self._polling = None

    async def _poll(self) -> None:
        offset, failures, cleared = 0, 0, False
        while True:
            try:
                if not cleared:
                    cleared = await self._bot.delete_webhook()
                updates = await self._fetch(offset)
            except TelegramError as error:
                failures += 1
                verdict = judge(error, failures)
                flood = verdict.wait_s if verdict.remedy is Remedy.WAIT and verdict.is_flood else 0.0
                wait = flood or min(back_off_s(failures), LONGEST_PAUSE_S)
                metrics.ERRORS.labels("poll_failed").inc()
                log.warning("poll_failed", error=str(error), wait_s=wait)
                await asyncio.sleep(wait)
                continue
            failures, self._heard_at = 0, time.monotonic()
            if updates:
                offset = await self._store(updates) or offset

    async def _store(self, updates: list[dict[str, Any]]) -> int:
        """Store what was fetched; returns from which number on to ask next, 0 when it must come again."""
        try:
            await self._inbox.store_surely([arrival(update) for update in updates])
            return int(updates[-1]["update_id"]) + 1
        except Exception:
            # Nothing may end the polling: what was not stored is not confirmed, and comes again.
            metrics.ERRORS.labels("poll_broken").inc()
            log.exception("poll_broken")
            await asyncio.sleep(LONGEST_PAUSE_S)
            return 0

    async def _fetch(self, offset: int) -> list[dict[str, Any]]:
        payload = {"timeout": POLL_S, "limit": MOST_AT_ONCE, "allowed_updates": self._allowed}
        if offset:
            payload["offset"] = offset
        updates: list[dict[str, Any]] = await self._request.call(
            f"{self._bot.base_url}/getUpdates", payload, timeout_s=POLL_S + 5
        )
        return updates
