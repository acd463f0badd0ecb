"""Reads times of day and time zones out of a phrase: 下午三点一刻, half past 3 pm, 15:00 UTC."""

# ruff: noqa: PLR2004 - hours and minutes of a day are plainest as numbers

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

# Part of the day, what names it, and which of twelve hours belong to it in the afternoon half.
_PARTS = (
    ("night", r"凌晨|半夜|深夜|后半夜|午夜|夜里|夜间|in the small hours"),
    ("morning", r"清晨|清早|早晨|早上|大早上?|上午|早间|早|in the morning|this morning|morning"),
    ("noon", r"中午|正午|晌午"),
    ("afternoon", r"下午|午后|in the afternoon|this afternoon|afternoon"),
    ("evening", r"傍晚|晚上|晚间|夜晚|今夜|晚|in the evening|this evening|at night|evening|night"),
)
_PART = "|".join(f"(?P<{name}>{words})" for name, words in _PARTS)
_PART_PATTERN = re.compile(rf"(?:{_PART})(?:的)?")
_TODAY_PARTS = (
    (r"今晚上?|今夜|tonight|this evening", "今天 晚上"),
    (r"明晚上?|明夜|tomorrow (?:night|evening)", "明天 晚上"),
    (r"后晚", "后天 晚上"),
    (r"今早上?|今晨|this morning", "今天 早上"),
    (r"明早上?|明晨|tomorrow morning", "明天 早上"),
    (r"this afternoon", "今天 下午"),
    (r"tomorrow afternoon", "明天 下午"),
    (r"当晚", "今天 晚上"),
)
_DAY_PARTS = tuple((re.compile(rf"(?<![a-z]){words}(?![a-z])"), f"{new} ") for words, new in _TODAY_PARTS)

_CHINESE = re.compile(
    r"(?<![\d.])(?P<h>\d{1,2})\s?(?:点钟?|时)(?!\d*小时)(?:整|(?P<half>半)|过?(?P<quarter>[123])刻(?:钟)?|(?:过|零)?\s?(?P<m>\d{1,2})分?)?(?!\d|间|候)"
)
_BEFORE_HOUR = re.compile(r"差(?:(?P<m>\d{1,2})分钟?|(?P<quarter>1)刻钟?)(?:到)?(?P<h>\d{1,2})点钟?")
_DIGITAL = re.compile(r"(?<![\d:./-])(?P<h>\d{1,2})\s?:\s?(?P<m>\d{2})(?:\s?:\s?(?P<s>\d{2}))?(?![\d:])")
_ENGLISH = re.compile(r"(?<![\d:.])(?P<h>\d{1,2})(?:[:.](?P<m>\d{2}))?\s?(?P<half>a\.?m\.?|p\.?m\.?)(?![a-z])")
_SUFFIX = re.compile(r"\s?(?P<half>a\.?m\.?|p\.?m\.?)(?![a-z])")
_RELATIVE = re.compile(
    r"(?<![a-z])(?:(?P<word>half|quarter|(?P<n>\d{1,2})(?: min(?:ute)?s?)?) (?P<way>past|(?(n)to(?!.{1,5}[ap]m)|to)|after|before) (?P<h>\d{1,2})|half (?P<h2>\d{1,2}))(?: ?o'?clock)?(?![\d:])"
)
_OCLOCK = re.compile(r"(?<![\d:.])(?P<h>\d{1,2}) ?o'?clock")
_WORDS = re.compile(
    r"(?<![a-z])(?:(?P<noon>(?:at )?(?:12 )?(?:noon|midday))|(?P<midnight>(?:at )?(?:12 )?midnight))(?![a-z])|(?P<middle>零点(?:整|钟)?|0点整)"
)
_BARE = re.compile(
    r"(?:(?<![a-z])at|@)\s*(?P<h>\d{1,2})(?![\d:%/.-]|\s?(?:st|nd|rd|th|am|pm|days?|hours?|min|weeks?|months?|天|点|小时|分|月|号|日|周))"
)

_ZONES = (
    (r"北京时间|中国时间|东8区(?:时间)?|beijing(?: time)?|china time|shanghai time|cst(?= ?china)", "Asia/Shanghai"),
    (r"香港时间|hong ?kong time|hkt", "Asia/Hong_Kong"),
    (r"新加坡时间|singapore time|sgt", "Asia/Singapore"),
    (r"东京时间|日本时间|tokyo time|jst", "Asia/Tokyo"),
    (r"伦敦时间|london time", "Europe/London"),
    (r"纽约时间|美东时间|美国东部时间|new york time|eastern(?: time)?|et", "America/New_York"),
    (r"太平洋时间|美西时间|美国西部时间|pacific(?: time)?|pt", "America/Los_Angeles"),
    (r"cet|berlin time|paris time", "Europe/Berlin"),
)
_ZONE_NAMES = tuple((re.compile(rf"(?<![a-z]){words}(?![a-z])"), key) for words, key in _ZONES)
_OFFSET = re.compile(
    r"\(?(?<![a-z])(?:utc|gmt)\s?(?:(?P<sign>[+-])\s?(?P<h>\d{1,2})(?::?(?P<m>\d{2}))?)?\)?(?![a-z\d])|(?<=\d)\s?(?P<sign2>[+-])(?P<h2>\d{2}):(?P<m2>\d{2})(?!\d)|(?<=\d)z(?![a-z])"
)
_FIXED = {"est": -5, "edt": -4, "pst": -8, "pdt": -7}
_FIXED_PATTERN = re.compile(r"(?<![a-z])(?P<name>est|edt|pst|pdt)(?![a-z])")
_NOON = 12


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day; `sure` is False where 9 may be nine in the evening; `next_day` marks the small hours after an evening."""

    hour: int
    minute: int = 0
    second: int = 0
    sure: bool = True
    next_day: bool = False

    def on(self, day: date, zone: tzinfo) -> datetime | None:
        """Give the moment on a day; None where the clocks skip it."""
        try:
            moment = datetime.combine(
                day + timedelta(days=self.next_day), time(self.hour, self.minute, self.second), zone
            )
        except (OverflowError, ValueError):
            return None
        return (
            moment
            if moment.astimezone(UTC).astimezone(zone).replace(tzinfo=None) == moment.replace(tzinfo=None)
            else None
        )

    def later(self) -> "Clock":
        """The same hour in the other half of the day."""
        return Clock((self.hour + _NOON) % 24, self.minute, self.second)


def take_zone(core: str) -> tuple[str, tzinfo | None, bool]:
    """Cut a time zone out; the last value is False for an impossible one such as UTC+25."""
    m = _OFFSET.search(core)
    if m:
        hours, minutes = int(m["h"] or m["h2"] or 0), int(m["m"] or m["m2"] or 0)
        if hours > 14 or minutes > 59:
            return core, None, False
        offset = timedelta(hours=hours, minutes=minutes) * (-1 if "-" in (m["sign"] or m["sign2"] or "") else 1)
        return _without(core, m), timezone(offset), True
    m = _FIXED_PATTERN.search(core)
    if m:
        return _without(core, m), timezone(timedelta(hours=_FIXED[m["name"]])), True
    for pattern, key in _ZONE_NAMES:
        m = pattern.search(core)
        if m:
            return _without(core, m), ZoneInfo(key), True
    return core, None, True


def take_clock(core: str) -> tuple[str, Clock | None, bool]:
    """Cut the time of day out of a phrase; the last value is False for an impossible one such as 25点."""
    for pattern, new in _DAY_PARTS:
        core = pattern.sub(new, core)
    core = re.sub(r"(?<=\d)t(?=\d\d:)|\s+", " ", core).strip()
    m = _WORDS.search(core)
    if m and not (m["middle"] and re.match(r"\d|半", core[m.end() :])):
        rest = part_of_day(_without(core, m))[0]
        if m["noon"]:
            return rest, Clock(_NOON), True
        return rest, Clock(0, next_day=not m["middle"] or "晚" in core), True
    for pattern in (_BEFORE_HOUR, _RELATIVE, _ENGLISH, _CHINESE, _DIGITAL, _OCLOCK, _BARE):
        m = pattern.search(core)
        if m:
            return _read(core, m, pattern)
    return _alone(core)


def _alone(core: str) -> tuple[str, Clock | None, bool]:
    """Take 中午 without an hour as twelve; other parts of the day name no time."""
    m = re.search(r"中午|正午|晌午", core)
    if m:
        return _without(core, m), Clock(_NOON), True
    m = re.search(r"午夜", core)
    if m:
        return _without(core, m), Clock(0, next_day=True), True
    return core, None, True


def part_of_day(core: str) -> tuple[str, str]:
    """Cut a part of the day such as 上午 out; its name is empty when there is none."""
    m = _PART_PATTERN.search(core)
    if not m:
        return core, ""
    return _without(core, m), next(name for name, _ in _PARTS if m[name])


def _read(core: str, m: re.Match[str], pattern: re.Pattern[str]) -> tuple[str, Clock | None, bool]:
    groups = m.groupdict()
    hour = int(groups.get("h") or groups.get("h2") or 0)
    hour, minute = _hour_and_minute(groups, hour, pattern)
    second = int(groups.get("s") or 0)
    half = (groups.get("half") or "").replace(".", "") if pattern is _ENGLISH else ""
    rest = _without(core, m)
    end = core[m.end() :]
    suffix = _SUFFIX.match(end) if not half else None
    if suffix:
        half = suffix["half"].replace(".", "")
        rest = _squeeze(f"{core[: m.start()]} {end[suffix.end() :]}")
    rest, part = part_of_day(rest)
    if hour > 24 or minute > 59 or second > 59 or (hour == 24 and minute):
        return core, None, False
    sure = hour >= _NOON or hour == 0 or (pattern is _DIGITAL and m["h"].startswith("0"))
    clock = _place(hour, minute, second, part=part, half=half, sure=sure)
    return rest, clock, clock is not None


def _hour_and_minute(groups: dict[str, str | None], hour: int, pattern: re.Pattern[str]) -> tuple[int, int]:
    if pattern is _BEFORE_HOUR:
        minute = 15 if groups["quarter"] else int(groups["m"] or 0)
        return (hour - 1) % 24, 60 - minute
    if pattern is _RELATIVE:
        minute = {"half": 30, "quarter": 15}.get(groups["word"] or "half", int(groups["n"] or 0))
        if groups["way"] in ("to", "before"):
            return (hour - 1) % 24 or _NOON, 60 - minute
        return hour, minute
    if pattern is _CHINESE:
        if groups["half"]:
            return hour, 30
        if groups["quarter"]:
            return hour, int(groups["quarter"]) * 15
    return hour, int(groups.get("m") or 0)


def _place(hour: int, minute: int, second: int, *, part: str, half: str, sure: bool) -> Clock | None:
    """Put an hour into the part of the day that was named; None where they contradict each other."""
    if hour == 24:
        return Clock(0, minute, second, next_day=True)
    if half:
        if hour > _NOON:
            return Clock(hour, minute, second) if half == "pm" else None
        if hour == 0:
            return Clock(0, minute, second) if half == "am" else None
        return Clock(hour % _NOON + (_NOON if half == "pm" else 0), minute, second)
    if not part:
        return Clock(hour, minute, second, sure=sure)
    return _PLACES[part](hour, minute, second)


def _night(hour: int, minute: int, second: int) -> Clock | None:
    if hour == _NOON:
        return Clock(0, minute, second, next_day=True)
    if hour >= 22:
        return Clock(hour, minute, second)
    if hour >= 9:
        return Clock(hour + _NOON, minute, second) if hour < _NOON else None
    return Clock(hour, minute, second) if hour <= 6 else None


def _morning(hour: int, minute: int, second: int) -> Clock | None:
    return Clock(hour, minute, second) if hour <= _NOON else None


def _noon(hour: int, minute: int, second: int) -> Clock | None:
    if hour in (1, 2):
        return Clock(hour + _NOON, minute, second)
    return Clock(hour, minute, second) if 11 <= hour <= 14 else None


def _afternoon(hour: int, minute: int, second: int) -> Clock | None:
    if hour >= _NOON:
        return Clock(hour, minute, second) if hour <= 19 else None
    return Clock(hour + _NOON, minute, second) if 1 <= hour <= 8 else None


def _evening(hour: int, minute: int, second: int) -> Clock | None:
    if hour in (_NOON, 0):
        return Clock(0, minute, second, next_day=True)
    if hour <= 4:
        return Clock(hour, minute, second, next_day=True)
    return Clock(hour if hour > _NOON else hour + _NOON, minute, second)


_PLACES = {"night": _night, "morning": _morning, "noon": _noon, "afternoon": _afternoon, "evening": _evening}


def _without(core: str, m: re.Match[str]) -> str:
    before = re.sub(r"(?:^|\s)(?:at|@)\s*$", "", core[: m.start()])
    return _squeeze(f"{before} {core[m.end() :]}")


def _squeeze(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip(" ,，的@")
