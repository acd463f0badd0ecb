"""What a job asks of a card for one micro-batch or one token: operations, bytes and launches, whatever card it is."""

from dataclasses import dataclass
from functools import lru_cache

from .architecture import active_params, attention_width, block_params, matmul_params, table_params, total_params
from .assumptions import (
    ALL_REDUCE_S,
    HIDDEN_HALF,
    LOGIT_TRAFFIC_BYTES,
    PREFILL_ATTENTION_SHARE,
    STREAM_BYTES,
    UNPACKED_BYTES,
    UNPACKING_S,
)
from .communication import volumes
from .formats import FORMATS
from .inference import cache_bytes
from .job import Job
from .layout import Layout
from .optimizer import adapter_state_bytes, gradient_bytes, state_bytes
from .weights import block_weight_bytes, trained_params


@dataclass(frozen=True, slots=True)
class Demand:
    """One micro-batch on one card. Operations include what narrow products lose; bytes pass the card's memory.

    `updated_bytes` is a micro-batch's part of the step's update, `launch_s` seconds of the host's work,
    `overlapped_bytes` and `exposed_bytes` pass links.
    """

    matrix_operations: float
    attention_operations: float
    moved_bytes: float
    updated_bytes: float
    launch_s: float
    overlapped_bytes: float
    exposed_bytes: float


@lru_cache(maxsize=16384)
def demand(job: Job, layout: Layout) -> Demand:
    """Return what one micro-batch of training asks of one card."""
    ranks = layout.tp * layout.pp
    matrix, attention = flops_per_token(job)
    narrow = (job.model.hidden + HIDDEN_HALF) / job.model.hidden
    sent = volumes(job, layout)
    return Demand(
        matrix_operations=job.tokens * matrix * narrow / ranks,
        attention_operations=job.tokens * attention * narrow / ranks,
        moved_bytes=(job.tokens * _stream_bytes(job) + _unpacking_bytes(job)) / ranks,
        updated_bytes=_update_bytes(job) / ranks / layout.shards(1) / layout.micro_batches,
        launch_s=_launch_seconds(job) / layout.pp,
        overlapped_bytes=sent.overlapped,
        exposed_bytes=sent.exposed,
    )


@dataclass(frozen=True, slots=True)
class ServingDemand:
    """Sequences on one replica, read and answered: operations and bytes on one card, whatever card it is.

    `prompt_operations` for all prompts; `token_operations`, `read_bytes` (of its memory), `exchanged_bytes` (over
    links), `launch_s` (beside which the card works) and `waiting_s` (launches, and the latency of exchanges) for one token
    of each sequence.
    """

    sequences: float
    generated: int
    prompt_operations: float
    token_operations: float
    read_bytes: float
    exchanged_bytes: float
    launch_s: float
    waiting_s: float


@lru_cache(maxsize=16384)
def serving_demand(job: Job, layout: Layout) -> ServingDemand:
    """Return what serving asks of one card; sequences are spread over the replicas.

    Qwen2.5-7B in bf16, one sequence: 14.1e9 bytes of weights are read for each token.
    """
    model, sequences = job.model, job.micro_batch / layout.dp
    batch = max(1.0, sequences)
    cache = batch * cache_bytes(job, job.sequence_length + job.generate_tokens // 2)
    launched = model.layers * (job.engine.decode_s_per_layer + (UNPACKING_S if FORMATS[job.weights].quantized else 0.0))
    exchanges = 2 * model.layers if layout.tp > 1 else 0
    return ServingDemand(
        sequences=sequences,
        generated=max(1, job.generate_tokens),
        prompt_operations=_prompt_operations(job, batch) / layout.tp,
        token_operations=batch * 2 * matmul_params(model) / layout.tp,
        read_bytes=(_touched_bytes(job, batch) + cache) / layout.tp / job.engine.decode_bandwidth_share,
        exchanged_bytes=exchanges * batch * model.hidden * 2.0,
        launch_s=launched if job.engine.launches_ahead else 0.0,
        waiting_s=(0.0 if job.engine.launches_ahead else launched) + exchanges * ALL_REDUCE_S,
    )


def _touched_bytes(job: Job, batch: float) -> float:
    """Bytes of weights that a token of each sequence passes: of experts the chosen ones, until all are chosen."""
    model = job.model
    touched = min(1.0, batch * active_params(model) / total_params(model)) if model.experts else 1.0
    return block_weight_bytes(job) * touched + table_params(model) * 2.0 / (1.0 if model.tied else 2.0)


def _prompt_operations(job: Job, batch: float) -> float:
    """Operations to read the prompts: 2·P a token and 2·L·a·d·s of attention, which runs at a lower rate."""
    attention = 2.0 * job.model.layers * attention_width(job.model) * job.sequence_length
    return batch * job.sequence_length * (2 * matmul_params(job.model) + attention / PREFILL_ATTENTION_SHARE)


def flops_per_token(job: Job) -> tuple[float, float]:
    """Return (matrix, attention) operations per trained token.

    Forward 2·P, gradients of activations 2·P, of weights 2·P when they are trained; attention forward 4·L·a·d·s/2
    (causal) and two and a half times that backward; checkpointing repeats the forward pass. Llama-2-7B full: 6·6.6e9 =
    39.6e9.
    """
    again = {"full": 2.0, "selective": 1.0}.get(job.checkpointing, 0.0)
    passes = 4.0 + (2.0 if job.full else 0.0) + again
    attention = 2.0 * job.model.layers * attention_width(job.model) * job.sequence_length
    repeats = 3.5 + (1.0 if job.checkpointing == "full" else 0.0)
    return passes * matmul_params(job.model), attention * repeats


def _stream_bytes(job: Job) -> float:
    """Bytes per token of norms, activations, residuals and logits, which pass memory and not tensor cores."""
    model = job.model
    wide = model.experts_per_token * (model.moe_ffn or model.ffn) if model.experts else model.ffn
    repeats = 1.33 if job.checkpointing == "full" else 1.0
    passed = STREAM_BYTES * job.engine.stream_share * repeats
    return model.layers * (model.hidden + wide / 4) * passed + LOGIT_TRAFFIC_BYTES * model.vocab


def _unpacking_bytes(job: Job) -> float:
    """Bytes to unpack quantised weights for each pass over them: forward, backward, and forward again."""
    if job.full or not FORMATS[job.weights].unpacks:
        return 0.0
    passes = 3 if job.checkpointing == "full" else 2
    return passes * block_params(job.model) * UNPACKED_BYTES


def _launch_seconds(job: Job) -> float:
    """Launching kernels keeps the host busy, and short batches wait for it. Adapters launch about twice as many."""
    return job.model.layers * job.engine.step_s_per_layer * (1.0 if job.full else 2.0)


def _update_bytes(job: Job) -> float:
    """Bytes that the optimizer reads and writes in a step: gradients, states and weights."""
    states = state_bytes(job) if job.full else adapter_state_bytes(job)
    return trained_params(job) * (2 * (gradient_bytes(job) + states) + 2)
