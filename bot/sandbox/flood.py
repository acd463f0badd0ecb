"""Telegram's limits on sending: about 1 message a second in a chat, 30 a second overall, 20 a minute in a group."""

import math
import time
from collections import defaultdict, deque
from dataclasses import dataclass, field

from bot.sandbox.refusals import too_many_requests

_PER_CHAT_S = 1.0
# Short bursts pass on the real server; this many messages may come at once.
_BURST = 3
_OVERALL_PER_S = 30
_GROUP_PER_MINUTE = 20
_MINUTE_S = 60.0


@dataclass(slots=True)
class FloodLimits:
    """Counts what was sent, in real time: a bot that waits really waits."""

    overall: deque[float] = field(default_factory=deque)
    groups: defaultdict[int, deque[float]] = field(default_factory=lambda: defaultdict(deque))
    # When a chat will have paid for all it was sent; a burst is a credit of a few seconds.
    paid_until: dict[int, float] = field(default_factory=dict)

    def spend(self, chat_id: int, messages: int) -> None:
        """Count `messages` to a chat; raises Refusal (429) and counts nothing when that is too many."""
        now = time.monotonic()
        wait = _window_wait(self.overall, now, 1.0, _OVERALL_PER_S, messages)
        if chat_id < 0:
            wait = max(wait, _window_wait(self.groups[chat_id], now, _MINUTE_S, _GROUP_PER_MINUTE, messages))
        else:
            credit = max(_BURST, messages) * _PER_CHAT_S
            wait = max(wait, self.paid_until.get(chat_id, 0.0) + messages * _PER_CHAT_S - now - credit)
        if wait > 0:
            raise too_many_requests(max(math.ceil(wait), 1))
        self.overall.extend([now] * messages)
        if chat_id < 0:
            self.groups[chat_id].extend([now] * messages)
        else:
            self.paid_until[chat_id] = max(self.paid_until.get(chat_id, 0.0), now) + messages * _PER_CHAT_S


def _window_wait(sent: deque[float], now: float, seconds: float, most: int, messages: int) -> float:
    """Return the seconds until `messages` more fit into the window."""
    while sent and sent[0] <= now - seconds:
        sent.popleft()
    too_many = len(sent) + min(messages, most) - most
    return sent[too_many - 1] + seconds - now if too_many > 0 else 0.0
