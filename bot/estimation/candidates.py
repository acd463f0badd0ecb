"""Searches all cards, counts and ways to share a job for what fits with headroom."""

import math
from dataclasses import dataclass
from functools import lru_cache

from .assumptions import HEADROOM
from .cards import Card, cards
from .communication import Links, links
from .job import Job
from .layout import Layout
from .memory import memory
from .parts import GIB
from .prices import Band, Prices
from .throughput import tokens_per_second

COUNTS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)

# Tokens that one optimizer step can use: more cards than these fill make batches larger than training profits from.
_STEP_TOKENS = {"pretrain": 4_000_000, "full": 500_000, "lora": 32_768, "qlora": 32_768}

# Twice the cards must bring more than this share of twice the speed, or the search stops; so it does after five
# doublings.
_HALF = 0.55
_DOUBLINGS = 6

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


def candidates(job: Job, wish: Wish, work: Work, prices: Prices) -> list[Candidate]:
    """Return what fits the job with headroom within the wish; cards without a price only where there are no others."""
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
        found += [Layout(gpus, 1, t, p) for p in (1, 2, 4, 8, 16) if gpus % (t * p) == 0 and p <= layers]
    return tuple(found)


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
