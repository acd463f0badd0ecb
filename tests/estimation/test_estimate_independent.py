"""Published runs that no constant was drawn from alone: other stacks, cards, formats and sizes, and what they taught."""

import statistics

import pytest

from bot.estimation import EstimateRequest, cards, estimate, find_card
from bot.estimation.layout import Layout
from bot.estimation.memory import memory
from bot.estimation.settle import settle
from bot.estimation.throughput import product_share, rates, tokens_per_second

LORA = {"lora_rank": 64, "lora_targets": "all-linear", "gradient_checkpointing": True}
SHARDED = {"zero": 3}

# GiB a card: (published by, request, GiB).
PEAKS = [
    ("Qwen3 docs, transformers", {"model": "Qwen3-8B", "sequence_length": 6144, "weights": "bf16"}, 16.42),
    ("Qwen3 docs, transformers", {"model": "Qwen3-32B", "sequence_length": 6144, "weights": "bf16"}, 63.07),
    ("Qwen3 docs, transformers", {"model": "Qwen3-30B-A3B", "sequence_length": 14336, "weights": "bf16"}, 58.40),
    ("Qwen3 docs, transformers", {"model": "Qwen3-0.6B", "sequence_length": 6144, "weights": "fp8"}, 1.90),
    ("Qwen3 docs, transformers", {"model": "Qwen3-4B", "sequence_length": 6144, "weights": "fp8"}, 6.00),
    ("Qwen3 docs, transformers", {"model": "Qwen3-14B", "sequence_length": 6144, "weights": "awq"}, 10.76),
    (
        "FSDP and QLoRA, 03/2024",
        {"model": "llama-2-7b", "method": "qlora", "engine": "fsdp", "gpus": 2, "micro_batch": 10, "report": "reserved"}
        | LORA | {"parallelism": SHARDED},
        20.97,
    ),
    (
        "FSDP and QLoRA, 03/2024",
        {"model": "Yi-34B", "method": "qlora", "engine": "fsdp", "gpus": 2, "micro_batch": 2, "report": "reserved"}
        | LORA | {"parallelism": SHARDED},
        23.05,
    ),
    (
        "torchtune README",
        {"model": "llama-3.2-3b", "method": "full", "engine": "torchtune", "sequence_length": 4096, "micro_batch": 2,
         "gradient_checkpointing": True, "report": "allocated"},
        24.9,
    ),
    (
        "torchtitan benchmarks",
        {"model": "llama-3.1-70b", "method": "pretrain", "engine": "torchtitan", "mixed_precision": "amp", "weights": "fp32",
         "sequence_length": 8192, "micro_batch": 16, "gpus": 256, "parallelism": {"zero": 3, "tp": 8},
         "gradient_checkpointing": True, "report": "reserved"},
        71.9,
    ),
    (
        "LLaMA-Factory wiki",
        {"model": "llama-2-7b", "method": "qlora", "engine": "llama-factory", "sequence_length": 8192, "lora_rank": 8,
         "gradient_checkpointing": True},
        12 * 1e9 / 2**30,
    ),
]  # fmt: skip

FP8 = {"weights": "fp8", "gpu": "h100-sxm", "engine": "nemo", "gradient_checkpointing": False, "sequence_length": 4096}

# Tokens a second and card: (published by, request, tokens).
SPEEDS = [
    ("NeMo 24.07", FP8 | {"model": "llama-2-7b", "method": "pretrain", "gpus": 8, "parallelism": {"zero": 1}}, 16847),
    ("NeMo 24.07", FP8 | {"model": "llama-2-70b", "method": "pretrain", "gpus": 64,
                          "parallelism": {"zero": 1, "tp": 4, "pp": 4}}, 1707),
    ("NeMo 24.07", FP8 | {"model": "llama-2-13b", "method": "lora", "gpus": 8, "parallelism": {"zero": 1}}, 14161),
    ("FSDP and QLoRA, 03/2024", {"model": "llama-2-7b", "method": "qlora", "engine": "fsdp", "gpus": 2, "gpu": "rtx4090",
                                 "micro_batch": 10, "parallelism": SHARDED} | LORA, 2250),
    ("FSDP and QLoRA, 03/2024", {"model": "llama-2-7b", "method": "qlora", "engine": "fsdp", "gpus": 2, "gpu": "rtx3090",
                                 "micro_batch": 10, "parallelism": SHARDED} | LORA, 1120),
    ("torchtune README", {"model": "llama-3.1-8b", "method": "lora", "engine": "torchtune", "gpu": "rtx4090",
                          "micro_batch": 2, "gradient_checkpointing": True}, 3083),
    ("torchtune README", {"model": "llama-3.2-3b", "method": "full", "engine": "torchtune", "gpu": "a100-80g-sxm",
                          "micro_batch": 2, "sequence_length": 4096, "gradient_checkpointing": True}, 7210),
    ("torchtitan benchmarks", {"model": "llama-3.1-8b", "method": "pretrain", "engine": "torchtitan", "gpu": "h200",
                               "weights": "fp8", "micro_batch": 2, "sequence_length": 8192, "gpus": 32,
                               "gradient_checkpointing": "selective", "parallelism": SHARDED}, 10938),
    *(
        ("Qwen3 docs, SGLang", {"model": model, "engine": "sglang", "gpu": "h20", "weights": weights,
                                "sequence_length": length, "generate_tokens": 2048}, speed)
        for model, weights, length, speed in (
            ("Qwen3-0.6B", "bf16", 1, 414.0), ("Qwen3-8B", "bf16", 1, 81.7), ("Qwen3-32B", "fp8", 1, 46.1),
            ("Qwen3-14B", "bf16", 63488, 23.2), ("Qwen3-30B-A3B", "bf16", 14336, 106.2),
        )
    ),
    ("Qwen3 docs, transformers", {"model": "Qwen3-14B", "engine": "transformers", "gpu": "h20", "sequence_length": 1,
                                  "generate_tokens": 2048}, 40.6),
]  # fmt: skip


def asked(fields):
    served = {"engine": "transformers", "task": "infer", "generate_tokens": 2048, "gpu": "h20"}
    return EstimateRequest.model_validate(fields if "method" in fields else served | fields)


def test_peaks_of_other_runs_are_met():
    errors = {
        f"{source} {fields}": estimate(asked(fields)).memory.per_gpu_gib / peak - 1 for source, fields, peak in PEAKS
    }
    assert statistics.median(map(abs, errors.values())) <= 0.08, errors
    assert max(map(abs, errors.values())) <= 0.25, errors


def test_speeds_of_other_runs_are_met():
    errors = {
        f"{source} {fields}": estimate(asked(fields)).throughput.tokens_per_s_per_gpu / speed - 1
        for source, fields, speed in SPEEDS
    }
    assert statistics.median(map(abs, errors.values())) <= 0.20, errors
    assert max(map(abs, errors.values())) <= 0.35, errors


@pytest.mark.parametrize(
    ("card", "share"),
    [
        ("h100-sxm", 0.595),
        ("a100-80g-sxm", 0.76),
        ("mi300x", 0.52),
        ("mi250x", 0.77),
        ("rtx4090", 0.85),
        ("b200", 0.44),
    ],
)
def test_products_reach_what_a_cards_power_allows(card, share):
    assert product_share(find_card(card)) == pytest.approx(share, abs=0.03)


def test_no_cards_share_leaves_the_known_range():
    assert all(0.3 <= product_share(card) <= 0.88 for card in cards() if card.known)


def test_units_that_were_cut_cannot_use_all_of_the_memorys_rate():
    full, cut = find_card("h200"), find_card("h20-141g")
    assert rates(full).memory == full.bandwidth_gb_per_s * 1e9
    assert rates(cut).memory < 0.5 * cut.bandwidth_gb_per_s * 1e9


def job(**fields):
    return settle(EstimateRequest.model_validate(fields))[0]


def test_checkpoints_are_shared_where_tensor_ranks_share_the_stream():
    long = {"model": "llama-3-70b", "method": "pretrain", "sequence_length": 8192, "micro_batch": 16,
            "gradient_checkpointing": True}  # fmt: skip
    at = Layout(64, 3, 8)
    shared, whole = (memory(job(**long, engine=engine), at).parts.activations for engine in ("megatron", "fsdp"))
    assert whole - shared > 2 * 8192 * 80 * 8192 * 16 * 7 / 8 * 0.9


def test_a_pipelines_update_is_spread_over_its_micro_batches():
    card, fields = find_card("h100"), {"model": "llama-3-70b", "method": "pretrain", "sequence_length": 4096}
    slow, quick = (
        tokens_per_second(job(**fields, engine=engine), Layout(64, 1, 4, 4), card)
        for engine in ("torchtitan", "megatron")
    )
    assert slow < quick < 1.5 * slow


def test_an_eager_stack_launches_ahead_of_the_card():
    card, fields = find_card("h20"), {"task": "infer", "engine": "transformers", "sequence_length": 1}
    small, middle = (
        tokens_per_second(job(**fields, model=model), Layout(), card) for model in ("qwen3-1.7b", "qwen3-4b")
    )
    assert small / middle == pytest.approx(36 / 28, rel=0.05)  # layers count, not weights


def test_a_tied_head_lies_apart_in_fp8_files():
    fields = {"model": "qwen3-4b", "task": "infer", "engine": "transformers", "sequence_length": 6144}
    table = 2 * 151936 * 2560
    apart, tied = (memory(job(**fields, weights=weights), Layout()).parts.weights for weights in ("fp8", "gptq-int8"))
    assert apart - tied == pytest.approx(table, rel=0.15)
