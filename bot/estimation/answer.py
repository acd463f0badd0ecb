"""What is answered: the estimate, as documented for the command line."""

from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from .checkpoints import CheckpointPlan
from .cost import Cost
from .ladder import Step
from .triage import Triage


class _Value(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())


class ModelFacts(_Value):
    """The model that was understood; parameters in billions (1e9)."""

    name: str
    params_b: float
    active_params_b: float | None = None
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    vocab: int
    typical: bool = False
    note: str | None = None


class Assumption(_Value):
    """One thing that was not given: its key (of ASSUMPTIONS), the value taken, and why (of WHYS)."""

    key: str
    value: Any
    why: str


class Parts(_Value):
    """The peak's parts, GiB (2^30 bytes) per card; they add up to `per_gpu_gib`."""

    weights: float = 0.0
    gradients: float = 0.0
    optimizer: float = 0.0
    activations: float = 0.0
    logits: float = 0.0
    kv_cache: float = 0.0
    buffers: float = 0.0
    overhead: float = 0.0


class MemoryAnswer(_Value):
    """Memory of the fullest card, GiB, with the range that it will lie in nine times of ten."""

    per_gpu_gib: float
    low_gib: float
    high_gib: float
    parts: Parts


class Throughput(_Value):
    """Tokens per second and card: trained ones, or generated ones."""

    tokens_per_s_per_gpu: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Interconnect:
    """What links cards inside a machine and machines to each other; None where there is nothing to link."""

    within: str | None
    across: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanParallelism:
    """How a plan shares the job; `dp` is the number of replicas or shards that see different data."""

    zero: int
    tp: int
    pp: int
    dp: int
    offload: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One way to rent: cards, machines, sharing, memory, time and cost, with its reasons (of REASONS)."""

    gpu: str
    gpus: int
    nodes: int
    parallelism: PlanParallelism
    per_gpu_gib: float
    capacity_gib: float
    interconnect: Interconnect
    hours: float | None = None
    cost: Cost | None = None
    rank: Literal["cheapest", "fastest", "recommended", "smallest"]
    reasons: tuple[str, ...]


class EstimateAnswer(_Value):
    """The whole answer; `plans` holds what can be rented, best advice first."""

    model: ModelFacts
    assumptions: tuple[Assumption, ...]
    memory: MemoryAnswer
    fits: bool | None = None
    throughput: Throughput | None = None
    plans: tuple[Plan, ...] = Field(default=())
    triage: Triage
    checkpoint: CheckpointPlan | None = None
    ladder: tuple[Step, ...] = Field(default=())
