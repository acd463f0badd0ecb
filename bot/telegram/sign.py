"""The sign over a chat that a picture is on its way; it is no message: never stored, repeated, or waited for."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from telegram.error import TelegramError

from bot.telegram.request import AiohttpRequest

SHOWN_S: Final = 5.0
"""Seconds for which Telegram shows the sign; asking more often would only use up the chat's share of calls."""
_FORGET_ABOVE: Final = 1000


class Sign:
    """Shows the sign in a chat, at most once in `SHOWN_S`; `url` is the method's address. Holds when it was shown last."""

    def __init__(self, request: AiohttpRequest, url: str) -> None:
        self._request, self._url = request, url
        self._shown: dict[int, float] = {}

    @asynccontextmanager
    async def during(self, chat_id: int) -> AsyncIterator[None]:
        """Show it beside slow work; what is not out when the work is done is dropped, and refusals count for nothing."""
        task = asyncio.create_task(self._show(chat_id)) if self._is_due(chat_id) else None
        try:
            yield
        finally:
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    async def _show(self, chat_id: int) -> None:
        with suppress(TelegramError):
            await self._request.call(self._url, {"chat_id": chat_id, "action": "upload_photo"})

    def _is_due(self, chat_id: int) -> bool:
        now = time.monotonic()
        if now - self._shown.get(chat_id, -SHOWN_S) < SHOWN_S:
            return False
        if len(self._shown) > _FORGET_ABOVE:
            self._shown = {chat: at for chat, at in self._shown.items() if now - at < SHOWN_S}
        self._shown[chat_id] = now
        return True
