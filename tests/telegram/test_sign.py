"""The sign over a chat: seldom, beside the work, and never in its way."""

import asyncio

import pytest
from telegram.error import Forbidden, NetworkError, RetryAfter

from bot.telegram import sign
from bot.telegram.sign import SHOWN_S, Sign


class Line:
    """Stands for the way to Telegram: notes the calls, and answers each as it is told."""

    def __init__(self, error=None, slow=None) -> None:
        self.calls, self.finished, self.error, self.slow = [], 0, error, slow

    async def call(self, url, payload):
        self.calls.append((url, payload))
        if self.slow:
            await self.slow.wait()
        if self.error:
            raise self.error
        self.finished += 1


@pytest.fixture
def clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(sign.time, "monotonic", lambda: now[0])
    return now


async def work(shown, chat_id=5):
    async with shown.during(chat_id):
        await asyncio.sleep(0)
        await asyncio.sleep(0)


async def test_it_is_shown_at_most_once_per_five_seconds_in_each_chat(clock):
    line = Line()
    shown = Sign(line, "/sendChatAction")
    for chat_id in (5, 5, 6):
        await work(shown, chat_id)
    assert line.calls == [("/sendChatAction", {"chat_id": n, "action": "upload_photo"}) for n in (5, 6)]
    clock[0] += SHOWN_S
    await work(shown)
    assert len(line.calls) == 3


@pytest.mark.parametrize("error", [RetryAfter(3), Forbidden("blocked"), NetworkError("reset")])
async def test_a_refusal_counts_for_nothing(error):
    line = Line(error)
    await work(Sign(line, "/x"))
    assert len(line.calls) == 1


async def test_the_work_waits_for_no_sign_and_none_comes_after_it():
    line = Line(slow=asyncio.Event())
    await asyncio.wait_for(work(Sign(line, "/x")), 5)
    line.slow.set()
    await asyncio.sleep(0)
    assert (len(line.calls), line.finished) == (1, 0)


async def test_it_forgets_the_chats_of_long_ago(clock):
    shown = Sign(Line(), "/x")
    for chat_id in range(1002):
        shown._is_due(chat_id)
    clock[0] += SHOWN_S
    shown._is_due(5)
    assert len(shown._shown) == 1
