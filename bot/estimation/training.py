"""The memory peak of training: the largest of its phases, each the sum of what is alive in it."""

from functools import lru_cache

from .activations import kept
from .architecture import embedding_params, layer_params, table_params, total_params
from .assumptions import BUCKET_PARAMS, HALF_LOSS_BYTES, LIVE_PARAMS, SELECTIVE_SHARE, SOFTCAP_BYTES
from .formats import FORMATS
from .job import Job
from .layout import Layout
from .optimizer import adapter_state_bytes, gradient_bytes, state_bytes, weight_bytes
from .parts import Bytes
from .weights import (
    block_weight_bytes,
    copied_table_params,
    held_tables,
    lora_params,
    table_weight_bytes,
    unpacked_bytes,
    upcasts,
)

_SHARES_GRADIENTS = 2


def training_phases(job: Job, layout: Layout) -> tuple[Bytes, ...]:
    """Return what is alive on the fullest card in each phase of a step; the peak is the largest of them."""
    static = _static(job, layout)
    return (
        _loss(job, layout, static),
        _backward_start(job, layout, static),
        _backward_end(job, layout, static),
        _step(job, layout, static),
    )


def _static(job: Job, layout: Layout) -> Bytes:
    """Weights, whole gradients and states; Llama-2-7B full in mixed precision: 6.74e9·(2 + 2 + 12) = 107.8e9."""
    ranks = layout.tp * layout.pp
    weight_shards, gradient_shards, state_shards = layout.shards(3), layout.shards(2), layout.shards(1)
    if job.engine.gathers == "whole":
        gradient_shards = 1  # gradients that accumulate between steps are not shared out
    if job.full:
        held = _stage_params(job, layout)
        size = 4.0 if job.precision == "mixed" and main_gradients(job, layout) else gradient_bytes(job)
        weights, gradients, states = weight_bytes(job) * held, size * held, state_bytes(job) * held
    else:
        frozen = (
            block_weight_bytes(job) / layout.pp + _stage_tables(job, layout) * table_weight_bytes(job)
        ) / layout.tp
        adapters, tables = lora_params(job) / ranks, copied_table_params(job) / ranks
        size = job.engine.adapter_bytes
        weights = frozen + size * adapters + 2.0 * tables
        gradients = size * adapters + 2.0 * tables
        states = adapter_state_bytes(job) * adapters + adapter_state_bytes(job) / 2 * tables
    if layout.offload:
        # The host holds the states, from ZeRO-2 on the gradients as they come, under full sharding the weights too.
        states = 0.0
        gradients = gradients if layout.zero < _SHARES_GRADIENTS else 0.0
        weights = weights if not layout.fully_sharded else 0.0
    return Bytes(
        weights=weights / weight_shards, gradients=gradients / gradient_shards, optimizer=states / state_shards
    )


def main_gradients(job: Job, layout: Layout) -> bool:
    """Whether gradients are kept in fp32 beside 16-bit weights: Megatron, DeepSpeed, ZeRO in transformers."""
    return job.engine.main_gradients or (layout.zero > 0 and job.engine.gathers == "live")


def _stage_tables(job: Job, layout: Layout) -> float:
    """Share of the tables on the fullest pipeline stage: the last one holds the head, the first the embedding."""
    return 1.0 if layout.pp == 1 or job.model.tied else 0.5


def _stage_params(job: Job, layout: Layout) -> float:
    blocks = layer_params(job.model) * -(-job.model.layers // layout.pp)
    tables = embedding_params(job.model) * held_tables(job)
    return (blocks + tables * _stage_tables(job, layout)) / layout.tp


@lru_cache(maxsize=4096)
def _activations(job: Job, layout: Layout) -> tuple[float, float]:
    """Return (bytes kept over all blocks of the stage, most bytes alive while one block runs backwards)."""
    block = kept(job)
    divided = (block.attention + block.mlp + block.scores) / layout.tp
    stream = block.stream / (layout.tp if job.engine.sequence_parallel else 1)
    peak = (block.backward_peak - block.stream) / layout.tp + stream
    layers = -(-job.model.layers // layout.pp)
    in_flight = layout.pp if layout.pp > 1 and job.engine.pipelined else 1
    mask = 2.0 * job.micro_batch * job.sequence_length**2 if job.engine.keeps_mask and job.flash_attention else 0.0
    saved = (divided + stream) * job.tokens + mask
    if job.checkpointing == "full":
        residual = 4.0 if _fp32_stream(job) else 2.0
        shared = layout.tp if job.engine.sequence_parallel else 1
        stored = residual * job.model.hidden * job.tokens * layers / shared
        here = 0.0 if job.engine.offloads_checkpoints else stored * in_flight
        return here, peak * job.tokens + mask
    if job.checkpointing == "selective":
        return saved * SELECTIVE_SHARE * layers * in_flight, peak * job.tokens
    return saved * layers * in_flight, (peak - divided - stream) * job.tokens


def _fp32_stream(job: Job) -> bool:
    """Whether the stream between blocks is fp32: under autocast, and where the embedding was raised to fp32."""
    return (job.precision == "amp" and job.full and job.engine.autocasts) or (
        upcasts(job) and FORMATS[job.weights].on_load
    )


def _final_norm(job: Job) -> float:
    return (8.0 if job.full else 4.0) * job.model.hidden * job.tokens


def _gathered(job: Job, layout: Layout, *, done: bool = False) -> float:
    """Bytes of weights that sharding gathers for the work at hand, with buckets for gradients; `done`: backward is."""
    if layout.zero == 0 or layout.dp == 1:
        return 0.0
    buckets = 2 * 2.0 * min(BUCKET_PARAMS, _trained(job))
    if not layout.fully_sharded:
        return buckets
    if job.engine.gathers == "whole" and (job.full or done):
        return _whole_weights(job, layout)
    size = 2.0 if job.full else FORMATS[job.weights].bits / 8
    if job.engine.gathers == "live":
        live = min(LIVE_PARAMS, total_params(job.model)) + table_params(job.model)
        return (size * live + buckets) / layout.tp
    units = max(2 * layer_params(job.model), table_params(job.model) + layer_params(job.model))
    return (size * units + (2.0 * 2 * layer_params(job.model) if job.full else 0.0)) / layout.tp


def _whole_weights(job: Job, layout: Layout) -> float:
    """Bytes of all weights, which older FSDP leaves gathered while gradients accumulate or weights are frozen."""
    if job.full:
        return weight_bytes(job) * _stage_params(job, layout)
    return (block_weight_bytes(job) + table_weight_bytes(job)) / layout.tp / layout.pp


def _trained(job: Job) -> float:
    return total_params(job.model) if job.full else lora_params(job) + copied_table_params(job)


def _logits(job: Job, layout: Layout, per_entry: float) -> float:
    if FORMATS[job.weights].half_only:
        per_entry = min(per_entry, HALF_LOSS_BYTES)
    if job.model.softcap:
        per_entry += SOFTCAP_BYTES
    return per_entry * job.tokens * job.model.vocab / layout.tp


def _casts(job: Job, layout: Layout) -> float:
    """16-bit copies of fp32 weights that autocast keeps until the end of the forward pass; look-ups need none."""
    if (
        job.precision != "amp"
        or not job.engine.autocasts
        or not job.full
        or job.checkpointing == "full"
        or layout.fully_sharded
    ):
        return 0.0
    looked_up = 0.0 if job.model.tied or layout.pp > 1 else embedding_params(job.model) / layout.tp
    return 2.0 * (_stage_params(job, layout) - looked_up)


def _held_gradients(job: Job, static: Bytes) -> float:
    return static.gradients if job.engine.accumulates or job.precision == "mixed" else 0.0


def _loss(job: Job, layout: Layout, static: Bytes) -> Bytes:
    """The moment after the forward pass when the logits and their gradient are alive beside all activations."""
    stored, _ = _activations(job, layout)
    return static._replace(
        gradients=_held_gradients(job, static),
        activations=stored + _final_norm(job),
        logits=_logits(job, layout, job.engine.logits_backward_bytes),
        buffers=_gathered(job, layout) + _casts(job, layout),
    )


def _backward_start(job: Job, layout: Layout, static: Bytes) -> Bytes:
    """The last block runs backwards: nearly all activations are still there."""
    stored, working = _activations(job, layout)
    head = (
        2.0 * embedding_params(job.model) / layout.tp / layout.shards(2)
        if job.full and not job.engine.accumulates
        else 0.0
    )
    return static._replace(
        gradients=max(_held_gradients(job, static), head if job.full else 0.0),
        activations=stored + working,
        logits=_logits(job, layout, job.engine.logits_after_bytes),
        buffers=_gathered(job, layout) + _casts(job, layout) + _unpacked(job, layout),
    )


def _backward_end(job: Job, layout: Layout, static: Bytes) -> Bytes:
    """The first block runs backwards: all gradients are there, the other blocks' activations are gone."""
    stored, working = _activations(job, layout)
    layers = -(-job.model.layers // layout.pp)
    return static._replace(
        activations=stored / layers + working,
        logits=_logits(job, layout, job.engine.logits_after_bytes),
        buffers=_gathered(job, layout, done=True) + _unpacked(job, layout),
    )


def _unpacked(job: Job, layout: Layout) -> float:
    """A quantised layer unpacked to 16 bits for its product: the largest of a block."""
    return unpacked_bytes(job) / layout.tp if FORMATS[job.weights].unpacks and not job.full else 0.0


def _step(job: Job, layout: Layout, static: Bytes) -> Bytes:
    """The optimizer's step: whole gradients and states, and what it computes beside them; no activations."""
    size = weight_bytes(job) if job.full else job.engine.adapter_bytes
    if job.engine.optimizer_temporary == "all":
        extra = size * _trained(job) / layout.tp / layout.pp / layout.shards(1)
    elif job.engine.optimizer_temporary == "largest":
        largest = (
            embedding_params(job.model)
            if job.full or job.trainable_embeddings
            else lora_params(job) / max(1, job.model.layers)
        )
        extra = 2 * size * largest / layout.tp / layout.shards(1)
    else:
        extra = 0.0
    return static._replace(buffers=extra if job.optimizer != "none" else 0.0)
