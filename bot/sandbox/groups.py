"""What people do with groups in their Telegram apps: found them, upgrade them, close and delete topics."""

from http import HTTPStatus

from bot.sandbox.attachments import ClientError
from bot.sandbox.methods.chats import member
from bot.sandbox.models import NO_RIGHTS, Chat, Json, Topic
from bot.sandbox.people import person
from bot.sandbox.views import chat_view
from bot.sandbox.world import World


def found(world: World, body: Json) -> Json:
    """Found a group with the bot in it; the bot hears of it."""
    kind = body.get("type", "supergroup")
    if kind not in {"group", "supergroup"}:
        raise ClientError("type is group or supergroup")
    if body.get("is_forum") and kind == "group":
        raise ClientError("only a supergroup can be a forum")
    members, admins = set(body.get("members", [])), set(body.get("admins", []))
    founder = person(world, min(admins or members, default=0))
    for number in members | admins:
        person(world, number)
    chat = world.add_group(
        kind,
        str(body.get("title", "Group")),
        is_forum=bool(body.get("is_forum")),
        members=members,
        admins=admins,
        bot_rights=body.get("bot_rights"),
    )
    change = {
        "chat": chat.api(),
        "from": founder.api(),
        "date": int(world.now()),
        "old_chat_member": {"user": world.bot.api(), "status": "left"},
        "new_chat_member": member(world, chat, world.bot),
    }
    world.updates.push("my_chat_member", change, str(chat.id))
    world.service(chat, founder, {f"{kind}_chat_created": True})
    return chat_view(chat)


def upgrade(world: World, chat: Chat) -> Json:
    """Turn a group into a supergroup with another id; both chats say so."""
    if chat.type != "group" or chat.migrated_to is not None:
        raise ClientError("only a group can be upgraded", HTTPStatus.CONFLICT)
    larger = world.add_group(
        "supergroup",
        chat.title,
        members=chat.members,
        admins=chat.admins,
        bot_rights=chat.bot_rights if chat.bot_status == "administrator" else None,
    )
    founder = person(world, min(chat.admins or chat.members))
    world.service(chat, founder, {"migrate_to_chat_id": larger.id})
    world.service(larger, founder, {"migrate_from_chat_id": chat.id})
    chat.migrated_to = larger.id
    world.show_chat(chat)
    return chat_view(larger)


def set_bot(world: World, chat: Chat, body: Json) -> Json:
    """Make the bot `member`, `administrator` (with `rights`), `left` or `kicked` in a group, or delete the group (`deleted`)."""
    status = body.get("status")
    if chat.type == "private" or status not in {"member", "administrator", "left", "kicked", "deleted"}:
        raise ClientError("status is member, administrator, left, kicked or deleted, and only in a group")
    before = member(world, chat, world.bot)
    chat.bot_status = status
    chat.bot_rights = {**NO_RIGHTS, "can_manage_chat": True, **(body.get("rights") or {})}
    if status != "deleted":
        change = {
            "chat": chat.api(),
            "from": person(world, min(chat.admins or chat.members)).api(),
            "date": int(world.now()),
            "old_chat_member": before,
            "new_chat_member": member(world, chat, world.bot),
        }
        world.updates.push("my_chat_member", change, str(chat.id))
    world.show_chat(chat)
    return {}


def set_forum(world: World, chat: Chat, body: Json) -> Json:
    """Switch the topics of a supergroup on or off."""
    if chat.type != "supergroup":
        raise ClientError("only a supergroup can be a forum", HTTPStatus.CONFLICT)
    chat.is_forum = bool(body.get("is_forum"))
    world.show_chat(chat)
    return {}


def close_topic(world: World, chat: Chat, topic: Topic) -> Json:
    """Close a topic as one of the people who may; the bot hears of it."""
    if not topic.closed:
        topic.closed = True
        founder = person(world, min(chat.admins or chat.members))
        world.service(chat, founder, {"forum_topic_closed": {}}, thread=topic.id)
        world.show_chat(chat)
    return {}


def delete_topic(world: World, chat: Chat, topic: Topic) -> Json:
    """Delete a topic; the bot hears nothing, as on Telegram."""
    world.drop_topic(chat, topic)
    return {}


def topic_of(chat: Chat, number: int) -> Topic:
    """Return a topic; raises ClientError (404)."""
    topic = chat.topics.get(number)
    if topic is None or topic.deleted:
        raise ClientError(f"no topic {number}", HTTPStatus.NOT_FOUND)
    return topic
