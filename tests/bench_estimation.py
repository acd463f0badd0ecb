"""Benchmarks the estimation core: its error beside public calculators' on the same rows, and its speed.

usage: python -m tests.bench_estimation      (called by `make bench`; peers get environments of their own in .bench/)
"""

import json
import statistics
import subprocess
import sys
import time
import venv
from pathlib import Path

from bot.estimation import EstimateRequest, Prices, estimate
from bot.estimation.candidates import COUNTS, Wish, Work
from bot.estimation.layout import Layout
from bot.estimation.memory import memory
from bot.estimation.plans import search
from bot.estimation.settle import settle
from tests.measured import DATA, memory_error, memory_request, read

ROOT = Path(__file__).resolve().parent.parent
PEERS = {
    "fitcheck-llm": ("fitcheck-llm==0.3.1",),
    "ftuneai": ("ftuneai==0.4.1", "typer", "pyyaml"),
    "llm-analysis": ("llm-analysis==0.2.2",),
    "accelerate": ("accelerate", "transformers", "torch==2.13.0"),
}
SEARCHES = {
    "full tuning": {"model": "llama-3-8b", "method": "full"},
    "full tuning, 70B": {"model": "llama-3-70b", "method": "full"},
    "LoRA": {"model": "qwen2.5-7b", "method": "lora"},
    "pretraining, megatron": {"model": "7B", "method": "pretrain", "engine": "megatron"},
    "serving 64": {"model": "qwen2.5-72b", "task": "infer", "concurrency": 64},
    "serving 1,024": {"model": "qwen2.5-72b", "task": "infer", "concurrency": 1024},
}
FEW = 10


def main():
    for title, file in (("published peaks", "measured_memory.csv"), ("traced peaks", "traced_memory.csv")):
        rows = [row for row in read(DATA / file) if row["outcome"] == "ok"]
        if rows:
            errors_beside_peers(title, rows)
        else:
            print(f"{title}: {file} is not at hand, nothing to score")
    speed()


def errors_beside_peers(title, rows):
    jobs = [settle(memory_request(row))[0] for row in rows]
    ours = [estimate(memory_request(row)).memory.per_gpu_gib for row in rows]
    print(f"\n{title}: absolute error of each calculator, and ours on the rows that it can express")
    print(f"{'':16}{'rows':>6}{'median':>9}{'p90':>9}{'ours: median':>15}{'p90':>9}")
    print(f"{'this one':16}{line(ours, rows)}")
    answers = {}
    for name, packages in PEERS.items():
        found = ask(name, packages, [line_for(row, job) for row, job in zip(rows, jobs, strict=True)])
        if found is not None:
            answers[name] = found
            chosen = [n for n, value in enumerate(found) if value is not None]
            compared(name, chosen, found, ours, rows)
    both = [answers[name] for name in ("fitcheck-llm", "ftuneai") if name in answers]
    if len(both) > 1:
        print("on the rows that both LoRA calculators can express:")
        chosen = [n for n in range(len(rows)) if all(found[n] is not None for found in both)]
        for name in ("fitcheck-llm", "ftuneai"):
            compared(name, chosen, answers[name], ours, rows)


def compared(name, chosen, theirs, ours, rows):
    if not chosen:
        print(f"{name:16}{0:6}")
        return
    picked = [rows[n] for n in chosen]
    left, right = line([theirs[n] for n in chosen], picked), line([ours[n] for n in chosen], picked)
    print(f"{name:16}{left}{right[6:15]:>15}{right[15:]}")


def line(estimates, rows):
    errors = sorted(abs(memory_error(value, row)) for value, row in zip(estimates, rows, strict=True))
    ninth = f"{errors[int(0.9 * (len(errors) - 1))]:9.1%}" if len(errors) >= FEW else f"{'few':>9}"
    return f"{len(errors):6}{statistics.median(errors):9.1%}{ninth}"


def line_for(row, job):
    """What a peer is told: the job with every open field decided, as ours decides it, and the model's shape."""
    model = job.model
    shape = {
        key: getattr(model, key)
        for key in (
            "name",
            "params_b",
            "layers",
            "hidden",
            "heads",
            "kv_heads",
            "head_dim",
            "ffn",
            "vocab",
            "tied",
            "experts",
        )
    }
    told = {
        "task": job.task, "method": job.method, "weights": job.weights, "precision": job.precision,
        "length": job.sequence_length, "batch": job.micro_batch, "checkpointing": job.checkpointing,
        "flash": job.flash_attention, "rank": job.lora_rank, "targets": job.lora_targets, "report": job.report,
        "gpus": int(row["gpus"]), "zero": int(row["zero"]), "tp": int(row["tp"]), "pp": int(row["pp"]),
    }  # fmt: skip
    return {"job": told, "shape": shape}


def ask(name, packages, lines):
    """Return a peer's answers, or None with a line that says why it has none."""
    python = environment(name, packages)
    if python is None:
        return None
    text = "".join(json.dumps(told) + "\n" for told in lines)
    run = subprocess.run(
        [python, str(ROOT / "tests" / "peers.py"), name], input=text, capture_output=True, text=True, check=False
    )
    if run.returncode:
        print(f"{name:16}skipped: {run.stderr.strip().splitlines()[-1]}")
        return None
    return [json.loads(answer) for answer in run.stdout.splitlines()]


def environment(name, packages):
    """Return the interpreter of a peer's own environment; made on first use, so that it never meets the project's."""
    folder = ROOT / ".bench" / name
    python = folder / "bin" / "python"
    if (folder / ".ready").exists():
        return python
    venv.create(folder, with_pip=True, clear=True)
    run = subprocess.run(
        [python, "-m", "pip", "install", "--quiet", *packages], capture_output=True, text=True, check=False
    )
    if run.returncode:
        reason = (run.stderr.strip().splitlines() or ["no reason given"])[-1]
        print(f"{name:16}skipped, it cannot be installed: {reason}")
        return None
    (folder / ".ready").touch()
    return python


def speed():
    prices = Prices.default()
    print(
        f"\nspeed on one core, after warm-up, of jobs never seen before (median, best of 20; up to {max(COUNTS):,} GPUs)"
    )
    for name, fields in SEARCHES.items():
        jobs = [settle(EstimateRequest.model_validate({**fields, "sequence_length": 1000 + n}))[0] for n in range(22)]
        times = [timed(lambda job=job: search(job, Wish(), Work(), prices)) for job in jobs][2:]
        print(
            f"plan search, {name:24} {statistics.median(times) * 1e3:6.2f} ms, {min(times) * 1e3:6.2f} ms  (aim: under 5)"
        )
    fixed = {"model": "llama-3-8b", "method": "lora", "gpu": "a100", "gpus": 1, "parallelism": {}, "tokens": 1e8}
    asked = [EstimateRequest.model_validate(fixed | {"sequence_length": n}) for n in range(1, 402)]
    times = [timed(lambda request=request: estimate(request, prices)) for request in asked][1:]
    print(
        f"one estimate of a given plan         {statistics.median(times) * 1e6:6.0f} µs, {min(times) * 1e6:6.0f} µs  (aim: under 200)"
    )
    jobs = [settle(request)[0] for request in asked]
    times = [timed(lambda job=job: memory(job, Layout(gpus=2))) for job in jobs][1:]
    print(f"  its memory alone                   {statistics.median(times) * 1e6:6.0f} µs, {min(times) * 1e6:6.0f} µs")


def timed(call):
    """Return the seconds of processor time that `call` takes."""
    started = time.process_time()
    call()
    return time.process_time() - started


if __name__ == "__main__":
    sys.exit(main())
