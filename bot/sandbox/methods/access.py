"""Finds the chat, message and topic that a call names, and refuses what the bot may not touch."""

from bot.sandbox.methods.call import Call
from bot.sandbox.models import Chat, Message, Topic
from bot.sandbox.refusals import bad_request, forbidden, upgraded
from bot.sandbox.world import World

GENERAL_TOPIC = 1


def known_chat(world: World, call: Call, name: str = "chat_id") -> Chat:
    """Return the chat that the bot may know of; private chats exist from the first `/start` on."""
    value = call.params.get(name, "")
    if value == "":
        raise bad_request("chat_id is empty")
    chat = world.chats.get(value) if isinstance(value, int) else None
    if chat is None:
        if value == world.bot.id:
            raise forbidden("the bot can't send messages to the bot")
        raise bad_request("chat not found")
    if chat.migrated_to is not None:
        raise upgraded(chat.migrated_to)
    return chat


def open_chat(world: World, call: Call, name: str = "chat_id") -> Chat:
    """Return a chat that the bot may write to."""
    chat = known_chat(world, call, name)
    if chat.person is not None:
        if chat.person.deactivated:
            raise forbidden("user is deactivated")
        if chat.person.blocked:
            raise forbidden("bot was blocked by the user")
        if not chat.person.started:
            raise forbidden("bot can't initiate conversation with a user")
    require_membership(chat)
    return chat


def require_membership(chat: Chat) -> None:
    """Refuse a group that the bot is not in."""
    if chat.bot_status == "deleted":
        raise forbidden(f"the {chat.kind} was deleted")
    if chat.bot_status == "kicked":
        raise forbidden(f"bot was kicked from the {chat.kind}")
    if chat.bot_status == "left":
        raise forbidden(f"bot is not a member of the {chat.kind}")


def message_id(call: Call) -> int:
    """Return `message_id`, which must not be missing or zero."""
    number = call.integer("message_id")
    if not number:
        raise bad_request("message identifier is not specified")
    return number


def message_to(chat: Chat, number: int, purpose: str) -> Message:
    """Return a message of a chat; `purpose` names what was to be done with it: "edit", "delete", ..."""
    message = chat.messages.get(number)
    if message is None:
        raise bad_request(f"message to {purpose} not found")
    return message


def thread_of(chat: Chat, call: Call) -> int | None:
    """Return the topic to post into; closed topics are open to those who manage them."""
    number = call.integer("message_thread_id")
    if not number:
        return None
    topic = chat.topics.get(number)
    if not chat.is_forum or topic is None or topic.deleted:
        raise bad_request("message thread not found")
    if topic.closed and not chat.bot_may("can_manage_topics"):
        raise bad_request("TOPIC_CLOSED")
    return topic.id


def managed_forum(world: World, call: Call, action: str, right: str = "can_manage_topics") -> Chat:
    """Return a forum in which the bot has the right to manage topics, or another one."""
    chat = known_chat(world, call)
    require_membership(chat)
    if not chat.is_forum:
        raise bad_request("the chat is not a forum")
    if not chat.bot_may(right):
        raise bad_request(f"not enough rights to {action} a topic")
    return chat


def managed_topic(world: World, call: Call, action: str, right: str = "can_manage_topics") -> tuple[Chat, Topic]:
    """Return a forum and the topic of it that the call names."""
    chat = managed_forum(world, call, action, right)
    number = call.integer("message_thread_id")
    if number <= GENERAL_TOPIC:
        raise bad_request("invalid message thread identifier specified")
    topic = chat.topics.get(number)
    if topic is None or topic.deleted:
        raise bad_request("TOPIC_ID_INVALID")
    return chat, topic
