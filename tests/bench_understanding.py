"""Benchmarks understanding: ordinary messages, and pastes of 4,000 characters of every sort; `python -m tests.bench_understanding`.

A whole turn of the dialog is timed, from the text to the next screen, in CPU time of one core; printed, nothing asserted.
"""

import base64
import csv
import random
import statistics
import time
from datetime import UTC, datetime
from pathlib import Path

from bot.checklist.answer import Answers
from bot.dialog.decide import decide
from bot.dialog.event import Context, Said
from bot.dialog.state import Case, DialogState, Scene

LONGEST = 4096
CONTEXT = Context(now=datetime(2026, 11, 30, 2, 0, tzinfo=UTC), locale="en")
ASKED = ("workload", "model", "gpu", "duration", "region")
ORDINARY = Path(__file__).parent / "quantities" / "data"
MESSAGES = (
    "我们打算用 8 张 H100 全参微调 Qwen2.5-72B，数据集 2T，序列 4k，一台机器，要 NVLink，下周一开始跑两个月，满负荷\n",
    (
        "Hi, we'd like to fine-tune Llama 3.1 70B with LoRA on two nodes of 8x A100 80G each, InfiniBand 200G between them, dataset is"
        " about 500GB, 4 weeks starting January 5, bursty load, around 60% utilization, Singapore region. "
    ),
    "【用途】微调\n模型：Qwen2.5-72B\n卡型：H100\n卡数：16\n单机卡数：8\n数据集：2T\n检查点：每 500 步，30GB\n开始日期：下周一\n时长：两个月\n",
    "[Purpose] inference\nModel: Llama 3.1 70B\nCards: 8\nStart: January 5\nDuration: 6 weeks\nUtilization: 60-80%\n",
)
CHINESE = "我们需要训练模型一二三四十百卡张台机器数据月周天年下每的半几两个大小时，。"
ENGLISH = "the of model we need gpu card and to train data storage network please month week two three half budget next at per each every".split()


def pastes():
    """Return texts by name, each repeated or drawn until it is as long as a message can be."""
    draw = random.Random(1)
    units = {
        "messages, zh": MESSAGES[0],
        "messages, en": MESSAGES[1],
        "form, zh": MESSAGES[2],
        "form, en": MESSAGES[3],
        "a log": "2026-01-01 10:00:00,123 INFO step 500 loss 2.34 mem 70GB 8.1it/s\n",
        "nvidia-smi": "| N/A   34C    P0    68W / 400W |  71234MiB / 81920MiB |    100%      Default |\n",
        "JSON": '{"model": "x", "gpu": 8, "a": [1, 2, 3]}, ',
        "addresses": "https://example.com/a/b?c=d&e=f#g8x9 ",
        "cards": "8张H100，16×A100 80G，",
        "sizes": "70B 7B ",
        "methods": "LoRA 全参 QLoRA ",
        "dates": "2026-01-01 12月1号 ",
        "speeds": "400Gbps IB 100MB/s ",
        "ones": "1 ",
        "8×8×": "8×",
        "numerals, zh": "一二三四",
        "numerals, en": "one hundred and ",
        "slashes": "a/b/c/",
        "brackets": "((((",
        "commas": "，,",
        "pictures": "👨‍👩‍👧‍👦8",
        "joiners": "\u200d",
        "marks": "a\u0301\u0302\u0303",
        "ligatures": "\ufdfa",
    }
    long = {name: (unit * LONGEST)[:LONGEST] for name, unit in units.items()}
    long["words, en"] = " ".join(draw.choice(ENGLISH) for _ in range(LONGEST))[:LONGEST]
    long["words, zh"] = "".join(draw.choice(CHINESE) for _ in range(LONGEST))
    long["digits"] = "".join(draw.choice("0123456789") for _ in range(LONGEST))
    long["base64"] = base64.b64encode(draw.randbytes(LONGEST)).decode()[:LONGEST]
    return long


def understood_ms(text, key):
    """Return the milliseconds of one turn at a question."""
    case = Case(DialogState().at(Scene.CHECKLIST, key), Answers())
    begin = time.process_time()
    decide(case, Said(text), CONTEXT)
    return (time.process_time() - begin) * 1e3


def main():
    """Print the median of ordinary messages, and each paste at full and half length; linear growth gives 2."""
    said = [
        row["input"] for file in sorted(ORDINARY.glob("*.csv")) for row in csv.DictReader(file.open(encoding="utf-8"))
    ]
    said += MESSAGES
    understood_ms(MESSAGES[0], "gpu")
    times = sorted(understood_ms(text, ASKED[number % len(ASKED)]) for number, text in enumerate(said))
    print(f"\nunderstanding {len(said)} messages: median {statistics.median(times):.1f} ms, worst {times[-1]:.1f} ms")
    print(f"a paste of {LONGEST:,} characters{'':6}{'ms':>7}{'growth':>8}   slowest at")
    for name, text in pastes().items():
        slowest, key = max((understood_ms(text, key), key) for key in ASKED)
        half = understood_ms(text[: LONGEST // 2], key)
        print(f"{name:32}{slowest:7.1f}{slowest / max(half, 0.1):8.1f}   {key}")


if __name__ == "__main__":
    main()
