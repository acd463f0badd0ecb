"""When a reminder's rule falls due: once, or again and again at the same local time, whatever the clocks do."""

import re
from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import Any, Final

from dateutil import rrule

from bot.quantities.normal import Normal, seconds_of
from bot.reminders.rules import MORNING, at_local

SHORTEST: Final = timedelta(minutes=5)
"""Nobody is reminded more often than this."""
_EVERY = re.compile(r"P(?P<n>\d+)(?P<unit>[DWMY])")
_FREQUENCY: Final = {"D": rrule.DAILY, "W": rrule.WEEKLY, "M": rrule.MONTHLY, "Y": rrule.YEARLY}
_DAYS: Final = {day: getattr(rrule, day) for day in ("MO", "TU", "WE", "TH", "FR", "SA", "SU")}
_NTH: Final = re.compile(r"(-1|[1-4])([A-Z]{2})")
_FEBRUARY: Final = 28
"""The last day that every month has."""


def next_of(rule: str, anchor: datetime, zone: tzinfo, after: datetime) -> datetime | None:
    """Return the first moment (UTC) of a rule after `after`; None when it has no more, or none that is understood.

    `rule` is a `remind` form: `at=2026-12-01T09:00+08:00`, or `every=P1W;on=MO,FR;at=09:00`. Spans of hours and minutes are counted
    from `anchor` in elapsed time. Days, weeks, months and years keep the local time of `zone`: 9:00 stays 9:00 over a clock change;
    each local date gives one moment, so that none comes twice, and a time that is skipped moves behind the gap. The 31st is the last day
    of a shorter month, `1MO` and `-1FR` are the first Monday and the last Friday. Nothing comes after `until`.

    >>> from zoneinfo import ZoneInfo
    >>> start = datetime(2027, 3, 13, 15, tzinfo=UTC)
    >>> str(next_of("every=P1D;at=02:30", start, ZoneInfo("America/New_York"), start))
    '2027-03-14 07:30:00+00:00'
    """
    form = Normal.read(rule)
    every = form.parts.get("every")
    if every is None:
        return _once(form.parts.get("at", ""), after)
    found = _repeated(form, every, anchor, zone, after)
    until = form.parts.get("until")
    return found if found is None or until is None or found <= datetime.fromisoformat(until) else None


def _repeated(form: Normal, every: str, anchor: datetime, zone: tzinfo, after: datetime) -> datetime | None:
    span = seconds_of(every) if every.startswith("PT") else None
    if span is not None:
        return _elapsed(anchor, timedelta(seconds=span), after)
    matched = _EVERY.fullmatch(every)
    if not matched or not int(matched["n"]):
        return None
    clocks = [time.fromisoformat(clock) for clock in form.parts.get("at", MORNING.isoformat("minutes")).split(",")]
    rules = _rules(matched, form.parts.get("on", ""), anchor.astimezone(zone).replace(tzinfo=None))
    return _first(rules, clocks, zone, after)


def _once(written: str, after: datetime) -> datetime | None:
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        return None
    return moment.astimezone(UTC) if moment.tzinfo is not None and moment > after else None


def _elapsed(anchor: datetime, span: timedelta, after: datetime) -> datetime | None:
    if span < SHORTEST:
        return None
    passed = max(0, (after - anchor) // span)
    return anchor + span * (passed + 1)


def _rules(every: re.Match[str], on: str, start: datetime) -> list[rrule.rrule]:
    """The calendar's rules for local dates, at midnight: several days of a month are a rule each, since each is cut to the month."""
    base: dict[str, Any] = {"freq": _FREQUENCY[every["unit"]], "interval": int(every["n"]), "dtstart": _midnight(start)}
    names = [name for name in on.split(",") if name]
    if names and all(name in _DAYS for name in names):
        freq = rrule.WEEKLY if every["unit"] == "D" else base["freq"]
        # A week counts from its Monday, so that every other Friday does not hang on the weekday of the first.
        monday = _midnight(start - timedelta(days=start.weekday()))
        dtstart = monday if freq == rrule.WEEKLY else base["dtstart"]
        return [rrule.rrule(**{**base, "freq": freq, "dtstart": dtstart, "byweekday": [_DAYS[name] for name in names]})]
    if every["unit"] == "M" and names and (nth := [_NTH.fullmatch(name) for name in names]) and all(nth):
        days_of = [_DAYS[found[2]](int(found[1])) for found in nth if found]
        return [rrule.rrule(**{**base, "dtstart": base["dtstart"].replace(day=1), "byweekday": days_of})]
    if every["unit"] in "MY":
        days = [int(name) for name in names if name.isdigit()] or [start.day]
        first = {**base, "dtstart": base["dtstart"].replace(day=1)}
        return [rrule.rrule(**first, **_month_day(day)) for day in days]
    return [rrule.rrule(**base)]


def _month_day(day: int) -> dict[str, Any]:
    if day <= _FEBRUARY:
        return {"bymonthday": day}
    return {"bymonthday": list(range(_FEBRUARY, day + 1)), "bysetpos": -1}


def _first(rules: list[rrule.rrule], clocks: list[time], zone: tzinfo, after: datetime) -> datetime | None:
    """The first moment after `after` over all rules and times of day; the day before is looked at too, for what a gap moved."""
    found = []
    for rule in rules:
        local = _midnight(after.astimezone(zone).replace(tzinfo=None)) - timedelta(days=1)
        for _ in range(4):
            day = rule.after(local, inc=True)
            if day is None:
                break
            moments = [moment for clock in clocks if (moment := at_local(day.date(), clock, zone)) > after]
            if moments:
                found.append(min(moments))
                break
            local = day + timedelta(days=1)
    return min(found, default=None)


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)
