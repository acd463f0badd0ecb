"""The smallest sensible trial for a job, and how often it should save."""

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from bot.checklist.answer import Answers
from bot.checklist.job import request_from
from bot.errors import DeskError
from bot.estimation import EstimateAnswer, estimate
from bot.estimation.answer import Plan

USUAL_CHECKPOINT_MINUTES: Final = 60
"""Between two reminders to save, while no estimate tells better."""
_WHOLE_MINUTES: Final = 5

_SETUP_H, _DOWNLOAD_GB_PER_H = 1.0, 450.0
"""What comes before the first step: setting up, and the weights at 1 Gbit/s."""


@dataclass(frozen=True)
class Proposal:
    """The smallest sensible trial for a job: card key, count, whole hours."""

    gpu: str
    gpus: int
    hours: int


_WEAK: Final = "low_confidence_card"
"""The reason of a plan on a card whose figures rest on a weak source."""


def proposal(answers: Answers) -> Proposal | None:
    """Return the smallest sensible trial for the customer's job; None while the job is unknown.

    An hour for setting up and a few dozen steps, and the download of 16-bit weights at 1 Gbit/s: 70B, 140 GB, 2 hours in all.
    """
    found = estimated(answers)
    if found is None or not found.plans:
        return None
    smallest = min(found.plans, key=_size_and_cost)
    weights_gb = 2 * float(found.model.params_b)
    return Proposal(smallest.gpu, smallest.gpus, math.ceil(_SETUP_H + weights_gb / _DOWNLOAD_GB_PER_H))


def checkpoint_minutes(answers: Answers) -> int | None:
    """Return how often a trial of this job should save: the loss one can bear, or the optimum; None for inference."""
    if answers.is_inference:
        return None
    job = estimated(answers)
    found = job.checkpoint.every_minutes if job and job.checkpoint else None
    return max(_WHOLE_MINUTES, int(found) // _WHOLE_MINUTES * _WHOLE_MINUTES) if found else USUAL_CHECKPOINT_MINUTES


def estimated(answers: Answers) -> EstimateAnswer | None:
    """Return the estimate of the job on any cards, without measurements; None while it is unknown or beyond the formulas."""
    request = request_from(answers)
    if request is None:
        return None
    try:
        return estimate(request.model_copy(update={"gpu": None, "gpus": None, "measured": None}))
    except DeskError:
        return None


def _size_and_cost(plan: Plan) -> tuple[int, bool, Decimal]:
    """Few cards first, of those whose figures can be relied on a low price an hour: a smaller card that costs more saves nothing."""
    return plan.gpus, _WEAK in plan.reasons, plan.cost.per_hour_low if plan.cost else Decimal("Infinity")
