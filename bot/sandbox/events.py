"""Tells the open pages what happened, by server-sent events."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from bot.sandbox.wire import Stream

_PING_S = 15


class Events:
    """The open pages; events are built only when somebody listens."""

    def __init__(self) -> None:
        self._writers: set[Callable[[bytes], None]] = set()

    def publish(self, build: Callable[[], dict[str, Any]]) -> None:
        """Send the event that `build` makes to every page."""
        if self._writers:
            data = f"data: {json.dumps(build(), ensure_ascii=False)}\n\n".encode()
            for write in tuple(self._writers):
                write(data)

    def stream(self) -> Stream:
        """Return the endless answer that a page reads."""
        return Stream(self._feed)

    async def _feed(self, write: Callable[[bytes], None]) -> None:
        self._writers.add(write)
        try:
            write(b"retry: 500\n\n")
            while True:
                await asyncio.sleep(_PING_S)
                write(b": ping\n\n")
        finally:
            self._writers.discard(write)
