"""Knows when nothing is going on: no update on its way, no call open, and the bot itself at rest."""

import asyncio
import time
from collections.abc import Awaitable, Callable

from bot.sandbox.bot_api import BotApi
from bot.sandbox.world import World

_LOOK_EVERY_S = 0.01


class Idle:
    """Watches one sandbox; `quiet` asks the bot in the same process, when there is one."""

    def __init__(self, world: World, bot_api: BotApi) -> None:
        self._world = world
        self._bot_api = bot_api
        self.quiet: Callable[[], Awaitable[bool]] | None = None
        self._last_activity = time.monotonic()

    def note(self) -> None:
        """Remember that something happened now."""
        self._last_activity = time.monotonic()

    async def wait(self, quiet_s: float, timeout_s: float) -> bool:
        """Wait until all has been at rest for `quiet_s`; False when that does not happen within `timeout_s`."""
        deadline = time.monotonic() + timeout_s
        while True:
            if await self._busy():
                self.note()
            now = time.monotonic()
            last = max(self._last_activity, self._bot_api.last_activity, self._world.updates.last_delivery)
            if now - last >= quiet_s:
                return True
            if now >= deadline:
                return False
            await asyncio.sleep(_LOOK_EVERY_S)

    async def _busy(self) -> bool:
        if self._world.updates.undelivered() or self._bot_api.open_calls > 0:
            return True
        return self.quiet is not None and not await self.quiet()
