"""Reads a pasted template: sections in brackets or with labels, in either language, whole or in part."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from bot.checklist.answer import Answer, Answers
from bot.checklist.field import Field, Kind, Section
from bot.checklist.fields import FIELDS, SECTION_TITLES
from bot.checklist.question import applicable
from bot.checklist.understand import Moment, understand
from bot.i18n import LOCALES, texts

_HEADS: Final = {
    Section.PURPOSE: ("用途", "purpose", "workload"),
    Section.MODEL: ("模型与并行", "模型和并行", "模型", "model and parallelism", "model"),
    Section.CARDS: ("卡型与数量", "卡型和数量", "卡型", "显卡", "cards and count", "cards", "gpus"),
    Section.INTERCONNECT: ("互联", "互连", "网络", "interconnect", "network"),
    Section.STORAGE: ("存储", "存储与数据", "storage", "storage and data"),
    Section.ENVIRONMENT: ("环境", "运行环境", "environment"),
    Section.PERIOD: ("周期与负载", "周期和负载", "周期", "period and load", "period"),
    Section.REGION: ("地域", "区域", "region"),
    Section.CONTACT: ("联系人", "联系方式", "contact"),
}
"""Other names under which people know the sections; their titles in both languages count too."""

_BRACKETED = re.compile(r"[【\[]\s*([^】\]\n]{1,40}?)\s*[】\]]\s*[:：]?")
_PIECES = re.compile(r"[,，;；、\n]+")
_LABELLED = re.compile(r"^\s*(?:[-•*·]|\d+[.)、．])?\s*([^:：\n]{1,40}?)\s*[:：]\s*(.+)$")
_FREE: Final = frozenset({Kind.TEXT, Kind.CHOICE_OR_TEXT, Kind.YES_NO_OR_TEXT})


@dataclass(frozen=True)
class Template:
    """What a pasted template filled, the keys it left open, and the words that found no place."""

    answers: Answers
    open: tuple[str, ...]
    unplaced: tuple[str, ...]


def looks_like_template(text: str) -> bool:
    """Return whether a message is a template rather than one answer: two or more of its sections stand in brackets."""
    return sum(_section(head) is not None for head in _BRACKETED.findall(text)) > 1


def read_template(text: str, moment: Moment) -> Template:
    """Read a template; what one part says of a field is not overwritten by a later guess, only by a later label."""
    found: dict[str, Answer] = {}
    unplaced: list[str] = []
    for section, body in _sections(text):
        unplaced += _read_section(section, body, moment, found)
    answers = Answers(found)
    return Template(
        answers, tuple(field.key for field in applicable(answers) if field.key not in answers), tuple(unplaced)
    )


def _sections(text: str) -> list[tuple[Section | None, str]]:
    """The text cut at its bracketed heads; what comes before the first, or under an unknown one, has no section."""
    parts: list[tuple[Section | None, str]] = []
    last_end, current = 0, None
    for match in _BRACKETED.finditer(text):
        section = _section(match[1])
        if section is None:
            continue
        parts.append((current, text[last_end : match.start()]))
        current, last_end = section, match.end()
    parts.append((current, text[last_end:]))
    return [(section, body.strip()) for section, body in parts if body.strip()]


def _section(head: str) -> Section | None:
    plain = _plain(head)
    for section, names in _HEADS.items():
        titles = (texts(locale).text(SECTION_TITLES[section]) for locale in LOCALES)
        if plain in {_plain(name) for name in (*names, *titles)}:
            return section
    return None


def _read_section(section: Section | None, body: str, moment: Moment, found: dict[str, Answer]) -> list[str]:
    """Fill `found` from one section; returns what could not be placed."""
    left: list[str] = []
    loose: list[str] = []
    for row in body.splitlines():
        labelled = _LABELLED.match(row)
        field = _field_by_label(labelled[1]) if labelled else None
        if labelled and field is not None:
            answers = understand(field, labelled[2], moment)
            found.update(answers)
            left += [] if answers else [row.strip()]
        elif row.strip():
            loose.append(row.strip())
    fields = [field for field in FIELDS if field.section is section] if section else []
    for row in loose:
        left += _place(row, fields, moment, found)
    return left


def _place(row: str, fields: list[Field], moment: Moment, found: dict[str, Answer]) -> list[str]:
    """Try each piece of a row on the section's fields, the strict kinds first; free text takes what is left, in order."""
    left: list[str] = []
    for piece in filter(None, (part.strip(" 。.") for part in _PIECES.split(row))):
        strict = (field for field in fields if field.key not in found and field.kind not in _FREE)
        answers = next((read for field in strict if (read := _certain(field, piece, moment))), {})
        if answers:
            found.update({key: answer for key, answer in answers.items() if key not in found})
        else:
            left.append(piece)
    free = [field for field in fields if field.key not in found and field.kind in _FREE]
    if left and free:
        if len(left) > len(free):
            left = [*left[: len(free) - 1], "，".join(left[len(free) - 1 :])]
        for field, piece in zip(free, left, strict=False):
            found.update(understand(field, piece, moment))
        left = left[len(free) :]
    return left


def _certain(field: Field, piece: str, moment: Moment) -> dict[str, Answer]:
    """What a piece says of a field, unless it only says that something is open: that could be any field."""
    read = understand(field, piece, moment)
    return read if field.key in read and read[field.key].known else {}


def _field_by_label(label: str) -> Field | None:
    plain = _plain(label)
    for field in FIELDS:
        if plain in {_plain(texts(locale).text(field.label)) for locale in LOCALES} | {field.key}:
            return field
    return None


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()
