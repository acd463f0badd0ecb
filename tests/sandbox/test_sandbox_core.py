"""The ordinary way of a conversation through the sandbox, as a bot and as a person see it."""

import asyncio


async def test_a_message_reaches_the_bot_and_the_answer_reaches_the_person(call):
    user = await call.client("/users", {"first_name": "Lin", "language_code": "zh-hans"})
    sent = await call.client(f"/users/{user['id']}/messages", {"text": "/start abc"})
    (update,) = await call.updates()
    assert update["update_id"] == sent["update_id"]
    assert update["message"]["text"] == "/start abc"
    assert update["message"]["from"]["language_code"] == "zh-hans"
    assert update["message"]["entities"] == [{"type": "bot_command", "offset": 0, "length": 6}]
    await call.ok("sendMessage", chat_id=user["id"], text="<b>你好</b>", parse_mode="HTML")
    answer = (await call.screen(user["id"]))[-1]
    assert (answer["text"], answer["html"], answer["from_bot"]) == ("你好", "<b>你好</b>", True)


async def test_a_pressed_button_is_answered_and_the_message_edited(call, customer):
    keyboard = {"inline_keyboard": [[{"text": "Yes", "callback_data": "v1:yes"}]]}
    message = await call.ok("sendMessage", chat_id=customer, text="Sure?", reply_markup=keyboard)
    pressed = await call.client(f"/users/{customer}/taps", {"message_id": message["message_id"], "data": "v1:yes"})
    (update,) = await call.updates()
    query = update["callback_query"]
    assert (query["id"], query["data"]) == (pressed["callback_query_id"], "v1:yes")
    assert await call.client(f"/callbacks/{query['id']}") == {"answered": False}
    await call.ok("answerCallbackQuery", callback_query_id=query["id"], text="Noted")
    shown = await call.client(f"/callbacks/{query['id']}")
    assert (shown["answered"], shown["text"], shown["show_alert"]) == (True, "Noted", False)
    await call.ok("editMessageText", chat_id=customer, message_id=message["message_id"], text="Thanks")
    last = (await call.screen(customer))[-1]
    assert (last["text"], last["former"], last["edited"], last["keyboard"]) == ("Thanks", ["Sure?"], True, [])


async def test_topics_are_opened_written_to_closed_and_deleted(call, box):
    staff = box.staff_chat_id
    topic = await call.ok("createForumTopic", chat_id=staff, name="Request 7")
    thread = topic["message_thread_id"]
    assert thread > 1
    message = await call.ok("sendMessage", chat_id=staff, message_thread_id=thread, text="New request")
    assert message["is_topic_message"] is True
    assert message["reply_to_message"]["forum_topic_created"]["name"] == "Request 7"
    await call.client(f"/chats/{staff}/topics/{thread}/close", {})
    assert (await call.client(f"/chats/{staff}/topics"))[0]["closed"] is True
    await call.client(f"/chats/{staff}/topics/{thread}/delete", {})
    lost = await call("sendMessage", chat_id=staff, message_thread_id=thread, text="Hello?")
    assert (lost.status, lost.error) == (400, "Bad Request: message thread not found")


async def test_idle_waits_for_the_bot_and_then_says_so(call, box, customer):
    assert await call.client("/idle?quiet_ms=1&timeout_s=1") == {"idle": True}
    await call.client(f"/users/{customer}/messages", {"text": "hi"})
    assert await call.client("/idle?quiet_ms=1&timeout_s=0.05") == {"idle": False}
    await call.updates()
    assert await call.client("/idle?quiet_ms=1&timeout_s=1") == {"idle": True}

    async def never() -> bool:
        return False

    box.quiet = never
    assert await call.client("/idle?quiet_ms=1&timeout_s=0.05") == {"idle": False}


async def test_the_clock_moves_forward_and_tells_the_bot(call, box, clock):
    moved = []
    box.on_clock = lambda: moved.append(clock.now())
    before = (await call.client("/clock"))["now"]
    after = (await call.client("/clock", {"advance_s": 3600}))["now"]
    assert (before, after) == ("2026-03-02T09:00:00.000Z", "2026-03-02T10:00:00.000Z")
    assert len(moved) == 1


async def test_a_bot_that_polls_without_a_pause_does_not_keep_idle_waiting(call):
    async def poll():
        while True:
            await call.ok("getUpdates")

    polling = asyncio.create_task(poll())
    assert await call.client("/idle?quiet_ms=50&timeout_s=2") == {"idle": True}
    polling.cancel()
