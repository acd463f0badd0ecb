"""The nine-part form: written with what is known, and read back from a paste, whole or in part, in either language."""

import re
from dataclasses import dataclass
from typing import Final

from bot.checklist.answer import Answer, Answers
from bot.checklist.clauses import clauses
from bot.checklist.display import show_answer
from bot.checklist.field import Field, Kind, Section
from bot.checklist.fields import BY_KEY, FIELDS, SECTION_TITLES
from bot.checklist.free_text import read_message
from bot.checklist.naming import fields_named, plain
from bot.checklist.question import applicable
from bot.checklist.understand import Moment, skipped, understand
from bot.i18n import LOCALES, Texts, texts
from bot.quantities import undecided

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

LINE_END: Final = "⏎"
"""Stands for the end of a line inside an answer, which must be one line of the form."""

_BRACKETED = re.compile(r"[【\[]\s*([^】\]\n]{1,40}?)\s*[】\]]\s*[:：]?")
_LABELLED = re.compile(
    r"^\s*(?:[-•*·✓]|\d+[.)、．])?\s*([^:：\n（(]{1,40}?)\s*(?:[（(][^:：\n]*[）)])?\s*[:：]\s*(\S.*)$"
)
_EMPTY = re.compile(r"^\s*(?:[-•*·✓]|\d+[.)、．])?\s*([^:：\n（(]{1,40}?)\s*(?:[（(][^:：\n]*[）)])?\s*[:：]\s*$")
_EXAMPLE = re.compile(r"^(?:例|例如|e\.?g\.?|for example|example)\s*[:：]", re.IGNORECASE)
_SKIP_WORDS: Final = frozenset({"跳过", "略过", "skipped", "skip", "已跳过", "跳過"})
_ASKS = re.compile(r"^(?:是否|whether )")
_PIECES = re.compile(r"[、（）()]")
_FREE: Final = frozenset({Kind.TEXT, Kind.CHOICE_OR_TEXT, Kind.YES_NO_OR_TEXT})
SEVERAL: Final = 2
"""Heads and labels from which a message is a form rather than one answer."""


@dataclass(frozen=True)
class Template:
    """What a pasted template filled, the keys it left open, and the words that found no place."""

    answers: Answers
    open: tuple[str, ...]
    unplaced: tuple[str, ...]


def write_template(answers: Answers, reader: Texts, moment: Moment) -> str:
    """Return the form in a language, with the answers that there are; pasted back, it fills the same answers again.

    An answer is written as the screens show it where that reads back to the same value, else in the person's own words, else as
    its code. `moment` matters to dates alone.
    """
    blocks = []
    for section in Section:
        rows = [
            _row(field, answers.get(field.key), reader, moment)
            for field in applicable(answers)
            if field.section is section
        ]
        if rows:
            title = reader.text(SECTION_TITLES[section])
            head = f"【{title}】" if reader.locale.startswith("zh") else f"[{title}]"
            blocks.append("\n".join([head, *rows]))
    return "\n\n".join(blocks)


def looks_like_template(text: str) -> bool:
    """Return whether a message is a template rather than one answer: two or more of its heads or labels stand in it."""
    return _named(text) >= SEVERAL


def names_a_field(text: str) -> bool:
    """Return whether a message has a head or a label of the template, as the smallest part of one does."""
    return _named(text) > 0


def _named(text: str) -> int:
    heads = sum(_section(head) is not None for head in _BRACKETED.findall(text))
    labels = [match[1] for row in text.splitlines() if (match := _LABELLED.match(row) or _EMPTY.match(row))]
    return heads + sum(bool(fields_named(label)) for label in labels)


def read_template(text: str, moment: Moment) -> Template:
    """Read a template; what one part says of a field is not overwritten by a later guess, only by a later label."""
    found: dict[str, Answer] = {}
    elsewhere: dict[str, Answer] = {}
    unplaced: list[str] = []
    for section, body in dict.fromkeys(_sections(text)):
        unplaced += _read_section(section, body, moment, found, elsewhere)
    answers = Answers({**elsewhere, **found})
    return Template(
        answers, tuple(field.key for field in applicable(answers) if field.key not in answers), tuple(unplaced)
    )


def _row(field: Field, answer: Answer | None, reader: Texts, moment: Moment) -> str:
    label = reader.text(field.label)
    if answer is not None:
        return f"{label}{reader.colon}{_written(field, answer, reader, moment)}"
    if field.options and field.kind is not Kind.YES_NO:
        label += reader.aside(" / ".join(reader.text(option.label) for option in field.options))
    return f"{label}{reader.colon}".rstrip()


def _written(field: Field, answer: Answer, reader: Texts, moment: Moment) -> str:
    """The answer in the first form that reads back to itself."""
    spoken = (show_answer(field, answer, reader), answer.raw, answer.normal or "")
    forms = [form.strip().replace("\n", LINE_END) for form in spoken]
    return next((form for form in forms if form and _same(_value(field, form, moment), answer)), forms[0])


def _same(read: dict[str, Answer], answer: Answer) -> bool:
    return any((found.normal, found.status) == (answer.normal, answer.status) for found in read.values())


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
    name = plain(head)
    for section, names in _HEADS.items():
        titles = (texts(locale).text(SECTION_TITLES[section]) for locale in LOCALES)
        if name in {plain(other) for other in (*names, *titles)}:
            return section
    return None


def _read_section(
    section: Section | None, body: str, moment: Moment, found: dict[str, Answer], elsewhere: dict[str, Answer]
) -> list[str]:
    """Fill `found` from one section, and `elsewhere` with what it says of other sections; returns what could not be placed."""
    left: list[str] = []
    loose: list[str] = []
    for row in filter(str.strip, body.splitlines()):
        labelled, empty = _LABELLED.match(row), _EMPTY.match(row)
        fields = _labelled_fields(labelled[1], section) if labelled else ()
        if labelled and fields:
            answers = _first_value(fields, labelled[2].strip(), moment)
            found.update(answers)
            left += [] if answers else [row.strip()]
        elif not (empty and fields_named(empty[1])) and not _EXAMPLE.match(row.strip()):
            loose.append(row.strip())
    inside = [field for field in FIELDS if field.section is section] if section else []
    for row in loose:
        said = _of_others(row, section, moment, found, elsewhere)
        left += _place(said, inside, moment, found)
    return left


def _labelled_fields(label: str, section: Section | None) -> tuple[Field, ...]:
    """The fields a label may mean, those of its section first."""
    named = fields_named(label)
    return tuple(sorted(named, key=lambda field: field.section is not section))


def _first_value(fields: tuple[Field, ...], said: str, moment: Moment) -> dict[str, Answer]:
    return next((read for field in fields if (read := _value(field, said, moment))), {})


def _value(field: Field, said: str, moment: Moment) -> dict[str, Answer]:
    """What stands after a field's label; only this field is filled, for its neighbours have lines of their own."""
    if field.skippable and plain(said) in _SKIP_WORDS:
        return {field.key: skipped()}
    read = understand(field, said.replace(LINE_END, "\n"), moment)
    return {field.key: read[field.key]} if field.key in read else {}


def _of_others(
    row: str, section: Section | None, moment: Moment, found: dict[str, Answer], elsewhere: dict[str, Answer]
) -> list[str]:
    """Take what each piece of a row says by its own words; returns the pieces that said nothing so."""
    left = []
    for piece in _pieces(row):
        if _ASKS.match(piece) or fields_named(piece):
            continue
        answers = read_message(piece, moment, Answers(found)).answers
        for key, answer in answers.items():
            own = section is None or BY_KEY[key].section is section
            (found if own else elsewhere).setdefault(key, answer)
        left += [] if answers else [piece]
    return left


def _place(pieces: list[str], fields: list[Field], moment: Moment, found: dict[str, Answer]) -> list[str]:
    """Try each piece on the section's fields in order, the strict kinds first; free text takes what is left."""
    left: list[str] = []
    for piece in pieces:
        strict = (field for field in fields if field.key not in found and field.kind not in _FREE)
        new = next((read for field in strict if (read := _certain(field, piece, moment))), {})
        new = new or (_all_open(fields, piece, moment, found) if len(pieces) == 1 else {})
        found.update({key: answer for key, answer in new.items() if key not in found})
        left += [] if new else [piece]
    return _as_text(left, [field for field in fields if field.key not in found and field.kind in _FREE], moment, found)


def _pieces(row: str) -> list[str]:
    parts = (part for clause in clauses(row) for part in _PIECES.split(clause))
    return [part.strip(" 。.") for part in parts if part.strip(" 。.")]


def _all_open(fields: list[Field], piece: str, moment: Moment, found: dict[str, Answer]) -> dict[str, Answer]:
    """A section that holds one word such as 待定 leaves all its fields open; "any" can only speak of the first."""
    normal = undecided(piece)
    if normal is None or not fields:
        return {}
    opened: dict[str, Answer] = {}
    for field in fields if normal == "TBD" else fields[:1]:
        if field.key not in found and field.when(Answers({**found, **opened})):
            opened |= understand(field, piece, moment)
    return opened


def _as_text(left: list[str], free: list[Field], moment: Moment, found: dict[str, Answer]) -> list[str]:
    if not left or not free:
        return left
    if len(left) > len(free):
        left = [*left[: len(free) - 1], "，".join(left[len(free) - 1 :])]
    for field, piece in zip(free, left, strict=False):
        found.update(understand(field, piece, moment))
    return left[len(free) :]


def _certain(field: Field, piece: str, moment: Moment) -> dict[str, Answer]:
    """What a piece says of a field, unless it only says that something is open: that could be any field."""
    read = understand(field, piece, moment)
    return read if field.key in read and read[field.key].known else {}
