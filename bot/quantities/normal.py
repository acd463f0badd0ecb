"""Reads and writes normal forms, the small notation in which a parsed answer is stored and compared."""

import re
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation

from bot.quantities.digits import plain

_FLAGS = frozenset({"approx", "moe", "ASAP", "ANY", "LONG", "TBD", "NONE", "DECLINE", "yes", "no", "maybe", "any"})
_AMOUNT = re.compile(r"[A-Za-z?]*?(-?\d+(?:\.\d+)?(?:e\d+)?)[A-Za-z]*")
_ISO_DURATION = re.compile(
    r"P(?:(\d+(?:\.\d+)?)Y)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)W)?(?:(\d+(?:\.\d+)?)D)?"
    r"(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?",
)
_UNIT_SECONDS = (365 * 86400, 30 * 86400, 7 * 86400, 86400, 3600, 60, 1)
_GIB_IN_GB = 1.073741824

Bounds = tuple[float | None, float | None]


@dataclass(frozen=True, slots=True)
class Normal:
    """A normal form taken apart: named parts, unnamed ones under the empty name, and flags such as `approx`.

    Numbers come back as floats in the form's own unit (GB, gbps, parameters), durations in seconds, dates as days since
    the first of January of the year 1.
    """

    parts: dict[str, str]
    flags: frozenset[str]

    @classmethod
    def read(cls, form: str) -> "Normal":
        """Take a form apart; a form of another kind still reads, its parts are just not numbers."""
        parts: dict[str, str] = {}
        flags = set()
        for piece in (p.strip() for p in form.split(";")):
            if not piece:
                continue
            name, equals, value = piece.partition("=")
            if piece in _FLAGS:
                flags.add(piece)
            elif equals and re.fullmatch(r"[A-Za-z_]+", name):
                parts[name] = value
            else:
                parts[""] = piece
        return cls(parts, frozenset(flags))

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        pieces = [f"{name}={value}" if name else value for name, value in self.parts.items()]
        return ";".join(pieces + sorted(self.flags))

    @property
    def approx(self) -> bool:
        """Whether the person said "about"."""
        return "approx" in self.flags

    @property
    def ask(self) -> tuple[str, ...]:
        """The readings between which the person must choose; empty when the form is clear."""
        form = self.parts.get("", "")
        return tuple(form[4:].split("|")) if form.startswith("ask:") else ()

    def alternatives(self, key: str = "any") -> tuple[str, ...]:
        """The texts of a part that offers several, `any=a|b`; a part with one value offers that one."""
        value = self.parts.get(key)
        if value is None:
            return ()
        return tuple(value.removeprefix("ask:").split("|"))

    def bounds(self, key: str = "") -> Bounds | None:
        """Lowest and highest value of a part, None for an open end; None when the part is absent or not a number.

        A part may be exact, a range, or several alternatives (their hull). Where the named part is absent, the bounds that
        stand for the whole form (`lo`, `hi`, `min`, `any`) answer: `min=GB500` gives 500 for GB.
        """
        value = self.parts.get(key)
        if value is not None:
            return _hull(value)
        if key and key not in _bounded_names(self.parts):
            return None
        if "any" in self.parts:
            return _hull(self.parts["any"])
        low = self.parts.get("lo", self.parts.get("min"))
        high = self.parts.get("hi", self.parts.get("max"))
        if low is None and high is None:
            return None
        return _number(low), _number(high)

    def value(self, key: str = "") -> float | None:
        """Give the exact value of a part, the middle of its range, or the end that is known."""
        bounds = self.bounds(key)
        if bounds is None:
            return None
        low, high = bounds
        if low is not None and high is not None:
            return (low + high) / 2
        return low if low is not None else high


def compose(*pieces: str | None, approx: bool = False) -> str:
    """Join the pieces of a normal form, leaving out the empty ones."""
    return ";".join([p for p in pieces if p] + ["approx"] * approx)


def scaled(value: Decimal) -> str:
    """Write a count of parameters as people read it: 7e9, 350e6."""
    for exponent in (12, 9, 6):
        if value >= Decimal(10) ** exponent:
            return f"{plain(value / Decimal(10) ** exponent)}e{exponent}"
    return plain(value)


def memory_gb(normal: str) -> Bounds | None:
    """Bounds in decimal GB of a `mem` form; GiB are converted, `count` and `per` are left to the caller."""
    form = Normal.read(normal)
    for unit in ("GB", "GiB"):
        if unit in form.parts:
            return _times(form.bounds(unit), _GIB_IN_GB if unit == "GiB" else 1.0)
    texts = [form.parts[k] for k in ("lo", "hi", "min", "any") if k in form.parts]
    if not texts or not all("GB" in t or "GiB" in t for t in texts):
        return None
    return _times(form.bounds(), _GIB_IN_GB if "GiB" in texts[0] else 1.0)


def duration_seconds(normal: str) -> Bounds | None:
    """Bounds in seconds of a `dur` form, a month counted as 30 days and a year as 365; `LONG` has no bounds."""
    form = Normal.read(normal)
    if "LONG" in form.flags:
        return None, None
    text = form.parts.get("", form.parts.get("any"))
    if text is None or "P" not in text:
        return None
    return _hull(text)


def seconds_of(iso: str) -> float | None:
    """Seconds of one ISO 8601 duration, or None."""
    m = _ISO_DURATION.fullmatch(iso)
    if not m or not any(m.groups()):
        return None
    return float(sum(float(n) * size for n, size in zip(m.groups(), _UNIT_SECONDS, strict=True) if n))


def _bounded_names(parts: dict[str, str]) -> set[str]:
    names = set()
    for key in ("lo", "hi", "min", "max", "any"):
        unit = re.match(r"[A-Za-z]*", parts.get(key, ""))
        if key in parts and unit:
            names |= {unit[0]} if unit[0] else {"total", ""}
    return names


def _hull(text: str) -> Bounds | None:
    lows: list[float | None] = []
    highs: list[float | None] = []
    for option in text.removeprefix("ask:").split("|"):
        low, dots, high = option.partition("..")
        ends = (_number(low), _number(high)) if dots else (_number(option),) * 2
        if ends == (None, None):
            return None
        lows.append(ends[0])
        highs.append(ends[1])
    known_low = [x for x in lows if x is not None]
    known_high = [x for x in highs if x is not None]
    low_end = min(known_low) if len(known_low) == len(lows) else None
    high_end = max(known_high) if len(known_high) == len(highs) else None
    return low_end, high_end


def _number(text: str | None) -> float | None:
    if not text:
        return None
    seconds = seconds_of(text)
    if seconds is not None:
        return seconds
    if re.match(r"\d{4}-\d\d-\d\d", text):
        try:
            return float((datetime.fromisoformat(text) if "T" in text else date.fromisoformat(text)).toordinal())
        except ValueError:
            return None
    m = _AMOUNT.fullmatch(text)
    try:
        return float(Decimal(m[1])) if m else None
    except InvalidOperation:
        return None


def _times(bounds: Bounds | None, factor: float) -> Bounds | None:
    if bounds is None:
        return None
    low, high = bounds
    return (None if low is None else low * factor), (None if high is None else high * factor)
