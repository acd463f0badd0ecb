"""What holds for every text: no exception, no long time, and the same answer in another spelling."""

import csv
import pathlib
import time
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.quantities import KINDS, Normal, duration_seconds, memory_gb, parse

DATA = pathlib.Path(__file__).parent / "data"
NOW = datetime(2026, 11, 30, 10, tzinfo=ZoneInfo("Asia/Shanghai"))
ROWS = [
    row for file in sorted(DATA.glob("*.csv")) for row in csv.DictReader(file.open(encoding="utf-8")) if row["input"]
]
UNDERSTOOD = [row for row in ROWS if row["expected"] != "null"]
SCRAPS = st.lists(
    st.sampled_from(
        "一 两 三 五 十 百 千 万 亿 半 个 多 几 来 张 卡 台 机 月 日 号 年 周 天 小时 点 分 刻 前 后 内 上 下 每 隔 至少 最多 左右 大概 "
        "H100 4090 A100 80G 8 16 2 70B 1.5 , - ~ / x * % $ 元 k to and or the a next Monday Dec at 9 am pm in every "
        "GB/s Gbps IB 以上 到 和 或 不 没 要 NVLink".split(),
    ),
    max_size=14,
).map("".join)


def widen(text):
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" and c not in "\"'`" else c for c in text)


@given(st.sampled_from(KINDS), st.text(max_size=250) | SCRAPS)
@settings(max_examples=1500, deadline=None)
def test_no_text_raises_and_every_form_reads_back(kind, text):
    form = parse(kind, text, now=NOW)
    if form is not None:
        assert Normal.read(str(Normal.read(form))) == Normal.read(form)
        memory_gb(form)
        duration_seconds(form)


@given(st.sampled_from(UNDERSTOOD))
@settings(max_examples=600, deadline=None)
def test_full_width_spelling_changes_nothing(row):
    args = {"now": NOW, "lang": row["lang"]}
    assert parse(row["kind"], widen(row["input"]), **args) == parse(row["kind"], row["input"], **args)


@given(st.sampled_from([row for row in UNDERSTOOD if row["kind"] != "bw"]), st.sampled_from([str.upper, str.lower]))
@settings(max_examples=600, deadline=None)
def test_case_changes_nothing_where_it_says_nothing(row, change):
    args = {"now": NOW, "lang": row["lang"]}
    assert parse(row["kind"], change(row["input"]), **args) == parse(row["kind"], row["input"], **args)


@given(st.sampled_from(UNDERSTOOD), st.sampled_from(["  {}  ", "{}。", "{}!", "嗯，{}", "{} 谢谢", "{}, thanks"]))
@settings(max_examples=900, deadline=None)
def test_blanks_and_politeness_change_nothing(row, wrapping):
    args = {"now": NOW, "lang": row["lang"]}
    wrapped = parse(row["kind"], wrapping.format(row["input"]), **args)
    assert wrapped == parse(row["kind"], row["input"], **args)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "text", ["1" * 10_000, "大概" * 90, "1-" * 90, "可能" * 95, "十万" * 90, "a " * 5000, "8x" * 99]
)
def test_a_hostile_text_takes_no_long_time(kind, text):
    begin = time.process_time()
    parse(kind, text, now=NOW)
    assert time.process_time() - begin < 1


@pytest.mark.parametrize(
    ("form", "key", "bounds"),
    [
        ("GB=80;count=8;approx", "GB", (80, 80)),
        ("count=8..16", "count", (8, 16)),
        ("count=16..", "count", (16, None)),
        ("count=8|16", "count", (8, 16)),
        ("min=GB500", "GB", (500, None)),
        ("lo=GB500;hi=GB800", "GB", (500, 800)),
        ("hi=GB1000", "GB", (None, 1000)),
        ("any=7e9|13e9", "total", (7e9, 13e9)),
        ("min=gbps400;fabric=IB", "gbps", (400, None)),
        ("P3M..P6M", "", (90 * 86400, 180 * 86400)),
        ("0.8..", "", (0.8, None)),
        ("4096", "", (4096, 4096)),
        ("..USD5000", "", (None, 5000)),
        ("CNY?50000", "", (50000, 50000)),
        ("model=H100", "count", None),
        ("min=gbps400", "GBps", None),
    ],
)
def test_bounds_of_a_part(form, key, bounds):
    assert Normal.read(form).bounds(key) == bounds


def test_normal_takes_a_form_apart():
    form = Normal.read("GB=80;count=8;approx")
    assert form.parts == {"GB": "80", "count": "8"}
    assert form.approx
    assert form.flags == {"approx"}
    assert str(form) == "GB=80;count=8;approx"
    assert form.value("GB") == 80
    assert Normal.read("any=H100|H800").alternatives("any") == ("H100", "H800")
    assert Normal.read("ask:0.7|70").ask == ("0.7", "70")
    assert Normal.read("count=8..16").value("count") == 12


def test_memory_is_decimal():
    assert memory_gb("GB=80;count=8") == (80, 80)
    low, high = memory_gb("GiB=100")
    assert low == high == pytest.approx(107.3741824)
    assert memory_gb("min=GB48;per=gpu") == (48, None)
    assert memory_gb("lo=GB500;hi=GB800") == (500, 800)
    assert memory_gb("any=GB24|GB48") == (24, 48)
    assert memory_gb("model=H100") is None


def test_durations_in_seconds():
    assert duration_seconds("P1M") == (30 * 86400, 30 * 86400)
    assert duration_seconds("P1Y") == (365 * 86400, 365 * 86400)
    assert duration_seconds("P3M..") == (90 * 86400, None)
    assert duration_seconds("PT90M;approx") == (5400, 5400)
    assert duration_seconds("LONG") == (None, None)
    assert duration_seconds("GB=80") is None


def test_a_day_follows_the_zone_of_the_customer():
    late = datetime(2026, 11, 30, 23, 30, tzinfo=ZoneInfo("Asia/Shanghai"))
    early = datetime(2026, 12, 1, 0, 30, tzinfo=ZoneInfo("Asia/Shanghai"))
    assert parse("remind", "明天9点", now=late) == "at=2026-12-01T09:00+08:00"
    assert parse("remind", "明天9点", now=early) == "at=2026-12-02T09:00+08:00"
    afternoon = datetime(2026, 11, 30, 16, 51, tzinfo=timezone(timedelta(hours=8)))
    assert parse("remind", "17:00", now=afternoon) == "at=2026-11-30T17:00+08:00"


def test_hours_are_real_time_and_days_local_time():
    before_change = datetime(2026, 10, 31, 9, tzinfo=ZoneInfo("America/New_York"))
    assert parse("remind", "in 24 hours", now=before_change) == "at=2026-11-01T08:00-05:00"
    assert parse("remind", "in 1 day", now=before_change) == "at=2026-11-01T09:00-05:00"


def test_a_time_that_the_clocks_skip_is_not_understood():
    before_change = datetime(2027, 3, 13, 9, tzinfo=ZoneInfo("America/New_York"))
    assert parse("remind", "tomorrow 2:30am", now=before_change) is None
