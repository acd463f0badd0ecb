"""Bytes per trained parameter of weights, gradients and optimizer states, by precision and optimizer."""

from .assumptions import PAGED_SHARE
from .job import Job

# Bytes of state per parameter beside any fp32 master copy: (when states are fp32, when they follow 16-bit weights).
# AdamW keeps two moments; the 8-bit form one byte each and an fp32 scale per 256 (arXiv 2110.02861); Adafactor a row
# and a column (arXiv 1804.04235), which is next to nothing; SGD one momentum.
_STATES = {
    "adamw": (8.0, 4.0),
    "adamw-8bit": (2.03, 2.03),
    "paged-adamw-8bit": (2.03, 2.03),
    "adafactor": (0.02, 0.01),
    "sgd": (4.0, 2.0),
    "none": (0.0, 0.0),
}


def weight_bytes(job: Job) -> float:
    """Return the bytes of one trained weight: 4 in fp32 or under autocast, else 2 (also in fp8 training)."""
    return 4.0 if job.precision == "amp" or job.weights == "fp32" else 2.0


def gradient_bytes(job: Job) -> float:
    """Return the bytes of one gradient, which has the precision of its weight."""
    return weight_bytes(job)


def state_bytes(job: Job) -> float:
    """Return the bytes of optimizer states per fully trained parameter.

    Mixed precision AdamW: 4 (fp32 master) + 4 + 4 = 12 (ZeRO, arXiv 1910.02054, section 3.1); pure bf16: 2 + 2 = 4.
    Of a paged optimizer's states half is counted; the master stays.
    """
    fp32, half = _held_states(job)
    if job.optimizer == "none":
        return 0.0
    if job.precision == "mixed":
        return 4.0 + fp32
    return fp32 if weight_bytes(job) == 4.0 else half  # noqa: PLR2004 - bytes of fp32


def adapter_state_bytes(job: Job) -> float:
    """Return the bytes of optimizer states per adapter parameter: fp32 adapters 8, bf16 adapters 4 (AdamW)."""
    fp32, half = _held_states(job)
    return fp32 if job.engine.adapter_bytes >= 4.0 else half  # noqa: PLR2004 - bytes of fp32


def _held_states(job: Job) -> tuple[float, float]:
    """Return bytes of state on the card, in fp32 and in 16 bits; paged ones move to the host under pressure."""
    fp32, half = _STATES[job.optimizer]
    share = PAGED_SHARE if job.optimizer.startswith("paged") else 1.0
    return fp32 * share, half * share
