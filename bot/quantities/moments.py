"""Arithmetic of moments: local days and real hours, a time of day on a day, and how both are written."""

# ruff: noqa: PLR2004 - hours of a day are plainest as numbers

import re
from datetime import UTC, date, datetime, timedelta, tzinfo

from dateutil.relativedelta import relativedelta

from bot.quantities.clocktimes import Clock
from bot.quantities.durations import Duration
from bot.quantities.names import Spans


def add(moment: datetime, duration: Duration) -> datetime | None:
    """Add calendar parts in local time and hours in real time; None beyond the calendar."""
    try:
        local = moment + relativedelta(months=duration.months, days=duration.days)
        if not duration.seconds:
            return local
        return (local.astimezone(UTC) + timedelta(seconds=duration.seconds)).astimezone(moment.tzinfo)
    except (OverflowError, ValueError):
        return None


def resolve(spans: Spans | None, clock: Clock, now: datetime, zone: tzinfo, *, future: bool) -> list[datetime]:
    """Join days and a time of day: the moments that may be meant, in order, or none.

    Without a day the next such time is meant. An hour that may be either half of the day is taken as it stands from seven to
    twelve on a named day, and gives both readings otherwise.
    """
    here = now.astimezone(zone)
    if spans is None:
        return _next_times(clock, here)
    found: list[datetime] = []
    for first, last in spans:
        if first != last:
            return []
        readings = [clock.on(first, zone)]
        if not clock.sure:
            other = clock.later().on(first, zone)
            usual = 7 <= clock.hour <= 12
            readings = readings if usual and readings[0] and readings[0] > here else [*readings, other]
        found += [r for r in readings if r and (r > here or not (future or not clock.sure))]
    return sorted(dict.fromkeys(found))


def _next_times(clock: Clock, here: datetime) -> list[datetime]:
    found = []
    for reading in (clock,) if clock.sure else (clock, clock.later()):
        today = Clock(reading.hour, reading.minute, reading.second)
        moments = (today.on(here.date() + timedelta(days=shift), here.tzinfo or UTC) for shift in (0, 1))
        found += [next((m for m in moments if m and m > here), None)]
    return sorted(m for m in found if m)


def from_iso(text: str) -> Duration | None:
    """Take an ISO 8601 duration of whole parts apart; None for any other text."""
    m = re.fullmatch(r"P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?", text)
    if not m:
        return None
    y, mo, w, d, h, mi, s = (int(g or 0) for g in m.groups())
    return Duration(12 * y + mo, 7 * w + d, 3600 * h + 60 * mi + s)


def as_date(value: date | datetime | None) -> date:
    """Give the day of a date or moment that is known to be there."""
    assert value is not None
    return value.date() if isinstance(value, datetime) else value


def iso(value: date | datetime) -> str:
    """Write a date, or a date-time with its offset and no idle seconds."""
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds" if value.second else "minutes")
    return value.isoformat()
