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
