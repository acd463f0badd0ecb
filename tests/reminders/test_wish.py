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


AFTERNOON = NOW.replace(hour=16)


@pytest.mark.parametrize(
    ("said", "rule", "text"),
    [
        # A part of a day and a day alone have their usual hour, a bare length of time counts from now.
        ("今晚", "at=2026-11-30T20:00+08:00", ""), ("tonight", "at=2026-11-30T20:00+08:00", ""),
        ("tomorrow", "at=2026-12-01T09:00+08:00", ""), ("下周三早上", "at=2026-12-09T09:00+08:00", ""),
        ("明天下午", "at=2026-12-01T15:00+08:00", ""), ("monday morning", "at=2026-12-07T09:00+08:00", ""),
        ("2 hours", "at=2026-11-30T18:00+08:00", ""), ("10分钟", "at=2026-11-30T16:10+08:00", ""),
        ("remind me to call Bob on Friday", "at=2026-12-04T09:00+08:00", "call Bob"),
        ("今晚提醒我销毁实例", "at=2026-11-30T20:00+08:00", "销毁实例"),
        # The time may stand on both sides of the verb, and the text may begin like a preposition.
        ("明天提醒我9点开会", "at=2026-12-01T09:00+08:00", "开会"), ("每天提醒我9点存检查点", "every=P1D;at=09:00", "存检查点"),
        ("remind me in 2h to offload weights", "at=2026-11-30T18:00+08:00", "offload weights"),
        ("remind me tomorrow to move data", "at=2026-12-01T09:00+08:00", "move data"),
        # Days of a month by their place, and rhythms with an end.
        ("每月最后一天晚上8点", "every=P1M;on=31;at=20:00", ""), ("the last day of every month at 8pm", "every=P1M;on=31;at=20:00", ""),
        ("last friday of every month", "every=P1M;on=-1FR", ""), ("每月第一个周一上午十点", "every=P1M;on=1MO;at=10:00", ""),
        ("every 90 min until Friday", "every=PT90M;until=2026-12-04T23:59+08:00", ""),
        ("every 90 min until Friday remind me to save", "every=PT90M;until=2026-12-04T23:59+08:00", "save"),
        ("remind me every 90 min until Friday to save", "every=PT90M;until=2026-12-04T23:59+08:00", "save"),
        ("每两小时提醒我看日志到明天下午6点为止", "every=PT2H;until=2026-12-01T18:00+08:00", "看日志"),
        ("每90分钟提醒我存检查点，直到周五", "every=PT90M;until=2026-12-04T23:59+08:00", "存检查点"),
        ("every day until 20 December at 9am", "every=P1D;at=09:00;until=2026-12-20T23:59+08:00", ""),
        ("every 2 hours until Friday at 6pm", "every=PT2H;until=2026-12-04T18:00+08:00", ""),
        # Two parts of a day with one hour, fractions of an hour, weekends, the same hour of another day, politeness.
        ("每天早晚8点提醒我", "every=P1D;at=08:00,20:00", ""), ("remind me in a quarter of an hour", "at=2026-11-30T16:15+08:00", ""),
        ("周末提醒我备份", "at=2026-12-05T09:00+08:00", "备份"), ("remind me this weekend to back up", "at=2026-12-05T09:00+08:00", "back up"),
        ("每个周末提醒我", "every=P1W;on=SA,SU", ""), ("明天这个时候提醒我", "at=2026-12-01T16:00+08:00", ""),
        ("remind me at the same time tomorrow to pay", "at=2026-12-01T16:00+08:00", "pay"),
        ("别忘了明天下午两点提醒我关机", "at=2026-12-01T14:00+08:00", "关机"), ("等我10分钟再提醒我", "at=2026-11-30T16:10+08:00", ""),
        ("wake me at 6am", "at=2026-12-01T06:00+08:00", ""), ("从明天起每天9点提醒我存", "every=P1D;at=09:00", "存"),
        ("starting tomorrow remind me every day at 9am", "every=P1D;at=09:00", ""),
    ],
)  # fmt: skip
def test_loose_times_and_rhythms_with_an_end_are_read(said, rule, text):
    wish = wish_in(said, AFTERNOON) or wish_from("", said, AFTERNOON)
    assert (wish.rule, wish.text) == (rule, text)


@pytest.mark.parametrize(
    "said",
    [
        "every day at 9am Beijing time", "every year on Jan 1", "每年1月1日", "周二和周四下午2点", "yesterday at 5", "昨天下午5点",
        "今天早上9点", "2026-11-01 01:30", "remind me at 3 and 5pm", "first monday of the month at 9", "结束前一小时", "周五下班前",
        "this afternoon", "now", "现在", "明年", "every 0 hours", "in -5 minutes", "in 100 years", "remind me to check the loss for 2 hours",
        "remind me in 20 to check", "biweekly on friday", "每周五下班前", "每周五下班前提醒我交周报", "从明天起每天20点提醒我",
    ],
)  # fmt: skip
def test_a_time_understood_in_part_is_asked_about_and_never_set(said):
    wish = wish_in(said, AFTERNOON) or wish_from("", said, AFTERNOON)
    assert (wish.rule, wish.readings) == ("", ())


@pytest.mark.parametrize(
    ("zone", "said", "rule"),
    [
        ("America/New_York", "2027-03-14 02:30", ""),
        ("America/New_York", "2027-11-07 01:30", "at=2027-11-07T01:30-04:00"),
        ("Asia/Shanghai", "2027-03-14 02:30", "at=2027-03-14T02:30+08:00"),
    ],
)
def test_a_moment_that_the_clocks_skip_is_asked_about_and_one_that_comes_twice_is_the_first(zone, said, rule):
    assert wish_from("", said, NOW.astimezone(ZoneInfo(zone))).rule == rule


@pytest.mark.parametrize(
    "said",
    [
        "昨天提醒我",
        "2月30日提醒我",
        "今天下班前提醒我",
        "每年1月1日提醒我",
        "remind me yesterday",
        "remind me later",
        "晚点提醒我",
    ],
)
def test_a_time_that_was_not_understood_does_not_become_the_text(said):
    assert wish_in(said, AFTERNOON).text == ""


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
        ("硅谷", "America/Los_Angeles"), ("湾区", "America/Los_Angeles"), ("美东时间", "America/New_York"), ("重庆", "Asia/Shanghai"),
        ("GMT-3:30", "UTC-03:30"), ("Kathmandu", "Asia/Kathmandu"), ("加德满都", "Asia/Kathmandu"), ("LA", "America/Los_Angeles"),
        ("UK", "Europe/London"), ("我在上海这边", "Asia/Shanghai"), ("CST", None), ("IST", None),
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
