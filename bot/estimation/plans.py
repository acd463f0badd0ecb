"""Searches all cards, counts and ways to share a job for plans that fit, and picks the ones worth renting."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from .assumptions import HEADROOM
from .cards import Card, cards
from .communication import Links, exchange_seconds, links, volumes
from .job import Job
from .layout import Layout
from .memory import memory
from .parts import GIB
from .prices import Band, Prices
from .throughput import tokens_per_second

COUNTS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)

# Tokens that one optimizer step can use: more cards than these fill make batches larger than training profits from.
_STEP_TOKENS = {"pretrain": 4_000_000, "full": 500_000, "lora": 32_768, "qlora": 32_768}

# Twice the cards must bring more than this share of twice the speed, or the search stops; below the second it is said.
_HALF = 0.55
_TWO_THIRDS = 0.65
_DOUBLINGS = 6
_SLOWED = 0.5
_ROOMY = 0.5

# Plans within 5 % of the lowest price cost the same; twice the speed of a card is worth a quarter more money and half
# the
# cards a little; cards of more than
# 96 GB, and cards that fewer than three providers offer, are not common.
_SAME_PRICE = 1.05
_SPEED_WORTH = 0.3
_FEWER = 0.1
_COMMON_GIB = 96.0
_FEW_PROVIDERS = 3
_USUAL_VENDOR = "nvidia"
_WEEK_HOURS = 168.0
_MONTH_HOURS = 720.0

# A whole machine may always work on one step or one sequence.
_CARDS_A_MACHINE = 8

Rank = Literal["recommended", "cheapest", "fastest", "smallest"]


@dataclass(frozen=True, slots=True)
class Work:
    """The size of the job: tokens to process (trained or generated), or hours that are given; what lies on disk, GB.

    `billed_share` of the full on-demand price is paid for the cards.
    """

    tokens: float | None = None
    hours: float | None = None
    disk_gb: float = 100.0
    leaving_gb: float = 0.0
    billed_share: float = 1.0


@dataclass(slots=True, eq=False)
class Candidate:
    """One plan that fits: card, layout, memory needed per card (bytes), speed in all (tokens/s), hours, price band.

    `price` is what is minimised: the money for the job, or for a million tokens while its size is not known; infinite
    where
    nobody states one. `scaling` is the speed against twice that of half the cards.
    """

    card: Card
    layout: Layout
    needed_bytes: float
    tokens_per_s: float
    hours: float | None
    band: Band | None
    price: float
    scaling: float

    @property
    def nodes(self) -> int:
        """Machines that the plan needs."""
        return self.layout.nodes(self.card.cards_per_node)

    @property
    def links(self) -> Links:
        """Links that the plan uses."""
        return links(self.card, self.layout)


@dataclass(frozen=True, slots=True)
class Wish:
    """What the request fixes: a card, a count, a layout; None where the search is free."""

    card: Card | None = None
    gpus: int | None = None
    layout: Layout | None = None


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
    for relaxed in (wish, replace(wish, gpus=None, layout=None), Wish()):
        found = _candidates(job, relaxed, work, prices)
        if found:
            return _picks(job, found, wish)
    return ()


def layouts(job: Job, gpus: int, largest_tp: int = 8) -> tuple[Layout, ...]:
    """Return the ways to share `job` over `gpus` cards, the simplest first."""
    limit = _tensor_limit(job, largest_tp)
    return _layouts(trains=job.trains, full=job.full, gpus=gpus, largest_tp=limit, layers=job.model.layers)


def _tensor_limit(job: Job, largest: int) -> int:
    limit = 1
    while limit * 2 <= largest and job.model.heads % (limit * 2) == 0:
        limit *= 2
    return limit


@lru_cache(maxsize=1024)
def _layouts(*, trains: bool, full: bool, gpus: int, largest_tp: int, layers: int) -> tuple[Layout, ...]:
    if gpus == 1:
        return (Layout(),)
    tensor = [t for t in (2, 4, 8) if t <= min(gpus, largest_tp) and gpus % t == 0]
    if not trains:
        spread = [Layout(gpus, 0, t) for t in tensor]
        staged = [
            Layout(gpus, 0, tensor[-1], p) for p in (2, 4, 8) if tensor and gpus % (tensor[-1] * p) == 0 and p <= layers
        ]
        return (Layout(gpus), *spread, *staged)
    found = [Layout(gpus, 0), Layout(gpus, 3)]
    if full and gpus >= 16 and tensor:  # noqa: PLR2004 - inside two machines ZeRO-3 is simpler
        t = tensor[-1]
        found += [Layout(gpus, 1, t, p) for p in (1, 2, 4, 8, 16) if gpus % (t * p) == 0 and p <= layers]
    return tuple(found)


def _candidates(job: Job, wish: Wish, work: Work, prices: Prices) -> list[Candidate]:
    options = _options(job, wish)
    explicit = wish.gpus is not None or wish.layout is not None
    known = [card for card in ((wish.card,) if wish.card else cards()) if card.known]
    priced = [card for card in known if prices.band(card.key)]
    for rentable in (priced, known):  # what nobody puts a price on is offered only where there is nothing else
        found: list[Candidate] = []
        for card in rentable:
            found += _of_card(job, card, options, work, prices.band(card.key), explicit=explicit)
        if found:
            return found
    return []


def _options(job: Job, wish: Wish) -> list[list[tuple[Layout, float]]]:
    """Return for each count of cards the ways to share the job and the bytes that each needs, the simplest first."""
    if wish.layout is not None:
        return [[(wish.layout, memory(job, wish.layout).needed_bytes)]]
    counts = (wish.gpus,) if wish.gpus else tuple(count for count in COUNTS if _useful(job, count))
    return [[(layout, memory(job, layout).needed_bytes) for layout in layouts(job, count)] for count in counts]


def _useful(job: Job, count: int) -> bool:
    """Whether that many cards can all be given work: sequences to serve, or tokens for one step."""
    if not job.trains:
        return count <= _CARDS_A_MACHINE * max(1, job.micro_batch)
    return count * job.tokens <= max(_STEP_TOKENS[job.method], _CARDS_A_MACHINE * job.tokens)


def _of_card(
    job: Job, card: Card, options: list[list[tuple[Layout, float]]], work: Work, band: Band | None, *, explicit: bool
) -> list[Candidate]:
    found: list[Candidate] = []
    capacity = card.capacity_gib * GIB / HEADROOM
    previous = 0.0
    for ways in options:
        fitting = [way for way in ways if way[1] <= capacity and way[0].tp <= card.cards_per_node]
        if not fitting:
            continue
        layout, needed = _quickest(job, card, fitting)
        speed = tokens_per_second(job, layout, card) * layout.gpus
        scaling = speed / (2 * previous) if previous else 1.0
        if found and not explicit and (scaling < _HALF or len(found) >= _DOUBLINGS):
            break
        hours = work.tokens / speed / 3600 if work.tokens else work.hours
        price = _price(band, layout.gpus, hours or 1e6 / speed / 3600)
        found.append(Candidate(card, layout, needed, speed, hours, band, price, scaling))
        previous = speed
    return found


def _quickest(job: Job, card: Card, fitting: list[tuple[Layout, float]]) -> tuple[Layout, float]:
    """Return the quickest way to share; plain data parallelism is quickest for training wherever it fits."""
    if len(fitting) == 1 or (job.trains and fitting[0][0].zero == 0 and not fitting[0][0].sharded):
        return fitting[0]
    return max(fitting, key=lambda way: tokens_per_second(job, way[0], card))


def _price(band: Band | None, gpus: int, hours: float) -> float:
    return (float(band.low) + float(band.high)) / 2 * gpus * hours if band else math.inf


def _picks(job: Job, found: list[Candidate], wish: Wish) -> tuple[Pick, ...]:
    cheapest = _cheapest(found)
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
    a
    cluster. More cards than that only where the job would take longer than a week, or a month, without them.
    """
    kinds: tuple[Callable[[Candidate], bool], ...] = (
        lambda c: c.layout.gpus == 1 and _common(c),
        lambda c: c.nodes == 1 and _linked(c) and _common(c),
        lambda c: c.nodes == 1 and _linked(c) and c.card.vendor == _USUAL_VENDOR,
        lambda c: _linked(c) and c.card.vendor == _USUAL_VENDOR,
        _linked,
        lambda _: True,
    )
    quick: list[Candidate] = []
    for limit in (_WEEK_HOURS, _MONTH_HOURS, math.inf):
        quick = [c for c in found if c.hours is None or c.hours <= limit]
        if quick:
            break
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
    return card.memory_gib <= _COMMON_GIB and card.confidence != "low" and card.vendor == _USUAL_VENDOR and offered


def _score(candidate: Candidate) -> float:
    """Price against speed of a card, charged for weak figures, rare offers, other software, idle memory."""
    card, doubt = candidate.card, 1.0
    doubt *= 1.5 if card.confidence == "low" else 1.0
    doubt *= 1.5 if card.vendor != _USUAL_VENDOR else 1.0
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
    slowed = job.trains and layout.gpus > 1 and (hidden + exposed) > _SLOWED * step
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
        ("fp16_only", card.half != "bf16"),
        ("no_p2p", card.kind == "consumer" and layout.gpus > 1),
        ("low_confidence_card", card.confidence == "low"),
        ("no_price", candidate.band is None),
        ("staff_price", candidate.band is not None and candidate.band.basis == "staff"),
        ("market_price", candidate.band is not None and candidate.band.basis != "staff"),
        ("undated_price", candidate.band is not None and candidate.band.basis == "market_undated"),
    )
    return tuple(code for code, holds in flags if holds)
