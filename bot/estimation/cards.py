"""The cards that can be rented: one record each, found by any usual name."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from bot.errors import UnknownNameError

from .catalogue import records
from .names import fold, latin, near_misses, spellings

_MAKERS = re.compile(r"^(nvidia|geforce|tesla|amd|intel|instinct|huawei)+")
_BRANDS = re.compile(r"^(rtx|gtx|quadro)")
_SIZE = re.compile(r"(\d{2,3})(gb|gib|g)")
_USUAL_VENDOR = "nvidia"
# Labels of one card round differently: 180, 186 or 192.
_LABELS_DIFFER_GB = 4
_COUNT = re.compile(r"^[\d一二两三四五六七八九十]{1,4}\s*(?:[x×*]|张|块|卡|台)\s*|(?<![a-zA-Z])\s*[x×*]\s*\d{1,4}$")


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """One kind of card. Figures are per card; None where nobody states one.

    `visible_gib` is what CUDA sees (2^30 bytes), `link_gb_per_s` the sum of both directions over all links (1e9 bytes).
    `linked_cards` is how many cards NVLink joins beyond one machine, 0 where it ends with it.
    """

    key: str
    name: str
    aliases: tuple[str, ...]
    vendor: str
    architecture: str
    kind: str
    memory_gib: float
    visible_gib: float | None
    bandwidth_gb_per_s: float | None
    bf16_tflops: float | None
    fp8_tflops: float | None
    link: str
    link_gb_per_s: float
    pcie_generation: int
    power_w: int | None
    cards_per_node: int
    linked_cards: int
    half: str
    compute_capability: str
    confidence: str
    source: str
    source_date: str
    note: str

    @property
    def capacity_gib(self) -> float:
        """GiB that one card offers to all that runs on it."""
        return self.visible_gib or self.memory_gib * 0.97

    @property
    def switched(self) -> bool:
        """Whether all cards of a machine talk to each other at link speed (not only pairs, not only PCIe)."""
        return self.link in ("nvlink", "fabric")

    @property
    def usual(self) -> bool:
        """Whether the images and stacks that people bring run on it as they are, which are made for CUDA."""
        return self.vendor == _USUAL_VENDOR

    @property
    def known(self) -> bool:
        """Whether speed and capacity are published, so that an estimate can be made."""
        return bool(self.bf16_tflops and self.bandwidth_gb_per_s and self.visible_gib)


@cache
def cards() -> tuple[Card, ...]:
    """Return all cards, in the order of the catalogue."""
    return tuple(_card(record) for record in records("cards.toml", "card"))


@lru_cache(maxsize=4096)
def find_card(name: str) -> Card:
    """Return the card that `name` means, such as "H100", "RTX4090", "A100 80G PCIe" or "昇腾910B".

    Raises UnknownNameError with the nearest names when there is none.
    """
    known = _spellings()
    plain = _COUNT.sub("", name.strip())
    for candidate in _variants(plain):
        if candidate in known:
            return _by_key()[known[candidate]]
    raise UnknownNameError("card", name, near_misses(plain, known))


def _variants(name: str) -> list[str]:
    folded = latin(fold(name))
    bare = _MAKERS.sub("", folded)
    sized = _SIZE.sub(r"\1g", bare)
    found = [fold(name), folded, bare, _BRANDS.sub("", bare), sized, _BRANDS.sub("", sized)]
    # "A100 PCIe 80G" and "A100 80G PCIe" are the same card; so is a size that merely repeats the only one there is.
    size = _SIZE.search(sized)
    if size:
        rest = sized.replace(size[0], "")
        form = next((f for f in ("pcie", "sxm", "nvl") if f in rest), "")
        found += [f"{rest.replace(form, '')}{size[1]}g{form}", f"{rest.replace(form, '')}{size[1]}g"] if form else []
        found += [rest, _BRANDS.sub("", rest)] if _only_size(rest, int(size[1])) else []
    found += [re.sub(r"(hbm\d?e?|sxm\d)", "", candidate) for candidate in found]
    return list(dict.fromkeys(found))


def _only_size(rest: str, size_gb: int) -> bool:
    key = _spellings().get(rest) or _spellings().get(_BRANDS.sub("", rest))
    return key is not None and abs(_by_key()[key].memory_gib - size_gb) <= _LABELS_DIFFER_GB


@cache
def _by_key() -> dict[str, Card]:
    return {card.key: card for card in cards()}


@cache
def _spellings() -> dict[str, str]:
    known = spellings((card.key, (card.name, *card.aliases)) for card in cards())
    for spelling, key in tuple(known.items()):
        known.setdefault(_BRANDS.sub("", _MAKERS.sub("", spelling)), key)
    return known


def _card(record: dict[str, object]) -> Card:
    fields = {
        "visible_gib": None, "bandwidth_gb_per_s": None, "bf16_tflops": None, "fp8_tflops": None, "link_gb_per_s": 0.0,
        "pcie_generation": 4, "power_w": None, "compute_capability": "", "note": "", "linked_cards": 0,
    } | record  # fmt: skip
    fields["kind"] = fields.pop("class")
    fields["aliases"] = tuple(record["aliases"])  # type: ignore[arg-type] # a TOML array of strings
    return Card(**fields)  # type: ignore[arg-type] # the schema of cards.toml is held by a test
