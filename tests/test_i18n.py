from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from opencc import OpenCC

from bot.cli.texts import placeholders
from bot.i18n import CONVERTED, NP_, catalogue, texts
from bot.script import traditional

EN, ZH, HANT = texts("en"), texts("zh_Hans"), texts("zh_Hant")


@pytest.mark.parametrize(
    ("shown", "english", "chinese"),
    [
        (lambda t: t.number(12345.678), "12,345.68", "12,345.68"),
        (lambda t: t.number(8), "8", "8"),
        (lambda t: t.money(Decimal("0.354"), "USD"), "$0.354", "US$0.354"),
        (lambda t: t.money(Decimal("0.35"), "USD"), "$0.35", "US$0.35"),
        (lambda t: t.money(Decimal("1234.5"), "CNY"), "CN¥1,234.50", "¥1,234.50"),
        (lambda t: t.percent(0.8), "80%", "80%"),
        (lambda t: t.date(date(2026, 12, 1)), "Tue, 1 Dec 2026", "2026年12月1日（周二）"),
        (lambda t: t.duration(timedelta(days=3, hours=4)), "3 days 4 hours", "3 天 4 小时"),
        (lambda t: t.duration(timedelta(0)), "0 minutes", "0 分钟"),
        (lambda t: t.unit(2, "week"), "2 weeks", "2 周"),
        (lambda t: t.either(["A", "B"]), "A or B", "A 或 B"),
        (lambda t: t.listed(["A", "B"]), "A, B", "A、B"),
        (lambda t: t.aside("A"), " (A)", "（A）"),
    ],
)
def test_each_language_writes_quantities_its_own_way(shown, english, chinese):
    assert shown(EN) == english
    assert shown(ZH) == chinese


@pytest.mark.parametrize(
    ("shown", "traditional"),
    [
        (lambda t: t.date(date(2026, 12, 1)), "2026年12月1日（週二）"),
        (lambda t: t.duration(timedelta(days=3, hours=4)), "3 天 4 小時"),
        (lambda t: t.unit(2, "week"), "2 週"),
        (lambda t: t.money(Decimal("0.354"), "USD"), "US$0.354"),
        (lambda t: t.money(Decimal("1234.5"), "CNY"), "CN¥1,234.50"),
        (lambda t: t.either(["A", "B"]), "A 或 B"),
        (lambda t: t.in_script("数据存到硬盘"), "資料存到硬碟"),
        (lambda t: t.plural(NP_("{n} hour", "{n} hours"), 8), "8 小時"),
    ],
)
def test_traditional_chinese_writes_quantities_its_own_way(shown, traditional):
    assert shown(HANT) == traditional


def test_every_text_is_there_in_traditional_characters_with_its_placeholders():
    to_traditional = OpenCC("s2tw")
    for message in (m for m in catalogue(CONVERTED["zh_Hant"]) if m.id):
        key = message.id[0] if isinstance(message.id, tuple | list) else message.id
        made = HANT.text(key)
        assert to_traditional.convert(made) == made
        assert placeholders(made) == placeholders(ZH.text(key))


def test_commands_tags_and_terms_of_the_trade_come_through_the_conversion():
    assert traditional("{数据} <b>参数</b> /help 显存") == "{数据} <b>參數</b> /help 顯示記憶體"


def test_a_moment_shows_date_time_and_offset():
    when = datetime(2026, 12, 1, 10, 0, tzinfo=UTC)
    assert EN.moment(when, ZoneInfo("Asia/Shanghai")) == "Tue, 1 Dec 2026 18:00 UTC+08:00"
    assert ZH.moment(when, ZoneInfo("America/New_York")) == "2026年12月1日（周二） 05:00 UTC-05:00"


@pytest.mark.parametrize("n", [0, 1, 2, 8])
def test_plurals_never_fall_back_to_english(n):
    forms = NP_("{n} hour", "{n} hours")
    assert ZH.plural(forms, n) == f"{n} 小时"
    assert EN.plural(forms, n) == ("1 hour" if n == 1 else f"{n} hours")


def test_values_of_people_are_not_read_as_placeholders():
    assert EN.text("about {value}", value="{x} {0} %s") == "about {x} {0} %s"
