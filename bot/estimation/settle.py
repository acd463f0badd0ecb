"""Decides all that a request leaves open, and lists what was assumed."""

from dataclasses import dataclass, field
from typing import Any

from bot.errors import EstimateError

from .engines import Engine, find_engine, with_adapters
from .job import Job
from .models import Model, described_model, find_model
from .request import EstimateRequest, ModelSpec
from .targets import modules

_FULL_SHARD = 3
_UNQUANTIZED = ("fp32", "bf16", "fp16")
_CHECKPOINTING = {True: "full", False: "none", "selective": "selective", None: None}


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
    given = request.weights
    if method == "qlora" and given in _UNQUANTIZED:
        given = None  # QLoRA is the one with a quantised base; a 16-bit format can only be that of its products
    fallback = "nf4" if method == "qlora" else "fp32" if precision == "amp" else half
    rank, targets = (0, ()) if full else _adapters(request, assumed)
    engine = engine if full else with_adapters(engine)
    return Job(
        model=model,
        task="train",
        method=method,
        weights=assumed.take(given, "weights", fallback, _why_half(fallback, "implied_by_method")),
        precision=precision,
        optimizer=assumed.take(request.optimizer, "optimizer", "adamw"),
        sequence_length=assumed.take(request.sequence_length, "sequence_length", 2048),
        micro_batch=assumed.take(request.micro_batch, "micro_batch", 1),
        generate_tokens=0,
        checkpointing=_checkpointing(request, engine, assumed),
        flash_attention=assumed.take(request.flash_attention, "flash_attention", value=True),
        lora_rank=rank,
        lora_targets=targets,
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
        weights=_served_weights(request, model, assumed, half),
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


def _served_weights(request: EstimateRequest, model: Model, assumed: Assumed, half: str) -> str:
    """Return the format that is served: as the model is published, on cards that are young enough for it."""
    value, why = half, _why_half(half, "not_given")
    if model.published_weights and half == "bf16":
        value, why = model.published_weights, "as_published"
    return str(assumed.take(request.weights, "weights", value, why))


def _why_half(weights: str, otherwise: str) -> str:
    return "card_has_no_bf16" if weights == "fp16" else otherwise


def _serving_report(request: EstimateRequest, engine: Engine, assumed: Assumed) -> str:
    """Return the figure wanted of serving: what published ones of plain libraries are, the allocator's peak.

    Serving engines set a pool aside, so that only the device's figure means anything there. Whether a job fits is
    judged with the context in either case.
    """
    if request.report is not None or engine.pool_share:
        return request.report or "device"
    report: str = assumed.take(None, "report", "allocated", "engine_default")
    return report


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


def _adapters(request: EstimateRequest, assumed: Assumed) -> tuple[int, tuple[str, ...]]:
    """Return rank and layers of the adapters."""
    rank: int = assumed.take(request.lora_rank, "lora_rank", 16)
    return rank, modules(assumed.take(request.lora_targets, "lora_targets", "all-linear"))


def _checkpointing(request: EstimateRequest, engine: Engine, assumed: Assumed) -> str:
    """Return what was asked for, or what the stack does by itself; some checkpoint only when they share weights."""
    given = _CHECKPOINTING[request.gradient_checkpointing]
    if given is not None:
        return given
    sharded = request.parallelism is not None and request.parallelism.zero == _FULL_SHARD
    usual = "full" if engine.checkpointing == "none" and sharded else engine.checkpointing
    shown = {"full": True, "none": False}.get(usual, usual)
    assumed.take(None, "gradient_checkpointing", shown, "engine_default")
    return usual


def _model(request: EstimateRequest, assumed: Assumed) -> Model:
    if isinstance(request.model, ModelSpec):
        if request.model.hub_id:
            assumed.items.append(("model", request.model.hub_id, "read_from_hub"))
        return described_model(request.model)
    model = find_model(request.model)
    if model.typical:
        assumed.items.append(("model", model.name, "usual_at_this_size"))
    elif not model.independent_source:
        assumed.items.append(("model", model.name, "note_in_catalogue"))
    return model
