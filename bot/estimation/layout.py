"""How a job is laid out on cards: counts, machines and the ways it is shared."""

from dataclasses import dataclass

_FULL = 3

# The usual depth of pipelines (GPipe, arXiv 1811.06965).
_MICRO_BATCHES_A_STAGE = 4


@dataclass(frozen=True, slots=True)
class Layout:
    """Cards in all, ZeRO stage over the data-parallel ranks, tensor and pipeline ranks, offload to the host."""

    gpus: int = 1
    zero: int = 0
    tp: int = 1
    pp: int = 1
    offload: bool = False

    @property
    def dp(self) -> int:
        """Data-parallel ranks: what tensor and pipeline ranks leave of all cards."""
        return max(1, self.gpus // (self.tp * self.pp))

    def shards(self, stage: int) -> int:
        """Ranks that share what ZeRO shares from `stage` on: 1 optimizer, 2 gradients, 3 weights (arXiv 1910.02054)."""
        return self.dp if self.zero >= stage else 1

    @property
    def micro_batches(self) -> int:
        """Micro-batches of one step on a card: four a stage in pipelines, as their filling and draining asks for; else 1."""
        return _MICRO_BATCHES_A_STAGE * self.pp if self.pp > 1 else 1

    @property
    def sharded(self) -> bool:
        """Whether the cards cannot work without each other in every pass."""
        return self.fully_sharded or self.tp > 1 or self.pp > 1

    @property
    def fully_sharded(self) -> bool:
        """Whether weights, gradients and states are all shared out: ZeRO-3 or FSDP."""
        return self.zero == _FULL

    def nodes(self, cards_per_node: int) -> int:
        """Machines needed for all cards."""
        return -(-self.gpus // max(1, cards_per_node))
