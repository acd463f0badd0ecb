"""Puts ways to name a time that the readers of times do not know into ones that they know."""

import re
from datetime import datetime
from typing import Final

_NUMBER: Final = r"(?:\d{1,2}|[一二两三四五六七八九十]{1,3})"
_PHRASES: Final = (
    (r"three[- ]quarters? of an hour", "45 minutes"),
    (r"(?:a |one )?quarter of an hour", "15 minutes"),
    (rf"早晚(?:各|都)?(?:在)?({_NUMBER}[点时]半?)(?:各?一次)?", r"早上\1和晚上\1"),
    (r"(?<!每)(?<!每个)(?<!每逢)(?<!逢)(这个?|本|下下?个?)?周末", r"\1周六"),
    (r"\b(?:(?:on |at )?(?:the|this) |(next) )weekend\b(?!s)", r"\1 saturday"),
    (r"(?:请|麻烦)?等我?(.{1,12}?)(?:以后|之后|后)?再$", r"\1后"),
    (r"(?:at )?(?:the )?(?:same|this) time tomorrow", "tomorrow at {clock}"),
    (r"tomorrow (?:at )?(?:the )?(?:same|this) time", "tomorrow at {clock}"),
    (r"(?:的)?(?:这个?时候|同一时间|此时|这会儿)", "{clock}"),
)
_STARTS: Final = re.compile(
    r"从?(?:(?:今天|现在|即刻)|(?P<zh>明天))(?:开始|起)[,，]?|\b(?:starting|beginning|from) (?:today|now|(?P<en>tomorrow))(?: on(?:wards?)?)?\b,?",
    re.IGNORECASE,
)


def plainly(said: str, now: datetime) -> str:
    """Return a text with such phrases replaced; `now` bears the customer's zone.

    "in a quarter of an hour" is "in 15 minutes", 每天早晚8点 is 每天早上8点和晚上8点, and 明天这个时候 names the clock of now.
    """
    for phrase, plain in _PHRASES:
        said = re.sub(phrase, plain.replace("{clock}", f"{now:%H:%M}"), said, flags=re.IGNORECASE)
    return said


def parted_at_start(said: str) -> tuple[str, bool]:
    """Cut the beginning of a rhythm off (从明天起, starting tomorrow); tells whether it is tomorrow, so that today must be left out."""
    found = _STARTS.search(said)
    if found is None:
        return said, False
    return said[: found.start()] + said[found.end() :], bool(found["zh"] or found["en"])
