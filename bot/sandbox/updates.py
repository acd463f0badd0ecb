"""The queue of updates for the bot: what is kept, what is confirmed, and what a poller gets."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bot.sandbox.refusals import Refusal, conflict

Json = dict[str, Any]

POLLED_TWICE = "terminated by other getUpdates request; make sure that only one bot instance is running"
WEBHOOK_SET = "terminated by setWebhook request"
_TIME_TO_CONFIRM_S = 2.0
_LIFETIME_S = 24 * 3600
_CALLBACK_LIFETIME_S = 3600
_LONGEST_POLL_S = 50
_CONFLICT_PAUSE_S = 3
_UNLESS_ASKED_FOR = frozenset({"chat_member", "message_reaction", "message_reaction_count"})


@dataclass(slots=True)
class Entry:
    """An update on its way. `again` marks one that comes whatever was confirmed; `due` holds a late one back."""

    update: Json
    kind: str
    lane: str
    expires_at: float
    due: float = 0.0
    again: bool = False
    delivered: bool = False
    delivered_at: float = 0.0

    @property
    def id(self) -> int:
        """The update_id."""
        return int(self.update["update_id"])


class Updates:
    """The updates that the bot has not confirmed. Update ids go on rising over a reset and over a restart."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self.last_delivery = float("-inf")
        # The bot remembers the ids it has seen, so a server that starts again must not repeat them.
        self._next_id = int(time.time() * 16) % (1 << 30)
        self.on_push: Callable[[], None] = lambda: None
        self._waiting: asyncio.Future[None] | None = None
        self.clear()

    def clear(self) -> None:
        """Forget everything but the count; a poller that waits goes on waiting."""
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)
        self.entries: list[Entry] = []
        self.confirmed: list[Entry] = []
        self.allowed: frozenset[str] | None = None
        self.pending_faults: list[tuple[str, float]] = []
        self._last_conflict = float("-inf")

    def push(self, kind: str, payload: Json, lane: str) -> int | None:
        """Queue an update and return its id, or None when the bot does not want this kind."""
        wanted = kind in self.allowed if self.allowed is not None else kind not in _UNLESS_ASKED_FOR
        if not wanted:
            return None
        update_id = self._next_id
        self._next_id += 1
        lifetime = _CALLBACK_LIFETIME_S if kind == "callback_query" else _LIFETIME_S
        entry = Entry({"update_id": update_id, kind: payload}, kind, lane, self._now() + lifetime)
        self.entries.append(entry)
        if self.pending_faults:
            self._spoil(entry, *self.pending_faults.pop(0))
        self.wake()
        return update_id

    def redeliver(self) -> None:
        """Bring the last confirmed update once more."""
        if self.confirmed:
            last = self.confirmed[-1]
            self.entries.append(Entry(last.update, last.kind, last.lane, self._now() + _LIFETIME_S, again=True))
            self.wake()

    def confirm(self, entry: Entry) -> None:
        """Take an entry off the queue for good."""
        self.last_delivery = time.monotonic()
        self.entries = [other for other in self.entries if other is not entry]
        self.confirmed = [*self.confirmed[-9:], entry]

    def drop_all(self) -> None:
        """Confirm everything that waits."""
        for entry in list(self.entries):
            self.confirm(entry)

    def undelivered(self) -> bool:
        """Tell whether some update has not reached the bot yet.

        One that a poller has fetched is on its way until the poller confirms it, or has had ample time to.
        """
        since = time.monotonic() - _TIME_TO_CONFIRM_S
        return any(not entry.delivered or entry.delivered_at > since for entry in self.entries)

    def ready(self) -> list[Entry]:
        """Return the entries that may be delivered now, without the expired ones."""
        now, real = self._now(), time.monotonic()
        self.entries = [entry for entry in self.entries if entry.expires_at > now]
        return [entry for entry in self.entries if entry.due <= real]

    def wake(self) -> None:
        """Let the waiting poller, or the webhook, look again."""
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)
        self.on_push()

    def interrupt(self, refusal: Refusal) -> bool:
        """Make the waiting poller fail; False when nobody waits."""
        if self._waiting is None or self._waiting.done():
            return False
        self._waiting.set_exception(refusal)
        return True

    async def poll(self, offset: int, limit: int, wait_s: float) -> list[Json]:
        """Return up to `limit` updates, waiting up to `wait_s` seconds for the first; raises Refusal (409)."""
        self.interrupt(conflict(POLLED_TWICE))
        self._forget(offset)
        deadline = time.monotonic() + min(max(wait_s, 0), _LONGEST_POLL_S)
        while not (found := self.ready()[: limit if 0 < limit <= 100 else 100]):  # noqa: PLR2004 - the documented most
            left = deadline - time.monotonic()
            if left <= 0 or not await self._wait(left):
                break
        for entry in found:
            entry.delivered, entry.delivered_at = True, time.monotonic()
            if entry.again:
                self.confirm(entry)
        return [entry.update for entry in found]

    async def _wait(self, seconds: float) -> bool:
        """Wait for a push; False when the time is over."""
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting = waiting
        try:
            async with asyncio.timeout(seconds):
                await waiting
        except TimeoutError:
            return False
        except Refusal:
            # A pair of pollers that go on fighting is slowed down.
            hurried = time.monotonic() - self._last_conflict < _CONFLICT_PAUSE_S
            self._last_conflict = time.monotonic()
            if hurried:
                await asyncio.sleep(_CONFLICT_PAUSE_S)
            raise
        finally:
            if self._waiting is waiting:
                self._waiting = None
        return True

    def _forget(self, offset: int) -> None:
        if offset < 0:
            keep = {id(entry) for entry in self.entries[offset:]}
            gone = [entry for entry in self.entries if id(entry) not in keep]
        else:
            gone = [entry for entry in self.entries if entry.id < offset and not entry.again]
        for entry in gone:
            self.confirm(entry)

    def _spoil(self, entry: Entry, fault: str, delay_s: float) -> None:
        if fault == "duplicate":
            self.entries.append(Entry(entry.update, entry.kind, entry.lane, entry.expires_at, again=True))
        elif fault == "late":
            # Later updates are confirmed before it comes: it must not be forgotten with them.
            entry.due, entry.again = time.monotonic() + delay_s, True
            asyncio.get_running_loop().call_later(delay_s + 0.001, self.wake)
