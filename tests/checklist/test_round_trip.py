"""What the form is filled with comes back from a paste, in either language, whole or in parts and in any order."""

import random
import re
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.checklist.answer import Answer, Answers
from bot.checklist.field import Kind
from bot.checklist.fields import BY_KEY, FIELDS
from bot.checklist.question import applicable
from bot.checklist.template import looks_like_template, read_template, write_template
from bot.checklist.understand import Moment, skipped, understand
from bot.i18n import LOCALES, texts

MOMENT = Moment(datetime(2026, 11, 30, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai")))

SAID: dict[Kind, tuple[str, ...]] = {
    Kind.MODEL: ("Qwen2.5-72B", "70B", "Llama 3.1 8B", "about 30B", "7B/13B", "235B-A22B", "OurModel-12x"),
    Kind.TOKENS: ("4k", "8192", "2k-32k", "about 16k", "up to 128k"),
    Kind.MEMORY: ("24G", "at least 80GB", "500-800 GB", "2T", "about 1.5TB", "两个T", "80Gx8", "64 GiB", "单卡 80G"),
    Kind.CARDS: ("H100", "A100 80G", "H100 SXM", "4090", "H100 or H200", "昇腾 910B"),
    Kind.ALTERNATIVES: ("H800 or A100 80G", "3090也行", "无", "都行"),
    Kind.COUNT: ("8", "8-16", "32卡左右", "at least 64", "两张"),
    Kind.BANDWIDTH: ("400Gb/s", "1GB/s read", "8x400G IB", "IB 400G以上", "万兆", "200G RoCE", "1-2 GB/s"),
    Kind.CHECKPOINT: ("every hour, 30 GB", "每500步存一次", "every epoch", "每半小时，单个30G", "twice a day"),
    Kind.DURATION: (
        "两周",
        "1-2 个月",
        "long term",
        "半年",
        "at least 3 months",
        "不超过两周",
        "90 minutes",
        "about a year",
    ),
    Kind.DATE: (
        "下周一",
        "15 December",
        "as soon as possible",
        "下月中旬",
        "2027-01-05",
        "from 5 Jan to 10 Jan",
        "随时",
    ),
    Kind.SHARE: ("80%", "60-80%", "90%以上", "七成半", "about 70%"),
    Kind.YES_NO: ("yes", "不用", "不确定", "随便"),
}
FREE_TEXT = st.text(
    st.characters(blacklist_categories=("Cs", "Cc", "Cf", "Co", "Cn", "Zl", "Zp"), blacklist_characters="⏎【】[]"),
    min_size=1,
    max_size=60,
).filter(lambda text: text.strip() == text and text)


def answers_to(field) -> st.SearchStrategy[dict[str, Answer]]:
    """An answer as it may be stored: understood words, an option, undecided, skipped, or a text of any kind."""
    said = [
        *SAID.get(field.kind, ()),
        "待定",
        "TBD",
        *(texts(locale).text(o.label) for o in field.options for locale in LOCALES),
    ]
    known = st.sampled_from(said).map(
        lambda words: {k: a for k, a in understand(field, words, MOMENT).items() if k == field.key}
    )
    options = [known]
    if field.kind in (Kind.TEXT, Kind.CHOICE_OR_TEXT, Kind.YES_NO_OR_TEXT):
        options.append(
            FREE_TEXT.map(lambda words: {k: a for k, a in understand(field, words, MOMENT).items() if k == field.key})
        )
    if field.skippable:
        options.append(st.just({field.key: skipped()}))
    return st.one_of(options)


filled = st.fixed_dictionaries({field.key: answers_to(field) for field in FIELDS}).map(
    lambda parts: Answers({key: answer for part in parts.values() for key, answer in part.items()})
)


def meaning(answers: Answers) -> dict:
    return {key: (answers[key].normal, answers[key].status) for key in answers}


@pytest.mark.parametrize("locale", LOCALES)
@settings(max_examples=60, deadline=None)
@given(answers=filled)
def test_a_round_trip_loses_nothing(locale, answers):
    asked = Answers({field.key: answers[field.key] for field in applicable(answers) if field.key in answers})
    form = write_template(asked, texts(locale), MOMENT)
    read = read_template(form, MOMENT)
    assert looks_like_template(form)
    assert meaning(read.answers) == meaning(asked), form
    assert read.unplaced == ()


@pytest.mark.parametrize("locale", LOCALES)
@settings(max_examples=20, deadline=None)
@given(answers=filled, seed=st.integers(0, 1000))
def test_parts_in_any_order_fill_the_same(locale, answers, seed):
    asked = Answers({field.key: answers[field.key] for field in applicable(answers) if field.key in answers})
    parts = re.split(r"\n\n(?=[【\[])", write_template(asked, texts(locale), MOMENT))
    random.Random(seed).shuffle(parts)
    found = {}
    for part in parts:
        found |= read_template(part, MOMENT).answers
    assert meaning(Answers(found)) == meaning(asked)


@pytest.mark.parametrize("locale", LOCALES)
def test_an_empty_form_names_every_field_and_fills_none(locale):
    form = write_template(Answers(), texts(locale), MOMENT)
    assert all(texts(locale).text(field.label) in form for field in applicable(Answers()))
    read = read_template(form, MOMENT)
    assert dict(read.answers) == {}
    assert read.unplaced == ()


def test_the_form_that_customers_find_in_the_guide_is_read_as_it_stands():
    pasted = """【用途】70B 级模型全参微调
【模型与并行】70B，单卡 80G，张量并行+数据并行
【卡型与数量】H100（可接受 A100 80G）、32 卡、单机 8 卡
【互联】需要 NVLink；需要跨机 IB，期望带宽 400G
【存储】数据集 2T，读取 5GB/s，检查点每小时一次每次 1.1T，需要共享存储
【环境】私有镜像，CUDA 12.4
【周期与负载】12 月 15 日开始，预留 3 个月，恒定负载，利用率 85%
【地域】新加坡机房
【联系人】王工、算法组、工作日下午"""
    read = read_template(pasted, MOMENT)
    found = {key: answer.normal for key, answer in read.answers.items()}
    expected = {
        "workload": "fine_tuning", "method": "full", "model": "total=70e9", "parallelism": "data+tensor", "gpu": "model=H100",
        "gpu_alternatives": "model=A100;mem=80", "gpu_count": "count=32", "gpus_per_node": "count=8", "nvlink": "yes",
        "network": "infiniband", "bandwidth": "gbps=400", "dataset_size": "GB=2000", "read_throughput": "GBps=5;dir=read",
        "checkpoint": "every=PT1H;size=GB1100", "shared_storage": "yes", "template": "private", "cuda": "CUDA 12.4",
        "start_date": "2026-12-15", "duration": "P3M", "load": "constant", "utilization": "0.85", "region": "新加坡",
        "name": "王工", "team": "算法组", "contact_time": "工作日下午", "min_vram": "GB=80;per=gpu",
    }  # fmt: skip
    assert found == expected
    assert read.unplaced == ()


def test_the_unfilled_guide_form_fills_nothing():
    pasted = """【用途】例：70B 级模型全参微调 / 在线推理服务
【模型与并行】参数规模、单卡显存最低要求、并行策略
【卡型与数量】期望卡型（可接受的替代卡型）、总卡数、单机卡数
【互联】是否需要 NVLink；是否需要跨机 IB/RoCE，期望带宽
【存储】数据集大小、读取吞吐、检查点频率与大小、是否需要共享存储
【地域】是否需要指定机房或地域
【联系人】姓名、团队、方便沟通的时间"""
    assert dict(read_template(pasted, MOMENT).answers) == {}


@pytest.mark.parametrize("said", ["8 张 H100", "用途还没定", "见附件【图1】", "hello [there]", "Note: call me"])
def test_one_answer_is_no_form(said):
    assert not looks_like_template(said)


def test_a_value_in_brackets_of_a_label_is_not_taken_for_an_answer():
    assert BY_KEY["workload"].options[0].code not in str(
        dict(read_template("用途（大规模训练 / 批量微调）：\n模型：7B", MOMENT).answers)
    )
