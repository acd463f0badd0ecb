"""Finds wishes for cards inside a message: runs of words from the name of a card, or from a counted one."""

import functools
import re
from collections.abc import Iterator

from bot.quantities.cards import MODEL, nameless
from bot.quantities.gpu_words import longest_wish
from bot.quantities.gpus import read_gpu

_MOST_WISHES = 60
_read = functools.lru_cache(maxsize=512)(read_gpu)
_MODEL = nameless(MODEL)
_CARD_STARTS = re.compile(
    rf"(?<![a-z\d.-])(?:(?:至少|最少|起码|少说也?得?|大概|大约|约|将近|接近|最多|不超过|超过|不少于|不低于|不到|少于|(?:at least|at most|up to|about|around|nearly|almost|(?:no |not )?(?:more|less|fewer) than)(?![a-z]))\s?)?(?:≈?\d{{1,15}}\s?(?:(?:-|~|到|to)\s?\d{{1,15}}\s?)?(?:张|块|片|卡|台|机|个节点|节点|x|\*|gpus?|cards?|nodes?|machines?|servers?|-gpu|(?={_MODEL}))|单[机卡]|双[机卡]|(?={_MODEL}))",
)
# A number before an "or", "to" or "+" belongs to the one behind it: "16 and 32 H100s" without its first half would be 32.
_JOINED_TO = re.compile(
    r"(?<![\w.-])(?:between )?≈?\d{1,6} ?[张块片卡台个]?\s?(?:-|~|到|至|to|or|and|或者?|和|\+|/|、)\s?$"
)
_JOINED_WITHIN = 24
# A number at the end may count what comes next.
_NAMED_LAST = re.compile(rf"(?:{_MODEL})$")
_TIMES_LAST = re.compile(r"[x*×乘]\s?\d+$")
_GOES_ON_AT_ONCE = re.compile(r"[a-z%]|\.\d")
_GOES_ON = re.compile(r"\s?[a-z%]|[\u3400-\u9fff]|\.\d")

Wish = tuple[int, int, str]
"""Start and end in the message, and the normal form."""


def wishes(low: str) -> Iterator[Wish]:
    """Find the wishes of a message in lower case, with numerals in digits; where several readings overlap the longest comes first."""
    done = 0
    for count, m in enumerate(_CARD_STARTS.finditer(low)):
        if count >= _MOST_WISHES:
            break
        if m.start() < done:
            continue
        found = _readings(low, m.start())
        # What cannot be read from its beginning is not read from its middle: 4到8台8卡 is not 8 cards.
        done = found[0][1] if found else max(longest_wish(low, m.start()), default=done)
        joined = _JOINED_TO.search(low, max(0, m.start() - _JOINED_WITHIN), m.start())
        yield from found if joined is None else _joined(low, joined.start(), found)


def _readings(low: str, start: int) -> list[Wish]:
    """Return the readings of the words about cards that begin at a place, the longest first."""
    found = []
    for farthest in longest_wish(low, start):
        raw = low[start:farthest].rstrip()
        end = start + len(raw)
        normal = None if _cut_off(raw, low[end : end + 3]) else _read(raw)
        if normal and _is_wish(normal):
            found.append((start, end, normal))
    return found


def _cut_off(raw: str, following: str) -> bool:
    """Whether a number at the end counts what comes next instead: 8x7 of 8x7B, 1 of H100 租1季度, 1-2 of 1-2台."""
    if not raw[-1:].isdigit() or _NAMED_LAST.search(raw):
        return False
    return bool((_GOES_ON_AT_ONCE if _TIMES_LAST.search(raw) else _GOES_ON).match(following))


def _joined(low: str, start: int, readings: list[Wish]) -> Iterator[Wish]:
    """Read wishes again from the number before them; what cannot be read with it is not read without it."""
    for _, end, _ in readings:
        normal = _read(low[start:end])
        if normal:
            yield start, end, normal


def _is_wish(normal: str) -> bool:
    """Whether a form says more of cards than a bare number or an amount of memory would."""
    return any(part in normal for part in ("model=", "any=", "count=", "nodes=", "per_node="))
