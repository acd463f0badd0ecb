"""What a trial's measurements change: they refine every later figure of that job."""

from dataclasses import dataclass

from .cards import Card
from .job import Job
from .layout import Layout
from .memory import memory
from .request import EstimateRequest
from .settle import Assumed
from .throughput import tokens_per_second


@dataclass(frozen=True, slots=True)
class Scale:
    """Factors that a trial's measurements put on memory and speed; 1 without a measurement."""

    memory: float = 1.0
    speed: float = 1.0


def calibrate(request: EstimateRequest, job: Job, layout: Layout | None, card: Card | None, assumed: Assumed) -> Scale:
    """Return the factors from a trial of this very job, and note them."""
    measured = request.measured
    if measured is None:
        return Scale()
    at = layout or Layout()
    factor = speed = 1.0
    if measured.peak_gib is not None:
        factor = measured.peak_gib / memory(job, at).per_gpu_gib
        assumed.take(None, "peak_gib", measured.peak_gib, "from_measurement")
    if measured.tokens_per_s is not None and card is not None:
        speed = measured.tokens_per_s / tokens_per_second(job, at, card)
        assumed.take(None, "tokens_per_s", measured.tokens_per_s, "from_measurement")
    return Scale(factor, speed)
