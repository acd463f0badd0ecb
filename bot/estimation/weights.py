"""Bytes of the weights, trained and frozen, and of adapters, in each format."""

from .architecture import adapter_params, block_params, table_params, total_params
from .formats import FORMATS
from .job import Job


def block_weight_bytes(job: Job) -> float:
    """Return the bytes of all blocks in the job's format; Llama-2-7B in NF4: 6.48e9·4.5/8 = 3.6e9."""
    return block_params(job.model) * FORMATS[job.weights].bits / 8


def table_weight_bytes(job: Job) -> float:
    """Return the bytes of embedding and head, which quantised formats leave at 16 bits.

    Some loaders raise all that is not quantised to fp32 (peft, prepare_model_for_kbit_training).
    """
    form = FORMATS[job.weights]
    per_param = form.bits / 8 if not form.quantized else 2.0
    if job.engine.upcasts_unquantized and job.weights in ("nf4", "nf4-dq", "int8") and job.trains:
        per_param = 4.0
    return table_params(job.model) * per_param


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
