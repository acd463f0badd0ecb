"""The estimate as a table for people, in 80 columns, in both languages."""

import textwrap
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
    ranked,
    word,
)
from bot.estimation import EstimateAnswer, EstimateRequest
from bot.estimation.answer import Plan
from bot.i18n import N_, Texts

COLUMNS = 80


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
    size = f"{texts.number(answer.model.params_b)}B"
    return [f"{answer.model.name} ({size}) · {job_word(request, answer, texts)}", "─" * COLUMNS]


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
        cards = f"{plan.gpus} × {plan.gpu}" + (f" / {plan.nodes}" if plan.nodes > 1 else "")
        memory = f"{texts.number(plan.per_gpu_gib, 1)}/{texts.number(plan.capacity_gib, 0)} GiB"
        rows.append(_row(ranks, f"{cards} · {memory} · {_cost(plan, texts)}"))
        reasons = texts.phrases(word(REASONS, reason, texts) for reason in plan.reasons)
        rows += _wrapped(reasons, indent=4)
    return rows


def _cost(plan: Plan, texts: Texts) -> str:
    if plan.cost is None:
        return "–"
    low, high = texts.money(plan.cost.per_hour_low, plan.cost.currency), texts.number(plan.cost.per_hour_high)
    return f"{low}–{high}/h ({plan.cost.as_of})"


def _ladder(answer: EstimateAnswer, texts: Texts) -> list[str]:
    if answer.fits is not False:
        return []
    rows = ["", texts.text(N_("To make it fit, cheapest first"))]
    for step in answer.ladder:
        saves = f"-{texts.number(step.saves_gib, 1)} GiB"
        rows += _wrapped(
            f"{saves}  {word(LADDER_STEPS, step.step, texts)} ({word(LADDER_COSTS, step.cost, texts)})", indent=2
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
    """Wrap by columns: Chinese breaks anywhere, English between words."""
    room, rows, row = COLUMNS - indent, [], ""
    for word_ in textwrap.TextWrapper(break_on_hyphens=False)._split(text):  # noqa: SLF001 - its splitting of words is what is wanted
        for piece in word_ if width(word_) > len(word_) else (word_,):
            if width(row + piece) > room:
                rows.append(row.rstrip())
                row = piece.lstrip()
            else:
                row += piece
    return [" " * indent + text_row for text_row in [*rows, row.rstrip()] if text_row]
