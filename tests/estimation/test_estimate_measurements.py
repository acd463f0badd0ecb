"""The estimates against published and traced measurements, where those are at hand: no worse than is required."""

import statistics

import pytest

from bot.estimation import estimate
from tests.measured import DATA, memory_error, memory_request, read, speed_request

pytestmark = pytest.mark.skipif(not DATA.exists(), reason="the measurements are not at hand")


def memory_errors(file, task=None):
    rows = [row for row in read(DATA / file) if row["outcome"] == "ok" and task in (None, row["task"])]
    return [memory_error(estimate(memory_request(row)).memory.per_gpu_gib, row) for row in rows]


def ninth(errors):
    return sorted(map(abs, errors))[int(0.9 * (len(errors) - 1))]


def test_published_peaks_are_met():
    errors = memory_errors("measured_memory.csv")
    assert statistics.median(map(abs, errors)) <= 0.08
    assert ninth(errors) <= 0.20
    assert sum(error < -0.10 for error in errors) / len(errors) <= 0.10
    assert statistics.median(map(abs, memory_errors("measured_memory.csv", "infer"))) <= 0.02


def test_traced_peaks_are_met():
    errors = memory_errors("traced_memory.csv")
    assert statistics.median(map(abs, errors)) <= 0.03
    assert ninth(errors) <= 0.08


def test_runs_that_ran_out_of_memory_are_foreseen():
    rows = [row for row in read(DATA / "measured_memory.csv") if row["gpu"]]
    told = [(row["outcome"], estimate(memory_request(row)).fits) for row in rows]
    out = [fits is False for outcome, fits in told if outcome == "oom"]
    ran = [fits is True for outcome, fits in told if outcome == "ok"]
    assert sum(out) / len(out) >= 0.85
    assert sum(ran) / len(ran) >= 0.95


@pytest.mark.parametrize("task", ["train", "infer"])
def test_published_speeds_are_met(task):
    rows = [row for row in read(DATA / "measured_throughput.csv") if row["task"] == task]
    speeds = [estimate(speed_request(row)).throughput.tokens_per_s_per_gpu for row in rows]
    errors = [speed / float(row["tokens_per_s_per_gpu"]) - 1 for speed, row in zip(speeds, rows, strict=True)]
    assert statistics.median(map(abs, errors)) <= 0.20
