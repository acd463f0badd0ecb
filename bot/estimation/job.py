"""A request with every open field decided: what the formulas work on, and the list of what was assumed."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from bot.errors import EstimateError

from .engines import Engine, find_engine
from .models import Model, find_model, typical_model
from .request import EstimateRequest, ModelSpec

# Adapters by the names that people use; "attention-qkv" is one fused layer in many stacks.
TARGETS = {
    "qv": ("q", "v"),
    "attention-qkv": ("q", "k", "v"),
    "attention": ("q", "k", "v", "o"),
    "all-linear": ("q", "k", "v", "o", "gate", "up", "down"),
}
_MODULE_NAMES = {
    "q_proj": "q", "k_proj": "k", "v_proj": "v", "o_proj": "o", "gate_proj": "gate", "up_proj": "up", "down_proj":
    "down", "w1": "gate",
    "w2": "up", "w3": "down", "fc1": "up", "fc2": "down", "dense_h_to_4h": "up", "dense_4h_to_h": "down", "out_proj":
    "o",
}  # fmt: skip
_FUSED_NAMES = {
    "qkv_proj": ("q", "k", "v"), "c_attn": ("q", "k", "v"), "query_key_value": ("q", "k", "v"), "wqkv": ("q", "k",
    "v"), "w_pack": ("q", "k", "v"),
    "gate_up_proj": ("gate", "up"), "c_proj": ("o", "down"), "dense": ("o",), "wo": ("o",),
}  # fmt: skip


_FULL_SHARD = 3
_CHECKPOINTING = {True: "full", False: "none", "selective": "selective", None: None}


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


@dataclass(slots=True)
class Assumed:
    """Collects what was not given, in the order of deciding: (key, value, why)."""

    items: list[tuple[str, Any, str]] = field(default_factory=list)

    def take(self, given: Any, key: str, value: Any, why: str = "not_given") -> Any:
        """Return `given`, or `value` with a note that it was assumed."""
        if given is not None:
            return given
        self.items.append((key, value, why))
        return value


def settle(request: EstimateRequest, *, half: str = "bf16") -> tuple[Job, Assumed]:
    """Decide all that `request` leaves open; `half` is the 16-bit format that the card has.

    Raises UnknownNameError for a model that is not known and EstimateError for fields that contradict each other.
    """
    assumed = Assumed()
    model = _model(request, assumed)
    task = _task(request, assumed)
    engine = _engine(request, task, assumed)
    if task == "infer":
        return _serving(request, model, engine, assumed, half), assumed
    return _training(request, model, engine, assumed, half), assumed


def _training(request: EstimateRequest, model: Model, engine: Engine, assumed: Assumed, half: str) -> Job:
    method = assumed.take(request.method, "method", "lora")
    full = method in ("full", "pretrain")
    if full and request.weights not in (None, "fp32", "bf16", "fp16", "fp8"):
        raise EstimateError(f"{request.weights} weights cannot be trained in full; use lora or qlora")
    precision = _precision(request, engine, assumed, full=full)
    fallback = "nf4" if method == "qlora" else "fp32" if precision == "amp" else half
    adapters = not full
    rank = assumed.take(request.lora_rank, "lora_rank", 16) if adapters else 0
    targets = request.lora_targets
    if adapters and targets is None:
        targets = assumed.take(None, "lora_targets", "all-linear")
    checkpointing = _CHECKPOINTING[request.gradient_checkpointing]
    if checkpointing is None:
        checkpointing = _checkpointing(request, engine)
        assumed.take(
            None,
            "gradient_checkpointing",
            {"full": True, "none": False}.get(checkpointing, checkpointing),
            "engine_default",
        )
    return Job(
        model=model,
        task="train",
        method=method,
        weights=assumed.take(request.weights, "weights", fallback, _why_half(fallback, "implied_by_method")),
        precision=precision,
        optimizer=assumed.take(request.optimizer, "optimizer", "adamw"),
        sequence_length=assumed.take(request.sequence_length, "sequence_length", 2048),
        micro_batch=assumed.take(request.micro_batch, "micro_batch", 1),
        generate_tokens=0,
        checkpointing=checkpointing,
        flash_attention=assumed.take(request.flash_attention, "flash_attention", value=True),
        lora_rank=rank,
        lora_targets=modules(targets) if adapters else (),
        trainable_embeddings=bool(request.trainable_embeddings),
        engine=engine,
        report=request.report or "device",
    )


def _serving(request: EstimateRequest, model: Model, engine: Engine, assumed: Assumed, half: str) -> Job:
    generate = assumed.take(request.generate_tokens, "generate_tokens", 512)
    length = request.sequence_length
    if length is None and request.context_length is not None:
        length = max(1, request.context_length - generate)
        generate = min(generate, request.context_length - 1) if request.context_length > 1 else 0
    batch = request.micro_batch if request.micro_batch is not None else request.concurrency
    return Job(
        model=model,
        task="infer",
        method="",
        weights=assumed.take(request.weights, "weights", half, _why_half(half, "not_given")),
        precision="pure",
        optimizer="none",
        sequence_length=assumed.take(length, "sequence_length", 2048),
        micro_batch=assumed.take(batch, "concurrency", 1),
        generate_tokens=generate,
        checkpointing="none",
        flash_attention=request.flash_attention if request.flash_attention is not None else True,
        lora_rank=0,
        lora_targets=(),
        trainable_embeddings=False,
        engine=engine,
        report=_serving_report(request, engine, assumed),
    )


def _why_half(weights: str, otherwise: str) -> str:
    return "card_has_no_bf16" if weights == "fp16" else otherwise


def _serving_report(request: EstimateRequest, engine: Engine, assumed: Assumed) -> str:
    """Return the figure wanted of serving: what published ones of plain libraries are, the allocator's peak.

    Serving engines set a pool aside, so that only the device's figure means anything there. Whether a job fits is
    judged
    with the context in either case.
    """
    if request.report is not None or engine.pool_share:
        return request.report or "device"
    report: str = assumed.take(None, "report", "allocated", "engine_default")
    return report


def modules(targets: str | list[str] | None) -> tuple[str, ...]:
    """Return the short names of the layers that carry adapters; unknown names in a list are left out.

    Raises EstimateError when nothing is left.
    """
    if isinstance(targets, str) and targets in TARGETS:
        return TARGETS[targets]
    names = [targets] if isinstance(targets, str) else list(targets or ())
    found: list[str] = []
    for name in names:
        folded = name.casefold().rsplit(".", maxsplit=1)[-1]
        found += TARGETS.get(folded) or _FUSED_NAMES.get(folded) or (_MODULE_NAMES.get(folded, folded),)
    chosen = tuple(name for name in TARGETS["all-linear"] if name in found)
    if not chosen:
        raise EstimateError(f"no known layer among the LoRA targets {targets!r}")
    return chosen


def _task(request: EstimateRequest, assumed: Assumed) -> str:
    if request.task:
        return request.task
    serves = request.method is None and (
        request.generate_tokens is not None or request.concurrency is not None or request.context_length is not None
    )
    task: str = assumed.take(None, "task", "infer" if serves else "train", "implied_by_request")
    return task


def _engine(request: EstimateRequest, task: str, assumed: Assumed) -> Engine:
    name = request.engine
    if name is None:
        many = (request.concurrency or request.micro_batch or 1) > 1
        name = assumed.take(None, "engine", "vllm" if task == "infer" and many else "transformers")
    engine = find_engine(name)
    if engine is None:
        assumed.items.append(("engine", "transformers", "unknown_engine"))
        engine = find_engine("transformers")
    assert engine is not None
    return engine


def _precision(request: EstimateRequest, engine: Engine, assumed: Assumed, *, full: bool) -> str:
    given = request.mixed_precision
    if given == "amp":
        return "amp"
    if given is not None:
        return "mixed" if given else "pure"
    if not full:
        return "mixed"
    if request.weights == "fp32":
        return "amp"
    choice = engine.default_precision
    assumed.take(None, "mixed_precision", choice == "mixed", "not_given" if choice == "mixed" else "engine_default")
    return choice


def _checkpointing(request: EstimateRequest, engine: Engine) -> str:
    """Return what the stack does by itself; stacks that checkpoint only when sharded say "none"."""
    sharded = request.parallelism is not None and request.parallelism.zero == _FULL_SHARD
    return "full" if engine.checkpointing == "none" and sharded else engine.checkpointing


def _model(request: EstimateRequest, assumed: Assumed) -> Model:
    if isinstance(request.model, ModelSpec):
        return _described(request.model)
    model = find_model(request.model)
    if model.typical:
        assumed.items.append(("model", model.name, "usual_at_this_size"))
    elif not model.independent_source:
        assumed.items.append(("model", model.name, "note_in_catalogue"))
    return model


@lru_cache(maxsize=256)
def _described(spec: ModelSpec) -> Model:
    base = typical_model(spec.params_b, active_params_b=spec.active_params_b)
    hidden, heads = spec.hidden or base.hidden, spec.heads or base.heads
    if spec.hidden and not spec.heads:
        heads = max(1, spec.hidden // (spec.head_dim or 128))
    head_dim = spec.head_dim or max(1, hidden // heads)
    gated = spec.gated if spec.gated is not None else True
    ffn = spec.ffn or (round(base.ffn / base.hidden * hidden) if spec.hidden else base.ffn)
    return Model(
        key=f"custom-{spec.params_b:g}b",
        family="custom",
        aliases=(),
        params_b=spec.params_b,
        active_params_b=spec.active_params_b,
        layers=spec.layers or base.layers,
        hidden=hidden,
        heads=heads,
        kv_heads=spec.kv_heads or (min(heads, base.kv_heads) if not spec.heads else heads),
        head_dim=head_dim,
        ffn=ffn,
        vocab=spec.vocab or base.vocab,
        tied=spec.tied if spec.tied is not None else base.tied,
        gated=gated,
        experts=spec.experts or base.experts,
        experts_per_token=spec.experts_per_token or base.experts_per_token,
        moe_ffn=ffn if spec.experts else base.moe_ffn,
        source="described by the customer",
    )
