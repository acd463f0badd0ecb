"""Bytes of the weights, trained and frozen, and of adapters, in each format."""

from .architecture import adapter_params, block_params, embedding_params, table_params, total_params
from .formats import FORMATS
from .job import Job


def block_weight_bytes(job: Job) -> float:
    """Return the bytes of all blocks in the job's format; Llama-2-7B in NF4: 6.48e9·4.5/8 = 3.6e9."""
    return block_params(job.model) * FORMATS[job.weights].bits / 8


def held_tables(job: Job) -> float:
    """Return how many tables lie in memory: one when embedding and head are tied, unless stack or file keep them apart.

    Published peaks of Qwen3-0.6B, 1.7B and 4B in fp8 hold both tables, those in bf16, GPTQ and AWQ one.
    """
    apart = job.engine.unties or (FORMATS[job.weights].apart and not job.trains and not job.engine.pool_share)
    return 1.0 if job.model.tied and not apart else 2.0


def table_weight_bytes(job: Job) -> float:
    """Return the bytes of embedding and head, which quantised formats leave at 16 bits.

    Some loaders raise all that is not quantised to fp32 (peft, prepare_model_for_kbit_training).
    """
    form, tables = FORMATS[job.weights], held_tables(job)
    if upcasts(job):
        return embedding_params(job.model) * 4.0 * tables
    plain = 2.0 if form.quantized else form.bits / 8
    head = form.head_bytes if not job.trains else plain
    return embedding_params(job.model) * (plain * (tables - 1) + max(plain, head))


def upcasts(job: Job) -> bool:
    """Whether the loader raises what is not quantised to fp32 before adapters are trained."""
    quantized = FORMATS[job.weights].quantized
    return job.trains and quantized and job.precision != "pure" and job.engine.upcasts_unquantized


def unpacked_bytes(job: Job) -> float:
    """Return the largest linear layer of a block in 16 bits, the buffer of kernels that unpack."""
    model = job.model
    return 2.0 * model.hidden * max(model.moe_ffn or model.ffn, model.heads * model.head_dim)


def trained_params(job: Job) -> float:
    """Return how many parameters are trained: all, or the adapters and, when asked, copies of embedding and head."""
    if job.full:
        return total_params(job.model)
    return lora_params(job) + copied_table_params(job)


def lora_params(job: Job) -> float:
    """Return the parameters of the adapters."""
    return adapter_params(job.model, job.lora_rank, job.lora_targets) if not job.full else 0.0


def copied_table_params(job: Job) -> float:
    """Return the parameters of embedding and head when they are trained beside adapters (peft: modules_to_save)."""
    return table_params(job.model) if job.trainable_embeddings and not job.full else 0.0
