"""Every constant of the estimate in one place, each with its unit and its source."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Constant:
    """A figure that no request gives and no catalogue holds."""

    value: float
    unit: str
    source: str


_CONSTANTS: dict[str, Constant] = {}


def _constant(name: str, value: float, unit: str, source: str) -> float:
    _CONSTANTS[name] = Constant(value, unit, source)
    return value


CONSTANTS: Mapping[str, Constant] = _CONSTANTS

# Memory that no tensor explains.
CONTEXT_GIB = _constant("context", 0.5, "GiB a card", "CUDA context with lazy loading on A100 and H100: 0.4 to 0.8")
COMMUNICATORS_GIB = _constant("communicators", 0.5, "GiB a card", "NCCL buffers of several cards: 0.2 to 1.5")
LOST_SHARE = _constant(
    "lost", 1.04, "of what is in use", "rounding and fragments of the caching allocator before it fails"
)
WASTE_FACTOR = _constant(
    "waste", 3.4, "GiB^0.15", "cache kept by stacks with batches of variable length, ms-swift benchmark"
)
WASTE_POWER = _constant("waste power", 0.85, "", "the same")
FULLEST_SHARE = _constant("fullest", 0.99, "of a card", "up to which the allocator's cache fills a card")

# What stacks keep.
SELECTIVE_SHARE = _constant(
    "selective", 0.45, "of activations", "per-operation checkpointing, torchtitan 8B at 2 x 8,192 tokens"
)
HALF_LOSS_BYTES = _constant("half loss", 8.0, "B an entry", "logits, shifted copy, log-softmax and gradient in 16 bits")
SOFTCAP_BYTES = _constant("softcap", 4.0, "B an entry", "logits capped by a tanh keep its output and the scaled logits")
LIVE_PARAMS = _constant("live", 1e9, "parameters", "DeepSpeed, stage3_max_live_parameters")
BUCKET_PARAMS = _constant("bucket", 5e8, "parameters", "DeepSpeed, reduce_bucket_size and allgather_bucket_size")
PAGED_SHARE = _constant(
    "paged", 0.5, "of states", "paged optimizers leave the card under pressure: between none and all"
)
FORWARD_LOGITS_BYTES = _constant(
    "forward logits", 10.0, "B an entry", "16-bit and fp32 logits, softmax: DeepSeek-LLM table"
)
PROFILE_TOKENS = _constant("profile", 8192, "tokens", "vLLM, max_num_batched_tokens in the profile run")

# Speed. Products are held back by the power that a card may draw: published matrix products and training runs of cards
# from 0.4 W (B200) over 0.6 (MI300X), 0.7 (H100) and 1.3 (A100) to 2.7 W (RTX 4090) for 1e12 operations a second lie on
# one curve, share = ceiling·(1 - exp(-power / e-fold)).
MATMUL_CEILING = _constant(
    "matmul ceiling", 0.88, "of dense 16-bit rate", "A100 without its limit, RTX 4090: 0.84 in whole runs"
)
MATMUL_POWER = _constant("matmul power", 0.637, "W per 1e12 operations/s", "H100 at 700 W 0.59, A100 at 400 W 0.76")
MATMUL_SHARE_OLD = _constant("matmul old", 0.55, "of dense 16-bit rate", "the most on Volta and Turing, by analogy")
MATMUL_SHARE_OTHER = _constant("matmul other", 0.5, "of dense 16-bit rate", "where nobody states the power")
LOAD_BYTES = _constant(
    "loads", 0.0145, "B an operation/s", "H20, whose units were cut and its memory was not: 1.4 to 1.7 of 4.0 TB/s"
)
ATTENTION_SHARE = _constant("attention", 0.5, "of the matmul rate", "FlashAttention-2 on A100, 8k to 65k tokens")
ATTENTION_LIMIT = _constant(
    "attention limit",
    1.95e14,
    "operations/s",
    "FlashAttention-2, whose instructions hold Hopper back, 8k to 65k tokens",
)
PREFILL_ATTENTION_SHARE = _constant(
    "prefill attention", 0.42, "of the matmul rate", "vLLM 0.6 on A100, 6k to 129k tokens"
)
FP8_GAIN = _constant("fp8", 1.55, "times 16-bit products", "H100 runs in fp8 against bf16")
HIDDEN_HALF = _constant("hidden half", 200.0, "elements", "hidden size at which products reach half their rate")
STREAM_BYTES = _constant(
    "stream", 105.0, "B an element and layer", "norms, activations and residuals, forward and backward"
)
LOGIT_TRAFFIC_BYTES = _constant("logit traffic", 20.0, "B an entry", "logits and loss, forward and backward")
OVERLAP_LOSS = _constant("overlap", 0.11, "of the shorter", "communication and computation slow each other")
VIRTUAL_STAGES = _constant("virtual stages", 4.0, "stages a card", "interleaved pipelines, arXiv 2104.04473")
ALL_REDUCE_S = _constant("all-reduce", 20e-6, "s", "latency of one small all-reduce inside a machine")
UNPACKING_S = _constant("unpacking", 15e-6, "s a layer", "quantised kernels per decoded token, vLLM on A100")
UNPACKED_BYTES = _constant(
    "unpacked", 20.0, "B a weight and pass", "unpacking in training, QLoRA against LoRA, Qwen-7B on A100"
)
OFFLOAD_BYTES = _constant("offload", 16.0, "B a parameter and step", "gradients out, weights in, over PCIe")

# Links: shares of the data sheet's one-way rate that collectives reach (NCCL bus bandwidth), and GB/s (1e9 bytes).
LINK_SHARE = _constant("link", 0.75, "of one-way rate", "NCCL on NVSwitch machines")
PCIE_SHARE = _constant("pcie", 0.6, "of one-way rate", "NCCL over PCIe with peer access")
PCIE_SHARE_CONSUMER = _constant("pcie consumer", 0.4, "of one-way rate", "consumer drivers route through host memory")
NETWORK_SHARE = _constant("network", 0.8, "of one-way rate", "NCCL over InfiniBand and RoCE")
PCIE_GB_PER_S: Mapping[int, float] = {
    3: _constant("pcie 3", 12.0, "GB/s one way", "x16, data sheet less protocol"),
    4: _constant("pcie 4", 24.0, "GB/s one way", "x16, data sheet less protocol"),
    5: _constant("pcie 5", 48.0, "GB/s one way", "x16, data sheet less protocol"),
    6: _constant("pcie 6", 96.0, "GB/s one way", "x16, data sheet less protocol"),
}
NETWORK_GB_PER_S: Mapping[str, float] = {
    "infiniband-400": _constant(
        "infiniband 400", 50.0, "GB/s a card, one way", "NDR, one port a card, usual since Hopper"
    ),
    "infiniband-200": _constant("infiniband 200", 25.0, "GB/s a card, one way", "HDR, one port a card, usual before"),
    "ethernet-25": _constant("ethernet 25", 3.1, "GB/s a machine, one way", "usual on machines without NVLink"),
}

# Checkpoints.
DISK_GB_PER_S = _constant("disk", 1.0, "GB/s", "local NVMe of a rented machine, one process")
BEARABLE_MINUTES = _constant("bearable", 60.0, "min", "work that most people bear to lose")
SHORTEST_MINUTES = _constant("shortest", 5.0, "min", "writing more often costs more than it saves")
FAILURE_HOURS = _constant(
    "failure", 1000.0, "h a machine", "Llama 3: one in 6,300 h (arXiv 2407.21783, 3.3.4); rented is worse"
)

# Advice.
HEADROOM = _constant("headroom", 1.1, "times the need", "the least that a recommended plan leaves")
RESERVED_SHARE = _constant("reserved", 0.7, "of on-demand price", "usual for months of use")
BASELINE_SHARE = _constant("baseline", 0.1, "of all cards", "a smaller baseline is not worth a contract")
BASE_DISK_GB = _constant("base disk", 50.0, "GB", "image, environment and a small data set")
