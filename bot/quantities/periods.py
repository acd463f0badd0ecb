"""Reads the name of a period: 下周, next weekend, 12月中旬, Q1, the end of the year."""

# ruff: noqa: PLR2004 - months of a year are plainest as numbers

import re
from datetime import date, timedelta

from dateutil.relativedelta import relativedelta

from bot.quantities.names import (
    EARLIEST,
    EN_MONTH,
    EN_YEAR,
    LATEST,
    REL_MONTH,
    YEAR,
    Reader,
    Spans,
    end_of_month,
    month_of,
    one_day,
    relative_month,
    rx,
    weeks_ahead,
    year_of,
)

_THIRD = r"(?P<third>上旬|中旬|下旬|上半月|下半月|初|头|中|末|底|尾|第?[1-4]周)"
_EN_THIRD = r"(?P<third>early|mid(?:dle)?(?: of)?|late|(?:the )?(?:very )?(?:beginning|start)(?: of)?|(?:the )?end(?: of)?|(?:the )?(?:first|1st|second|2nd|third|3rd|last|fourth|4th) week (?:of|in)|(?:the )?(?:first|1st|second|2nd) half of|(?:the )?first few days of)"


def _week(m: re.Match[str], today: date) -> Spans:
    shift = weeks_ahead(m["week"])
    monday = today + timedelta(days=7 * shift - today.weekday())
    return [(max(monday, today), monday + timedelta(days=6))]


def _weekend(m: re.Match[str], today: date) -> Spans:
    words = m["week"] or ""
    saturday = today + timedelta(days=5 - today.weekday() + 7 * weeks_ahead(words))
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
    return one_day(last)


def _bare_part_of_month(m: re.Match[str], today: date) -> Spans:
    """Read 月初 or 月底 without a month: the next one; on the last day of a month 月底 is unclear."""
    this, following = today.replace(day=1), today.replace(day=1) + relativedelta(months=1)
    [span] = _part_of_month(this, m["third"])
    if span[0] == span[1] == today:
        return [span, *_part_of_month(following, m["third"])]
    return [span] if span[0] >= today else _part_of_month(following, m["third"])


def _relative_month_part(m: re.Match[str], today: date) -> Spans:
    first = relative_month(m["rel"], today)
    if not m["third"]:
        return [(max(first, today), end_of_month(first))]
    if m["rel"] in ("the month", "month"):
        return _bare_part_of_month(m, today)
    return [s for s in _part_of_month(first, m["third"]) if s[1] >= today]


def _named_month(m: re.Match[str], today: date) -> Spans:
    groups = m.groupdict()
    month = month_of(m["month"])
    if not 1 <= month <= 12:
        return []
    year = year_of(groups.get("year"), today)
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
    year = year_of(groups.get("year") or groups.get("year2"), today)
    number = int(m["q"])
    first = date(year or today.year, 3 * number - 2, 1)
    last = first + relativedelta(months=3) - timedelta(days=1)
    if year is None and last < today:
        first, last = first + relativedelta(years=1), last + relativedelta(years=1)
    return one_day(last) if groups.get("end") else [(max(first, today) if last >= today else first, last)]


def _relative_quarter(m: re.Match[str], today: date) -> Spans:
    first = date(today.year, 3 * ((today.month - 1) // 3) + 1, 1) + relativedelta(
        months=3 * (m["rel"].startswith(("下", "next")))
    )
    last = first + relativedelta(months=3) - timedelta(days=1)
    return one_day(last) if m["end"] else [(max(first, today), last)]


def _half_year(m: re.Match[str], today: date) -> Spans:
    groups = m.groupdict()
    year = year_of(groups.get("year") or groups.get("year2"), today)
    second = groups["half"] in ("下", "2", "second", "2nd")
    first = date(year or today.year, 7 if second else 1, 1)
    last = first + relativedelta(months=6) - timedelta(days=1)
    if year is None and last < today:
        first, last = first + relativedelta(years=1), last + relativedelta(years=1)
    return [(max(first, today) if last >= today else first, last)]


def _whole_year(m: re.Match[str], today: date) -> Spans:
    year = year_of(m["year"], today)
    if year is None or not EARLIEST <= year <= LATEST:
        return []
    first, last = date(year, 1, 1), date(year, 12, 31)
    return [(max(first, today) if last >= today else first, last)]


def _end_of_year(m: re.Match[str], today: date) -> Spans:
    year = year_of(m.groupdict().get("year"), today)
    last = date(year or today.year, 12, 31)
    return (
        [*one_day(last), *one_day(last.replace(year=last.year + 1))]
        if year is None and last == today
        else one_day(last)
    )


def _start_of_year(m: re.Match[str], today: date) -> Spans:
    year = year_of(m.groupdict().get("year"), today) or today.year + (today.month > 1)
    return [(date(year, 1, 1), date(year, 1, 31))]


def _bare_end(today: date) -> Spans:
    return _bare_part_of_month(re.fullmatch(r"(?P<third>.+)", "底"), today)  # type: ignore[arg-type] # never empty


def _start_of_year_en(m: re.Match[str], today: date) -> Spans:
    year = today.year + 1 if m["year"] in ("next year", "year") else int(m["year"])
    return [(date(year, 1, 1), date(year, 1, 31))]


PERIODS: tuple[tuple[re.Pattern[str], Reader], ...] = (
    (
        rx(
            r"(?P<week>下下个?周|下下个?星期|下下个?礼拜|下个?周|下个?星期|下个?礼拜|本周|这个?周|这个?星期|这个?礼拜|the week after next|week after next|(?:the )?next week|this week)(?:里|之?内|中|当中)?"
        ),
        _week,
    ),
    (
        rx(r"(?P<week>下下个?|下个?|本|这个?|this |next |the |coming |this coming )?(?:周末|星期6日|星期末|weekend)"),
        _weekend,
    ),
    (rx(rf"{REL_MONTH}的?{_THIRD}?"), _relative_month_part),
    (
        rx(rf"(?:{_EN_THIRD}[ -](?:the )?)?(?P<rel>(?:the )?month after next|next month|this month)"),
        _relative_month_part,
    ),
    (
        rx(rf"{_EN_THIRD} (?P<rel>the month|month)|month[ -](?P<monthend>end)|eom"),
        lambda m, t: _relative_month_part(m, t) if m["third"] else _bare_end(t),
    ),
    (rx(rf"月{_THIRD}"), _bare_part_of_month),
    (rx(rf"{YEAR}的?\s?(?P<month>\d{{1,2}})\s?月份?的?{_THIRD}?"), _named_month),
    (rx(r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})"), _named_month),
    (rx(rf"(?P<month>\d{{1,2}})\s?月份?的?{_THIRD}?"), _named_month),
    (rx(rf"(?:{_EN_THIRD}[ -](?:the )?)?(?P<month>{EN_MONTH}){EN_YEAR}"), _named_month),
    (rx(rf"(?P<month>{EN_MONTH})\s?{_THIRD}"), _named_month),
    (rx(rf"(?:{YEAR}的?\s?)?(?:第?(?P<q>[1-4])季度?)(?P<end>末|底)?"), _quarter),
    (
        rx(rf"(?:{YEAR}的?\s?)?(?P<end>end of )?q(?P<q>[1-4])(?:[ ,of]*(?P<year2>\d{{4}}|next year|this year))?"),
        _quarter,
    ),
    (rx(r"(?P<rel>下个?季度|本季度?|这个?季度|当季)(?P<end>末|底)?"), _relative_quarter),
    (rx(r"(?P<end>(?:the )?end of (?:the )?)?(?P<rel>next quarter|this quarter|quarter)"), _relative_quarter),
    (rx(rf"(?:{YEAR}的?)?(?P<half>[上下])半年"), _half_year),
    (rx(r"(?:(?:the )?(?P<half>first|second|1st|2nd) half of (?P<year>\d{4}|next year|this year))"), _half_year),
    (rx(rf"(?:{YEAR}\s?)?h(?P<half>[12])(?: ?(?P<year2>\d{{4}}))?"), _half_year),
    (rx(rf"(?:{YEAR}|年)(?:的)?(?:年)?(?:底|末|尾)|岁末"), _end_of_year),
    (
        rx(
            r"(?:by )?(?:the )?end of (?:the )?(?P<year>\d{4}|this year|next year)|(?:the )?end of (?:the )?year|(?:the )?year[- ]end|eoy"
        ),
        _end_of_year,
    ),
    (rx(rf"(?:{YEAR}|年)的?(?:年)?初"), _start_of_year),
    (
        rx(r"(?:(?:the )?(?:beginning|start) of (?:the )?|early )(?P<year>\d{4}|next year|year)"),
        _start_of_year_en,
    ),
    (rx(YEAR + r"(?:内|之内|里)?"), _whole_year),
)
