"""The `/client` paths: what people do and see, to the letter of the contract."""

import base64

import pytest

from bot.sandbox.files import sample_photo

KEYS = {
    "inline_keyboard": [
        [{"text": "A", "callback_data": "a"}, {"text": "B", "callback_data": "b"}],
        [{"text": "L", "url": "https://a.bc"}],
    ]
}


async def test_a_person_has_what_was_asked_for(call):
    user = await call.client(
        "/users",
        {"id": 42, "first_name": "Ada", "last_name": "L", "username": "ada", "language_code": "en", "is_premium": True},
    )
    wanted = {
        "id": 42,
        "is_bot": False,
        "first_name": "Ada",
        "last_name": "L",
        "username": "ada",
        "language_code": "en",
    }
    assert user.items() >= (wanted | {"is_premium": True}).items()
    assert (await call.client("/users", {"first_name": "Bo"}))["id"] not in {42, 0}


@pytest.mark.parametrize(
    "body", [{}, {"first_name": ""}, {"first_name": "A", "id": -5}, {"first_name": "A", "id": "x"}]
)
async def test_a_person_needs_a_name_and_a_right_id(call, body):
    await call.client("/users", body, status=400)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"photo": True}, "photo"),
        ({"photo": "rack.png"}, "photo"),
        ({"photo": base64.b64encode(sample_photo(30, 20)).decode()}, "photo"),
        ({"document": True}, "document"),
        ({"document": "plan.pdf"}, "document"),
        ({"document": {"name": "plan.csv", "content": base64.b64encode(b"a,b").decode()}}, "document"),
        ({"voice": True}, "voice"),
        ({"voice": 12}, "voice"),
        ({"sticker": "👍"}, "sticker"),
        ({"contact": True}, "contact"),
        ({"contact": {"phone_number": "+861", "first_name": "Li"}}, "contact"),
        ({"location": True}, "location"),
        ({"location": {"latitude": 1.5, "longitude": 2.5}}, "location"),
        ({"video": True}, "video"),
        ({"video_note": True}, "video_note"),
        ({"dice": 6}, "dice"),
    ],
)  # fmt: skip
async def test_every_kind_of_message_reaches_the_bot(call, customer, body, field):
    sent = await call.client(f"/users/{customer}/messages", {**body, "caption": "see"})
    (update,) = await call.updates()
    message = update["message"]
    assert field in message
    assert (message["message_id"], update["update_id"]) == (sent["message_id"], sent["update_id"])
    assert message["caption"] == "see"


@pytest.mark.parametrize("body", [{}, {"text": ""}, {"text": "a", "photo": True}, {"text": "x" * 4097}])
async def test_a_message_is_exactly_one_thing(call, customer, body):
    await call.client(f"/users/{customer}/messages", body, status=400)


async def test_a_picture_can_be_fetched_by_the_bot(call, box, customer):
    data = sample_photo(30, 20)
    await call.client(
        f"/users/{customer}/messages", {"photo": "data:image/png;base64," + base64.b64encode(data).decode()}
    )
    (update,) = await call.updates()
    largest = update["message"]["photo"][-1]
    assert (largest["width"], largest["height"], largest["file_size"]) == (30, 20, len(data))
    file = await call.ok("getFile", file_id=largest["file_id"])
    fetched = await call.http.get(f"/file/bot{box.token}/{file['file_path']}")
    assert fetched.content == data
    assert (await call.http.get(f"/file/botwrong/{file['file_path']}")).status_code == 401
    assert (await call.http.get(f"/file/bot{box.token}/photos/none.jpg")).status_code == 404


async def test_an_album_arrives_as_single_messages_with_one_id(call, customer):
    for _ in range(3):
        await call.client(f"/users/{customer}/messages", {"photo": True, "media_group_id": "77"})
    updates = await call.updates()
    assert [u["message"]["media_group_id"] for u in updates] == ["77"] * 3
    ids = [u["message"]["message_id"] for u in updates]
    await call.ok("copyMessages", chat_id=customer, from_chat_id=customer, message_ids=ids)
    shown = (await call.client(f"/chats/{customer}/messages?after=0"))["messages"]
    copies = [m["media_group_id"] for m in shown if m["from_bot"] and "media_group_id" in m]
    assert len(copies) == 3
    assert len(set(copies)) == 1, "an album that is copied stays one"


async def test_a_forwarded_message_says_so(call, customer):
    await call.client(f"/users/{customer}/messages", {"text": "x", "forward_from": "Somebody"})
    (update,) = await call.updates()
    assert update["message"]["forward_origin"]["sender_user_name"] == "Somebody"


async def test_a_reply_carries_the_message_it_answers(call, customer):
    asked = await call.ok("sendMessage", chat_id=customer, text="how many?")
    await call.client(f"/users/{customer}/messages", {"text": "8", "reply_to_message_id": asked["message_id"]})
    (update,) = await call.updates()
    assert update["message"]["reply_to_message"]["text"] == "how many?"
    assert (await call.screen(customer))[-1]["reply_to_message_id"] == asked["message_id"]


async def test_an_edit_keeps_the_former_text(call, customer):
    sent = await call.client(f"/users/{customer}/messages", {"text": "8 cards"})
    await call.updates()
    await call.client(f"/users/{customer}/edits", {"message_id": sent["message_id"], "text": "16 cards"})
    (update,) = await call.updates()
    assert update["edited_message"]["text"] == "16 cards"
    assert update["edited_message"]["edit_date"] >= update["edited_message"]["date"]
    shown = (await call.screen(customer))[-1]
    assert (shown["edited"], shown["former"], shown["text"]) == (True, ["8 cards"], "16 cards")
    await call.client(f"/users/{customer}/edits", {"message_id": 999, "text": "x"}, status=404)


@pytest.mark.parametrize("tap", [{"data": "b"}, {"text": "B"}, {"row": 0, "col": 1}])
async def test_a_button_is_found_by_data_text_or_place(call, customer, tap):
    message = await call.ok("sendMessage", chat_id=customer, text="x", reply_markup=KEYS)
    await call.client(f"/users/{customer}/taps", {"message_id": message["message_id"], **tap})
    (update,) = await call.updates()
    query = update["callback_query"]
    assert (query["data"], query["from"]["id"], query["message"]["message_id"]) == (
        "b",
        customer,
        message["message_id"],
    )
    assert query["chat_instance"]


@pytest.mark.parametrize("tap", [{"data": "c"}, {"text": "C"}, {"row": 5, "col": 0}, {"row": 0, "col": 2}, {}])
async def test_a_button_that_is_not_there_gives_409(call, customer, tap):
    message = await call.ok("sendMessage", chat_id=customer, text="x", reply_markup=KEYS)
    await call.client(f"/users/{customer}/taps", {"message_id": message["message_id"], **tap}, status=409)
    assert await call.updates() == []


async def test_a_link_button_asks_nobody(call, customer):
    message = await call.ok("sendMessage", chat_id=customer, text="x", reply_markup=KEYS)
    await call.client(f"/users/{customer}/taps", {"message_id": message["message_id"], "row": 1, "col": 0}, status=400)


async def test_a_stale_button_can_be_pressed_on_purpose(call, customer):
    message = await call.ok("sendMessage", chat_id=customer, text="x", reply_markup=KEYS)
    number = message["message_id"]
    await call.ok("editMessageText", chat_id=customer, message_id=number, text="gone")
    await call.client(f"/users/{customer}/taps", {"message_id": number, "data": "a"}, status=409)
    await call.client(f"/users/{customer}/taps", {"message_id": number, "data": "a", "stale": True})
    (update,) = await call.updates()
    assert (update["callback_query"]["data"], update["callback_query"]["message"]["text"]) == ("a", "gone")
    await call.ok("deleteMessage", chat_id=customer, message_id=number)
    await call.client(f"/users/{customer}/taps", {"message_id": number, "data": "a", "stale": True})
    (update,) = await call.updates()
    assert update["callback_query"]["message"] == {
        "chat": {"id": customer, "type": "private", "first_name": "Ada"},
        "message_id": number,
        "date": 0,
    }


async def test_a_reply_keyboard_writes_its_text(call, customer):
    markup = {"keyboard": [[{"text": "8×H100"}, {"text": "other"}], [{"text": "Phone", "request_contact": True}]]}
    message = await call.ok("sendMessage", chat_id=customer, text="x", reply_markup=markup)
    assert "reply_markup" not in message
    assert (await call.screen(customer))[-1]["reply_keyboard"]["keyboard"][0][1] == {"text": "other"}
    await call.client(f"/users/{customer}/taps", {"message_id": message["message_id"], "text": "8×H100"})
    await call.client(f"/users/{customer}/taps", {"message_id": message["message_id"], "row": 1, "col": 0})
    texts, contact = [u["message"] for u in await call.updates()]
    assert (texts["text"], "contact" in contact) == ("8×H100", True)


async def test_blocking_and_unblocking_are_told_to_the_bot(call, customer):
    await call.client(f"/users/{customer}/block", {})
    await call.client(f"/users/{customer}/messages", {"text": "x"}, status=409)
    await call.client(f"/users/{customer}/unblock", {})
    blocked, unblocked = [u["my_chat_member"] for u in await call.updates()]
    assert (blocked["new_chat_member"]["status"], unblocked["new_chat_member"]["status"]) == ("kicked", "member")
    assert (blocked["old_chat_member"]["status"], blocked["chat"]["id"]) == ("member", customer)
    await call.ok("sendMessage", chat_id=customer, text="back")


async def test_later_updates_carry_the_new_language(call, customer):
    await call.client(f"/users/{customer}/language", {"language_code": "zh-hans"})
    await call.client(f"/users/{customer}/messages", {"text": "a"})
    await call.client(f"/users/{customer}/language", {"language_code": None})
    await call.client(f"/users/{customer}/messages", {"text": "b"})
    first, second = [u["message"]["from"] for u in await call.updates()]
    assert (first["language_code"], "language_code" in second) == ("zh-hans", False)


async def test_a_group_is_founded_with_the_bot_in_it(call, customer):
    group = await call.client(
        "/chats",
        {"type": "supergroup", "title": "Team", "is_forum": True, "members": [customer], "admins": [customer], "bot_rights": {"can_manage_topics": True}},
    )  # fmt: skip
    assert (group["type"], group["title"], group["is_forum"]) == ("supergroup", "Team", True)
    added = (await call.updates())[0]["my_chat_member"]
    assert (added["new_chat_member"]["status"], added["new_chat_member"]["can_manage_topics"]) == (
        "administrator",
        True,
    )
    bot_id = int(call.box.token.partition(":")[0])
    member = await call.ok("getChatMember", chat_id=group["id"], user_id=bot_id)
    assert (member["status"], member["can_manage_topics"], member["can_pin_messages"]) == ("administrator", True, False)
    owner = await call.ok("getChatMember", chat_id=group["id"], user_id=customer)
    assert owner["status"] == "creator"


async def test_a_plain_member_hears_commands_and_replies_only(call, customer):
    group = (await call.client("/chats", {"type": "group", "title": "G", "members": [customer]}))["id"]
    answer = await call.ok("sendMessage", chat_id=group, text="question")
    await call.updates()
    bodies = [
        {"text": "just talk"},
        {"text": "@gpu_desk_bot look"},
        {"text": "/help@other_bot"},
        {"text": "/help"},
        {"text": "/help@gpu_desk_bot"},
        {"text": "an answer", "reply_to_message_id": answer["message_id"]},
    ]
    heard = [
        (await call.client(f"/users/{customer}/messages", {"chat_id": group, **body}))["update_id"] is not None
        for body in bodies
    ]
    assert heard == [False, False, False, True, True, True]


async def test_an_upgrade_is_told_on_both_sides(call, customer):
    group = (await call.client("/chats", {"type": "group", "title": "G", "members": [customer]}))["id"]
    await call.updates()
    larger = await call.client(f"/chats/{group}/upgrade", {})
    assert (larger["type"], larger["title"], larger["id"] < -(10**12)) == ("supergroup", "G", True)
    old, new = [u["message"] for u in await call.updates()]
    assert (old["migrate_to_chat_id"], new["migrate_from_chat_id"]) == (larger["id"], group)
    await call.client(f"/chats/{group}/upgrade", {}, status=409)
    await call.client(f"/users/{customer}/messages", {"text": "x", "chat_id": group}, status=409)


async def test_staff_answer_in_a_topic(call, box):
    thread = (await call.ok("createForumTopic", chat_id=box.staff_chat_id, name="Request 1"))["message_thread_id"]
    await call.updates()
    staff = await call.client("/users", {"first_name": "Sol"})
    await call.client(
        f"/users/{staff['id']}/messages", {"text": "hello", "chat_id": box.staff_chat_id, "message_thread_id": thread}
    )
    message = (await call.updates())[0]["message"]
    assert (message["message_thread_id"], message["is_topic_message"], message["chat"]["is_forum"]) == (
        thread,
        True,
        True,
    )
    seen = await call.client(f"/chats/{box.staff_chat_id}/messages?thread={thread}")
    assert [m["text"] for m in seen["messages"]] == ["", "hello"]
    assert seen["messages"][-1]["message_thread_id"] == thread
    topics = await call.client(f"/chats/{box.staff_chat_id}/topics")
    assert topics == [{"message_thread_id": thread, "name": "Request 1", "closed": False, "deleted": False}]


async def test_messages_are_listed_by_their_last_change(call, customer):
    first = await call.ok("sendMessage", chat_id=customer, text="one")
    await call.ok("sendMessage", chat_id=customer, text="two", reply_markup=KEYS)
    before = await call.client(f"/chats/{customer}/messages?after=0")
    assert before["seq"] == before["messages"][-1]["seq"]
    await call.ok("editMessageText", chat_id=customer, message_id=first["message_id"], text="one!")
    changed = await call.client(f"/chats/{customer}/messages?after={before['seq']}")
    assert [(m["text"], m["edited"], m["former"]) for m in changed["messages"]] == [("one!", True, ["one"])]
    await call.ok("deleteMessage", chat_id=customer, message_id=first["message_id"])
    gone = (await call.screen(customer, changed["seq"]))[0]
    assert (gone["message_id"], gone["deleted"]) == (first["message_id"], True)
    wanted = {"seq", "message_id", "date", "from_bot", "from_id", "text", "html", "caption", "entities", "keyboard", "edited", "deleted", "former"}  # fmt: skip
    assert wanted <= before["messages"][-1].keys()
    assert before["messages"][-1]["keyboard"] == [
        [{"text": "A", "data": "a"}, {"text": "B", "data": "b"}],
        [{"text": "L", "url": "https://a.bc"}],
    ]


async def test_a_sent_document_is_listed_with_its_file(call, box, customer):
    await call.ok("sendDocument", {"document": ("清单.txt", b"content")}, chat_id=customer)
    document = (await call.screen(customer))[-1]["document"]
    assert (document["file_name"], document["size"]) == ("清单.txt", 7)
    fetched = await call.http.get(f"/file/bot{box.token}/{document['file_path']}")
    assert fetched.content == b"content"


async def test_the_menu_is_that_of_the_scope_and_language(call, box, customer):
    for scope, language, name in [
        ({"type": "default"}, "", "default"),
        ({"type": "default"}, "zh", "default_zh"),
        ({"type": "all_private_chats"}, "", "private"),
        ({"type": "chat_administrators", "chat_id": box.staff_chat_id}, "", "admins"),
        ({"type": "all_group_chats"}, "", None),
    ]:
        commands = [{"command": name, "description": "d"}] if name else []
        await call.ok("setMyCommands", commands=commands, scope=scope, language_code=language)

    async def menu(user, chat):
        return [c["command"] for c in await call.client(f"/menu?user_id={user}&chat_id={chat}")]

    assert await menu(customer, customer) == ["private"]
    await call.ok("deleteMyCommands", scope={"type": "all_private_chats"})
    assert await menu(customer, customer) == ["default"]
    await call.client(f"/users/{customer}/language", {"language_code": "zh-hans"})
    assert await menu(customer, customer) == ["default_zh"]
    staff = (await call.client("/overview"))["users"][0]["id"]
    assert await menu(staff, box.staff_chat_id) == ["admins"]
    group = await call.client("/chats", {"type": "group", "title": "G", "members": [customer]})
    assert await menu(customer, group["id"]) == []


async def test_calls_are_recorded_with_their_outcome(call, customer):
    start = (await call.client("/calls"))[-1]["seq"]
    await call.ok("sendMessage", chat_id=customer, text="x", reply_markup=KEYS)
    await call("sendMessage", chat_id=77, text="y")
    await call.ok("sendDocument", {"document": ("a.txt", b"x")}, chat_id=customer)
    good, bad, file = await call.client(f"/calls?after={start}")
    assert (good["method"], good["status"], good["params"]["chat_id"]) == ("sendMessage", 200, customer)
    assert good["params"]["reply_markup"] == KEYS
    assert good["result"]["text"] == "x"
    assert good["time"].startswith("2026-03-02T09:00:00")
    assert (bad["status"], bad["error"]) == (400, "Bad Request: chat not found")
    assert file["files"] == ["document"]
    assert [c["method"] for c in await call.client(f"/calls?after={start}&method=senddocument")] == ["sendDocument"]


async def test_reset_forgets_everything_but_the_token(call, box, customer):
    await call.ok("setMyCommands", commands=[{"command": "a", "description": "b"}])
    await call.client(f"/users/{customer}/messages", {"text": "x"})
    assert await call.client("/reset", {}) == {}
    assert await call.ok("getUpdates") == []
    assert await call.ok("getMyCommands") == []
    await call.client(f"/chats/{customer}/messages", status=404)
    assert (await call.ok("getChat", chat_id=box.staff_chat_id))["is_forum"] is True
    assert (await call.ok("getMe"))["username"] == "gpu_desk_bot"


@pytest.mark.parametrize("body", [{}, {"advance_s": -1}, {"advance_s": "x"}, {"advance_s": True}])
async def test_the_clock_goes_forward_only(call, body):
    await call.client("/clock", body, status=400)


@pytest.mark.parametrize(
    ("verb", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/users/7/messages", 405),
        ("POST", "/users/7/messages", 404),
        ("POST", "/users/7/block", 404),
        ("GET", "/chats/7/messages", 404),
        ("GET", "/callbacks/77", 404),
        ("GET", "/menu?user_id=7", 404),
        ("POST", "/chats/-1001000000001/topics/99/close", 404),
        ("POST", "/chats/-1001000000001/upgrade", 409),
        ("GET", "/calls?after=x", 400),
    ],
)
async def test_what_is_wrong_is_said_with_a_4xx(call, verb, path, status):
    assert await call.client(path, {} if verb == "POST" else None, verb=verb, status=status)


async def test_a_body_that_is_no_object_is_refused(call):
    for content in (b"{", b"[]", b"7"):
        response = await call.http.post("/client/users", content=content)
        assert (response.status_code, response.json()["ok"]) == (400, False)
