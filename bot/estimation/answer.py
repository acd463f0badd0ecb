"""What is answered: the estimate, as documented for the command line."""

from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer

# A sum of money: exact inside, a number in JSON.
Money = Annotated[Decimal, PlainSerializer(float, return_type=float, when_used="json")]


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


class Interconnect(_Value):
    """What links cards inside a machine and machines to each other; None where there is nothing to link."""

    within: str | None
    across: str | None


class PlanCost(_Value):
    """Cost of a plan. Per hour for all its cards; totals where the size of the job is known."""

    currency: str
    per_hour_low: Money
    per_hour_high: Money
    total_low: Money | None = None
    total_high: Money | None = None
    as_of: str
    basis: str


class PlanParallelism(_Value):
    """How a plan shares the job; `dp` is the number of replicas or shards that see different data."""

    zero: int
    tp: int
    pp: int
    dp: int
    offload: bool = False


class Plan(_Value):
    """One way to rent: cards, machines, sharing, memory, time and cost, with its reasons (of REASONS)."""

    gpu: str
    gpus: int
    nodes: int
    parallelism: PlanParallelism
    per_gpu_gib: float
    capacity_gib: float
    interconnect: Interconnect
    hours: float | None = None
    cost: PlanCost | None = None
    rank: Literal["cheapest", "fastest", "recommended", "smallest"]
    reasons: tuple[str, ...]


class TriageAnswer(_Value):
    """Where the request goes, with reasons (of TRIAGE_REASONS)."""

    route: Literal["self_service", "staff"]
    reasons: tuple[str, ...]


class Checkpoint(_Value):
    """A checkpoint: size (1e9 bytes), seconds to write, minutes between two, how many to keep."""

    size_gb: float
    write_s: float | None = None
    every_minutes: float | None = None
    keep: int | None = None


class LadderStep(_Value):
    """One thing to try when memory does not suffice: what it saves for this job, what it costs (of LADDER_COSTS)."""

    step: str
    saves_gib: float
    cost: str


class EstimateAnswer(_Value):
    """The whole answer; `plans` holds what can be rented, best advice first."""

    model: ModelFacts
    assumptions: tuple[Assumption, ...]
    memory: MemoryAnswer
    fits: bool | None = None
    throughput: Throughput | None = None
    plans: tuple[Plan, ...] = Field(default=())
    triage: TriageAnswer
    checkpoint: Checkpoint | None = None
    ladder: tuple[LadderStep, ...] = Field(default=())
