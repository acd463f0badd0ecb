"""Parses parse_mode=HTML as Telegram's own parser does: byte offsets in errors, UTF-16 offsets in entities."""

import re
from dataclasses import dataclass, field
from typing import Any

from bot.sandbox.links import checked_link, mentioned_user
from bot.sandbox.refusals import Refusal, bad_request

Entity = dict[str, Any]

_SPECIAL = re.compile(rb"[<&]")
# Most tags are as plain as these; everything else is read byte by byte, as the server does.
_PLAIN_START = re.compile(rb"<([a-z]+)>")
_PLAIN_END = re.compile(rb"</([a-z]+)>")
_REFERENCE = re.compile(rb"&(?:#x([0-9a-fA-F]+)|#([0-9]+)|([A-Za-z]+));?")
_NAMED = {b"lt": b"<", b"gt": b">", b"amp": b"&", b"quot": b'"'}
# The end of the text reads as a zero byte, which counts as white space: that is what ends the server's loops.
_SPACE = frozenset(b" \t\r\n\0\x0b")
_NAME_END = _SPACE | frozenset(b"=>/\"'")
_TOKEN = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-")
_STYLES = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "tg-spoiler": "spoiler",
    "span": "spoiler",
}
_TAGS = frozenset(_STYLES) | {"a", "pre", "code", "blockquote", "tg-emoji", "tg-time"}
_MAX_CODE_POINT = 0x10FFFF


def parse_html(raw: str) -> tuple[str, list[Entity]]:
    """Return the text and its entities (not yet sorted or trimmed); raises Refusal as the server words it."""
    if "<" not in raw and "&" not in raw:
        return raw, []
    return _Parser(raw).parse()


def utf16_length(text: str) -> int:
    """Return the length in UTF-16 code units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


@dataclass(frozen=True, slots=True)
class _Open:
    tag: str
    attributes: dict[str, str]
    offset: int
    start: int


@dataclass(slots=True)
class _Parser:
    raw: str
    data: bytes = b""
    out: bytearray = field(default_factory=bytearray)
    utf16: int = 0
    stack: list[_Open] = field(default_factory=list)
    entities: list[Entity] = field(default_factory=list)

    def parse(self) -> tuple[str, list[Entity]]:
        self.data = self.raw.encode()
        position = 0
        while (match := _SPECIAL.search(self.data, position)) is not None:
            self._append(self.data[position : match.start()])
            position = match.start()
            if self.data[position] == ord("&"):
                character, position = _dereference(self.data, position)
                self._append(character)
            elif self._at(position + 1) == ord("/"):
                position = self._end_tag(position)
            else:
                position = self._start_tag(position)
        self._append(self.data[position:])
        if self.stack:
            raise _refusal(f'Can\'t find end tag corresponding to start tag "{self.stack[-1].tag}"')
        return self.out.decode(), self.entities

    def _append(self, chunk: bytes) -> None:
        try:
            self.utf16 += utf16_length(chunk.decode())
        except UnicodeDecodeError as error:
            raise _refusal(
                "Text contains invalid Unicode characters after decoding HTML entities, "
                "check for unmatched surrogate code units"
            ) from error
        self.out += chunk

    def _at(self, index: int) -> int:
        return self.data[index] if index < len(self.data) else 0

    def _skip(self, index: int, until: frozenset[int]) -> int:
        while self._at(index) not in until:
            index += 1
        return index

    def _skip_space(self, index: int) -> int:
        while self._at(index) and self._at(index) in _SPACE:
            index += 1
        return index

    def _start_tag(self, begin: int) -> int:
        plain = _PLAIN_START.match(self.data, begin)
        if plain is not None and (tag := plain[1].decode()) in _TAGS and tag != "span":
            self.stack.append(_Open(tag, {}, self.utf16, len(self.out)))
            return plain.end()
        i = self._skip(begin + 1, _SPACE | {ord(">")})
        if not self._at(i):
            raise _refusal(f"Unclosed start tag at byte offset {begin}")
        tag = self.data[begin + 1 : i].decode(errors="replace").lower()
        if tag not in _TAGS:
            raise _refusal(f'Unsupported start tag "{tag}" at byte offset {begin}')
        attributes: dict[str, str] = {}
        while self._at(i) != ord(">"):
            i = self._skip_space(i)
            if self._at(i) == ord(">"):
                break
            i = self._attribute(i, begin, tag, attributes)
        if tag == "span" and attributes.get("class") != "tg-spoiler":
            raise _refusal(f'Tag "span" must have class "tg-spoiler" at byte offset {begin}')
        self.stack.append(_Open(tag, attributes, self.utf16, len(self.out)))
        return i + 1

    def _attribute(self, i: int, begin: int, tag: str, attributes: dict[str, str]) -> int:
        """Read one attribute into `attributes` and return the position after it."""
        start = i
        i = self._skip(i, _NAME_END)
        name = self.data[start:i].decode(errors="replace")
        if not name:
            if not self._at(i):
                raise _refusal(f"Unclosed start tag at byte offset {begin}")
            raise _refusal(f'Empty attribute name in the tag "{tag}" at byte offset {begin}')
        i = self._skip_space(i)
        if self._at(i) != ord("="):
            if not self._at(i):
                raise _refusal(f"Unclosed start tag at byte offset {begin}")
            attributes[name] = ""
            return i
        i = self._skip_space(i + 1)
        if not self._at(i):
            raise _refusal(f"Unclosed start tag at byte offset {begin}")
        value, i = self._quoted(i) if self._at(i) in b"'\"" else self._token(i)
        if not self._at(i):
            raise _refusal(f"Unclosed start tag at byte offset {begin}")
        attributes[name] = value
        return i

    def _token(self, i: int) -> tuple[str, int]:
        start = i
        while self._at(i) in _TOKEN:
            i += 1
        if self._at(i) not in _SPACE and self._at(i) != ord(">"):
            raise _refusal(f"Unexpected end of name token at byte offset {start}")
        return self.data[start:i].decode().lower(), i

    def _quoted(self, i: int) -> tuple[str, int]:
        quote = self._at(i)
        value = bytearray()
        i += 1
        while self._at(i) and self._at(i) != quote:
            if self._at(i) == ord("&"):
                character, i = _dereference(self.data, i)
                value += character
            else:
                value.append(self._at(i))
                i += 1
        return value.decode(errors="replace"), i + 1 if self._at(i) else i

    def _end_tag(self, begin: int) -> int:
        if not self.stack:
            raise _refusal(f"Unexpected end tag at byte offset {begin}")
        plain = _PLAIN_END.match(self.data, begin)
        i = plain.end(1) if plain is not None else self._skip(begin + 2, _SPACE | {ord(">")})
        found = self.data[begin + 2 : i].decode(errors="replace").lower()
        i = self._skip_space(i)
        if self._at(i) != ord(">"):
            raise _refusal(f"Unclosed end tag at byte offset {begin}")
        opened = self.stack.pop()
        if found and found != opened.tag:
            raise _refusal(f'Unmatched end tag at byte offset {begin}, expected "</{opened.tag}>", found "</{found}>"')
        if self.utf16 > opened.offset:
            self._close(opened)
        return i + 1

    def _close(self, opened: _Open) -> None:
        entity: Entity = {"offset": opened.offset, "length": self.utf16 - opened.offset}
        kind = _STYLES.get(opened.tag)
        if kind is not None:
            self.entities.append({"type": kind, **entity})
        elif opened.tag == "code":
            language = opened.attributes.get("class", "")
            # The language is kept only until the enclosing <pre> closes; alone it means nothing.
            mark = {"language": language[9:]} if language.startswith("language-") and language[9:] else {}
            self.entities.append({"type": "code", **entity, **mark})
        elif opened.tag == "pre":
            self._close_pre(entity)
        elif opened.tag == "a":
            self._close_link(opened, entity)
        elif opened.tag == "blockquote":
            kind = "expandable_blockquote" if "expandable" in opened.attributes else "blockquote"
            self.entities.append({"type": kind, **entity})
        elif opened.tag == "tg-emoji" and opened.attributes.get("emoji-id", "").isdigit():
            self.entities.append({"type": "custom_emoji", **entity, "custom_emoji_id": opened.attributes["emoji-id"]})
        elif opened.tag == "tg-time" and opened.attributes.get("unix", "").isdigit():
            shape = opened.attributes.get("format")
            mark = {"date_time_format": shape} if shape else {}
            self.entities.append({"type": "date_time", **entity, "unix_time": int(opened.attributes["unix"]), **mark})

    def _close_pre(self, entity: Entity) -> None:
        last = self.entities[-1] if self.entities else {}
        same = last.get("offset") == entity["offset"] and last.get("length") == entity["length"]
        if same and last.get("type") == "code" and "language" in last:
            self.entities[-1] = {**last, "type": "pre"}
        else:
            self.entities.append({"type": "pre", **entity})

    def _close_link(self, opened: _Open, entity: Entity) -> None:
        url = opened.attributes.get("href", "") or bytes(self.out[opened.start :]).decode()
        user_id = mentioned_user(url)
        if user_id is not None:
            self.entities.append({"type": "text_mention", **entity, "user_id": user_id})
        elif (link := checked_link(url)) is not None:
            self.entities.append({"type": "text_link", **entity, "url": link})


def _dereference(data: bytes, position: int) -> tuple[bytes, int]:
    """Return the bytes that the reference at `position` stands for and the position after it."""
    match = _REFERENCE.match(data, position)
    if match is None:
        return b"&", position + 1
    hexadecimal, decimal, name = match.groups()
    if name is not None:
        if name not in _NAMED:
            return b"&", position + 1
        return _NAMED[name], match.end()
    code = int(hexadecimal, 16) if hexadecimal else int(decimal)
    if not 0 < code < _MAX_CODE_POINT:
        return b"&", position + 1
    return chr(code).encode(errors="surrogatepass"), match.end()


def _refusal(text: str) -> Refusal:
    return bad_request(f"can't parse entities: {text}")
