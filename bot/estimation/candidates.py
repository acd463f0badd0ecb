"""Searches all cards, counts and ways to share a job for what fits with headroom."""

import math
from dataclasses import dataclass
from functools import lru_cache

from .assumptions import HEADROOM
from .cards import Card, cards
from .communication import Links, links
from .demand import Demand, ServingDemand, demand, serving_demand
from .job import Job
from .layout import Layout
from .memory import memory
from .parts import GIB
from .prices import Band, Prices
from .throughput import serving_speed, training_speed

COUNTS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)

# Tokens that one optimizer step can use: more cards than these fill make batches larger than training profits from.
_STEP_TOKENS = {"pretrain": 4_000_000, "full": 500_000, "lora": 32_768, "qlora": 32_768}

# Twice the cards must bring more than this share of twice the speed, or the search stops; so it does after five
# doublings.
_HALF = 0.55
_DOUBLINGS = 6

# A pipeline stage of fewer blocks waits more than it works.
_STAGE_BLOCKS = 8

# A whole machine may always work on one step or one sequence.
_CARDS_A_MACHINE = 8


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
    where nobody states one. `scaling` is the speed against twice that of half the cards.
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
    """What the request fixes: a card, a count, a layout; None where the search is free.

    `memory_scale` is a trial's measured memory against the estimated one.
    """

    card: Card | None = None
    gpus: int | None = None
    layout: Layout | None = None
    memory_scale: float = 1.0


def candidates(job: Job, wish: Wish, work: Work, prices: Prices) -> list[Candidate]:
    """Return what fits the job with headroom within the wish.

    Cards without a price come only where there are no others, cards of another software only where they were asked for.
    """
    options = _options(job, wish)
    headroom = HEADROOM * wish.memory_scale
    explicit = wish.gpus is not None or wish.layout is not None
    known = [wish.card] if wish.card else [card for card in cards() if card.known and card.usual]
    priced = [card for card in known if prices.band(card.key)]
    for rentable in (priced, known):  # what nobody puts a price on is offered only where there is nothing else
        found: list[Candidate] = []
        for card in rentable:
            found += _of_card(job, card, options, work, prices.band(card.key), explicit=explicit, headroom=headroom)
        if found:
            return found
    return []


def layouts(job: Job, gpus: int, largest_tp: int = 8) -> tuple[Layout, ...]:
    """Return the ways to share `job` over `gpus` cards, the simplest first."""
    limit = _tensor_limit(job, largest_tp)
    mixes = job.full and job.engine.sequence_parallel
    return _layouts(trains=job.trains, mixes=mixes, gpus=gpus, largest_tp=limit, layers=job.model.layers)


def _tensor_limit(job: Job, largest: int) -> int:
    limit = 1
    while limit * 2 <= largest and job.model.heads % (limit * 2) == 0:
        limit *= 2
    return limit


@lru_cache(maxsize=1024)
def _layouts(*, trains: bool, mixes: bool, gpus: int, largest_tp: int, layers: int) -> tuple[Layout, ...]:
    if gpus == 1:
        return (Layout(),)
    tensor = [t for t in (2, 4, 8) if t <= min(gpus, largest_tp) and gpus % t == 0]
    if not trains:
        spread = [Layout(gpus, 0, t) for t in tensor]
        staged = [
            Layout(gpus, 0, tensor[-1], p) for p in (2, 4, 8) if tensor and gpus % (tensor[-1] * p) == 0 and p <= layers
        ]
        in_turn = [Layout(gpus, 0, 1, gpus)] if gpus <= min(layers, _CARDS_A_MACHINE) else []
        return (Layout(gpus), *spread, *staged, *in_turn)
    found = [Layout(gpus, 0), Layout(gpus, 3)]
    if mixes and gpus >= 16 and tensor:  # noqa: PLR2004 - inside two machines ZeRO-3 is simpler
        t = tensor[-1]
        stages = [p for p in (1, 2, 4, 8, 16) if p == 1 or p * _STAGE_BLOCKS <= layers]
        found += [Layout(gpus, 1, t, p) for p in stages if gpus % (t * p) == 0]
    return tuple(found)


@dataclass(frozen=True, slots=True, eq=False)
class _Way:
    """One way to share the job, whatever the card: the layout, bytes that a card needs, what is asked of it."""

    layout: Layout
    needed_bytes: float
    asked: Demand | ServingDemand


def _options(job: Job, wish: Wish) -> list[list[_Way]]:
    """Return for each count of cards the ways to share the job, the simplest first."""
    if wish.layout is not None:
        return [[_way(job, wish.layout)]]
    counts = (wish.gpus,) if wish.gpus else tuple(count for count in COUNTS if _useful(job, count))
    return [[_way(job, layout) for layout in layouts(job, count)] for count in counts]


def _way(job: Job, layout: Layout) -> _Way:
    """Return the way with what it needs: no less than the figure shown, but for cache that is given back when needed."""
    asked = demand(job, layout) if job.trains else serving_demand(job, layout)
    held = memory(job, layout)
    shown = 0.0 if job.engine.variable_lengths else held.parts.total
    return _Way(layout, max(held.needed_bytes, shown), asked)


def _useful(job: Job, count: int) -> bool:
    """Whether that many cards can all be given work: sequences to serve, or tokens for one step."""
    if not job.trains:
        return count <= _CARDS_A_MACHINE * max(1, job.micro_batch)
    return count * job.tokens <= max(_STEP_TOKENS[job.method], _CARDS_A_MACHINE * job.tokens)


def _of_card(
    job: Job, card: Card, options: list[list[_Way]], work: Work, band: Band | None, *, explicit: bool, headroom: float
) -> list[Candidate]:
    found: list[Candidate] = []
    capacity, cards_per_node = card.capacity_gib * GIB / headroom, card.cards_per_node
    previous = 0.0
    for ways in options:
        fitting = [way for way in ways if way.needed_bytes <= capacity and way.layout.tp <= cards_per_node]
        if not fitting:
            continue
        way, speed = _quickest(job, card, fitting)
        scaling = speed / (2 * previous) if previous else 1.0
        if found and not explicit and (scaling < _HALF or len(found) >= _DOUBLINGS):
            break
        hours = work.tokens / speed / 3600 if work.tokens else work.hours
        price = _price(band, way.layout.gpus, hours or 1e6 / speed / 3600)
        found.append(Candidate(card, way.layout, way.needed_bytes, speed, hours, band, price, scaling))
        previous = speed
    return found


def _quickest(job: Job, card: Card, fitting: list[_Way]) -> tuple[_Way, float]:
    """Return the quickest way to share and its tokens per second in all.

    Plain data parallelism is quickest for training wherever it fits.
    """
    first = fitting[0].layout
    if job.trains and first.zero == 0 and not first.sharded:
        return fitting[0], _speed(job, card, fitting[0])
    speeds = [_speed(job, card, way) for way in fitting]
    best = max(speeds)
    return fitting[speeds.index(best)], best


def _speed(job: Job, card: Card, way: _Way) -> float:
    """Return tokens per second of all cards together."""
    if isinstance(way.asked, Demand):
        return training_speed(job, way.asked, way.layout, card) * way.layout.gpus
    return serving_speed(way.asked, way.layout, card) * way.layout.gpus


def _price(band: Band | None, gpus: int, hours: float) -> float:
    return (float(band.low) + float(band.high)) / 2 * gpus * hours if band else math.inf
