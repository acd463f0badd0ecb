"""Reads rhythms with their days and times: 每周一上午10点, every other Friday, weekdays at 9am."""

# ruff: noqa: PLR2004 - hours of a day, days of a month and minutes of a day are plainest as numbers

import re

from bot.quantities import clocktimes, durations
from bot.quantities.clocktimes import Clock
from bot.quantities.hedges import trim
from bot.quantities.names import EN_WEEKDAY, weekday_of
from bot.quantities.normal import compose

_CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_WEEKDAYS = ",".join(_CODES[:5])
_EVERY_WORDS = {
    "hourly": "PT1H",
    "daily": "P1D",
    "nightly": "P1D",
    "weekly": "P1W",
    "monthly": "P1M",
    "quarterly": "P3M",
    "yearly": "P1Y",
    "annually": "P1Y",
    "fortnightly": "P2W",
}
_TIMES_DAILY = re.compile(
    r"(?:每|一|1)(?:天|日)(?P<n>\d+)次|(?P<word>once|twice|thrice|\d+ times) (?:a|per|every|each) day|(?:每|一|1)个?(?:小时|钟头)(?P<h>\d+)次|(?P<hword>once|twice|\d+ times) (?:an|per|every|each) hour"
)
_TIMES = {"once": 1, "twice": 2, "thrice": 3}
_ONCE_PER = re.compile(r"(?P<span>.+?)(?:提醒|发|来|检查|报)?(?:一|1)次|once (?:every|an?|per) (?P<span2>.+)")
_EVERY = re.compile(r"(?P<head>每隔|隔|每|(?<![a-z])(?:once )?(?:every|each)(?![a-z]))\s*(?P<rest>.*)")
_WEEKDAY_LIST = re.compile(
    rf"(?:(?:星期|礼拜|周)(?P<zh>[1-6日天](?:\s?[、,和与及]?\s?(?:星期|礼拜|周)?[1-6日天])*)|(?P<en>{EN_WEEKDAY}s?(?:(?:\s?(?:,|/|&|、|和)\s?(?:and )?|\s(?:and )?){EN_WEEKDAY}s?)*))"
)
_WEEKDAY_RANGE = re.compile(
    rf"(?:(?:星期|礼拜|周)(?P<a>[1-6日天])\s?(?:到|至|-|~)\s?(?:星期|礼拜|周)?(?P<b>[1-6日天])|(?P<c>{EN_WEEKDAY})s?\s?(?:to|through|thru|-|~)\s?(?P<d>{EN_WEEKDAY})s?)"
)
_WORKDAYS = re.compile(
    r"(?:每个?|所有)?(?:工作日|上班日|平日|平时工作日)|(?:every |each |on |all )*(?:weekdays?|working days?|work ?days?|business days?)(?: only)?"
)
_WEEKENDS = re.compile(r"每个?周末|每逢周末|(?:every weekend|(?:on |at )?(?:the )?weekends)")
_MONTH_DAYS = re.compile(
    r"(?:的)?(?P<days>\d{1,2}(?:号|日)?(?:\s?(?:、|,|和|及|与)\s?\d{1,2}(?:号|日)?)*)(?<=[号日])|(?:on )?(?:the )?(?P<nth>\d{1,2}(?:st|nd|rd|th)(?:(?:,| and|, and) (?:the )?\d{1,2}(?:st|nd|rd|th))*)(?: (?:day )?of (?:the|each|every) month)?"
)
_LAST_DAY = re.compile(
    r"(?:的)?(?:最后(?:的)?1[天日]|月?底|月末|末)|(?:(?:on|at) )?(?:the )?(?:very )?(?:last day|end)"
)
_NTH_WEEKDAY = re.compile(
    rf"(?:的)?(?:第(?P<zn>[1-5])|(?P<zl>最后))(?:1)?个?(?P<zh>(?:星期|礼拜|周)[1-6日天])"
    rf"|(?:on )?(?:the )?(?:(?P<en>1st|2nd|3rd|4th|first|second|third|fourth)|(?P<el>last)) (?P<day>{EN_WEEKDAY})"
)
_NTH = {"first": "1", "second": "2", "third": "3", "fourth": "4"}
_TWO_TIMES = re.compile(r"\s?(?:和|及|、|,|与|(?<![a-z])and(?![a-z])|&)\s?")
_SINGLE_DAY = {
    "天": "P1D",
    "日": "P1D",
    "day": "P1D",
    "周": "P1W",
    "个星期": "P1W",
    "星期": "P1W",
    "个礼拜": "P1W",
    "礼拜": "P1W",
    "week": "P1W",
    "月": "P1M",
    "个月": "P1M",
    "month": "P1M",
    "年": "P1Y",
    "year": "P1Y",
    "个季度": "P3M",
    "季度": "P3M",
    "quarter": "P3M",
}
_PART_WORDS = {"晚": "晚上", "早": "早上", "晨": "早上"}


def is_recurring(core: str) -> bool:
    """Whether a canonical phrase names a rhythm rather than one moment."""
    if _WEEKDAY_RANGE.search(core):
        return True
    return bool(
        re.search(
            r"每|everyday|隔天|隔日|隔周|(?:[天日时周月头])\s?(?:1|\d+)次|工作日|(?<![a-z])(?:every|each|daily|hourly|weekly|monthly|nightly|quarterly|yearly|annually|fortnightly|weekdays?|working days?|business days?|weekends|(?:once|twice|thrice|\d+ times) (?:an?|per)|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|biweekly)(?![a-z])",
            core,
        ),
    )


def read_rhythm(core: str) -> str | None:
    """Read a canonical phrase as `every=` with `on=` and `at=`; None when anything is left over or unclear."""
    rest, clocks, possible = _take_clocks(core)
    if not possible:
        return None
    rhythm = _rhythm(rest)
    if rhythm is None:
        return None
    every, on = rhythm
    at = [f"{c.hour:02}:{c.minute:02}" for c in clocks]
    if at and every.startswith("PT"):
        return None
    if any(not c.sure and not 7 <= c.hour <= 12 for c in clocks):
        return None
    return compose(f"every={every}", f"on={on}" if on else None, f"at={','.join(at)}" if at else None)


def _take_clocks(core: str) -> tuple[str, list[Clock], bool]:
    """Cut the times of day out: 每天9点和18点 has two."""
    core = re.sub(r"每(晚|早|晨)(?:上)?", lambda m: f"每天 {_PART_WORDS[m[1]]}", core)
    core = re.sub(r"(?:every|each) (morning|afternoon|evening|night)", r"every day in the \1", core).replace(
        "in the night", "at night"
    )
    core = core.replace("nightly", "every day at night")
    clocks: list[Clock] = []
    kept = ""
    for separator, piece in _pieces(core):
        rest, clock, possible = clocktimes.take_clock(piece)
        if not possible:
            return core, [], False
        if clock is None and clocks and re.fullmatch(r"(?:at )?\d{1,2}", piece):
            rest, clock, possible = clocktimes.take_clock(f"{piece.removeprefix('at ')}点")
            if not possible:
                return core, [], False
        if clock is None:
            kept += separator + piece
            continue
        if clock.next_day:
            clock = Clock(clock.hour, clock.minute, clock.second)
        if clocks and kept and rest:
            return core, [], False  # two days with a time each are two reminders
        clocks.append(clock)
        kept += (separator if kept and rest else "") + rest
    ranked = sorted(clocks, key=lambda c: (c.hour, c.minute))
    return trim(kept), ranked, True


def _pieces(core: str) -> list[tuple[str, str]]:
    """Cut at "and" and its like, keeping what stood between."""
    pieces: list[tuple[str, str]] = []
    at, separator = 0, ""
    for m in _TWO_TIMES.finditer(core):
        pieces.append((separator, core[at : m.start()]))
        at, separator = m.end(), m[0]
    return [*pieces, (separator, core[at:])]


def _rhythm(core: str) -> tuple[str, str] | None:  # noqa: PLR0911 - a rule each
    """Read the rhythm and its days; None when something else is left."""
    core = re.sub(r"(?:^|\s)(?:at|on)$", "", trim(core)).strip(" ,、")
    core = core.replace("everyday", "every day")
    m = re.fullmatch(r"(.+?)(?:的)?\s?,?(?:每天|每日|every day|each day|daily)", core)
    codes = _weekday_codes(m[1]) if m else _weekday_codes(core) if _WEEKDAY_RANGE.fullmatch(core) else ""
    if codes:
        return "P1W", codes
    m = re.fullmatch(r"(.+) of (?:every|each|the) month", core)
    if m and (numbers := _month_days(m[1])):
        return "P1M", numbers
    core = re.sub(r"^on (?=[a-z])", "", core)
    if core in _EVERY_WORDS:
        return _EVERY_WORDS[core], ""
    if _WORKDAYS.fullmatch(core):
        return "P1W", _WEEKDAYS
    if _WEEKENDS.fullmatch(core):
        return "P1W", "SA,SU"
    m = _TIMES_DAILY.fullmatch(core)
    if m:
        return _times(m)
    m = re.fullmatch(r"隔(?:1)?(天|日|周)", core)
    if m:
        return ("P2W" if m[1] == "周" else "P2D"), ""
    m = re.fullmatch(rf"(?P<en>{EN_WEEKDAY}s(?:(?:, | and |, and ){EN_WEEKDAY}s)*)", core)
    if m:
        return "P1W", _weekday_codes(core) or ""
    m = re.fullmatch(r"(monthly|weekly)(?: on)?(?: the)? (.+)", core)
    if m:
        return _rhythm(f"every {'month' if m[1] == 'monthly' else 'week'} on {m[2]}")
    m = _ONCE_PER.fullmatch(core)
    if m and not core.startswith("每"):
        return _plain_span((m["span"] or m["span2"]).strip())
    m = _EVERY.fullmatch(re.sub(r"(?:提醒|发|来)?(?:一|1)次$", "", core))
    return _after_every(m["head"], m["rest"].strip()) if m else None


def _times(m: re.Match[str]) -> tuple[str, str] | None:
    word = m["n"] or m["h"] or (m["word"] or m["hword"]).split()[0]
    times = _TIMES.get(word) or int(word)
    minutes = 60 if m["h"] or m["hword"] else 1440
    if times < 1 or minutes % times:
        return None
    each = minutes // times
    if each == 1440:
        return "P1D", ""
    return (f"PT{each // 60}H" if each % 60 == 0 else f"PT{each}M"), ""


def _after_every(head: str, rest: str) -> tuple[str, str] | None:
    if head in ("每隔", "隔"):
        return _alternate(rest)
    if rest.startswith("other "):
        return _other(rest[6:])
    rest = re.sub(r"^个(?=(?:周|星期|礼拜)[1-6日天末])", "", rest)
    if rest in _SINGLE_DAY:
        return _SINGLE_DAY[rest], ""
    m = re.match(r"(?P<n>2|3|4)?(?:个)?(?P<unit>周|星期|礼拜| ?weeks?)(?: on)?(?:的)?\s?(?P<rest>.+)", rest)
    if m and m["n"]:
        codes = _weekday_codes(m["rest"].removeprefix("on "))
        if codes:
            return f"P{m['n']}W", codes
    m = re.fullmatch(r"(?:个)?(?:月|month)(?: on)?(?:的)?\s?(?P<rest>.+)", rest)
    if m:
        numbers = _month_days(m["rest"])
        return ("P1M", numbers) if numbers else None
    m = re.fullmatch(r"(?:week on|week,?|周|星期) (?P<rest>.+)", rest)
    codes = _weekday_codes(m["rest"] if m else rest)
    if codes:
        return "P1W", codes
    return _plain_span(rest)


def _alternate(rest: str) -> tuple[str, str] | None:
    """Read 每隔: with one day, week or month the next one is left out; hours and minutes are the interval itself."""
    m = re.fullmatch(r"1?(?:个)?(天|日|周|星期|礼拜|月)", rest)
    if m:
        return {"天": "P2D", "日": "P2D", "月": "P2M"}.get(m[1], "P2W"), ""
    return _plain_span(rest) if re.search(r"小时|钟头|分|hour|min", rest) else None


def _other(rest: str) -> tuple[str, str] | None:
    singles = {"day": "P2D", "week": "P2W", "month": "P2M", "hour": "PT2H", "year": "P2Y"}
    if rest in singles:
        return singles[rest], ""
    m = re.fullmatch(r"week on (.+)", rest)
    codes = _weekday_codes(m[1] if m else rest)
    return ("P2W", codes) if codes else None


def _plain_span(rest: str) -> tuple[str, str] | None:
    if rest.startswith("个半"):
        return None  # 每个半小时 may be half an hour or one and a half
    if re.match(
        r"(?:个)?(?:小时|钟头|半|刻钟|分钟|天|周|星期|月)|hour|half|minute|day|week|month", rest
    ) and not re.match(r"半|half", rest):
        rest = f"1{'' if not rest[0].isascii() else ' '}{rest}"
    amount = durations.one(rest.strip())
    if amount is None and (m := re.fullmatch(r"(\d+)\s?m", rest)) and int(m[1]):
        return f"PT{m[1]}M", ""
    if amount is None or not amount.text or amount.approx:
        return None
    if amount.text == "?":
        return f"PT{int(amount.value)}M", ""
    return amount.text, ""


def _month_days(text: str) -> str:
    """Turn days of a month into codes: numbers, 31 for the last one, 1MO and -1FR for the first Monday and the last Friday."""
    if _LAST_DAY.fullmatch(text.strip()):
        return "31"
    m = _NTH_WEEKDAY.fullmatch(text.strip())
    if m:
        number = "-1" if m["zl"] or m["el"] else m["zn"] or _NTH.get(m["en"], m["en"][:1])
        return "" if number == "5" else number + _CODES[weekday_of(m["zh"] or m["day"])]
    m = _MONTH_DAYS.fullmatch(text.strip())
    if not m:
        return ""
    numbers = [int(n) for n in re.findall(r"\d{1,2}", m[0])]
    return ",".join(map(str, numbers)) if all(1 <= n <= 31 for n in numbers) else ""


def _weekday_codes(text: str) -> str:
    """Turn 一三五, 周一到周五 or Mon and Wed into codes; empty when it is something else."""
    text = text.strip()
    if _WORKDAYS.fullmatch(text):
        return _WEEKDAYS
    if text in ("周末", "weekend", "weekends"):
        return "SA,SU"
    m = _WEEKDAY_RANGE.fullmatch(text) or re.fullmatch(
        r"(?P<a>[1-6日天])\s?(?:到|至|-|~)\s?(?P<b>[1-6日天])(?P<c>)(?P<d>)", text
    )
    if m:
        low, high = (weekday_of(x) for x in ((m["a"] or m["c"]), (m["b"] or m["d"])))
        return ",".join(_CODES[low : high + 1]) if low < high else ""
    m = _WEEKDAY_LIST.fullmatch(text)
    if not m:
        return ""
    if m["zh"]:
        found = {weekday_of(c) for c in m["zh"] if c in "123456日天"}
    else:
        found = {
            weekday_of(w.rstrip("s") if not re.fullmatch(EN_WEEKDAY, w) else w)
            for w in re.findall(r"[a-z]+", m["en"])
            if w != "and"
        }
    return ",".join(_CODES[i] for i in sorted(found))
