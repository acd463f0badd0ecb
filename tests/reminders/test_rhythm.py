"""Rules fall due at the same local time, through every clock change, each occurrence once."""

from datetime import UTC, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.reminders.rhythm import next_of
from bot.reminders.rules import quiet_until, snoozed_to

SHANGHAI, NEW_YORK = ZoneInfo("Asia/Shanghai"), ZoneInfo("America/New_York")


def run(rule, start, zone, n):
    """The next n moments in local time, as text."""
    at, found = start, []
    for _ in range(n):
        at = next_of(rule, start, zone, at)
        found.append(at.astimezone(zone).strftime("%m-%d %H:%M%z"))
    return found


@pytest.mark.parametrize(
    ("zone", "start", "rule", "expected"),
    [
        # In spring 02:30 does not exist in New York: once, behind the gap. In autumn 01:30 comes twice: once.
        (NEW_YORK, "2027-03-13T12:00Z", "every=P1D;at=02:30", ["03-14 03:30-0400", "03-15 02:30-0400"]),
        (NEW_YORK, "2026-10-31T12:00Z", "every=P1D;at=01:30", ["11-01 01:30-0400", "11-02 01:30-0500"]),
        (NEW_YORK, "2026-10-31T12:00Z", "every=P1D;at=09:00", ["10-31 09:00-0400", "11-01 09:00-0500", "11-02 09:00-0500"]),
        (NEW_YORK, "2026-10-27T12:00Z", "every=P1W;on=MO;at=09:00", ["11-02 09:00-0500", "11-09 09:00-0500"]),
        (SHANGHAI, "2026-10-31T12:00Z", "every=P1D;at=09:00", ["11-01 09:00+0800", "11-02 09:00+0800"]),
        (ZoneInfo("US/Central"), "2027-03-13T12:00Z", "every=P1D;at=00:00", ["03-14 00:00-0600", "03-15 00:00-0500"]),
        (ZoneInfo("Asia/Jakarta"), "2026-11-30T00:00Z", "every=P1D;at=09:49", ["11-30 09:49+0700"]),
        (SHANGHAI, "2026-11-30T02:00Z", "every=P1M;on=31;at=09:00", ["12-31 09:00+0800", "01-31 09:00+0800", "02-28 09:00+0800"]),
        (SHANGHAI, "2026-11-30T02:00Z", "every=P1M;on=1MO;at=09:00", ["12-07 09:00+0800", "01-04 09:00+0800"]),
        (NEW_YORK, "2026-10-01T02:00Z", "every=P1M;on=-1FR;at=09:00", ["10-30 09:00-0400", "11-27 09:00-0500", "12-25 09:00-0500"]),
        (SHANGHAI, "2026-11-30T02:00Z", "every=P2W;on=FR;at=17:00", ["12-04 17:00+0800", "12-18 17:00+0800"]),
        (SHANGHAI, "2026-11-30T02:00Z", "every=P1M;on=1,15;at=09:00,18:00", ["12-01 09:00+0800", "12-01 18:00+0800", "12-15 09:00+0800"]),
        (NEW_YORK, "2026-11-01T05:00Z", "every=PT45M", ["11-01 01:45-0400", "11-01 01:30-0500", "11-01 02:15-0500"]),
    ],
)  # fmt: skip
def test_local_time_is_kept(zone, start, rule, expected):
    assert run(rule, datetime.fromisoformat(start), zone, len(expected)) == expected


@given(
    st.integers(0, 730 * 86400).map(lambda seconds: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)),
    st.sampled_from(
        ["every=P1D;at=02:30", "every=P1W;on=SU,MO;at=01:30", "every=P1M;on=31;at=00:00", "every=P3M;at=09:00"]
    ),
    st.sampled_from([SHANGHAI, NEW_YORK, ZoneInfo("Australia/Lord_Howe"), ZoneInfo("America/Sao_Paulo")]),
)
def test_moments_grow_and_no_local_day_has_two(start, rule, zone):
    at, found = start, []
    for _ in range(12):
        at = next_of(rule, start, zone, at)
        found.append(at)
    assert all(a < b for a, b in pairwise([start, *found]))
    days = [moment.astimezone(zone).date() for moment in found]
    assert len(set(days)) == len(days)


@pytest.mark.parametrize(
    "rule", ["every=PT0S", "every=PT1M", "every=P0D", "at=yesterday", "at=2026-11-30T10:00", "", "every=x"]
)
def test_what_is_impossible_has_no_moment(rule):
    now = datetime(2026, 11, 30, 2, tzinfo=UTC)
    assert next_of(rule, now, SHANGHAI, now) is None


def test_nothing_comes_after_the_end_of_a_rhythm():
    rule, start = "every=PT90M;until=2026-11-30T13:30+08:00", datetime(2026, 11, 30, 2, tzinfo=UTC)
    assert run(rule, start, SHANGHAI, 2) == ["11-30 11:30+0800", "11-30 13:00+0800"]
    assert next_of(rule, start, SHANGHAI, datetime(2026, 11, 30, 5, tzinfo=UTC)) is None


def test_a_single_moment_comes_once():
    at = datetime(2026, 12, 1, 1, tzinfo=UTC)
    assert next_of("at=2026-12-01T09:00+08:00", at, SHANGHAI, at - timedelta(days=1)) == at
    assert next_of("at=2026-12-01T09:00+08:00", at, SHANGHAI, at) is None


@pytest.mark.parametrize(
    ("code", "local", "expected"),
    [
        ("15m", "10:00", "10:15"), ("1h", "10:00", "11:00"), ("tonight", "10:00", "20:00"), ("tonight", "20:30", None),
        ("tomorrow", "23:30", "09:00"), ("never", "10:00", None),
    ],
)  # fmt: skip
def test_snoozes_mean_the_readers_clock(code, local, expected):
    now = datetime.fromisoformat(f"2026-11-30T{local}+08:00")
    moment = snoozed_to(code, now, SHANGHAI)
    assert (moment and moment.astimezone(SHANGHAI).strftime("%H:%M")) == expected


def test_quiet_hours_go_over_midnight_and_may_be_none():
    quiet = (time(22), time(8))
    at = lambda hour: datetime(2026, 11, 30, hour, tzinfo=SHANGHAI)  # noqa: E731 - shortest so
    assert quiet_until(quiet, at(23), SHANGHAI) == datetime(2026, 12, 1, 8, tzinfo=SHANGHAI)
    assert quiet_until(quiet, at(3), SHANGHAI) == at(8)
    assert quiet_until(quiet, at(8), SHANGHAI) is None
    assert quiet_until(quiet, at(12), SHANGHAI) is None
    assert quiet_until((time(0), time(0)), at(3), SHANGHAI) is None


@pytest.mark.parametrize(
    ("local", "until"),
    [
        ("2026-10-31T23:00-04:00", "2026-11-01T08:00-05:00"), ("2026-11-01T01:30-05:00", "2026-11-01T08:00-05:00"),
        ("2027-03-13T23:30-05:00", "2027-03-14T08:00-04:00"), ("2027-03-14T03:15-04:00", "2027-03-14T08:00-04:00"),
    ],
)  # fmt: skip
def test_quiet_hours_end_at_their_local_hour_when_the_clocks_change(local, until):
    found = quiet_until((time(22), time(8)), datetime.fromisoformat(local), NEW_YORK)
    assert found == datetime.fromisoformat(until)
