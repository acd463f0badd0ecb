"""The pictures that come with an estimate, drawn and sent for real."""

import pytest

from bot.i18n import texts
from tests.driver import said


@pytest.mark.parametrize(
    ("app", "locale", "job"),
    [
        ("en", "en", "8 × H100, LoRA, Qwen2.5-72B, constant load, utilization 60%"),
        ("zh-hant", "zh_Hant", "8 張 H100，LoRA 微調 Qwen2.5-72B，負載穩定，利用率 60%"),
    ],
)
async def test_an_estimate_shows_memory_by_plan_and_where_reserving_pays(telegram, app, locale, job):
    person = await telegram.person(app)
    await person.says(job)
    came = await person.says("/estimate")
    pictures = [message for message in came if message.get("photo")]
    assert len(pictures) == 2, "memory, then cost"
    assert texts(locale).text("Memory per card, by part, against what the card has") in said(came)
    assert texts(locale).percent(0.7) in pictures[1]["caption"]
    assert len(await person.live()) == 1


async def test_while_a_picture_is_drawn_the_chat_shows_it_and_a_refused_sign_stops_nothing(telegram):
    person = await telegram.person("en")
    await person.says("8 × H100, LoRA, Qwen2.5-72B, constant load, utilization 60%")
    assert await telegram.calls("sendChatAction") == [], "nothing slow so far"
    await person.says("/estimate")
    first, *_ = await telegram.calls("sendChatAction")
    assert first["status"] == 200
    assert (first["params"]["chat_id"], first["params"]["action"]) == (person.id, "upload_photo")
    refused = {"status": 429, "retry_after": 3}
    await telegram.call("/faults", {"match": {"method": "sendChatAction", "times": 2}, "action": refused})
    other = await telegram.person("en", "Other")
    await other.says("8 × H100, LoRA, Qwen2.5-72B")
    assert [m for m in await other.says("/estimate") if m.get("photo")]
