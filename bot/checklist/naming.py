"""The names under which people speak of the checklist's fields, in either language, and their numbers on the screen."""

import re
from functools import cache
from typing import Final

from bot.checklist.answer import Answers
from bot.checklist.field import Field
from bot.checklist.fields import BY_KEY, FIELDS
from bot.checklist.question import applicable
from bot.i18n import LOCALES, texts
from bot.quantities.folding import fold, lower

NAMES: Final[dict[str, tuple[str, ...]]] = {
    "workload": ("workload", "use case", "usage", "task", "用途", "任务", "场景"),
    "description": ("project", "what we build", "描述", "项目", "简介", "说明"),
    "model": ("model size", "parameters", "params", "base model", "模型规模", "参数规模", "参数量", "底座", "基座"),
    "method": ("method", "training mode", "tuning method", "方法", "训练方法", "微调方式", "训练方式"),
    "sequence_length": (
        *("context", "context length", "context window", "seq len", "sequence", "max length"),
        *("序列", "序列长", "上下文", "上下文长度", "样本长度"),
    ),
    "min_vram": (
        *("vram", "memory", "memory per card", "min vram", "gpu memory", "least memory"),
        *("显存", "单卡显存", "最低显存", "单卡显存最低要求", "显存要求"),
    ),
    "parallelism": ("parallel strategy", "parallelization", "并行", "并行策略", "并行方式"),
    "gpu": (
        *("gpu", "gpu type", "gpu model", "card type", "card model", "gpu card", "cards", "gpus"),
        *("卡", "显卡", "卡型", "gpu 型号", "显卡型号", "型号", "卡的型号", "期望卡型"),
    ),
    "gpu_alternatives": (
        *("alternative", "alternative cards", "alternative gpus", "backup card", "fallback"),
        *("替代", "替代卡", "替代卡型", "备选", "备选卡型", "可接受的替代卡型"),
    ),
    "gpu_count": (
        *("cards", "gpus", "gpu count", "number of gpus", "number of cards", "card count", "count", "quantity"),
        *("total", "total gpus", "卡数", "数量", "总卡数", "卡的数量", "显卡数量", "张数", "卡"),
    ),
    "gpus_per_node": (
        *("gpus per node", "cards per node", "cards per server", "gpus per machine", "per node", "per machine"),
        *("单机卡数", "每台卡数", "每机卡数", "每台机器卡数", "每节点卡数"),
    ),
    "nvlink": ("nv link", "nvlink"),
    "network": ("interconnect", "cross-node network", "network", "fabric", "网络", "跨机网络", "跨机互联", "互联"),
    "bandwidth": ("bandwidth", "network bandwidth", "带宽", "期望带宽", "跨机带宽", "互联带宽", "网络带宽"),
    "dataset_size": (
        *("dataset", "dataset size", "data size", "data", "training data"),
        *("数据", "数据量", "数据集", "数据集大小", "训练数据", "资料集"),
    ),
    "read_throughput": (
        *("throughput", "read speed", "read bandwidth", "reading speed"),
        *("吞吐", "读取吞吐", "读取速度", "读速", "吞吐量", "读取带宽"),
    ),
    "checkpoint": (
        *("checkpoint", "ckpt", "checkpointing", "checkpoint frequency", "checkpoint size"),
        *("检查点", "检查点频率", "检查点频率与大小", "检查点大小", "存档", "断点"),
    ),
    "volume_size": (
        *("volume", "storage", "disk", "volume size", "storage size", "disk size"),
        *("存储", "存储卷", "存储容量", "卷大小", "卷", "硬盘", "磁盘", "云盘", "存储大小"),
    ),
    "shared_storage": ("shared", "shared file system", "共享", "共享盘", "共享存储", "共享储存", "是否需要共享存储"),
    "data_plan": ("data plan", "data after", "results", "数据去向", "数据归宿", "数据保留"),
    "template": ("image", "template", "docker", "framework", "镜像", "模板", "框架", "使用的模板", "环境"),
    "cuda": ("cuda", "cuda version", "driver", "cuda 版本", "驱动", "驱动版本"),
    "start_date": ("start", "start date", "begin", "开始", "开始日期", "开始时间", "起始日期", "启动时间", "日期"),
    "duration": ("duration", "period", "time", "how long", "时长", "周期", "预留时长", "使用时长", "租期", "多久"),
    "load": ("load", "load type", "负载", "负载类型", "负载模式"),
    "utilization": ("utilisation", "utilization", "usage rate", "利用率", "预期利用率", "使用率"),
    "overflow": ("overflow", "peaks", "超出部分", "峰值处理"),
    "batches": ("batches", "batch delivery", "分批", "分批交付", "是否分批"),
    "region": ("location", "data center", "data centre", "datacenter", "地域", "区域", "机房", "地区", "位置"),
    "region_reason": ("reason", "region reason", "地域原因", "原因", "指定原因"),
    "name": ("contact", "contact name", "contact person", "my name", "姓名", "联系人", "称呼", "名字"),
    "team": ("team", "company", "organisation", "organization", "团队", "公司", "部门", "单位"),
    "contact_time": (
        *("contact time", "time to talk", "best time", "when to call", "availability"),
        *("沟通时间", "联系时间", "方便沟通的时间", "方便时间", "方便联系的时间"),
    ),
}
"""Names beside a field's key and its labels; the same name may mean several fields, and the value decides."""


_BESIDE = re.compile(r"^(?:the |our |my |是否需要|是否|期望的?|可接受的|我们?的)|的$")


def fields_named(said: str) -> tuple[Field, ...]:
    """Return the fields that a name may mean, in the checklist's order; empty for a name of none.

    >>> [field.key for field in fields_named("cards")], [field.key for field in fields_named("单机卡数")]
    (['gpu', 'gpu_count'], ['gpus_per_node'])
    """
    name = _BESIDE.sub("", plain(said))
    return _names().get(name, ())


def field_numbered(number: int, answers: Answers) -> Field | None:
    """Return the field that bears a number on the screens, counted over the fields that apply."""
    fields = applicable(answers)
    return fields[number - 1] if 1 <= number <= len(fields) else None


def plain(text: str) -> str:
    """Return a name folded for comparison: width, script, case, and the blanks and signs around it."""
    return " ".join(lower(fold(text)).casefold().strip(" \t:：-*•·.。?？").split())


@cache
def _names() -> dict[str, tuple[Field, ...]]:
    found: dict[str, tuple[Field, ...]] = {}
    for field in FIELDS:
        labels = (texts(locale).text(field.label) for locale in LOCALES)
        for name in {plain(name) for name in (field.key, *labels, *NAMES[field.key])}:
            found[name] = (*found.get(name, ()), BY_KEY[field.key])
    return found
