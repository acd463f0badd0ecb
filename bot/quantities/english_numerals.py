"""Rewrites English numerals in digits: twenty-four is 24, a couple is ≈2, "between 7 and 13 billion" shares its unit."""

# ruff: noqa: PLR2004 - the rules of numerals are about tens and hundreds

import re
from collections.abc import Iterator
from decimal import Decimal

from bot.quantities.digits import APPROX_MARK, Edit, plain, spaced

_WORDS = {
    w: i
    for i, w in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ],
    )
}
_WORDS |= {
    w: 10 * i
    for i, w in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2)
}
_WORDS |= {"fourty": 40}
_SCALES = {"dozen": 12, "hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_SCALES |= {"bn": 10**9}
_WORD = "|".join(sorted([*_WORDS, *_SCALES], key=len, reverse=True))
_SCALE = "|".join(_SCALES)
_ENGLISH = re.compile(
    rf"\b(?:(?P<half>half)\s+an?\s+(?P<half_of>{_SCALE})"
    rf"|(?:an?\s+)?(?P<couple>couple)\b(?:\s+of)?(?:\s+(?P<couple_of>{_SCALE}))?"
    rf"|(?P<mixed>(?<![\w.])\d+(?:,\d{{3}})*(?:\.\d+)?)[\s-]?(?P<mixed_of>{_SCALE})"
    rf"|(?P<words>(?:an?[\s-]+(?={_SCALE}\b))?(?:{_WORD})(?:(?:[\s-]+|(?<=red|and|ion)\s+and\s+)(?:{_WORD})\b)*(?:\s+point(?:\s+(?:{_WORD})\b)+(?:\s+(?:{_SCALE})\b)?)?))\b",
    re.IGNORECASE | re.ASCII,
)
_ONE_WORD = rf"(?:\d+(?:\.\d+)?|(?:{'|'.join(_WORDS)}))"
_SHARED_SCALE = re.compile(
    rf"(?<![\w.-])(?:between\s+(?P<between>)(?=\S+\s+and\s))?(?P<low>{_ONE_WORD})\s?(?:-|~|\bto\b|\bor\b|(?(between)\band\b|(?!)))\s?{_ONE_WORD}[\s-]?(?P<scale>{_SCALE})\b",
    re.IGNORECASE | re.ASCII,
)
_AND_A_HALF = re.compile(r"(?<![\w.])(\d+) and (?:a half|1/2)\b", re.IGNORECASE | re.ASCII)


def english_edits(text: str) -> Iterator[Edit]:
    """Replace numerals in English words, and Arabic ones with an English scale, by digits."""
    for m in _ENGLISH.finditer(text):
        new = _english(m)
        if new is not None:
            yield m.start(), m.end(), spaced(text, m.start(), m.end(), new)


def _english(m: re.Match[str]) -> str | None:
    if m["half"]:
        return plain(Decimal(_SCALES[m["half_of"].lower()]) / 2)
    if m["couple"]:
        return f"{APPROX_MARK}{2 * (_SCALES[m['couple_of'].lower()] if m['couple_of'] else 1)}"
    if m["mixed"]:
        return plain(Decimal(m["mixed"].replace(",", "")) * _SCALES[m["mixed_of"].lower()])
    words = [w for w in re.split(r"[\s-]+", m["words"].lower()) if w not in ("and", "a", "an")]
    if "point" not in words:
        value = _words_value(words)
        return None if value is None else plain(value)
    at = words.index("point")
    whole = _words_value(words[:at])
    tail = words[at + 1 :]
    scale = _SCALES[tail.pop()] if tail[-1] in _SCALES else 1
    if whole is None or any(_WORDS.get(w, 10) > 9 for w in tail):
        return None
    return plain(Decimal(f"{plain(whole)}.{''.join(str(_WORDS[w]) for w in tail)}") * scale)


def _words_value(words: list[str]) -> Decimal | None:
    if words == ["bn"]:
        return None
    total = section = Decimal(0)
    last = 1000
    for index, word in enumerate(words):
        if word in _WORDS:
            value = _WORDS[word]
            # "twenty four" goes down from tens to ones; "four twenty" is no number.
            if not (last >= 100 or (20 <= last < 100 and 0 < value < 10)):
                return None
            section += value
            last = value
        elif word in ("hundred", "dozen"):
            section = (section or Decimal(1)) * _SCALES[word]
            last = 100
        else:
            if section == 0 and index:
                return None
            total += (section or Decimal(1)) * _SCALES[word]
            section, last = Decimal(0), 1000
    return total + section


def shared_scale_edits(text: str) -> Iterator[Edit]:
    """Give both ends of "between 7 and 13 billion" and "two to three hundred" the scale that is said once."""
    for m in _SHARED_SCALE.finditer(text):
        yield m.end("low"), m.end("low"), f" {m['scale']}"


def half_edits(text: str) -> Iterator[Edit]:
    """Replace "2 and a half" by 2.5."""
    for m in _AND_A_HALF.finditer(text):
        yield m.start(), m.end(), f"{m[1]}.5"
