"""Reminders and zones as people write them."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.reminders.wish import rule_changed, wish_from, wish_in
from bot.reminders.zones import zone_guess, zone_named, zone_of

NOW = datetime(2026, 11, 30, 10, tzinfo=ZoneInfo("Asia/Shanghai"))


@pytest.mark.parametrize(
    ("said", "rule", "text"),
    [
        ("每天早上9点提醒我存检查点", "every=P1D;at=09:00", "存检查点"),
        ("remind me in 90 min", "at=2026-11-30T11:30+08:00", ""),
        ("remind me in 2 hours to check the loss", "at=2026-11-30T12:00+08:00", "check the loss"),
        ("提醒我明天下午三点一刻开会", "at=2026-12-01T15:15+08:00", "开会"),
        ("remind me to save a checkpoint every 30 minutes", "every=PT30M", "save a checkpoint"),
        ("每周一三五上午10点叫我看日志", "every=P1W;on=MO,WE,FR;at=10:00", "看日志"),
        ("set a reminder for Friday 5pm: pay", "at=2026-12-04T17:00+08:00", "pay"),
        ("提醒我在今晚8点半把数据搬走", "at=2026-11-30T20:30+08:00", "把数据搬走"),
        ("remind me to move data to S3 at 18:30", "at=2026-11-30T18:30+08:00", "move data to S3"),
        ("帮我设个提醒，明早8点起床", "at=2026-12-01T08:00+08:00", "起床"),
        ("幫我設個提醒，明早8點起床", "at=2026-12-01T08:00+08:00", "起床"),
        ("每週一三五上午10點叫我看日誌", "every=P1W;on=MO,WE,FR;at=10:00", "看日誌"),
        ("請記得提醒我明天下午三點一刻開會", "at=2026-12-01T15:15+08:00", "開會"),
    ],
)
def test_when_and_what_are_told_apart(said, rule, text):
    wish = wish_in(said, NOW)
    assert (wish.rule, wish.text) == (rule, text)


def test_two_meanings_are_asked_and_none_is_guessed():
    assert len(wish_in("remind me at 9", NOW).readings) == 2
    assert wish_in("提醒我存检查点", NOW).rule == ""


@pytest.mark.parametrize("said", ["别提醒我了", "don't remind me", "we need 8 cards tomorrow at 9", "x" * 400])
def test_other_messages_are_no_wish(said):
    assert wish_in(said, NOW) is None


@pytest.mark.parametrize(
    ("old", "said", "new"),
    [
        ("every=P1D;at=09:00", "9:30", "every=P1D;at=09:30"),
        ("every=P1W;on=MO;at=09:00", "下午3点", "every=P1W;on=MO;at=15:00"),
        ("every=P1D;at=09:00", "every weekday", "every=P1W;on=MO,TU,WE,TH,FR;at=09:00"),
        ("every=P1D;at=09:00", "every 2 hours", "every=PT2H"),
        ("every=PT2H", "tomorrow at 9am", "at=2026-12-01T09:00+08:00"),
        ("every=P1D;at=09:00", "每周五下午6点", "every=P1W;on=FR;at=18:00"),
    ],
)
def test_a_change_of_the_rhythm_keeps_the_time_and_one_of_the_time_the_rhythm(old, said, new):
    wish = wish_from("", said, NOW)
    assert rule_changed(old, wish.rule or next(iter(wish.readings), ""), said, NOW) == new


def test_a_time_that_is_still_ahead_is_todays():
    assert wish_in("17:00提醒我", NOW.replace(hour=16, minute=51)).rule == "at=2026-11-30T17:00+08:00"


def test_tomorrow_is_the_readers_tomorrow_whatever_the_servers():
    for hour, day in ((23, "2026-12-01"), (0, "2026-12-01")):
        now = datetime(2026, 11, 30, hour, 30, tzinfo=NOW.tzinfo)
        assert wish_in("明天9点提醒我", now).rule == f"at={day}T09:00+08:00"


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("纽约", "America/New_York"), ("Berlin time", "Europe/Berlin"), ("UTC+8", "UTC+08:00"), ("东八区", "UTC+08:00"),
        ("UTC+5:30", "UTC+05:30"), ("北京时间", "Asia/Shanghai"), ("旧金山", "America/Los_Angeles"), ("San Francisco", "America/Los_Angeles"),
        ("Zürich", "Europe/Zurich"), ("日本", "Asia/Tokyo"), ("Germany", "Europe/Berlin"), ("西五区", "UTC-05:00"), ("UTC", "UTC"),
        ("Asia/Shanghai", "Asia/Shanghai"), ("紐約時間", "America/New_York"), ("臺北", "Asia/Taipei"), ("東八區", "UTC+08:00"), ("我在香港", "Asia/Hong_Kong"), ("雪梨", "Australia/Sydney"), ("美国", None), ("hello", None), ("8", None), ("UTC+25", None), ("", None),
    ],
)  # fmt: skip
def test_zones_by_city_country_or_offset(said, name):
    assert zone_named(said) == name
    if name:
        assert NOW.astimezone(zone_of(name)) == NOW


@pytest.mark.parametrize(
    ("code", "zone"),
    [
        ("zh-hans", "Asia/Shanghai"), ("zh-TW", "Asia/Taipei"), ("zh-hant", "Asia/Taipei"), ("zh_hk", "Asia/Hong_Kong"), ("ZH-MO", "Asia/Macau"), ("ja", "Asia/Tokyo"), ("de", "Europe/Berlin"), ("en", None),
        ("en-GB", "Europe/London"), ("ru", None), (None, None), ("x" * 50, None),
    ],
)  # fmt: skip
def test_a_language_suggests_a_zone_where_its_country_has_one(code, zone):
    assert zone_guess(code) == zone
