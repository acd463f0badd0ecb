"""Picks the plans worth renting out of all that fit, with the reasons for and against each."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from .candidates import Candidate, Wish, Work, candidates
from .communication import exchange_seconds, volumes
from .job import Job
from .parts import GIB
from .prices import Prices

# Said when twice the cards bring less than this share of twice the speed; when links keep a card waiting, either
# because what could be hidden takes longer than computing or because a fifth of the step cannot be hidden; when half
# the memory stays free.
_TWO_THIRDS = 0.65
_SLOWED = 0.91
_WAITING = 0.2
_ROOMY = 0.5

# Plans within 5 % of the lowest price cost the same; twice the speed of a card is worth a quarter more money, half the
# cards a little; cards of more than 96 GB, and cards that fewer than three providers offer, are not common.
_SAME_PRICE = 1.05
_SPEED_WORTH = 0.3
_FEWER = 0.1
_COMMON_GIB = 96.0
_FEW_PROVIDERS = 3
_WEEK_HOURS = 168.0
_MONTH_HOURS = 720.0

Rank = Literal["recommended", "cheapest", "fastest", "smallest"]


@dataclass(frozen=True, slots=True)
class Pick:
    """A candidate with its rank and reasons (of REASONS)."""

    rank: Rank
    candidate: Candidate
    reasons: tuple[str, ...]


def search(job: Job, wish: Wish, work: Work, prices: Prices) -> tuple[Pick, ...]:
    """Return the recommended, cheapest, fastest and smallest plan that fits with headroom; empty when nothing does.

    What the wish fixes is kept while anything fits it; then the count is set free, then the card.
    """
    found = candidates(job, wish, work, prices)
    if not found and (wish.gpus or wish.layout):
        found = candidates(job, replace(wish, gpus=None, layout=None), work, prices)
    if not found and wish.card:
        found = candidates(job, Wish(memory_scale=wish.memory_scale), work, prices)
    return _picks(job, found, wish) if found else ()


def _picks(job: Job, found: list[Candidate], wish: Wish) -> tuple[Pick, ...]:
    cheapest = _cheapest(found)
    if len(found) == 1:
        flags = _flags(job, cheapest, wish)
        price = "cheapest_total" if cheapest.hours else "cheapest_per_token"
        firsts: dict[Rank, str] = {
            "recommended": "balanced",
            "cheapest": price,
            "fastest": "fastest",
            "smallest": "smallest",
        }
        return tuple(Pick(rank, cheapest, (first, *flags)) for rank, first in firsts.items())
    chosen: tuple[tuple[Rank, Candidate, str], ...] = (
        ("recommended", _recommended(found), "balanced"),
        ("cheapest", cheapest, "cheapest_total" if cheapest.hours else "cheapest_per_token"),
        ("fastest", max(found, key=lambda c: (c.tokens_per_s, -c.price)), "fastest"),
        ("smallest", min(found, key=lambda c: (c.layout.gpus, c.card.capacity_gib, c.price)), "smallest"),
    )
    why = {id(c): _flags(job, c, wish) for c in {id(c): c for _, c, _ in chosen}.values()}
    return tuple(Pick(rank, candidate, (first, *why[id(candidate)])) for rank, candidate, first in chosen)


def _cheapest(found: list[Candidate]) -> Candidate:
    """Return the plan of the lowest price; of plans that cost almost the same, the one with the fewest cards."""
    lowest = min(c.price for c in found)
    return min((c for c in found if c.price <= lowest * _SAME_PRICE), key=lambda c: (c.layout.gpus, c.price))


def _recommended(found: list[Candidate]) -> Candidate:
    """Return the plan of the lowest price against the speed of its cards, among the soundest kind that is to be had.

    One common card before several; where cards must share to fit, machines with NVLink before PCIe; one machine before
    a cluster. More cards than that only where the job would take longer than a week, or a month, or twice the least
    time.
    """
    kinds: tuple[Callable[[Candidate], bool], ...] = (
        lambda c: c.layout.gpus == 1 and _common(c),
        lambda c: c.nodes == 1 and _linked(c) and _common(c),
        lambda c: c.nodes == 1 and _linked(c),
        _linked,
        lambda _: True,
    )
    quickest = min(c.hours or 0.0 for c in found)
    limit = next((hours for hours in (_WEEK_HOURS, _MONTH_HOURS) if quickest <= hours), 2 * quickest)
    quick = [c for c in found if (c.hours or 0.0) <= limit]
    for kind in kinds:
        sound = [c for c in quick if kind(c)]
        if sound:
            return min(sound, key=_score)
    raise AssertionError("the last kind takes every candidate")


def _linked(candidate: Candidate) -> bool:
    """Whether the links carry what the plan exchanges: all of a machine by NVLink where cards cannot work alone."""
    return not candidate.layout.sharded or candidate.card.switched


def _common(candidate: Candidate) -> bool:
    """Whether a card is of the common sort: up to 96 GB, with firm figures, and offered by several providers."""
    card, band = candidate.card, candidate.band
    offered = band is None or band.providers >= _FEW_PROVIDERS
    return card.memory_gib <= _COMMON_GIB and card.confidence != "low" and offered


def _score(candidate: Candidate) -> float:
    """Price against speed of a card, charged for weak figures, rare offers, idle memory."""
    card, doubt = candidate.card, 1.0
    doubt *= 1.5 if card.confidence == "low" else 1.0
    doubt *= 1.3 if (candidate.band.providers if candidate.band else 0) < _FEW_PROVIDERS else 1.0
    doubt *= 1.3 if candidate.needed_bytes / GIB < card.capacity_gib / 2 else 1.0
    gpus = candidate.layout.gpus
    return (
        min(candidate.price, 1e15)
        * doubt
        * math.pow(gpus, _FEWER)
        / math.pow(candidate.tokens_per_s / gpus, _SPEED_WORTH)
    )


def _flags(job: Job, candidate: Candidate, wish: Wish) -> tuple[str, ...]:
    """Return why a plan is as it is, and what speaks against it (codes of REASONS)."""
    layout, card = candidate.layout, candidate.card
    sent = volumes(job, layout)
    hidden, exposed = exchange_seconds(sent.overlapped, sent.exposed, layout, card)
    step = job.tokens / (candidate.tokens_per_s / layout.gpus * layout.tp * layout.pp) if job.trains else 0.0
    slowed = job.trains and layout.gpus > 1 and (hidden > _SLOWED * step or exposed > _WAITING * step)
    free = 1 - candidate.needed_bytes / GIB / card.capacity_gib
    flags = (
        ("requested_card", wish.card is not None and wish.card.key == card.key),
        ("requested_count", wish.gpus is not None and wish.gpus == layout.gpus),
        ("fits_one_card", layout.gpus == 1),
        ("fits_one_node", layout.gpus > 1 and candidate.nodes == 1),
        ("data_parallel_enough", job.trains and layout.gpus > 1 and layout.zero == 0 and not layout.sharded),
        ("replicas_independent", not job.trains and layout.dp > 1),
        ("sharded_states", layout.zero > 0),
        ("tensor_parallel_in_node", layout.tp > 1),
        ("pipeline_across_nodes", layout.pp > 1 and candidate.nodes > 1),
        ("nvlink_needed", layout.sharded and layout.gpus > 1 and card.switched),
        ("pcie_bottleneck", (slowed or layout.sharded) and candidate.links.within == "pcie"),
        ("network_bottleneck", slowed and candidate.links.across is not None),
        ("low_scaling", candidate.scaling < _TWO_THIRDS),
        ("offload_slow", layout.offload),
        ("large_headroom", free > _ROOMY),
        *_card_flags(candidate),
    )
    return tuple(code for code, holds in flags if holds)


def _card_flags(candidate: Candidate) -> tuple[tuple[str, bool], ...]:
    """Return what there is to say of the card and its price, and whether it holds."""
    card, band = candidate.card, candidate.band
    return (
        ("fp16_only", card.half != "bf16"),
        ("no_p2p", card.kind == "consumer" and candidate.layout.gpus > 1),
        ("other_software", not card.usual),
        ("low_confidence_card", card.confidence == "low"),
        ("no_price", band is None),
        ("staff_price", band is not None and band.basis == "staff"),
        ("market_price", band is not None and band.basis != "staff"),
        ("undated_price", band is not None and band.basis == "market_undated"),
    )
