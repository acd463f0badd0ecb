"""Parses parse_mode=MarkdownV2 as Telegram's own parser does: what is reserved must be escaped."""

from dataclasses import dataclass, field

from bot.sandbox.html_mode import Entity, utf16_length
from bot.sandbox.links import checked_link, mentioned_user
from bot.sandbox.refusals import Refusal, bad_request

_RESERVED = frozenset(b"_*[]()~`>#+-=|{}.!\n")
_BACKTICK = frozenset(b"`")
_SPACE = frozenset(b" \t\r\n\0\x0b")
_LAST_ESCAPABLE = 126
# The names in the refusal, the type of the entity and the mark that ends it.
_KINDS = {
    "Bold": ("bold", b"*"),
    "Italic": ("italic", b"_"),
    "Underline": ("underline", b"__"),
    "Strikethrough": ("strikethrough", b"~"),
    "Spoiler": ("spoiler", b"||"),
    "Code": ("code", b"`"),
    "Pre": ("pre", b"```"),
    "PreCode": ("pre", b"```"),
    "TextUrl": ("text_link", b"]"),
    "CustomEmoji": ("custom_emoji", b"]"),
    "BlockQuote": ("blockquote", b"\n"),
}
_STARTS = {ord("*"): "Bold", ord("~"): "Strikethrough", ord("["): "TextUrl"}
_VERBATIM = frozenset({"Code", "Pre", "PreCode"})


def parse_markdown(raw: str) -> tuple[str, list[Entity]]:
    """Return the text and its entities (not yet sorted or trimmed); raises Refusal as the server words it."""
    return _Parser(raw.encode(errors="replace")).parse()


@dataclass(frozen=True, slots=True)
class _Open:
    kind: str
    argument: str
    byte_offset: int
    offset: int
    start: int


@dataclass(slots=True)
class _Parser:
    data: bytes
    out: bytearray = field(default_factory=bytearray)
    stack: list[_Open] = field(default_factory=list)
    entities: list[Entity] = field(default_factory=list)
    line_start: bool = True

    def parse(self) -> tuple[str, list[Entity]]:
        i = 0
        while i < len(self.data):
            i = self._step(i)
        if self.stack and self.stack[-1].kind == "BlockQuote":
            self._close(len(self.data))
        if self.stack:
            opened = self.stack[-1]
            raise _refusal(f"Can't find end of {opened.kind} entity at byte offset {opened.byte_offset}")
        return self.out.decode(errors="replace"), self.entities

    def _at(self, index: int) -> int:
        return self.data[index] if index < len(self.data) else 0

    def _step(self, i: int) -> int:
        """Read what stands at `i` and return the position after it."""
        c = self.data[i]
        verbatim = bool(self.stack) and self.stack[-1].kind in _VERBATIM
        if c == ord("\\") and 0 < self._at(i + 1) <= _LAST_ESCAPABLE:
            return self._literal(self.data[i + 1], i + 2)
        if c not in (_BACKTICK if verbatim else _RESERVED):
            return self._literal(c, i + 1)
        if self.stack and self._ends(i):
            return self._close(i)
        if c == ord("\n"):
            self.out.append(c)
            quoted = any(opened.kind == "BlockQuote" for opened in self.stack)
            self.line_start = not quoted
            return i + 2 if quoted else i + 1
        return self._open(i)

    def _literal(self, c: int, after: int) -> int:
        self.out.append(c)
        self.line_start = False
        return after

    def _ends(self, i: int) -> bool:
        kind = self.stack[-1].kind
        if kind == "Italic" and self._at(i + 1) == ord("_"):
            return False
        if kind == "BlockQuote":
            return self.data[i] == ord("\n") and self._at(i + 1) != ord(">")
        return self.data.startswith(_KINDS[kind][1], i)

    def _open(self, i: int) -> int:
        kind, argument, after = self._start(i)
        self.stack.append(_Open(kind, argument, i, utf16_length(self.out.decode(errors="replace")), len(self.out)))
        self.line_start = False
        return after

    def _start(self, i: int) -> tuple[str, str, int]:
        """Return the kind of entity that starts at `i`, its argument, and the position after its mark."""
        c, following = self.data[i], self._at(i + 1)
        if c in _STARTS:
            return _STARTS[c], "", i + 1
        if c == ord("_"):
            return ("Underline", "", i + 2) if following == c else ("Italic", "", i + 1)
        if c == ord("|") and following == c:
            return "Spoiler", "", i + 2
        if c == ord("!") and following == ord("["):
            return "CustomEmoji", "", i + 2
        if c == ord(">") and self.line_start:
            return "BlockQuote", "", i + 1
        if c == ord("`"):
            return self._pre(i + 3) if self.data.startswith(b"```", i) else ("Code", "", i + 1)
        raise _refusal(f"Character '{chr(c)}' is reserved and must be escaped with the preceding '\\'")

    def _pre(self, i: int) -> tuple[str, str, int]:
        end = i
        while self._at(end) not in _SPACE and self._at(end) != ord("`"):
            end += 1
        named = end > i and end < len(self.data) and self._at(end) != ord("`")
        language = self.data[i:end].decode(errors="replace") if named else ""
        after = end if named else i
        return ("PreCode" if named else "Pre"), language, after + (self._at(after) == ord("\n"))

    def _close(self, i: int) -> int:
        opened = self.stack.pop()
        kind, mark = _KINDS[opened.kind]
        text = bytes(self.out[opened.start :]).decode(errors="replace")
        entity: Entity = {"type": kind, "offset": opened.offset, "length": utf16_length(text)}
        after = i if opened.kind == "BlockQuote" else i + len(mark)
        self.line_start = self.line_start and opened.kind == "BlockQuote"
        if opened.kind in {"TextUrl", "CustomEmoji"}:
            url, after = self._url(after) if self._at(after) == ord("(") else (text, after)
            self._add_link(entity, url)
        elif entity["length"]:
            self.entities.append(entity | ({"language": opened.argument} if opened.argument else {}))
        return after

    def _url(self, i: int) -> tuple[str, int]:
        begin = i + 1
        url, i = bytearray(), begin
        while i < len(self.data) and self.data[i] != ord(")"):
            i += self.data[i] == ord("\\") and 0 < self._at(i + 1) <= _LAST_ESCAPABLE
            url.append(self.data[i])
            i += 1
        if i == len(self.data):
            raise _refusal(f"Can't find end of a URL at byte offset {begin}")
        return url.decode(errors="replace"), i + 1

    def _add_link(self, entity: Entity, url: str) -> None:
        user_id, link = mentioned_user(url), checked_link(url)
        if not entity["length"]:
            return
        if entity["type"] == "custom_emoji":
            number = url.partition("emoji?id=")[2]
            if number.isdigit():
                self.entities.append(entity | {"custom_emoji_id": number})
        elif user_id is not None:
            self.entities.append(entity | {"type": "text_mention", "user_id": user_id})
        elif link is not None:
            self.entities.append(entity | {"url": link})


def _refusal(text: str) -> Refusal:
    return bad_request(f"can't parse entities: {text}")
