"""How many bytes a weight takes in each format, block constants included."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Format:
    """One weight format: bits per weight of a linear layer; embedding and norms stay at 16 bits when it is quantised.

    `head_bytes`: bytes of a weight of the output head. `on_load`: the weights arrive in 16 bits and are quantised on
    the card. `unpacks`: products unpack a layer to 16 bits into a buffer of their own. `half_only`: kernels take fp16
    alone, so that training runs without autocast. `apart`: files hold the output head beside the embedding though tied.
    """

    name: str
    bits: float
    quantized: bool
    head_bytes: float = 2.0
    on_load: bool = False
    unpacks: bool = False
    half_only: bool = False
    apart: bool = False


# NF4 has one fp32 scale per 64 weights, which is half a bit more; quantised doubly it has 8 bits per 64 and fp32 per
# 256 scales, an eighth of a bit (QLoRA, arXiv 2305.14314, section 3). GPTQ (arXiv 2210.17323) and AWQ (arXiv
# 2306.00978) in groups of 128 have a 16-bit scale and a packed zero. INT8 has one 16-bit scale a row, which is nothing.
# Plain "int8" and "int4" are the forms that publishers shipped before GPTQ loaders were named: these raise the output
# head to fp32.
FORMATS: Mapping[str, Format] = {
    f.name: f
    for f in (
        Format("fp32", 32.0, quantized=False, head_bytes=4.0),
        Format("bf16", 16.0, quantized=False),
        Format("fp16", 16.0, quantized=False),
        Format("fp8", 8.0, quantized=True, apart=True),
        Format("int8", 8.0, quantized=True, head_bytes=4.0, on_load=True, unpacks=True),
        Format("int4", 4.19, quantized=True, head_bytes=4.0, unpacks=True),
        Format("nf4", 4.5, quantized=True, on_load=True, unpacks=True),
        Format("nf4-dq", 4.127, quantized=True, on_load=True, unpacks=True),
        Format("gptq-int8", 8.19, quantized=True, unpacks=True, half_only=True),
        Format("gptq-int4", 4.19, quantized=True, unpacks=True, half_only=True),
        Format("awq", 4.19, quantized=True),
    )
}
