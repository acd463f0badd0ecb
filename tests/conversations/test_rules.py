"""The rules that bugs in the field taught others, in both languages; reminders and delivery have theirs beside their code."""

import re

import pytest

from bot.checklist.fields import BY_KEY, FIELDS
from bot.dialog.decide import COMMANDS
from bot.i18n import LOCALES, texts
from tests.driver import said

APP_LANGUAGE = {"en": "en", "zh_Hans": "zh-hans"}
HAN = re.compile(r"[\u4e00-\u9fff]")
BUG_TEXTS = ("<80GB", "A&B", "if a<b && c>d", "</b>", "_x_", "<3", "a—b' for --", "*bold* `code`")


@pytest.fixture(params=["en", "zh_Hans"])
async def customer(request, telegram):
    person = await telegram.person(APP_LANGUAGE[request.param], "<3 & co")
    person.texts = texts(request.param)
    await person.says("/start")
    return person


def asks(messages, reader, key) -> bool:
    return reader.text(BY_KEY[key].question) in said(messages)


async def test_1_a_switch_redraws_the_question_its_buttons_and_all_that_follows(customer):
    other = texts("zh_Hans" if customer.texts.locale == "en" else "en")
    await customer.says("切换到中文" if other.locale == "zh_Hans" else "English please")
    live = await customer.live()
    assert len(live) == 1, "one live keyboard"
    assert asks(live, other, "workload")
    label = other.text(BY_KEY["workload"].options[0].label)
    assert label in [b["text"] for row in live[0]["keyboard"] for b in row]
    old_label = customer.texts.text(BY_KEY["workload"].options[2].label)
    assert asks(await customer.says(old_label), other, "description"), "the other language is understood all the same"


async def test_2_a_second_tap_and_a_stale_tap_change_nothing_and_are_answered(customer):
    live = (await customer.live())[0]
    data = live["keyboard"][0][0]["data"]
    assert (await customer.taps_data(live["message_id"], data))["answered"]
    before = said(await customer.screen())
    answer = await customer.taps_data(live["message_id"], data, stale=True)
    assert answer["answered"]
    assert said(await customer.screen()) == before


@pytest.mark.parametrize("text", BUG_TEXTS)
async def test_3_names_and_answers_with_markup_are_shown_as_they_are(customer, text):
    await customer.says("inference")
    assert text in said(await customer.says(text))


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ("human", "delete_me")])
async def test_4_commands_work_in_every_state_and_are_never_an_answer(customer, name):
    for key in ("workload", "description", "model"):
        assert await customer.says(f"/{name}")
        await customer.says("/start")
        live = await customer.live()
        assert asks(live, customer.texts, key), f"/{name} at {key}"
        await customer.says({"workload": "inference", "description": "x", "model": "7B"}[key])


async def test_4_cancel_loses_nothing_and_one_message_goes_on(customer):
    await customer.says("inference")
    await customer.says("/cancel")
    assert asks(await customer.says("hello"), customer.texts, "description")


async def test_5_corrections_at_any_time_and_the_question_comes_back(customer):
    await customer.says("8 x H100, inference")
    await customer.says("an assistant")
    for wish, shown in (("change cards to 16", "16"), ("把卡数改成 24", "24"), ("改成32张卡", "32")):
        replied = await customer.says(wish)
        assert shown in said(replied)
        assert asks(replied, customer.texts, "model")


async def test_6_one_message_fills_many_fields_and_a_contradiction_is_asked(customer):
    replied = said(await customer.says("inference with 8 x H100, context 8k"))
    for key in ("workload", "gpu", "gpu_count", "sequence_length"):
        assert f"✓ {customer.texts.text(BY_KEY[key].label)}" in replied
    await customer.says("an assistant, nothing else")
    disputed = await customer.says("Qwen2.5-7B，上下文 4k")
    assert "8,192" in said(disputed)
    assert "4,096" in said(disputed)
    kept = await customer.says("keep" if customer.texts.locale == "en" else "保留原来的")
    assert asks(kept, customer.texts, "min_vram")


async def test_6_what_was_misread_is_taken_back_with_one_tap(customer):
    await customer.says("inference with 8 x H100, context 8k")
    asked = await customer.taps("✗ " + customer.texts.text(BY_KEY["gpu"].label))
    assert asks(asked, customer.texts, "gpu")


@pytest.mark.parametrize("kind", ["photo", "sticker", "voice", "contact", "location", "dice", "video_note"])
async def test_7_everything_that_is_not_text_gets_a_useful_answer_and_the_question(customer, kind):
    assert asks(await customer.sends(**{kind: True}), customer.texts, "workload")


async def test_7_a_caption_counts_as_what_was_said(customer):
    assert asks(await customer.sends(photo=True, caption="inference"), customer.texts, "description")


async def test_8_after_two_failures_an_example_to_be_decided_and_a_person(customer):
    await customer.says("inference")
    await customer.says("x")
    await customer.says("7B")
    first = await customer.says("purple")
    assert len(first) == 2, "one message with a hint, and the old question without its buttons"
    second = said(await customer.says("green"))
    assert customer.texts.text(BY_KEY["sequence_length"].hint) in second
    labels = [b["text"] for m in await customer.live() for row in m["keyboard"] for b in row]
    assert {customer.texts.text("To be decided"), customer.texts.text("Ask a person")} <= set(labels)


async def test_11_an_error_is_a_short_apology_with_a_number(customer, monkeypatch):
    def fails(*_):
        raise RuntimeError("SELECT secret FROM internals")

    monkeypatch.setattr("bot.telegram.turn.decide", fails)
    await customer.telegram.call(f"/users/{customer.id}/messages", {"text": "inference"})
    for _ in range(4):
        await customer.telegram.advance(5)
    apology = said((await customer.screen())[-1:])
    assert re.search(r"[0-9a-f]{8}", apology)
    assert "SELECT" not in apology
    assert bool(HAN.search(apology)) == (customer.texts.locale != "en")


async def test_12_privacy_tells_and_delete_me_forgets(customer):
    await customer.says("inference")
    assert "/delete_me" in said(await customer.says("/privacy"))
    await customer.says("/delete_me")
    await customer.taps(customer.texts.text("Delete everything"))
    assert asks(await customer.says("/start"), customer.texts, "workload")


def test_every_language_of_the_desk_is_played():
    assert set(APP_LANGUAGE) <= set(LOCALES)
    assert all(texts(locale).text(field.question) for locale in LOCALES for field in FIELDS)
