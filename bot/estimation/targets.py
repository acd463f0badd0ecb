"""The layers that LoRA adapters sit on, by the names that people and libraries use."""

import re

from bot.errors import EstimateError

# Adapters by the names that people use; "attention-qkv" is one fused layer in many stacks.
TARGETS = {
    "qv": ("q", "v"),
    "attention-qkv": ("q", "k", "v"),
    "attention": ("q", "k", "v", "o"),
    "all-linear": ("q", "k", "v", "o", "gate", "up", "down"),
}
_OTHER_NAMES = {"all": "all-linear", "all_linear": "all-linear", "linear": "all-linear", "qkv": "attention-qkv"}
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


def modules(targets: str | list[str] | None) -> tuple[str, ...]:
    """Return the short names of the layers that carry adapters; unknown names in a list are left out.

    Raises EstimateError when nothing is left.
    """
    if isinstance(targets, str) and targets in TARGETS:
        return TARGETS[targets]
    names = re.split(r"[,，、\s]+", targets.strip()) if isinstance(targets, str) else list(targets or ())
    found: list[str] = []
    for name in names:
        folded = name.casefold().rsplit(".", maxsplit=1)[-1]
        folded = _OTHER_NAMES.get(folded, folded)
        found += TARGETS.get(folded) or _FUSED_NAMES.get(folded) or (_MODULE_NAMES.get(folded, folded),)
    chosen = tuple(name for name in TARGETS["all-linear"] if name in found)
    if not chosen:
        raise EstimateError(f"no known layer among the LoRA targets {targets!r}")
    return chosen
