"""Memory per card of any job, as the figure that was asked for, with the range that it will lie in."""

from dataclasses import dataclass
from functools import lru_cache

from .inference import serving_peak
from .job import Job
from .layout import Layout
from .parts import GIB, Bytes
from .training import training_peak

# What a CUDA context takes before the first tensor, and what the communicators of several cards add (A100 and H100,
# lazy loading).
_CONTEXT_GIB = 0.5
_COMMUNICATORS_GIB = 0.5


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
    """Return the memory of `job` on the fullest card of `layout`."""
    peak = training_peak(job, layout) if job.trains else serving_peak(job, layout)
    allocated = peak.total
    context = (_CONTEXT_GIB + (_COMMUNICATORS_GIB if layout.gpus > 1 else 0.0)) * GIB
    reserved = _reserved(job, peak)
    overhead = {"allocated": 0.0, "reserved": reserved, "device": reserved + context}[job.report]
    parts = peak._replace(overhead=overhead)
    needed = allocated * 1.01 + context + 0.5 * job.engine.workspace_gib * GIB
    low, high = _spread(job, layout)
    total = parts.total
    return Memory(parts, total * low, total * high, needed)


def _reserved(job: Job, peak: Bytes) -> float:
    """Bytes that the caching allocator holds beyond what is in use: rounding, fragments, library workspaces."""
    moving = peak.activations + peak.logits + peak.buffers
    waste = job.engine.waste_bytes_per_token * job.tokens if job.trains else 0.0
    return (job.engine.slack - 1.0) * moving + waste + job.engine.workspace_gib * GIB


def _spread(job: Job, layout: Layout) -> tuple[float, float]:
    """Return the factors to the low and the high end, from how well published runs of such stacks are met."""
    if not job.trains:
        return (0.95, 1.06)
    width = 0.08 if job.report == "allocated" else 0.14
    if job.engine.waste_bytes_per_token:
        width += 0.10
    if layout.zero or layout.pp > 1:
        width += 0.06
    return (1 - width, 1 + width)
