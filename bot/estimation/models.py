"""The models that customers name: one record each, found by any usual name, and typical ones for a bare size."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from bot.errors import UnknownNameError

from .catalogue import records
from .names import fold, latin, near_misses, spellings, variants
from .request import ModelSpec

_BARE = re.compile(
    r"^(?:about|around|~|约|大概|大约|差不多|一个)*(\d+(?:\.\d+)?)(b|m|亿)?"
    r"(?:级别?|级|的|左右|参数|模型|params?|parameters?|model|dense)*(?:a(\d+(?:\.\d+)?)b)?$"
)
_SIZED = re.compile(r"^(.*\S)[\s\-_]+(\d+(?:\.\d+)?)b$")
_SAME_SIZE = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """A transformer's shape. Parameters in billions (1e9); hidden, ffn and heads in elements; contexts in tokens.

    `published_weights` is the format nearest to that of the published checkpoint, where that is not a 16-bit one: those of
    DeepSeek-V3, Kimi-K2 and MiniMax-M2 are in fp8, those of gpt-oss hold their experts in MXFP4 (`quantization_config` on the hub).
    """

    key: str
    family: str
    aliases: tuple[str, ...]
    params_b: float
    active_params_b: float | None
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    ffn: int
    vocab: int
    tied: bool
    gated: bool
    attention: str = "MHA"
    kv_lora_rank: int | None = None
    q_lora_rank: int | None = None
    rope_head_dim: int | None = None
    nope_head_dim: int | None = None
    v_head_dim: int | None = None
    experts: int = 0
    experts_per_token: int = 0
    shared_experts: int = 0
    moe_ffn: int = 0
    shared_ffn: int = 0
    dense_layers: int = 0
    encoder_decoder: bool = False
    qk_norm: bool = False
    norms_per_layer: int = 2
    softcap: bool = False
    fused_qkv: bool = False
    fused_gate_up: bool = False
    windowed_layers: int = 0
    cached_layers: int = 0
    max_context_tokens: int = 0
    sliding_window_tokens: int | None = None
    published_weights: str = ""
    source: str = ""
    source_date: str = ""
    independent_source: bool = True
    note: str = ""
    typical: bool = False

    @property
    def name(self) -> str:
        """The short name, without the publisher."""
        return self.key.rsplit("/", maxsplit=1)[-1]


@cache
def models() -> tuple[Model, ...]:
    """Return all models, in the order of the catalogue."""
    return tuple(_model(record) for record in records("models.toml", "model"))


@lru_cache(maxsize=4096)
def find_model(name: str) -> Model:
    """Return the model that `name` means: a hub id, a usual spelling, or a bare size such as "70B" or "70亿".

    A bare size gives a typical architecture (`typical` is true). Raises UnknownNameError with the nearest names.
    """
    known = _spellings()
    for candidate in variants(name):
        if candidate in known:
            return _by_key()[known[candidate]]
    sized = _with_its_size(name, known)
    if sized:
        return sized
    size = _BARE.match(re.sub(r"[\s_\-]+", "", name.casefold()))
    if size and (size[2] or "b" in name.casefold()):
        scale = {"亿": 0.1, "m": 0.001}.get(size[2], 1.0)
        active = float(size[3]) if size[3] else None
        return typical_model(float(size[1]) * scale, active_params_b=active)
    raise UnknownNameError("model", name, near_misses(name, known))


def _with_its_size(name: str, known: dict[str, str]) -> Model | None:
    """Return the model of a name that repeats its size, such as "DeepSeek-R1 671B"."""
    match = _SIZED.match(name.strip().casefold())
    key = known.get(latin(fold(match[1]))) if match else None
    model = _by_key()[key] if key else None
    return model if model and match and abs(float(match[2]) / model.params_b - 1) < _SAME_SIZE else None


# Sizes at which open models cluster, and the shape that most of them have there: (billions, layers, hidden, heads, kv
# heads, ffn, vocab).
_SHAPES = (
    (0.5, 24, 896, 14, 2, 4864, 151936), (1.5, 28, 1536, 12, 2, 8960, 151936), (3.0, 36, 2048, 16, 2, 11008, 151936),
    (7.2, 32, 4096, 32, 8, 14336, 32000), (7.6, 28, 3584, 28, 4, 18944, 152064), (8.0, 32, 4096, 32, 8, 14336, 128256), (14.8, 48, 5120, 40, 8, 13824,
    152064),
    (32.8, 64, 5120, 40, 8, 27648, 152064), (70.6, 80, 8192, 64, 8, 28672, 128256), (123.0, 88, 12288, 96, 8, 28672,
    32768),
    (405.9, 126, 16384, 128, 8, 53248, 128256),
)  # fmt: skip


@lru_cache(maxsize=256)
def typical_model(params_b: float, *, active_params_b: float | None = None) -> Model:
    """Return a dense model of `params_b` billion parameters with the shape that is usual at that size.

    The nearest usual shape is scaled in depth, so that 70 gives 80 layers of 8192 and 34 gives 66 of 5120. Of a mixture
    of experts only the active share is known, so experts are laid out to match: 8 chosen of enough to hold the rest.
    """
    if params_b <= 0:
        raise UnknownNameError("model", f"{params_b}b")
    _, layers, hidden, heads, kv_heads, ffn, vocab = min(
        _SHAPES, key=lambda s: abs(params_b / s[0] - 1) if params_b > s[0] else abs(s[0] / params_b - 1)
    )
    tied = params_b < 3.5  # noqa: PLR2004 - small models share embedding and head, larger ones do not
    embedding_b = vocab * hidden * (1 if tied else 2) / 1e9
    per_layer_b = (
        2 * hidden * heads * (hidden // heads) + 2 * hidden * kv_heads * (hidden // heads) + 3 * hidden * ffn
    ) / 1e9
    depth = max(1, round((params_b - embedding_b) / per_layer_b))
    key = f"typical-{params_b:g}b" + (f"-a{active_params_b:g}b" if active_params_b else "")
    experts = _typical_experts(active_params_b / params_b, ffn) if active_params_b else {}
    depth = layers if experts else depth
    return Model(
        key=key, family="typical", aliases=(), params_b=params_b, active_params_b=active_params_b, layers=depth,
        hidden=hidden, heads=heads,
        kv_heads=kv_heads, head_dim=hidden // heads, ffn=ffn, vocab=vocab, tied=tied, gated=True, attention="GQA",
        max_context_tokens=131072, source="usual shape at this size", typical=True, **experts,
    )  # fmt: skip


def _typical_experts(active_share: float, ffn: int) -> dict[str, Any]:
    """Return fields of a mixture of 64 experts of which a token takes `active_share`; none where it takes all."""
    chosen = max(1, round(64 * active_share))
    return {"experts": 64, "experts_per_token": chosen, "moe_ffn": max(64, ffn // 16)} if active_share < 1 else {}


@lru_cache(maxsize=256)
def described_model(spec: ModelSpec) -> Model:
    """Return the model that a customer describes; what is left out follows the usual shape of its size."""
    base = typical_model(spec.params_b, active_params_b=spec.active_params_b)
    hidden, heads = spec.hidden or base.hidden, spec.heads or base.heads
    if spec.hidden and not spec.heads:
        heads = max(1, spec.hidden // (spec.head_dim or 128))
    head_dim = spec.head_dim or max(1, hidden // heads)
    gated = spec.gated if spec.gated is not None else True
    ffn = spec.ffn or (round(base.ffn / base.hidden * hidden) if spec.hidden else base.ffn)
    return Model(
        key=spec.hub_id or f"custom-{spec.params_b:g}b",
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
        source="its published configuration" if spec.hub_id else "described by the customer",
    )


@cache
def _by_key() -> dict[str, Model]:
    return {model.key: model for model in models()}


@cache
def _spellings() -> dict[str, str]:
    return spellings((model.key, model.aliases) for model in models())


def _model(record: dict[str, Any]) -> Model:
    record = dict(record)
    record["key"] = record.pop("hub_id")
    record["aliases"] = tuple(record["aliases"])
    record.setdefault("active_params_b", None)
    return Model(**record)
