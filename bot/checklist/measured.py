"""Measurements of a trial among the answers of a checklist, and what they make of its estimate request."""

from typing import Final

from bot.checklist.answer import Answer, Answers, Status
from bot.errors import DeskError
from bot.estimation import EstimateRequest, estimate
from bot.quantities import Normal
from bot.quantities.measurements import Measurement

KEY: Final = "measured"
"""The key of the measurements among the answers; no question of the checklist bears it."""


def with_measurement(answers: Answers, measured: Measurement, raw: str, gpu: str, gpus: int) -> Answers:
    """Return the answers with what a trial on `gpus` cards has measured; an earlier figure that is not measured anew stays."""
    whole = measurement_of(answers).joined(measured)
    normal = f"{whole.dump()};gpu={gpu};gpus={gpus}"
    return answers.with_answers({KEY: Answer(normal=normal, raw=raw, status=Status.EXACT)})


def measurement_of(answers: Answers) -> Measurement:
    """Return what was measured so far, nothing when nothing was."""
    return Measurement.load(answers.code(KEY) or "")


def cards_of(answers: Answers) -> str:
    """Return the cards on which it was measured, `2 rtx4090`; empty when nothing was."""
    parts = Normal.read(answers.code(KEY) or "").parts
    return f"{parts.get('gpus', '1')} {parts['gpu']}" if parts.get("gpu") else ""


def refined(request: EstimateRequest, answers: Answers) -> EstimateRequest:
    """Return the request with the measurements of its trial, brought from the trial's cards to those of the request.

    The estimate tells how much a card holds in both places, so a peak of 21 GiB where 24 were expected lowers an expected 60 to 52.5;
    the same with speed. What the estimate does not know passes as it was measured.
    """
    normal = answers.code(KEY)
    if normal is None:
        return request
    measured, parts = Measurement.load(normal), Normal.read(normal).parts
    there: dict[str, object] = {"gpu": parts.get("gpu"), "gpus": int(parts.get("gpus", "1"))}
    found: dict[str, float] = {}
    if measured.peak is not None:
        report, peak = measured.peak
        found["peak_gib"] = peak * _ratio(request, there, report, "memory")
    if measured.tokens_per_s is not None:
        found["tokens_per_s"] = measured.tokens_per_s * _ratio(request, there, "device", "speed")
    if measured.checkpoint_s is not None:
        found["checkpoint_write_s"] = measured.checkpoint_s
    return (
        EstimateRequest.model_validate({**request.model_dump(exclude_none=True), "measured": found})
        if found
        else request
    )


def _ratio(request: EstimateRequest, there: dict[str, object], report: str, figure: str) -> float:
    """What the estimate expects of one card at the request's configuration, over what it expects in the trial's."""
    here = {"gpu": request.gpu or there["gpu"], "gpus": request.gpus or 1}
    try:
        wanted = _expected(request, {**here, "report": request.report}, figure)
        tried = _expected(request, {**there, "report": report}, figure)
    except DeskError:
        return 1.0
    return wanted / tried if wanted and tried else 1.0


def _expected(request: EstimateRequest, fields: dict[str, object], figure: str) -> float | None:
    answer = estimate(request.model_copy(update=fields))
    if figure == "memory":
        return answer.memory.per_gpu_gib
    return answer.throughput.tokens_per_s_per_gpu if answer.throughput else None
