from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.checklist.answer import Status
from bot.checklist.fields import BY_KEY, FIELDS
from bot.checklist.understand import LONGEST_RAW, Moment, alternatives, chosen, understand
from bot.i18n import LOCALES, texts

MOMENT = Moment(datetime(2026, 11, 30, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai")))


def read(key: str, said: str) -> dict[str, str | None]:
    return {k: answer.normal for k, answer in understand(BY_KEY[key], said, MOMENT).items()}


@pytest.mark.parametrize(
    ("key", "said", "normal"),
    [
        ("workload", "微调", "fine_tuning"), ("workload", "we want to fine-tune a model", "fine_tuning"),
        ("workload", "large-scale training", "training"), ("workload", "在线推理服务", "inference"), ("workload", "continued pretraining", "training"),
        ("method", "QLoRA", "qlora"), ("method", "lora", "lora"), ("method", "全参", "full"), ("method", "full fine-tuning", "full"),
        ("method", "从头训练", "pretrain"), ("sequence_length", "4k", "4096"), ("min_vram", "24G", "GB=24"),
        ("parallelism", "tensor and data", "data+tensor"), ("parallelism", "数据并行", "data"), ("parallelism", "TP + PP", "pipeline+tensor"),
        ("parallelism", "不确定", "unsure"), ("gpu", "4090", "model=RTX4090"), ("gpu_alternatives", "3090也行", "model=RTX3090"),
        ("gpu_alternatives", "无", "NONE"), ("gpu_alternatives", "都行", "ANY"), ("gpu_count", "两张", "count=2"), ("gpu_count", "8 to 16", "count=8..16"),
        ("gpus_per_node", "8", "count=8"), ("nvlink", "不用", "no"), ("nvlink", "随便", "any"), ("network", "以太网就够", "ethernet"),
        ("network", "IB", "infiniband"), ("network", "RoCE v2", "roce"), ("bandwidth", "400Gb/s", "gbps=400"), ("dataset_size", "20个G", "GB=20"),
        ("checkpoint", "每小时一次，每次 1G", "every=PT1H;size=GB1"), ("template", "私有镜像", "private"), ("template", "our own Triton build", "our own Triton build"),
        ("start_date", "下周一", "2026-12-07"), ("duration", "两周", "P2W"), ("load", "持续满载", "constant"), ("load", "偶尔有高峰", "bursty"),
        ("utilization", "八成", "0.8"), ("utilization", "90%以上", "0.9.."), ("batches", "可以", "yes"), ("batches", "先交 8 张", "先交 8 张"),
        ("region", "随便", "ANY"), ("region", "新加坡", "新加坡"), ("region_reason", "合规", "compliance"), ("name", "算法组", "算法组"),
        ("overflow", "按需", "on_demand"), ("data_plan", "对象存储", "object_storage"), ("model", "70B", "total=70e9"),
    ],
)  # fmt: skip
def test_what_people_say_is_stored_as_its_normal_form(key, said, normal):
    found = read(key, said)[key]
    assert found == normal or (key == "model" and float(found.removeprefix("total=")) == 70e9)


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.key)
@pytest.mark.parametrize("said", ["待定", "TBD", "to be decided", "还没想好"])
def test_every_field_takes_to_be_decided(field, said):
    answer = understand(field, said, MOMENT)[field.key]
    assert (answer.normal, answer.raw, answer.status) == ("TBD", said, Status.TBD)


@pytest.mark.parametrize("field", [f for f in FIELDS if f.options], ids=lambda field: field.key)
def test_every_options_label_typed_in_either_language_means_the_option(field):
    for option in field.options:
        for locale in LOCALES:
            said = texts(locale).text(option.label)
            assert read(field.key, said).get(field.key) == option.code, said


@pytest.mark.parametrize(
    ("key", "said", "status"),
    [
        ("gpu_count", "8", Status.EXACT),
        ("gpu_count", "8-16", Status.RANGE),
        ("gpu_count", "32卡左右", Status.APPROX),
        ("duration", "不超过两周", Status.RANGE),
        ("dataset_size", "500G以上", Status.RANGE),
    ],
)
def test_an_answer_says_how_sure_it_is(key, said, status):
    assert understand(BY_KEY[key], said, MOMENT)[key].status is status


def test_one_phrase_may_answer_its_neighbours_too():
    assert read("gpu", "两台8卡H800") == {"gpu": "model=H800", "gpu_count": "count=16", "gpus_per_node": "count=8"}
    assert read("network", "400G IB") == {"network": "infiniband", "bandwidth": "gbps=400;fabric=IB"}


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("duration", "purple"),
        ("gpu_count", "-3"),
        ("gpu_count", "0"),
        ("start_date", "2027-02-29"),
        ("workload", "hello"),
        ("workload", "training or inference"),
        ("model", "hm"),
        ("utilization", "70"),
    ],
)
def test_what_is_not_clear_is_not_stored(key, said):
    assert read(key, said) == {}


def test_an_ambiguous_answer_has_its_readings():
    assert alternatives(BY_KEY["utilization"], "70", MOMENT) == ("0.7", "70")
    assert alternatives(BY_KEY["utilization"], "70%", MOMENT) == ()


def test_the_own_words_are_kept_up_to_a_length():
    answer = understand(BY_KEY["description"], "长" * 5000, MOMENT)["description"]
    assert len(answer.raw) == LONGEST_RAW


def test_a_tap_stores_the_code():
    assert chosen(BY_KEY["workload"], "inference").normal == "inference"
    assert chosen(BY_KEY["workload"], "no_such") is None


@pytest.mark.parametrize("said", ["70B吧", "大概70B吧", "70b ish model", "就70B那种"])
def test_a_bare_size_never_becomes_the_name_of_a_shape(said):
    found = read("model", said).get("model", "")
    assert "typical" not in found
    assert not found or found.startswith("total=70e9")
