"""Measurements as tools print them and as people write them."""

import time

import pytest

from bot.quantities.measurements import Measurement, read_measurement

SMI = """\
+-----------------------------------------------------------------------------------------+
| NVIDIA-SMI 550.90.07              Driver Version: 550.90.07      CUDA Version: 12.4     |
|=========================================+========================+======================|
|   0  NVIDIA GeForce RTX 4090        Off |   00000000:01:00.0 Off |                  Off |
| 45%   62C    P2             412W /  450W |   21932MiB /  24564MiB |     98%      Default |
|   1  NVIDIA GeForce RTX 4090        Off |   00000000:02:00.0 Off |                  Off |
| 44%   60C    P2             409W /  450W |   20480MiB /  24564MiB |     97%      Default |
+-----------------------------------------------------------------------------------------+"""
SMI_OLD = """\
| NVIDIA-SMI 470.57.02    Driver Version: 470.57.02    CUDA Version: 11.4     |
|   0  Tesla V100-SXM2...  On   | 00000000:00:07.0 Off |                    0 |
| N/A   42C    P0    57W / 300W |  15109MiB / 16160MiB |      0%      Default |
| Processes:                                                                  |
|    0   N/A  N/A      2314      C   python                          15105MiB |"""
MIG = """\
|   0  NVIDIA A100-SXM4-80GB          On  | 00000000:07:00.0 Off |                   On |
| N/A   33C    P0             81W / 400W |     87MiB / 81920MiB |     N/A      Default |
| MIG devices:                                                                          |
|  0    3   0   0  |           17421MiB / 19968MiB  | 28      0 |  2   0    1    0    0 |
|                  |               4MiB / 32767MiB  |           |                       |"""
QUERY = """\
    FB Memory Usage
        Total                             : 24564 MiB
        Reserved                          : 330 MiB
        Used                              : 21932 MiB
        Free                              : 2300 MiB
    BAR1 Memory Usage
        Total                             : 256 MiB
        Used                              : 5 MiB"""
OOM = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 1.19 GiB"
    " is free. Including non-PyTorch memory, this process has 22.45 GiB memory in use. Of the allocated memory 21.43 GiB is allocated"
    " by PyTorch, and 560.00 MiB is reserved by PyTorch but unallocated."
)
SUMMARY = "| Allocated memory      |  10000 MiB |  18000 MiB |  99999 MiB |\n| GPU reserved memory   |  19000 MiB |  19500 MiB |  19500 MiB |"


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        (SMI, "device_gib=21.418"),
        ("memory.used [MiB]\n21932 MiB\n20480 MiB", "device_gib=21.418"),
        ("index, memory.used [MiB], memory.total [MiB]\n0, 21932 MiB, 24564 MiB", "device_gib=21.418"),
        (OOM, "allocated_gib=21.43;device_gib=22.45"),
        (SUMMARY, "allocated_gib=17.578;reserved_gib=19.043"),
        ("torch.cuda.max_memory_allocated() = 18465128448", "allocated_gib=17.197"),
        ("{'train_runtime': 12.3, 'train_tokens_per_second': 3180.5}", "tokens_per_s=3180.5"),
        ("peak 21.4 GiB, 3200 tokens/s, checkpoint 12 s", "device_gib=21.4;tokens_per_s=3200;checkpoint_s=12"),
        ("峰值显存 21.4G，每秒 3200 tokens，写检查点 12 秒", "device_gib=21.4;tokens_per_s=3200;checkpoint_s=12"),
        ("21.4 GB, 3.2k tok/s, 12 seconds", "device_gib=21.4;tokens_per_s=3200;checkpoint_s=12"),
        ("2 分钟写完检查点", "checkpoint_s=120"),
        # Older and sliced cards, other tools, other ways to print.
        (SMI_OLD, "device_gib=14.755"), (MIG, "device_gib=17.013"), ("这是跑出来的：" + SMI + "\n麻烦看看", "device_gib=21.418"),
        ("memory.used [MiB]\n21932\n300", "device_gib=21.418"), ("memory.total [MiB], memory.used [MiB]\n24564, 21932", "device_gib=21.418"),
        (QUERY, "device_gib=21.418"), ("[0] NVIDIA GeForce RTX 4090 | 45'C,  98 % | 21932 / 24564 MB | root(21900M)", "device_gib=21.418"),
        ("│  60%   66C    P2   310W / 450W │  21.42GiB / 23.99GiB │     98%      Default │", "device_gib=21.42"),
        ("torch.cuda.max_memory_allocated()/2**30 = 17.2", "allocated_gib=17.2"), ("max memory reserved: 18.5 GB", "reserved_gib=18.5"),
        ("print(torch.cuda.max_memory_allocated() / 1024**3)\n17.2", "allocated_gib=17.2"),
        ("Process 123 has 22.4 GiB memory in use", "device_gib=22.4"),
        ("显存最高到了21.4G，速度大概3千2 token每秒", "device_gib=21.4;tokens_per_s=3200"), ("每秒三千二百个token", "tokens_per_s=3200"),
        ("peaked at 21.4 gigs, about 3.2k tok/s, checkpoint takes 1.5 minutes", "device_gib=21.4;tokens_per_s=3200;checkpoint_s=90"),
        # Recorded from measure.py on a processor, tiny model, torch 2.13: full, lora, infer.
        ("measured/1 device_gib=0.3549 tokens_per_s=75.13 checkpoint_gb=0.006643 checkpoint_s=0.02544",
         "device_gib=0.3549;tokens_per_s=75.13;checkpoint_gb=0.006643;checkpoint_s=0.02544"),
        ("measured/1 device_gib=0.3377 tokens_per_s=296.1", "device_gib=0.3377;tokens_per_s=296.1"),
    ],
)  # fmt: skip
def test_what_was_measured_is_read(text, normal):
    found = read_measurement(text)
    assert found.dump() == normal
    assert Measurement.load(normal).dump() == normal


@pytest.mark.parametrize(
    "text",
    [
        "hello",
        "I need 80GB cards",
        "",
        "x" * 30_000,
        "measured/1 oom=1",
        "99999 GiB",
        "400 Gb/s",
        "3/4 GB of it",
        "8/16 cards",
    ],
)
def test_what_is_no_measurement_is_none(text):
    assert read_measurement(text) is None


@pytest.mark.parametrize(
    "text", ["1" * 4096, "1," * 2048, "max memory allocated " * 195, "21932MiB / " * 372, "1 " * 2048]
)
def test_no_message_takes_long_to_read(text):
    begin = time.process_time()
    read_measurement(text)
    assert time.process_time() - begin < 1
