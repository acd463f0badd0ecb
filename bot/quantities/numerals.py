"""Rewrites numerals in words, Chinese or English, as Arabic digits: 两百五 is 250, twenty-four is 24, 两三 is 2~3.

Loose numerals carry a mark that the hedges understand: 十来 becomes ≈10, a couple becomes ≈2. What is vague (几十, a few)
or not a number at all (一般, 千问) stays as it is, so that no grammar can take it for an amount.
"""

import re
from collections.abc import Iterator

from bot.quantities import chinese_numerals, english_numerals
from bot.quantities.digits import Edit

Place = tuple[int, int]  # start and end in the message


def rewrite(text: str) -> str:
    """Return folded `text` with its numerals in digits."""
    for find in STEPS:
        text = _apply(text, find(text))
    return text


def rewrite_with_origin(text: str, origin: list[Place]) -> tuple[str, list[Place]]:
    """Rewrite as `rewrite` does; `origin` gives each character's place in the message and is carried along."""
    for find in STEPS:
        edits = list(find(text))
        spread: list[Place] = []
        at = 0
        for start, end, new in edits:
            spread += origin[at:start]
            # Every digit stands for the whole numeral; what is only put in stands for the place after it.
            place = (
                (origin[start][0], origin[end - 1][1]) if end > start else (origin[start - 1][1], origin[start - 1][1])
            )
            spread += [place] * len(new)
            at = end
        spread += origin[at:]
        text, origin = _apply(text, edits), spread
    return text, origin


def _apply(text: str, edits: Iterator[Edit] | list[Edit]) -> str:
    out: list[str] = []
    at = 0
    for start, end, new in edits:
        out += [text[at:start], new]
        at = end
    return "".join([*out, text[at:]])


def gap_edits(text: str) -> Iterator[Edit]:
    """Close the gap that good typography leaves between digits and Chinese: 12 月 5 号 is 12月 5号."""
    for m in _GAP.finditer(text):
        yield m.start(), m.end(), ""


# Only behind the digits: 下周 3 张 must not become a Wednesday.
_GAP = re.compile(r"(?<=\d) (?=[\u3400-\u9fff])")
STEPS = (
    chinese_numerals.shared_unit_edits,
    english_numerals.shared_scale_edits,
    chinese_numerals.chinese_edits,
    english_numerals.english_edits,
    english_numerals.half_edits,
    gap_edits,
)
