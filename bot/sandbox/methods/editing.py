"""The methods that change or take away what was sent, and those that answer a button."""

from typing import Any

from bot.sandbox.markup import Markup, read_markup
from bot.sandbox.methods.access import known_chat, message_id, message_to, open_chat
from bot.sandbox.methods.call import Call
from bot.sandbox.methods.content import (
    caption_fields,
    check_caption,
    check_text,
    find_file,
    keep_file,
    read_caption,
    read_text,
)
from bot.sandbox.methods.sending import album_item
from bot.sandbox.models import Chat, Json, Message
from bot.sandbox.refusals import bad_request
from bot.sandbox.world import World

_DELETABLE_S = 48 * 3600
_LONGEST_TOAST = 200
_MOST_DELETED = 100
NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same as a current content"
    " and reply markup of the message"
)
TOO_OLD = "query is too old and response timeout expired or query ID is invalid"
# What an edit may change; everything else of a message stays.
_TEXT = frozenset({"text", "entities", "reply_markup", "link_preview_options"})
_CAPTION = frozenset({"caption", "caption_entities", "reply_markup", "show_caption_above_media"})
_MEDIA = _CAPTION | {"photo", "document", "has_media_spoiler"}


def edit_message_text(world: World, call: Call) -> Any:
    """Give a text message another text."""
    rich = read_text(world, call)
    chat, message, markup = _edited(world, call)
    if "text" not in message.payload:
        raise bad_request("there is no text in the message to edit")
    check_text(rich)
    return _replace(world, chat, message, markup, rich.fields("text", "entities"), may_change=_TEXT)


def edit_message_caption(world: World, call: Call) -> Any:
    """Give a file another caption, or take it away."""
    caption = read_caption(world, call.params)
    chat, message, markup = _edited(world, call)
    if not {"photo", "document", "voice"} & message.payload.keys():
        raise bad_request("there is no caption in the message to edit")
    check_caption(caption)
    return _replace(world, chat, message, markup, caption_fields(caption), may_change=_CAPTION)


def edit_message_media(world: World, call: Call) -> Any:
    """Show another photo or document."""
    media = call.params.get("media")
    if media is None:
        raise bad_request("media is not specified")
    item = album_item(media)
    caption = read_caption(world, item)
    found = find_file(world, call, item["type"], item["media"], "")
    chat, message, markup = _edited(world, call)
    if not {"photo", "document"} & message.payload.keys():
        raise bad_request("there is no media in the message to edit")
    check_caption(caption)
    markup.send()
    stored = keep_file(world, item["type"], found)
    return _replace(
        world, chat, message, markup, world.files.content(stored) | caption_fields(caption), may_change=_MEDIA
    )


def edit_message_reply_markup(world: World, call: Call) -> Any:
    """Show another keyboard, or none."""
    chat, message, markup = _edited(world, call)
    return _replace(world, chat, message, markup, {}, may_change=frozenset({"reply_markup"}), visibly=False)


def delete_message(world: World, call: Call) -> Any:
    """Delete a message."""
    chat = known_chat(world, call)
    message = message_to(chat, message_id(call), "delete")
    if not _deletable(world, chat, message):
        raise bad_request("message can't be deleted")
    world.delete(chat, message)
    return True


def delete_messages(world: World, call: Call) -> Any:
    """Delete several messages; those that are not there are skipped."""
    numbers = call.params["message_ids"]
    chat = known_chat(world, call)
    if not numbers:
        raise bad_request("message identifiers are not specified")
    if len(numbers) > _MOST_DELETED:
        raise bad_request("too many message identifiers specified")
    found = [chat.messages[number] for number in numbers if number in chat.messages]
    if not all(_deletable(world, chat, message) for message in found):
        raise bad_request("message can't be deleted")
    for message in found:
        world.delete(chat, message)
    return True


def answer_callback_query(world: World, call: Call) -> Any:
    """Answer a button: the spinner stops, a toast or an alert may show."""
    query = world.queries.get(call.text("callback_query_id"))
    if query is None or world.now() > query.expires_at:
        raise bad_request(TOO_OLD)
    text = call.text("text")
    if len(text) > _LONGEST_TOAST:
        raise bad_request("MESSAGE_TOO_LONG")
    if call.text("url"):
        raise bad_request("URL_INVALID")
    if query.answer is None:
        query.answer = {"text": text, "show_alert": call.flag("show_alert")}
        query.answered_after_s = world.now() - query.asked_at
        answer = query.answer
        world.events.publish(
            lambda: {"type": "callback", "id": query.id, "user_id": query.user_id, "chat_id": query.chat_id, **answer}
        )
    return True


def _edited(world: World, call: Call) -> tuple[Chat, Message, Markup]:
    """Return the message that an edit means, if the bot may edit it, and its new keyboard."""
    if call.text("inline_message_id"):
        raise bad_request("MESSAGE_ID_INVALID")
    if "chat_id" not in call.params and not call.integer("message_id"):
        raise bad_request("message identifier is not specified")
    markup = read_markup(call.params.get("reply_markup"), inline_only=True)
    chat = open_chat(world, call)
    message = message_to(chat, message_id(call), "edit")
    if not message.sender.is_bot or message.reply_keyboard is not None:
        raise bad_request("message can't be edited")
    if "forward_origin" in message.payload or _is_service(message.payload):
        raise bad_request("message can't be edited")
    return chat, message, markup


def _is_service(payload: Json) -> bool:
    return any(name.startswith("forum_topic_") or name == "pinned_message" for name in payload)


def _replace(
    world: World,
    chat: Chat,
    message: Message,
    markup: Markup,
    content: Json,
    *,
    may_change: frozenset[str],
    visibly: bool = True,
) -> Json:
    """Put new content in place of what the edit may change; the same content again is refused."""
    markup.send()
    kept = {name: value for name, value in message.payload.items() if name not in may_change}
    payload = kept | content | markup.fields()
    if payload == message.payload:
        raise bad_request(NOT_MODIFIED)
    world.replace(chat, message, payload, visibly=visibly)
    return message.payload


def _deletable(world: World, chat: Chat, message: Message) -> bool:
    if world.now() - message.payload["date"] > _DELETABLE_S:
        return False
    if "forum_topic_created" in message.payload:
        return False
    return message.sender.is_bot or chat.bot_may("can_delete_messages")
