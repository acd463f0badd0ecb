"""Keeps the files of the sandbox, tells images from other data, and makes a sample picture."""

import base64
import hashlib
import mimetypes
import struct
import zlib
from dataclasses import dataclass
from functools import cache
from typing import Any

Json = dict[str, Any]

PHOTO_LIMIT = 10 * 1024 * 1024
DOWNLOAD_LIMIT = 20 * 1024 * 1024
_KINDS = {
    "photo": ("AgACAgIAAxkBAAI", "photos", ".jpg"),
    "document": ("BQACAgIAAxkBAAI", "documents", ""),
    "voice": ("AwACAgIAAxkBAAI", "voice", ".oga"),
    "sticker": ("CAACAgIAAxkBAAI", "stickers", ".webp"),
}
_THUMBNAIL = 90
_JPEG_SIZE_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file; `size` may be more than the data when a person only pretends to send a big file."""

    kind: str
    file_id: str
    unique_id: str
    path: str
    name: str
    mime_type: str
    size: int
    data: bytes
    width: int = 0
    height: int = 0

    @property
    def too_big_to_fetch(self) -> bool:
        """Whether getFile refuses this file."""
        return self.size > DOWNLOAD_LIMIT

    def api(self) -> Json:
        """Return the fields that every Bot API file type has."""
        return {"file_id": self.file_id, "file_unique_id": self.unique_id, "file_size": self.size}


class FileStore:
    """The files by id and by path."""

    def __init__(self) -> None:
        self._count = 0
        self.by_id: dict[str, StoredFile] = {}
        self.by_path: dict[str, StoredFile] = {}

    def add(
        self, kind: str, data: bytes, *, name: str = "", mime_type: str = "", size: int | None = None
    ) -> StoredFile:
        """Keep `data` as a file of this kind and return the record."""
        self._count += 1
        prefix, folder, ending = _KINDS[kind]
        digest = base64.urlsafe_b64encode(hashlib.sha256(f"{kind}{self._count}".encode()).digest()).decode()
        extension = ending or ("." + name.rpartition(".")[2] if "." in name else "")
        width, height = (image_size(data) or (0, 0)) if kind == "photo" else (0, 0)
        stored = StoredFile(
            kind=kind,
            file_id=prefix + digest[:41],
            unique_id="AQAD" + digest[-13:-1],
            path=f"{folder}/file_{self._count}{extension}",
            name=name,
            mime_type=mime_type or mimetypes.guess_type(name)[0] or "application/octet-stream",
            size=len(data) if size is None else size,
            data=data,
            width=width,
            height=height,
        )
        self.by_id[stored.file_id] = stored
        self.by_path[stored.path] = stored
        return stored

    def content(self, stored: StoredFile) -> Json:
        """Return the field of a message that shows this file."""
        return {stored.kind: _CONTENT[stored.kind](self, stored)}

    def thumbnail(self, stored: StoredFile) -> Json:
        """Return the small size of a photo; it serves the same picture."""
        scale = _THUMBNAIL / max(stored.width, stored.height, 1)
        small_id = stored.file_id[:-3] + "Aa0"
        self.by_id[small_id] = stored
        return {
            "file_id": small_id,
            "file_unique_id": stored.unique_id[:-1] + "s",
            "file_size": stored.size,
            "width": max(round(stored.width * scale), 1),
            "height": max(round(stored.height * scale), 1),
        }


def image_size(data: bytes) -> tuple[int, int] | None:
    """Return width and height in pixels of a PNG, JPEG, GIF, WebP or BMP, or None for anything else."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:  # noqa: PLR2004 - the header ends there
        return struct.unpack(">II", data[16:24])
    if data[:6] in {b"GIF87a", b"GIF89a"}:
        return struct.unpack("<HH", data[6:10])
    if data[:2] == b"BM" and len(data) >= 26:  # noqa: PLR2004 - the header ends there
        width, height = struct.unpack("<ii", data[18:26])
        return width, abs(height)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp_size(data)
    if data[:2] == b"\xff\xd8":
        return _jpeg_size(data)
    return None


@cache
def sample_photo(width: int = 640, height: int = 400) -> bytes:
    """Return a PNG of a soft gradient."""
    row = b"\0" + b"".join(
        bytes((60 + 120 * x // width, 110 + 60 * x // width, 190 - 40 * x // width)) for x in range(width)
    )
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(row * height)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + tag + body + struct.pack(">I", zlib.crc32(tag + body)) for tag, body in parts
    )


def _photo(store: FileStore, stored: StoredFile) -> list[Json]:
    full = {**stored.api(), "width": stored.width, "height": stored.height}
    return [store.thumbnail(stored), full]


def _document(_: FileStore, stored: StoredFile) -> Json:
    return {**stored.api(), "file_name": stored.name, "mime_type": stored.mime_type}


def _voice(_: FileStore, stored: StoredFile) -> Json:
    return {**stored.api(), "duration": max(stored.size // 4000, 1), "mime_type": "audio/ogg"}


def _sticker(_: FileStore, stored: StoredFile) -> Json:
    shape = {"type": "regular", "width": 512, "height": 512, "is_animated": False, "is_video": False}
    return {**stored.api(), **shape, "emoji": stored.name or "👍", "set_name": "DeskStickers"}


_CONTENT = {"photo": _photo, "document": _document, "voice": _voice, "sticker": _sticker}


def _webp_size(data: bytes) -> tuple[int, int] | None:
    if data[12:16] == b"VP8X":
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    if data[12:16] == b"VP8 ":
        width, height = struct.unpack("<HH", data[26:30])
        return width & 0x3FFF, height & 0x3FFF
    if data[12:16] == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    return None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    position = 2
    while position + 9 <= len(data):
        if data[position] != 0xFF:  # noqa: PLR2004 - the byte before every JPEG marker
            return None
        marker = data[position + 1]
        if marker in _JPEG_SIZE_MARKERS:
            height, width = struct.unpack(">HH", data[position + 5 : position + 9])
            return width, height
        position += 2 + int.from_bytes(data[position + 2 : position + 4], "big")
    return None
