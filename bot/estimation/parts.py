"""The parts of a memory peak, in bytes per card."""

from typing import NamedTuple

GIB = 2**30


class Bytes(NamedTuple):
    """Bytes on one card by what they hold; the sum is the figure asked for."""

    weights: float = 0.0
    gradients: float = 0.0
    optimizer: float = 0.0
    activations: float = 0.0
    logits: float = 0.0
    kv_cache: float = 0.0
    buffers: float = 0.0
    overhead: float = 0.0

    @property
    def total(self) -> float:
        """All parts together."""
        return sum(self)
