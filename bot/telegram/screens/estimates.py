"""The estimate in words: memory, cards, cost, who handles it, and what was assumed."""

from datetime import date
from decimal import Decimal
from typing import Any, Final

from bot.checklist.answer import Answers
from bot.checklist.job import names_model, request_from, triage_of
from bot.checklist.words import (
    ASSUMPTIONS,
    LADDER_COSTS,
    LADDER_STEPS,
    PARTS,
    RANKS,
    REASONS,
    TRIAGE_REASONS,
    VALUES,
    job_word,
    link_name,
    model_title,
    ranked,
    word,
)
from bot.dialog.screen import EstimateChart, EstimateText, Route
from bot.errors import DeskError, UnknownNameError
from bot.estimation import EstimateAnswer, EstimateRequest, Triage, estimate, find_card
from bot.estimation.answer import Assumption, Plan
from bot.i18n import N_, NP_, Texts
from bot.telegram.markup import Html, bold, escape, italic, line, lines, paragraphs
from bot.telegram.screens.view import Reader, Tap, View

MODEL_FIRST: Final = N_(
    "Tell me the model or its size first, for example 70B; then I can estimate memory, cards and cost."
)
CANNOT: Final = N_("I cannot estimate this job by formula; a colleague will look at it. /human calls one.")
MOST_STEPS: Final = 4
SHOWN_ASSUMPTIONS: Final = (
    "method",
    "weights",
    "optimizer",
    "sequence_length",
    "context_length",
    "concurrency",
    "micro_batch",
    "gradient_checkpointing",
    "flash_attention",
    "lora_rank",
)


def worked_out(answers: Answers, reader: Reader) -> EstimateAnswer | None:
    """Return the estimate for a checklist; None where the model is open or the job cannot be estimated."""
    request = request_from(answers)
    if request is None:
        return None
    try:
        return estimate(request, reader.prices)
    except DeskError:
        return None


def estimate_text(screen: EstimateText, reader: Reader) -> View:
    """The estimate as a message."""
    request = request_from(screen.answers)
    if request is None:
        return View(escape(reader.texts.text(CANNOT if names_model(screen.answers) else MODEL_FIRST)))
    answer = worked_out(screen.answers, reader)
    if answer is None:
        return View(escape(reader.texts.text(CANNOT)))
    triage = route_text(triage_of(screen.answers, answer), reader)
    return View(paragraphs([*estimate_blocks(request, answer, reader.texts), triage, assumed(answer, reader.texts)]))


def estimate_chart(screen: EstimateChart, reader: Reader) -> View | None:
    """The estimate as a picture, drawn when it is sent; None where there is nothing to draw."""
    request = request_from(screen.answers)
    if request is None or worked_out(screen.answers, reader) is None:
        return None
    caption = reader.texts.text(N_("Memory per card, by part, against what the card has"))
    return View(
        escape(caption),
        picture={"request": request.model_dump(mode="json", exclude_none=True), "locale": reader.texts.locale},
    )


def route(screen: Route, reader: Reader) -> View:
    """Who handles the job, as soon as the answers tell, with one line of estimate."""
    answer = worked_out(screen.answers, reader)
    short = None
    if answer is not None:
        plan = _ranked(answer, "recommended")
        short = lines(
            _memory_line(answer, reader.texts),
            plan_line(word(RANKS, plan.rank, reader.texts), plan, reader.texts) if plan else None,
        )
    return View(paragraphs([route_text(triage_of(screen.answers, answer), reader), short]), _links(reader))


def route_text(triage: Triage, reader: Reader) -> Html:
    """Self-service or staff, why, and what to do there."""
    texts = reader.texts
    reasons = texts.listed(word(TRIAGE_REASONS, reason, texts) for reason in triage.reasons)
    if triage.route == "staff":
        title = texts.text(N_("Our colleagues coordinate this"))
        advice = N_("Fill in the checklist as far as you can; they then check nodes, delivery time and billing.")
    else:
        title = texts.text(N_("Self-service rental will do"))
        advice = N_(
            "Rent the smallest card that fits in the console, run a few dozen steps, measure the peak, then choose the card for"
            " the real run. Billing is by the second; destroy the instance afterwards."
        )
    return lines(line("🧭 ", bold(title), texts.colon, reasons), texts.text(advice))


def estimate_blocks(request: EstimateRequest, answer: EstimateAnswer, texts: Texts) -> list[Html]:
    """The estimate's paragraphs for people: the job, memory, plans, checkpoint, and the ladder where memory is short."""
    blocks = [
        _title(request, answer, texts),
        lines(
            _memory_line(answer, texts),
            _parts_line(answer, texts),
            _refined_line(answer, texts),
            _verdict(request, answer, texts),
        ),
    ]
    plans = [lines(plan_line(ranks, plan, texts), _reasons_line(plan, texts)) for ranks, plan in ranked(answer, texts)]
    if plans:
        blocks.append(lines(*plans))
    else:
        blocks.append(escape(texts.text(N_("No plan with cards that can be rented holds this job; ask a colleague."))))
    if answer.checkpoint:
        blocks.append(_checkpoint_line(answer.checkpoint, texts))
    if answer.fits is False and answer.ladder:
        blocks.append(_ladder(answer, texts))
    return blocks


def assumed(answer: EstimateAnswer, texts: Texts) -> Html | None:
    """What was assumed because nobody said it."""
    shown = [item for item in answer.assumptions if item.key in SHOWN_ASSUMPTIONS]
    if not shown:
        return None
    listed = texts.listed(f"{word(ASSUMPTIONS, item.key, texts)} {_value(item, texts)}" for item in shown)
    return italic(line(texts.text(N_("Assumed")), texts.colon, listed))


def plan_line(ranks: str, plan: Plan, texts: Texts) -> Html:
    """One plan: what it is best in, cards and machines, memory, links, cost."""
    machines = texts.plural(NP_("{n} machine", "{n} machines"), plan.nodes)
    memory = texts.text(
        N_("{used} of {capacity} GiB"),
        used=texts.number(plan.per_gpu_gib, 1),
        capacity=texts.number(plan.capacity_gib, 0),
    )
    details = [machines, *_links_of(plan, texts), memory, *_speed(plan, texts), *_cost(plan, texts)]
    cards = f"{plan.gpus} × {card_title(plan.gpu)}"
    return line("• ", ranks, texts.colon, bold(cards), " · ", " · ".join(details))


def card_title(key: str) -> str:
    """Return a card's full name; a key that the catalogue lost stays as it is."""
    try:
        return find_card(key).name
    except UnknownNameError:
        return key


def money_span(low: Decimal, high: Decimal, currency: str, texts: Texts) -> str:
    """Return a band of prices, or one price where both ends are the same."""
    if low == high:
        return texts.money(low, currency)
    return f"{texts.money(low, currency)}–{texts.number(high)}"


def price_date(as_of: str, texts: Texts) -> str:
    """Return the date of a price: a full date in the reader's form, a month, year or word as it is."""
    try:
        return texts.date(date.fromisoformat(as_of))
    except ValueError:
        return as_of


def _title(request: EstimateRequest, answer: EstimateAnswer, texts: Texts) -> Html:
    method = job_word(request, answer, texts)
    return line("📊 ", bold(f"{model_title(answer, texts)} · {method}"))


def _memory_line(answer: EstimateAnswer, texts: Texts) -> Html:
    memory = answer.memory
    return line(
        texts.text(N_("Memory per card")),
        texts.colon,
        bold(f"{texts.number(memory.per_gpu_gib, 1)} GiB"),
        texts.text(
            N_(" (between {low} and {high})"),
            low=texts.number(memory.low_gib, 1),
            high=texts.number(memory.high_gib, 1),
        ),
    )


def _parts_line(answer: EstimateAnswer, texts: Texts) -> Html:
    parts = answer.memory.parts.model_dump()
    shown = [f"{word(PARTS, key, texts)} {texts.number(size, 1)}" for key, size in parts.items() if size >= 0.05]  # noqa: PLR2004 - what rounds to 0.0 says nothing
    return escape(" · ".join(shown))


def _refined_line(answer: EstimateAnswer, texts: Texts) -> Html | None:
    """Which figures of the trial the estimate follows."""
    known = [word(ASSUMPTIONS, item.key, texts) for item in answer.assumptions if item.why == "from_measurement"]
    return (
        line("📏 ", texts.text(N_("Follows your trial: {measured}"), measured=texts.listed(known))) if known else None
    )


def _verdict(request: EstimateRequest, answer: EstimateAnswer, texts: Texts) -> str | None:
    if answer.fits is None or request.gpu is None:
        return None
    frame = N_("✅ {cards} can hold it.") if answer.fits else N_("❌ {cards} cannot hold it.")
    return texts.text(frame, cards=f"{request.gpus or 1} × {card_title(request.gpu)}")


def _links_of(plan: Plan, texts: Texts) -> list[str]:
    found = []
    if plan.interconnect.within and plan.gpus > plan.nodes:
        found.append(link_name(plan.interconnect.within, texts))
    if plan.interconnect.across and plan.nodes > 1:
        found.append(texts.text(N_("{link} between machines"), link=link_name(plan.interconnect.across, texts)))
    return found


def _speed(plan: Plan, texts: Texts) -> list[str]:
    if plan.hours is None:
        return []
    return [texts.text(N_("about {hours} h"), hours=texts.number(plan.hours, 1))]


def _cost(plan: Plan, texts: Texts) -> list[str]:
    cost = plan.cost
    if cost is None:
        return [texts.text(REASONS["no_price"])]
    spent = [
        texts.text(
            N_("{money} per hour"), money=money_span(cost.per_hour_low, cost.per_hour_high, cost.currency, texts)
        )
    ]
    if cost.total_low is not None and cost.total_high is not None:
        spent.append(
            texts.text(N_("{money} in all"), money=money_span(cost.total_low, cost.total_high, cost.currency, texts))
        )
    return [*spent, texts.text(N_("prices of {date}"), date=price_date(cost.as_of, texts))]


def _reasons_line(plan: Plan, texts: Texts) -> Html | None:
    known = [word(REASONS, reason, texts) for reason in plan.reasons if reason not in ("market_price", "no_price")]
    return line("   ", italic(texts.phrases(known))) if known else None


def _checkpoint_line(checkpoint: Any, texts: Texts) -> Html:
    parts = [texts.text(N_("about {size} GB each"), size=texts.number(checkpoint.size_gb, 1))]
    if checkpoint.every_minutes:
        parts.append(texts.text(N_("every {minutes} minutes"), minutes=texts.number(checkpoint.every_minutes, 0)))
    if checkpoint.keep:
        parts.append(texts.text(N_("keep the last {n}"), n=checkpoint.keep))
    return line(texts.text(N_("Checkpoints")), texts.colon, texts.listed(parts))


def _ladder(answer: EstimateAnswer, texts: Texts) -> Html:
    steps = [
        line(
            f"{number}. ",
            word(LADDER_STEPS, step.step, texts),
            texts.text(
                N_(": saves {gib} GiB; {cost}"),
                gib=texts.number(step.saves_gib, 1),
                cost=word(LADDER_COSTS, step.cost, texts),
            ),
        )
        for number, step in enumerate(answer.ladder[:MOST_STEPS], 1)
    ]
    return lines(bold(texts.text(N_("To make it fit, cheapest first"))), *steps)


def _ranked(answer: EstimateAnswer, rank: str) -> Plan | None:
    return next((plan for plan in answer.plans if plan.rank == rank), answer.plans[0] if answer.plans else None)


def _value(item: Assumption, texts: Texts) -> str:
    value = item.value
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return word(VALUES, str(value), texts)
    return texts.number(value) if isinstance(value, int | float) else str(value)


def _links(reader: Reader) -> tuple[tuple[Tap, ...], ...]:
    pages = (
        (N_("Console"), reader.settings.link_console),
        (N_("Prices and nodes"), reader.settings.link_pricing),
        (N_("Image templates"), reader.settings.link_templates),
    )
    taps = tuple(Tap(reader.texts.text(label), url=url) for label, url in pages if url)
    return (taps,) if taps else ()
