"""Cuts a message into clauses, and tells questions from statements."""

import re
from typing import Final

from bot.quantities.folding import fold, fold_with_origin, lower

LONGEST: Final = 4_096
"""Characters of a message that are read once it is folded: no message of Telegram is longer, but some signs fold into many."""

_CUT = re.compile(
    r"[，。；！\n;!]+"
    r"|(?<=[?？])"
    r"|(?<!\d),|,(?!\d)"
    r"|\.(?=\s|$)(?<!\bvs\.)(?<!\be\.g\.)(?<!\bapprox\.)"
)
_DATE_COMMA = re.compile(
    r"((?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}(?:st|nd|rd|th)?), (?=\d{4})", re.IGNORECASE
)
_GOES_ON = re.compile(
    r"\s*(?:每次|每个|单个|单次|一次|大小|each|size|about|around|~|约|大约|大概)[^,，]{0,6}\d|\s*[≈~]?\d[\d.]*\s?[kmgt]i?b?\s(?:each|apiece|per)(?![a-z])",
    re.IGNORECASE,
)
_RHYTHM = re.compile(
    r"每|(?<![a-z])(?:every|hourly|daily|per hour|once|twice)(?![a-z])|检查点|checkpoint|ckpt", re.IGNORECASE
)
_QUESTION = re.compile(
    r"[?？]\s*$"
    r"|(?:吗|呢|么|嘛)[\s~。.!！]*$"
    r"|^(?:请问|想问|问一下|咨询一下|为什么|为啥|怎么|怎样|如何|什么是|什么叫|啥是|哪里|哪个|哪些|能不能|可不可以|有没有|是不是|支不支持)"
    r"|(?:是什么|是啥|怎么办|怎么算|多少钱|怎么收费|如何收费|什么意思|干什么用|干嘛用|有什么用|行不行|够不够|多久能|怎么选)[\s~。.!！]*$"
    r"|^(?:what|what's|whats|how|why|when|where|which|who|can|could|do|does|is|are|should|would|will|may)\s"
    r"(?=.*\s)(?!.*\b(?:please note|we need|we want)\b)"
)
_NOT_ASKED = re.compile(r"^(?:怎么都|怎样都|什么都|哪里都|哪个都|如何都|which(?:ever)?$|what(?:ever)|when(?:ever))")


def clauses(text: str) -> tuple[str, ...]:
    """Return the clauses of a message in order, each as it was written; a rhythm and its size stay together.

    >>> clauses("每小时一次，每次 1G，数据集 2T。开始时间待定")
    ('每小时一次，每次 1G', '数据集 2T', '开始时间待定')
    """
    joined = _DATE_COMMA.sub(r"\1 ", _head(text))
    found: list[str] = []
    for part in _CUT.split(joined):
        if not part or not part.strip():
            continue
        if found and _GOES_ON.match(part) and _RHYTHM.search(found[-1]):
            found[-1] = f"{found[-1]}，{part.strip()}"
        else:
            found.append(part.strip())
    return tuple(found)


def _head(text: str) -> str:
    origin = fold_with_origin(text[:LONGEST])[1]
    return text[: origin[LONGEST] if len(origin) > LONGEST else LONGEST]


def is_question(clause: str) -> bool:
    """Return whether a clause asks something rather than states it.

    >>> (
    ...     is_question("停机还收费吗"),
    ...     is_question("what is NVLink for"),
    ...     is_question("8 张 H100"),
    ...     is_question("怎么都行"),
    ... )
    (True, True, False, False)
    """
    folded = lower(fold(clause)).strip()
    return bool(_QUESTION.search(folded)) and not _NOT_ASKED.match(folded)
