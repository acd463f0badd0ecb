from datetime import datetime
from zoneinfo import ZoneInfo

from bot.checklist.template import looks_like_template, read_template
from bot.checklist.understand import Moment

MOMENT = Moment(datetime(2026, 11, 30, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai")))

CHINESE = """【用途】70B 全参微调，行业助手
【模型与并行】Qwen2.5-72B，张量并行
【卡型与数量】H100，替代卡型：H800
总卡数：16
单机卡数：8
【互联】需要 NVLink
跨机网络：IB
【存储】数据集：2T
【周期与负载】开始日期：下周一
时长：两个月
负载：恒定负载
预计利用率 80%
【地域】新加坡
【联系人】称呼：算法组
"""

ENGLISH = """[Purpose] batch fine-tuning
[Model and parallelism] Model: Llama 3.1 70B
Training method: QLoRA
[Cards and count] Card: A100 80G
Total cards: TBD
[Region] any
"""


def normals(text: str) -> dict[str, str | None]:
    return {key: answer.normal for key, answer in read_template(text, MOMENT).answers.items()}


def test_a_chinese_template_fills_what_it_says():
    found = normals(CHINESE)
    assert found["workload"] == "fine_tuning"
    assert found["model"] == "Qwen2.5-72B"
    assert found["parallelism"] == "tensor"
    assert found["gpu"] == "model=H100"
    assert found["gpu_count"] == "count=16"
    assert found["gpus_per_node"] == "count=8"
    assert found["network"] == "infiniband"
    assert found["dataset_size"] == "GB=2000"
    assert found["start_date"] == "2026-12-07"
    assert found["duration"] == "P2M"
    assert found["load"] == "constant"
    assert found["region"] == "新加坡"
    assert found["name"] == "算法组"


def test_an_english_template_fills_what_it_says():
    found = normals(ENGLISH)
    assert found["workload"] == "fine_tuning"
    assert found["method"] == "qlora"
    assert found["gpu"] == "model=A100;mem=80"
    assert found["gpu_count"] == "TBD"
    assert found["region"] == "ANY"


def test_what_is_left_open_is_listed_and_what_is_not_understood_is_kept():
    read = read_template("【用途】微调\n【互联】看风水", MOMENT)
    assert "model" in read.open
    assert "workload" not in read.open
    assert read.unplaced == ("看风水",)


def test_an_ordinary_message_is_no_template():
    assert looks_like_template(CHINESE)
    assert looks_like_template(ENGLISH)
    assert not looks_like_template("8 张 H100")
    assert not looks_like_template("[x] [y] array[0]")
    assert read_template("", MOMENT).unplaced == ()
