"""Work in shared transactions: what is asked for while others are at work is done together, in one transaction for several."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Generic, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.storage.outage import is_outage

T = TypeVar("T")
R = TypeVar("R")

AT_ONCE: Final = 2
"""Transactions at the same time: while one waits for the database, the other has the processor."""

MOST: Final = 8
"""The most pieces of work in one transaction: how many begin again when one of them fails."""


class Together(Generic[T, R]):
    """Does pieces of work, each in whole or not at all: `work` takes some with a transaction and returns what came of each.

    A piece that comes alone is done at once and alone. One that fails does no harm to those that shared its transaction: they
    are done again, each in its own, so `work` must touch nothing but the database.
    """

    def __init__(
        self, engine: AsyncEngine, work: Callable[[AsyncConnection, Sequence[T]], Awaitable[Sequence[R]]]
    ) -> None:
        self._engine, self._work = engine, work
        self._waiting: deque[tuple[T, asyncio.Future[R]]] = deque()
        self._workers: set[asyncio.Task[None]] = set()

    async def do(self, piece: T) -> R:
        """Return what came of a piece of work once that is committed; raises what it, or the database, raises."""
        done: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        self._waiting.append((piece, done))
        if len(self._workers) < AT_ONCE:
            worker = asyncio.create_task(self._run(), name="together")
            self._workers.add(worker)
            worker.add_done_callback(self._workers.discard)
        return await done

    async def _run(self) -> None:
        while self._waiting:
            share = [self._waiting.popleft() for _ in range(min(MOST, len(self._waiting)))]
            try:
                await self._share(share)
            finally:
                for _, done in share:
                    done.cancel()

    async def _share(self, share: Sequence[tuple[T, asyncio.Future[R]]]) -> None:
        try:
            async with self._engine.begin() as tx:
                results = await self._work(tx, [piece for piece, _ in share])
        except Exception as error:  # noqa: BLE001 - whoever waits decides
            if len(share) > 1 and not is_outage(error):
                for one in share:
                    await self._share([one])
                return
            for _, done in share:
                if not done.done():
                    done.set_exception(error)
            return
        for (_, done), result in zip(share, results, strict=True):
            if not done.done():
                done.set_result(result)
