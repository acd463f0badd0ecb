"""Turns results into the values of an answer: memory, speed, plans and the model's facts."""

from dataclasses import replace
from functools import lru_cache

from .answer import Assumption, Interconnect, MemoryAnswer, ModelFacts, Parts, Plan, PlanParallelism, Throughput
from .assumptions import FULLEST_SHARE, HEADROOM
from .calibration import Scale
from .candidates import Work
from .cards import Card
from .communication import links
from .cost import cost, reservation
from .job import Job
from .layout import Layout
from .memory import Memory, memory
from .models import Model
from .parts import GIB, Bytes
from .plans import Pick
from .prices import Prices
from .request import EstimateRequest
from .settle import Assumed
from .throughput import tokens_per_second


def memory_answer(held: Memory, scale: Scale, request: EstimateRequest, card: Card | None) -> MemoryAnswer:
    """Return the memory of the fullest card, scaled to a measured peak where there is one, and its range."""
    factor = scale.memory / GIB
    held = _within_card(held, card)
    scaled = [value * factor for value in held.parts]
    parts = Parts(**Bytes(*scaled)._asdict())
    measured = request.measured is not None and request.measured.peak_gib is not None
    total = sum(scaled)
    low, high = (total * 0.97, total * 1.05) if measured else (held.low_bytes / GIB, held.high_bytes / GIB)
    return MemoryAnswer(per_gpu_gib=total, low_gib=low, high_gib=high, parts=parts)


def assumptions_of(assumed: Assumed) -> tuple[Assumption, ...]:
    """Return what was assumed, in the order of deciding; the same few come again and again, and are made once."""
    return tuple(
        Assumption(key=key, value=value, why=why) if isinstance(value, dict) else _assumption(key, value, why)
        for key, value, why in assumed.items
    )


@lru_cache(maxsize=4096, typed=True)
def _assumption(key: str, value: str | float, why: str) -> Assumption:
    return Assumption(key=key, value=value, why=why)


def throughput_answer(
    job: Job, layout: Layout, card: Card | None, scale: Scale, request: EstimateRequest
) -> Throughput | None:
    """Return tokens per second and card with their range, None while no card is known."""
    if card is None:
        return None
    speed = tokens_per_second(job, layout, card) * scale.speed
    measured = request.measured is not None and request.measured.tokens_per_s is not None
    width = 0.05 if measured else _speed_spread(job, layout, card)
    return Throughput(tokens_per_s_per_gpu=speed, low=speed * (1 - width), high=speed * (1 + width))


def plan_answers(
    picks: tuple[Pick, ...], job: Job, request: EstimateRequest, scale: Scale, *, work: Work, prices: Prices
) -> tuple[Plan, ...]:
    """Return the plans of `picks`; where one candidate has several ranks, its plan is made once."""
    made: dict[int, Plan] = {}
    plans = []
    for pick in picks:
        known = made.get(id(pick.candidate))
        if known is None:
            plan = made[id(pick.candidate)] = _plan(pick, job, request, scale, work=work, prices=prices)
        else:
            plan = _ranked(known, pick)
        plans.append(plan)
    return tuple(plans)


def _ranked(plan: Plan, pick: Pick) -> Plan:
    """Return the same plan under another rank; spelled out, since `replace` takes three times as long."""
    return Plan(
        gpu=plan.gpu, gpus=plan.gpus, nodes=plan.nodes, parallelism=plan.parallelism, per_gpu_gib=plan.per_gpu_gib,
        capacity_gib=plan.capacity_gib, interconnect=plan.interconnect, hours=plan.hours, cost=plan.cost,
        rank=pick.rank, reasons=pick.reasons,
    )  # fmt: skip


def _plan(pick: Pick, job: Job, request: EstimateRequest, scale: Scale, *, work: Work, prices: Prices) -> Plan:
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
        per_gpu_gib=min(memory(job, layout).per_gpu_gib * scale.memory, card.capacity_gib / HEADROOM),
        capacity_gib=card.capacity_gib,
        interconnect=Interconnect(within=used.within, across=used.across),
        hours=hours,
        cost=money,
        rank=pick.rank,
        reasons=tuple(codes),
    )  # fmt: skip


def _speed_spread(job: Job, layout: Layout, card: Card) -> float:
    """Return how far speeds may lie from the estimate, nine times of ten.

    Runs of the stacks that the ceilings come from lie within 16 %, runs of others, and of other cards, within 29 %.
    """
    used = links(card, layout)
    width = 0.29
    width += 0.15 if used.within == "pcie" or used.across else 0.0
    width += 0.15 if job.model.experts else 0.0
    width += 0.15 if card.confidence == "low" or card.vendor != "nvidia" else 0.0
    return width


@lru_cache(maxsize=1024)
def model_facts(model: Model) -> ModelFacts:
    """Return what was understood of the model."""
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
