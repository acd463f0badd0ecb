"""One case for each row of the error catalogue: the code and the exact words of the real server."""

import json

import pytest

from bot.sandbox.files import sample_photo

KEYS = {"inline_keyboard": [[{"text": "A", "callback_data": "a"}]]}
TOO_OLD = "query is too old and response timeout expired or query ID is invalid"
NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same as a current content"
    " and reply markup of the message"
)


@pytest.fixture
async def place(call, box, customer):
    """Ids that the cases name: a chat with a text, a photo, a keyboard, and a topic in the staff group."""
    text = await call.ok("sendMessage", chat_id=customer, text="text", reply_markup=KEYS)
    photo = await call.ok("sendPhoto", {"photo": ("a.png", sample_photo())}, chat_id=customer)
    typed = await call.client(f"/users/{customer}/messages", {"text": "mine"})
    topic = await call.ok("createForumTopic", chat_id=box.staff_chat_id, name="T")
    stranger = await call.client("/users", {"first_name": "Never wrote"})
    return {
        "chat": customer,
        "text": text["message_id"],
        "photo": photo["message_id"],
        "photo_file": photo["photo"][-1]["file_id"],
        "typed": typed["message_id"],
        "staff": box.staff_chat_id,
        "topic": topic["message_thread_id"],
        "stranger": stranger["id"],
        "bot": int(box.token.partition(":")[0]),
    }


def keyboard(*buttons):
    return {"inline_keyboard": [list(buttons)]}


def commands(*pairs):
    return [{"command": command, "description": description} for command, description in pairs]


# What it shows, the method, its parameters (a "$name" stands for an id of `place`), the code and the description.
CASES = [
    # sending
    ("no text", "sendMessage", {"chat_id": "$chat"}, 400, "message text is empty"),
    ("an empty text", "sendMessage", {"chat_id": "$chat", "text": ""}, 400, "message text is empty"),
    ("only white space", "sendMessage", {"chat_id": "$chat", "text": " \n "}, 400, "text must be non-empty"),
    (
        "only empty tags",
        "sendMessage",
        {"chat_id": "$chat", "text": "<b></b>", "parse_mode": "HTML"},
        400,
        "text must be non-empty",
    ),
    ("5,000 characters", "sendMessage", {"chat_id": "$chat", "text": "x" * 5000}, 400, "message is too long"),
    ("over 32 KiB of Chinese", "sendMessage", {"chat_id": "$chat", "text": "长" * 10_923}, 400, "text is too long"),
    ("no chat", "sendMessage", {"text": "x"}, 400, "chat_id is empty"),
    ("an unknown chat", "sendMessage", {"chat_id": 77, "text": "x"}, 400, "chat not found"),
    ("an unknown group", "sendMessage", {"chat_id": -100777, "text": "x"}, 400, "chat not found"),
    ("an unknown name", "sendMessage", {"chat_id": "@nobody_here", "text": "x"}, 400, "chat not found"),
    (
        "a strange parse mode",
        "sendMessage",
        {"chat_id": "$chat", "text": "x", "parse_mode": "BBCode"},
        400,
        "unsupported parse_mode",
    ),
    (
        "the text is parsed before the chat is looked for",
        "sendMessage",
        {"chat_id": 77, "text": "<b>", "parse_mode": "HTML"},
        400,
        "can't parse entities: Can't find end tag corresponding to start tag \"b\"",
    ),
    (
        "the chat is looked for before the length is checked",
        "sendMessage",
        {"chat_id": 77, "text": "x" * 5000},
        400,
        "chat not found",
    ),
    (
        "the keyboard is read before the chat is looked for",
        "sendMessage",
        {"chat_id": 77, "text": "x", "reply_markup": "{"},
        400,
        "can't parse reply keyboard markup JSON object",
    ),
    (
        "the button data is checked after the chat",
        "sendMessage",
        {"chat_id": 77, "text": "x", "reply_markup": keyboard({"text": "A", "callback_data": "x" * 80})},
        400,
        "chat not found",
    ),
    (
        "a message that is not there to reply to",
        "sendMessage",
        {"chat_id": "$chat", "text": "x", "reply_parameters": {"message_id": 999}},
        400,
        "message to be replied not found",
    ),
    (
        "an unknown topic",
        "sendMessage",
        {"chat_id": "$staff", "text": "x", "message_thread_id": 999},
        400,
        "message thread not found",
    ),
    (
        "the General topic by its number",
        "sendMessage",
        {"chat_id": "$staff", "text": "x", "message_thread_id": 1},
        400,
        "message thread not found",
    ),
    (
        "a topic in a private chat",
        "sendMessage",
        {"chat_id": "$chat", "text": "x", "message_thread_id": 5},
        400,
        "message thread not found",
    ),
    ("no photo", "sendPhoto", {"chat_id": "$chat"}, 400, "there is no photo in the request"),
    ("no document", "sendDocument", {"chat_id": "$chat"}, 400, "there is no document in the request"),
    (
        "an upload that did not come",
        "sendPhoto",
        {"chat_id": "$chat", "photo": "attach://x"},
        400,
        "there is no photo in the request",
    ),
    (
        "an unknown file id",
        "sendPhoto",
        {"chat_id": "$chat", "photo": "AgACnonsense"},
        400,
        "wrong file identifier/HTTP URL specified",
    ),
    (
        "a link that cannot be fetched",
        "sendPhoto",
        {"chat_id": "$chat", "photo": "https://example.com/a.png"},
        400,
        "failed to get HTTP URL content",
    ),
    ("a link that is none", "sendPhoto", {"chat_id": "$chat", "photo": "http://"}, 400, "wrong HTTP URL specified"),
    (
        "a long caption",
        "sendPhoto",
        {"chat_id": "$chat", "photo": "$photo_file", "caption": "x" * 1025},
        400,
        "message caption is too long",
    ),
    (
        "an unknown action",
        "sendChatAction",
        {"chat_id": "$chat", "action": "dancing"},
        400,
        "wrong parameter action in request",
    ),
    ("no action", "sendChatAction", {"chat_id": "$chat"}, 400, "wrong parameter action in request"),
    (
        "an album of eleven",
        "sendMediaGroup",
        {"chat_id": "$chat", "media": [{"type": "photo", "media": "x"}] * 11},
        400,
        "too much messages to send as an album",
    ),
    (
        "an album of one",
        "sendMediaGroup",
        {"chat_id": "$chat", "media": [{"type": "photo", "media": "x"}]},
        400,
        "too few messages to send as an album",
    ),
    (
        "an album of nothing",
        "sendMediaGroup",
        {"chat_id": "$chat", "media": []},
        400,
        "media to send are not specified",
    ),
    (
        "an album that is no JSON",
        "sendMediaGroup",
        {"chat_id": "$chat", "media": "[{"},
        400,
        "can't parse media JSON object",
    ),
    # keyboards
    (
        "80 bytes of callback data",
        "sendMessage",
        {"chat_id": "$chat", "text": "x", "reply_markup": keyboard({"text": "A", "callback_data": "x" * 80})},
        400,
        "BUTTON_DATA_INVALID",
    ),
    (
        "22 hanzi of callback data are 66 bytes",
        "sendMessage",
        {"chat_id": "$chat", "text": "x", "reply_markup": keyboard({"text": "A", "callback_data": "数" * 22})},
        400,
        "BUTTON_DATA_INVALID",
    ),
    (
        "empty callback data",
        "sendMessage",
        {"chat_id": "$chat", "text": "x", "reply_markup": keyboard({"text": "A", "callback_data": ""})},
        400,
        "BUTTON_DATA_INVALID",
    ),
    (
        "a keyboard that is no JSON",
        "sendMessage",
        {"chat_id": "$chat", "text": "x", "reply_markup": "{broken"},
        400,
        "can't parse reply keyboard markup JSON object",
    ),
    (
        "a keyboard that is an array",
        "sendMessage",
        {"chat_id": "$chat", "text": "x", "reply_markup": [[1]]},
        400,
        "object expected as reply markup",
    ),
    (
        "a button that does nothing",
        "sendMessage",
        {"chat_id": "$chat", "text": "x", "reply_markup": keyboard({"text": "A"})},
        400,
        "text buttons are unallowed in the inline keyboard",
    ),
    (
        "a button that is a text",
        "sendMessage",
        {"chat_id": "$chat", "text": "x", "reply_markup": keyboard("A")},
        400,
        "text buttons are unallowed in the inline keyboard",
    ),
    (
        "a button that is a number",
        "sendMessage",
        {"chat_id": "$chat", "text": "x", "reply_markup": keyboard(7)},
        400,
        "inlineKeyboardButton must be an Object",
    ),
    (
        "a button without a text",
        "sendMessage",
        {"chat_id": "$chat", "text": "x", "reply_markup": keyboard({"text": "", "callback_data": "a"})},
        400,
        "inline keyboard button text must be non-empty",
    ),
    (
        "a button with a bad link",
        "sendMessage",
        {"chat_id": "$chat", "text": "x", "reply_markup": keyboard({"text": "A", "url": "nonsense"})},
        400,
        "inline keyboard button URL 'nonsense' is invalid: Wrong HTTP URL",
    ),
    (
        "a button that does two things",
        "sendMessage",
        {
            "chat_id": "$chat",
            "text": "x",
            "reply_markup": keyboard({"text": "A", "url": "https://a.bc", "callback_data": "a"}),
        },
        400,
        "inline keyboard button must have exactly one action",
    ),
    (
        "an unknown field in a button",
        "sendMessage",
        {
            "chat_id": "$chat",
            "text": "x",
            "reply_markup": keyboard({"text": "A", "callback_data": "a", "colour": "red"}),
        },
        400,
        'can\'t parse inline keyboard button: field "inline_keyboard": InlineKeyboardButton has no field "colour"',
    ),
    # editing
    (
        "the same text and keyboard again",
        "editMessageText",
        {"chat_id": "$chat", "message_id": "$text", "text": "text", "reply_markup": KEYS},
        400,
        NOT_MODIFIED,
    ),
    (
        "the same keyboard again",
        "editMessageReplyMarkup",
        {"chat_id": "$chat", "message_id": "$text", "reply_markup": KEYS},
        400,
        NOT_MODIFIED,
    ),
    (
        "an edit of nothing",
        "editMessageText",
        {"chat_id": "$chat", "message_id": 999, "text": "x"},
        400,
        "message to edit not found",
    ),
    (
        "an edit without a message",
        "editMessageText",
        {"chat_id": "$chat", "text": "x"},
        400,
        "message identifier is not specified",
    ),
    (
        "an edit without a chat and a message",
        "editMessageText",
        {"text": "x"},
        400,
        "message identifier is not specified",
    ),
    (
        "an edit of what a person wrote",
        "editMessageText",
        {"chat_id": "$chat", "message_id": "$typed", "text": "x"},
        400,
        "message can't be edited",
    ),
    (
        "a text for a photo",
        "editMessageText",
        {"chat_id": "$chat", "message_id": "$photo", "text": "x"},
        400,
        "there is no text in the message to edit",
    ),
    (
        "a caption for a text",
        "editMessageCaption",
        {"chat_id": "$chat", "message_id": "$text", "caption": "x"},
        400,
        "there is no caption in the message to edit",
    ),
    (
        "a photo for a text",
        "editMessageMedia",
        {"chat_id": "$chat", "message_id": "$text", "media": {"type": "photo", "media": "$photo_file"}},
        400,
        "there is no media in the message to edit",
    ),
    (
        "an edit to a text too long",
        "editMessageText",
        {"chat_id": "$chat", "message_id": "$text", "text": "x" * 4097},
        400,
        "message is too long",
    ),
    (
        "an edit to a caption too long",
        "editMessageCaption",
        {"chat_id": "$chat", "message_id": "$photo", "caption": "x" * 1025},
        400,
        "message caption is too long",
    ),
    (
        "an edit in an unknown chat",
        "editMessageText",
        {"chat_id": 77, "message_id": 1, "text": "x"},
        400,
        "chat not found",
    ),
    (
        "an edit with a reply keyboard",
        "editMessageText",
        {"chat_id": "$chat", "message_id": "$text", "text": "y", "reply_markup": {"keyboard": [["A"]]}},
        400,
        "inline keyboard expected",
    ),
    # deleting, copying, pinning, reacting
    ("deleting nothing", "deleteMessage", {"chat_id": "$chat", "message_id": 999}, 400, "message to delete not found"),
    ("deleting without a message", "deleteMessage", {"chat_id": "$chat"}, 400, "message identifier is not specified"),
    (
        "deleting the start of a topic",
        "deleteMessage",
        {"chat_id": "$staff", "message_id": "$topic"},
        400,
        "message can't be deleted",
    ),
    (
        "copying nothing",
        "copyMessage",
        {"chat_id": "$chat", "from_chat_id": "$chat", "message_id": 999},
        400,
        "message to copy not found",
    ),
    (
        "copying a service message",
        "copyMessage",
        {"chat_id": "$chat", "from_chat_id": "$staff", "message_id": "$topic"},
        400,
        "message can't be copied",
    ),
    (
        "forwarding nothing",
        "forwardMessage",
        {"chat_id": "$chat", "from_chat_id": "$chat", "message_id": 999},
        400,
        "message to forward not found",
    ),
    (
        "reacting to nothing",
        "setMessageReaction",
        {"chat_id": "$chat", "message_id": 999, "reaction": []},
        400,
        "message to react not found",
    ),
    (
        "a reaction that is none",
        "setMessageReaction",
        {"chat_id": "$chat", "message_id": "$text", "reaction": [{"type": "emoji", "emoji": "🧀"}]},
        400,
        "REACTION_INVALID",
    ),
    ("pinning nothing", "pinChatMessage", {"chat_id": "$chat", "message_id": 999}, 400, "message to pin not found"),
    (
        "deleting 101 messages",
        "deleteMessages",
        {"chat_id": "$chat", "message_ids": list(range(1, 102))},
        400,
        "too many message identifiers specified",
    ),
    # buttons
    ("a button press that never was", "answerCallbackQuery", {"callback_query_id": "123"}, 400, TOO_OLD),
    ("an answer to nothing", "answerCallbackQuery", {}, 400, TOO_OLD),
    # files
    (
        "an unknown file",
        "getFile",
        {"file_id": "nonsense"},
        400,
        "wrong file_id or the file is temporarily unavailable",
    ),
    ("no file", "getFile", {}, 400, "file_id not specified"),
    # commands
    (
        "101 commands",
        "setMyCommands",
        {"commands": commands(*((f"c{i}", "x") for i in range(101)))},
        400,
        "BOT_COMMANDS_TOO_MUCH",
    ),
    (
        "a command with capitals and a dash",
        "setMyCommands",
        {"commands": commands(("Bad-Name", "x"))},
        400,
        "BOT_COMMAND_INVALID",
    ),
    ("an empty command", "setMyCommands", {"commands": commands(("", "x"))}, 400, "command must be non-empty"),
    (
        "a long command",
        "setMyCommands",
        {"commands": commands(("c" * 33, "x"))},
        400,
        "command length must not exceed 32",
    ),
    (
        "an empty description",
        "setMyCommands",
        {"commands": commands(("c", " "))},
        400,
        "command description must be non-empty",
    ),
    (
        "a long description",
        "setMyCommands",
        {"commands": commands(("c", "x" * 257))},
        400,
        "command description length must not exceed 256",
    ),
    (
        "commands that are no array",
        "setMyCommands",
        {"commands": {"command": "c"}},
        400,
        "expected an Array of BotCommand",
    ),
    (
        "a command that is a text",
        "setMyCommands",
        {"commands": ["start"]},
        400,
        "can't parse BotCommand: BotCommand must be an Object",
    ),
    (
        "commands for an unknown chat",
        "setMyCommands",
        {"commands": [], "scope": {"type": "chat", "chat_id": 77}},
        400,
        "chat not found",
    ),
    (
        "commands in no language",
        "setMyCommands",
        {"commands": [], "language_code": "zh-hans"},
        400,
        "invalid language code specified",
    ),
    # topics
    (
        "topics where there are none",
        "createForumTopic",
        {"chat_id": "$chat", "name": "x"},
        400,
        "the chat is not a forum",
    ),
    (
        "an unknown topic to close",
        "closeForumTopic",
        {"chat_id": "$staff", "message_thread_id": 999},
        400,
        "TOPIC_ID_INVALID",
    ),
    (
        "no topic to edit",
        "editForumTopic",
        {"chat_id": "$staff", "name": "x"},
        400,
        "invalid message thread identifier specified",
    ),
    (
        "the same topic name again",
        "editForumTopic",
        {"chat_id": "$staff", "message_thread_id": "$topic", "name": "T"},
        400,
        "TOPIC_NOT_MODIFIED",
    ),
    (
        "an open topic to reopen",
        "reopenForumTopic",
        {"chat_id": "$staff", "message_thread_id": "$topic"},
        400,
        "TOPIC_NOT_MODIFIED",
    ),
    # chats
    ("an unknown user", "getChatMember", {"chat_id": "$staff", "user_id": 77}, 400, "user not found"),
    (
        "administrators of a private chat",
        "getChatAdministrators",
        {"chat_id": "$chat"},
        400,
        "there are no administrators in the private chat",
    ),
    ("a chat that is unknown", "getChat", {"chat_id": 77}, 400, "chat not found"),
    # webhooks
    (
        "a webhook over plain HTTP",
        "setWebhook",
        {"url": "http://example.com/hook"},
        400,
        "bad webhook: An HTTPS URL must be provided for webhook",
    ),
    (
        "a webhook on an odd port",
        "setWebhook",
        {"url": "https://example.com:8444/hook"},
        400,
        "bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443",
    ),
    ("a webhook that is no URL", "setWebhook", {"url": "nonsense"}, 400, "invalid webhook URL specified"),
    (
        "a long secret",
        "setWebhook",
        {"url": "https://example.com", "secret_token": "x" * 257},
        400,
        "secret token is too long",
    ),
    (
        "a strange secret",
        "setWebhook",
        {"url": "https://example.com", "secret_token": "a b"},
        400,
        "secret token contains unallowed characters",
    ),
    # parameters
    ("a required parameter is missing", "getChatMember", {"chat_id": "$staff"}, 400, 'parameter "user_id" is required'),
    (
        "an unknown parameter",
        "sendMessage",
        {"chat_id": "$chat", "text": "x", "reply_to_message_id": 1},
        400,
        'unknown parameter "reply_to_message_id"',
    ),
    ("a number that is none", "getUpdates", {"limit": "many"}, 400, "can't parse limit: an Integer is expected"),
    (
        "a boolean that is none",
        "sendMessage",
        {"chat_id": "$chat", "text": "x", "disable_notification": "maybe"},
        400,
        "can't parse disable_notification: a Boolean is expected",
    ),
    (
        "an unknown field in a nested object",
        "sendMessage",
        {"chat_id": "$chat", "text": "x", "link_preview_options": {"off": True}},
        400,
        'can\'t parse link_preview_options: LinkPreviewOptions has no field "off"',
    ),
    (
        "an unknown scope",
        "setMyCommands",
        {"commands": [], "scope": {"type": "moon"}},
        400,
        'can\'t parse scope: BotCommandScope of type "moon" is not known',
    ),
    # who may not be written to
    (
        "a person who never wrote",
        "sendMessage",
        {"chat_id": "$stranger", "text": "x"},
        403,
        "bot can't initiate conversation with a user",
    ),
    ("the bot itself", "sendMessage", {"chat_id": "$bot", "text": "x"}, 403, "the bot can't send messages to the bot"),
]
PREFIX = {400: "Bad Request", 403: "Forbidden"}


@pytest.mark.parametrize("case", [case[1:] for case in CASES], ids=[case[0] for case in CASES])
async def test_what_the_real_server_refuses_is_refused_with_its_words(call, place, case):
    method, params, code, text = case
    spelled = json.dumps(params)
    for name, value in place.items():
        spelled = spelled.replace(f'"${name}"', json.dumps(value))
    before = (await call.client(f"/chats/{place['chat']}/messages"))["seq"]
    refused = await call(method, **json.loads(spelled))
    assert (refused.status, refused.error) == (code, f"{PREFIX[code]}: {text}")
    assert (await call.client(f"/chats/{place['chat']}/messages"))["seq"] == before


async def test_a_blocked_bot_is_told_so(call, customer):
    await call.client(f"/users/{customer}/block", {})
    refused = await call("sendMessage", chat_id=customer, text="x")
    assert (refused.status, refused.error) == (403, "Forbidden: bot was blocked by the user")


async def test_a_deleted_account_is_told(call, customer):
    await call.client(f"/users/{customer}/deactivate", {})
    refused = await call("sendMessage", chat_id=customer, text="x")
    assert (refused.status, refused.error) == (403, "Forbidden: user is deactivated")


@pytest.mark.parametrize("kind", ["group", "supergroup"])
@pytest.mark.parametrize(
    ("status", "text"),
    [
        ("kicked", "bot was kicked from the {} chat"),
        ("left", "bot is not a member of the {} chat"),
        ("deleted", "the {} chat was deleted"),
    ],
)
async def test_a_group_that_the_bot_is_not_in(call, customer, kind, status, text):
    group = await call.client("/chats", {"type": kind, "title": "G", "members": [customer]})
    await call.client(f"/chats/{group['id']}/bot", {"status": status})
    refused = await call("sendMessage", chat_id=group["id"], text="x")
    assert (refused.status, refused.error) == (403, f"Forbidden: {text.format(kind)}")


async def test_an_upgraded_group_names_its_new_id(call, customer):
    group = await call.client("/chats", {"type": "group", "title": "G", "members": [customer]})
    larger = await call.client(f"/chats/{group['id']}/upgrade", {})
    refused = await call("sendMessage", chat_id=group["id"], text="x")
    assert (refused.status, refused.error) == (400, "Bad Request: group chat was upgraded to a supergroup chat")
    assert refused.body["parameters"] == {"migrate_to_chat_id": larger["id"]}
    await call.ok("sendMessage", chat_id=larger["id"], text="x")


@pytest.mark.parametrize(
    ("token", "text"),
    [
        ("nonsense", "Unauthorized: invalid token specified"),
        ("0123:AAE", "Unauthorized: invalid token specified"),
        ("1:" + "A" * 79, "Unauthorized: invalid token specified"),
        ("123456789:AAEsomeoneElse", "Unauthorized"),
    ],
)
async def test_a_wrong_token(call, token, text):
    response = await call.http.post(f"/bot{token}/getMe")
    assert (response.status_code, response.json()) == (401, {"ok": False, "error_code": 401, "description": text})


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("{}/noSuchMethod", "Not Found: method not found"),
        ("{}/sendPoll", "Not Found: method not found"),
        ("{}", "Not Found"),
    ],
)
async def test_a_path_that_is_not_there(call, box, path, text):
    response = await call.http.post("/bot" + path.format(box.token))
    assert (response.status_code, response.json()) == (404, {"ok": False, "error_code": 404, "description": text})


async def test_a_path_outside_the_bot_api(call):
    response = await call.http.get("/elsewhere")
    assert (response.status_code, response.json()["description"]) == (404, "Not Found")


async def test_text_that_is_not_utf8(call, box, customer):
    response = await call.http.post(
        f"/bot{box.token}/sendMessage",
        content=f"chat_id={customer}&text=%ff%fe",
        headers={"Content-Type": "application/x-www-form-urlencoded"},
    )
    assert (response.status_code, response.json()["description"]) == (
        400,
        "Bad Request: strings must be encoded in UTF-8",
    )


async def test_topics_need_the_right_to_manage_them(call, customer):
    group = await call.client(
        "/chats", {"type": "supergroup", "title": "G", "is_forum": True, "admins": [customer], "bot_rights": {}}
    )
    refused = await call("createForumTopic", chat_id=group["id"], name="x")
    assert refused.error == "Bad Request: not enough rights to create a topic"
    pin = await call("pinChatMessage", chat_id=group["id"], message_id=2)
    assert pin.error == "Bad Request: not enough rights to manage pinned messages in the chat"


async def test_a_closed_topic_is_closed_for_a_plain_member(call, box, place, customer):
    group = place["staff"]
    await call.client(f"/chats/{group}/topics/{place['topic']}/close", {})
    await call.ok("sendMessage", chat_id=group, message_thread_id=place["topic"], text="as an administrator")
    await call.client(f"/chats/{group}/bot", {"status": "member"})
    refused = await call("sendMessage", chat_id=group, message_thread_id=place["topic"], text="x")
    assert refused.error == "Bad Request: TOPIC_CLOSED"


async def test_an_old_message_cannot_be_deleted(call, customer):
    message = await call.ok("sendMessage", chat_id=customer, text="x")
    await call.client("/clock", {"advance_s": 48 * 3600 + 1})
    refused = await call("deleteMessage", chat_id=customer, message_id=message["message_id"])
    assert refused.error == "Bad Request: message can't be deleted"


async def test_a_button_press_cannot_be_answered_later(call, place):
    pressed = await call.client(f"/users/{place['chat']}/taps", {"message_id": place["text"], "row": 0, "col": 0})
    await call.client("/clock", {"advance_s": 61})
    refused = await call("answerCallbackQuery", callback_query_id=pressed["callback_query_id"])
    assert (refused.status, refused.error) == (400, f"Bad Request: {TOO_OLD}")


async def test_a_message_with_a_reply_keyboard_cannot_be_edited(call, customer):
    message = await call.ok("sendMessage", chat_id=customer, text="x", reply_markup={"keyboard": [[{"text": "A"}]]})
    refused = await call("editMessageText", chat_id=customer, message_id=message["message_id"], text="y")
    assert refused.error == "Bad Request: message can't be edited"


@pytest.mark.parametrize(
    ("status", "description"),
    [
        (400, "Bad Request: PEER_ID_INVALID"),
        (400, "Bad Request: private chat not found"),
        (400, "Bad Request: BUTTON_URL_INVALID"),
        (400, "Bad Request: TOPIC_DELETED"),
        (403, "Forbidden: bot was kicked from the channel chat"),
        (409, "Conflict: terminated by other setWebhook"),
        (500, "Internal Server Error: restart"),
    ],
)
async def test_what_only_telegrams_own_servers_say_can_be_asked_for(call, customer, status, description):
    await call.client(
        "/faults", {"match": {"method": "sendMessage"}, "action": {"status": status, "description": description}}
    )
    refused = await call("sendMessage", chat_id=customer, text="x")
    assert (refused.status, refused.error) == (status, description)
    await call.ok("sendMessage", chat_id=customer, text="x")
