"""Named traits of the software stacks that train and serve: what they keep, copy and reserve beyond the arithmetic."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache


@dataclass(frozen=True, slots=True, eq=False)
class Engine:
    """What a software stack does with memory and time; each trait is a habit that documentation or traces show."""

    name: str

    # Adapters: bytes of a LoRA weight, and of the copy of its input that each keeps (0: it uses the layer's own input).
    adapter_bytes: float = 4.0
    adapter_input_bytes: float = 4.0
    fused_attention_input: bool = False  # q, k and v are adapted as one layer

    # Logits and loss: bytes per token and vocabulary entry that are alive when the loss has its gradient, and after it.
    logits_backward_bytes: float = 14.0
    logits_after_bytes: float = 2.0

    # Blocks: whether keys and values of grouped heads are repeated, norms are one kernel, padded batches keep a mask a
    # layer, autocast casts fp32 tensors, the joined projection stays alive, and bytes of what 4-bit layers hand on.
    repeats_kv: bool = True
    fused_norm: bool = False
    keeps_mask: bool = False
    autocasts: bool = True
    keeps_joined_qkv: bool = False
    quantized_stream_bytes: float = 2.0

    # Weights: whether the loader raises what is not quantised to fp32, keeps embedding and head apart though tied, and
    # keeps both whole on each rank.
    upcasts_unquantized: bool = False
    unties: bool = False
    whole_tables: bool = False

    # Gradients and step: kept between micro-batches, kept in fp32; what AdamW computes beside its states ("none" when
    # fused, "largest" for one tensor at a time, "all" for all at once).
    accumulates: bool = True
    main_gradients: bool = False
    optimizer_temporary: str = "none"

    # Sharing: what full sharding gathers ("units" two blocks, "live" DeepSpeed's limit, "whole" all weights), whether
    # pipelines keep several micro-batches in flight, whether a card holds several short stages instead of a long one,
    # and whether tensor ranks share the stream between blocks.
    gathers: str = "units"
    pipelined: bool = True
    interleaves: bool = False
    sequence_parallel: bool = False

    # Checkpointing that the stack does by itself, and whether it moves what it stores to the host.
    checkpointing: str = "full"
    offloads_checkpoints: bool = False

    # Allocator: what it holds beyond what is in use, as a factor and in GiB, and whether lengths vary from batch to
    # batch.
    slack: float = 1.03
    workspace_gib: float = 0.3
    variable_lengths: bool = False

    # Serving: the share of the card that is set aside as a pool (0: none), and whether the cache is joined anew for each
    # token, as it was before attention was fused: old and new are then alive together.
    pool_share: float = 0.0
    copies_cache: bool = False

    # Precision when nothing is said: "mixed" or "pure".
    default_precision: str = "mixed"

    # How far published runs of the stack lie from the estimate, nine times of ten.
    spread: float = 0.20

    # Time: seconds that launching kernels takes per layer of a training step, and per layer of a decoded token, whether
    # the latter runs ahead of the card (eager stacks) or is part of a graph, and the share of memory bandwidth that
    # reading weights reaches.
    step_s_per_layer: float = 700e-6
    decode_s_per_layer: float = 115e-6
    launches_ahead: bool = False
    decode_bandwidth_share: float = 0.85

    # Kernels: the share of a plain stack's traffic of norms, activations and residuals that is left where they are
    # fused, whether attention is written for Hopper, and how much quicker products are in fp8 (0: as in plain stacks).
    stream_share: float = 1.0
    hopper_attention: bool = False
    fp8_gain: float = 0.0


_TRANSFORMERS = Engine(
    "transformers",
    keeps_mask=True,
    copies_cache=True,
    upcasts_unquantized=True,
    accumulates=False,
    optimizer_temporary="largest",
    gathers="live",
    pipelined=False,
    slack=1.04,
    workspace_gib=1.3,
    spread=0.10,
    step_s_per_layer=2200e-6,
    decode_s_per_layer=750e-6,
    launches_ahead=True,
)

# The loss is computed with the head, piece by piece, so that logits never exist as a whole.
_FUSED = replace(
    _TRANSFORMERS,
    name="liger",
    spread=0.20,
    logits_backward_bytes=1.0,
    logits_after_bytes=0.5,
    repeats_kv=False,
    fused_norm=True,
    keeps_mask=False,
)

_PYTORCH = Engine(
    "torchtitan",
    adapter_bytes=2.0,
    adapter_input_bytes=0.0,
    logits_backward_bytes=12.0,
    repeats_kv=False,
    fused_norm=True,
    autocasts=False,
    sequence_parallel=True,
    checkpointing="selective",
)

# Transformer Engine: fused norms and activations, attention by cuDNN, scales of fp8 from earlier steps.
_MEGATRON = replace(
    _PYTORCH,
    name="megatron",
    main_gradients=True,
    logits_backward_bytes=8.0,
    interleaves=True,
    stream_share=0.6,
    hopper_attention=True,
    fp8_gain=1.8,
)

_ALL = (
    _TRANSFORMERS,
    replace(_TRANSFORMERS, name="accelerate"),
    replace(
        _TRANSFORMERS, name="llama-factory", upcasts_unquantized=False, spread=0.15
    ),  # its casts to fp32 are options
    replace(
        _TRANSFORMERS, name="deepspeed", spread=0.12, main_gradients=True, accumulates=True, optimizer_temporary="none"
    ),
    replace(
        _TRANSFORMERS,
        name="transformers-fsdp",
        spread=0.15,
        upcasts_unquantized=False,
        accumulates=True,
        gathers="units",
        pipelined=True,
        slack=1.15,  # gathered blocks are freed by another stream than the one that fills the next
    ),
    # Training stacks on FSDP itself: mixed precision by its policy, a fused loss, attention without a mask.
    replace(_PYTORCH, name="fsdp", logits_backward_bytes=5.0, sequence_parallel=False, checkpointing="full"),
    replace(
        _TRANSFORMERS,
        name="swift",
        fused_attention_input=True,
        keeps_mask=False,
        optimizer_temporary="all",
        variable_lengths=True,
        spread=0.19,
        default_precision="pure",
    ),
    _FUSED,
    replace(_FUSED, name="unsloth", upcasts_unquantized=False, offloads_checkpoints=True),
    Engine(
        "litgpt",
        adapter_bytes=2.0,
        adapter_input_bytes=3.0,  # its recipes drop out inputs of adapters: a 16-bit copy and a byte of mask
        fused_attention_input=True,
        logits_backward_bytes=8.0,
        keeps_joined_qkv=True,
        quantized_stream_bytes=4.0,
        unties=True,
        whole_tables=True,
        spread=0.14,
        optimizer_temporary="all",
        gathers="whole",
        pipelined=False,
        checkpointing="none",
        default_precision="pure",
    ),
    # Eager blocks; the loss takes the logits in eight pieces, which compiling fuses further in most published runs.
    Engine(
        "torchtune",
        adapter_bytes=2.0,
        adapter_input_bytes=0.0,
        logits_backward_bytes=3.0,
        logits_after_bytes=0.25,
        autocasts=False,
        accumulates=False,
        workspace_gib=0.5,
        default_precision="pure",
        spread=0.18,
    ),
    _PYTORCH,
    _MEGATRON,
    replace(_MEGATRON, name="nemo"),
    Engine("vllm", pool_share=0.9, workspace_gib=1.0),
    Engine("sglang", pool_share=0.85, workspace_gib=1.0, decode_s_per_layer=80e-6),
    Engine("tgi", pool_share=0.9, workspace_gib=1.0),
    Engine("tensorrt-llm", pool_share=0.9, workspace_gib=1.0, decode_s_per_layer=60e-6),
    Engine("llama.cpp"),
)
ENGINES: Mapping[str, Engine] = {engine.name: engine for engine in _ALL}

# Other names, in small letters without anything else; stacks built on another count as that one.
_OTHER_NAMES = {
    "axolotl": "transformers",
    "colossalai": "deepspeed",
    "composer": "fsdp",
    "deepspeedzero": "deepspeed",
    "exllama": "llama.cpp",
    "hf": "transformers",
    "hftrainer": "transformers",
    "huggingface": "transformers",
    "huggingfacetransformers": "transformers",
    "ligerkernel": "liger",
    "lightning": "litgpt",
    "lmdeploy": "sglang",
    "llmfoundry": "fsdp",
    "megatroncore": "megatron",
    "megatrondeepspeed": "megatron",
    "megatronlm": "megatron",
    "mosaicml": "fsdp",
    "msswift": "swift",
    "nanotron": "megatron",
    "nemoframework": "nemo",
    "ollama": "llama.cpp",
    "peft": "transformers",
    "pytorch": "fsdp",
    "pytorchfsdp": "fsdp",
    "textgenerationinference": "tgi",
    "trl": "transformers",
    "trtllm": "tensorrt-llm",
    "xtuner": "transformers",
    "zero": "deepspeed",
}


def with_adapters(engine: Engine) -> Engine:
    """Return the traits of a stack when adapters are trained: over plain FSDP they come with peft and its models."""
    return ENGINES["transformers-fsdp"] if engine.name == "fsdp" else engine


def with_fused_loss(engine: Engine) -> Engine:
    """Return the traits of a stack whose loss takes the head's product piece by piece, as Liger's does."""
    backward = min(engine.logits_backward_bytes, _FUSED.logits_backward_bytes)
    after = min(engine.logits_after_bytes, _FUSED.logits_after_bytes)
    return replace(engine, logits_backward_bytes=backward, logits_after_bytes=after)


@lru_cache(maxsize=1024)
def find_engine(name: str) -> Engine | None:
    """Return the traits of the stack called `name`, in any usual spelling and version, or None when it is not known."""
    letters = _letters(name)
    known = _OTHER_NAMES.get(letters) or _BY_LETTERS.get(letters)
    return ENGINES[known] if known else None


def _letters(name: str) -> str:
    """Return the small letters of a name: "vLLM 0.6.2", "LLaMA-Factory" and "llama_factory" lose all else."""
    return re.sub(r"[^a-z]+", "", re.sub(r"[\s=@-]*v?\d[\w.]*$", "", name.strip().casefold()))


_BY_LETTERS = {_letters(name): name for name in ENGINES}
