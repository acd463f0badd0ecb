"""Customers' topics in the staff group: whatever happens to them, nothing is lost, and nothing stands elsewhere."""

import re
import time

import pytest

from bot.storage import people
from bot.telegram import faults
from tests.driver import said

LOST = ("TOPIC_DELETED", "TOPIC_ID_INVALID", "message thread not found")


@pytest.fixture
async def customer(telegram):
    """Somebody who has called a person, and so has a topic; without a username."""
    person = await telegram.person("en", username=None)
    await person.says("/start")
    await person.says("/human")
    return person


async def in_topic(telegram, thread: int) -> str:
    path = f"/chats/{telegram.staff_chat_id}/messages?after=0&thread={thread}"
    return said([m for m in (await telegram.call(path))["messages"] if m["from_bot"]])


async def alive(telegram) -> list[int]:
    return [t["message_thread_id"] for t in await telegram.topics() if not t["deleted"]]


async def everywhere(telegram) -> list[dict]:
    return (await telegram.call(f"/chats/{telegram.staff_chat_id}/messages?after=0"))["messages"]


async def later(telegram, times: int = 8) -> None:
    for _ in range(times):
        await telegram.advance(30)


async def staff_member(telegram, sandbox):
    return next(iter(sandbox.world.chats[telegram.staff_chat_id].admins))


async def write_in(telegram, chat_id: int, sender: int, thread: int, text: str) -> int:
    """Let staff write in a topic, and return the message's id."""
    wrote = {"text": text, "chat_id": chat_id, "message_thread_id": thread}
    message_id = (await telegram.call(f"/users/{sender}/messages", wrote))["message_id"]
    await telegram.idle()
    return message_id


@pytest.mark.parametrize("lost", LOST)
async def test_a_topic_that_is_lost_by_any_name_is_made_anew(telegram, customer, lost):
    fault = {"status": 400, "description": f"Bad Request: {lost}"}
    await telegram.call("/faults", {"match": {"method": "copyMessage", "times": 1}, "action": fault})
    await customer.says("Is anybody there?")
    assert "Is anybody there?" in await in_topic(telegram, (await alive(telegram))[-1])


async def test_nothing_of_a_customer_lands_outside_of_a_topic(telegram, customer):
    (thread,) = await alive(telegram)
    await telegram.call(f"/chats/{telegram.staff_chat_id}/topics/{thread}/delete", {})
    await customer.says("Is anybody there?")
    other = await telegram.person("zh-hans")
    assert said(await other.says("/start")), "the others are served"
    threads = {m["message_thread_id"] for m in await everywhere(telegram) if m["from_bot"]}
    assert threads <= {t["message_thread_id"] for t in await telegram.topics()}


async def test_a_closed_topic_is_opened_again(telegram, customer):
    (thread,) = await alive(telegram)
    await telegram.call(f"/chats/{telegram.staff_chat_id}/topics/{thread}/close", {})
    fault = {"status": 400, "description": "Bad Request: TOPIC_CLOSED"}
    await telegram.call("/faults", {"match": {"method": "copyMessage", "times": 1}, "action": fault})
    await customer.says("One more question")
    assert "One more question" in await in_topic(telegram, thread)
    assert not (await telegram.topics())[0]["closed"]


async def test_a_topic_that_cannot_be_made_yet_is_made_later_and_all_is_in_order(telegram, monkeypatch):
    monkeypatch.setattr(faults, "back_off_s", lambda _attempts: 0.02)
    fault = {"status": 500, "description": "Internal Server Error"}
    await telegram.call("/faults", {"match": {"method": "createForumTopic", "times": 5}, "action": fault})
    person = await telegram.person("en")
    for words in ("/start", "/human", "first", "second", "third"):
        shown = said(await person.says(words))
        assert "topic" not in shown, "that is no matter of the customer's"
    (thread,) = await alive(telegram)
    assert re.findall("first|second|third", await in_topic(telegram, thread)) == ["first", "second", "third"]


async def test_while_the_group_has_no_topics_what_is_for_staff_waits(telegram, customer, sandbox):
    telegram.refusals_expected = True
    group = sandbox.world.chats[telegram.staff_chat_id]
    group.is_forum = False
    await customer.says("Is anybody there?")
    await later(telegram, 2)
    group.is_forum = True
    await later(telegram)
    assert "Is anybody there?" in await in_topic(telegram, (await alive(telegram))[-1])


async def test_a_flood_from_one_person_makes_one_topic_and_keeps_its_order(telegram, customer):
    for n in range(150):
        await telegram.call(f"/users/{customer.id}/messages", {"text": f"no. {n}."})
    deadline = time.monotonic() + 60
    while not (await telegram.call("/idle?quiet_ms=30&timeout_s=20"))["idle"]:
        assert time.monotonic() < deadline
    (thread,) = await alive(telegram)
    found = [int(n) for n in re.findall(r"no\. (\d+)\.", await in_topic(telegram, thread))]
    assert found == list(range(150))


async def test_what_a_customer_rewrites_does_not_replace_what_staff_have_seen(telegram, customer):
    wrote = await telegram.call(f"/users/{customer.id}/messages", {"text": "10 cards"})
    await telegram.idle()
    await telegram.call(f"/users/{customer.id}/edits", {"message_id": wrote["message_id"], "text": "1 card"})
    await telegram.idle()
    seen = await in_topic(telegram, (await alive(telegram))[0])
    assert seen.index("10 cards") < seen.index("1 card", seen.index("10 cards") + 8)


async def edit_in(telegram, sender: int, message_id: int, text: str) -> None:
    changed = {"message_id": message_id, "text": text, "chat_id": telegram.staff_chat_id}
    await telegram.call(f"/users/{sender}/edits", changed)
    await telegram.idle()


async def test_what_staff_rewrite_is_rewritten_for_the_customer(telegram, customer, sandbox):
    (thread,) = await alive(telegram)
    sender = await staff_member(telegram, sandbox)
    wrote = await write_in(telegram, telegram.staff_chat_id, sender, thread, "It is $2 an hour.")
    await write_in(telegram, telegram.staff_chat_id, sender, thread, "From Monday on.")
    shown = len(await customer.screen())
    await edit_in(telegram, sender, wrote, "It is $3 an hour.")
    texts = [m["text"] for m in await customer.screen()]
    assert "It is $3 an hour." in texts
    assert "It is $2 an hour." not in texts
    assert "From Monday on." in texts
    assert len(texts) == shown


async def test_a_rewritten_answer_that_the_customer_has_not_seen_yet_comes_once(telegram, customer, sandbox):
    (thread,) = await alive(telegram)
    sender = await staff_member(telegram, sandbox)
    to_topic = {"text": "On Mondy.", "chat_id": telegram.staff_chat_id, "message_thread_id": thread}
    fault = {"status": 500, "description": "Internal Server Error"}
    await telegram.call("/faults", {"match": {"method": "copyMessage", "times": 2}, "action": fault})
    wrote = await telegram.call(f"/users/{sender}/messages", to_topic)
    await edit_in(telegram, sender, wrote["message_id"], "On Monday.")
    await later(telegram)
    texts = [m["text"] for m in await customer.screen()]
    assert texts.count("On Monday.") == 1
    assert "On Mondy." not in texts


async def test_staff_are_told_that_a_rewritten_answer_cannot_reach_who_has_blocked_the_bot(telegram, customer, sandbox):
    (thread,) = await alive(telegram)
    sender = await staff_member(telegram, sandbox)
    wrote = await write_in(telegram, telegram.staff_chat_id, sender, thread, "Tomorrow.")
    await telegram.call(f"/users/{customer.id}/block", {})
    await telegram.idle()
    await edit_in(telegram, sender, wrote, "Today.")
    assert "Not delivered" in await in_topic(telegram, thread)


async def test_who_hides_behind_forwards_gets_staffs_answer(telegram, customer, sandbox):
    await customer.sends(text="See what a friend says", forward_from="Somebody hidden")
    (thread,) = await alive(telegram)
    assert "See what a friend says" in await in_topic(telegram, thread)
    await write_in(telegram, telegram.staff_chat_id, await staff_member(telegram, sandbox), thread, "We call you.")
    assert "We call you." in said(await customer.new())


async def test_who_has_no_username_is_named_without_one(telegram, customer):
    seen = said(await everywhere(telegram)) + str(await telegram.topics())
    assert re.findall(r"@(?:None|null|-|\s|$)", seen) == []


async def test_staff_are_told_once_that_a_customer_has_blocked_the_bot_and_that_they_are_back(telegram, customer):
    (thread,) = await alive(telegram)
    await telegram.call(f"/users/{customer.id}/block", {})
    await telegram.idle()
    await telegram.advance(3)
    assert (await in_topic(telegram, thread)).count("blocked the bot") == 1
    await telegram.call(f"/users/{customer.id}/unblock", {})
    await telegram.idle()
    assert "takes messages from the bot again" in await in_topic(telegram, thread)


async def test_staff_are_told_when_a_call_finds_the_bot_blocked(telegram, customer):
    fault = {"status": 403, "description": "Forbidden: bot was blocked by the user"}
    await telegram.call("/faults", {"match": {"chat_id": customer.id, "times": 1}, "action": fault})
    await customer.says("/help")
    assert "blocked the bot" in await in_topic(telegram, (await alive(telegram))[0])


async def move(telegram, sandbox) -> int:
    """Let the staff group go on under another id, as an upgrade does."""
    old = sandbox.world.chats[telegram.staff_chat_id]
    new = await telegram.call(
        "/chats",
        {
            "type": "supergroup",
            "title": "Staff",
            "is_forum": True,
            "admins": [await staff_member(telegram, sandbox)],
            "bot_rights": {"can_manage_topics": True},
        },
    )
    moved = sandbox.world.chats[new["id"]]
    moved.topics = old.topics
    return moved.id


@pytest.mark.parametrize("told_by", ["update", "error"])
async def test_staff_and_customers_go_on_in_a_group_that_has_moved(telegram, customer, sandbox, told_by):
    (thread,) = await alive(telegram)
    sender = await staff_member(telegram, sandbox)
    new = await move(telegram, sandbox)
    if told_by == "update":
        old = sandbox.world.chats[telegram.staff_chat_id]
        sandbox.world.push_message(
            "message", old, sandbox.world.service(old, sandbox.world.users[sender], {"migrate_to_chat_id": new})
        )
        await telegram.idle()
    else:
        fault = {
            "status": 400,
            "description": "Bad Request: group chat was upgraded to a supergroup chat",
            "migrate_to_chat_id": new,
        }
        await telegram.call("/faults", {"match": {"chat_id": telegram.staff_chat_id, "times": 1}, "action": fault})
    await customer.says("Where are you?")
    shown = (await telegram.call(f"/chats/{new}/messages?after=0"))["messages"]
    assert "Where are you?" in said(shown)
    async with telegram.desk.engine.connect() as tx:
        assert await people.topic_of(tx, customer.id) == (new, thread)
    await write_in(telegram, new, sender, thread, "In the new place.")
    assert "In the new place." in said(await customer.new())
