"""What people do in their Telegram apps: write, edit, press buttons, block the bot."""

from http import HTTPStatus
from typing import Any

from bot.sandbox.attachments import ClientError, message_content, typed_text
from bot.sandbox.models import Chat, Json, Message, User
from bot.sandbox.world import STAFF_CHAT_ID, World

_QUERY_LIFETIME_S = 60.0


def person(world: World, user_id: int) -> User:
    """Return a person; raises ClientError (404)."""
    user = world.users.get(user_id)
    if user is None or user.is_bot:
        raise ClientError(f"no user {user_id}", HTTPStatus.NOT_FOUND)
    return user


def chat_with(world: World, chat_id: Any) -> Chat:
    """Return a chat; raises ClientError (404)."""
    chat = world.chats.get(chat_id)
    if chat is None:
        raise ClientError(f"no chat {chat_id}", HTTPStatus.NOT_FOUND)
    return chat


def write(world: World, user: User, body: Json) -> Json:
    """Send a message as this person."""
    chat = _writable(world, user, body.get("chat_id", user.id))
    thread = _thread(chat, user, body.get("message_thread_id"))
    reply_to = None
    if body.get("reply_to_message_id") is not None:
        reply_to = _message(chat, body["reply_to_message_id"])
        thread = thread if thread is not None else reply_to.thread
    content = message_content(world, body)
    if body.get("media_group_id") is not None:
        content["media_group_id"] = str(body["media_group_id"])
    if body.get("forward_from"):
        origin = {"type": "hidden_user", "sender_user_name": str(body["forward_from"]), "date": int(world.now())}
        content["forward_origin"] = origin
    user.started = user.started or chat.person is user
    message = world.post(chat, user, content, thread=thread, reply_to=reply_to)
    update_id = world.push_message("message", chat, message) if _heard(world, chat, message) else None
    return {"message_id": message.id, "update_id": update_id}


def edit(world: World, user: User, body: Json) -> Json:
    """Change the text of one's own message."""
    chat = _writable(world, user, body.get("chat_id", user.id))
    message = _message(chat, body.get("message_id"))
    if message.sender is not user:
        raise ClientError("only one's own messages can be edited", HTTPStatus.FORBIDDEN)
    rich = typed_text(body.get("text"))
    is_text = "text" in message.payload
    names = ("text", "entities") if is_text else ("caption", "caption_entities")
    kept = {name: value for name, value in message.payload.items() if name not in names}
    world.replace(chat, message, kept | rich.fields(*names))
    heard = _heard(world, chat, message)
    return {"update_id": world.push_message("edited_message", chat, message) if heard else None}


def tap(world: World, user: User, body: Json) -> Json:
    """Press a button, by its data, its text, or its place (from 0)."""
    chat = _writable(world, user, body.get("chat_id", user.id))
    number = body.get("message_id")
    if not isinstance(number, int):
        raise ClientError("message_id is a number")
    message = chat.messages.get(number)
    if message is not None and message.reply_keyboard is not None and not body.get("stale"):
        return _tap_reply_keyboard(world, user, chat, message, body)
    button = _button(message, body) if message is not None else None
    data = button.get("callback_data") if button else None
    if button is not None and data is None:
        raise ClientError("that button does not ask the bot")
    if data is None:
        if not body.get("stale"):
            raise ClientError("that button is not on the message now", HTTPStatus.CONFLICT)
        data = str(body.get("data", body.get("text", "")))
    shown = message.payload if message else {"chat": chat.api(), "message_id": number, "date": 0}
    query = world.new_query(user, chat, number, _QUERY_LIFETIME_S)
    if world.updates.pending_faults and world.updates.pending_faults[0][0] == "late":
        # A press that arrives late can no longer be answered.
        query.expires_at = query.asked_at - 1
    press = {
        "id": query.id,
        "from": user.api(),
        "message": shown,
        "chat_instance": str(7_000_000_000_000_000_000 + abs(chat.id)),
        "data": data,
    }
    return {"callback_query_id": query.id, "update_id": world.updates.push("callback_query", press, f"user {user.id}")}


def set_blocked(world: World, user: User, *, blocked: bool) -> Json:
    """Block or unblock the bot."""
    chat = world.chats[user.id]
    if user.blocked != blocked:
        user.blocked = blocked
        left: Json = {"user": world.bot.api(), "status": "kicked", "until_date": 0}
        there: Json = {"user": world.bot.api(), "status": "member"}
        change = {
            "chat": chat.api(),
            "from": user.api(),
            "date": int(world.now()),
            "old_chat_member": there if blocked else left,
            "new_chat_member": left if blocked else there,
        }
        world.updates.push("my_chat_member", change, str(chat.id))
        world.show_chat(chat)
    return {}


def deactivate(user: User) -> Json:
    """Delete a person's account."""
    user.deactivated = True
    return {}


def set_language(world: World, user: User, code: Any) -> Json:
    """Set the language of a person's app; later updates carry it."""
    if code is not None and not isinstance(code, str):
        raise ClientError("language_code is a text or null")
    user.language_code = code
    world.show_chat(world.chats[user.id])
    return {}


def _writable(world: World, user: User, chat_id: Any) -> Chat:
    chat = chat_with(world, chat_id)
    if chat.person is not None and chat.person is not user:
        raise ClientError("that chat belongs to somebody else", HTTPStatus.FORBIDDEN)
    if chat.person is None and user.id not in chat.members:
        if chat.id != STAFF_CHAT_ID:
            raise ClientError("not a member of that chat", HTTPStatus.FORBIDDEN)
        # No call could add a member to the group that is there from the start, so whoever writes in it joins it.
        chat.members.add(user.id)
        world.show_chat(chat)
    if chat.migrated_to is not None:
        raise ClientError(f"the group became the supergroup {chat.migrated_to}", HTTPStatus.CONFLICT)
    if chat.person is not None and user.blocked:
        raise ClientError("unblock the bot first", HTTPStatus.CONFLICT)
    return chat


def _thread(chat: Chat, user: User, number: Any) -> int | None:
    if number is None:
        return None
    topic = chat.topics.get(number)
    if topic is None or topic.deleted:
        raise ClientError(f"no topic {number}", HTTPStatus.NOT_FOUND)
    if topic.closed and user.id not in chat.admins:
        raise ClientError("the topic is closed", HTTPStatus.CONFLICT)
    return topic.id


def _message(chat: Chat, number: Any) -> Message:
    message = chat.messages.get(number)
    if message is None:
        raise ClientError(f"no message {number}", HTTPStatus.NOT_FOUND)
    return message


def _heard(world: World, chat: Chat, message: Message) -> bool:
    """Tell whether the bot gets a message: as a plain member, privacy mode leaves it commands and replies."""
    if chat.type == "private" or chat.bot_status == "administrator":
        return True
    if chat.bot_status != "member":
        return False
    first = message.text.split(maxsplit=1)[0] if message.text else ""
    if first.startswith("/"):
        target = first.partition("@")[2]
        return not target or target.lower() == world.bot.username.lower()
    replied = chat.messages.get(message.reply_to or 0)
    return replied is not None and replied.sender.is_bot


def _button(message: Message, body: Json) -> Json | None:
    """Return the button that is meant, if it is on the message now."""
    buttons = [(y, x, button) for y, row in enumerate(message.buttons) for x, button in enumerate(row)]
    for y, x, button in buttons:
        if "data" in body and button.get("callback_data") == body["data"]:
            return button
        if "data" not in body and "text" in body and button["text"] == body["text"]:
            return button
        if "row" in body and (y, x) == (body["row"], body.get("col", 0)):
            return button
    return None


def _tap_reply_keyboard(world: World, user: User, chat: Chat, message: Message, body: Json) -> Json:
    """A button of a reply keyboard writes its text, or shares a contact or a place."""
    rows: list[list[Json]] = (message.reply_keyboard or {}).get("keyboard", [])
    for y, row in enumerate(rows):
        for x, button in enumerate(row):
            if button["text"] == body.get("text") or (y, x) == (body.get("row"), body.get("col", 0)):
                content: Json = {"text": button["text"]}
                if button.get("request_contact"):
                    content = {"contact": True}
                if button.get("request_location"):
                    content = {"location": True}
                place = {"chat_id": chat.id, "message_thread_id": message.thread}
                return {"callback_query_id": None, **write(world, user, content | place)}
    raise ClientError("that button is not on the keyboard now", HTTPStatus.CONFLICT)
