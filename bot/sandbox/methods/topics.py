"""The methods for the topics of a forum."""

from typing import Any

from bot.sandbox.methods.access import managed_forum, managed_topic
from bot.sandbox.methods.call import Call
from bot.sandbox.models import Json
from bot.sandbox.refusals import bad_request
from bot.sandbox.world import World

_LONGEST_NAME = 128
_COLORS = frozenset({0x6FB9F0, 0xFFD67E, 0xCB86DB, 0x8EEE98, 0xFF93B2, 0xFB6F5F})


def create_forum_topic(world: World, call: Call) -> Any:
    """Open a topic."""
    chat = managed_forum(world, call, "create")
    name = _checked_name(call.text("name"))
    color = call.params.get("icon_color")
    if color is not None and color not in _COLORS:
        raise bad_request("TOPIC_ICON_COLOR_INVALID")
    topic = world.open_topic(chat, world.bot, name, color, call.text("icon_custom_emoji_id"))
    answer: Json = {"message_thread_id": topic.id, "name": topic.name, "icon_color": topic.icon_color}
    return answer | ({"icon_custom_emoji_id": topic.icon_custom_emoji_id} if topic.icon_custom_emoji_id else {})


def edit_forum_topic(world: World, call: Call) -> Any:
    """Change the name or the icon of a topic."""
    chat, topic = managed_topic(world, call, "edit")
    about: Json = {}
    if call.text("name"):
        about["name"] = _checked_name(call.text("name"))
    if "icon_custom_emoji_id" in call.params:
        about["icon_custom_emoji_id"] = call.text("icon_custom_emoji_id")
    same_icon = about.get("icon_custom_emoji_id", topic.icon_custom_emoji_id) == topic.icon_custom_emoji_id
    if about.get("name", topic.name) == topic.name and same_icon:
        raise bad_request("TOPIC_NOT_MODIFIED")
    topic.name = about.get("name", topic.name)
    topic.icon_custom_emoji_id = about.get("icon_custom_emoji_id", topic.icon_custom_emoji_id)
    world.service(chat, world.bot, {"forum_topic_edited": about}, thread=topic.id)
    world.show_chat(chat)
    return True


def close_forum_topic(world: World, call: Call) -> Any:
    """Close a topic: only those who manage topics write on."""
    return _switch(world, call, closed=True)


def reopen_forum_topic(world: World, call: Call) -> Any:
    """Open a closed topic again."""
    return _switch(world, call, closed=False)


def delete_forum_topic(world: World, call: Call) -> Any:
    """Delete a topic with its messages."""
    chat, topic = managed_topic(world, call, "delete", "can_delete_messages")
    world.drop_topic(chat, topic)
    return True


def unpin_all_forum_topic_messages(world: World, call: Call) -> Any:
    """Unpin all messages of a topic."""
    chat, topic = managed_topic(world, call, "unpin messages in", "can_pin_messages")
    chat.pinned = [n for n in chat.pinned if n in chat.messages and chat.messages[n].thread != topic.id]
    world.show_chat(chat)
    return True


def _switch(world: World, call: Call, *, closed: bool) -> bool:
    chat, topic = managed_topic(world, call, "close" if closed else "reopen")
    if topic.closed == closed:
        raise bad_request("TOPIC_NOT_MODIFIED")
    topic.closed = closed
    event = "forum_topic_closed" if closed else "forum_topic_reopened"
    world.service(chat, world.bot, {event: {}}, thread=topic.id)
    world.show_chat(chat)
    return True


def _checked_name(name: str) -> str:
    name = " ".join(name.split())
    if not name:
        raise bad_request("TOPIC_TITLE_EMPTY")
    if len(name) > _LONGEST_NAME:
        # The real server cuts the name without a word; a bot that relies on that should hear of it here.
        raise bad_request("topic name is too long")
    return name
