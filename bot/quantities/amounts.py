"""Reads one amount, a range of two, or several alternatives, for any unit that a reader of one amount understands."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from bot.quantities.hedges import Peeled

_RANGE = re.compile(r"\s*(?:--?|~|到|至|\.\.|(?<![a-z])(?:to|through)(?![a-z]))\s*", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*(?:-|~|到|至|和|与|(?<![a-z])(?:and|to)(?![a-z]))\s*", re.IGNORECASE)
_BETWEEN_OPENS = re.compile(r"(?:between|from|介于|在|从)\s*", re.IGNORECASE)
_BETWEEN_CLOSES = re.compile(r"\s*(?:之间|间|不等)$")
_OR = re.compile(r"\s*(?:或者是?|或是?|还是|/|(?<![a-z])or(?![a-z]))\s*", re.IGNORECASE)
_AND = re.compile(r"\s*(?:、|(?<!\d),|,(?=\s)|和|跟|与|以及|(?<![a-z])and(?![a-z]))\s*", re.IGNORECASE)
_BARE = re.compile(r"[\d.,]+")
_NEIGHBOURS = re.compile(r"(\d)\s*[a-z\u4e00-\u9fff]*?\s*(?:或者?|or|/)\s*(\d)(?!\d)")
_SLASHED = re.compile(r"\d\s?/\s?\d")
_MOST_SPLITS = 6


@dataclass(frozen=True, slots=True)
class Amount:
    """A value in the reader's base unit; `unit` names what the form must print with it, and is empty for a bare number.

    `text` is what the form prints where the number alone does not say it, such as P3M.
    """

    value: Decimal
    unit: str = ""
    approx: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What an answer says: `shape` is one, range, any, min or max."""

    shape: str
    amounts: tuple[Amount, ...]
    approx: bool

    @property
    def unit(self) -> str:
        """The unit of the first amount."""
        return self.amounts[0].unit


ReadOne = Callable[[str], Amount | None]


def read(
    peeled: Peeled, one: ReadOne, *, bare: bool = False, all_of: bool = False, counted: bool = False
) -> Reading | None:
    """Read a peeled answer with `one`.

    Amounts without unit count only if `bare`; `all_of` takes "7B and 70B" as either; where things are `counted`, "one or
    two" is a range.
    """
    core = peeled.core

    def usable(amounts: list[Amount] | None) -> bool:
        return (
            bool(amounts) and all(a.unit or bare for a in amounts or ()) and len({a.unit for a in amounts or ()}) == 1
        )

    single = one(core)
    if single and usable([single]):
        return Reading(peeled.bound or "one", (single,), peeled.approx or single.approx)
    pair = read_range(core, one)
    if pair and usable(pair):
        if peeled.bound:
            return None
        approx = peeled.approx or any(a.approx for a in pair)
        return Reading("range", tuple(pair), approx) if pair[0].value < pair[1].value else None
    if counted and _SLASHED.search(core):
        return None  # 1/2年 may be a half or a choice
    options = _options(core, one, _OR) or (_options(core, one, _AND) if peeled.either or all_of else None)
    if not options or not usable(options) or peeled.bound:
        return None
    shape = "range" if counted and _follow(core) else "any"
    return Reading(shape, tuple(options), peeled.approx)


def read_range(core: str, one: ReadOne) -> list[Amount] | None:
    """Read `a to b`; a bare `a` takes the unit of `b`, as in 500-800GB."""
    opened = _BETWEEN_OPENS.match(core)
    closed = _BETWEEN_CLOSES.search(core)
    inner = core[opened.end() if opened else 0 : closed.start() if closed else len(core)]
    separator = _BETWEEN if opened or closed else _RANGE
    for count, m in enumerate(separator.finditer(inner)):
        if count >= _MOST_SPLITS:
            break
        left, right = inner[: m.start()], inner[m.end() :]
        high = one(right) if left and right else None
        low = one(_with_unit_of(right, left)) or one(left) if high else None
        if low and high and low.value > high.value and _BARE.fullmatch(left):
            low = one(left)
        if low and high:
            if low.unit and not high.unit:
                high = one(_with_unit_of(left, right)) or high
            return [low, high]
    return None


def _options(core: str, one: ReadOne, separator: re.Pattern[str]) -> list[Amount] | None:
    texts = separator.split(core)
    if not 1 < len(texts) <= _MOST_SPLITS:
        return None
    last = texts[-1]
    found = [one(_with_unit_of(last, text)) or one(text) for text in texts]
    return [f for f in found if f] if all(found) else None


def _with_unit_of(model: str, text: str) -> str:
    m = re.match(rf"\s*(?:{_BARE.pattern})(.*)$", model)
    return text + m[1] if m and _BARE.fullmatch(text.strip()) else text


def _follow(core: str) -> bool:
    """Whether "two or three" is meant, which is a range rather than a choice."""
    m = _NEIGHBOURS.match(core)
    return m is not None and int(m[2]) == int(m[1]) + 1
