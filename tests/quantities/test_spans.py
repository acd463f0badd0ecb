"""Quantities found inside whole messages."""

import time
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.quantities import spans

NOW = datetime(2026, 11, 30, 10, tzinfo=ZoneInfo("Asia/Shanghai"))

MESSAGES = [
    (
        "我们打算用 8 张 H100 全参微调 Qwen2.5-72B，数据集 2T，序列 4k，一台机器，要 NVLink，下周一开始跑两个月，满负荷",
        [
            ("gpu", "8 张 H100", "model=H100;count=8"),
            ("params", "Qwen2.5-72B", "total=72e9"),
            ("mem", "2T", "GB=2000"),
            ("tokens", "序列 4k", "4096"),
            ("gpu", "一台机器", "nodes=1"),
            ("date", "下周一开始", "2026-12-07"),
            ("dur", "两个月", "P2M"),
            ("pct", "满负荷", "1"),
        ],
    ),
    (
        "we want to fine-tune a 70B on 16 H100s for two months starting next Monday, 2TB data",
        [
            ("params", "70B", "total=70e9"),
            ("gpu", "16 H100s", "model=H100;count=16"),
            ("dur", "two months", "P2M"),
            ("date", "starting next Monday", "2026-12-07"),
            ("mem", "2TB", "GB=2000"),
        ],
    ),
    (
        "想租两台8卡H800，IB 400G，训练70亿参数的模型，大概三个月，12月1号开始，预算每月10万左右，每小时存一次ckpt，每次30G",
        [
            ("gpu", "两台8卡H800", "model=H800;nodes=2;per_node=8;count=16"),
            ("bw", "IB 400G", "gbps=400;fabric=IB"),
            ("params", "70亿", "total=7e9"),
            ("dur", "大概三个月", "P3M;approx"),
            ("date", "12月1号开始", "2026-12-01"),
            ("money", "预算每月10万左右", "CNY?100000;per=P1M;approx"),
            ("ckpt", "每小时存一次ckpt，每次30G", "every=PT1H;size=GB30"),
        ],
    ),
    (
        "We need 4x 8-GPU H100 nodes with 400Gb/s InfiniBand, dataset 20TB, sequence length 8192, utilization around 85%",
        [
            ("gpu", "4x 8-GPU H100 nodes", "model=H100;nodes=4;per_node=8;count=32"),
            ("bw", "400Gb/s InfiniBand", "gbps=400;fabric=IB"),
            ("mem", "20TB", "GB=20000"),
            ("tokens", "sequence length 8192", "8192"),
            ("pct", "around 85%", "0.85;approx"),
        ],
    ),
    (
        "７Ｂ模型ＱＬｏＲＡ微调，用一张４０９０，两周",
        [
            ("params", "７Ｂ", "total=7e9"),
            ("gpu", "一张４０９０", "model=RTX4090;count=1"),
            ("dur", "两周", "P2W"),
        ],
    ),
    (
        "單機八卡 H100，訓練 7B，數據 3TB，為期半年，滿載",
        [
            ("gpu", "單機八卡 H100", "model=H100;nodes=1;per_node=8;count=8"),
            ("params", "7B", "total=7e9"),
            ("mem", "3TB", "GB=3000"),
            ("dur", "半年", "P6M"),
            ("pct", "滿載", "1"),
        ],
    ),
    ("数据集 500G 到 1T", [("mem", "500G 到 1T", "lo=GB500;hi=GB1000")]),
    ("数据集 500G ～ 1T", [("mem", "500G ～ 1T", "lo=GB500;hi=GB1000")]),
    ("between 500 GB and 1 TB of text", [("mem", "between 500 GB and 1 TB", "lo=GB500;hi=GB1000")]),
    ("读 1GB/s 到 2GB/s", [("bw", "读 1GB/s 到 2GB/s", "lo=GBps1;hi=GBps2;dir=read")]),
    ("for 2 weeks to 3 months", [("dur", "2 weeks to 3 months", "P2W..P3M")]),
    ("a 2 TB disk and 1 TB of data", [("mem", "2 TB", "GB=2000"), ("mem", "1 TB", "GB=1000")]),
    ("My phone is 13812345678 and the order is 20261215", []),
    ("每天跑8小时，一共90天", [("dur", "90天", "P90D")]),
    ("", []),
]


@pytest.mark.parametrize(("text", "expected"), MESSAGES)
def test_quantities_of_a_message_are_found_in_order(text, expected):
    assert [(s.kind, s.raw, s.normal) for s in spans.find(text, now=NOW)] == expected


@given(st.text(max_size=200) | st.text(alphabet="8一两张卡H1O0TGB年月日周后前%每-~ ,，k", max_size=120))
@settings(max_examples=300, deadline=None)
def test_spans_lie_in_the_original_text_and_do_not_overlap(text):
    end = 0
    for span in spans.find(text, now=NOW):
        assert end <= span.start < span.end <= len(text)
        assert text[span.start : span.end] == span.raw
        end = span.end


@pytest.mark.parametrize(
    "text",
    [
        "1" * 10_000,
        "8张 " * 3000,
        "每" * 9000,
        "70B and " * 1000,
        "12月" * 3000,
        "1-" * 4000,
        "一二三四" * 1000,
        "one hundred and " * 250,
        "\ufdfa" * 4000,
    ],
)
def test_a_hostile_message_takes_no_long_time(text):
    begin = time.process_time()
    spans.find(text, now=NOW)
    assert time.process_time() - begin < 4
