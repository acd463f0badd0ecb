"""The methods that send: text, files, albums, contacts, places, and the typing sign."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bot.sandbox.markup import Markup, read_markup
from bot.sandbox.methods.access import open_chat, thread_of
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
from bot.sandbox.models import Chat, Json, Message
from bot.sandbox.refusals import bad_request
from bot.sandbox.validation import Mismatch, check_value
from bot.sandbox.world import World

_CHAT_ACTIONS = frozenset(
    {"typing", "upload_photo", "record_video", "upload_video", "record_voice", "upload_voice", "upload_document"}
    | {"choose_sticker", "find_location", "record_video_note", "upload_video_note"}
)
_MOST_IN_ALBUM = 10
_ALBUM_KINDS = frozenset({"photo", "document"})


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a message goes and what comes with it."""

    chat: Chat
    thread: int | None
    reply_to: Message | None
    markup: Markup
    extra: Json

    def post(self, world: World, content: Json) -> Json:
        """Put the message there and return it."""
        self.markup.send()
        fields = content | self.extra | self.markup.fields()
        message = world.post(
            self.chat,
            world.bot,
            fields,
            thread=self.thread,
            reply_to=self.reply_to,
            reply_keyboard=self.markup.other,
        )
        return message.payload


def destination(world: World, call: Call) -> Destination:
    """Read keyboard, chat, message replied to and topic, in the order in which the server refuses them."""
    markup = read_markup(call.params.get("reply_markup"))
    chat = open_chat(world, call)
    reply_to = _replied_to(chat, call.params.get("reply_parameters"))
    thread = thread_of(chat, call)
    if thread is None and reply_to is not None:
        thread = reply_to.thread
    extra: Json = {}
    if call.flag("protect_content"):
        extra["has_protected_content"] = True
    if call.text("message_effect_id") and chat.type == "private":
        extra["effect_id"] = call.text("message_effect_id")
    return Destination(chat, thread, reply_to, markup, extra)


def send_message(world: World, call: Call) -> Any:
    """Send a text."""
    rich = read_text(world, call)
    target = destination(world, call)
    check_text(rich)
    return target.post(world, rich.fields("text", "entities"))


def send_file(kind: str) -> Callable[[World, Call], Any]:
    """Return the method that sends a file of this kind."""

    def send(world: World, call: Call) -> Any:
        found = find_file(world, call, kind, call.text(kind), kind)
        caption = read_caption(world, call.params)
        target = destination(world, call)
        check_caption(caption)
        target.markup.send()
        stored = keep_file(world, kind, found)
        content = world.files.content(stored) | caption_fields(caption)
        return target.post(world, content | _looks(call.params))

    return send


def send_contact(world: World, call: Call) -> Any:
    """Send a contact."""
    names = ("phone_number", "first_name", "last_name", "vcard")
    contact = {name: call.params[name] for name in names if name in call.params}
    return destination(world, call).post(world, {"contact": contact})


def send_location(world: World, call: Call) -> Any:
    """Send a place on the map."""
    names = ("latitude", "longitude", "horizontal_accuracy", "live_period", "heading", "proximity_alert_radius")
    place = {name: call.params[name] for name in names if name in call.params}
    return destination(world, call).post(world, {"location": place})


def send_media_group(world: World, call: Call) -> Any:
    """Send an album: the messages share a media_group_id."""
    items = _album(call.params.get("media"))
    captions = [read_caption(world, item) for item in items]
    found = [find_file(world, call, item["type"], item["media"], "") for item in items]
    target = destination(world, call)
    for caption in captions:
        check_caption(caption)
    stored = [keep_file(world, item["type"], file) for item, file in zip(items, found, strict=True)]
    group_id = str(13_000_000_000_000_000 + target.chat.last_message_id * 1000 + len(items))
    return [
        target.post(
            world, {"media_group_id": group_id, **world.files.content(file), **caption_fields(caption), **_looks(item)}
        )
        for item, file, caption in zip(items, stored, captions, strict=True)
    ]


def send_chat_action(world: World, call: Call) -> Any:
    """Show that the bot is at work."""
    action = call.text("action")
    if action not in _CHAT_ACTIONS:
        raise bad_request("wrong parameter action in request")
    chat = open_chat(world, call)
    thread = thread_of(chat, call)
    world.events.publish(lambda: {"type": "action", "chat_id": chat.id, "action": action, "message_thread_id": thread})
    return True


def get_file(world: World, call: Call) -> Any:
    """Tell where a file can be fetched."""
    file_id = call.text("file_id")
    if not file_id:
        raise bad_request("file_id not specified")
    stored = world.files.by_id.get(file_id)
    if stored is None:
        raise bad_request("wrong file_id or the file is temporarily unavailable")
    if stored.too_big_to_fetch:
        raise bad_request("file is too big")
    return {**stored.api(), "file_path": stored.path}


def album_item(value: Any) -> Json:
    """Check one InputMedia; raises Refusal."""
    if isinstance(value, str):
        raise bad_request("can't parse media JSON object")
    try:
        item: Json = check_value("InputMedia", value)
    except Mismatch as error:
        raise bad_request(f"can't parse InputMedia: {error}") from error
    if item["type"] not in _ALBUM_KINDS:
        raise bad_request(f'media of type "{item["type"]}" is not supported by the sandbox')
    return item


def _album(value: Any) -> list[Json]:
    if isinstance(value, str):
        raise bad_request("can't parse media JSON object")
    if value is None or value == []:
        raise bad_request("media to send are not specified")
    if not isinstance(value, list):
        raise bad_request("expected an Array of InputMedia")
    items = [album_item(item) for item in value]
    if len(items) > _MOST_IN_ALBUM:
        raise bad_request("too much messages to send as an album")
    if len(items) == 1:
        raise bad_request("too few messages to send as an album")
    if len({item["type"] for item in items}) > 1:
        raise bad_request("document can't be mixed with other media types")
    return items


def _looks(source: Json) -> Json:
    looks: Json = {}
    if source.get("has_spoiler"):
        looks["has_media_spoiler"] = True
    if source.get("show_caption_above_media"):
        looks["show_caption_above_media"] = True
    return looks


def _replied_to(chat: Chat, parameters: Json | None) -> Message | None:
    if parameters is None:
        return None
    if parameters.get("chat_id", chat.id) != chat.id:
        return None
    message = chat.messages.get(parameters["message_id"])
    if message is None and not parameters.get("allow_sending_without_reply"):
        raise bad_request("message to be replied not found")
    return message
