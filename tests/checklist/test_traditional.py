"""Traditional Chinese is read like simplified, and kept as it was written."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from opencc import OpenCC

from bot.checklist.answer import Answers
from bot.checklist.fields import BY_KEY, FIELDS
from bot.checklist.free_text import read_message
from bot.checklist.naming import NAMES, fields_named
from bot.checklist.understand import Moment, match_option
from bot.i18n import texts
from tests.checklist.test_free_text import CHINESE, LONG, read

MOMENT = Moment(datetime(2026, 11, 30, 10, 0, tzinfo=ZoneInfo("Asia/Taipei")))
CHARACTERS, TAIWAN = OpenCC("s2t"), OpenCC("s2twp")
"""Traditional characters alone, and with the words of Taiwan."""


@pytest.mark.parametrize("script", [CHARACTERS, TAIWAN], ids=["characters", "taiwan"])
@pytest.mark.parametrize(("said", "found"), [CHINESE, LONG], ids=["short", "long"])
def test_a_traditional_message_says_the_same(script, said, found):
    assert read(script.convert(said)) == found


def test_words_of_taiwan_are_understood():
    said = "8 張 H100 做推論，單卡記憶體至少 80G，InfiniBand 網路頻寬 400G，資料集 2T，機房在東京，我叫陳大文"
    assert read(said) == {
        "gpu": "model=H100", "gpu_count": "count=8", "workload": "inference", "min_vram": "min=GB80", "bandwidth": "gbps=400",
        "network": "infiniband", "dataset_size": "GB=2000", "region": "東京", "name": "陳大文",
    }  # fmt: skip


def test_what_was_said_is_kept_in_its_own_characters_and_width():
    found = read_message("８張　Ｈ１００，資料集２Ｔ，80G 視訊記憶體", MOMENT, Answers()).answers
    assert {key: answer.raw for key, answer in found.items()} == {
        "gpu": "８張　Ｈ１００",
        "gpu_count": "８張　Ｈ１００",
        "dataset_size": "２Ｔ",
        "min_vram": "80G",
    }


def test_every_label_and_name_of_a_field_is_known_in_traditional_characters():
    for field in FIELDS:
        for name in (texts("zh_Hant").text(field.label), *map(CHARACTERS.convert, NAMES[field.key])):
            assert field in fields_named(name), name


@pytest.mark.parametrize("key", ["workload", "method", "network", "load", "parallelism", "data_plan", "region_reason"])
def test_every_option_is_known_by_its_traditional_label(key):
    for option in BY_KEY[key].options:
        assert match_option(BY_KEY[key], texts("zh_Hant").text(option.label)) is option
