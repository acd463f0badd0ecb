import csv
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bot.checklist.answer import Answers
from bot.checklist.clauses import clauses, is_question
from bot.checklist.fields import BY_KEY, FIELDS
from bot.checklist.free_text import read_message
from bot.checklist.understand import Moment

DATA = Path(__file__).parent / "data"
MOMENT = Moment(datetime(2026, 11, 30, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai")))


def read(said: str, asked: str | None = None, given: Answers | None = None) -> dict[str, str | None]:
    found = read_message(said, MOMENT, given or Answers(), BY_KEY[asked] if asked else None)
    return {key: answer.normal for key, answer in found.answers.items()}


CHINESE = (
    "我们打算用 8 张 H100 全参微调 Qwen2.5-72B，数据集 2T，序列 4k，一台机器，要 NVLink，下周一开始跑两个月，满负荷",
    {
        "workload": "fine_tuning", "method": "full", "model": "Qwen2.5-72B", "gpu": "model=H100", "gpu_count": "count=8",
        "gpus_per_node": "count=8", "dataset_size": "GB=2000", "sequence_length": "4096", "nvlink": "yes",
        "start_date": "2026-12-07", "duration": "P2M", "load": "constant",
    },
)  # fmt: skip
ENGLISH = (
    ("Hi, we'd like to fine-tune Llama 3.1 70B with LoRA on two nodes of 8x A100 80G each, InfiniBand 200G between them, dataset is"
    " about 500GB, 4 weeks starting January 5, bursty load, around 60% utilization, Singapore region"),
    {
        "workload": "fine_tuning", "method": "lora", "model": "Meta-Llama-3.1-70B", "gpu": "model=A100;mem=80",
        "gpu_count": "count=16", "gpus_per_node": "count=8", "network": "infiniband", "bandwidth": "gbps=200;fabric=IB",
        "dataset_size": "GB=500;approx", "duration": "P4W", "start_date": "2027-01-05", "load": "bursty",
        "utilization": "0.6;approx", "region": "Singapore",
    },
)  # fmt: skip
LONG = (
    ("现在有 8 张 V100，想换成 16 张 A100 80G 做预训练，张量并行加数据并行，IB 400G，共享存储 20T，每 500 步存一次检查点，每次 140G，"
    "读取吞吐 5GB/s，数据集 3T，三个月，7x24 满载，利用率 90% 以上"),
    {
        "workload": "training", "method": "pretrain", "gpu": "model=A100;mem=80", "gpu_count": "count=16",
        "parallelism": "data+tensor", "network": "infiniband", "bandwidth": "gbps=400;fabric=IB", "volume_size": "GB=20000",
        "shared_storage": "yes", "checkpoint": "every=500step;size=GB140", "read_throughput": "GBps=5;dir=read",
        "dataset_size": "GB=3000", "duration": "P3M", "load": "constant", "utilization": "0.9..",
    },
)  # fmt: skip


@pytest.mark.parametrize(("said", "found"), [CHINESE, ENGLISH, LONG], ids=["zh", "en", "long"])
def test_one_message_fills_all_that_it_says_and_nothing_else(said, found):
    assert read(said) == found


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("we want maybe 8 to 16 H100s", {"gpu": "model=H100", "gpu_count": "count=8..16"}),
        ("单卡显存至少 80G，每台8卡，共 32 卡", {"min_vram": "min=GB80", "gpus_per_node": "count=8", "gpu_count": "count=32"}),
        ("８张　Ｈ１００，数据集２Ｔ", {"gpu": "model=H100", "gpu_count": "count=8", "dataset_size": "GB=2000"}),
        ("显卡：H100，卡数：16，数据集：2T", {"gpu": "model=H100", "gpu_count": "count=16", "dataset_size": "GB=2000"}),
        ("地域不限，开始时间待定", {"region": "ANY", "start_date": "TBD"}),
        ("要 NVLink，不需要 IB", {"nvlink": "yes"}),
        ("no NVLink needed, Ethernet is fine", {"nvlink": "no", "network": "ethernet"}),
        ("数据盘 2T，语料 500G", {"volume_size": "GB=2000", "dataset_size": "GB=500"}),
        ("不用私有镜像，用 PyTorch，CUDA 12.4", {"template": "pytorch", "cuda": "CUDA 12.4"}),
        ("資料集 2T，需要共享儲存", {"dataset_size": "GB=2000", "shared_storage": "yes"}),
    ],
)  # fmt: skip
def test_words_around_a_quantity_say_what_it_is(said, found):
    assert read(said) == found


def messages():
    with (DATA / "messages.csv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            found = dict(part.split(":", 1) for part in row["found"].split())
            yield pytest.param(row["said"], found, id=row["said"])


@pytest.mark.parametrize(("said", "found"), list(messages()))
def test_short_messages_are_read_as_they_are_meant_or_not_at_all(said, found):
    assert read(said) == found


@pytest.mark.parametrize(
    "said",
    [
        "我们两年前成立", "目前有 8 张 V100", "we already have 4 A100s", "内存要 512G", "不要 A100", "H100 和 A100 差别大吗",
        "如果便宜就要 8 张 H100", "需不需要 NVLink 还不确定", "we tried Llama 3 8B last time on 2 A100", "预算一个月 2 万",
        "deadline is March 1", "我们是做医疗影像的", "hello", "谢谢", "10% discount please", "蒸馏自 70B 的教师模型", "用户在新加坡",
    ],
)  # fmt: skip
def test_what_is_denied_conditional_or_of_something_else_is_left_alone(said):
    assert read(said) == {}


def test_what_is_said_twice_and_differently_is_asked_rather_than_guessed():
    assert "gpu_count" not in read("8 张 H100，还要 16 张 H100")
    assert "model" not in read("Qwen2.5-7B，Llama 3.1 8B")


def test_the_open_question_has_the_first_right():
    assert read("2T，要 NVLink", asked="dataset_size") == {"dataset_size": "GB=2000", "nvlink": "yes"}
    assert read("2T，要 NVLink", asked="volume_size") == {"volume_size": "GB=2000", "nvlink": "yes"}
    assert read("2T，要 NVLink") == {"nvlink": "yes"}


def test_all_the_rest_may_be_left_open_at_once_but_not_who_is_asking():
    found = read("8 张 H100，其余待定")
    assert found["gpu_count"] == "count=8"
    assert {key for key, normal in found.items() if normal == "TBD"} >= {"workload", "model", "start_date", "region"}
    assert not {"name", "team", "contact_time"} & set(found)


def test_what_found_no_place_is_kept_and_questions_stand_apart():
    reading = read_message(
        "你好，我们是做医疗影像的，想微调 LLaMA3-8B，一张 A100 够吗？预算一个月 2 万", MOMENT, Answers()
    )
    assert reading.notes == ("我们是做医疗影像的", "预算一个月 2 万")
    assert reading.questions == ("一张 A100 够吗？",)


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.key)
@pytest.mark.parametrize("said", ["", "   ", "。。。", "\x00", "=" * 500, "🙂" * 50, "，" * 500])
def test_nothing_is_read_from_nothing(field, said):
    assert read_message(said, MOMENT, Answers(), field).answers.keys() <= {
        "description",
        "name",
        "team",
        "contact_time",
    }


def test_clauses_keep_a_rhythm_with_its_size_and_a_date_with_its_year():
    assert clauses("每小时一次，每次 1G，数据集 2T。开始时间待定") == (
        "每小时一次，每次 1G",
        "数据集 2T",
        "开始时间待定",
    )
    assert clauses("start December 15, 2026, for 1,000 hours") == ("start December 15 2026", "for 1,000 hours")


@pytest.mark.parametrize(
    "said", ["停机还收费吗", "what is NVLink for", "H100 多少钱", "怎么保存数据", "Is one card enough?"]
)
def test_questions_are_told_from_statements(said):
    assert is_question(said)
    assert not is_question("8 张 H100")
    assert not is_question("怎么都行")
