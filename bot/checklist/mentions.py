"""Finds in a clause what is said by words alone: options, yes and no, models by name, versions, places, people."""

import re
from functools import cache
from typing import Final

from bot.checklist.field import Field
from bot.checklist.fields import BY_KEY
from bot.checklist.understand import options_in
from bot.estimation import models
from bot.quantities.folding import fold, fold_with_origin, lower

_BEFORE_NO = re.compile(
    r"(?:不需要?|不用|不要|不想|不做|不是|无需|无须|没有|没|别|无|非"
    r"|(?<![a-z])(?:no|not|without|don't|do not|doesn't|won't|never|instead of|rather than)(?![a-z]))"
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
_EITHER = re.compile(r"需不需要|要不要|用不用|是不是|有没有|能不能|可不可以")
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
    "load": re.compile(r"持续预训练"),
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
_VERSION = re.compile(r"cuda(?: ?版本)?(?: ?version)? ?[:=]? ?v?(\d{1,2}(?:\.\d{1,2})?)(?![\d.])", re.IGNORECASE)
_DRIVER = re.compile(r"(?:驱动|driver)(?: ?版本| version)? ?[:=]? ?v?(\d{3}(?:\.\d+)*)", re.IGNORECASE)
_PLACES: Final = (
    *(
        "新加坡",
        "香港",
        "东京",
        "大阪",
        "首尔",
        "上海",
        "北京",
        "广州",
        "深圳",
        "杭州",
        "成都",
        "重庆",
        "武汉",
        "南京",
        "苏州",
    ),
    *(
        "内蒙古",
        "乌兰察布",
        "呼和浩特",
        "贵州",
        "贵阳",
        "宁夏",
        "中卫",
        "张家口",
        "台北",
        "曼谷",
        "雅加达",
        "吉隆坡",
        "孟买",
    ),
    *(
        "法兰克福",
        "伦敦",
        "巴黎",
        "阿姆斯特丹",
        "迪拜",
        "悉尼",
        "硅谷",
        "弗吉尼亚",
        "俄勒冈",
        "日本",
        "韩国",
        "美国",
        "美西",
        "美东",
    ),
    *("欧洲", "德国", "英国", "法国", "国内", "海外", "华东", "华北", "华南", "西南", "东南亚"),
    *("singapore", "hong kong", "tokyo", "osaka", "seoul", "shanghai", "beijing", "guangzhou", "shenzhen", "hangzhou"),
    *("taipei", "bangkok", "jakarta", "kuala lumpur", "mumbai", "frankfurt", "london", "paris", "amsterdam", "dubai"),
    *(
        "sydney",
        "virginia",
        "oregon",
        "california",
        "texas",
        "ohio",
        "iceland",
        "finland",
        "norway",
        "sweden",
        "ireland",
    ),
    *(
        "japan",
        "korea",
        "germany",
        "france",
        "europe",
        "the eu",
        "eu",
        "the us",
        "usa",
        "us west",
        "us east",
        "us-west",
    ),
    *("us-east", "mainland china", "china", "southeast asia", "netherlands", "canada", "australia", "india"),
)
_PLACE: Final = "|".join(sorted(map(re.escape, _PLACES), key=len, reverse=True))
_IN_PLACE = re.compile(
    rf"(?:机房|地域|区域|数据中心|节点)(?:要|在|选|放|指定|最好|必须|是|位于| )*({_PLACE})"
    rf"|({_PLACE})(?:的|地区|区域)?(?:机房|地域|数据中心|节点)"
    rf"|(?:放在?|部署在|部署到|位于|落在|托管在)({_PLACE})"
    rf"|(?<![a-z])({_PLACE}) (?:region|data ?cent(?:er|re)|dc|site|zone)s?(?![a-z])"
    rf"|(?:regions?|data ?cent(?:er|re)s?|located|hosted|deployed)(?: (?:must|should|has to))?(?: (?:be|is))? (?:in|at) ({_PLACE})(?![a-z])"
    rf"|(?:hosted|located|region|data ?cent(?:er|re))[: ]+({_PLACE})(?![a-z])"
)
_NAMED = re.compile(
    r"(?:我叫|联系人(?:是|叫|为)? ?|(?:^| )my name is |(?:^| )call me |contact(?: person)? is )"
    r"([\u4e00-\u9fff]{2,4}(?![\u4e00-\u9fff])|[A-Z][A-Za-z'\-]+(?: [A-Z][A-Za-z'\-]+)?)(?=$|[ .!])"
)


def mentioned(clause: str) -> dict[str, str]:
    """Return normal forms by key of what a clause says by words; what is denied, hedged or said doubly is left out."""
    folded, origin = fold_with_origin(clause)
    low = lower(folded)
    found = _options(low)
    found |= {key: state for key, pattern in _SWITCHES.items() if (state := _switch(pattern, low))}
    model = model_named(folded)
    if model:
        found["model"] = model
    own = {"region": _place(low), "name": _person(folded)}
    # Names are kept in the characters in which they were written.
    written = {key: clause[origin[at[0]] : origin[at[1] - 1] + 1] for key, at in own.items() if at}
    return found | _versions(folded) | written


def says_training(text: str) -> bool:
    """Return whether a message speaks of training, in words too weak to count against any other purpose."""
    low = lower(fold(text))
    return any(denied(low, m.start(), m.end()) is False for m in _JUST_TRAINING.finditer(low))


def denied(low: str, start: int, end: int) -> bool | None:
    """Return whether what stands at a place is refused; None where it is hedged."""
    if _EITHER.search(low):
        return None
    if _BEFORE_NO.search(low[:start]) or _AFTER_NO.match(low[end:]):
        return True
    return None if _HEDGED.search(low) else False


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


def _place(low: str) -> tuple[int, int] | None:
    hits = [m for m in _IN_PLACE.finditer(low) if denied(low, m.start(), m.end()) is False]
    return hits[0].span(hits[0].lastindex or 0) if len(hits) == 1 else None


def _person(folded: str) -> tuple[int, int] | None:
    match = _NAMED.search(folded)
    return match.span(1) if match and match[1] else None
