"""The memory of serving: weights, cache, and the working memory of reading the prompt."""

from .architecture import active_ffn, attention_width, cache_bytes_per_token
from .job import Job
from .layout import Layout
from .parts import GIB, Bytes
from .weights import block_weight_bytes, table_weight_bytes


def serving_peak(job: Job, layout: Layout) -> Bytes:
    """Return the peak on one card: after the prompt (its working memory) or at the end (the longest cache).

    Qwen2.5-7B in bf16, 30,720 tokens in and 2,048 out: 15.2e9 of weights + 1.9e9 of cache, and 4.4e9 while the prompt
    is read.
    """
    ranks = layout.tp * layout.pp
    batch = _share(job, layout)
    weights = (block_weight_bytes(job) + table_weight_bytes(job)) / ranks / layout.shards(3)
    prompt = batch * _cache(job, job.sequence_length)
    whole = batch * _cache(job, job.sequence_length + job.generate_tokens)
    divided = 1 if job.model.kv_lora_rank else layout.tp
    working = _working(job, batch) / layout.tp
    logits = _logits(job, batch) / layout.tp
    end = Bytes(weights=weights, kv_cache=whole / divided / layout.pp, logits=4.0 * batch * job.model.vocab / layout.tp)
    reading = Bytes(weights=weights, kv_cache=prompt / divided / layout.pp, activations=working, logits=logits)
    peak = max(end, reading, key=sum)
    if job.engine.pool_share:
        # A serving engine sets the cache for all sequences aside at the start, beside the working memory of its own
        # profile run.
        peak = Bytes(
            weights=weights,
            kv_cache=whole / divided / layout.pp,
            activations=_profile(job) / layout.tp,
            logits=0.5 * GIB / layout.tp,
        )
    return peak


def _share(job: Job, layout: Layout) -> float:
    """Sequences on one replica: they are spread over the data-parallel ranks."""
    return float(-(-job.micro_batch // layout.dp)) if layout.dp > 1 else float(job.micro_batch)


def _cache(job: Job, tokens: int) -> float:
    """Bytes of one sequence's cache; layers with a sliding window keep no more than the window."""
    model = job.model
    per_token = cache_bytes_per_token(model)
    window = model.sliding_window_tokens
    if window and model.windowed_layers and job.engine.pool_share and tokens > window:
        local = model.windowed_layers / model.layers
        return per_token * (tokens * (1 - local) + window * local)
    return per_token * tokens


def _working(job: Job, batch: float) -> float:
    """Bytes that one block works with while the prompt is read: T·2·(3·f + 4·h), and scores without FlashAttention."""
    tokens = batch * job.sequence_length
    scores = 0.0 if job.flash_attention else 6.0 * batch * job.model.heads * job.sequence_length**2
    return tokens * 2.0 * (3 * active_ffn(job.model) + 4 * max(job.model.hidden, attention_width(job.model))) + scores


def _profile(job: Job) -> float:
    """Bytes that the profile run of a serving engine takes: one batch of 8,192 tokens."""
    return 8192 * 2.0 * (3 * active_ffn(job.model) + 4 * job.model.hidden)


def _logits(job: Job, batch: float) -> float:
    """Logits after the prompt: of the last token when text is generated; of all of it in a plain forward pass.

    A forward pass outside `generate` returns logits for every position and raises them to fp32: about 10 B an entry.
    """
    if job.generate_tokens <= 1 and not job.engine.pool_share:
        return 10.0 * batch * job.sequence_length * job.model.vocab
    return 4.0 * batch * job.model.vocab
