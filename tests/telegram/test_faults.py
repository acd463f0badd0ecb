from datetime import timedelta

import pytest
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
    TimedOut,
)

from bot.telegram.faults import LONGEST_WAIT_S, Remedy, back_off_s, judge


@pytest.mark.parametrize(
    ("error", "remedy"),
    [
        (
            BadRequest("Message is not modified: specified new message content and reply markup are exactly the same"),
            Remedy.DONE,
        ),
        (BadRequest("Query is too old and response timeout expired or query ID is invalid"), Remedy.DONE),
        (BadRequest("Can't parse entities: unsupported start tag"), Remedy.PLAIN_TEXT),
        (BadRequest("Message thread not found"), Remedy.NEW_TOPIC),
        (BadRequest("Message to edit not found"), Remedy.SEND_INSTEAD),
        (BadRequest("Chat not found"), Remedy.GIVE_UP),
        (Forbidden("bot was blocked by the user"), Remedy.BLOCKED),
        (ChatMigrated(-100), Remedy.MIGRATED),
        (TimedOut(), Remedy.WAIT),
        (NetworkError("Bad Gateway"), Remedy.WAIT),
        (InvalidToken("Not Found"), Remedy.WAIT),
        (TelegramError("Invalid server response"), Remedy.WAIT),
    ],
)
def test_each_kind_of_error_has_one_remedy(error, remedy):
    assert judge(error, 1).remedy is remedy


def test_a_bad_request_is_never_retried_though_the_library_calls_it_a_network_error():
    assert isinstance(BadRequest("x"), NetworkError)
    assert judge(BadRequest("x"), 1).remedy is Remedy.GIVE_UP


@pytest.mark.parametrize("wait", [7, timedelta(seconds=7)])
def test_flood_control_waits_as_long_as_telegram_says(wait):
    assert judge(RetryAfter(wait), 1).wait_s == 7


def test_back_off_grows_and_ends():
    waits = [back_off_s(n) for n in range(1, 40)]
    assert waits[0] < 1
    assert max(waits) <= LONGEST_WAIT_S * 1.25
    assert waits[5] > waits[0]
