"""Finds in a message the wish to be reminded: when, and of what."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot import quantities
from bot.quantities import Normal
from bot.quantities.folding import simplified
from bot.reminders.rhythm import next_of

LONGEST: Final = 300
"""Characters; a longer message is no reminder."""
_TRIGGER: Final = re.compile(
    r"(?:请|麻烦你?|帮我|帮忙|能不能|可以|记得|到时候?|的时候)*(?:提醒|叫|通知|喊)(?:一下|1下)?(?:我们?)(?:一下|一声)?"
    r"|(?:请|帮我)?(?:设|定|加|建|设置|设定)(?:一?个|置)?(?:提醒|闹钟)|别让我忘了"
    r"|(?:please |can you |could you |pls )*(?<![a-z])(?:remind|ping|nudge|alert) (?:me|us)(?![a-z])"
    r"|(?<![a-z])(?:please )?set (?:me )?(?:up )?a reminder(?: for me)?(?![a-z])",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"^(?:to|that|about|of|for|i (?:need|have) to|that i (?:need|have) to|去|要|：|:|,|，|-|–|一下)\s*(?![a-z]*ly)",
    re.IGNORECASE,
)
_NOT: Final = re.compile(r"(?:别|不要|不用|不必|勿|don't|do not|never|stop)\s*(?:再)?$", re.IGNORECASE)
_BEFORE_TIME: Final = re.compile(r"^(?:for|on|在|到)\s*", re.IGNORECASE)
_TAIL: Final = re.compile(r"[\s,，.。!！;；:：]+$")
_HEAD: Final = re.compile(r"^[\s,，.。!！;；:：]+")


@dataclass(frozen=True)
class Wish:
    """A wish to be reminded: `rule` is a `remind` form or "" when no time was understood, `readings` the moments it may mean."""

    text: str
    rule: str = ""
    readings: tuple[str, ...] = ()


def wish_in(said: str, now: datetime) -> Wish | None:
    """Return the wish in a message that asks to be reminded; None for a message that does not.

    `now` bears the customer's zone. "每天早上9点提醒我存检查点" is the rule every=P1D;at=09:00 with the text 存检查点.
    """
    plain = said.strip() if len(said) <= LONGEST else ""
    words = simplified(plain)
    trigger = _TRIGGER.search(words)
    if trigger is None or _NOT.search(words[: trigger.start()]):
        return None
    return wish_from(plain[: trigger.start()], plain[trigger.end() :], now)


def rule_changed(old: str, new: str, said: str, now: datetime) -> str:
    """Return the rule that a change of a repeating one means: a new rhythm keeps the time of day, a bare time of day the rhythm.

    "9:30" for every=P1W;on=MO;at=09:00 is every=P1W;on=MO;at=09:30, and "every day" is every=P1D;at=09:00.
    """
    before, after = Normal.read(old).parts, Normal.read(new).parts
    if "every" not in before or before["every"].startswith("PT"):
        return new
    daily = quantities.parse("remind", f"每天{said}", now=now) or quantities.parse(
        "remind", f"every day at {said}", now=now
    )
    if "every" not in after and daily:
        return _rule({**before, "at": Normal.read(daily).parts.get("at", "")})
    if "at" not in after and "at" in before and not after.get("every", "PT").startswith("PT"):
        return _rule({**after, "at": before["at"]})
    return new


def _rule(parts: dict[str, str]) -> str:
    return ";".join(f"{name}={parts[name]}" for name in ("every", "on", "at") if parts.get(name))


def wish_from(before: str, after: str, now: datetime) -> Wish:
    """Return the wish in what stands before and after its verb; the longest stretch that reads as a time is the time."""
    before, after = _clean(before), _clean(after)
    for when, what in _splits(before, after):
        form = quantities.parse("remind", _BEFORE_TIME.sub("", when), now=now)
        if form is None:
            continue
        readings = tuple(f"at={moment}" for moment in form[4:].split("|")) if form.startswith("ask:") else (form,)
        if all(next_of(reading, now, now.tzinfo, now) is not None for reading in readings if now.tzinfo):
            text = _what(what)
            return Wish(text, form) if len(readings) == 1 else Wish(text, "", readings)
    return Wish(_what(f"{before} {after}"))


def _splits(before: str, after: str) -> Iterator[tuple[str, str]]:
    """Ways to part a message into when and what, the likeliest first."""
    if before:
        yield before, after
        for cut in _cuts(before):
            yield before[cut:], f"{before[:cut]} {after}"
    if after:
        yield after, before
        for cut in reversed(_cuts(after)):
            yield after[:cut], f"{before} {after[cut:]}"
        for cut in _cuts(after):
            yield after[cut:], f"{before} {after[:cut]}"


def _cuts(text: str) -> list[int]:
    """Places where a text may be cut: between words, and beside every Han character."""
    return [
        i
        for i in range(1, len(text))
        if text[i] in " ,，"
        or text[i - 1] in " ,，"
        or "\u3400" <= text[i] <= "\u9fff"
        or "\u3400" <= text[i - 1] <= "\u9fff"
    ]


def _clean(text: str) -> str:
    return _HEAD.sub("", _TAIL.sub("", text.strip()))


def _what(text: str) -> str:
    plain = _clean(re.sub(r"\s+", " ", text))
    while True:
        shorter = _clean(_LEAD.sub("", plain))
        if shorter == plain:
            return plain
        plain = shorter
