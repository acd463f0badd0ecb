"""Reads a model's published configuration (the `config.json` of a hub address) into the shape that estimates need."""

import re
from collections.abc import Mapping
from typing import Any

from bot.errors import EstimateError

from .request import ModelSpec

# What publishers call the same figure; the first name that is there counts.
_NAMES = {
    "layers": ("num_hidden_layers", "n_layer", "num_layers", "n_layers"),
    "hidden": ("hidden_size", "n_embd", "d_model"),
    "heads": ("num_attention_heads", "n_head", "n_heads", "num_heads"),
    "kv_heads": ("num_key_value_heads", "multi_query_group_num", "num_kv_heads", "n_head_kv"),
    "head_dim": ("head_dim", "kv_channels"),
    "ffn": ("intermediate_size", "ffn_hidden_size", "n_inner", "ffn_dim"),
    "vocab": ("vocab_size", "padded_vocab_size"),
    "experts": ("num_local_experts", "num_experts", "n_routed_experts"),
    "experts_per_token": ("num_experts_per_tok", "moe_topk"),
}
_PART = r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}"
_BARE = re.compile(rf"(?P<org>{_PART})/(?P<name>{_PART})")
_ADDRESS = re.compile(
    r"(?:https?://)?(?:www\.)?(?:huggingface\.co|hf\.co|hf-mirror\.com|modelscope\.cn/models)/"
    rf"(?P<org>{_PART})/(?P<name>{_PART})(?:[/?#]\S*)?",
    re.IGNORECASE,
)
_VERSIONED = re.compile(r"(?=.*[A-Za-z]{3})(?=.*[\d-])")
_LETTER = re.compile(r"[A-Za-z]")
_NEEDED = ("layers", "hidden", "heads", "vocab")
_UNGATED = ("gelu", "gelu_new", "gelu_fast", "relu")


def read_config(config: Mapping[str, Any]) -> ModelSpec:
    """Return the shape that a `config.json` describes; parameters are counted from it.

    The text part of a model with several parts counts. Raises EstimateError when layers, hidden size, heads or
    vocabulary are missing, as in the configuration of an adapter. The counts agree with published ones within 3 %.
    """
    text = config.get("text_config")
    config = text if isinstance(text, Mapping) else config
    found = {field: _figure(config, names) for field, names in _NAMES.items()}
    missing = [field for field in _NEEDED if not found[field]]
    if missing:
        raise EstimateError(f"the configuration does not say: {', '.join(missing)}")
    hidden, heads = found["hidden"] or 1, found["heads"] or 1
    found["kv_heads"] = found["kv_heads"] or heads
    found["head_dim"] = found["head_dim"] or max(1, hidden // heads)
    found["ffn"] = found["ffn"] or 4 * hidden
    gated = str(config.get("hidden_act") or config.get("activation_function") or "silu") not in _UNGATED
    tied = bool(config.get("tie_word_embeddings", False))
    expert_width = _figure(config, ("moe_intermediate_size",)) or found["ffn"]
    if found["experts"]:
        found["ffn"] = expert_width
    total, active = _count(found, gated=gated, tied=tied)
    figures = {field: value for field, value in found.items() if value}
    return ModelSpec(
        params_b=total / 1e9,
        active_params_b=active / 1e9 if found["experts"] else None,
        gated=gated,
        tied=tied,
        **figures,
    )


def repo_id(text: str) -> str | None:
    """Return the "org/name" that a text names, bare or in a hub's address; None where it names none.

    "https://huggingface.co/acme/rocket-9b/tree/main" gives "acme/rocket-9b".
    """
    match = _ADDRESS.fullmatch(text.strip()) or _BARE.fullmatch(text.strip())
    if match is None or ".." in match[0] or not _LETTER.search(match["name"]):
        return None
    return f"{match['org']}/{match['name']}"


def repos_in(text: str) -> tuple[str, ...]:
    """Return the first two repositories that a message names: by an address, or alone as "org/name" with a version or size.

    Two words with a stroke between them, as in "and/or" or "H100/A100", name none.
    """
    found = (repo for word in text.split() if (repo := _named(word.strip("<>()[]\"',;，。；、（）"))))
    return tuple(dict.fromkeys(found))[:2]


def _named(word: str) -> str | None:
    repo = repo_id(word)
    if repo is None or _ADDRESS.fullmatch(word):
        return repo
    org, name = repo.split("/")
    return repo if _LETTER.search(org) and _VERSIONED.match(name) else None


def _figure(config: Mapping[str, Any], names: tuple[str, ...]) -> int | None:
    for name in names:
        value = config.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    return None


def _count(found: Mapping[str, int | None], *, gated: bool, tied: bool) -> tuple[float, float]:
    """Return (all, active) parameters: attention 2·h·a·d + 2·h·k·d, feed-forward 3·h·f or 2·h·f, and the tables."""
    figure = {field: float(value or 0) for field, value in found.items()}
    hidden, width = figure["hidden"], figure["heads"] * figure["head_dim"]
    attention = 2 * hidden * width + 2 * hidden * figure["kv_heads"] * figure["head_dim"]
    expert = (3 if gated else 2) * hidden * figure["ffn"]
    tables = figure["vocab"] * hidden * (1 if tied else 2)
    experts, chosen = figure["experts"] or 1, figure["experts_per_token"] or 1
    total, active = (figure["layers"] * (attention + n * expert) + tables for n in (experts, chosen))
    return total, active
