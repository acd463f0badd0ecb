"""Memory per card of any job, as the figure that was asked for, with the range that it will lie in."""

import math
from dataclasses import dataclass
from functools import lru_cache

from .assumptions import COMMUNICATORS_GIB, CONTEXT_GIB, LOST_SHARE, WASTE_FACTOR, WASTE_POWER
from .inference import serving_peak
from .job import Job
from .layout import Layout
from .parts import GIB, Bytes
from .training import training_phases


@dataclass(frozen=True, slots=True)
class Memory:
    """Parts of the figure asked for, its range, and what a card must at least offer (`needed_bytes`), per card."""

    parts: Bytes
    low_bytes: float
    high_bytes: float
    needed_bytes: float

    @property
    def per_gpu_gib(self) -> float:
        """The figure asked for, GiB."""
        return self.parts.total / GIB


@lru_cache(maxsize=65536)
def memory(job: Job, layout: Layout) -> Memory:
    """Return the memory of `job` on the fullest card of `layout`: in the phase where that is largest."""
    phases = training_phases(job, layout) if job.trains else (serving_peak(job, layout),)
    context = (CONTEXT_GIB + (COMMUNICATORS_GIB if layout.gpus > 1 else 0.0)) * GIB
    widest = max(phase.activations + phase.logits for phase in phases)
    peaks = [sum(phase) for phase in phases]
    overheads = [_overhead(job, phase, widest, context) for phase in phases]
    totals = [peak + overhead for peak, overhead in zip(peaks, overheads, strict=True)]
    total = max(totals)
    at = totals.index(total)
    parts = phases[at]._replace(overhead=overheads[at])
    needed = _needed(job, max(peaks), context)
    low, high = _spread(job, layout)
    passing = 0.0
    if not job.trains and not job.engine.pool_share:
        passing = parts.activations + parts.logits  # some published peaks are read after the prompt, without its work
    return Memory(parts, (total - passing) * low, total * high, needed)


def _needed(job: Job, peak: float, context: float) -> float:
    """Bytes that a card must offer: the peak with the allocator's loss, or the pool that an engine takes it from."""
    if job.engine.pool_share:
        return (peak + job.engine.workspace_gib * GIB) / job.engine.pool_share
    return peak * LOST_SHARE + context + 0.3 * job.engine.workspace_gib * GIB


def _overhead(job: Job, phase: Bytes, widest: float, context: float) -> float:
    """Bytes beyond what is in use: none in the allocator's peak, its cache, the device's context."""
    if job.report == "allocated":
        return 0.0
    return _cached(job, phase, widest) + (context if job.report == "device" else 0.0)


def _cached(job: Job, phase: Bytes, widest: float) -> float:
    """Bytes that the caching allocator holds beyond what is in use: rounding, fragments, library workspaces.

    Batches of ever new lengths leave blocks behind that none of the next ones fits; published runs of such stacks hold
    about 3.4·D^0.85 GiB for the D GiB of activations and logits that are in use, and half of that is still held when
    the optimizer steps; `widest` is the most that is in use in any phase, bytes.
    """
    moving = phase.activations + phase.logits
    if job.trains and job.engine.variable_lengths:
        extra = max(_waste(moving), 0.5 * _waste(widest))
    else:
        extra = (job.engine.slack - 1.0) * (moving + phase.buffers)
    return extra + job.engine.workspace_gib * GIB


def _waste(moving: float) -> float:
    return max(0.0, WASTE_FACTOR * math.pow(moving / GIB, WASTE_POWER) * GIB - moving)


def _spread(job: Job, layout: Layout) -> tuple[float, float]:
    """Return the factors to the low and the high end, from how well published runs of such stacks are met."""
    if not job.trains:
        return (0.97, 1.05)
    width = job.engine.spread + (0.03 if layout.zero or layout.pp > 1 else 0.0)
    return (1 - width, 1 + width)
