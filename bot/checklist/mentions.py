"""Finds in a clause what is said by words alone: options, yes and no, models by name, versions, places, people."""

import re
from functools import cache
from typing import Final

from bot.checklist.field import Field
from bot.checklist.fields import BY_KEY
from bot.checklist.options import options_in
from bot.checklist.refusals import denied
from bot.checklist.regions import region_named
from bot.estimation import models
from bot.quantities.folding import fold, fold_with_origin, lower

_OTHERS_MODEL = re.compile(
    r"之前|上次|原来|试过|比如|例如|对比|蒸馏|教师|(?<![a-z])(?:tried|last time|previously|used to|for example|e\.g|distill\w*|teacher|compared?|like)(?![a-z])"
)
_CHOSEN_BY_WORDS: Final = ("workload", "method", "parallelism", "network", "template", "load", "region_reason")
_NOT_MEANT: Final = {
    "workload": re.compile(
        r"预训练(?:好的?)?(?:模型|权重)|pre-?trained|(?:训练|微调)(?:数据|集|样本|语料)"
        r"|(?:training|fine-?tuning|inference) (?:data|set|samples)"
    ),
    "method": re.compile(r"预训练(?:好的?)?(?:模型|权重)|pre-?trained"),
    "load": re.compile(
        r"持续预训练|满载率"
        r"|(?:白天|晚上|夜[里间]|上班|工作日|周末|高峰|有时|偶尔).{0,8}?(?:满载|满负荷|全天候)"
        r"|(?:at night|by day|during the day|sometimes|at peak|weekdays?).{0,12}?full (?:load|capacity)"
        r"|full (?:load|capacity).{0,12}?(?:at night|by day|during the day|sometimes|at peak|weekdays?)"
    ),
}
_JUST_TRAINING = re.compile(
    r"(?<!预)(?<!继续)训练(?!数据|集|样本|语料|好的|脚本|代码|框架|出来)"
    r"|(?<![a-z])(?:train|training)(?! (?:data|set|samples|script|code|framework|time))(?![a-z])"
)
_SWITCHES: Final = {
    "nvlink": re.compile(r"nv ?link|nv ?switch"),
    "shared_storage": re.compile(
        r"共享(?:的)?(?:高速|并行|网络)?(?:存储|储存|盘|文件系统|卷)|shared (?:storage|file ?system|volume|disk)|storage (?:must be |is )?shared"
    ),
    "batches": re.compile(r"分(?:[两二三四23几多]?个?批次?|批)(?:到货|交付|上|来|次)?|in (?:\w+ )?batches"),
}
_DEGREES = re.compile(r"(?<![a-z0-9])(tp|pp|dp)(?: ?size)? ?[=:x*]? ?\d{1,4}(?![\d.])")
_VERSION = re.compile(r"cuda(?: ?版本)?(?: ?version)? ?[:=]? ?v?(\d{1,2}(?:\.\d{1,2})?)(?![\d.])", re.IGNORECASE)
_DRIVER = re.compile(r"(?:驱动|driver)(?: ?版本| version)? ?[:=]? ?v?(\d{3}(?:\.\d+)*)", re.IGNORECASE)
_NAMED = re.compile(
    r"(?:我叫|联系人(?:是|叫|为)? ?|(?:^| )my name is |(?:^| )call me |contact(?: person)? is )"
    r"([\u4e00-\u9fff]{2,4}(?![\u4e00-\u9fff])|[A-Z][A-Za-z'\-]+(?: [A-Z][A-Za-z'\-]+)?)(?=$|[ .!])"
)


def mentioned(clause: str) -> dict[str, str]:
    """Return normal forms by key of what a clause says by words; what is denied, hedged or said doubly is left out."""
    folded, origin = fold_with_origin(clause)
    low = lower(folded)
    found = _options(low) | _parallelism(low)
    found |= {key: state for key, pattern in _SWITCHES.items() if (state := _switch(pattern, low))}
    model = model_named(folded)
    if model:
        found["model"] = model
    own = {"region": region_named(low), "name": _person(folded)}
    # Names are kept in the characters in which they were written.
    written = {key: clause[origin[at[0]] : origin[at[1] - 1] + 1] for key, at in own.items() if at}
    return found | _versions(folded) | written


def says_training(text: str) -> bool:
    """Return whether a message speaks of training, in words too weak to count against any other purpose."""
    low = lower(fold(text))
    return any(denied(low, m.start(), m.end()) is False for m in _JUST_TRAINING.finditer(low))


@cache
def _model_pattern() -> re.Pattern[str]:
    """All names of the catalogue that hold a letter and more than a bare size, the longest first; blanks and dashes are free."""
    names = {name for model in models() for name in (model.name, *model.aliases)}
    kept = (name for name in names if re.search(r"[A-Za-z]{2,}|[\u4e00-\u9fff]{2,}", name) and len(name) > 3)  # noqa: PLR2004 - L3 or GLM alone say too little
    spelled = (r"[-_ ]?".join(re.escape(part) for part in re.split(r"[-_ ]+", lower(fold(name)))) for name in kept)
    return re.compile(
        rf"(?<![a-z0-9])(?:{'|'.join(sorted(spelled, key=len, reverse=True))})(?:[-_ ]?(?:instruct|chat|base))?(?![a-z0-9]|\.\d)"
    )


def model_named(folded: str) -> str | None:
    """Return a model of the catalogue that a clause names as it was written; None for none, or for several."""
    low = lower(folded)
    if _OTHERS_MODEL.search(low):
        return None
    hits = [m for m in _model_pattern().finditer(low) if denied(low, m.start(), m.end()) is False]
    names = {m[0] for m in hits}
    return folded[hits[0].start() : hits[0].end()] if len(names) == 1 and any(c.isdigit() for c in hits[0][0]) else None


def _options(low: str) -> dict[str, str]:
    found = {}
    for key in _CHOSEN_BY_WORDS:
        field = BY_KEY[key]
        barred = [m.span() for m in _NOT_MEANT[key].finditer(low)] if key in _NOT_MEANT else []
        codes = {
            option.code
            for start, end, option in options_in(field, low, short=False)
            if not any(left <= start and end <= right for left, right in barred) and denied(low, start, end) is False
        }
        code = _one(field, codes)
        if code:
            found[key] = code
    return found


def _one(field: Field, codes: set[str]) -> str | None:
    """One code, or several where a field takes several; two that exclude each other say nothing."""
    if field.key == "parallelism":
        return "+".join(option.code for option in field.options if option.code in codes) or None
    return codes.pop() if len(codes) == 1 else None


def _parallelism(low: str) -> dict[str, str]:
    """Kinds of parallelism by their degrees, as engines are told them: TP8 PP2 DP4, tp=4."""
    kinds = {m[1] for m in _DEGREES.finditer(low)}
    codes = [code for code, short in (("data", "dp"), ("pipeline", "pp"), ("tensor", "tp")) if short in kinds]
    return {"parallelism": "+".join(codes)} if codes else {}


def _switch(pattern: re.Pattern[str], low: str) -> str | None:
    states = {denied(low, m.start(), m.end()) for m in pattern.finditer(low)}
    if states == {True}:
        return "no"
    return "yes" if states == {False} else None


def _versions(folded: str) -> dict[str, str]:
    cuda, driver = _VERSION.search(folded), _DRIVER.search(folded)
    if cuda is None or denied(lower(folded), cuda.start(), cuda.end()) is not False:
        return {}
    return {"cuda": f"{cuda[0].strip()}, {driver[0].strip()}" if driver else cuda[0].strip()}


def _person(folded: str) -> tuple[int, int] | None:
    match = _NAMED.search(folded)
    return match.span(1) if match and match[1] else None
