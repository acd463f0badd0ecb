"""The memory of serving: weights, cache, and the working memory of reading the prompt."""

from .architecture import active_ffn, attention_width, cache_bytes_per_token, embedding_params
from .assumptions import FORWARD_LOGITS_BYTES, PROFILE_TOKENS
from .formats import FORMATS
from .job import Job
from .layout import Layout
from .parts import GIB, Bytes
from .weights import block_weight_bytes, held_tables, table_weight_bytes, unpacked_bytes


def serving_peak(job: Job, layout: Layout) -> Bytes:
    """Return the peak on one card: after the prompt (its working memory) or at the end (the longest cache).

    Qwen2.5-7B in bf16, 30,720 tokens in and 2,048 out: 15.2e9 of weights + 1.9e9 of cache, and 4.4e9 while the prompt
    is read.
    """
    ranks = layout.tp * layout.pp
    batch = _share(job, layout)
    tables = table_weight_bytes(job) / (1 if job.engine.whole_tables else ranks)
    weights = (block_weight_bytes(job) / ranks + tables) / layout.shards(3)
    prompt = batch * cache_bytes(job, job.sequence_length) / _cache_ranks(job, layout)
    whole = batch * cache_bytes(job, job.sequence_length + job.generate_tokens) / _cache_ranks(job, layout)
    if job.engine.pool_share:
        # A serving engine sets the cache for all sequences aside at the start, beside the memory of its own profile
        # run.
        profile = _profile(job) / layout.tp
        return Bytes(weights=weights, kv_cache=whole, activations=profile, logits=0.5 * GIB / layout.tp)
    copies = 2.0 if job.engine.copies_cache and not job.flash_attention else 1.0
    buffers = unpacked_bytes(job) / layout.tp if FORMATS[job.weights].unpacks else 0.0
    last = 4.0 * batch * job.model.vocab / layout.tp
    reading, logits = _working(job, batch) / layout.tp, _logits(job, batch) / layout.tp
    return max(
        Bytes(weights=weights, kv_cache=whole * copies, logits=last, buffers=buffers),
        Bytes(weights=weights, kv_cache=prompt, activations=reading, logits=logits, buffers=buffers),
        Bytes(weights=weights, buffers=_loading(job)),
        key=sum,
    )


def cache_bytes(job: Job, tokens: int) -> float:
    """Return the bytes of one sequence's cache; layers with a sliding window keep no more than the window."""
    model = job.model
    per_token = cache_bytes_per_token(model)
    window = model.sliding_window_tokens
    if window and model.windowed_layers and job.engine.pool_share and tokens > window:
        local = model.windowed_layers / model.layers
        return per_token * (tokens * (1 - local) + window * local)
    return per_token * tokens


def _loading(job: Job) -> float:
    """Bytes beside the weights while they are loaded.

    Weights quantised on the card arrive layer by layer in 16 bits and leave a copy behind; loaders of quantised files
    make the output head before they tie it to the embedding.
    """
    form = FORMATS[job.weights]
    tied = form.quantized and job.model.tied and held_tables(job) == 1.0
    untied = 2.0 * embedding_params(job.model) if tied else 0.0
    return untied + (2 * unpacked_bytes(job) if form.on_load else 0.0)


def _cache_ranks(job: Job, layout: Layout) -> int:
    """Ranks that share the cache: tensor ranks share its heads, but each keeps a latent cache whole."""
    heads = 1 if job.model.kv_lora_rank else job.model.kv_heads
    return layout.pp * min(layout.tp, heads)


def _share(job: Job, layout: Layout) -> float:
    """Sequences on one replica: they are spread over the data-parallel ranks."""
    return float(-(-job.micro_batch // layout.dp)) if layout.dp > 1 else float(job.micro_batch)


def _working(job: Job, batch: float) -> float:
    """Bytes that one block works with while the prompt is read: T·2·(3·f + 4·h), and scores without FlashAttention."""
    tokens = batch * job.sequence_length
    scores = 0.0 if job.flash_attention else 6.0 * batch * job.model.heads * job.sequence_length**2
    return tokens * 2.0 * (3 * active_ffn(job.model) + 4 * max(job.model.hidden, attention_width(job.model))) + scores


def _profile(job: Job) -> float:
    """Bytes that the profile run of a serving engine takes: one batch of 8,192 tokens."""
    return PROFILE_TOKENS * 2.0 * (3 * active_ffn(job.model) + 4 * job.model.hidden)


def _logits(job: Job, batch: float) -> float:
    """Logits after the prompt: of the last token when text is generated; of all of it in a plain forward pass.

    A forward pass outside `generate` returns logits for every position and raises them to fp32: about 10 B an entry.
    """
    if job.generate_tokens <= 1 and not job.engine.pool_share:
        return FORWARD_LOGITS_BYTES * batch * job.sequence_length * job.model.vocab
    return 4.0 * batch * job.model.vocab
