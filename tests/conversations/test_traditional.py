"""A reader of traditional Chinese, whose language is made by conversion: screens, menu, words, and the way back."""

import re

import pytest
from opencc import OpenCC

from bot.checklist.fields import BY_KEY
from bot.i18n import NAMES, texts
from tests.driver import said

HANT, HANS, EN = texts("zh_Hant"), texts("zh_Hans"), texts("en")
TO_TRADITIONAL = OpenCC("s2tw")


def is_traditional(messages) -> bool:
    shown = "\n".join([said(messages), *(b["text"] for m in messages for row in m["keyboard"] or [] for b in row)])
    return bool(re.search(r"[\u4e00-\u9fff]", shown)) and TO_TRADITIONAL.convert(shown) == shown


@pytest.fixture
async def customer(telegram):
    return await telegram.person("zh-TW", "陳")


async def menu_of(telegram, chat_id: int) -> list[str]:
    calls = await telegram.calls("setMyCommands")
    own = [call["params"] for call in calls if call["params"].get("scope", {}).get("chat_id") == chat_id]
    return [entry["description"] for entry in own[-1]["commands"]] if own else []


async def test_the_app_s_language_brings_traditional_screens_and_a_menu_of_the_chat_s_own(customer, telegram):
    assert is_traditional(await customer.says("/start"))
    assert is_traditional(await customer.says("8 張 H100 做推論，跑 Qwen2.5-72B，上下文 8k"))
    assert is_traditional(await customer.says("/status"))
    assert is_traditional(await customer.says("停機還收費嗎？"))
    assert is_traditional([m for m in await customer.says("/estimate") if m["text"]])
    assert HANT.text("Talk to a person") in await menu_of(telegram, customer.id)


async def test_only_who_needs_a_menu_of_their_own_gets_one(telegram):
    for language in ("en", "zh-hans", None):
        person = await telegram.person(language)
        await person.says("/start")
        assert await menu_of(telegram, person.id) == []


async def test_languages_are_switched_by_button_and_by_word_and_the_open_question_follows(customer):
    await customer.says("/start")
    question = BY_KEY["workload"].question
    await customer.says("/language")
    assert HANS.text(question) in said(await customer.taps(NAMES["zh_Hans"]))
    assert HANT.text(question) in said(await customer.says("繁體中文"))
    assert EN.text(question) in said(await customer.says("English please"))
    assert HANT.text(question) in said(await customer.says("用中文")), "the app's own kind of Chinese"
    assert len(await customer.live()) == 1


async def test_a_form_comes_in_traditional_characters_and_is_pasted_back(customer):
    await customer.says("8 張 H100 全參微調 Qwen2.5-72B，資料集 2T，下週一開始跑兩個月，預算待定")
    form = next(m for m in await customer.says("/template") if "【" in m["text"])
    assert is_traditional([{**form, "keyboard": None}])
    changed = form["text"][form["text"].index("【") :].replace("2 TB", "3 TB")
    shown = said((await customer.says(changed))[-1:])
    assert f"✓ {HANT.text(BY_KEY['dataset_size'].label)}" in shown
    assert shown.count("✓") == 1, "nothing else has changed"


async def test_words_beside_the_checklist_are_understood(customer):
    await customer.says("/start")
    assert HANT.text(BY_KEY["workload"].question) in said(await customer.says("時區改成紐約"))
    shown = said(await customer.says("每天早上9點提醒我存檢查點"))
    assert "存檢查點" in shown
    assert "9" in shown
    assert is_traditional(await customer.says("我的提醒"))


async def test_a_correction_keeps_the_words_as_they_were_written(customer):
    await customer.says("推論")
    await customer.says("客服助手")
    assert "臺灣的資料" in said(await customer.says("把描述改成臺灣的資料"))


async def test_a_trial_its_reminders_and_the_summary_are_traditional_and_follow_taipei(customer, telegram):
    await customer.says("/start")
    for answer in ("/trial 1 × RTX 4090", "0.35 美元", "3 小時"):
        assert is_traditional(await customer.says(answer))
    registered = await customer.taps(HANT.text("✓ Register"))
    assert is_traditional(registered)
    assert "UTC+08:00" in said(registered)
    assert is_traditional(await customer.says("現在花了多少錢"))
    await telegram.advance(3 * 3600 + 5)
    due = [m for m in await customer.new() if m["text"].startswith("⏰")]
    assert HANT.text("Time to destroy your trial instance") in said(due)
    assert is_traditional(due)
    assert is_traditional(await customer.says("1 小時後再提醒我"))
    assert is_traditional(await customer.says("已經銷毀了"))
    assert HANT.text("Destroyed; all billing for it has ended") in said(await customer.says("是的"))


async def test_the_checklist_is_summed_up_and_sent_in_traditional_characters(customer):
    await customer.says("推論，跑 Qwen2.5-72B，8 張 H100，上下文 8k")
    for _ in range(40):
        shown = await customer.says("待定")
        if HANT.text("Your checklist") in said(shown):
            break
    assert is_traditional(shown)
    assert HANT.text("to be decided") in said(shown)
    sent = await customer.taps(HANT.text("✓ Confirm and send"))
    assert HANT.text("Thank you! Your request is in.") in said(sent)
    assert is_traditional(sent)
