"""What Telegram can do to a bot, and that nothing is lost by it."""

import asyncio

import pytest

from bot.checklist.fields import BY_KEY
from bot.i18n import texts
from tests.driver import said

EN = texts("en")


def question(key: str) -> str:
    return EN.text(BY_KEY[key].question)


@pytest.mark.parametrize(
    "action",
    [
        {"status": 429, "retry_after": 1},
        {"status": 500, "description": "Internal Server Error: restart"},
        {"html_502": True},
        {"reset": True},
        {"half_body": True},
        {"bad_json": True},
    ],
    ids=lambda action: next(iter(action)) + str(action.get("status", "")),
)
async def test_an_answer_arrives_in_spite_of(telegram, action):
    person = await telegram.person("en")
    await person.says("/start")
    await telegram.call("/faults", {"match": {"method": "sendMessage", "times": 1}, "action": action})
    answered = await until(telegram, person, lambda: person.says("inference"), question("description"))
    assert sum(question("description") in said([m]) for m in answered) == 1


async def until(telegram, person, act, text):
    """Do something and move the clock on until a text has come: retries wait by the clock."""
    found = await act()
    for _ in range(20):
        if text in said(found):
            return found
        await telegram.advance(5)
        found += await person.new()
    raise AssertionError(f"{text!r} never came: {said(found)}")


async def test_a_broken_markup_is_sent_as_plain_text(telegram):
    person = await telegram.person("en")
    fault = {"status": 400, "description": "Bad Request: can't parse entities: Unsupported start tag"}
    await telegram.call("/faults", {"match": {"method": "sendMessage", "times": 1}, "action": fault})
    greeting = await person.says("/start")
    assert "Welcome" in said(greeting)
    assert question("workload") in said(greeting)


async def test_not_modified_and_too_old_are_no_errors(telegram):
    person = await telegram.person("en")
    await person.says("/start")
    stale = {
        "status": 400,
        "description": "Bad Request: query is too old and response timeout expired or query ID is invalid",
    }
    await telegram.call("/faults", {"match": {"method": "answerCallbackQuery", "times": 1}, "action": stale})
    same = {
        "status": 400,
        "description": "Bad Request: message is not modified: specified new message content and reply markup",
    }
    await telegram.call("/faults", {"match": {"method": "editMessageText", "times": 1}, "action": same})
    assert question("description") in said(await person.taps("Continuous inference"))


async def test_a_message_that_cannot_be_edited_is_sent_anew(telegram):
    person = await telegram.person("en")
    await person.says("/start")
    gone = {"status": 400, "description": "Bad Request: message to edit not found"}
    await telegram.call("/faults", {"match": {"method": "editMessageText", "times": 1}, "action": gone})
    assert "Continuous inference" in said(await person.taps("Continuous inference"))


async def test_a_duplicate_update_is_answered_once(telegram):
    person = await telegram.person("en")
    await person.says("/start")
    await telegram.call("/faults", {"delivery": "duplicate"})
    answered = await person.says("inference")
    await telegram.call("/faults", {"delivery": "redeliver"})
    await telegram.idle()
    answered += await person.new()
    assert sum(question("description") in said([m]) for m in answered) == 1


async def test_a_blocked_bot_is_quiet_and_reminds_after_the_block(telegram):
    person = await telegram.person("en")
    await person.says("/start")
    await person.says("/trial 1x RTX 4090")
    await person.says("0.35 USD")
    await person.says("1 hour")
    await person.taps("✓ Register")
    await telegram.call(f"/users/{person.id}/block", {})
    await telegram.idle()
    before = len(await telegram.calls("sendMessage"))
    await telegram.advance(3 * 3600)
    assert len(await telegram.calls("sendMessage")) == before, "a blocked bot is never written to"
    await telegram.call(f"/users/{person.id}/unblock", {})
    await telegram.advance(2)
    reminder = said(await person.new())
    assert "Time to destroy your trial instance" in reminder
    assert "comes late" in reminder


async def test_a_lost_topic_is_made_anew_and_the_same_message_delivered(telegram):
    person = await telegram.person("en")
    await person.says("/start")
    await person.says("/human")
    first = (await telegram.topics())[0]["message_thread_id"]
    await telegram.call(f"/chats/{telegram.staff_chat_id}/topics/{first}/delete", {})
    await person.says("Is anybody there?")
    alive = [t for t in await telegram.topics() if not t["deleted"]]
    assert len(alive) == 1
    path = f"/chats/{telegram.staff_chat_id}/messages?after=0&thread={alive[0]['message_thread_id']}"
    assert "Is anybody there?" in said((await telegram.call(path))["messages"])


async def test_a_tap_on_an_old_button_changes_nothing_and_is_answered(telegram):
    person = await telegram.person("en")
    first = (await person.says("/start"))[-1]
    data = first["keyboard"][0][0]["data"]
    await person.says("inference")
    answer = await person.taps_data(first["message_id"], data, stale=True)
    assert answer["answered"]
    assert "earlier question" in answer["text"]
    assert "Continuous inference" in said(await person.says("/status")) or question("description") in said(
        await person.screen()
    )


@pytest.mark.parametrize(
    "data", ["zzz", "1:d1:confirm", "2:x:y", "1:t99:destroyed", "1:lang:xx:set", "1:d1:workload:pick"]
)
async def test_unknown_callback_data_is_answered_with_a_notice(telegram, data):
    person = await telegram.person("en")
    first = (await person.says("/start"))[-1]
    answer = await person.taps_data(first["message_id"], data, stale=True)
    assert answer["answered"]
    assert answer["text"]


@pytest.mark.parametrize("name", ["<3", "abdo <", "a—b' for --", "_x_", "</b>", "𠮷" * 60])
async def test_a_name_with_markup_reaches_staff_as_it_is(telegram, name):
    person = await telegram.person("en", name)
    await person.says("/start")
    await person.says("/human")
    topics = await telegram.topics()
    assert topics[0]["name"].startswith(name[:40])
    path = f"/chats/{telegram.staff_chat_id}/messages?after=0&thread={topics[0]['message_thread_id']}"
    assert name in said((await telegram.call(path))["messages"])


@pytest.mark.parametrize("kind", ["photo", "document", "voice", "sticker", "contact", "location"])
async def test_everything_that_is_not_text_gets_an_answer(telegram, kind):
    person = await telegram.person("en")
    await person.says("/start")
    answered = said(await person.sends(**{kind: True}))
    assert "only read text" in answered
    assert question("workload") in answered


async def test_delete_me_leaves_nothing_behind(telegram):
    person = await telegram.person("en")
    await person.says("/start")
    await person.says("inference")
    await person.says("/trial 1x RTX 4090")
    await person.says("0.35 USD")
    await person.says("1 hour")
    await person.taps("✓ Register")
    await person.says("/human")
    await person.says("/delete_me")
    assert "is deleted" in said(await person.taps("Delete everything"))
    assert all(topic["deleted"] for topic in await telegram.topics())
    async with telegram.desk.engine.connect() as connection:
        for table in ("customer", "dialog", "request", "trial", "reminder", "topic", "outbox"):
            rows = (await connection.exec_driver_sql(f"SELECT * FROM {table}")).all()
            assert rows == [], table
        payloads = (await connection.exec_driver_sql("SELECT payload, chat_id FROM inbox")).all()
        assert {str(payload) for payload, _ in payloads} == {"{}"}
        assert person.id not in {chat_id for _, chat_id in payloads}
    await telegram.advance(86400)
    assert await person.new() == []
    assert question("workload") in said(await person.says("/start")), "a new start begins from nothing"


async def test_two_people_in_two_languages_never_mix(telegram):
    english, chinese = await telegram.person("en"), await telegram.person("zh-hans")
    for text in ["/start", *["TBD"] * 8]:
        await asyncio.gather(english.says(text), chinese.says(text))
    assert not any("\u4e00" <= char <= "\u9fff" for char in said(await english.screen()))
    assert all(any("\u4e00" <= char <= "\u9fff" for char in said([m])) for m in await chinese.screen())
