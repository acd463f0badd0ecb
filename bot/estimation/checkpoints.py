"""Checkpoints: how large, how long to write, how often, how many to keep."""

import math
from dataclasses import dataclass
from functools import lru_cache

from .assumptions import BEARABLE_MINUTES, DISK_GB_PER_S, FAILURE_HOURS, SHORTEST_MINUTES
from .job import Job
from .optimizer import adapter_state_bytes, state_bytes, weight_bytes
from .weights import copied_table_params, lora_params, trained_params


@dataclass(frozen=True, slots=True)
class CheckpointPlan:
    """Size (1e9 bytes), seconds to write one, minutes between two, how many to keep."""

    size_gb: float
    write_s: float
    every_minutes: float
    keep: int


@lru_cache(maxsize=1024)
def checkpoint(job: Job, nodes: int, measured_write_s: float | None = None) -> CheckpointPlan:
    """Return the checkpoints of a training job on `nodes` machines.

    The interval is what one can bear to lose, or less when Young and Daly's optimum sqrt(2·δ·M) is shorter (doi
    10.1145/361147.361115): 30 s to write and 1,000 h between failures give 4.1 h, so the hour holds.
    """
    size = checkpoint_gb(job)
    write_s = measured_write_s or size / DISK_GB_PER_S
    optimum = math.sqrt(2 * write_s * FAILURE_HOURS * 3600 / max(1, nodes)) / 60
    every = max(SHORTEST_MINUTES, min(BEARABLE_MINUTES, optimum))
    return CheckpointPlan(size, write_s, every, 2 if job.full else 3)


def checkpoint_gb(job: Job) -> float:
    """Return the size of one checkpoint in 1e9 bytes: what is trained, with its optimizer states.

    Llama-2-7B full in mixed precision: 6.74e9·(2 + 12) = 94 GB, seven times the weights; LoRA only its adapters.
    """
    if job.full:
        return trained_params(job) * (weight_bytes(job) + state_bytes(job)) / 1e9
    adapters = lora_params(job) * (job.engine.adapter_bytes + adapter_state_bytes(job))
    return (adapters + copied_table_params(job) * (2.0 + adapter_state_bytes(job) / 2)) / 1e9
