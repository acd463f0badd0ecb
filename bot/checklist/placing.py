"""Decides which field a quantity found in a free message belongs to, by the words around it; none rather than a wrong one."""

import re
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final

from bot.checklist.refusals import denied
from bot.quantities import Normal
from bot.quantities.spans import Span

_OF: Final[dict[str, dict[str, re.Pattern[str]]]] = {
    "mem": {
        "dataset_size": re.compile(
            r"数据集|数据量|资料(?!库|盘|卷|中心)|训练数据|数据(?!盘|卷|中心|库)|语料|训练集|样本|图片|视频|data ?sets?|corpus|(?<![a-z])data(?! (?:volume|disk|cent))|images|documents"
        ),
        "volume_size": re.compile(
            r"数据盘|数据卷|存储卷|云盘|硬盘|磁盘|(?<!显)存储|储存|(?<![a-z])卷|网盘|(?<!系统)盘|(?<![a-z])(?:volumes?|disks?|storage|nvme|ssd|nfs)(?![a-z])"
        ),
        "min_vram": re.compile(
            r"显存|单卡|每张?卡|vram|gpu (?:memory|ram)|per (?:card|gpu)|card memory|memory per|(?:的|g)卡|cards? with"
        ),
        "checkpoint": re.compile(r"检查点|断点|存档|ckpt|checkpoints?"),
        "": re.compile(
            r"内存|主机|(?<![a-z])(?:cpu|ram|host memory|system memory|weights?|output|logs?|image size)(?![a-z])|权重|日志|镜像|模型文件|系统盘|产出"
        ),
    },
    "bw": {
        "read_throughput": re.compile(r"读|吞吐|(?<![a-z])(?:read|reading|throughput|load(?:ing)? data)(?![a-z])"),
        "bandwidth": re.compile(
            r"带宽|互联|互连|网络|网卡|机间|跨机|节点间|机器之间|以太|(?<![a-z])(?:ib|infiniband|roce|bandwidth|interconnect|network|between|inter-node|fabric)(?![a-z])"
        ),
        "": re.compile(
            r"写入|写速|出口|公网|上网|nv ?link|(?<![a-z])(?:write|writing|internet|egress|public|uplink)(?![a-z])"
        ),
    },
}
_ELSEWHERE: Final = {
    "gpu": re.compile(
        r"现在有|现在用|目前|已有|已经有|已租|手头|自己有|自有|之前|上次|原来|试过|跑过|首批|第[一二12]批|再加|追加|每个?(?:团队|人|组|项目|任务|实验)|后续|扩[到容]|价格|报价|比如|例如|对比|比较"
        r"|(?<![a-z])(?:currently|already|we own|our own|existing|last time|previously|used to|tried|first batch|additional|scale up|price|compared?|versus|vs)(?![a-z])"
    ),
    "dur": re.compile(
        r"前(?!后)|已经|经验|过去|历史|有效|之内|以内|保留|每天|每周|每月|响应|交付|排队|等|成立|间隔|检查点|断点|存档"
        r"|(?<![a-z])(?:ago|already|past|last|history|experience|within|response|deliver|delivery|every|each day|per day|retention|keep|since|old|interval|checkpoints?|ckpt)(?![a-z])"
    ),
    "date": re.compile(
        r"截止|结束|到期|为止|直到|[用跑租训]到|之前|前(?!后)|成立|发布|会议|联系|沟通|电话|付款|预算"
        r"|(?<![a-z])(?:deadline|until|end(?:s|ing)?(?! of)|finish|done by|before|released|meeting|call|budget|paid|due)(?![a-z])"
    ),
    "params": re.compile(
        r"数据|语料|(?<![a-z])(?:tokens?|data|corpus|budget|embedding)(?![a-z])|蒸馏|教师|distill|teacher|之前|上次|试过|例如|比如|(?<![a-z])(?:tried|last time|previously|used to|for example)(?![a-z])"
    ),
    "tokens": re.compile(
        r"数据集|语料|总共|一共|(?<![a-z])(?:dataset|corpus|total|in all|per (?:second|minute|hour|day|month)|tps|daily)(?![a-z])|/ ?(?:s|秒|天|日|月|day|month|hour|h)(?![a-z])|每[秒天日月]|并发|处理"
    ),
    "pct": re.compile(
        r"折|优惠|降|涨|准确|提升|精度|预付|(?<![a-z])(?:discount|off|accuracy|prepay|upfront|cheaper|uptime|sla)(?![a-z])"
    ),
}
_ENDS = re.compile(r"until|till|no later than")
_TO_THEN = re.compile(r"(?:[到至]|(?<![a-z])(?:to|till|until|through))\s*$")
_PICTURES = re.compile(r"图片|图像|照片|样本|(?<![a-z])(?:images|pictures|photos|samples)(?![a-z])")
_FOR_LONG = re.compile(
    r"跑|租|用|训|预留|持续|时长|周期|为期|租期|需要|大概|长期|长租|项目"
    r"|(?<![a-z])(?:run|running|for|rent|reserve|reserved|reservation|lasting|lasts?|duration|period|need|train|long[- ]term|starting|from)(?![a-z])"
)
_FROM_THEN = re.compile(
    r"开始|启动|上线|起(?!步)|进场|就位|要用|开工|起跑|跑|租|用|到位"
    r"|(?<![a-z])(?:start|starts|starting|begin|beginning|from|kick|go live|launch|need|asap|soon|immediately|run|ready|by)(?![a-z])"
)
_BUSY = re.compile(
    r"利用率|使用率|占用率|占用|负载率|忙|(?<![a-z])(?:util|utili[sz]ation|busy|usage|used|load|duty)(?![a-z])"
)
_EACH_MACHINE = re.compile(
    r"每台|每机|每个?节点|单机|单台|单节点|(?<![a-z])(?:per|each|a|every) (?:node|machine|server|box|host)"
)
_INSTEAD = re.compile(
    r"替代|可接受|备选|备用|代替|不行就|没有.{0,10}的?话|没货|退而求其次|(?<![a-z])(?:alternativ\w*|fall ?back|backup|instead(?! of)|if not available|otherwise|substitute)"
)
_AS_WELL = re.compile(
    r"也行|也可以|也可|也能接受|都行|(?<![a-z])(?:also (?:fine|ok|works)|as well|would do|acceptable|fine too)"
)
_CONDITION = re.compile(r"如果|要是|假如|万一|待定|没定|(?<![a-z])(?:if|in case|suppose|whether|tbd)(?![a-z])")
_IN_ALL = re.compile(r"共|合计|总|一起|(?<![a-z])(?:total|in all|altogether|overall)")
_CARD_PARTS: Final = ("any", "model", "form", "mem", "mem_min")
_HINTS: Final = {"dur": ("duration", _FOR_LONG), "date": ("start_date", _FROM_THEN), "pct": ("utilization", _BUSY)}
_DIRECT: Final = {"ckpt": "checkpoint", "tokens": "sequence_length", "params": "model"}
_LONGEST_SEQUENCE: Final = 20e6
"""Tokens; what is more is the text of a corpus or of a day."""
_REACH: Final = 150
"""Characters on either side of a quantity whose words say what it is."""
_ALONE: Final = 8
"""Characters beside a quantity up to which a clause counts as that quantity alone."""


def place(span: Span, clause: str, *, known: AbstractSet[str], wanted: str | None) -> dict[str, str]:
    """Return normal forms by key for one quantity of a clause.

    `clause` is folded and in lower case, and the span stands in it; `known` are the keys that have an answer, in this message or
    before; `wanted` is the open question's key if it takes this kind of quantity.
    """
    span, clause = _near(span, clause)
    elsewhere = _ELSEWHERE.get(span.kind)
    around = f"{clause[: span.start]} {clause[span.end :]}"
    if (elsewhere and elsewhere.search(around)) or span.normal.startswith("ask:"):
        return {}
    if span.kind == "date" and (_ENDS.match(span.raw.lower()) or _TO_THEN.search(clause[: span.start])):
        return {}
    if span.kind == "tokens" and _most(span.normal) > _LONGEST_SEQUENCE:
        return {}
    if denied(clause, span.start, span.end) or _CONDITION.search(clause):
        return {}
    if span.kind == "gpu":
        return _cards(span, clause, known)
    if span.kind in _OF:
        return _nearest(span, clause, wanted)
    if span.kind in _HINTS:
        return _hinted(span, around, wanted)
    return {_DIRECT[span.kind]: span.normal} if span.kind in _DIRECT else {}


def _near(span: Span, clause: str) -> tuple[Span, str]:
    """The span with what stands near it: words far off, in a paste without any stop, say nothing of it."""
    begin = max(0, span.start - _REACH)
    moved = replace(span, start=span.start - begin, end=span.end - begin)
    return moved, clause[begin : span.end + _REACH]


def _cards(span: Span, clause: str, known: AbstractSet[str]) -> dict[str, str]:
    parts = Normal.read(span.normal).parts
    card = _parts(span.normal, _CARD_PARTS)
    if not card and _PICTURES.search(clause):
        return {}
    if card and "model" not in parts and "any" not in parts:
        card = None
    if card and (_INSTEAD.search(clause) or ("gpu" in known and _AS_WELL.search(clause))):
        return {"gpu_alternatives": card}
    found = {"gpu": card} if card else {}
    if not card and "mem_min" in parts:
        return {"min_vram": f"min=GB{parts['mem_min']}"}
    count = _parts(span.normal, ("count",))
    per_node = _parts(span.normal, ("per_node",))
    nodes = parts.get("nodes")
    if re.search(r"单卡|每张?卡|单张|per card|per gpu", span.raw):
        return found
    if count and not per_node and not nodes and _EACH_MACHINE.search(clause[: span.end + 12]):
        return found | {"gpus_per_node": count}
    if count:
        found["gpu_count"] = count
    if per_node:
        found["gpus_per_node"] = per_node.replace("per_node", "count")
    if nodes:
        found["nodes"] = nodes
    return found


def is_total(clause: str) -> bool:
    """Return whether a clause speaks of a sum: 一共, in all."""
    return bool(_IN_ALL.search(clause))


def _nearest(span: Span, clause: str, wanted: str | None) -> dict[str, str]:
    """The field whose word stands nearest; words before a quantity count a little nearer than those behind it."""
    if span.kind == "bw":
        direction = Normal.read(span.normal).parts.get("dir")
        if direction:
            return {"read_throughput": span.normal} if direction == "read" else {}
    best: tuple[float, str] | None = None
    for key, pattern in _OF[span.kind].items():
        for m in pattern.finditer(clause):
            inside = span.start <= m.start() < span.end
            gap = 0 if inside else span.start - m.end() if m.end() <= span.start else m.start() - span.end + 0.5
            if best is None or (gap, key) < best:
                best = (gap, key)
    key = best[1] if best else wanted or ""
    if span.kind == "bw" and key == "bandwidth":
        return {"bandwidth": span.normal, **_fabric(span.normal)}
    return {key: span.normal} if key else {}


def _most(normal: str) -> float:
    """The largest number of a form, 0 where there is none."""
    return max((float(number) for number in re.findall(r"\d+(?:\.\d+)?(?:e\d+)?", normal)), default=0.0)


def _fabric(normal: str) -> dict[str, str]:
    code = {"IB": "infiniband", "RoCE": "roce"}.get(Normal.read(normal).parts.get("fabric", ""))
    return {"network": code} if code else {}


def _hinted(span: Span, around: str, wanted: str | None) -> dict[str, str]:
    """A time or a share counts where the words around it say what it is, or where there are hardly any."""
    key, hint = _HINTS[span.kind]
    if span.normal in ("1", "ANY"):
        return {}
    alone = len(around.strip()) <= _ALONE and span.kind != "pct"
    return {key: span.normal} if wanted == key or alone or hint.search(f"{around} {span.raw.lower()}") else {}


def _parts(normal: str, keys: tuple[str, ...]) -> str | None:
    parts = [part for part in normal.split(";") if part.partition("=")[0] in keys]
    if parts and set(keys) & {"count", "per_node"} and "approx" in normal.split(";"):
        parts.append("approx")
    return ";".join(parts) or None
