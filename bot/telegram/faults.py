"""What to do when Telegram refuses or fails a call: one judgement per kind of error."""

import random
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from telegram.error import BadRequest, ChatMigrated, Forbidden, RetryAfter, TelegramError

LONGEST_WAIT_S: Final = 30.0
"""Back-off never grows beyond this: once Telegram is back, a person who waits for a reply must not wait minutes more."""


class Remedy(StrEnum):
    """What follows from an error."""

    WAIT = "wait"
    DONE = "done"
    GIVE_UP = "give_up"
    PLAIN_TEXT = "plain_text"
    SEND_INSTEAD = "send_instead"
    NEW_TOPIC = "new_topic"
    REOPEN = "reopen"
    BLOCKED = "blocked"
    MIGRATED = "migrated"


@dataclass(frozen=True)
class Judgement:
    """The remedy; `wait_s` seconds for WAIT, at Telegram's wish for its rate when `is_flood`; `new_chat_id` for MIGRATED."""

    remedy: Remedy
    wait_s: float = 0.0
    new_chat_id: int | None = None
    is_flood: bool = False


_BAD_REQUESTS: Final = (
    ("message is not modified", Remedy.DONE),
    ("query is too old", Remedy.DONE),
    ("message to delete not found", Remedy.DONE),
    ("can't parse entities", Remedy.PLAIN_TEXT),
    ("message thread not found", Remedy.NEW_TOPIC),
    ("topic_deleted", Remedy.NEW_TOPIC),
    ("topic_id_invalid", Remedy.NEW_TOPIC),
    ("topic_closed", Remedy.REOPEN),
    ("the chat is not a forum", Remedy.WAIT),
    ("not enough rights to create a topic", Remedy.WAIT),
    ("message to edit not found", Remedy.SEND_INSTEAD),
    ("message can't be edited", Remedy.SEND_INSTEAD),
    ("there is no text in the message to edit", Remedy.SEND_INSTEAD),
)
"""Parts of Telegram's texts for code 400, in lower case, and what they call for; any other 400 can never succeed.

What WAITs is for the owner of the staff group to set right: topics switched off, or a right that was taken away.
"""


def judge(error: TelegramError, attempts: int) -> Judgement:
    """Return what to do about an error at the `attempts`-th try (from 1).

    `BadRequest` is a kind of `NetworkError` in the library, so it is asked for first: it is never retried as one. A refused token
    waits like an outage: the operator may be changing it, and what is to be said must not be lost for that.
    """
    if isinstance(error, RetryAfter):
        return Judgement(Remedy.WAIT, wait_s=_seconds(error), is_flood=True)
    if isinstance(error, ChatMigrated):
        return Judgement(Remedy.MIGRATED, new_chat_id=error.new_chat_id)
    if isinstance(error, Forbidden):
        return Judgement(Remedy.BLOCKED)
    if isinstance(error, BadRequest):
        text = str(error).lower()
        remedy = next((remedy for part, remedy in _BAD_REQUESTS if part in text), Remedy.GIVE_UP)
        return Judgement(remedy, wait_s=back_off_s(attempts) if remedy is Remedy.WAIT else 0.0)
    return Judgement(Remedy.WAIT, wait_s=back_off_s(attempts))


def back_off_s(attempts: int) -> float:
    """Return the seconds to wait before another try: 0.5, 1, 2, ... with jitter, so that copies do not march in step."""
    return float(min(LONGEST_WAIT_S, 0.5 * 2 ** min(attempts - 1, 20)) * random.uniform(0.75, 1.25))  # noqa: S311 - no secret


def _seconds(error: RetryAfter) -> float:
    """The wait that Telegram asks for; the library gives it as a number or as a duration, by its settings."""
    wait = error.retry_after
    return float(wait) if isinstance(wait, int | float) else wait.total_seconds()
