"""Repeating rules in words."""

import re
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

from bot.i18n import N_, Texts
from bot.quantities.normal import Normal, seconds_of
from bot.reminders.rules import MORNING

_WEEKDAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_WORKDAYS: Final = "MO,TU,WE,TH,FR"
_A_MONDAY: Final = datetime(2026, 11, 30, tzinfo=UTC)
_HOUR_S: Final = 3600
_BETWEEN_HAN: Final = re.compile(r"(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")
_UNITS: Final = {"D": "day", "W": "week", "M": "month", "Y": "year"}
_NTH: Final = {
    "1": N_("the first {weekday}"),
    "2": N_("the second {weekday}"),
    "3": N_("the third {weekday}"),
    "4": N_("the fourth {weekday}"),
    "-1": N_("the last {weekday}"),
}
_LAST_DAY: Final = "31"
"""In a shorter month it is the last day, so that is what it is called."""
_EACH: Final = {
    "hour": N_("every hour"),
    "week": N_("every week"),
    "month": N_("every month"),
    "year": N_("every year"),
}
_AT: Final = {"day": N_("every day at {clocks}"), "week": N_("every week at {clocks}")}


def rhythm(rule: str, texts: Texts, zone: tzinfo) -> str | None:
    """A repeating rule in words: every 2 weeks, Friday, 17:00; None for a single moment."""
    form = Normal.read(rule)
    every = form.parts.get("every")
    if every is None:
        return None
    words, until = _repeated(form, every, texts), form.parts.get("until")
    if until is None:
        return words
    end = texts.moment(datetime.fromisoformat(until), zone)
    return texts.text(N_("{rhythm}, until {moment}"), rhythm=words, moment=end)


def _repeated(form: Normal, every: str, texts: Texts) -> str:
    span = seconds_of(every) if every.startswith("PT") else None
    if span == _HOUR_S:
        return texts.text(_EACH["hour"])
    if span is not None:
        return texts.text(N_("every {span}"), span=texts.duration(timedelta(seconds=span)))
    on, at = form.parts.get("on", ""), form.parts.get("at", MORNING.isoformat("minutes"))
    clocks = texts.listed(at.split(","))
    n, unit = int(every[1:-1]), _UNITS[every[-1]]
    if on == _WORKDAYS and n == 1:
        return texts.text(N_("every working day at {clocks}"), clocks=clocks)
    if n == 1 and not on and unit in _AT:
        return texts.text(_AT[unit], clocks=clocks)
    span_text = texts.text(N_("every {span}"), span=texts.unit(n, unit)) if n > 1 else texts.text(_EACH[unit])
    days = texts.listed(_day(day, texts) for day in on.split(",")) if on else ""
    if n == 1 and on[:1].isalpha():
        return texts.text(N_("every {days} at {clocks}"), days=days, clocks=clocks)
    frame = N_("{rhythm} on {days} at {clocks}") if days else N_("{rhythm} at {clocks}")
    # Chinese words stand side by side without a space; numbers keep theirs.
    return _BETWEEN_HAN.sub("", texts.text(frame, rhythm=span_text, days=days, clocks=clocks))


def _day(code: str, texts: Texts) -> str:
    number, weekday = code[:-2], code[-2:]
    if weekday in _WEEKDAYS:
        name = texts.weekday(_A_MONDAY + timedelta(days=_WEEKDAYS.index(weekday)))
        return texts.text(_NTH[number], weekday=name) if number else name
    if code == _LAST_DAY:
        return texts.text(N_("the last day"))
    return texts.text(N_("day {n}"), n=code)
