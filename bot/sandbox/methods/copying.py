"""The methods that bring a message to another chat, pin it, or react to it."""

from itertools import pairwise
from typing import Any

from bot.sandbox.methods.access import known_chat, message_id, message_to, open_chat, require_membership, thread_of
from bot.sandbox.methods.call import Call
from bot.sandbox.methods.content import caption_fields, check_caption, read_caption
from bot.sandbox.methods.sending import destination
from bot.sandbox.models import Chat, Json, Message
from bot.sandbox.refusals import bad_request
from bot.sandbox.world import World

_COPIED = (
    *("text", "entities", "photo", "document", "voice", "sticker", "contact", "location"),
    *("caption", "caption_entities", "has_media_spoiler", "show_caption_above_media"),
)
_CAPTIONED = frozenset({"photo", "document", "voice"})
_MOST_AT_ONCE = 100
_REACTION_ROWS = (
    "❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡",
    "🥱 🥴 😍 🐳 ❤\u200d🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈",
    "😴 😭 🤓 👻 👨\u200d💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿",
    "🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷\u200d♂ 🤷 🤷\u200d♀ 😡",
)
_REACTIONS = frozenset(emoji for row in _REACTION_ROWS for emoji in row.split())


def copy_message(world: World, call: Call) -> Any:
    """Send the content of a message again, without a trace of where it came from."""
    caption = read_caption(world, call.params)
    target = destination(world, call)
    source = message_to(known_chat(world, call, "from_chat_id"), message_id(call), "copy")
    content = _content(source, "copied")
    if "caption" in call.params and _CAPTIONED & content.keys():
        check_caption(caption)
        content = {name: value for name, value in content.items() if not name.startswith("caption")}
        content |= caption_fields(caption)
    return {"message_id": target.post(world, content)["message_id"]}


def copy_messages(world: World, call: Call) -> Any:
    """Copy several messages; those that cannot be copied are skipped, and albums stay albums."""
    return [
        {"message_id": world.post(chat, world.bot, _content(source, "copied") | _album(chat, source), thread=thread).id}
        for chat, thread, source in _several(world, call, "copied")
    ]


def forward_message(world: World, call: Call) -> Any:
    """Forward a message: it says who wrote it."""
    chat = open_chat(world, call)
    thread = thread_of(chat, call)
    source_chat = known_chat(world, call, "from_chat_id")
    source = message_to(source_chat, message_id(call), "forward")
    return _forwarded(world, chat, thread, source).payload


def forward_messages(world: World, call: Call) -> Any:
    """Forward several messages; those that cannot be forwarded are skipped."""
    return [
        {"message_id": _forwarded(world, chat, thread, source).id}
        for chat, thread, source in _several(world, call, "forwarded")
    ]


def pin_chat_message(world: World, call: Call) -> Any:
    """Pin a message; a service message says so."""
    chat = _pinning(world, call)
    message = message_to(chat, message_id(call), "pin")
    chat.pinned = [*(number for number in chat.pinned if number != message.id), message.id]
    pinned = {name: value for name, value in message.payload.items() if name != "reply_to_message"}
    world.service(chat, world.bot, {"pinned_message": pinned}, thread=message.thread)
    world.show_chat(chat)
    return True


def unpin_chat_message(world: World, call: Call) -> Any:
    """Unpin a message, the newest pinned one by default."""
    chat = _pinning(world, call)
    number = call.integer("message_id") or (chat.pinned[-1] if chat.pinned else 0)
    if number not in chat.pinned:
        raise bad_request("message to unpin not found")
    chat.pinned.remove(number)
    world.show_chat(chat)
    return True


def unpin_all_chat_messages(world: World, call: Call) -> Any:
    """Unpin all messages of a chat."""
    chat = _pinning(world, call)
    chat.pinned.clear()
    world.show_chat(chat)
    return True


def set_message_reaction(world: World, call: Call) -> Any:
    """Put a reaction of the bot on a message, or take it away."""
    reactions: list[Json] = call.params.get("reaction", [])
    chat = open_chat(world, call)
    message = message_to(chat, message_id(call), "react")
    if len(reactions) > 1:
        raise bad_request("REACTIONS_TOO_MANY")
    for reaction in reactions:
        if reaction["type"] != "emoji" or reaction["emoji"] not in _REACTIONS:
            raise bad_request("REACTION_INVALID")
    message.reactions = reactions
    world.touch(chat, message)
    return True


def _content(source: Message, done: str) -> Json:
    content = {name: source.payload[name] for name in _COPIED if name in source.payload}
    if not content or source.payload.get("has_protected_content"):
        raise bad_request(f"message can't be {done}")
    return content


def _album(chat: Chat, source: Message) -> Json:
    """The mark of an album in another chat: the same for all messages of one album, different from the album's own."""
    mark = source.payload.get("media_group_id")
    return {} if mark is None else {"media_group_id": f"{mark}{abs(chat.id)}"}


def _forwarded(world: World, chat: Chat, thread: int | None, source: Message) -> Message:
    content = _content(source, "forwarded")
    origin = {"type": "user", "sender_user": source.sender.api(), "date": source.payload["date"]}
    content["forward_origin"] = source.payload.get("forward_origin", origin)
    return world.post(chat, world.bot, content, thread=thread)


def _several(world: World, call: Call, done: str) -> list[tuple[Chat, int | None, Message]]:
    numbers = call.params["message_ids"]
    if not numbers:
        raise bad_request("message identifiers are not specified")
    if len(numbers) > _MOST_AT_ONCE:
        raise bad_request("too many message identifiers specified")
    if any(later <= earlier for earlier, later in pairwise(numbers)):
        raise bad_request("message identifiers must be in a strictly increasing order")
    chat = open_chat(world, call)
    thread = thread_of(chat, call)
    source_chat = known_chat(world, call, "from_chat_id")
    found = [source_chat.messages[number] for number in numbers if number in source_chat.messages]
    usable = [source for source in found if any(name in source.payload for name in _COPIED)]
    if not usable:
        raise bad_request(f"there are no messages that can be {done}")
    return [(chat, thread, source) for source in usable]


def _pinning(world: World, call: Call) -> Chat:
    chat = known_chat(world, call)
    require_membership(chat)
    if not chat.bot_may("can_pin_messages"):
        raise bad_request("not enough rights to manage pinned messages in the chat")
    return chat
