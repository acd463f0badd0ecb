"""Repeating rules in words."""

from datetime import UTC, datetime, timedelta
from typing import Final

from bot.i18n import N_, Texts
from bot.quantities.normal import Normal, seconds_of
from bot.reminders.rules import MORNING

_WEEKDAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_WORKDAYS: Final = "MO,TU,WE,TH,FR"
_A_MONDAY: Final = datetime(2026, 11, 30, tzinfo=UTC)
_UNITS: Final = {"D": "day", "W": "week", "M": "month", "Y": "year"}
_EACH: Final = {
    "day": N_("every day"),
    "week": N_("every week"),
    "month": N_("every month"),
    "year": N_("every year"),
}


def rhythm(rule: str, texts: Texts) -> str | None:
    """A repeating rule in words: every 2 weeks, Friday, 17:00; None for a single moment."""
    form = Normal.read(rule)
    every = form.parts.get("every")
    if every is None:
        return None
    span = seconds_of(every) if every.startswith("PT") else None
    if span is not None:
        return texts.text(N_("every {span}"), span=texts.duration(timedelta(seconds=span)))
    on, at = form.parts.get("on", ""), form.parts.get("at", MORNING.isoformat("minutes"))
    clocks = texts.listed(at.split(","))
    n, unit = int(every[1:-1]), _UNITS[every[-1]]
    if on == _WORKDAYS and n == 1:
        return texts.text(N_("every working day at {clocks}"), clocks=clocks)
    span_text = texts.text(N_("every {span}"), span=texts.unit(n, unit)) if n > 1 else texts.text(_EACH[unit])
    days = texts.listed(_day(day, texts) for day in on.split(",")) if on else ""
    if n == 1 and on[:1].isalpha():
        return texts.text(N_("every {days} at {clocks}"), days=days, clocks=clocks)
    return " ".join(part for part in (span_text, days, clocks) if part)


def _day(code: str, texts: Texts) -> str:
    if code in _WEEKDAYS:
        return texts.weekday(_A_MONDAY + timedelta(days=_WEEKDAYS.index(code)))
    return texts.text(N_("day {n}"), n=code)
