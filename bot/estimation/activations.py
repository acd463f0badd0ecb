"""What one block keeps for its backward pass, tensor by tensor, in bytes per token."""

from dataclasses import dataclass
from functools import lru_cache

from .architecture import active_ffn, attention_width
from .formats import FORMATS
from .job import Job


@dataclass(frozen=True, slots=True)
class Kept:
    """Bytes per token that one block keeps.

    `stream` is as wide as the hidden size and stays whole under tensor parallelism, `attention` and `mlp` are divided;
    `scores` is the quadratic part of attention without FlashAttention; the transients exist only while that part of the
    block runs backwards.
    """

    stream: float
    attention: float
    mlp: float
    scores: float
    mlp_transient: float
    scores_transient: float

    @property
    def saved(self) -> float:
        """All that is kept until the backward pass."""
        return self.stream + self.attention + self.mlp + self.scores

    @property
    def backward_peak(self) -> float:
        """The most that is alive while the block runs backwards: in its MLP, or later in its attention."""
        return max(
            self.saved + self.mlp_transient, self.stream / 2 + self.attention + self.scores + self.scores_transient
        )


@lru_cache(maxsize=4096)
def kept(job: Job) -> Kept:
    """Return what a block of `job` keeps. Traced with fake tensors for Llama, Mistral, Qwen2 and Qwen3 blocks.

    Llama-2-7B, full tuning in bf16, FlashAttention: 16·h + 8·a·d + 4·a + 8·f = 65,536 + 32,768 + 128 + 88,064 B a
    token.
    """
    width = attention_width(job.model)
    return Kept(
        stream=_stream(job),
        attention=_attention(job),
        mlp=_mlp(job),
        scores=0.0 if job.flash_attention else 6.0 * job.model.heads * job.sequence_length,
        mlp_transient=4.0 * active_ffn(job.model),
        scores_transient=0.0 if job.flash_attention else 6.0 * job.model.heads * job.sequence_length + 2.0 * width,
    )


def _stream(job: Job) -> float:
    """Norms, and the copies of their outputs that linear layers and adapters keep."""
    hidden = job.model.hidden
    per_norm = _norm(job)
    copies = 0.0
    if _casts(job):
        copies = 2.0 * (5 if job.model.gated else 4)  # autocast casts the input anew for q, k, v, gate and up
    elif not job.full:
        joined = job.engine.fused_attention_input or job.model.fused_qkv
        count = _inputs(job, ("q", "k", "v"), joined=joined) + _inputs(
            job, ("gate", "up"), joined=job.model.fused_gate_up
        )
        copies = _adapter_input(job) * count
    return (job.model.norms_per_layer * per_norm + copies) * hidden


def _casts(job: Job) -> bool:
    """Whether autocast makes 16-bit copies of fp32 tensors for each linear layer."""
    return job.precision == "amp" and job.full and job.engine.autocasts


def _inputs(job: Job, names: tuple[str, ...], *, joined: bool) -> int:
    """Count the inputs that adapters on these layers keep: one for all when they are one layer."""
    adapted = sum(name in job.lora_targets for name in names)
    return min(adapted, 1) if joined else adapted


def _adapter_input(job: Job) -> float:
    """Bytes per element of the copy of its input that an adapter keeps; more where quantised layers hand on fp32."""
    extra = job.engine.quantized_stream_bytes - 2.0 if FORMATS[job.weights].on_load else 0.0
    return job.engine.adapter_input_bytes + extra


def _norm(job: Job) -> float:
    """Bytes per hidden element of one norm: its input, raised to fp32 where the stack does so, and what follows it.

    Eager RMSNorm keeps an fp32 copy (4), the normed values (2) for its weight and its output (2) for the linear layers;
    with frozen weights only the first. LayerNorm and fused norms keep the 16-bit input and output.
    """
    if _casts(job):
        return 8.0
    own_input = 0.0 if job.engine.adapter_input_bytes else 2.0
    if job.engine.fused_norm or not job.model.gated:
        return 2.0 + (2.0 if job.full else own_input)
    return 4.0 + (4.0 if job.full else own_input)


def _attention(job: Job) -> float:
    """Queries, keys, values and output, with the keys and values of grouped heads repeated where the stack does so."""
    model = job.model
    width, narrow = attention_width(model), float(model.kv_heads * model.head_dim)
    shared = width if job.engine.repeats_kv and model.heads != model.kv_heads else narrow
    total = (
        2 * width
        + 4 * shared
        + (2 * width + 4 * model.heads if job.flash_attention else (2 * width if job.full else 0.0))
    )
    if model.fused_qkv and shared == narrow and not _casts(job):
        total += 2 * (width + narrow)  # values are a view, which keeps the whole joined projection alive
    if job.engine.keeps_joined_qkv:
        # The value is a view that keeps the whole joined projection alive; queries and keys are rotated, then joined
        # anew.
        total += 4 * (width + narrow)
    if FORMATS[job.weights].on_load:
        total *= job.engine.quantized_stream_bytes / 2
    if model.qk_norm:
        total += (width + narrow) * (6.0 if job.full else 4.0)
    if model.kv_lora_rank:
        total += 2.0 * ((model.q_lora_rank or 0) + model.kv_lora_rank) * 2
    if not job.full and "o" in job.lora_targets:
        total += _adapter_input(job) * width
    return total


def _mlp(job: Job) -> float:
    """Gate, up, activation and, when the weight after it is trained, product; of the experts that a token takes."""
    width = active_ffn(job.model)
    kept_widths = 6.0 if job.model.gated else 2.0
    if job.full:
        kept_widths += 2.0
    elif "down" in job.lora_targets:
        kept_widths += _adapter_input(job) or 2.0
    routed = 0.0
    if job.model.experts:
        routed = 4.0 * job.model.experts_per_token * job.model.hidden + 8.0 * job.model.experts
    return kept_widths * width + routed
