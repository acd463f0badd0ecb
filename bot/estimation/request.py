"""What can be asked: the estimate request, as documented for the command line."""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

Weights = Literal["fp32", "bf16", "fp16", "fp8", "int8", "int4", "nf4", "nf4-dq", "gptq-int8", "gptq-int4", "awq"]
Optimizer = Literal["adamw", "adamw-8bit", "paged-adamw-8bit", "adafactor", "sgd", "none"]


# Longer texts are no names, and looking for what they may mean would take long.
Name = Annotated[str, Field(max_length=300)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=(), allow_inf_nan=False)


class ModelSpec(_Strict):
    """A model described by its shape; parameters in billions (1e9). What is left out follows from the size.

    `hub_id`: where the shape was read, if it was.
    """

    params_b: float = Field(gt=0, le=100_000)
    active_params_b: float | None = Field(default=None, gt=0)
    layers: int | None = Field(default=None, gt=0, le=2000)
    hidden: int | None = Field(default=None, gt=0, le=1_000_000)
    heads: int | None = Field(default=None, gt=0, le=10_000)
    kv_heads: int | None = Field(default=None, gt=0, le=10_000)
    head_dim: int | None = Field(default=None, gt=0, le=10_000)
    ffn: int | None = Field(default=None, gt=0, le=10_000_000)
    vocab: int | None = Field(default=None, gt=0, le=10_000_000)
    tied: bool | None = None
    gated: bool | None = None
    experts: int | None = Field(default=None, ge=0, le=10_000)
    experts_per_token: int | None = Field(default=None, ge=0, le=10_000)

    hub_id: Name | None = None

    @model_validator(mode="after")
    def _active_is_a_part(self) -> Self:
        if self.active_params_b and self.active_params_b > self.params_b:
            raise ValueError("active_params_b is more than params_b")
        if self.experts and (self.experts_per_token or 0) > self.experts:
            raise ValueError("experts_per_token is more than experts")
        return self


class Parallelism(_Strict):
    """How a job is shared: ZeRO stage (FSDP full shard is 3), tensor and pipeline ranks, offload to the host."""

    zero: int = Field(default=0, ge=0, le=3)
    tp: int = Field(default=1, ge=1, le=1024)
    pp: int = Field(default=1, ge=1, le=1024)
    offload: bool = False


class Measured(BaseModel):
    """What a trial of this very job showed, per card: peak (GiB), speed (tokens/s), seconds to write a checkpoint."""

    model_config = ConfigDict(extra="allow", frozen=True, allow_inf_nan=False)

    peak_gib: float | None = Field(default=None, gt=0, le=1e6)
    tokens_per_s: float | None = Field(default=None, gt=0, le=1e12)
    checkpoint_write_s: float | None = Field(default=None, gt=0, le=1e7)


class EstimateRequest(_Strict):
    """One estimate. All but `model` may be missing; what is missing is assumed and listed in the answer."""

    model: Name | ModelSpec
    task: Literal["train", "infer"] | None = None
    method: Literal["full", "pretrain", "lora", "qlora"] | None = None
    weights: Weights | None = None
    mixed_precision: bool | Literal["amp"] | None = None
    optimizer: Optimizer | None = None
    sequence_length: int | None = Field(default=None, ge=1, le=100_000_000)
    micro_batch: int | None = Field(default=None, ge=1, le=1_000_000)
    generate_tokens: int | None = Field(default=None, ge=0, le=100_000_000)
    gradient_checkpointing: bool | Literal["selective"] | None = None
    flash_attention: bool | None = None
    lora_rank: int | None = Field(default=None, ge=1, le=65_536)
    lora_targets: Name | list[Name] | None = Field(default=None, max_length=300)
    trainable_embeddings: bool | None = None
    gpu: Name | None = None
    gpus: int | None = Field(default=None, ge=1, le=1_000_000)
    parallelism: Parallelism | None = None
    engine: Name | None = None
    report: Literal["allocated", "reserved", "device"] | None = None
    tokens: float | None = Field(default=None, gt=0, le=1e18)
    samples: float | None = Field(default=None, gt=0, le=1e15)
    epochs: float | None = Field(default=None, gt=0, le=1e6)
    hours: float | None = Field(default=None, gt=0, le=1e7)
    concurrency: int | None = Field(default=None, ge=1, le=10_000_000)
    context_length: int | None = Field(default=None, ge=1, le=100_000_000)
    utilization: float | None = Field(default=None, ge=0, le=1)
    duration_days: float | None = Field(default=None, gt=0, le=1e6)
    load: Literal["constant", "bursty"] | None = None
    measured: Measured | None = None

    @model_validator(mode="before")
    @classmethod
    def _empty_is_not_given(cls, given: Any) -> Any:
        """Take empty texts, which tables and forms send for what they leave open, as not given."""
        if not isinstance(given, dict):
            return given
        return {key: value for key, value in given.items() if value != "" or key == "model"}
