"""Whether this copy can work, and the metrics that are read from tables."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

import structlog
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.storage import queues, reminders
from bot.storage.outage import is_outage
from bot.telegram import metrics
from bot.telegram.poller import Poller

log = structlog.get_logger(__name__)

SILENCE_S: Final = 30.0
"""When Telegram has not answered a poll for so long, this copy is not ready; a poll ends after ten seconds by itself."""

LATE: Final = timedelta(minutes=1)


class Health:
    """Answers the questions of load balancers and of Prometheus."""

    def __init__(self, engine: AsyncEngine, now: Callable[[], datetime], poller: Poller | None) -> None:
        self._engine, self._now, self._poller = engine, now, poller

    async def obstacle(self) -> str:
        """Return what keeps this copy from working, in a few words; empty when nothing does."""
        try:
            async with self._engine.connect() as tx:
                await tx.execute(text("SELECT 1"))
        except Exception as error:
            if not is_outage(error):
                raise
            return "the database cannot be reached"
        if self._poller and self._poller.silent_s() > SILENCE_S:
            return "Telegram does not answer"
        return ""

    async def refresh(self) -> None:
        """Count what is open and due; while the database fails, the last counts stay."""
        now = self._now()
        try:
            async with self._engine.connect() as tx:
                open_calls, oldest = await queues.depth(tx)
                due, late = await reminders.due_and_late(tx, now, now - LATE)
        except Exception as error:
            if not is_outage(error):
                raise
            metrics.ERRORS.labels("metrics_unread").inc()
            log.warning("metrics_unread", error=type(error).__name__)
            return
        metrics.OUTBOX_DEPTH.set(open_calls)
        metrics.OUTBOX_AGE_S.set(max(0.0, (now - oldest).total_seconds()) if oldest else 0.0)
        metrics.REMINDERS_DUE.set(due)
        metrics.REMINDERS_LATE.set(late)
