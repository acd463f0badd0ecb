"""Reads the name of one day or of one period: 下周三, next Friday, 12月中旬, Q1, the 15th, 元旦.

Each reader gets the matched text and today's date, and answers with the possible spans of days, first and last included: one
for a clear name, two where the person must choose, none where no such day exists.
"""

# ruff: noqa: PLR2004 - two-digit years are plainest as numbers

import re
from datetime import date, timedelta

from dateutil.relativedelta import relativedelta

from bot.quantities import holidays
from bot.quantities.names import (
    EARLIEST,
    EN_MONTH,
    EN_WEEKDAY,
    EN_YEAR,
    LATEST,
    REL_MONTH,
    WEEKDAY,
    YEAR,
    ZH_WEEKDAY,
    Reader,
    Spans,
    known,
    made,
    month_of,
    next_such,
    one_day,
    relative_month,
    rx,
    weekday_of,
    weeks_ahead,
    year_of,
)
from bot.quantities.periods import PERIODS


def read_day(text: str, today: date, *, day_first: bool | None) -> Spans | None:
    """Read a whole phrase as one day or period; None when it is none.

    `day_first` tells how 5/1 is written where the person comes from: False is May 1 (as in China), True is 5 January, None
    asks when both exist.
    """
    text = text.strip(" ,.")
    text = re.sub(r"^(?:on|at|in)\s+(?=\S)", "", text)
    for pattern, reader in (*_DAYS, *PERIODS):
        m = pattern.fullmatch(text)
        if m:
            return [s for s in reader(m, today) if EARLIEST <= s[0].year <= LATEST]
    m = _SLASHED.fullmatch(text)
    if m:
        return _slashed(m, today, day_first=day_first)
    return None


def _relative(m: re.Match[str], today: date) -> Spans:
    text = m[0]
    for words, shift in _RELATIVE_DAYS:
        if re.fullmatch(words, text):
            return one_day(today + timedelta(days=shift))
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
    year = year_of(m["year"], today)
    return known(made(year or today.year, month_of(m["month"]), int(m["day"])))


def _month_day(m: re.Match[str], today: date) -> Spans:
    return known(next_such(today, month_of(m["month"]), int(m["day"])))


def _en_month_day(m: re.Match[str], today: date) -> Spans:
    year = year_of(m["year"], today)
    month, day = month_of(m["month"]), int(m["day"])
    return known(made(year, month, day) if year else next_such(today, month, day))


def _day_of_month(m: re.Match[str], today: date) -> Spans:
    day = int(m["day"])
    for ahead in range(3):
        first = today.replace(day=1) + relativedelta(months=ahead)
        found = made(first.year, first.month, day)
        if found and found >= today:
            return one_day(found)
    return []


def _relative_month_day(m: re.Match[str], today: date) -> Spans:
    first = relative_month(m["rel"], today)
    return known(made(first.year, first.month, int(m["day"])))


def _weekday(m: re.Match[str], today: date) -> Spans:
    wanted = weekday_of(m["wd"])
    ahead = (wanted - today.weekday()) % 7
    if ahead == 0:
        return [*one_day(today), *one_day(today + timedelta(days=7))]
    return one_day(today + timedelta(days=ahead))


def _this_weekday(m: re.Match[str], today: date) -> Spans:
    wanted = weekday_of(m["wd"])
    found = today + timedelta(days=wanted - today.weekday())
    return one_day(found) if found >= today else []


def _coming_weekday(m: re.Match[str], today: date) -> Spans:
    ahead = (weekday_of(m["wd"]) - today.weekday()) % 7
    return one_day(today + timedelta(days=ahead or 7))


def _en_next_weekday(m: re.Match[str], today: date) -> Spans:
    """Give both readings of "next Friday": the coming one and the one in the next week."""
    wanted = weekday_of(m["wd"])
    coming = today + timedelta(days=(wanted - today.weekday()) % 7 or 7)
    in_next_week = today + timedelta(days=7 + wanted - today.weekday())
    return one_day(coming) if coming == in_next_week else [*one_day(coming), *one_day(in_next_week)]


def _weekday_in_week(m: re.Match[str], today: date) -> Spans:
    week = m["week"] if "week" in m.re.groupindex else ""
    shift = weeks_ahead(week)
    return one_day(today + timedelta(days=7 * shift + weekday_of(m["wd"]) - today.weekday()))


def _weekday_plus(m: re.Match[str], today: date) -> Spans:
    """Read "a week from Friday", "two weeks from tomorrow"."""
    weeks = 1 if m["n"].startswith("a") else int(m["n"])
    if "wd" in m.groupdict() and m["wd"]:
        anchors = _weekday(m, today)
    else:
        anchors = _relative(re.fullmatch(r".+", m["anchor"]), today)  # type: ignore[arg-type] # never empty
    return [(a + timedelta(days=7 * weeks), b + timedelta(days=7 * weeks)) for a, b in anchors]


def _week_of(m: re.Match[str], today: date) -> Spans:
    spans = read_day(m["rest"], today, day_first=False)
    if not spans or len(spans) != 1:
        return []
    monday = spans[0][0] - timedelta(days=spans[0][0].weekday())
    return [(monday, monday + timedelta(days=6))]


def _holiday(m: re.Match[str], today: date) -> Spans:
    year = year_of(m["year"], today)
    return known(holidays.holiday(m["name"], year) if year else holidays.next_holiday(m["name"], today))


def _slashed(m: re.Match[str], today: date, *, day_first: bool | None) -> Spans:
    if m["sep"] == "-" and not m["year"] and (m["named"] or len(m["b"]) == 1):
        return []  # 3-5号 are days of one month
    a, b = int(m["a"]), int(m["b"])
    year = int(m["year"]) if m["year"] else None
    if year is not None and year < 100:
        year += 2000

    def on(month: int, day: int) -> Spans:
        return known(made(year, month, day) if year else next_such(today, month, day))

    readings = [on(a, b), on(b, a)]
    if day_first is not None and readings[day_first]:
        return readings[day_first]
    return sorted(dict.fromkeys(readings[0] + readings[1]))


_SLASHED = rx(r"(?P<a>\d{1,2})(?P<sep>[/.-])(?P<b>\d{1,2})(?:(?P=sep)(?P<year>\d{4}|\d{2}))?(?P<named>号|日)?")
_RELATIVE_PATTERN = "|".join(words for words, _ in _RELATIVE_DAYS)
_ORDINAL = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_IN_BRACKETS = rf"(?:\s?\(?(?P<wd>{WEEKDAY})\)?)?"


def _checked(reader: Reader) -> Reader:
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


_DAYS: tuple[tuple[re.Pattern[str], Reader], ...] = (
    (rx(_RELATIVE_PATTERN), _relative),
    (rx(r"(?P<first>今明|明后)[两2]?个?天"), _two_days),
    (
        rx(rf"(?P<year>\d{{4}})(?P<sep>[-/.])(?P<month>\d{{1,2}})(?P=sep)(?P<day>\d{{1,2}})(?:日|号)?{_IN_BRACKETS}"),
        _checked(_full_date),
    ),
    (rx(r"(?P<year>20\d{2})(?P<month>\d{2})(?P<day>\d{2})"), _full_date),
    (
        rx(rf"{YEAR}的?\s?(?P<month>\d{{1,2}})\s?月份?的?\s?(?P<day>\d{{1,2}})\s?(?:日|号)?{_IN_BRACKETS}"),
        _checked(_full_date),
    ),
    (
        rx(rf"(?:{WEEKDAY},? )?(?P<month>\d{{1,2}})\s?月份?的?\s?{_ORDINAL}\s?(?:日|号)?{_IN_BRACKETS}"),
        _checked(_month_day),
    ),
    (
        rx(rf"(?:(?P<wd>{EN_WEEKDAY}),? )?(?:the )?(?P<month>{EN_MONTH})[ -]?(?:the )?{_ORDINAL}(?:号|日)?{EN_YEAR}"),
        _checked(_en_month_day),
    ),
    (
        rx(rf"(?:(?P<wd>{EN_WEEKDAY}),? )?(?:the )?{_ORDINAL}[ -]?(?:of )?(?P<month>{EN_MONTH})(?:[- ]?{EN_YEAR[3:]}"),
        _checked(_en_month_day),
    ),
    (rx(rf"(?P<year>\d{{4}}),? (?P<month>{EN_MONTH}) {_ORDINAL}"), _en_month_day),
    (rx(rf"{REL_MONTH}的?\s?(?P<day>\d{{1,2}})(?:日|号)?"), _relative_month_day),
    (rx(rf"(?:the )?{_ORDINAL} (?:of )?(?P<rel>next month|this month)"), _relative_month_day),
    (rx(rf"(?P<rel>next month|this month)(?: on)? (?:the )?{_ORDINAL}(?:号|日)?"), _relative_month_day),
    (
        rx(r"(?P<day>\d{1,2})(?:号|日)|the (?P<d>\d{1,2})(?:st|nd|rd|th)".replace("(?P<d>", "(?P<day2>")),
        _ordinal_day,
    ),
    (rx(r"(?P<day>\d{1,2})(?:st|nd|rd|th)"), _day_of_month),
    (rx(rf"(?P<week>下下个?|下个?)(?P<wd>{ZH_WEEKDAY})"), _weekday_in_week),
    (
        rx(
            rf"(?P<week>next week|the week after next|week after next|下下个?周|下个?周|下个?星期|下个?礼拜)的?(?:'s)?(?: on)?\s?(?P<wd>{WEEKDAY})"
        ),
        _weekday_in_week,
    ),
    (rx(rf"(?P<wd>{EN_WEEKDAY})(?: of| the)? (?P<week>next week|week after next)"), _weekday_in_week),
    (rx(rf"(?:这个?|本)(?P<wd>{ZH_WEEKDAY})"), _this_weekday),
    (
        rx(rf"(?:this coming|coming|this|upcoming) (?P<wd>{WEEKDAY})"),
        lambda m, t: (
            _this_weekday(m, t) if m[0].startswith("this ") and "coming" not in m[0] else _coming_weekday(m, t)
        ),
    ),
    (rx(rf"(?P<wd>{EN_WEEKDAY})(?: of)? this week|this week (?P<wd2>{EN_WEEKDAY})"), _this_week),
    (rx(rf"next (?P<wd>{WEEKDAY})"), _en_next_weekday),
    (rx(rf"(?P<wd>{WEEKDAY})"), _weekday),
    (
        rx(
            rf"(?P<n>an?|\d{{1,2}}) weeks? (?:from|after) (?:(?:this |next )?(?P<wd>{EN_WEEKDAY})|(?P<anchor>{_RELATIVE_PATTERN}))"
        ),
        _weekday_plus,
    ),
    (rx(r"(?:the )?week of (?:the )?(?P<rest>.+)"), _week_of),
    (rx(rf"(?:{YEAR}的?\s?)?(?P<name>{holidays.NAMES.pattern})"), _holiday),
)
