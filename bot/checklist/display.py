"""Shows stored answers to people: normal forms as words in the reader's language."""

import re
from collections.abc import Callable
from datetime import date, datetime
from typing import Final

from bot.checklist.answer import Answer, Status
from bot.checklist.field import Field, Kind
from bot.checklist.shapes import hub_name
from bot.i18n import N_, NP_, Texts
from bot.quantities import Normal

OPEN: Final = {
    "TBD": N_("to be decided"),
    "ANY": N_("no preference"),
    "NONE": N_("none"),
    "DECLINE": N_("not told"),
}
SKIPPED: Final = N_("skipped")

_YES_NO: Final = {"yes": N_("yes"), "no": N_("no"), "maybe": N_("not sure"), "any": N_("no preference")}
_FABRICS: Final = {"IB": "InfiniBand", "RoCE": "RoCE", "Ethernet": N_("Ethernet"), "NVLink": "NVLink"}
_DIRECTIONS: Final = {"read": N_("read"), "write": N_("write")}
_DURATION = re.compile(r"P(?:(\d+(?:\.\d+)?)([YMWD])|T(\d+(?:\.\d+)?)([HMS]))")
_DURATION_UNITS: Final = {
    "Y": "year",
    "M": "month",
    "W": "week",
    "D": "day",
    "TH": "hour",
    "TM": "minute",
    "TS": "second",
}

_EVERY_ONE: Final = {
    "PT1H": N_("every hour"),
    "P1D": N_("every day"),
    "P1W": N_("every week"),
    "1epoch": N_("every epoch"),
}


def show_answer(field: Field, answer: Answer, texts: Texts) -> str:
    """Return an answer in the reader's language, as plain text; people's own words stay as they are."""
    if answer.normal is None or answer.status is Status.SKIPPED:
        return texts.text(OPEN["DECLINE"] if answer.normal else SKIPPED)
    if answer.normal in OPEN:
        return texts.text(OPEN[answer.normal])
    return show_normal(field, answer.normal, texts)


def show_normal(field: Field, normal: str, texts: Texts) -> str:
    """Return a normal form of this field's kind in the reader's language; what cannot be read is shown as it is."""
    codes = normal.split("+")
    if field.options and all(field.option(code) for code in codes):
        labels = [field.option(code) for code in codes]
        return texts.listed(texts.text(option.label) for option in labels if option)
    several = Normal.read(normal).alternatives() if field.kind in _PLAIN else ()
    if several:
        return _about(normal, texts.either(_SHOW[field.kind](each, texts) for each in several), texts)
    return _SHOW.get(field.kind, _show_text)(normal, texts)


_PLAIN: Final = (Kind.TOKENS, Kind.SHARE, Kind.DURATION, Kind.DATE)
"""Kinds whose normal form is the bare value, so that each alternative reads as one."""


def _show_text(normal: str, _texts: Texts) -> str:
    return normal


def _show_yes_no(normal: str, texts: Texts) -> str:
    return texts.text(_YES_NO[normal]) if normal in _YES_NO else normal


def _about(normal: str, shown: str, texts: Texts) -> str:
    return texts.text(N_("about {value}"), value=shown) if "approx" in normal.split(";") else shown


def _span(low: float | None, high: float | None, unit: str, texts: Texts) -> str:
    """A lower and an upper bound as words: 8 GB, 8-16 GB, at least 8 GB, at most 8 GB."""
    unit = f" {unit}" if unit else ""
    if low is not None and high is not None:
        if low == high:
            return f"{texts.number(low)}{unit}"
        return f"{texts.number(low)}–{texts.number(high)}{unit}"
    if low is not None:
        return texts.text(N_("at least {value}"), value=f"{texts.number(low)}{unit}")
    return texts.text(N_("at most {value}"), value=f"{texts.number(high or 0)}{unit}")


def _show_tokens(normal: str, texts: Texts) -> str:
    low, high = _plain_bounds(normal.split(";", maxsplit=1)[0])
    return _about(normal, _span(low, high, "tokens" if texts.locale == "en" else "token", texts), texts)


def _plain_bounds(text: str) -> tuple[float | None, float | None]:
    low, dots, high = text.partition("..")
    return (float(low) if low else None), (float(high) if high else None) if dots else float(low)


def _show_memory(normal: str, texts: Texts) -> str:
    read = Normal.read(normal)
    for unit in ("GB", "GiB"):
        bounds = _sized_bounds(normal, unit)
        if bounds:
            shown = _sized(bounds, unit, texts)
            if "count" in read.parts:
                shown += f" × {read.parts['count']}"
            if read.parts.get("per") == "gpu":
                shown = texts.text(N_("{value} per card"), value=shown)
            return _about(normal, shown, texts)
    return normal


def _sized_bounds(normal: str, unit: str) -> tuple[float | None, float | None] | None:
    """Bounds of a size in GB or GiB, from `GB=8`, `min=GB8` or `lo=GB8;hi=GB16`."""
    bounds = Normal.read(normal).bounds(unit)
    if bounds:
        return bounds
    found = dict(re.findall(rf"(lo|hi|min|max)={unit}(\d+(?:\.\d+)?)", normal))
    if not found:
        return None
    low, high = found.get("lo") or found.get("min"), found.get("hi") or found.get("max")
    return (float(low) if low else None), (float(high) if high else None)


def _sized(bounds: tuple[float | None, float | None], unit: str, texts: Texts) -> str:
    """A size in the unit that reads best; decimal terabytes from 1,000 GB on."""
    most = max(value for value in bounds if value is not None)
    binary = unit == "GiB"
    step = 1024.0 if binary else 1000.0
    for name in ("TiB", "PiB") if binary else ("TB", "PB"):
        if most < step:
            break
        bounds = (
            bounds[0] / step if bounds[0] is not None else None,
            bounds[1] / step if bounds[1] is not None else None,
        )
        unit, most = name, most / step
    return _span(bounds[0], bounds[1], unit, texts)


def _show_cards(normal: str, texts: Texts) -> str:
    parts = Normal.read(normal).parts
    if "any" in parts:
        either = texts.either(card_name(name) for name in parts["any"].split("|"))
        return f"{either} {parts['mem']} GB" if "mem" in parts else either
    if "mem_min" in parts and "model" not in parts:
        return texts.text(N_("any card with at least {value}"), value=f"{parts['mem_min']} GB")
    name = card_name(parts.get("model", normal))
    return " ".join(
        [name, *(parts[key] for key in ("form",) if key in parts), *([f"{parts['mem']} GB"] if "mem" in parts else [])]
    )


def card_name(normal: str) -> str:
    """Return the short usual name of a card: RTX 4090 for RTX4090."""
    return re.sub(r"^(RTX|Ascend)(?=\d)", r"\1 ", normal)


def _show_count(normal: str, texts: Texts) -> str:
    bounds = Normal.read(normal).bounds("count")
    return normal if bounds is None else _about(normal, _span(*bounds, "", texts), texts)


def _show_bandwidth(normal: str, texts: Texts) -> str:
    parts = Normal.read(normal).parts
    words = []
    for key, unit in (("gbps", "Gb/s"), ("GBps", "GB/s"), ("GiBps", "GiB/s")):
        bounds = _sized_bounds(normal, key)
        if bounds:
            words.append(_span(*bounds, unit, texts))
    if "count" in parts:
        words.append(f"× {parts['count']}")
    if "fabric" in parts:
        words.append(texts.text(_FABRICS.get(parts["fabric"], parts["fabric"])))
    if "dir" in parts:
        words.append(texts.text(_DIRECTIONS.get(parts["dir"], parts["dir"])))
    return _about(normal, " ".join(words) or normal, texts)


def show_duration(normal: str, texts: Texts) -> str:
    """Return an ISO 8601 duration, a range of two, or LONG in words."""
    body = normal.split(";", maxsplit=1)[0]
    if body == "LONG":
        return texts.text(N_("long term"))
    low, dots, high = body.partition("..")
    if not dots:
        shown = _one_duration(low, texts)
    elif low and high:
        shown = f"{_one_duration(low, texts)} – {_one_duration(high, texts)}"
    else:
        frame = N_("at least {value}") if low else N_("at most {value}")
        shown = texts.text(frame, value=_one_duration(low or high, texts))
    return _about(normal, shown, texts)


def _one_duration(iso: str, texts: Texts) -> str:
    match = _DURATION.fullmatch(iso)
    if match is None:
        return iso
    amount, unit = (match[1], match[2]) if match[1] else (match[3], "T" + match[4])
    return texts.unit(float(amount) if "." in amount else int(amount), _DURATION_UNITS[unit])


def show_date(normal: str, texts: Texts) -> str:
    """Return an ISO date, a moment, a range of them, ASAP or ANY in words."""
    body = normal.split(";", maxsplit=1)[0]
    if body == "ASAP":
        return texts.text(N_("as soon as possible"))
    low, dots, high = body.partition("..")
    if not dots:
        shown = _one_date(low, texts)
    elif low and high:
        shown = f"{_one_date(low, texts)} – {_one_date(high, texts)}"
    else:
        frame = N_("from {value} on") if low else N_("by {value}")
        shown = texts.text(frame, value=_one_date(low or high, texts))
    return _about(normal, shown, texts)


def _one_date(iso: str, texts: Texts) -> str:
    try:
        if "T" in iso:
            when = datetime.fromisoformat(iso)
            assert when.tzinfo is not None
            return texts.moment(when, when.tzinfo)
        return texts.date(date.fromisoformat(iso))
    except ValueError:
        return iso


def _show_share(normal: str, texts: Texts) -> str:
    low, high = _plain_bounds(normal.split(";", maxsplit=1)[0])
    if low is not None and high is not None:
        shown = texts.percent(low) if low == high else f"{texts.percent(low)}–{texts.percent(high)}"
    elif low is not None:
        shown = texts.text(N_("at least {value}"), value=texts.percent(low))
    else:
        shown = texts.text(N_("at most {value}"), value=texts.percent(high or 0))
    return _about(normal, shown, texts)


def _show_checkpoint(normal: str, texts: Texts) -> str:
    parts = Normal.read(normal).parts
    words = []
    every = parts.get("every")
    if every in _EVERY_ONE:
        words.append(texts.text(_EVERY_ONE[every]))
    elif every:
        words.append(texts.text(N_("every {value}"), value=_interval(every, texts)))
    size = _sized_bounds(parts.get("size", "").replace("GB", "GB=").replace("GiB", "GiB="), "GB")
    if size:
        words.append(texts.text(N_("{value} each"), value=_sized(size, "GB", texts)))
    return _about(normal, ("，" if texts.locale.startswith("zh") else ", ").join(words) or normal, texts)


def _interval(every: str, texts: Texts) -> str:
    steps = re.fullmatch(r"(\d+)(step|epoch)", every)
    if steps:
        forms = NP_("{n} step", "{n} steps") if steps[2] == "step" else NP_("{n} epoch", "{n} epochs")
        return texts.plural(forms, int(steps[1]))
    return _one_duration(every, texts)


def show_model(normal: str, texts: Texts) -> str:
    """Return a model's name, or its size in billions of parameters."""
    if "=" not in normal:
        return normal.rpartition("/")[2]
    if name := hub_name(normal):
        return name.rpartition("/")[2]
    read = Normal.read(normal)
    if "any" in read.parts:
        return texts.either(f"{texts.number(float(size) / 1e9)}B" for size in read.parts["any"].split("|"))
    total = read.bounds("total") or (_edge(read, "lo"), _edge(read, "hi"))
    low, high = (value / 1e9 if value else None for value in total)
    shown = _span(low, high, "B", texts).replace(" B", "B")
    if "active" in read.parts:
        shown += f"-A{texts.number(float(read.parts['active']) / 1e9)}B"
    return _about(normal, shown, texts)


def _edge(read: Normal, key: str) -> float | None:
    return float(read.parts[key]) if key in read.parts else None


_SHOW: Final[dict[Kind, Callable[[str, Texts], str]]] = {
    Kind.MODEL: show_model,
    Kind.TOKENS: _show_tokens,
    Kind.MEMORY: _show_memory,
    Kind.CARDS: _show_cards,
    Kind.ALTERNATIVES: _show_cards,
    Kind.COUNT: _show_count,
    Kind.BANDWIDTH: _show_bandwidth,
    Kind.CHECKPOINT: _show_checkpoint,
    Kind.DURATION: show_duration,
    Kind.DATE: show_date,
    Kind.SHARE: _show_share,
    Kind.YES_NO: _show_yes_no,
    Kind.YES_NO_OR_TEXT: _show_yes_no,
}
