"""What clients send that is easily forgotten: pictures alone, albums, links with payloads, taps on what is long gone."""

import pytest

from bot.checklist.fields import BY_KEY
from bot.dialog.decide import TEXT_PLEASE
from bot.i18n import texts
from tests.driver import said

APP_LANGUAGE = {"en": "en", "zh_Hans": "zh-hans"}
ALBUM = [{"photo": True, "media_group_id": "77"} for _ in range(5)]


@pytest.fixture(params=["en", "zh_Hans"])
async def newcomer(request, telegram):
    person = await telegram.person(APP_LANGUAGE[request.param])
    person.texts = texts(request.param)
    return person


def question(person, key) -> str:
    return person.texts.text(BY_KEY[key].question)


async def test_a_picture_as_the_first_message_of_all_is_answered_with_the_first_question(newcomer):
    replied = said(await newcomer.sends(photo=True))
    assert question(newcomer, "workload") in replied
    assert question(newcomer, "description") in said(await newcomer.says("inference"))


@pytest.mark.parametrize(
    "payload", ["", "x", "a" * 64, "a" * 65, "a.b.c", "cHJpY2U=", "ad_42-zh", "<b>", "8xH100"], ids=lambda p: p[:9]
)
async def test_a_link_with_any_payload_starts_the_checklist_and_is_no_answer(newcomer, payload):
    replied = said(await newcomer.says(f"/start {payload}".strip()))
    assert question(newcomer, "workload") in replied
    assert len(payload) == 1 or not payload or payload not in replied
    assert "H100" not in said(await newcomer.says("/status"))


async def test_a_failed_answer_to_a_tap_leaves_a_state_that_cancel_leaves(newcomer):
    await newcomer.says("/start")
    refused = {"status": 400, "description": "Bad Request: something is wrong with the query"}
    telegram = newcomer.telegram
    await telegram.call("/faults", {"match": {"method": "answerCallbackQuery", "times": 3}, "action": refused})
    await newcomer.taps(newcomer.texts.text(BY_KEY["workload"].options[0].label))
    paused = said(await newcomer.says("/cancel"))
    assert paused
    assert question(newcomer, "description") not in paused
    assert question(newcomer, "description") in said(await newcomer.says("hello"))


async def test_an_album_is_one_input_with_one_answer(newcomer):
    await newcomer.says("/start")
    first, *others = ALBUM
    replied = await newcomer.sends(**first, caption="inference")
    for photo in others:
        replied += await newcomer.sends(**photo)
    assert said(replied).count(question(newcomer, "description")) == 1
    silent = [reply for photo in ALBUM for reply in await newcomer.sends(**{**photo, "media_group_id": "78"})]
    assert said(silent).count(newcomer.texts.text(TEXT_PLEASE)) == 1, "an album without words is asked about once"


async def test_an_album_reaches_staff_as_one_album(newcomer):
    telegram = newcomer.telegram
    await newcomer.says("/start")
    await newcomer.says("/human")
    first, *others = ALBUM
    await telegram.call(f"/users/{newcomer.id}/messages", {**first, "caption": "our rack"})
    for photo in others:
        await telegram.call(f"/users/{newcomer.id}/messages", photo)
    await telegram.idle()
    await telegram.advance(2)
    copies = await telegram.calls("copyMessages")
    assert [len(call["params"]["message_ids"]) for call in copies] == [5]
    assert not await telegram.calls("copyMessage")
    thread = (await telegram.topics())[0]["message_thread_id"]
    shown = (await telegram.call(f"/chats/{telegram.staff_chat_id}/messages?after=0&thread={thread}"))["messages"]
    groups = [m["media_group_id"] for m in shown if m.get("media_group_id")]
    assert len(groups) == 5
    assert len(set(groups)) == 1
