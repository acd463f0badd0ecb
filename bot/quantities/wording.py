"""The one spelling in which all readers see an answer: folded, numerals in digits, lower case."""

import functools
import re

from bot.quantities.folding import fold, lower
from bot.quantities.numerals import rewrite

# An answer to one question is short; whatever is longer is a message, and spans are for messages.
LONGEST_ANSWER = 200

AROUND_THE_CLOCK = re.compile(
    r"(?<![\d/.-])(?:7\s?[x*×乘]\s?24|24\s?[x*×/]\s?7(?![\d/.-])|7天\s?24)(?!\d)(?:\s?(?:个?小时|h(?:ours?)?(?![a-z])))?",
    re.IGNORECASE,
)
"""7x24 and 24/7 say when something runs; they are no count of cards, no date and no share."""

_POINT = re.compile(r"(?<!\d)(\d+)点(\d+)")


@functools.lru_cache(maxsize=256)
def canonical(text: str) -> str:
    """Return the spelling that readers match, in lower case."""
    return lower(canonical_cased(text))


@functools.lru_cache(maxsize=256)
def canonical_cased(text: str) -> str:
    """Return the same with case kept, for units in which b and B differ."""
    return rewrite(fold(text)).strip()


def decimal(text: str) -> str:
    """Read 点 between digits as the decimal point, which it is everywhere but in times of day."""
    return _POINT.sub(r"\1.\2", text)
