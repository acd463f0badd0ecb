"""The methods that tell about the bot, a chat and its members."""

from typing import Any

from bot.sandbox.methods.access import known_chat, require_membership
from bot.sandbox.methods.call import Call
from bot.sandbox.models import NO_RIGHTS, Chat, Json, User
from bot.sandbox.refusals import bad_request
from bot.sandbox.world import World

_CAPABILITIES: Json = {
    "can_join_groups": True,
    "can_read_all_group_messages": False,
    "supports_guest_queries": False,
    "supports_inline_queries": False,
    "can_connect_to_business": False,
    "has_main_web_app": False,
    "has_topics_enabled": False,
    "allows_users_to_create_topics": False,
    "can_manage_bots": False,
}
_GIFTS: Json = {
    "unlimited_gifts": True,
    "limited_gifts": True,
    "unique_gifts": True,
    "premium_subscription": True,
    "gifts_from_channels": True,
}
_ADMIN_RIGHTS: Json = {**NO_RIGHTS, **{name: True for name in NO_RIGHTS if name != "is_anonymous"}}


def get_me(world: World, call: Call) -> Any:  # noqa: ARG001 - every method has the same form
    """Tell about the bot."""
    return {**world.bot.api(), **_CAPABILITIES}


def get_chat(world: World, call: Call) -> Any:
    """Tell all about a chat."""
    chat = known_chat(world, call)
    require_membership(chat)
    about: Json = {**chat.api(), "accent_color_id": abs(chat.id) % 7, "max_reaction_count": 11}
    about["accepted_gift_types"] = _GIFTS
    if chat.person is not None and chat.person.username:
        about["active_usernames"] = [chat.person.username]
    pinned = [chat.messages[number] for number in chat.pinned if number in chat.messages]
    if pinned:
        about["pinned_message"] = pinned[-1].payload
    return about


def get_chat_member(world: World, call: Call) -> Any:
    """Tell what somebody is in a chat."""
    chat = known_chat(world, call)
    require_membership(chat)
    user = world.users.get(call.integer("user_id"))
    if user is None:
        raise bad_request("user not found")
    return member(world, chat, user)


def get_chat_administrators(world: World, call: Call) -> Any:
    """List the administrators of a group."""
    chat = known_chat(world, call)
    require_membership(chat)
    if chat.type == "private":
        raise bad_request("there are no administrators in the private chat")
    people = [world.users[number] for number in sorted(chat.admins)]
    bots = [world.bot] if chat.bot_status == "administrator" else []
    return [member(world, chat, user) for user in people + bots]


def get_chat_member_count(world: World, call: Call) -> Any:
    """Count the members of a chat, the bot too."""
    chat = known_chat(world, call)
    require_membership(chat)
    return 2 if chat.type == "private" else len(chat.members) + 1


def leave_chat(world: World, call: Call) -> Any:
    """Leave a group."""
    chat = known_chat(world, call)
    require_membership(chat)
    if chat.type == "private":
        raise bad_request("private chats can't be left")
    chat.bot_status = "left"
    world.show_chat(chat)
    return True


def member(world: World, chat: Chat, user: User) -> Json:
    """Return the Bot API `ChatMember`; the first administrator of a group owns it."""
    about: Json = {"user": user.api()}
    if user.id == world.bot.id:
        return _bot_member(chat, about)
    if chat.type == "private":
        return {**about, "status": "member" if user.id == chat.id else "left"}
    if user.id in chat.admins:
        if user.id == min(chat.admins):
            return {**about, "status": "creator", "is_anonymous": False}
        return {**about, "status": "administrator", "can_be_edited": False, **_ADMIN_RIGHTS}
    return {**about, "status": "member" if user.id in chat.members else "left"}


def _bot_member(chat: Chat, about: Json) -> Json:
    if chat.bot_status == "administrator":
        return {**about, "status": "administrator", "can_be_edited": False, **chat.bot_rights}
    if chat.bot_status == "kicked":
        return {**about, "status": "kicked", "until_date": 0}
    return {**about, "status": chat.bot_status}
