"""Measurements as tools print them and as people write them."""

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


@pytest.mark.parametrize("text", ["hello", "I need 80GB cards", "", "x" * 30_000, "measured/1 oom=1", "99999 GiB"])
def test_what_is_no_measurement_is_none(text):
    assert read_measurement(text) is None
