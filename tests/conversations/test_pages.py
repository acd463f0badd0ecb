"""Long lists played in the chat: turned in place, kept on their page, and one question live beside them."""

import pytest

from bot.checklist.fields import BY_KEY
from bot.i18n import LOCALES, texts
from tests.driver import said

APP = {"en": "en", "zh_Hans": "zh-hans", "zh_Hant": "zh-hant"}
FORM = (
    "inference, Qwen2.5-72B, 8 × H100, context 8k, NVLink yes, dataset 2TB, shared storage yes, start 5 Jan, "
    "2 months, utilization 60%"
)


def labels(message) -> list[str]:
    return [button["text"] for row in message["keyboard"] or [] for button in row]


@pytest.mark.parametrize("locale", LOCALES)
async def test_reminders_are_turned_in_place_and_a_deleted_one_leaves_its_page_open(telegram, locale):
    reader = texts(locale)
    person = await telegram.person(APP[locale])
    for hour in range(8, 15):
        await person.says(f"/remind {'每天' if locale != 'en' else 'every day at '}{hour}:00 tea {hour}")
    (first,) = [m for m in await person.says("/reminders") if "tea 8" in m["text"]]
    assert "tea 14" not in first["text"]
    assert labels(first)[-2:] == ["1/2", "›"]
    (second,) = await person.taps("›")
    assert second["message_id"] == first["message_id"]
    assert "7. tea 14" in second["text"]
    data = [button["data"] for row in second["keyboard"] for button in row]
    await person.taps(reader.text("Pause"))
    (paused,) = [m for m in await person.screen() if m["message_id"] == first["message_id"]]
    assert "7. tea 14" in paused["text"]
    await person.taps(reader.text("Delete"))
    (left,) = [m for m in await person.screen() if m["message_id"] == first["message_id"]]
    assert "tea 13" in left["text"]
    assert "›" not in labels(left)
    stale = await person.taps_data(first["message_id"], data[-1], stale=True)
    assert stale["answered"]
    (still,) = [m for m in await person.screen() if m["message_id"] == first["message_id"]]
    assert still["text"] == left["text"]


@pytest.mark.parametrize("locale", LOCALES)
async def test_ways_back_are_turned_below_the_question_and_follow_the_language(telegram, locale):
    person = await telegram.person(APP[locale])
    await person.says(FORM)
    (live,) = await person.live()
    undone = {label for label in labels(live) if label.startswith("✗")}
    await person.taps("›")
    (turned,) = await person.live()
    assert turned["message_id"] == live["message_id"]
    more = {label for label in labels(turned) if label.startswith("✗")}
    assert more
    assert not more & undone
    other = texts("en" if locale != "en" else "zh_Hant")
    await person.says("English please" if locale != "en" else "繁體中文")
    (switched,) = await person.live()
    assert [label for label in labels(switched) if "/" in label] == [label for label in labels(turned) if "/" in label]
    key = next(b["data"] for row in switched["keyboard"] for b in row if b["text"].startswith("✗")).split(":")[2]
    await person.taps(next(label for label in labels(switched) if label.startswith("✗")))
    (asked,) = await person.live()
    assert other.text(BY_KEY[key].question) in said([asked])


async def test_a_tap_below_an_earlier_question_leaves_one_keyboard(telegram):
    person = await telegram.person("en")
    await person.says("inference, 8 × H100")
    (live,) = await person.live()
    back = next(b["data"] for row in live["keyboard"] for b in row if b["text"].startswith("✗"))
    await person.says("/status")
    assert len(await person.live()) == 1
    await person.taps_data(live["message_id"], back, stale=True)
    assert len(await person.live()) == 1
