"""How many bytes a weight takes in each format, block constants included."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Format:
    """One weight format: bits per weight of a linear layer, and whether embedding, head and norms stay at 16 bits."""

    name: str
    bits: float
    quantized: bool
    compute_bits: int = 16


# NF4 has one fp32 scale per 64 weights, which is half a bit more; quantised doubly it has 8 bits per 64 and fp32 per
# 256 scales,
# an eighth of a bit (QLoRA, arXiv 2305.14314, section 3). GPTQ (arXiv 2210.17323) and AWQ (arXiv 2306.00978) in groups
# of 128 have
# a 16-bit scale and a packed zero. INT8 has one 16-bit scale a row, which is nothing.
FORMATS: Mapping[str, Format] = {
    f.name: f
    for f in (
        Format("fp32", 32.0, quantized=False),
        Format("bf16", 16.0, quantized=False),
        Format("fp16", 16.0, quantized=False),
        Format("fp8", 8.0, quantized=True, compute_bits=8),
        Format("int8", 8.0, quantized=True),
        Format("int4", 4.156, quantized=True),
        Format("nf4", 4.5, quantized=True),
        Format("nf4-dq", 4.127, quantized=True),
        Format("gptq-int8", 8.19, quantized=True),
        Format("gptq-int4", 4.156, quantized=True),
        Format("awq", 4.156, quantized=True),
    )
}
