"""Times that are less than a moment: a part of a day, a day alone, how long, and pieces of a time that was not understood whole."""

import re
from datetime import datetime, time
from typing import Final

from bot import quantities
from bot.quantities.names import EN_MONTH, EN_WEEKDAY
from bot.quantities.wording import canonical
from bot.reminders.rules import EVENING, MORNING, at_local

AFTERNOON: Final = time(15)
_PARTS: Final = (
    (re.compile(r"(?:晚上?|夜里?|(?<![a-z])(?:tonight|evening|night))$"), EVENING),
    (re.compile(r"(?:下午|(?<![a-z])afternoon)$"), AFTERNOON),
    (re.compile(r"(?:早上?|早晨|上午|(?<![a-z])morning)$"), MORNING),
)
_NEAR: Final = ("", "今", "明", "后", "this", "in the")
"""What may stand before the part of a day that is no date of its own."""
_DAYS: Final = re.compile(r"(?:ask:)?\d{4}-\d\d-\d\d(?:\|\d{4}-\d\d-\d\d)*")
_PART_ALONE: Final = re.compile(r"morning|afternoon|evening|night")
# What may stand at the edge of a time: of it alone, a text that an order to be reminded of may begin with is left out (to, for).
_TOKEN: Final = (
    rf"(?:(?<![a-z])(?:{EN_WEEKDAY}s?|{EN_MONTH}|today|tomorrow|tonight|yesterday|noon|midnight|weekdays?|weekends?|biweekly|daily|weekly"
    r"|monthly|last|first|second|third|fourth|(?:the )?\d+(?:st|nd|rd|th)|(?:day|week|month|year|hour|minute)s?|morning|afternoon|evening|night"
    r"|every|each|until|till|before|after|o'clock|am|pm|utc|gmt|[ecmp][sd]t|(?:[a-z]+ ){1,2}time)(?!['’a-z])"
    r"|\d{1,2}\s?[ap]\.?m|(?<![a-z])at \d{1,2}|\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?|\d{1,2}:\d\d"
    r"|大?后天|今天|明天|昨天|前天|今晚|明早|明晚|当天|下班[前后时]|每[年月周天日]?|(?:下下?个?)?(?:周|星期|礼拜)[1-6日天末]|[上下本这]个?月|(?:最后|第)\s?\d+个?|月底|月末|年底|[底末](?![\u4e00-\u9fff])"
    r"|\d+\s?(?:月|号|日|点|分钟|小时|天后|个?小时|周)|早上|上午|中午|下午|晚上|凌晨|工作日"
    r"|(?:直到|到)(?=周|星期|礼拜|下|明|今|后|月|年|\d)|为止|之前|以前|[\u4e00-\u9fff]{2,4}时间)"
)
_JOINS: Final = r"(?:\s|,|、|和|与|的|the|of|on|at|in|and|from|to|at)*"
_FIRST: Final = re.compile(
    rf"(?:(?:on|at|in|of|by|and|from|和|与|、|,|\s)\s*)*(?:the )?(?:{_TOKEN}|\d{{1,2}}(?![\w\d]))"
)
_LAST: Final = re.compile(rf"{_TOKEN}(?:\s|,|、|和|与|的|of|and|on|at|in|the)*$")
_WHOLE: Final = re.compile(rf"(?:{_JOINS}{_TOKEN}{_JOINS}\d*)+")
_UNTIL: Final = re.compile(
    r"(?P<rest>.*\S)\s*(?:(?<![a-z])(?:until|till)\s+(?P<en>[^,.;]+?)(?P<tail>\s+to\s.+)?|[,，]?\s*(?:一?直到|(?<!直)到)(?P<zh>[^,，。；]+?)(?:为止|结束)?)",
    re.IGNORECASE | re.DOTALL,
)
_BY_HOURS: Final = re.compile(r"hour|min|\d ?h\b|hr|小时|分钟|钟头|\d\s?[点:]|\bat\b")
_CLOCK: Final = re.compile(r" at \d[\w:. ]*$")
_END_OF_DAY: Final = time(23, 59)


def loosely(when: str, now: datetime) -> str | None:
    """Return the moment of a phrase that is less than one, as a `remind` form; None when it is more, or nothing.

    A day and its part are at the usual hour (morning 9:00, afternoon 15:00, evening 20:00), a day alone is its morning: 今晚 is
    `at=…T20:00`.
    """
    plain = canonical(when).strip()
    if not plain or _PART_ALONE.fullmatch(plain):
        return None
    part, clock = next(((found, clock) for words, clock in _PARTS if (found := words.search(plain))), (None, MORNING))
    day = plain[: part.start()].strip() if part else plain
    named = quantities.parse("date", day, now=now) if day else None
    if not (part and day in _NEAR) and not (named and _DAYS.fullmatch(named)):
        return None
    hour = f"{clock.hour}:00" if plain.isascii() else f"{clock.hour % 12}点"
    form = quantities.parse("remind", f"{plain}{' at ' if plain.isascii() else '' if part else '早上'}{hour}", now=now)
    return form if form and form.startswith("at=") else None


def from_now(when: str, now: datetime) -> str | None:
    """Return the moment that lies a bare length of time ahead, "2 hours" or 10 分钟, as a `remind` form; None for all else."""
    plain = canonical(when).strip()
    return quantities.parse("remind", f"in {plain}", now=now) or quantities.parse("remind", f"{plain}后", now=now)


def parted_at_end(said: str, now: datetime) -> tuple[str, str]:
    """Cut the end of a rhythm off: "every 90 min until Friday" gives the rest and the end of Friday (ISO 8601), else "" for the end."""
    found = _UNTIL.fullmatch(said)
    if not found:
        return said, ""
    named, rest = (found["en"] or found["zh"]).strip(), found["rest"]
    clock = None if _BY_HOURS.search(rest) else _CLOCK.search(named)
    if clock:  # every day until 20 December at 9 am: the clock is that of each day
        named, rest = named[: clock.start()], f"{rest}{clock[0]}"
    form = quantities.parse("remind", named, now=now)
    rest += found["tail"] or ""
    if form and form.startswith("at="):
        return rest, form.removeprefix("at=")
    day = quantities.parse("date", named, now=now)
    if day is None or not re.fullmatch(r"\d{4}-\d\d-\d\d", day) or now.tzinfo is None:
        return said, ""
    end = at_local(datetime.fromisoformat(day).date(), _END_OF_DAY, now.tzinfo).astimezone(now.tzinfo)
    return rest, end.isoformat(timespec="minutes")


def begins_with_time(text: str) -> bool:
    """Whether a text begins with a piece of a time, as what was cut off after a time may: "on the last day"."""
    return bool(_FIRST.match(canonical(text)))


def ends_with_time(text: str) -> bool:
    """Whether a text ends with a piece of a time, as what was cut off before a time may: "the last day of"."""
    return bool(_LAST.search(canonical(text)))


def is_time(text: str) -> bool:
    """Whether a text is nothing but pieces of a time."""
    return bool(_WHOLE.fullmatch(canonical(text).strip()))
