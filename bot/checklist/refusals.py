"""Tells whether what stands in a clause is refused, left open, or meant."""

import re
from functools import lru_cache
from typing import Final

_BEFORE_NO = re.compile(
    r"(?:不需要?|不用|不要|不想|不做|不是|无需|无须|没有|没|别|无|非|除了?|除去|不含|不考虑"
    r"|(?<![a-z])(?:no|not|without|don't|do not|doesn't|won't|never|instead of|rather than|(?:any|every)thing but|all but|except(?: for)?|other than|apart from|excluding)(?![a-z]))"
    r"[^,.;]{0,8}$"
)
_AFTER_NO = re.compile(
    r"^[^,.;]{0,6}?(?:不需要|不用|不要|没必要|就不|用不着|无所谓"
    r"|(?:is |are )?(?:not|isn't|aren't) (?:needed|required|necessary)|unnecessary)"
)
_HEDGED = re.compile(
    r"最好|尽量|可能|也许|不确定|不知道|不清楚|是否|要不要|需不需要|用不用|考虑|如果|要是|待定|没定"
    r"|(?<![a-z])(?:prefer|preferably|ideally|nice to have|if|maybe|perhaps|unsure|not sure|might|whether|depends|tbd)(?![a-z])"
)
_REACH: Final = 40
"""Characters beside a word within which a refusal of it stands."""
_EITHER = re.compile(r"需不需要|要不要|用不用|是不是|有没有|能不能|可不可以")


def denied(low: str, start: int, end: int) -> bool | None:
    """Return whether what stands at a place is refused; None where it is hedged."""
    if _left_to_either(low):
        return None
    if _BEFORE_NO.search(low[max(0, start - _REACH) : start]) or _AFTER_NO.match(low[end : end + _REACH]):
        return True
    return None if _hedged(low) else False


@lru_cache(maxsize=256)
def _left_to_either(low: str) -> bool:
    return bool(_EITHER.search(low))


@lru_cache(maxsize=256)
def _hedged(low: str) -> bool:
    return bool(_HEDGED.search(low))
