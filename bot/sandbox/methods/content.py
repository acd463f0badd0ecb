"""Reads what a message is made of: its text or caption and its file."""

from bot.sandbox.files import PHOTO_LIMIT, StoredFile, image_size
from bot.sandbox.forms import Upload
from bot.sandbox.links import checked_link
from bot.sandbox.methods.call import Call
from bot.sandbox.models import Json
from bot.sandbox.refusals import bad_request
from bot.sandbox.rich_text import RichText, formatted
from bot.sandbox.world import World

LONGEST_TEXT = 4096
LONGEST_CAPTION = 1024
_LONGEST_SIDES = 10_000
_MOST_STRETCHED = 20


def read_text(world: World, call: Call) -> RichText:
    """Return the parsed `text`; it may still turn out empty or too long when it is sent."""
    raw = call.text("text")
    if not raw:
        raise bad_request("message text is empty")
    return formatted(raw, call.text("parse_mode"), call.params.get("entities"), world.user_json)


def check_text(rich: RichText) -> None:
    """Refuse an empty text and one over 4096 code points after parsing."""
    if not rich.text:
        raise bad_request("text must be non-empty")
    if len(rich.text) > LONGEST_TEXT:
        raise bad_request("message is too long")


def read_caption(world: World, source: Json) -> RichText | None:
    """Return the parsed `caption` of a call or of an InputMedia, None when there is none."""
    raw = source.get("caption", "")
    if not raw:
        return None
    rich = formatted(raw, source.get("parse_mode", ""), source.get("caption_entities"), world.user_json)
    return rich if rich.text else None


def check_caption(rich: RichText | None) -> None:
    """Refuse a caption over 1024 code points after parsing."""
    if rich is not None and len(rich.text) > LONGEST_CAPTION:
        raise bad_request("message caption is too long")


def caption_fields(rich: RichText | None) -> Json:
    """Return the fields of a message with this caption."""
    return rich.fields("caption", "caption_entities") if rich is not None else {}


def find_file(world: World, call: Call, kind: str, value: str, field: str) -> Upload | StoredFile:
    """Return the upload or the known file that a parameter means; nothing is stored yet."""
    upload = call.uploads.get(value.removeprefix("attach://")) if value.startswith("attach://") else None
    upload = upload or (call.uploads.get(field) if not value else None)
    if upload is not None:
        if not upload.data:
            raise bad_request("file must be non-empty")
        return upload
    if not value or value.startswith("attach://"):
        raise bad_request(f"there is no {kind} in the request")
    if value.startswith(("http://", "https://")):
        # The sandbox fetches nothing from the net.
        raise bad_request("failed to get HTTP URL content" if checked_link(value) else "Wrong HTTP URL specified")
    stored = world.files.by_id.get(value)
    if stored is None:
        raise bad_request("wrong file identifier/HTTP URL specified")
    if stored.kind != kind and not (kind == "document" and stored.kind != "sticker"):
        raise bad_request(f"can't use file of type {stored.kind.capitalize()} as {kind.capitalize()}")
    return stored


def keep_file(world: World, kind: str, found: Upload | StoredFile) -> StoredFile:
    """Store an upload, checked as Telegram checks it; a known file is used again."""
    if isinstance(found, StoredFile):
        return found
    if kind == "photo":
        _check_photo(found.data)
    return world.files.add(kind, found.data, name=found.name, mime_type=found.mime_type if kind != "photo" else "")


def _check_photo(data: bytes) -> None:
    if len(data) > PHOTO_LIMIT:
        raise bad_request(
            f"file of size {len(data)} bytes is too big for a photo; the maximum size is {PHOTO_LIMIT} bytes"
        )
    size = image_size(data)
    if size is None or 0 in size:
        raise bad_request("IMAGE_PROCESS_FAILED")
    if sum(size) > _LONGEST_SIDES or max(size) > _MOST_STRETCHED * min(size):
        raise bad_request("PHOTO_INVALID_DIMENSIONS")
