"""Advice beside the questions: one line of estimate, and answers that do not go together."""

from bot.checklist.answer import Answers
from bot.checklist.words import CONTRADICTIONS, word
from bot.i18n import N_, Texts
from bot.telegram.markup import Html, italic, line, lines
from bot.telegram.screens.estimates import card_title, money_span, worked_out
from bot.telegram.screens.view import Reader


def estimate_line(answers: Answers, reader: Reader) -> Html | None:
    """Return memory, the recommended cards and their cost per hour in one line; None while the model or the purpose is open."""
    if not answers.code("workload"):
        return None
    answer = worked_out(answers, reader)
    if answer is None:
        return None
    texts = reader.texts
    plan = next((plan for plan in answer.plans if plan.rank == "recommended"), None)
    memory = texts.text(N_("{gib} GiB per card"), gib=texts.number(answer.memory.per_gpu_gib, 0))
    parts = [memory]
    if plan is not None:
        parts = [f"{plan.gpus} × {card_title(plan.gpu)}", memory]
        if plan.cost is not None:
            money = money_span(plan.cost.per_hour_low, plan.cost.per_hour_high, plan.cost.currency, texts)
            parts.append(texts.text(N_("{money} per hour"), money=money))
    return italic(line("💡 ", texts.text(N_("Estimate so far")), texts.colon, " · ".join(parts)))


def warning_lines(codes: tuple[str, ...], texts: Texts) -> Html | None:
    """Return what does not go together, a line each."""
    return lines(*(line("⚠ ", word(CONTRADICTIONS, code, texts)) for code in codes)) if codes else None
