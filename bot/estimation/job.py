"""A job with every open field decided: what the formulas work on."""

from dataclasses import dataclass, field

from .engines import Engine
from .models import Model


@dataclass(frozen=True, slots=True)
class Job:
    """One training or serving job. Lengths in tokens, `micro_batch` in samples per card (serving: sequences in all).

    `precision`: "mixed" keeps fp32 masters and states beside 16-bit weights, "amp" fp32 weights with 16-bit compute,
    "pure" everything in the precision of the weights. `checkpointing`: "none", "selective" or "full".
    """

    model: Model
    task: str
    method: str
    weights: str
    precision: str
    optimizer: str
    sequence_length: int
    micro_batch: int
    generate_tokens: int
    checkpointing: str
    flash_attention: bool
    lora_rank: int
    lora_targets: tuple[str, ...]
    trainable_embeddings: bool
    engine: Engine
    report: str
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Take the hash once: a job is the key of a dozen tables in each estimate."""
        decided = (
            self.model,
            self.method,
            self.weights,
            self.sequence_length,
            self.micro_batch,
            self.engine,
            self.report,
        )
        object.__setattr__(self, "_hash", hash(decided))

    def __hash__(self) -> int:
        return self._hash

    @property
    def trains(self) -> bool:
        """Whether this is a training job."""
        return self.task == "train"

    @property
    def full(self) -> bool:
        """Whether all weights are trained."""
        return self.method in ("full", "pretrain")

    @property
    def tokens(self) -> int:
        """Tokens in one pass on one card."""
        return self.sequence_length * self.micro_batch
