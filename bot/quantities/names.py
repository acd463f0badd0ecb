"""Names of months, weekdays and years in two languages, and the days that they count from."""

# ruff: noqa: PLR2004 - months of a year and two-digit years are plainest as numbers

import calendar
import re
from collections.abc import Callable
from datetime import date

from dateutil.relativedelta import relativedelta

Span = tuple[date, date]
Spans = list[Span]
Reader = Callable[[re.Match[str], date], Spans]
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
EN_MONTH = "(?:" + "|".join(MONTHS) + r")\.?"
WEEKDAYS = (
    "mon(?:day)?",
    "tues?(?:day)?",
    "wed(?:nesday|s)?",
    "thur?s?(?:day)?",
    "fri(?:day)?",
    "sat(?:urday)?",
    "sun(?:day)?",
)
EN_WEEKDAY = "(?:" + "|".join(WEEKDAYS) + r")\.?"
ZH_WEEKDAY = r"(?:星期|礼拜|周)\s?[1-6日天]"
WEEKDAY = rf"(?:{ZH_WEEKDAY}|{EN_WEEKDAY})"
EARLIEST, LATEST = 2000, 2100
# A date without a year that would lie further ahead than this does not exist (29 February).
YEARS_AHEAD = 2
YEAR = r"(?P<year>\d{4}年?|\d{2}年|今年|明年|后年|next year|this year)"
EN_YEAR = r"(?:,? ?(?:of )?(?P<year>\d{4}|next year|this year))?"
REL_MONTH = r"(?P<rel>下下个?月|下个?月|次月|本月|这个?月|当月)"


def weekday_of(name: str) -> int:
    """Monday is 0; `name` is any spelling of a weekday."""
    if name[-1] in "123456":
        return int(name[-1]) - 1
    if name[-1] in "日天":
        return 6
    return next(i for i, words in enumerate(WEEKDAYS) if re.fullmatch(words, name.rstrip(".")))


def end_of_month(day: date) -> date:
    """Last day of the month of `day`."""
    return day.replace(day=calendar.monthrange(day.year, day.month)[1])


def one_day(day: date) -> Spans:
    """The spans that hold one day only."""
    return [(day, day)]


def made(year: int, month: int, day: int) -> date | None:
    """A date, or None when there is no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def known(day: date | None) -> Spans:
    """The spans of a day that may not exist."""
    return one_day(day) if day else []


def year_of(text: str | None, today: date) -> int | None:
    """The year that a text names, 明年 or 26年 or 2027; None for no text."""
    if not text:
        return None
    words = {"今年": 0, "this year": 0, "明年": 1, "next year": 1, "后年": 2}
    if text in words:
        return today.year + words[text]
    number = int(text.rstrip("年"))
    return number + 2000 if number < 100 else number


def month_of(text: str) -> int:
    """The number of a month, 1 to 12 for the names; a number in digits is not checked."""
    if text[0].isdigit():
        return int(re.match(r"\d+", text)[0])  # type: ignore[index] # begins with a digit
    return next(i for i, words in enumerate(MONTHS, start=1) if re.fullmatch(words, text.rstrip(".")))


def next_such(today: date, month: int, day: int) -> date | None:
    """The next such day that has not passed, today included."""
    for year in range(today.year, today.year + YEARS_AHEAD):
        found = made(year, month, day)
        if found and found >= today:
            return found
    return None


def relative_month(words: str, today: date) -> date:
    """First day of the month that 下月 or "the month after next" names."""
    shift = (
        2 if words.startswith("下下") or "after next" in words else 1 if words[0] in "下次" or "next" in words else 0
    )
    return today.replace(day=1) + relativedelta(months=shift)


def weeks_ahead(words: str) -> int:
    """How many weeks ahead of this one 下周 or "next week" lies."""
    return (
        2
        if words.startswith("下下") or "after next" in words
        else 1
        if words.startswith(("下", "next", "the next"))
        else 0
    )


def rx(pattern: str) -> re.Pattern[str]:
    """Compile a pattern, in fewer letters for the long tables."""
    return re.compile(pattern)
