"""Reads the name of one day or of one period: 下周三, next Friday, 12月中旬, Q1, the 15th, 元旦.

Each reader gets the matched text and today's date, and answers with the possible spans of days, first and last included: one
for a clear name, two where the person must choose, none where no such day exists.
"""

# ruff: noqa: PLR2004 - months of a year and two-digit years are plainest as numbers

import calendar
import re
from collections.abc import Callable
from datetime import date, timedelta

from dateutil.relativedelta import relativedelta

from bot.quantities import holidays

Span = tuple[date, date]
Spans = list[Span]
_Reader = Callable[[re.Match[str], date], Spans]

MONTHS = (
    "jan(?:uary)?",
    "feb(?:ruary)?",
    "mar(?:ch)?",
    "apr(?:il)?",
    "may",
    "june?",
    "july?",
    "aug(?:ust)?",
    "sept?(?:ember)?",
    "oct(?:ober)?",
    "nov(?:ember)?",
    "dec(?:ember)?",
)
_EN_MONTH = "(?:" + "|".join(MONTHS) + r")\.?"
_WEEKDAYS = (
    "mon(?:day)?",
    "tues?(?:day)?",
    "wed(?:nesday|s)?",
    "thur?s?(?:day)?",
    "fri(?:day)?",
    "sat(?:urday)?",
    "sun(?:day)?",
)
EN_WEEKDAY = "(?:" + "|".join(_WEEKDAYS) + r")\.?"
ZH_WEEKDAY = r"(?:星期|礼拜|周)\s?[1-6日天]"
_WEEKDAY = rf"(?:{ZH_WEEKDAY}|{EN_WEEKDAY})"
_EARLIEST, _LATEST = 2000, 2100
# A date without a year that would lie further ahead than this does not exist (29 February).
_YEARS_AHEAD = 2

_YEAR = r"(?P<year>\d{4}年?|\d{2}年|今年|明年|后年|next year|this year)"
_EN_YEAR = r"(?:,? ?(?:of )?(?P<year>\d{4}|next year|this year))?"
_THIRD = r"(?P<third>上旬|中旬|下旬|上半月|下半月|初|头|中|末|底|尾|第?[1-4]周)"
_EN_THIRD = r"(?P<third>early|mid(?:dle)?(?: of)?|late|(?:the )?(?:very )?(?:beginning|start)(?: of)?|(?:the )?end(?: of)?|(?:the )?(?:first|1st|second|2nd|third|3rd|last|fourth|4th) week (?:of|in)|(?:the )?(?:first|1st|second|2nd) half of|(?:the )?first few days of)"
_REL_MONTH = r"(?P<rel>下下个?月|下个?月|次月|本月|这个?月|当月)"
_EN_REL_MONTH = r"(?P<rel>(?:the )?month after next|next month|this month|the month|month)"


def read_day(text: str, today: date, *, day_first: bool | None) -> Spans | None:
    """Read a whole phrase as one day or period; None when it is none.

    `day_first` tells how 5/1 is written where the person comes from: False is May 1 (as in China), True is 5 January, None
    asks when both exist.
    """
    text = text.strip(" ,.")
    text = re.sub(r"^(?:on|at|in)\s+(?=\S)", "", text)
    for pattern, reader in _READERS:
        m = pattern.fullmatch(text)
        if m:
            return [s for s in reader(m, today) if _EARLIEST <= s[0].year <= _LATEST]
    m = _SLASHED.fullmatch(text)
    if m:
        return _slashed(m, today, day_first=day_first)
    return None


def weekday_of(name: str) -> int:
    """Monday is 0; `name` is any spelling of a weekday."""
    if name[-1] in "123456":
        return int(name[-1]) - 1
    if name[-1] in "日天":
        return 6
    return next(i for i, words in enumerate(_WEEKDAYS) if re.fullmatch(words, name.rstrip(".")))


def end_of_month(day: date) -> date:
    """Last day of the month of `day`."""
    return day.replace(day=calendar.monthrange(day.year, day.month)[1])


def _day(day: date) -> Spans:
    return [(day, day)]


def _make(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _one(day: date | None) -> Spans:
    return _day(day) if day else []


def _year(text: str | None, today: date) -> int | None:
    if not text:
        return None
    words = {"今年": 0, "this year": 0, "明年": 1, "next year": 1, "后年": 2}
    if text in words:
        return today.year + words[text]
    number = int(text.rstrip("年"))
    return number + 2000 if number < 100 else number


def _month(text: str) -> int:
    if text[0].isdigit():
        return int(re.match(r"\d+", text)[0])  # type: ignore[index] # begins with a digit
    return next(i for i, words in enumerate(MONTHS, start=1) if re.fullmatch(words, text.rstrip(".")))


def _next(today: date, month: int, day: int) -> date | None:
    """The next such day that has not passed, today included."""
    for year in range(today.year, today.year + _YEARS_AHEAD):
        found = _make(year, month, day)
        if found and found >= today:
            return found
    return None


def _relative(m: re.Match[str], today: date) -> Spans:
    text = m[0]
    for words, shift in _RELATIVE_DAYS:
        if re.fullmatch(words, text):
            return _day(today + timedelta(days=shift))
    return []


_RELATIVE_DAYS = (
    (r"今天|今日|today|本日|当天", 0),
    (r"明天|明日|明儿|次日|tomorrow|tmrw?|tmr|tomo|tomorow|tommorow|tommorrow|2morrow", 1),
    (r"后天|后日|后儿|(?:the )?day after tomorrow|overmorrow", 2),
    (r"大后天", 3),
    (r"昨天|昨日|yesterday", -1),
    (r"前天|前日|(?:the )?day before yesterday", -2),
)


def _two_days(m: re.Match[str], today: date) -> Spans:
    first = today + timedelta(days=m["first"] == "明后")
    return [(first, first + timedelta(days=1))]


def _full_date(m: re.Match[str], today: date) -> Spans:
    year = _year(m["year"], today)
    return _one(_make(year or today.year, _month(m["month"]), int(m["day"])))


def _month_day(m: re.Match[str], today: date) -> Spans:
    return _one(_next(today, _month(m["month"]), int(m["day"])))


def _en_month_day(m: re.Match[str], today: date) -> Spans:
    year = _year(m["year"], today)
    month, day = _month(m["month"]), int(m["day"])
    return _one(_make(year, month, day) if year else _next(today, month, day))


def _day_of_month(m: re.Match[str], today: date) -> Spans:
    day = int(m["day"])
    for ahead in range(3):
        first = today.replace(day=1) + relativedelta(months=ahead)
        found = _make(first.year, first.month, day)
        if found and found >= today:
            return _day(found)
    return []


def _relative_month_day(m: re.Match[str], today: date) -> Spans:
    first = _relative_month(m["rel"], today)
    return _one(_make(first.year, first.month, int(m["day"])))


def _relative_month(words: str, today: date) -> date:
    shift = (
        2 if words.startswith("下下") or "after next" in words else 1 if words[0] in "下次" or "next" in words else 0
    )
    return today.replace(day=1) + relativedelta(months=shift)


def _weekday(m: re.Match[str], today: date) -> Spans:
    wanted = weekday_of(m["wd"])
    ahead = (wanted - today.weekday()) % 7
    if ahead == 0:
        return [*_day(today), *_day(today + timedelta(days=7))]
    return _day(today + timedelta(days=ahead))


def _this_weekday(m: re.Match[str], today: date) -> Spans:
    wanted = weekday_of(m["wd"])
    found = today + timedelta(days=wanted - today.weekday())
    return _day(found) if found >= today else []


def _coming_weekday(m: re.Match[str], today: date) -> Spans:
    ahead = (weekday_of(m["wd"]) - today.weekday()) % 7
    return _day(today + timedelta(days=ahead or 7))


def _en_next_weekday(m: re.Match[str], today: date) -> Spans:
    """Give both readings of "next Friday": the coming one and the one in the next week."""
    wanted = weekday_of(m["wd"])
    coming = today + timedelta(days=(wanted - today.weekday()) % 7 or 7)
    in_next_week = today + timedelta(days=7 + wanted - today.weekday())
    return _day(coming) if coming == in_next_week else [*_day(coming), *_day(in_next_week)]


def _weekday_in_week(m: re.Match[str], today: date) -> Spans:
    week = m["week"] if "week" in m.re.groupindex else ""
    shift = _weeks_ahead(week)
    return _day(today + timedelta(days=7 * shift + weekday_of(m["wd"]) - today.weekday()))


def _weekday_plus(m: re.Match[str], today: date) -> Spans:
    """Read "a week from Friday", "two weeks from tomorrow"."""
    weeks = 1 if m["n"].startswith("a") else int(m["n"])
    if "wd" in m.groupdict() and m["wd"]:
        anchors = _weekday(m, today)
    else:
        anchors = _relative(re.fullmatch(r".+", m["anchor"]), today)  # type: ignore[arg-type] # never empty
    return [(a + timedelta(days=7 * weeks), b + timedelta(days=7 * weeks)) for a, b in anchors]


def _weeks_ahead(words: str) -> int:
    return (
        2
        if words.startswith("下下") or "after next" in words
        else 1
        if words.startswith(("下", "next", "the next"))
        else 0
    )


def _week(m: re.Match[str], today: date) -> Spans:
    shift = _weeks_ahead(m["week"])
    monday = today + timedelta(days=7 * shift - today.weekday())
    return [(max(monday, today), monday + timedelta(days=6))]


def _week_of(m: re.Match[str], today: date) -> Spans:
    spans = read_day(m["rest"], today, day_first=False)
    if not spans or len(spans) != 1:
        return []
    monday = spans[0][0] - timedelta(days=spans[0][0].weekday())
    return [(monday, monday + timedelta(days=6))]


def _weekend(m: re.Match[str], today: date) -> Spans:
    words = m["week"] or ""
    saturday = today + timedelta(days=5 - today.weekday() + 7 * _weeks_ahead(words))
    span = (max(saturday, today), saturday + timedelta(days=1))
    if not words.startswith("next"):
        return [span]
    earlier = saturday - timedelta(days=7)
    return [(max(earlier, today), earlier + timedelta(days=1)), span]


def _part_of_month(first: date, third: str) -> Spans:
    last = end_of_month(first)
    week = re.search(r"([1-4]|first|second|third|fourth|last)(?:st|nd|rd|th)?\s?(?:周|week)", third)
    if week:
        number = (
            {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 0}.get(week[1])
            if not week[1].isdigit()
            else int(week[1])
        )
        if not number:
            return [(last - timedelta(days=6), last)]
        return [(first.replace(day=7 * number - 6), first.replace(day=7 * number))]
    if "half of" in third or "半月" in third:
        second = "second" in third or "2nd" in third or third.startswith("下")
        return [(first.replace(day=16), last)] if second else [(first, first.replace(day=15))]
    if third.startswith(("初", "头", "上旬", "early")) or re.search(r"beginning|start|first few", third):
        return [(first, first.replace(day=10))]
    if third.startswith(("中", "mid")):
        return [(first.replace(day=11), first.replace(day=20))]
    if third.startswith(("下旬", "late")):
        return [(first.replace(day=21), last)]
    return _day(last)


def _bare_part_of_month(m: re.Match[str], today: date) -> Spans:
    """Read 月初 or 月底 without a month: the next one; on the last day of a month 月底 is unclear."""
    this, following = today.replace(day=1), today.replace(day=1) + relativedelta(months=1)
    [span] = _part_of_month(this, m["third"])
    if span[0] == span[1] == today:
        return [span, *_part_of_month(following, m["third"])]
    return [span] if span[0] >= today else _part_of_month(following, m["third"])


def _relative_month_part(m: re.Match[str], today: date) -> Spans:
    first = _relative_month(m["rel"], today)
    if not m["third"]:
        return [(max(first, today), end_of_month(first))]
    if m["rel"] in ("the month", "month"):
        return _bare_part_of_month(m, today)
    return [s for s in _part_of_month(first, m["third"]) if s[1] >= today]


def _named_month(m: re.Match[str], today: date) -> Spans:
    groups = m.groupdict()
    month = _month(m["month"])
    if not 1 <= month <= 12:
        return []
    year = _year(groups.get("year"), today)
    first = date(year or today.year, month, 1)
    if year is None and end_of_month(first) < today:
        first = first.replace(year=today.year + 1)
    if not groups.get("third"):
        return [(max(first, today) if first <= today <= end_of_month(first) else first, end_of_month(first))]
    spans = _part_of_month(first, m["third"])
    if year is None and spans[0][1] < today:
        return _part_of_month(first.replace(year=first.year + 1), m["third"])
    return spans


def _quarter(m: re.Match[str], today: date) -> Spans:
    groups = m.groupdict()
    year = _year(groups.get("year") or groups.get("year2"), today)
    number = int(m["q"])
    first = date(year or today.year, 3 * number - 2, 1)
    last = first + relativedelta(months=3) - timedelta(days=1)
    if year is None and last < today:
        first, last = first + relativedelta(years=1), last + relativedelta(years=1)
    return _day(last) if groups.get("end") else [(max(first, today) if last >= today else first, last)]


def _relative_quarter(m: re.Match[str], today: date) -> Spans:
    first = date(today.year, 3 * ((today.month - 1) // 3) + 1, 1) + relativedelta(
        months=3 * (m["rel"].startswith(("下", "next")))
    )
    last = first + relativedelta(months=3) - timedelta(days=1)
    return _day(last) if m["end"] else [(max(first, today), last)]


def _half_year(m: re.Match[str], today: date) -> Spans:
    groups = m.groupdict()
    year = _year(groups.get("year") or groups.get("year2"), today)
    second = groups["half"] in ("下", "2", "second", "2nd")
    first = date(year or today.year, 7 if second else 1, 1)
    last = first + relativedelta(months=6) - timedelta(days=1)
    if year is None and last < today:
        first, last = first + relativedelta(years=1), last + relativedelta(years=1)
    return [(max(first, today) if last >= today else first, last)]


def _whole_year(m: re.Match[str], today: date) -> Spans:
    year = _year(m["year"], today)
    if year is None or not _EARLIEST <= year <= _LATEST:
        return []
    first, last = date(year, 1, 1), date(year, 12, 31)
    return [(max(first, today) if last >= today else first, last)]


def _end_of_year(m: re.Match[str], today: date) -> Spans:
    year = _year(m.groupdict().get("year"), today)
    last = date(year or today.year, 12, 31)
    return [*_day(last), *_day(last.replace(year=last.year + 1))] if year is None and last == today else _day(last)


def _start_of_year(m: re.Match[str], today: date) -> Spans:
    year = _year(m.groupdict().get("year"), today) or today.year + (today.month > 1)
    return [(date(year, 1, 1), date(year, 1, 31))]


def _holiday(m: re.Match[str], today: date) -> Spans:
    year = _year(m["year"], today)
    return _one(holidays.holiday(m["name"], year) if year else holidays.next_holiday(m["name"], today))


def _slashed(m: re.Match[str], today: date, *, day_first: bool | None) -> Spans:
    if m["sep"] == "-" and not m["year"] and (m["named"] or len(m["b"]) == 1):
        return []  # 3-5号 are days of one month
    a, b = int(m["a"]), int(m["b"])
    year = int(m["year"]) if m["year"] else None
    if year is not None and year < 100:
        year += 2000

    def on(month: int, day: int) -> Spans:
        return _one(_make(year, month, day) if year else _next(today, month, day))

    readings = [on(a, b), on(b, a)]
    if day_first is not None and readings[day_first]:
        return readings[day_first]
    return sorted(dict.fromkeys(readings[0] + readings[1]))


def _rx(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


_SLASHED = _rx(r"(?P<a>\d{1,2})(?P<sep>[/.-])(?P<b>\d{1,2})(?:(?P=sep)(?P<year>\d{4}|\d{2}))?(?P<named>号|日)?")
_RELATIVE_PATTERN = "|".join(words for words, _ in _RELATIVE_DAYS)
_ORDINAL = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_IN_BRACKETS = rf"(?:\s?\(?(?P<wd>{_WEEKDAY})\)?)?"


def _checked(reader: _Reader) -> _Reader:
    """Refuse a date whose weekday, when named too, does not fit."""

    def read(m: re.Match[str], today: date) -> Spans:
        spans = reader(m, today)
        named = m.groupdict().get("wd")
        return [s for s in spans if not named or s[0].weekday() == weekday_of(named)]

    return read


def _ordinal_day(m: re.Match[str], today: date) -> Spans:
    day = m["day"] or m["day2"]
    return _day_of_month(re.fullmatch(r"(?P<day>\d+)", day), today)  # type: ignore[arg-type] # digits


def _this_week(m: re.Match[str], today: date) -> Spans:
    name = m["wd"] or m["wd2"]
    return _this_weekday(re.fullmatch(r"(?P<wd>.+)", name), today)  # type: ignore[arg-type] # never empty


def _bare_end(today: date) -> Spans:
    return _bare_part_of_month(re.fullmatch(r"(?P<third>.+)", "底"), today)  # type: ignore[arg-type] # never empty


def _start_of_year_en(m: re.Match[str], today: date) -> Spans:
    year = today.year + 1 if m["year"] in ("next year", "year") else int(m["year"])
    return [(date(year, 1, 1), date(year, 1, 31))]


_READERS: tuple[tuple[re.Pattern[str], _Reader], ...] = (
    (_rx(_RELATIVE_PATTERN), _relative),
    (_rx(r"(?P<first>今明|明后)[两2]?个?天"), _two_days),
    (
        _rx(rf"(?P<year>\d{{4}})(?P<sep>[-/.])(?P<month>\d{{1,2}})(?P=sep)(?P<day>\d{{1,2}})(?:日|号)?{_IN_BRACKETS}"),
        _checked(_full_date),
    ),
    (_rx(r"(?P<year>20\d{2})(?P<month>\d{2})(?P<day>\d{2})"), _full_date),
    (
        _rx(rf"{_YEAR}的?\s?(?P<month>\d{{1,2}})\s?月份?的?\s?(?P<day>\d{{1,2}})\s?(?:日|号)?{_IN_BRACKETS}"),
        _checked(_full_date),
    ),
    (
        _rx(rf"(?:{_WEEKDAY},? )?(?P<month>\d{{1,2}})\s?月份?的?\s?{_ORDINAL}\s?(?:日|号)?{_IN_BRACKETS}"),
        _checked(_month_day),
    ),
    (
        _rx(
            rf"(?:(?P<wd>{EN_WEEKDAY}),? )?(?:the )?(?P<month>{_EN_MONTH})[ -]?(?:the )?{_ORDINAL}(?:号|日)?{_EN_YEAR}"
        ),
        _checked(_en_month_day),
    ),
    (
        _rx(
            rf"(?:(?P<wd>{EN_WEEKDAY}),? )?(?:the )?{_ORDINAL}[ -]?(?:of )?(?P<month>{_EN_MONTH})(?:[- ]?{_EN_YEAR[3:]}"
        ),
        _checked(_en_month_day),
    ),
    (_rx(rf"(?P<year>\d{{4}}),? (?P<month>{_EN_MONTH}) {_ORDINAL}"), _en_month_day),
    (_rx(rf"{_REL_MONTH}的?(?P<day>\d{{1,2}})(?:日|号)?"), _relative_month_day),
    (_rx(rf"(?:the )?{_ORDINAL} (?:of )?(?P<rel>next month|this month)"), _relative_month_day),
    (_rx(rf"(?P<rel>next month|this month)(?: on)? (?:the )?{_ORDINAL}(?:号|日)?"), _relative_month_day),
    (
        _rx(r"(?P<day>\d{1,2})(?:号|日)|the (?P<d>\d{1,2})(?:st|nd|rd|th)".replace("(?P<d>", "(?P<day2>")),
        _ordinal_day,
    ),
    (_rx(r"(?P<day>\d{1,2})(?:st|nd|rd|th)"), _day_of_month),
    (_rx(rf"(?P<week>下下个?|下个?)(?P<wd>{ZH_WEEKDAY})"), _weekday_in_week),
    (
        _rx(
            rf"(?P<week>next week|the week after next|week after next|下下个?周|下个?周|下个?星期|下个?礼拜)的?(?:'s)?(?: on)?\s?(?P<wd>{_WEEKDAY})"
        ),
        _weekday_in_week,
    ),
    (_rx(rf"(?P<wd>{EN_WEEKDAY})(?: of| the)? (?P<week>next week|week after next)"), _weekday_in_week),
    (_rx(rf"(?:这个?|本)(?P<wd>{ZH_WEEKDAY})"), _this_weekday),
    (
        _rx(rf"(?:this coming|coming|this|upcoming) (?P<wd>{_WEEKDAY})"),
        lambda m, t: (
            _this_weekday(m, t) if m[0].startswith("this ") and "coming" not in m[0] else _coming_weekday(m, t)
        ),
    ),
    (_rx(rf"(?P<wd>{EN_WEEKDAY})(?: of)? this week|this week (?P<wd2>{EN_WEEKDAY})"), _this_week),
    (_rx(rf"next (?P<wd>{_WEEKDAY})"), _en_next_weekday),
    (_rx(rf"(?P<wd>{_WEEKDAY})"), _weekday),
    (
        _rx(
            rf"(?P<n>an?|\d{{1,2}}) weeks? (?:from|after) (?:(?:this |next )?(?P<wd>{EN_WEEKDAY})|(?P<anchor>{_RELATIVE_PATTERN}))"
        ),
        _weekday_plus,
    ),
    (
        _rx(
            r"(?P<week>下下个?周|下下个?星期|下下个?礼拜|下个?周|下个?星期|下个?礼拜|本周|这个?周|这个?星期|这个?礼拜|the week after next|week after next|(?:the )?next week|this week)(?:里|之?内|中|当中)?"
        ),
        _week,
    ),
    (_rx(r"(?:the )?week of (?:the )?(?P<rest>.+)"), _week_of),
    (
        _rx(r"(?P<week>下下个?|下个?|本|这个?|this |next |the |coming |this coming )?(?:周末|星期6日|星期末|weekend)"),
        _weekend,
    ),
    (_rx(rf"{_REL_MONTH}的?{_THIRD}?"), _relative_month_part),
    (
        _rx(rf"(?:{_EN_THIRD}[ -](?:the )?)?(?P<rel>(?:the )?month after next|next month|this month)"),
        _relative_month_part,
    ),
    (
        _rx(rf"{_EN_THIRD} (?P<rel>the month|month)|month[ -](?P<monthend>end)|eom"),
        lambda m, t: _relative_month_part(m, t) if m["third"] else _bare_end(t),
    ),
    (_rx(rf"月{_THIRD}"), _bare_part_of_month),
    (_rx(rf"{_YEAR}的?\s?(?P<month>\d{{1,2}})\s?月份?的?{_THIRD}?"), _named_month),
    (_rx(r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})"), _named_month),
    (_rx(rf"(?P<month>\d{{1,2}})\s?月份?的?{_THIRD}?"), _named_month),
    (_rx(rf"(?:{_EN_THIRD}[ -](?:the )?)?(?P<month>{_EN_MONTH}){_EN_YEAR}"), _named_month),
    (_rx(rf"(?P<month>{_EN_MONTH})\s?{_THIRD}"), _named_month),
    (_rx(rf"(?:{_YEAR}的?\s?)?(?:第?(?P<q>[1-4])季度?)(?P<end>末|底)?"), _quarter),
    (
        _rx(rf"(?:{_YEAR}的?\s?)?(?P<end>end of )?q(?P<q>[1-4])(?:[ ,of]*(?P<year2>\d{{4}}|next year|this year))?"),
        _quarter,
    ),
    (_rx(r"(?P<rel>下个?季度|本季度?|这个?季度|当季)(?P<end>末|底)?"), _relative_quarter),
    (_rx(r"(?P<end>(?:the )?end of (?:the )?)?(?P<rel>next quarter|this quarter|quarter)"), _relative_quarter),
    (_rx(rf"(?:{_YEAR}的?)?(?P<half>[上下])半年"), _half_year),
    (_rx(r"(?:(?:the )?(?P<half>first|second|1st|2nd) half of (?P<year>\d{4}|next year|this year))"), _half_year),
    (_rx(rf"(?:{_YEAR}\s?)?h(?P<half>[12])(?: ?(?P<year2>\d{{4}}))?"), _half_year),
    (_rx(rf"(?:{_YEAR}|年)(?:的)?(?:年)?(?:底|末|尾)|岁末"), _end_of_year),
    (
        _rx(
            r"(?:by )?(?:the )?end of (?:the )?(?P<year>\d{4}|this year|next year)|(?:the )?end of (?:the )?year|(?:the )?year[- ]end|eoy"
        ),
        _end_of_year,
    ),
    (_rx(rf"(?:{_YEAR}|年)的?(?:年)?初"), _start_of_year),
    (
        _rx(r"(?:(?:the )?(?:beginning|start) of (?:the )?|early )(?P<year>\d{4}|next year|year)"),
        _start_of_year_en,
    ),
    (_rx(_YEAR + r"(?:内|之内|里)?"), _whole_year),
    (_rx(rf"(?:{_YEAR}的?\s?)?(?P<name>{holidays.NAMES.pattern})"), _holiday),
)
