"""The estimate as a table for people, in 80 columns, in both languages."""

import re
import unicodedata

from bot.checklist.words import (
    ASSUMPTIONS,
    LADDER_COSTS,
    LADDER_STEPS,
    PARTS,
    REASONS,
    TRIAGE_REASONS,
    VALUES,
    job_word,
    model_title,
    ranked,
    word,
)
from bot.estimation import EstimateAnswer, EstimateRequest
from bot.i18n import N_, Texts
from bot.telegram.markup import visible
from bot.telegram.screens.estimates import plan_line

COLUMNS = 80

_BREAKS = re.compile(r"[\u2e80-\uffef][，。；：、）”]*\s*|[^\s\u2e80-\uffef]+[，。；：、）”]*\s*|\s+")
"""What may stand on a line of its own: one Han character or one word, with the marks behind it."""


def estimate_table(request: EstimateRequest, answer: EstimateAnswer, texts: Texts) -> str:
    """Return the whole answer in lines of at most 80 columns; Han characters take two."""
    rows = [
        *_head(request, answer, texts),
        "",
        *_memory(answer, texts),
        "",
        *_plans(answer, texts),
        *_ladder(answer, texts),
        "",
        *_route(answer, texts),
        *_assumed(answer, texts),
    ]
    return "\n".join(rows)


def width(text: str) -> int:
    """Return the columns that a text takes in a terminal."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _head(request: EstimateRequest, answer: EstimateAnswer, texts: Texts) -> list[str]:
    size, title = f"{texts.number(answer.model.params_b)}B", model_title(answer, texts)
    shown = title if title == size else title + texts.aside(size)
    return [f"{shown} · {job_word(request, answer, texts)}", "─" * COLUMNS]


def _memory(answer: EstimateAnswer, texts: Texts) -> list[str]:
    memory = answer.memory
    rows = [
        _row(word(PARTS, key, texts), f"{texts.number(size, 1)} GiB")
        for key, size in memory.parts.model_dump().items()
        if size >= 0.05  # noqa: PLR2004 - what rounds to 0.0 says nothing
    ]
    span = f"{texts.number(memory.per_gpu_gib, 1)} GiB ({texts.number(memory.low_gib, 1)}–{texts.number(memory.high_gib, 1)})"
    rows.append(_row(texts.text(N_("Memory per card")), span))
    if answer.fits is not None:
        rows.append(_row("", texts.text(N_("fits") if answer.fits else N_("does not fit"))))
    return rows


def _plans(answer: EstimateAnswer, texts: Texts) -> list[str]:
    rows = []
    for ranks, plan in ranked(answer, texts):
        rows += _wrapped(visible(plan_line(ranks, plan, texts)).removeprefix("• "), indent=0)
        rows += _wrapped(texts.phrases(word(REASONS, reason, texts) for reason in plan.reasons), indent=4)
    return rows


def _ladder(answer: EstimateAnswer, texts: Texts) -> list[str]:
    if answer.fits is not False:
        return []
    rows = ["", texts.text(N_("To make it fit, cheapest first"))]
    for step in answer.ladder:
        saves = f"-{texts.number(step.saves_gib, 1)} GiB"
        rows += _wrapped(
            f"{saves}  {word(LADDER_STEPS, step.step, texts)}{texts.aside(word(LADDER_COSTS, step.cost, texts))}",
            indent=2,
        )
    return rows


def _route(answer: EstimateAnswer, texts: Texts) -> list[str]:
    staff = answer.triage.route == "staff"
    title = texts.text(N_("Our colleagues coordinate this") if staff else N_("Self-service rental will do"))
    reasons = texts.listed(word(TRIAGE_REASONS, reason, texts) for reason in answer.triage.reasons)
    return _wrapped(f"{title}{texts.colon}{reasons}", indent=0)


def _assumed(answer: EstimateAnswer, texts: Texts) -> list[str]:
    listed = texts.listed(
        f"{word(ASSUMPTIONS, item.key, texts)} {word(VALUES, str(item.value), texts)}"
        for item in answer.assumptions
        if isinstance(item.value, str | int | float | bool)
    )
    title = texts.text(N_("Assumed"))
    return _wrapped(f"{title}{texts.colon}{listed}", indent=0) if listed else []


def _row(label: str, value: str) -> str:
    return label + " " * max(1, 24 - width(label)) + value


def _wrapped(text: str, *, indent: int) -> list[str]:
    """Wrap by columns: Chinese breaks anywhere but before a full-width mark, English between words."""
    room, rows, row = COLUMNS - indent, [], ""
    for piece in _BREAKS.findall(text):
        if width(row + piece.rstrip()) > room:
            rows.append(row.rstrip())
            row = piece.lstrip()
        else:
            row += piece
    return [" " * indent + text_row for text_row in [*rows, row.rstrip()] if text_row]
