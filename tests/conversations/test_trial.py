"""A whole trial in the sandbox, from the proposal to the estimate that follows its measurements, in both languages."""

import pytest

from bot.i18n import texts
from tests.driver import said
from tests.quantities.test_measurements import SMI

HOUR, DAY = 3600, 86400
WORDS = {
    "en": (
        "fine-tuning",
        "skip",
        "Qwen2.5-7B",
        "lora",
        "200 GB, 0.10 USD",
        "stopped",
        "data moved",
        "verified",
        "destroyed",
    ),
    "zh-hans": ("微调", "跳过", "Qwen2.5-7B", "LoRA", "200G，0.1", "已停止", "数据已转移", "已核对", "已销毁"),
}
LOCALES = {"en": "en", "zh-hans": "zh_Hans"}


async def topic_text(telegram) -> str:
    (topic,) = await telegram.topics()
    path = f"/chats/{telegram.staff_chat_id}/messages?after=0&thread={topic['message_thread_id']}"
    return said((await telegram.call(path))["messages"])


@pytest.mark.parametrize("language", WORDS)
async def test_a_whole_trial(telegram, language):  # noqa: PLR0915 - one story, told in order
    reader = texts(LOCALES[language])
    purpose, skip, model, method, disk, stopped, moved, verified, destroyed = WORDS[language]
    person = await telegram.person(language)
    for text in ("/start", purpose, skip, model, method):
        await person.says(text)

    proposed = await person.says("/trial")
    assert "GeForce RTX 4090" in said(proposed)
    hours = reader.plural(("{n} hour", "{n} hours"), 2)
    await person.taps(f"1 × GeForce RTX 4090 · {hours}")
    storage = await person.says("0.35 USD")
    assert "0.70" in said(storage), "two hours of one card"
    checked = await person.says(disk)
    # 0.35 x 2 h + 200 GB x 0.10 x 2 h / 720 h = 0.70 + 0.06
    assert "0.76" in said(checked)
    registered = await person.taps(reader.text("✓ Register"))
    assert any(m.get("document") for m in registered), "measure.py comes along"

    await telegram.advance(30 * 60 + 5)
    assert reader.text("Save a checkpoint now") in said(await person.new())
    await telegram.advance(30 * 60)
    await person.new()
    await telegram.advance(30 * 60)
    assert reader.text(
        "Copy weights, checkpoints and logs to your own storage and verify them; destroying clears the disk."
    ) in said(await person.new())
    await telegram.advance(30 * 60 + 5)
    ending = said(await person.new())
    assert reader.text("Time to destroy your trial instance") in ending
    assert "0.76" in ending

    noted = said(await person.says(stopped))
    assert "0.67" in noted, "200 GB at 0.10 a month are 0.67 a day"
    await telegram.advance(DAY + 60)
    assert "0.67" in said(await person.new()), "stopped is not destroyed: storage is reminded of"

    asked = said(await person.says(destroyed))
    assert reader.text("Destroying clears the disk for good: what was not moved and verified is lost.") in asked
    await person.says(moved)
    await person.says(verified)
    closed = said(await person.says(destroyed))
    assert reader.text("Destroyed; all billing for it has ended") in closed
    # By hand: 2 h of cards, 0.70; 26 h and some minutes of 200 GB at 0.10 a month of 720 h, 0.72 to 0.73.
    assert "1.42" in closed or "1.43" in closed

    after = await person.says(SMI)
    assert "21.42 GiB" in said(after)
    assert "21.2 → 21.4 GiB" in said(after)
    assert reader.text("measured peak") in said(after) or "21.4" in said(after)

    staff = await topic_text(telegram)
    told = texts("en")
    for message in ("Trial registered", "Destroyed; all billing for it has ended", "Measured in the trial"):
        assert told.text(message) in staff
    await telegram.advance(30 * DAY)
    assert reader.text("Time to destroy your trial instance") not in said(await person.new())


async def test_an_unanswered_trial_becomes_a_task_for_staff(telegram):
    person = await telegram.person("en")
    await person.says("/start")
    for text in ("/trial 1x RTX 4090", "0.35 USD", "1 hour"):
        await person.says(text)
    await person.taps("✓ Register")
    for wait in (3600, 1800, 3600, 3 * HOUR):
        await telegram.advance(wait + 5)
    assert "🚨 Task: Destroy the trial instance" in await topic_text(telegram)


async def test_a_trial_runs_longer_by_words_and_by_button(telegram):
    person = await telegram.person("en")
    await person.says("/start")
    for text in ("/trial 1x RTX 4090", "0.35 USD", "1 hour"):
        await person.says(text)
    await person.taps("✓ Register")
    before = said(await person.says("cost so far"))
    assert "Planned end" in before
    await person.says("extend by 2 hours")
    await telegram.advance(HOUR + 60)
    assert "Time to destroy" not in said(await person.new())
    await person.says("cost so far")
    await person.taps("Change the end")
    await person.says("10 minutes")
    await telegram.advance(601)
    assert "Time to destroy" in said(await person.new())
