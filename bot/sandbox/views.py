"""Shows chats and messages as `/client` and the page see them."""

from typing import TYPE_CHECKING

from bot.sandbox.models import Chat, Json, Message, User
from bot.sandbox.rich_text import RichText, to_html

if TYPE_CHECKING:
    from bot.sandbox.world import World

_SHOWN_AS_THEY_ARE = (
    *(
        "voice",
        "sticker",
        "contact",
        "location",
        "video",
        "video_note",
        "dice",
        "forum_topic_created",
        "forum_topic_edited",
        "forum_topic_closed",
    ),
    *("forum_topic_reopened", "migrate_to_chat_id", "migrate_from_chat_id", "media_group_id", "forward_origin"),
    *("group_chat_created", "supergroup_chat_created", "new_chat_members", "left_chat_member"),
)


def message_view(world: "World", message: Message) -> Json:
    """Return a message as the contract of `/client/chats/ID/messages` has it, and a little more for the page."""
    payload = message.payload
    entities = payload.get("entities") or payload.get("caption_entities") or []
    view: Json = {
        "seq": message.seq,
        "message_id": message.id,
        "date": payload["date"],
        "from_bot": message.sender.is_bot,
        "from_id": message.sender.id,
        "from_name": message.sender.first_name,
        "text": payload.get("text", ""),
        "html": to_html(RichText(message.text, tuple(entities))),
        "caption": payload.get("caption", ""),
        "entities": entities,
        "keyboard": [[_button(button) for button in row] for row in message.buttons],
        "edited": message.edited,
        "deleted": message.deleted,
        "former": message.former,
    }
    if message.thread is not None:
        view["message_thread_id"] = message.thread
    if message.reply_to is not None:
        view["reply_to_message_id"] = message.reply_to
    if message.reply_keyboard is not None:
        view["reply_keyboard"] = message.reply_keyboard
    if message.reactions:
        view["reactions"] = [reaction.get("emoji", "⭐") for reaction in message.reactions]
    if "pinned_message" in payload:
        view["pinned_message_id"] = payload["pinned_message"]["message_id"]
    view |= {name: payload[name] for name in _SHOWN_AS_THEY_ARE if name in payload}
    return view | _media(world, payload)


def chat_view(chat: Chat) -> Json:
    """Return a chat with its members and topics."""
    person = chat.person
    return {
        **chat.api(),
        "is_forum": chat.is_forum,
        "members": sorted(chat.members),
        "admins": sorted(chat.admins),
        "bot_status": chat.bot_status,
        "topics": topic_views(chat),
        "language_code": person.language_code if person else None,
        "blocked": person.blocked if person else False,
        "migrated_to": chat.migrated_to,
    }


def topic_views(chat: Chat) -> list[Json]:
    """Return the topics of a forum as the contract has them."""
    return [
        {"message_thread_id": topic.id, "name": topic.name, "closed": topic.closed, "deleted": topic.deleted}
        for topic in chat.topics.values()
    ]


def user_view(user: User) -> Json:
    """Return a person with what the page needs to know."""
    return {**user.api(), "language_code": user.language_code, "blocked": user.blocked, "started": user.started}


def _button(button: Json) -> Json:
    shown = {"text": button["text"]}
    if "callback_data" in button:
        shown["data"] = button["callback_data"]
    if "url" in button:
        shown["url"] = button["url"]
    if "copy_text" in button:
        shown["copy"] = button["copy_text"]["text"]
    return shown


def _media(world: "World", payload: Json) -> Json:
    if "photo" in payload:
        photo = payload["photo"][-1]
        stored = world.files.by_id[photo["file_id"]]
        shown = {"file_path": stored.path, "width": photo["width"], "height": photo["height"], "size": stored.size}
        return {"photo": {**shown, "file_id": stored.file_id}}
    if "document" in payload:
        stored = world.files.by_id[payload["document"]["file_id"]]
        shown = {"file_name": stored.name, "size": stored.size, "file_path": stored.path}
        return {"document": {**shown, "mime_type": stored.mime_type, "file_id": stored.file_id}}
    return {}
