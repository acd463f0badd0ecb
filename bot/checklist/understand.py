"""Turns a person's words for an open question into stored answers, in either language."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Final

from bot import quantities
from bot.checklist.answer import Answer, Status
from bot.checklist.field import Field, Kind, Option
from bot.checklist.fields import BY_KEY
from bot.checklist.shapes import form_of
from bot.errors import UnknownNameError
from bot.estimation import ModelSpec, find_model, repos_in
from bot.i18n import LOCALES, texts
from bot.quantities import Normal
from bot.quantities.folding import fold, lower

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
    size = _quantity("params", raw, moment)
    if size is not None and not re.search(
        r"[a-z]{3}|[㐀-鿿]", _plain(raw).replace("parameters", "").replace("params", "")
    ):
        return {field.key: size}
    try:
        return {field.key: find_model(raw).name}
    except UnknownNameError:
        shape = next((moment.shapes[repo] for repo in repos_in(raw) if repo in moment.shapes), None)
        if shape is not None or size is not None:
            return {field.key: form_of(shape) if shape else size or ""}
        return (
            {field.key: raw[:LONGEST_RAW]}
            if re.search(r"[A-Za-z]{2,}.*\d", raw) and len(raw) <= LONGEST_MODEL_NAME
            else {}
        )


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


def match_option(field: Field, said: str) -> Option | None:
    """Return the one option that the words name; None when they name none, or several equally well."""
    found = matching_options(field, said)
    return found[0] if len(found) == 1 else None


def matching_options(field: Field, said: str) -> tuple[Option, ...]:
    """Return the options whose code, label or words stand in the text; a longer name hides a shorter one inside it.

    So "QLoRA" is not also LoRA, and "continued pretraining" not also training.
    """
    kept = options_in(field, _plain(said))
    return tuple(option for option in field.options if any(hit[2] is option for hit in kept))


def options_in(field: Field, plain: str, *, short: bool = True) -> list[tuple[int, int, Option]]:
    """Return where options stand in a text in lower case, as (start, end, option); without `short`, by unmistakable words alone."""
    hits = [
        (m.start(), m.end(), option)
        for option in field.options
        for pattern in _patterns(option, short=short)
        for m in pattern.finditer(plain)
    ]
    return [
        hit
        for hit in hits
        if not any(
            other[0] <= hit[0] and hit[1] <= other[1] and other[1] - other[0] > hit[1] - hit[0] for other in hits
        )
    ]


@cache
def _patterns(option: Option, *, short: bool) -> tuple[re.Pattern[str], ...]:
    names = _names(option) if short else tuple(_plain(word) for word in option.words)
    return tuple(re.compile(_pattern(name)) for name in names)


def _names(option: Option) -> tuple[str, ...]:
    labels = tuple(texts(locale).text(option.label) for locale in LOCALES)
    return tuple({_plain(name) for name in (option.code.replace("_", " "), *labels, *option.words, *option.short)})


def _pattern(name: str) -> str:
    """A name as a pattern; Latin names must stand as words of their own, Chinese ones anywhere."""
    escaped = re.escape(name)
    left = r"(?<![a-z0-9])" if name[0].isascii() else ""
    right = r"(?:s|ed)?(?![a-z0-9])" if name[-1].isascii() else ""
    return left + escaped + right


def _plain(text: str) -> str:
    return lower(fold(text)).casefold().strip()


def field_of(key: str) -> Field:
    """Return the field with that key; raises KeyError."""
    return BY_KEY[key]
