"""The flood limits of Telegram, which a flag of the sandbox switches on."""

import pytest

from bot.sandbox import flood
from bot.sandbox.flood import FloodLimits
from bot.sandbox.refusals import Refusal


@pytest.fixture
def seconds(monkeypatch):
    """Real time, moved by hand."""
    now = [1000.0]
    monkeypatch.setattr(flood.time, "monotonic", lambda: now[0])
    return now


def refused(limits, chat, messages=1):
    with pytest.raises(Refusal) as caught:
        limits.spend(chat, messages)
    return caught.value.code, caught.value.retry_after


def test_a_private_chat_takes_a_short_burst_and_then_one_a_second(seconds):
    limits = FloodLimits()
    for _ in range(3):
        limits.spend(7, 1)
    assert refused(limits, 7) == (429, 1)
    limits.spend(8, 1)
    seconds[0] += 1
    limits.spend(7, 1)
    assert refused(limits, 7) == (429, 1)


def test_a_group_takes_twenty_a_minute(seconds):
    limits = FloodLimits()
    for _ in range(20):
        limits.spend(-5, 1)
        seconds[0] += 0.5
    assert refused(limits, -5) == (429, 50)
    seconds[0] += 50
    limits.spend(-5, 1)
    assert refused(limits, -5) == (429, 1)


def test_all_chats_together_take_thirty_a_second(seconds):
    limits = FloodLimits()
    for chat in range(1, 31):
        limits.spend(chat, 1)
    assert refused(limits, 31) == (429, 1)
    seconds[0] += 1
    limits.spend(31, 1)


def test_every_picture_of_an_album_counts(seconds):
    limits = FloodLimits()
    limits.spend(-5, 10)
    limits.spend(-5, 9)
    assert refused(limits, -5, 2) == (429, 60)
    limits.spend(-5, 1)


def test_a_refused_message_is_not_counted(seconds):
    limits = FloodLimits()
    for _ in range(3):
        limits.spend(7, 1)
    for _ in range(50):
        refused(limits, 7)
    seconds[0] += 1
    limits.spend(7, 1)


async def test_the_flag_switches_them_on(limited):
    call, customer = limited
    seen = [(await call("sendMessage", chat_id=customer, text=str(i))).status for i in range(4)]
    assert seen == [200, 200, 200, 429]
    answer = await call("sendMessage", chat_id=customer, text="x")
    assert answer.headers["Retry-After"] == str(answer.body["parameters"]["retry_after"])
    await call.ok("sendChatAction", chat_id=customer, action="typing")


async def test_without_the_flag_there_are_none(call, customer):
    for number in range(40):
        await call.ok("sendMessage", chat_id=customer, text=str(number))
