"""Calls out: what transactions have written is sent here, in order inside a chat, and nowhere else."""

import asyncio
from typing import Final

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.clock import Clock
from bot.storage import claims, pace, queues
from bot.storage.claims import Call, Outcome
from bot.storage.outage import is_outage
from bot.storage.pace import Limit
from bot.telegram import metrics
from bot.telegram.delivery import Delivery

log = structlog.get_logger(__name__)

MOST_AT_ONCE: Final = 32
"""Calls that one copy has open at the same time."""

LOOK_AGAIN_S: Final = 0.25
"""How often the table is read when nobody has written here: retries fall due, and other copies write."""

GATHER_S: Final = 0.002
"""How long outcomes and new calls are gathered while others are being sent, so that one transaction serves several."""

STOP_S: Final = 5.0
"""How long a stop waits for calls in flight."""


class Sender:
    """Sends the outbox: claims with a lease, lets each call be delivered, and writes down what became of it."""

    def __init__(self, engine: AsyncEngine, delivery: Delivery, clock: Clock, limit: Limit | None) -> None:
        self._engine, self._delivery, self._clock, self._limit = engine, delivery, clock, limit
        self._news = asyncio.Event()
        self._sending: dict[int, asyncio.Task[None]] = {}
        self._outcomes: list[Outcome] = []
        self._loops: list[asyncio.Task[None]] = []
        self._stopping = False

    def start(self) -> None:
        """Begin to send."""
        self._loops = [
            asyncio.create_task(self._run(), name="outbox"),
            asyncio.create_task(self._keep(), name="leases"),
        ]

    async def stop(self) -> None:
        """Finish what is being sent and send no more; what is only leased goes back at once, for another copy."""
        self._stopping = True
        if not self._loops:
            return
        for loop in self._loops:
            loop.cancel()
        await asyncio.gather(*self._loops, return_exceptions=True)
        if self._sending:
            await asyncio.wait(self._sending.values(), timeout=STOP_S)
        try:
            async with self._engine.begin() as tx:
                await claims.finish_calls(tx, self._outcomes, self._clock.now())
                await claims.release_calls(tx, self._sending.keys())
        except Exception as error:
            if not is_outage(error):
                raise
            log.warning("outcome_not_stored", calls=len(self._outcomes), error=type(error).__name__)

    def wake(self) -> None:
        """Look at the table now: a transaction has written calls."""
        self._news.set()

    async def idle(self) -> bool:
        """Whether nothing is being sent and nothing is to be sent by now."""
        if self._sending or self._outcomes:
            return False
        async with self._engine.connect() as tx:
            return await queues.outbox_is_empty(tx, self._clock.now())

    async def _run(self) -> None:
        while True:
            self._news.clear()
            more = await self._cycle()
            try:
                await asyncio.wait_for(self._news.wait(), 0 if more else LOOK_AGAIN_S)
            except TimeoutError:
                continue
            if self._sending:
                await asyncio.sleep(GATHER_S)

    async def _cycle(self) -> bool:
        """In one transaction write down what was sent and take what comes next; True when there may be more at once."""
        outcomes, self._outcomes = self._outcomes, []
        room = MOST_AT_ONCE - len(self._sending) + len(outcomes)
        try:
            async with self._engine.begin() as tx:
                await claims.finish_calls(tx, outcomes, self._clock.now())
                calls = await claims.claim_calls(tx, self._clock.now(), room, self._clock.wall(), self._limit)
                targets = await claims.targets_of(tx, calls)
        except Exception as error:
            self._outcomes = outcomes + self._outcomes
            if not is_outage(error):
                log.exception("outbox_broken")
            metrics.ERRORS.labels("outbox_unreadable").inc()
            log.warning("outbox_unreadable", error=type(error).__name__)
            await asyncio.sleep(LOOK_AGAIN_S)
            return False
        for outcome in outcomes:
            self._sending.pop(outcome.call_id, None)
        for call in calls:
            # After an outage longer than a lease, a call that is still being sent here looks free in the table.
            if call.id not in self._sending:
                target = targets.get(call.target_id) if call.target_id is not None else None
                self._sending[call.id] = asyncio.create_task(self._deliver(call, target))
        return bool(calls) and len(calls) == room

    async def _keep(self) -> None:
        """Renew the leases of what is being sent, several times before they would run out."""
        while True:
            await asyncio.sleep(claims.LEASE.total_seconds() / 4)
            try:
                async with self._engine.begin() as tx:
                    if self._sending:
                        await claims.renew_leases(tx, tuple(self._sending), self._clock.wall())
                    await pace.drop_idle(tx, self._clock.wall())
            except Exception as error:
                if not is_outage(error):
                    log.exception("leases_broken")
                log.warning("leases_not_renewed", error=type(error).__name__)

    async def _deliver(self, call: Call, target: int | None) -> None:
        """Have one call delivered; it stays ours until its outcome is stored."""
        wait = (call.start_at - self._clock.wall()).total_seconds()
        if wait > 0:
            await asyncio.sleep(wait)
        if self._stopping:
            return
        try:
            outcome = await self._delivery.deliver(call, target)
        except Exception as error:
            if not is_outage(error):
                log.exception("call_failed", method=call.method, call=call.id)
                outcome = Outcome(call.id, error=type(error).__name__, purge=call.purge)
            else:
                # What Telegram answered could not be written down: the row stays leased, and is sent again after that.
                metrics.ERRORS.labels("outcome_not_stored").inc()
                log.warning("outcome_not_stored", method=call.method, call=call.id, error=type(error).__name__)
                outcome = None
        if outcome is None:
            self._sending.pop(call.id, None)
        else:
            self._outcomes.append(outcome)
        self._news.set()
