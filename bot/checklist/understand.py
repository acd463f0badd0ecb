"""Turns a person's words for an open question into stored answers, in either language."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from bot import quantities
from bot.checklist.answer import Answer, Status
from bot.checklist.field import Field, Kind
from bot.checklist.options import match_option, matching_options, plain_text
from bot.checklist.shapes import form_of
from bot.errors import UnknownNameError
from bot.estimation import ModelSpec, find_model, repos_in
from bot.i18n import LOCALES, texts
from bot.quantities import Normal

LONGEST_RAW: Final = 2000
"""Characters of a person's own words that are kept with an answer."""


@dataclass(frozen=True)
class Moment:
    """When and where the words were said: an aware time in the person's own zone, and what the hub tells of models in them."""

    now: datetime
    shapes: Mapping[str, ModelSpec] = field(default_factory=dict)


def understand(field: Field, said: str, moment: Moment) -> dict[str, Answer]:
    """Return what the words answer, by field key: the field asked and, at times, a neighbour (8 × H100 fills two).

    An empty result means that they were not understood as an answer to this field.
    """
    raw = said.strip()
    if not raw:
        return {}
    return {key: answer_of(normal, raw) for key, normal in _normals(field, raw, moment).items()}


def chosen(field: Field, code: str) -> Answer | None:
    """Return the answer that a tap on an option gives; None when the field has no such option."""
    option = field.option(code)
    return (
        None if option is None else Answer(normal=code, raw=texts(LOCALES[0]).text(option.label), status=Status.EXACT)
    )


def undecided(raw: str = "TBD") -> Answer:
    """Return the answer "to be decided"."""
    return Answer(normal="TBD", raw=raw, status=Status.TBD)


def skipped() -> Answer:
    """Return the mark of a question that was skipped on purpose."""
    return Answer(normal=None, raw="", status=Status.SKIPPED)


def answer_of(normal: str, raw: str) -> Answer:
    """Return a normal form as an answer, with the person's words and how sure it is."""
    raw = raw[:LONGEST_RAW]
    if normal == "TBD":
        return undecided(raw)
    if normal == "DECLINE":
        return Answer(normal=normal, raw=raw, status=Status.SKIPPED)
    return Answer(normal=normal, raw=raw, status=_status(normal))


def _status(normal: str) -> Status:
    flags = normal.split(";")
    if "approx" in flags:
        return Status.APPROX
    ranged = ".." in normal or any(part.split("=")[0] in ("lo", "hi", "min", "any") for part in flags if "=" in part)
    return Status.RANGE if ranged else Status.EXACT


def _normals(field: Field, raw: str, moment: Moment) -> dict[str, str]:
    """The normal forms by key; texts are stored as they were said."""
    open_answer = quantities.undecided(raw)
    if field.kind in (Kind.YES_NO, Kind.YES_NO_OR_TEXT) and open_answer != "TBD":
        plain = _quantity("yn", raw, moment)
        if plain is not None:
            return {field.key: plain}
    if open_answer is not None and not (field.options and match_option(field, raw)):
        return {field.key: open_answer}
    return _READERS.get(field.kind, _read_quantity)(field, raw, moment)


def _quantity(kind: str, raw: str, moment: Moment) -> str | None:
    return quantities.parse(kind, raw, now=moment.now)


def _read_quantity(field: Field, raw: str, moment: Moment) -> dict[str, str]:
    normal = _quantity(str(field.kind), raw, moment)
    return {} if normal is None or normal.startswith("ask:") else {field.key: normal}


def alternatives(field: Field, said: str, moment: Moment) -> tuple[str, ...]:
    """Return the readings between which the person must choose, when the words have two; else nothing."""
    if field.kind not in _QUANTITIES:
        return ()
    normal = _quantity(str(field.kind), said.strip(), moment)
    if normal is None or not normal.startswith("ask:"):
        return ()
    return tuple(normal.removeprefix("ask:").split("|"))


def _read_text(field: Field, raw: str, _moment: Moment) -> dict[str, str]:
    return {field.key: raw[:LONGEST_RAW]}


def _read_choice(field: Field, raw: str, _moment: Moment) -> dict[str, str]:
    option = match_option(field, raw)
    return {} if option is None else {field.key: option.code}


def _read_choice_or_text(field: Field, raw: str, moment: Moment) -> dict[str, str]:
    return _read_choice(field, raw, moment) or _read_text(field, raw, moment)


def _read_choices(field: Field, raw: str, _moment: Moment) -> dict[str, str]:
    found = matching_options(field, raw)
    codes = [option.code for option in field.options if option in found]
    if "unsure" in codes and len(codes) > 1:
        codes.remove("unsure")
    return {field.key: "+".join(codes)} if codes else {}


def _read_network(field: Field, raw: str, moment: Moment) -> dict[str, str]:
    """A fabric may come with its speed: 400G InfiniBand fills the bandwidth too."""
    found = _read_choice(field, raw, moment)
    speed = _quantity("bw", raw, moment)
    if speed is None:
        return found
    fabric = Normal.read(speed).parts.get("fabric")
    code = {"IB": "infiniband", "RoCE": "roce", "Ethernet": "ethernet"}.get(fabric or "")
    found = found or ({field.key: code} if code else {})
    if found and found[field.key] != "ethernet" and any(c.isdigit() for c in raw):
        found["bandwidth"] = speed
    return found


def _read_model(field: Field, raw: str, moment: Moment) -> dict[str, str]:
    if len(raw) > quantities.LONGEST_ANSWER:
        return {}
    size = _quantity("params", raw, moment)
    if size is not None and not re.search(
        r"[a-z]{3}|[㐀-鿿]", plain_text(raw).replace("parameters", "").replace("params", "")
    ):
        return {field.key: size}
    try:
        model = find_model(raw)
    except UnknownNameError:
        shape = next((moment.shapes[repo] for repo in repos_in(raw) if repo in moment.shapes), None)
        if shape is not None or size is not None:
            return {field.key: form_of(shape) if shape else size or ""}
        return (
            {field.key: raw[:LONGEST_RAW]}
            if re.search(r"[A-Za-z]{2,}.*\d", raw) and len(raw) <= LONGEST_MODEL_NAME
            else {}
        )
    # A bare size has no name of its own: it stays a size, whatever shape is taken for it.
    return {field.key: (size or f"total={model.params_b:g}e9") if model.typical else model.name}


LONGEST_MODEL_NAME: Final = 60


def _read_cards(field: Field, raw: str, moment: Moment) -> dict[str, str]:
    """One phrase may hold card, count and machines; each part goes to its own field."""
    normal = _quantity("gpu", raw, moment)
    if normal is None:
        return {}
    found = {}
    card = _parts(normal, ("any", "model", "form", "mem", "mem_min"))
    if card:
        found[field.key] = card
    count = _parts(normal, ("count",))
    if count and field.key == "gpu":
        found["gpu_count"] = count
        per_node = _parts(normal, ("per_node",))
        if per_node:
            found["gpus_per_node"] = per_node.replace("per_node", "count")
    return found if field.key in found else {}


def _read_count(field: Field, raw: str, moment: Moment) -> dict[str, str]:
    if raw.startswith(("-", "−")):
        return {}
    normal = _quantity("gpu", raw, moment)
    count = _parts(normal, ("count",)) if normal else None
    if count is None:
        number = _quantity("num", raw, moment)
        count = f"count={number}" if number and re.fullmatch(r"[1-9]\d*(\.\.[1-9]\d*)?(;approx)?", number) else None
    if count is None:
        return {}
    found = {field.key: count}
    per_node = _parts(normal, ("per_node",)) if normal else None
    if per_node and field.key == "gpu_count":
        found["gpus_per_node"] = per_node.replace("per_node", "count")
    if per_node and field.key == "gpus_per_node":
        found[field.key] = per_node.replace("per_node", "count")
    return found


def _read_yes_no(field: Field, raw: str, _moment: Moment) -> dict[str, str]:
    option = match_option(field, raw)
    return {field.key: option.code} if option else {}


def _parts(normal: str, keys: tuple[str, ...]) -> str | None:
    """The parts of a normal form with these keys, in their order, with its `approx` where a number is among them."""
    parts = [part for part in normal.split(";") if part.partition("=")[0] in keys]
    if parts and "count" in keys and "approx" in normal.split(";"):
        parts.append("approx")
    return ";".join(parts) or None


_READERS: Final[dict[Kind, Callable[[Field, str, Moment], dict[str, str]]]] = {
    Kind.TEXT: _read_text,
    Kind.CHOICE: lambda field, raw, moment: (_read_network if field.key == "network" else _read_choice)(
        field, raw, moment
    ),
    Kind.CHOICE_OR_TEXT: _read_choice_or_text,
    Kind.CHOICES: _read_choices,
    Kind.MODEL: _read_model,
    Kind.CARDS: _read_cards,
    Kind.ALTERNATIVES: _read_cards,
    Kind.COUNT: _read_count,
    Kind.YES_NO: _read_yes_no,
    Kind.YES_NO_OR_TEXT: _read_choice_or_text,
}

_QUANTITIES: Final = frozenset(
    {Kind.TOKENS, Kind.MEMORY, Kind.BANDWIDTH, Kind.CHECKPOINT, Kind.DURATION, Kind.DATE, Kind.SHARE}
)
