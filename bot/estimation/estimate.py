"""The door of the estimation core: a request in, an answer out."""

from bot.errors import EstimateError

from .answer import EstimateAnswer
from .assumptions import BASE_DISK_GB, BEARABLE_MINUTES, FAILURE_HOURS, HEADROOM
from .calibration import Scale, calibrate
from .candidates import Wish, Work, layouts
from .cards import Card, find_card
from .checkpoints import CheckpointPlan, checkpoint
from .cost import billed_share
from .job import Job
from .ladder import Step, ladder
from .layout import Layout
from .memory import Memory, memory
from .parts import GIB
from .plans import Pick, search
from .prices import Prices
from .report import assumptions_of, memory_answer, model_facts, plan_answers, throughput_answer
from .request import EstimateRequest, Parallelism
from .settle import Assumed, settle
from .triage import Triage, triage
from .weights import block_weight_bytes, table_weight_bytes

# Days of use from which a steady job counts as reserving cards.
_RESERVED_DAYS = 30.0
_RESERVED_UTILIZATION = 0.5


def estimate(request: EstimateRequest, prices: Prices | None = None) -> EstimateAnswer:
    """Return the estimate for `request`; `prices` are the market's in USD unless given.

    Raises UnknownNameError for a model or card that is not known, EstimateError for what cannot be answered.
    """
    prices = prices or Prices.default()
    card = _card(request)
    job, assumed = settle(request, half=_half(card))
    layout = _layout(request, job, card, assumed)
    scale = calibrate(request, job, layout, card, assumed)
    work = _work(request, job, assumed)
    fixed = layout if request.parallelism is not None and request.gpus is not None else None
    picks = search(job, Wish(card, request.gpus, fixed, scale.memory), work, prices)
    if layout is None:
        layout = picks[0].candidate.layout if picks else Layout()
        _note_plan(request, layout, picks, assumed)
    shown = card or (picks[0].candidate.card if picks else None)
    held = memory(job, layout)
    fits = _fits(held, scale, card) if card is not None and request.gpus is not None else None
    return EstimateAnswer(
        model=model_facts(job.model),
        checkpoint=_checkpoint(request, job, layout, shown, assumed),  # before the assumptions, to which it adds
        assumptions=assumptions_of(assumed),
        memory=memory_answer(held, scale, request, card),
        fits=fits,
        throughput=throughput_answer(job, layout, shown, scale, request),
        plans=plan_answers(picks, job, request, scale, work=work, prices=prices),
        triage=_triage(request, picks),
        ladder=_ladder(job, layout, held, fits=fits, card=shown),
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
        total = max(gpus or 1, given.tp * given.pp)
        if gpus != total:
            assumed.take(None, "gpus", total, "implied_by_request")
        return Layout(total, given.zero, given.tp, given.pp, given.offload)
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


def _fits(held: Memory, scale: Scale, card: Card) -> bool:
    needed = held.needed_bytes if scale.memory == 1.0 else held.parts.total * scale.memory
    return needed <= card.capacity_gib * GIB


def _work(request: EstimateRequest, job: Job, assumed: Assumed) -> Work:
    """Return the size of the job: tokens times epochs, or samples times their length, or the hours that are given."""
    epochs = request.epochs or 1.0
    tokens = request.tokens * epochs if request.tokens else None
    if tokens is None and request.samples:
        tokens = request.samples * epochs * (job.sequence_length if job.trains else max(1, job.generate_tokens))
    weights_gb = (block_weight_bytes(job) + table_weight_bytes(job)) / 1e9
    saved = checkpoint(job, 1, None) if job.trains else None
    disk = weights_gb + (saved.size_gb * saved.keep if saved else 0.0) + BASE_DISK_GB
    hours, billed = request.hours, 1.0
    if hours is None and tokens is None and request.duration_days is not None:
        hours = request.duration_days * 24
        billed = billed_share(1.0 if request.utilization is None else request.utilization, request.load)
    if hours or tokens:
        assumed.take(None, "disk_gb", round(disk), "rule_of_thumb")
        assumed.take(None, "traffic_gb", round(saved.size_gb if saved else 0.0, 1), "rule_of_thumb")
    return Work(tokens, hours, disk, saved.size_gb if saved else 0.0, billed)


def _checkpoint(
    request: EstimateRequest, job: Job, layout: Layout, card: Card | None, assumed: Assumed
) -> CheckpointPlan | None:
    if not job.trains:
        return None
    measured = request.measured.checkpoint_write_s if request.measured else None
    if measured is not None:
        assumed.take(None, "checkpoint_write_s", measured, "from_measurement")
    saving = checkpoint(job, layout.nodes(card.cards_per_node) if card else 1, measured)
    assumed.take(None, "tolerable_loss", BEARABLE_MINUTES, "rule_of_thumb")
    assumed.take(None, "failure_interval_h", FAILURE_HOURS, "rule_of_thumb")
    return saving


def _triage(request: EstimateRequest, picks: tuple[Pick, ...]) -> Triage:
    """Return the route of what was asked for, or of the recommended plan where that needs more."""
    best = picks[0].candidate if picks else None
    gpus = max(request.gpus or 0, best.layout.gpus if best else 0) or None
    nodes = best.nodes if best else None
    steady = request.load != "bursty" and (request.utilization or 0.0) >= _RESERVED_UTILIZATION
    reserved = (request.duration_days or 0.0) >= _RESERVED_DAYS and steady
    return triage(
        gpus=gpus, nodes=nodes, region_fixed=False, reserved=reserved, batches=False, fits_somewhere=bool(picks)
    )


def _ladder(job: Job, layout: Layout, held: Memory, *, fits: bool | None, card: Card | None) -> tuple[Step, ...]:
    """Return the ladder, unless the job fits its card with headroom."""
    roomy = card is not None and held.needed_bytes * HEADROOM <= card.capacity_gib * GIB
    if fits and roomy:
        return ()
    return ladder(job, layout)
