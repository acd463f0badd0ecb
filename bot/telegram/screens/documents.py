"""The checklist as files to keep: Markdown for people, in their language, and JSON for programs."""

import json
import re
from collections.abc import Callable
from typing import Any, Final

from bot.checklist.answer import VERSION, Answers
from bot.checklist.display import show_answer
from bot.checklist.field import Field, Section
from bot.checklist.fields import BY_KEY, SECTION_TITLES
from bot.checklist.job import request_from
from bot.checklist.question import applicable
from bot.checklist.words import ASSUMPTIONS, VALUES, word
from bot.dialog.screen import Document
from bot.estimation.answer import Assumption
from bot.i18n import N_, Texts
from bot.telegram.markup import escape, visible
from bot.telegram.screens.estimates import estimate_blocks, worked_out
from bot.telegram.screens.view import Reader, View

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&])")
_OPENS = re.compile(r"^(\d*)([-+=.)])", re.MULTILINE)
"""What makes a line another block when it stands first: a list, a number, a rule."""


def document(screen: Document, reader: Reader) -> View:
    """One file with a line on what it is; its name is plain ASCII on every system."""
    write, caption = _FORMATS[screen.form]
    name = f"checklist-{reader.now.astimezone(reader.zone):%Y-%m-%d}.{screen.form}"
    return View(escape(reader.texts.text(caption)), document=(name, write(screen.answers, reader)))


def markdown(answers: Answers, reader: Reader) -> str:
    """Return the nine sections, the estimate and what it assumes as CommonMark; people's words are escaped, never markup."""
    texts = reader.texts
    title, unneeded = texts.text(N_("Your checklist")), texts.text(N_("Not needed for this job"))
    blocks = [f"# {_plain(title)}", _plain(texts.date(reader.now.astimezone(reader.zone)))]
    for number, section in enumerate(Section, 1):
        fields = [field for field in applicable(answers) if field.section is section]
        rows = [_row(field, answers, texts) for field in fields] or [_plain(unneeded)]
        blocks += [f"## {number}. {_plain(texts.text(SECTION_TITLES[section]))}", _items(rows)]
    return "\n\n".join([*blocks, *_estimate(answers, reader)]) + "\n"


def as_json(answers: Answers, _reader: Reader) -> str:
    """Return the stored answers with their schema's version, each with normal form, raw words and status, and the open keys."""
    stored: dict[str, Any] = {
        "version": VERSION,
        "answers": {key: answers[key].model_dump(mode="json") for key in BY_KEY if key in answers},
        "open": [field.key for field in applicable(answers) if field.key not in answers],
    }
    return json.dumps(stored, ensure_ascii=False, indent=2) + "\n"


_FORMATS: Final[dict[str, tuple[Callable[[Answers, Reader], str], str]]] = {
    "md": (markdown, N_("Your checklist as a document (Markdown).")),
    "json": (as_json, N_("The same for programs (JSON).")),
}


def _row(field: Field, answers: Answers, texts: Texts) -> str:
    answer = answers.get(field.key)
    shown = show_answer(field, answer, texts) if answer else texts.text(N_("not answered yet"))
    return f"**{_plain(texts.text(field.label))}**{texts.colon}{_plain(shown)}"


def _estimate(answers: Answers, reader: Reader) -> list[str]:
    texts = reader.texts
    request, answer = request_from(answers), worked_out(answers, reader)
    if request is None or answer is None:
        return []
    title, assumed = texts.text(N_("Estimate of the job")), texts.text(N_("Assumed"))
    job, *shown = [visible(block).splitlines() for block in estimate_blocks(request, answer, texts)]
    blocks = [f"## {_plain(title)}", *map(_plain, job)]
    blocks.append("\n".join(_nested(row) for rows in shown for row in rows))
    if answer.assumptions:
        blocks += [f"### {_plain(assumed)}", _items([_plain(_assumed(item, texts)) for item in answer.assumptions])]
    return blocks


def _assumed(item: Assumption, texts: Texts) -> str:
    return f"{word(ASSUMPTIONS, item.key, texts)}{texts.colon}{_value(item, texts)}"


def _value(item: Assumption, texts: Texts) -> str:
    """The value with its unit."""
    value = item.value
    if isinstance(value, dict):
        return f"ZeRO-{value['zero']} · TP {value['tp']} · PP {value['pp']}"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return word(VALUES, str(value), texts)
    spans = {"tolerable_loss": "minute", "failure_interval_h": "hour"}
    if item.key in spans:
        return texts.unit(round(value), spans[item.key])
    return f"{texts.number(value)} GB" if item.key == "disk_gb" else texts.number(value)


def _items(rows: list[str]) -> str:
    return "\n".join(f"- {row}" for row in rows)


def _nested(row: str) -> str:
    """A line of the estimate as an item of a list; what stands below a plan, indented, belongs to it."""
    return f"{'  ' if row.startswith('  ') else ''}- {_plain(row.strip(' •'))}"


def _plain(text: str) -> str:
    """Text as Markdown that reads as it was written; its line ends become breaks inside the paragraph."""
    rows = [row.strip() for row in visible(escape(text)).splitlines() if row.strip()]
    return "\\\n  ".join(_OPENS.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", row)) for row in rows)
