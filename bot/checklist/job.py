"""Reads from a checklist the job to estimate and the facts that decide who handles it."""

from dataclasses import dataclass, replace
from typing import Final

from pydantic import ValidationError

from bot.checklist.answer import Answers
from bot.checklist.measured import refined
from bot.checklist.shapes import shape_of
from bot.errors import UnknownNameError
from bot.estimation import EstimateAnswer, EstimateRequest, Triage, find_card, find_model, triage
from bot.quantities import Normal, duration_seconds

LONG_STAY_DAYS: Final = 30
"""From here on a fixed batch of cards counts as a reservation."""
BUSY_SHARE: Final = 0.6
"""Utilization from which a reservation is worth asking for."""


def request_from(answers: Answers) -> EstimateRequest | None:
    """Return the job as an estimate request; None while neither a model nor its size is known, or for figures beyond any real job."""
    model = _model(answers.code("model"))
    if model is None:
        return None
    fields: dict[str, object] = {"model": model, "task": "infer" if answers.is_inference else "train"}
    method = _decided(answers, "method")
    if method and not answers.is_inference:
        fields["method"] = method
    length = _length(answers.code("sequence_length"))
    if length:
        fields["context_length" if answers.is_inference else "sequence_length"] = length
    card = card_key(answers.code("gpu"))
    cards = answers.cards
    if card:
        fields["gpu"] = card
        count = cards and (cards[1] or cards[0])
        if count:
            fields["gpus"] = count
    fields |= _reservation(answers)
    try:
        request = EstimateRequest.model_validate(fields)
    except ValidationError:
        # The checklist takes what people say; a billion cards, or tokens in a sample, are nothing to estimate.
        return None
    return refined(request, answers)


def names_model(answers: Answers) -> bool:
    """Whether a checklist tells the model or its size, without which nothing can be estimated."""
    return _model(answers.code("model")) is not None


def card_key(normal: str | None) -> str | None:
    """Return the catalogue key of the card that a normal form names; None for an open or unknown one."""
    if not normal:
        return None
    parts = Normal.read(normal).parts
    name = parts.get("model") or parts.get("any", "").split("|")[0]
    if not name:
        return None
    wanted = " ".join([name, parts.get("form", ""), f"{parts['mem']}G" if "mem" in parts else ""])
    for spelling in (wanted.strip(), name):
        try:
            return find_card(" ".join(spelling.split())).key
        except UnknownNameError:
            continue
    return None


@dataclass(frozen=True)
class Facts:
    """What decides between self-service and staff."""

    gpus: int | None
    nodes: int | None
    region_fixed: bool
    reserved: bool
    batches: bool


def facts_from(answers: Answers) -> Facts:
    """Read those facts from a checklist; what is open counts as not asked for."""
    cards = answers.cards
    region = answers.code("region")
    return Facts(
        gpus=(cards[1] or cards[0]) if cards else None,
        nodes=answers.machines,
        region_fixed=region not in (None, "ANY", "NONE"),
        reserved=_reserved(answers),
        batches=answers.code("batches") not in (None, "no", "NONE", "ANY", "maybe"),
    )


def triage_of(answers: Answers, estimated: EstimateAnswer | None = None) -> Triage:
    """Return who handles this job, with the reasons as codes.

    Where the cards are open, or those asked for cannot hold the job, the recommended plan's count decides.
    """
    facts = facts_from(answers)
    needs_plan = facts.gpus is None or (estimated is not None and estimated.fits is False)
    if needs_plan and estimated is not None and estimated.plans:
        facts = replace(facts, gpus=estimated.plans[0].gpus, nodes=estimated.plans[0].nodes)
    return triage(
        gpus=facts.gpus,
        nodes=facts.nodes,
        region_fixed=facts.region_fixed,
        reserved=facts.reserved,
        batches=facts.batches,
    )


def days(normal: str | None) -> float | None:
    """Return the days that a duration's normal form means, the middle of a range; None for long term or open."""
    if not normal:
        return None
    bounds = duration_seconds(normal)
    known = [value for value in bounds or () if value is not None]
    return sum(known) / len(known) / 86400 if known else None


def share_of(normal: str | None) -> float | None:
    """Return the share (0..1) that a utilization means, the middle of a range; None when it is open."""
    bounds = Normal.read(normal or "").bounds()
    known = [value for value in bounds or () if value is not None]
    return sum(known) / len(known) if known else None


def size_b(normal: str | None) -> float | None:
    """Return the billions of parameters that a model's normal form means; None where it is open or unknown."""
    model = _model(normal)
    if isinstance(model, dict):
        size = model["params_b"]
        return size if isinstance(size, float) else None
    try:
        return find_model(model).params_b if model else None
    except UnknownNameError:
        return None


def _reserved(answers: Answers) -> bool:
    duration = answers.code("duration")
    stay = days(duration)
    long_stay = duration == "LONG" or (stay is not None and stay >= LONG_STAY_DAYS)
    if not long_stay or answers.code("load") == "bursty":
        return False
    share = share_of(answers.code("utilization"))
    return share is None or share >= BUSY_SHARE


def _decided(answers: Answers, key: str) -> str | None:
    """The option that was chosen; no preference is none."""
    code = answers.code(key)
    return None if code in ("ANY", "NONE") else code


def _model(normal: str | None) -> str | dict[str, object] | None:
    if normal is None or normal in ("ANY", "NONE"):
        return None
    if "=" not in normal:
        return normal
    read = Normal.read(normal)
    if "any" in read.parts:
        total: float | None = max(float(size) for size in read.parts["any"].split("|"))
    elif "total" in read.parts:
        bounds = read.bounds("total")
        total = None if bounds is None else bounds[1] or bounds[0]
    else:
        total = float(read.parts.get("hi") or read.parts.get("lo") or 0) or None
    if not total:
        return None
    spec: dict[str, object] = {"params_b": total / 1e9} | (shape_of(read) if "hub" in read.parts else {})
    active = read.value("active")
    if active:
        spec["active_params_b"] = active / 1e9
    return spec


def _length(normal: str | None) -> int | None:
    """The longest sequence that may come: memory must hold for it."""
    low, high = Normal.read(normal or "").bounds() or (None, None)
    longest = low if high is None else high
    return None if longest is None else int(longest)


def _reservation(answers: Answers) -> dict[str, object]:
    fields: dict[str, object] = {}
    share, stay, load = share_of(answers.code("utilization")), days(answers.code("duration")), _decided(answers, "load")
    if share is not None and 0 < share <= 1:
        fields["utilization"] = share
    if stay:
        fields["duration_days"] = stay
    if load:
        fields["load"] = load
    return fields
