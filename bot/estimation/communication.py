"""What cards exchange in one step, and how long the links between them take for it."""

from dataclasses import dataclass
from functools import lru_cache

from .architecture import block_params, total_params
from .assumptions import (
    LINK_SHARE,
    NETWORK_GB_PER_S,
    NETWORK_SHARE,
    PCIE_GB_PER_S,
    PCIE_SHARE,
    PCIE_SHARE_CONSUMER,
)
from .cards import Card
from .formats import FORMATS
from .job import Job
from .layout import Layout
from .weights import trained_params

# A bridge joins two cards.
_BRIDGED = 2


@dataclass(frozen=True, slots=True)
class Links:
    """Names and reached rates of the links, inside a machine and across machines, per card, one way (1e9 bytes/s)."""

    within: str | None
    across: str | None
    within_gb_per_s: float
    across_gb_per_s: float


def links(card: Card, layout: Layout) -> Links:
    """Return the links that `layout` uses on `card`; None where one card or one machine needs none."""
    return _links(card, layout.gpus)


@lru_cache(maxsize=16384)
def _links(card: Card, gpus: int) -> Links:
    if gpus == 1:
        return Links(None, None, 1e9, 1e9)
    within, rate = _within(card, min(gpus, card.cards_per_node))
    if gpus <= card.cards_per_node:
        return Links(within, None, rate, 1e9)
    if gpus <= card.linked_cards:
        return Links(within, within, rate, rate)
    network = network_of(card)
    share = 1.0 if network != "ethernet-25" else 1.0 / max(1, card.cards_per_node)
    return Links(within, network, rate, NETWORK_GB_PER_S[network] * share * NETWORK_SHARE)


def network_of(card: Card) -> str:
    """Return the network that machines with this card usually have."""
    if not card.switched:
        return "ethernet-25"
    major = card.compute_capability.split(".", maxsplit=1)[0]
    return "infiniband-200" if major in ("7", "8") else "infiniband-400"


def _within(card: Card, cards_used: int) -> tuple[str, float]:
    if card.switched:
        return card.link, card.link_gb_per_s / 2 * LINK_SHARE
    if card.link == "nvlink_bridge" and cards_used <= _BRIDGED and card.kind == "datacenter":
        return card.link, card.link_gb_per_s / 2 * LINK_SHARE
    share = PCIE_SHARE_CONSUMER if card.kind == "consumer" else PCIE_SHARE
    return "pcie", PCIE_GB_PER_S.get(card.pcie_generation, PCIE_GB_PER_S[4]) * share


@dataclass(frozen=True, slots=True)
class Volumes:
    """Bytes that one card sends in one micro-batch: hidden behind computation, and waited for."""

    overlapped: float
    exposed: float


@lru_cache(maxsize=16384)
def volumes(job: Job, layout: Layout) -> Volumes:
    """Return what one card exchanges for one micro-batch.

    Data parallel: an all-reduce of the gradients, 2·(N-1)/N of them. ZeRO-3: weights gathered forward and backward and
    gradients scattered, 3·(N-1)/N (arXiv 1910.02054, section 7). Tensor parallel: four all-reduces of the stream a
    block. Llama-2-7B full over 8 cards with ZeRO-3: 3·7/8·13.5e9 = 35e9.
    """
    ranks = layout.tp * layout.pp
    share = (layout.dp - 1) / layout.dp
    gradients = trained_params(job) * (2.0 if job.full else job.engine.adapter_bytes) / ranks
    if layout.fully_sharded:
        size = 2.0 if job.full else FORMATS[job.weights].bits / 8
        gathered = (total_params(job.model) if job.full else block_params(job.model)) * size / ranks
        overlapped = share * (2 * gathered + gradients)
    else:
        overlapped = 2 * share * gradients / layout.micro_batches if layout.dp > 1 else 0.0
    exposed = 0.0
    if layout.tp > 1:
        rounds = 6 if job.checkpointing == "full" else 4
        stream = job.tokens * job.model.hidden * 2.0
        exposed += rounds * 2 * (layout.tp - 1) / layout.tp * stream * job.model.layers / layout.pp
    if layout.pp > 1:
        exposed += 2 * job.tokens * job.model.hidden * 2.0
    return Volumes(overlapped, exposed)


def exchange_seconds(overlapped: float, exposed: float, layout: Layout, card: Card) -> tuple[float, float]:
    """Return (seconds that computation can hide, seconds that it cannot) for these bytes of one micro-batch.

    Between machines each card carries its share of what its machine needs, since cards of a machine pass it on by their
    links.
    """
    if layout.gpus == 1:
        return 0.0, 0.0
    used = links(card, layout)
    hidden = overlapped / (used.within_gb_per_s * 1e9)
    if used.across:
        hidden = max(hidden, overlapped / min(card.cards_per_node, layout.dp) / (used.across_gb_per_s * 1e9))
    rate = used.across_gb_per_s if layout.tp > card.cards_per_node else used.within_gb_per_s
    return hidden, exposed / (rate * 1e9)
