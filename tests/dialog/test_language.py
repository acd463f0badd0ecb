import pytest

from bot.dialog.language import wanted_language
from bot.dialog.typed import typed_action


@pytest.mark.parametrize(
    "said",
    [
        "English please",
        "english",
        "EN",
        "Ｅｎｇｌｉｓｈ",
        "switch to English",
        "切换到英文",
        "用英文",
        "请说英语",
        "换成English",
        "speak english please",
    ],
)
def test_english_is_asked_for_in_many_ways(said):
    assert wanted_language(said) == "en"


@pytest.mark.parametrize(
    "said",
    [
        "切换到中文",
        "中文",
        "说中文吧",
        "请用中文",
        "Chinese please",
        "switch to 中文",
        "简体中文",
        "zh",
        "In Chinese, please",
    ],
)
def test_chinese_is_asked_for_in_many_ways(said):
    assert wanted_language(said) == "zh_Hans"


@pytest.mark.parametrize(
    "said",
    [
        *(
            "繁體中文",
            "繁体",
            "繁體",
            "zh-TW",
            "zh_hk",
            "zh-Hant",
            "正體中文",
            "中文（繁體）",
            "Traditional Chinese please",
        ),
        *("切換到中文", "請用中文", "切换到繁体中文", "說國語吧", "換成繁體字"),
    ],
)
def test_traditional_chinese_is_asked_for_by_name_or_by_the_script_of_the_wish(said):
    assert wanted_language(said) == "zh_Hant"


@pytest.mark.parametrize(
    ("said", "locale"), [("中文", "zh_Hant"), ("Chinese please", "zh_Hant"), ("简体中文", "zh_Hans")]
)
def test_chinese_without_a_script_is_that_of_the_reader(said, locale):
    assert wanted_language(said, "zh_Hant") == locale


@pytest.mark.parametrize(
    "said", ["H100", "中文客服数据", "English and Chinese data", "an English model", "", "我们有中文语料", "please"]
)
def test_an_answer_is_not_taken_for_a_wish_for_a_language(said):
    assert wanted_language(said) is None


@pytest.mark.parametrize(
    ("said", "action"),
    [
        ("跳过", "skip"),
        ("Skip", "skip"),
        ("← 上一步", "back"),
        ("go back", "back"),
        ("转人工", "human"),
        ("确认", "confirm"),
        ("確認", "confirm"),
        ("轉人工", "human"),
        ("略過", "skip"),
        ("✓ Confirm and send", "confirm"),
    ],
)
def test_a_buttons_label_typed_in_either_language_means_the_button(said, action):
    assert typed_action(said) == action


@pytest.mark.parametrize("said", ["8", "skip the small ones", "I will confirm tomorrow", "确认一下网络要求"])
def test_a_sentence_is_not_taken_for_a_button(said):
    assert typed_action(said) is None
