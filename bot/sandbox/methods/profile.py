"""The methods for what the bot says about itself: commands, name, descriptions and the menu button."""

import re
from collections.abc import Callable
from typing import Any

from bot.sandbox.methods.access import known_chat
from bot.sandbox.methods.call import Call
from bot.sandbox.models import Json
from bot.sandbox.refusals import bad_request
from bot.sandbox.validation import Mismatch, check_value
from bot.sandbox.world import World

_MOST_COMMANDS = 100
_LONGEST_COMMAND = 32
_LONGEST_DESCRIPTION = 256
_COMMAND = re.compile(r"[a-z0-9_]+")
_LANGUAGE = re.compile(r"[a-z]{2}")
_LIMITS = {"name": 64, "description": 512, "short_description": 120}


def set_my_commands(world: World, call: Call) -> Any:
    """Keep a list of commands for a scope and a language."""
    commands = [_command(item) for item in _command_list(call.params.get("commands"))]
    key = _scope(world, call), _language(call)
    if len(commands) > _MOST_COMMANDS:
        raise bad_request("BOT_COMMANDS_TOO_MUCH")
    if not all(_COMMAND.fullmatch(command["command"]) for command in commands):
        raise bad_request("BOT_COMMAND_INVALID")
    world.profile.commands[key] = commands
    world.events.publish(lambda: {"type": "menu"})
    return True


def get_my_commands(world: World, call: Call) -> Any:
    """Return the commands of exactly this scope and language."""
    return world.profile.commands.get((_scope(world, call), _language(call)), [])


def delete_my_commands(world: World, call: Call) -> Any:
    """Forget the commands of a scope and a language, so that the wider ones show."""
    world.profile.commands.pop((_scope(world, call), _language(call)), None)
    world.events.publish(lambda: {"type": "menu"})
    return True


def set_text(field: str) -> Callable[[World, Call], Any]:
    """Return the method that sets the name, the description or the short description."""

    def setter(world: World, call: Call) -> Any:
        text = call.text(field)
        if len(text) > _LIMITS[field]:
            raise bad_request(f"bot {field.replace('_', ' ')} is too long")
        world.profile.texts[field, _language(call)] = text
        return True

    return setter


def get_text(field: str) -> Callable[[World, Call], Any]:
    """Return the method that tells one of these texts, by language and then the default."""

    def getter(world: World, call: Call) -> Any:
        texts = world.profile.texts
        fallback = world.bot.first_name if field == "name" else ""
        return {field: texts.get((field, _language(call))) or texts.get((field, "")) or fallback}

    return getter


def set_chat_menu_button(world: World, call: Call) -> Any:
    """Set the menu button of one private chat, or of all."""
    button = call.params.get("menu_button", {"type": "default"})
    if "chat_id" in call.params:
        known_chat(world, call).menu_button = button
    else:
        world.profile.menu_button = button
    return True


def get_chat_menu_button(world: World, call: Call) -> Any:
    """Return the menu button of one private chat, or of all."""
    if "chat_id" in call.params:
        return known_chat(world, call).menu_button or {"type": "default"}
    return world.profile.menu_button


def visible_commands(world: World, user_id: int, chat_id: int) -> list[Json]:
    """Return the commands that a person sees in a chat: narrow scopes first, in each the person's language."""
    user, chat = world.users[user_id], world.chats[chat_id]
    language = (user.language_code or "")[:2]
    if chat.type == "private":
        scopes = [f"chat:{chat_id}", "all_private_chats", "default"]
    else:
        admin = user_id in chat.admins
        scopes = [
            f"chat_member:{chat_id}:{user_id}",
            *([f"chat_administrators:{chat_id}"] if admin else []),
            f"chat:{chat_id}",
            *(["all_chat_administrators"] if admin else []),
            "all_group_chats",
            "default",
        ]
    for scope in scopes:
        for code in dict.fromkeys((language, "")):
            if (scope, code) in world.profile.commands:
                return world.profile.commands[scope, code]
    return []


def _command_list(value: Any) -> list[Any]:
    if value is None:
        raise bad_request('parameter "commands" is required')
    if not isinstance(value, list):
        raise bad_request("expected an Array of BotCommand")
    return value


def _command(item: Any) -> Json:
    try:
        check_value("BotCommand", item)
    except Mismatch as error:
        raise bad_request(f"can't parse BotCommand: {error}") from error
    command, description = item["command"].strip().removeprefix("/"), item["description"].strip()
    if not command:
        raise bad_request("command must be non-empty")
    if len(command) > _LONGEST_COMMAND:
        raise bad_request(f"command length must not exceed {_LONGEST_COMMAND}")
    if not description:
        raise bad_request("command description must be non-empty")
    if len(description) > _LONGEST_DESCRIPTION:
        raise bad_request(f"command description length must not exceed {_LONGEST_DESCRIPTION}")
    return {"command": command, "description": description}


def _scope(world: World, call: Call) -> str:
    scope = call.params.get("scope", {"type": "default"})
    parts = [scope["type"]]
    if "chat_id" in scope:
        if scope["chat_id"] not in world.chats:
            raise bad_request("chat not found")
        parts.append(str(scope["chat_id"]))
    if "user_id" in scope:
        if scope["user_id"] not in world.users:
            raise bad_request("user not found")
        parts.append(str(scope["user_id"]))
    return ":".join(parts)


def _language(call: Call) -> str:
    code = call.text("language_code")
    if code and not _LANGUAGE.fullmatch(code):
        raise bad_request("invalid language code specified")
    return code
