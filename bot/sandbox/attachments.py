"""Makes the content of the messages that people send.

`photo` may be true (a sample picture), base64 of an image (also as a data: URL), or any other text, which then names
the sample picture. `document` may be true, a file name, or an object {"name", "content"?, "size"?, "mime_type"?}
with base64 content; a `size` without content makes a file that only claims to be that big. `voice` is true or its
seconds, `sticker` true or an emoji, `contact` true, a phone number or an object, `location` true or {"latitude",
"longitude"}; `video`, `video_note` and `dice` are true or a number. `forward_from` names the hidden person from whom the message was forwarded.
"""

import base64
import binascii
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from bot.sandbox.files import image_size, sample_photo
from bot.sandbox.models import Json
from bot.sandbox.rich_text import RichText, typed
from bot.sandbox.world import World

_LONGEST_TEXT = 4096
_SAMPLE_PLACE = {"latitude": 31.2304, "longitude": 121.4737}
_SAMPLE_PHONE = "+8613800138000"


class ClientError(Exception):
    """Something that a Telegram app would not let a person do."""

    def __init__(self, text: str, status: int = HTTPStatus.BAD_REQUEST) -> None:
        super().__init__(text)
        self.status = int(status)


def message_content(world: World, body: Json) -> Json:
    """Return the fields of the message that a person sends; raises ClientError."""
    kinds = [kind for kind in _READERS if body.get(kind) not in (None, False)]
    if len(kinds) != 1:
        raise ClientError("a message is exactly one of " + ", ".join(_READERS))
    content = _READERS[kinds[0]](world, body[kinds[0]])
    if body.get("caption"):
        content |= typed(str(body["caption"])).fields("caption", "caption_entities")
    return content


def typed_text(text: Any) -> RichText:
    """Return a text as an app would send it; raises ClientError when it is empty or too long for one message."""
    rich = typed(str(text or ""))
    if not rich.text:
        raise ClientError("the text is empty")
    if len(rich.text) > _LONGEST_TEXT:
        raise ClientError(f"the text is longer than {_LONGEST_TEXT} characters: an app would send several messages")
    return rich


def _text(_: World, value: Any) -> Json:
    return typed_text(value).fields("text", "entities")


def _photo(world: World, value: Any) -> Json:
    data = _decoded(value) if isinstance(value, str) else None
    if data is None or image_size(data) is None:
        data = sample_photo()
    return world.files.content(world.files.add("photo", data, mime_type="image/png"))


def _document(world: World, value: Any) -> Json:
    about: Json = value if isinstance(value, dict) else {"name": value if isinstance(value, str) else "notes.txt"}
    data = _decoded(about.get("content", "")) or b""
    name = str(about.get("name", "file"))
    if not data and "size" not in about:
        data = f"{name}\n".encode()
    stored = world.files.add("document", data, name=name, mime_type=about.get("mime_type", ""), size=about.get("size"))
    return world.files.content(stored)


def _voice(world: World, value: Any) -> Json:
    seconds = value if isinstance(value, int) and value is not True else 3
    content = world.files.content(world.files.add("voice", b"OggS" * 1000, mime_type="audio/ogg"))
    content["voice"]["duration"] = seconds
    return content


def _sticker(world: World, value: Any) -> Json:
    return world.files.content(world.files.add("sticker", b"RIFF", name=value if isinstance(value, str) else "👍"))


def _contact(_: World, value: Any) -> Json:
    if isinstance(value, dict):
        return {"contact": value}
    phone = value if isinstance(value, str) else _SAMPLE_PHONE
    return {"contact": {"phone_number": phone, "first_name": "Contact"}}


def _location(_: World, value: Any) -> Json:
    return {"location": value if isinstance(value, dict) else dict(_SAMPLE_PLACE)}


def _video(world: World, value: Any) -> Json:
    stored = world.files.add("document", b"video", name="clip.mp4", mime_type="video/mp4")
    seconds = value if isinstance(value, int) and value is not True else 7
    return {"video": {**stored.api(), "width": 640, "height": 360, "duration": seconds, "mime_type": "video/mp4"}}


def _video_note(world: World, value: Any) -> Json:
    stored = world.files.add("document", b"video", name="note.mp4", mime_type="video/mp4")
    seconds = value if isinstance(value, int) and value is not True else 7
    return {"video_note": {**stored.api(), "length": 240, "duration": seconds}}


def _dice(_: World, value: Any) -> Json:
    return {"dice": {"emoji": "🎲", "value": value if isinstance(value, int) and value is not True else 4}}


def _decoded(text: str) -> bytes | None:
    try:
        return base64.b64decode(text.rpartition("base64,")[2], validate=True)
    except (binascii.Error, ValueError):
        return None


_READERS: dict[str, Callable[[World, Any], Json]] = {
    "text": _text,
    "photo": _photo,
    "document": _document,
    "voice": _voice,
    "sticker": _sticker,
    "contact": _contact,
    "location": _location,
    "video": _video,
    "video_note": _video_note,
    "dice": _dice,
}
