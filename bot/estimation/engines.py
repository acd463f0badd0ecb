"""Named traits of the software stacks that train and serve: what they keep, copy and reserve beyond the arithmetic."""

from collections.abc import Mapping
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, eq=False)
class Engine:
    """What a software stack does with memory and time; each trait is its documented or traced habit.

    `step_s_per_layer` and
    `decode_s_per_layer` are the seconds that launching and small kernels add to a training step and to a decoded
    token, and
    `decode_bandwidth_share` the share of memory bandwidth that reading weights reaches. Byte figures are per element;
    `adapter_bytes` is the size of a LoRA weight, `adapter_input_bytes` that of the copy
    of
    its input which every adapter keeps (0: it uses the layer's own input). `logits_forward_bytes` and
    `logits_backward_bytes` are per token and vocabulary entry at the end of the forward pass and at its peak after it.
    """

    name: str
    adapter_bytes: float = 4.0
    adapter_input_bytes: float = 4.0
    logits_forward_bytes: float = 10.0
    logits_backward_bytes: float = 14.0
    repeats_kv: bool = True
    fused_norm: bool = False
    keeps_mask: bool = False
    accumulates: bool = True
    optimizer_temporary: str = "none"
    upcasts_unquantized: bool = False
    gathers: str = "units"
    checkpointing: str = "full"
    fused_attention_input: bool = False
    slack: float = 1.03
    variable_lengths: bool = False
    workspace_gib: float = 0.3
    pipelined: bool = True
    autocasts: bool = True
    main_gradients: bool = False
    keeps_joined_qkv: bool = False
    quantized_stream_bytes: float = 2.0
    unties: bool = False
    whole_tables: bool = False
    copies_cache: bool = False
    pool_share: float = 0.0
    default_precision: str = "mixed"
    step_s_per_layer: float = 700e-6
    decode_s_per_layer: float = 115e-6
    decode_bandwidth_share: float = 0.85


_TRANSFORMERS = Engine(
    "transformers",
    keeps_mask=True,
    copies_cache=True,
    pipelined=False,
    gathers="live",
    accumulates=False,
    optimizer_temporary="largest",
    slack=1.04,
    workspace_gib=1.3,
    upcasts_unquantized=True,
    step_s_per_layer=2200e-6,
    decode_s_per_layer=500e-6,
)
_FUSED = replace(
    _TRANSFORMERS,
    name="unsloth",
    upcasts_unquantized=False,
    logits_forward_bytes=0.5,
    logits_backward_bytes=1.0,
    repeats_kv=False,
    fused_norm=True,
    keeps_mask=False,
)
_COMPILED = Engine(
    "torchtitan",
    adapter_bytes=2.0,
    adapter_input_bytes=0.0,
    repeats_kv=False,
    fused_norm=True,
    autocasts=False,
    logits_forward_bytes=10.0,
    logits_backward_bytes=9.0,
    checkpointing="selective",
)

ENGINES: Mapping[str, Engine] = {
    engine.name: engine
    for engine in (
        _TRANSFORMERS,
        replace(_TRANSFORMERS, name="deepspeed", main_gradients=True, accumulates=True, optimizer_temporary="none"),
        replace(_TRANSFORMERS, name="fsdp", gathers="units", pipelined=True, accumulates=True,
        upcasts_unquantized=False, step_s_per_layer=700e-6),
        replace(_TRANSFORMERS, name="accelerate"),
        replace(_TRANSFORMERS, name="llama-factory"),
        replace(
            _TRANSFORMERS, name="swift", optimizer_temporary="all", upcasts_unquantized=True,
            variable_lengths=True, default_precision="pure",
            fused_attention_input=True, keeps_mask=False,
        ),
        _FUSED,
        replace(_FUSED, name="liger"),
        Engine(
            "litgpt", unties=True, keeps_joined_qkv=True, quantized_stream_bytes=4.0, gathers="whole",
            whole_tables=True, pipelined=False, adapter_bytes=2.0, adapter_input_bytes=3.0, logits_forward_bytes=4.0,
            logits_backward_bytes=8.0,
            optimizer_temporary="all", checkpointing="none", fused_attention_input=True, default_precision="pure",
        ),
        replace(_COMPILED, name="torchtune", logits_forward_bytes=4.0, logits_backward_bytes=6.0, checkpointing="full",
        default_precision="pure"),
        _COMPILED,
        replace(_COMPILED, name="megatron", main_gradients=True, logits_forward_bytes=6.0, logits_backward_bytes=8.0),
        replace(_COMPILED, name="nemo", main_gradients=True, logits_forward_bytes=6.0, logits_backward_bytes=8.0),
        Engine("vllm", pool_share=0.9, workspace_gib=1.0),
        Engine("sglang", pool_share=0.85, workspace_gib=1.0),
        Engine("tgi", pool_share=0.9, workspace_gib=1.0),
        Engine("tensorrt-llm", pool_share=0.9, workspace_gib=1.0, decode_s_per_layer=60e-6),
        Engine("llama.cpp", workspace_gib=0.3),
    )
}  # fmt: skip

_OTHER_NAMES = {
    "hf": "transformers", "huggingface": "transformers", "peft": "transformers", "trl": "transformers", "pytorch":
    "fsdp",
    "zero": "deepspeed", "ms-swift": "swift", "megatron-lm": "megatron", "llamafactory": "llama-factory", "trtllm":
    "tensorrt-llm",
}  # fmt: skip


def find_engine(name: str) -> Engine | None:
    """Return the traits of the stack called `name`, or None when it is not known."""
    folded = name.strip().casefold().replace("_", "-")
    return ENGINES.get(_OTHER_NAMES.get(folded, folded))
