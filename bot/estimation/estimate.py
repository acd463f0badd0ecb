"""The door of the estimation core: a request in, an answer out."""

from dataclasses import dataclass, replace
from functools import lru_cache

from bot.errors import EstimateError

from .answer import (
    Assumption,
    Checkpoint,
    EstimateAnswer,
    Interconnect,
    LadderStep,
    MemoryAnswer,
    ModelFacts,
    Parts,
    Plan,
    PlanCost,
    PlanParallelism,
    Throughput,
    TriageAnswer,
)  # fmt: skip
from .assumptions import BASE_DISK_GB, BEARABLE_MINUTES, FAILURE_HOURS, FULLEST_SHARE, HEADROOM
from .cards import Card, find_card
from .checkpoints import CheckpointPlan, checkpoint
from .cost import billed_share, cost, reservation
from .job import Assumed, Job, settle
from .ladder import ladder
from .layout import Layout
from .memory import Memory, memory
from .models import Model
from .parts import GIB
from .plans import Pick, Wish, Work, layouts, search
from .prices import Prices
from .request import EstimateRequest, Parallelism
from .throughput import tokens_per_second
from .triage import triage
from .weights import block_weight_bytes, table_weight_bytes

# Days of use from which a steady job counts as reserving cards.
_RESERVED_DAYS = 30.0
_RESERVED_UTILIZATION = 0.5


@dataclass(frozen=True, slots=True)
class _Scale:
    """Factors that a trial's measurements put on memory and speed; 1 without a measurement."""

    memory: float = 1.0
    speed: float = 1.0


def estimate(request: EstimateRequest, prices: Prices | None = None) -> EstimateAnswer:
    """Return the estimate for `request`; `prices` are the market's in USD unless given.

    Raises UnknownNameError for a model or card that is not known, EstimateError for what cannot be answered, such as a
    card
    without published figures.
    """
    prices = prices or Prices.default()
    card = _card(request)
    job, assumed = settle(request, half=_half(card))
    layout = _layout(request, job, card, assumed)
    scale = _scale(request, job, layout, card, assumed)
    work = _work(request, job)
    if work.hours or work.tokens:
        assumed.take(None, "disk_gb", round(work.disk_gb), "rule_of_thumb")
    wish = Wish(card, request.gpus, layout if request.parallelism is not None and request.gpus is not None else None)
    picks = search(job, wish, work, prices)
    if layout is None:
        layout = picks[0].candidate.layout if picks else Layout()
        _note_plan(request, layout, picks, assumed)
    shown = card or (picks[0].candidate.card if picks else None)
    held = memory(job, layout)
    fits = _fits(held, scale, card) if card is not None and request.gpus is not None else None
    saving = _checkpoint(request, job, layout, shown, assumed)
    return EstimateAnswer(
        model=_facts(job.model),
        assumptions=tuple(Assumption(key=key, value=value, why=why) for key, value, why in assumed.items),
        memory=_memory(held, scale, request, card),
        fits=fits,
        throughput=_throughput(job, layout, shown, scale, request),
        plans=_plans(picks, job, request, scale, work=work, prices=prices),
        triage=_triage(request, picks),
        checkpoint=saving,
        ladder=_ladder(
            job, layout, fits=fits, roomy=shown is not None and held.needed_bytes * HEADROOM <= shown.capacity_gib * GIB
        ),
    )


def _half(card: Card | None) -> str:
    return "fp16" if card is not None and card.half != "bf16" else "bf16"


def _note_plan(request: EstimateRequest, layout: Layout, picks: tuple[Pick, ...], assumed: Assumed) -> None:
    """Note what was taken from the recommended plan because the request left it open."""
    why = "from_recommended_plan"
    assumed.take(None, "parallelism", _parallelism(layout).model_dump(), why)
    if picks:
        card = picks[0].candidate.card
        assumed.take(request.gpu, "gpu", card.key, why)
        assumed.take(request.gpus, "gpus", layout.gpus, why)
        if layout.nodes(card.cards_per_node) > 1:
            assumed.take(None, "network", picks[0].candidate.links.across, "usual_for_card")


def _card(request: EstimateRequest) -> Card | None:
    if request.gpu is None:
        return None
    card = find_card(request.gpu)
    if not card.known:
        raise EstimateError(f"no reliable figures are published for {card.name}; a person must answer this")
    return card


def _layout(request: EstimateRequest, job: Job, card: Card | None, assumed: Assumed) -> Layout | None:
    """Return the layout that was asked for; with a count but no sharing, the simplest that fits the card."""
    given, gpus = request.parallelism, request.gpus
    if given is not None:
        total = gpus or given.tp * given.pp
        if gpus is None:
            assumed.take(None, "gpus", total, "implied_by_request")
        return Layout(max(total, given.tp * given.pp), given.zero, given.tp, given.pp, given.offload)
    if gpus is None:
        return None
    if gpus == 1:
        return Layout()
    options = layouts(job, gpus)
    fitting = [o for o in options if card is None or memory(job, o).needed_bytes <= card.capacity_gib * GIB]
    chosen = fitting[0] if fitting else min(options, key=lambda o: memory(job, o).needed_bytes)
    assumed.take(None, "parallelism", _parallelism(chosen).model_dump(), "needed_to_fit")
    return chosen


def _parallelism(layout: Layout) -> Parallelism:
    return Parallelism(zero=layout.zero, tp=layout.tp, pp=layout.pp, offload=layout.offload)


def _scale(request: EstimateRequest, job: Job, layout: Layout | None, card: Card | None, assumed: Assumed) -> _Scale:
    """Return the factors from a trial of this very job, and note them."""
    measured = request.measured
    if measured is None:
        return _Scale()
    at = layout or Layout()
    factor = speed = 1.0
    if measured.peak_gib is not None:
        factor = measured.peak_gib / memory(job, at).per_gpu_gib
        assumed.take(None, "peak_gib", measured.peak_gib, "from_measurement")
    if measured.tokens_per_s is not None and card is not None:
        speed = measured.tokens_per_s / tokens_per_second(job, at, card)
        assumed.take(None, "tokens_per_s", measured.tokens_per_s, "from_measurement")
    return _Scale(factor, speed)


def _fits(held: Memory, scale: _Scale, card: Card) -> bool:
    needed = held.needed_bytes if scale.memory == 1.0 else held.parts.total * scale.memory
    return needed <= card.capacity_gib * GIB


def _within_card(held: Memory, card: Card | None) -> Memory:
    """Return `held` with no more cache than the card has room for: the allocator gives it back before it fails."""
    room = card.capacity_gib * GIB * FULLEST_SHARE if card else held.parts.total
    excess = min(held.parts.total - room, held.parts.overhead)
    if excess <= 0 or held.needed_bytes > room:
        return held
    parts = held.parts._replace(overhead=held.parts.overhead - excess)
    return replace(
        held, parts=parts, low_bytes=min(held.low_bytes, parts.total * 0.95), high_bytes=room / FULLEST_SHARE
    )


def _memory(held: Memory, scale: _Scale, request: EstimateRequest, card: Card | None) -> MemoryAnswer:
    factor = scale.memory / GIB
    held = _within_card(held, card)
    parts = Parts(**{name: value * factor for name, value in held.parts._asdict().items()})
    measured = request.measured is not None and request.measured.peak_gib is not None
    total = sum(parts.model_dump().values())
    low, high = (total * 0.97, total * 1.05) if measured else (held.low_bytes / GIB, held.high_bytes / GIB)
    return MemoryAnswer(per_gpu_gib=total, low_gib=low, high_gib=high, parts=parts)


def _throughput(
    job: Job, layout: Layout, card: Card | None, scale: _Scale, request: EstimateRequest
) -> Throughput | None:
    if card is None:
        return None
    speed = tokens_per_second(job, layout, card) * scale.speed
    width = 0.05 if request.measured is not None and request.measured.tokens_per_s is not None else 0.35
    return Throughput(tokens_per_s_per_gpu=speed, low=speed * (1 - width), high=speed * (1 + width))


def _work(request: EstimateRequest, job: Job) -> Work:
    """Return the size of the job: tokens times epochs, or samples times their length, or the hours that are given."""
    epochs = request.epochs or 1.0
    tokens = request.tokens * epochs if request.tokens else None
    if tokens is None and request.samples:
        tokens = request.samples * epochs * (job.sequence_length if job.trains else max(1, job.generate_tokens))
    weights_gb = (block_weight_bytes(job) + table_weight_bytes(job)) / 1e9
    saved = checkpoint(job, 1) if job.trains else None
    disk = weights_gb + (saved.size_gb * saved.keep if saved else 0.0) + BASE_DISK_GB
    hours, billed = request.hours, 1.0
    if hours is None and tokens is None and request.duration_days is not None:
        hours = request.duration_days * 24
        billed = billed_share(1.0 if request.utilization is None else request.utilization, request.load)
    return Work(tokens, hours, disk, saved.size_gb if saved else 0.0, billed)


def _checkpoint(
    request: EstimateRequest, job: Job, layout: Layout, card: Card | None, assumed: Assumed
) -> Checkpoint | None:
    if not job.trains:
        return None
    measured = request.measured.checkpoint_write_s if request.measured else None
    if measured is not None:
        assumed.take(None, "checkpoint_write_s", measured, "from_measurement")
    saving: CheckpointPlan = checkpoint(job, layout.nodes(card.cards_per_node) if card else 1, measured)
    assumed.take(None, "tolerable_loss", BEARABLE_MINUTES, "rule_of_thumb")
    assumed.take(None, "failure_interval_h", FAILURE_HOURS, "rule_of_thumb")
    return Checkpoint(
        size_gb=saving.size_gb, write_s=saving.write_s, every_minutes=saving.every_minutes, keep=saving.keep
    )


def _plans(
    picks: tuple[Pick, ...], job: Job, request: EstimateRequest, scale: _Scale, *, work: Work, prices: Prices
) -> tuple[Plan, ...]:
    """Return the plans of `picks`; where one candidate has several ranks, its plan is made once."""
    made: dict[int, Plan] = {}
    plans = []
    for pick in picks:
        known = made.get(id(pick.candidate))
        if known is None:
            plan = made[id(pick.candidate)] = _plan(pick, job, request, scale, work=work, prices=prices)
        else:
            plan = known.model_copy(update={"rank": pick.rank, "reasons": pick.reasons})
        plans.append(plan)
    return tuple(plans)


def _plan(pick: Pick, job: Job, request: EstimateRequest, scale: _Scale, *, work: Work, prices: Prices) -> Plan:
    candidate = pick.candidate
    layout, card, used = candidate.layout, candidate.card, candidate.links
    codes = list(pick.reasons)
    if pick.rank == "recommended" and request.utilization is not None:
        codes.append(reservation(request.utilization, request.load))
    elif pick.rank == "recommended" and request.load == "bursty":
        codes.append(reservation(0.5, request.load))
    hours = candidate.hours / scale.speed if candidate.hours and request.hours is None else candidate.hours
    money = None
    if candidate.band:
        sides = {"disk_gb": work.disk_gb, "leaving_gb": work.leaving_gb, "billed_share": work.billed_share}
        money = cost(candidate.band, prices, layout.gpus, hours, **sides)
    return Plan(
        gpu=card.key,
        gpus=layout.gpus,
        nodes=candidate.nodes,
        parallelism=PlanParallelism(zero=layout.zero, tp=layout.tp, pp=layout.pp, dp=layout.dp, offload=layout.offload),
        per_gpu_gib=memory(job, layout).per_gpu_gib * scale.memory,
        capacity_gib=card.capacity_gib,
        interconnect=Interconnect(within=used.within, across=used.across),
        hours=hours,
        cost=PlanCost(
            currency=money.currency, per_hour_low=money.per_hour_low, per_hour_high=money.per_hour_high,
            total_low=money.total_low,
            total_high=money.total_high, as_of=money.as_of, basis=money.basis,
        ) if money else None,
        rank=pick.rank,
        reasons=tuple(codes),
    )  # fmt: skip


def _triage(request: EstimateRequest, picks: tuple[Pick, ...]) -> TriageAnswer:
    best = picks[0].candidate if picks else None
    gpus = request.gpus or (best.layout.gpus if best else None)
    nodes = best.nodes if best and best.layout.gpus == gpus else None
    steady = request.load != "bursty" and (request.utilization or 0.0) >= _RESERVED_UTILIZATION
    reserved = (request.duration_days or 0.0) >= _RESERVED_DAYS and steady
    found = triage(gpus=gpus, nodes=nodes, region_fixed=False, reserved=reserved, batches=False)
    return TriageAnswer(route=found.route, reasons=found.reasons)


def _ladder(job: Job, layout: Layout, *, fits: bool | None, roomy: bool) -> tuple[LadderStep, ...]:
    if fits and roomy:
        return ()
    return tuple(LadderStep(step=s.step, saves_gib=s.saves_gib, cost=s.cost) for s in ladder(job, layout))


@lru_cache(maxsize=1024)
def _facts(model: Model) -> ModelFacts:
    return ModelFacts(
        name=model.key,
        params_b=model.params_b,
        active_params_b=model.active_params_b,
        layers=model.layers,
        hidden=model.hidden,
        heads=model.heads,
        kv_heads=model.kv_heads,
        vocab=model.vocab,
        typical=model.typical,
        note=model.note or None,
    )
