"""Counts of a model: parameters by kind, adapters, cache entries and operations, all from its shape."""

from functools import lru_cache

from .models import Model

EMBEDDINGS = ("embedding", "head")
MODULES = ("q", "k", "v", "o", "gate", "up", "down")


def embedding_params(model: Model) -> float:
    """Return the parameters of one embedding table: V·h; Llama-2-7B: 32,000·4,096 = 131 M."""
    return float(model.vocab * model.hidden)


def table_params(model: Model) -> float:
    """Return embedding and output head together: once when they are tied, else twice."""
    return embedding_params(model) * (1.0 if model.tied else 2.0)


def total_params(model: Model) -> float:
    """Return all parameters that lie in memory; of a mixture of experts all experts."""
    return model.params_b * 1e9


def block_params(model: Model) -> float:
    """Return the parameters of all blocks: everything but embedding and head."""
    return max(total_params(model) - table_params(model), 0.0)


def layer_params(model: Model) -> float:
    """Return the parameters of an average block; Llama-2-7B: 202 M."""
    return block_params(model) / model.layers


@lru_cache(maxsize=512)
def module_shapes(model: Model) -> dict[str, tuple[int, int]]:
    """Return the (inputs, outputs) of each linear layer of one block, by its short name."""
    query, key = model.heads * model.head_dim, model.kv_heads * model.head_dim
    width = active_ffn(model)
    shapes = {
        "q": (model.hidden, query),
        "k": (model.hidden, key),
        "v": (model.hidden, key),
        "o": (query, model.hidden),
        "up": (model.hidden, width),
        "down": (width, model.hidden),
    }
    if model.gated:
        shapes["gate"] = (model.hidden, width)
    return shapes


def active_ffn(model: Model) -> int:
    """Return the width of the feed-forward layers that one token passes: of experts the chosen and the shared ones."""
    if not model.experts:
        return model.ffn
    return model.experts_per_token * (model.moe_ffn or model.ffn) + model.shared_ffn


@lru_cache(maxsize=512)
def active_params(model: Model) -> float:
    """Return the parameters that one token passes; the published figure where there is one."""
    return (model.active_params_b or model.params_b) * 1e9


def matmul_params(model: Model) -> float:
    """Return the parameters that one token is multiplied with: the active ones, without the embedding look-up."""
    lookups = embedding_params(model) if not model.tied else 0.0
    return max(active_params(model) - lookups, 1e6)


@lru_cache(maxsize=2048)
def adapter_params(model: Model, rank: int, targets: tuple[str, ...]) -> float:
    """Return the parameters of all LoRA adapters: r·(in + out) each (arXiv 2106.09685).

    Llama-2-7B, rank 8 on q and v: 32·2·8·(4,096 + 4,096) = 4.2 M. Experts carry an adapter each.
    """
    shapes = module_shapes(model)
    total = 0.0
    for name in targets:
        if name not in shapes:
            continue
        if model.experts and name in ("gate", "up", "down"):
            width = model.moe_ffn or model.ffn
            total += rank * (model.hidden + width) * model.experts * model.layers
        else:
            total += rank * sum(shapes[name]) * model.layers
    return total - rank * model.hidden * model.layers * _shared_inputs(model, targets)


def _shared_inputs(model: Model, targets: tuple[str, ...]) -> int:
    """Count the adapters' input sides that joined projections spare: q, k and v in one layer need one, not three."""
    spared = max(0, sum(name in targets for name in ("q", "k", "v")) - 1) if model.fused_qkv else 0
    if model.fused_gate_up and not model.experts:
        spared += max(0, sum(name in targets for name in ("gate", "up")) - 1)
    return spared


def cache_bytes_per_token(model: Model, cache_bits: int = 16) -> float:
    """Return the bytes that one cached token takes over all layers: 2·L·k·d·2; Qwen2.5-7B: 2·28·4·128·2 = 57 kB.

    Latent attention (MLA, arXiv 2405.04434) keeps one compressed vector per layer instead: L·(rank + rope)·2.
    """
    per_element = cache_bits / 8
    if model.kv_lora_rank:
        return model.layers * (model.kv_lora_rank + (model.rope_head_dim or 0)) * per_element
    layers = model.cached_layers or model.layers
    return 2.0 * layers * model.kv_heads * model.head_dim * per_element


def attention_width(model: Model) -> float:
    """Return heads·head_dim, the width of scores times values."""
    return float(model.heads * model.head_dim)
