"""Turns what a call or a person typed into the text and entities that a message keeps, and back into HTML."""

import html
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from bot.sandbox.auto_entities import find_entities
from bot.sandbox.html_mode import Entity, parse_html, utf16_length
from bot.sandbox.markdown_mode import parse_markdown
from bot.sandbox.refusals import bad_request

FindUser = Callable[[int], dict[str, Any] | None]

_RAW_LIMIT_BYTES = 1 << 15
_MOST_ENTITIES = 100
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
_DROPPED = re.compile("[\r\u2028-\u202e]")
_VERBATIM = frozenset({"code", "pre"})
_CONTAINERS = frozenset({"blockquote", "expandable_blockquote"})
_LINKS = frozenset({"text_link", "text_mention"})
_TAGS = {"bold": "b", "italic": "i", "underline": "u", "strikethrough": "s", "spoiler": "tg-spoiler", "code": "code"}


@dataclass(frozen=True, slots=True)
class RichText:
    """A text with its entities, sorted; offsets and lengths are UTF-16 code units."""

    text: str
    entities: tuple[Entity, ...] = ()

    def fields(self, text_name: str, entities_name: str) -> dict[str, Any]:
        """Return the two fields of a message, without the entities when there are none."""
        if self.entities:
            return {text_name: self.text, entities_name: list(self.entities)}
        return {text_name: self.text}


def formatted(raw: str, parse_mode: str, entities: list[Entity] | None, find_user: FindUser) -> RichText:
    """Return the text that a call means; raises Refusal when it cannot be parsed. An empty result is allowed."""
    if len(raw) > _RAW_LIMIT_BYTES // 4 and len(raw.encode(errors="replace")) > _RAW_LIMIT_BYTES:
        raise bad_request("text is too long")
    mode = parse_mode.lower()
    if mode == "html":
        text, found = parse_html(raw)
    elif mode == "markdownv2":
        text, found = parse_markdown(raw)
    elif mode:
        raise bad_request("unsupported parse_mode")
    else:
        text, found = raw, [dict(entity) for entity in entities or []]
    return typed(text, found, find_user)


def typed(text: str, found: Iterable[Entity] = (), find_user: FindUser = lambda _: None) -> RichText:
    """Clean and trim a text, keep its entities in step and add those that are seen in the text itself."""
    text, kept = _trimmed(*_cleaned(text, [_resolved(entity, find_user) for entity in found]))
    explicit = _normal([entity for entity in kept if entity["length"] > 0 and entity["type"] != "drop"])
    entities = _merged(explicit, find_entities(text))
    return RichText(text, tuple(entities[:_MOST_ENTITIES]))


def to_html(rich: RichText) -> str:
    """Write a text as HTML that Telegram would accept."""
    if not rich.entities:
        return html.escape(rich.text, quote=False)
    units = rich.text.encode("utf-16-le")

    def inside(begin: int, end: int, entities: list[Entity]) -> str:
        out, position, rest = [], begin, entities
        while rest:
            entity = rest[0]
            stop = min(entity["offset"] + entity["length"], end)
            nested = [other for other in rest[1:] if other["offset"] < stop]
            rest = rest[1 + len(nested) :]
            out.append(_escaped(units, position, entity["offset"]))
            out.append(_wrapped(entity, inside(entity["offset"], stop, nested)))
            position = stop
        out.append(_escaped(units, position, end))
        return "".join(out)

    return inside(0, len(units) // 2, list(rich.entities))


def _escaped(units: bytes, begin: int, end: int) -> str:
    return html.escape(units[begin * 2 : end * 2].decode("utf-16-le", errors="replace"), quote=False)


def _wrapped(entity: Entity, content: str) -> str:
    kind = entity["type"]
    if kind in _TAGS:
        return f"<{_TAGS[kind]}>{content}</{_TAGS[kind]}>"
    if kind == "pre":
        language = entity.get("language")
        inner = f'<code class="language-{html.escape(language)}">{content}</code>' if language else content
        return f"<pre>{inner}</pre>"
    if kind in _CONTAINERS:
        return f"<blockquote{' expandable' if kind != 'blockquote' else ''}>{content}</blockquote>"
    if kind == "text_link":
        return f'<a href="{html.escape(entity["url"])}">{content}</a>'
    if kind == "text_mention":
        return f'<a href="tg://user?id={entity["user"]["id"]}">{content}</a>'
    return content


def _resolved(entity: Entity, find_user: FindUser) -> Entity:
    """Replace a user id by the user; a mention of somebody unknown is dropped, as is a language on lone code."""
    if entity["type"] == "text_mention":
        user_id = entity.get("user_id") or (entity.get("user") or {}).get("id", 0)
        user = find_user(user_id)
        kept = {key: value for key, value in entity.items() if key != "user_id"}
        return {**kept, "user": user} if user else {**kept, "type": "drop"}
    if entity["type"] == "code" and "language" in entity:
        return {key: value for key, value in entity.items() if key != "language"}
    return entity


def _cleaned(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    text = _CONTROL.sub(" ", text)
    if not _DROPPED.search(text):
        return text, entities
    gone = [utf16_length(text[: match.start()]) for match in _DROPPED.finditer(text)]
    moved = []
    for entity in entities:
        begin, end = entity["offset"], entity["offset"] + entity["length"]
        begin, end = begin - bisect_left(gone, begin), end - bisect_left(gone, end)
        moved.append({**entity, "offset": begin, "length": end - begin})
    return _DROPPED.sub("", text), moved


def _trimmed(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    shorter = text.lstrip(" \n")
    cut = len(text) - len(shorter)
    shorter = shorter.rstrip()
    if not entities or len(shorter) == len(text):
        return shorter, entities
    size = utf16_length(shorter)
    moved = []
    for entity in entities:
        begin = max(entity["offset"] - cut, 0)
        end = min(entity["offset"] + entity["length"] - cut, size)
        moved.append({**entity, "offset": begin, "length": end - begin})
    return shorter, moved


def _order(entity: Entity) -> tuple[int, int]:
    return entity["offset"], -entity["length"]


def _normal(entities: list[Entity]) -> list[Entity]:
    """Sort; code and pre stand alone in their place, and a style inside the same style adds nothing."""
    if len(entities) < 2:  # noqa: PLR2004 - one entity has nobody to overlap with
        return entities
    entities.sort(key=_order)
    verbatim = [e for e in entities if e["type"] in _VERBATIM]
    kept: list[Entity] = []
    for entity in entities:
        parts = [entity]
        if entity["type"] not in _VERBATIM | _CONTAINERS:
            for wall in verbatim:
                parts = [piece for part in parts for piece in _without(part, wall)]
        kept += [part for part in parts if not any(_repeats(part, other) for other in kept)]
    return sorted(kept, key=_order)


def _without(entity: Entity, wall: Entity) -> list[Entity]:
    begin, end = entity["offset"], entity["offset"] + entity["length"]
    wall_begin, wall_end = wall["offset"], wall["offset"] + wall["length"]
    if end <= wall_begin or begin >= wall_end:
        return [entity]
    pieces = []
    if begin < wall_begin:
        pieces.append({**entity, "length": wall_begin - begin})
    if end > wall_end:
        pieces.append({**entity, "offset": wall_end, "length": end - wall_end})
    return pieces


def _repeats(entity: Entity, other: Entity) -> bool:
    same = entity["type"] == other["type"] or (entity["type"] in _LINKS and other["type"] in _LINKS)
    end, other_end = entity["offset"] + entity["length"], other["offset"] + other["length"]
    return same and other["offset"] <= entity["offset"] and end <= other_end


def _merged(explicit: list[Entity], seen: list[Entity]) -> list[Entity]:
    """Add the entities seen in the text where no code or link covers them and no style ends inside them."""
    if not seen:
        return explicit
    added = []
    for entity in seen:
        begin, end = entity["offset"], entity["offset"] + entity["length"]
        for other in explicit:
            other_begin, other_end = other["offset"], other["offset"] + other["length"]
            apart = end <= other_begin or begin >= other_end
            nested = other["type"] not in _VERBATIM | _LINKS and (
                (other_begin <= begin and end <= other_end) or (begin <= other_begin and other_end <= end)
            )
            if not (apart or nested):
                break
        else:
            added.append(entity)
    return sorted(explicit + added, key=_order)
