"""The worked numbers that the formulas' docstrings show, and traced peaks."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.estimation import EstimateRequest, Prices, find_card, find_model
from bot.estimation.activations import kept
from bot.estimation.architecture import adapter_params, cache_bytes_per_token
from bot.estimation.checkpoints import checkpoint
from bot.estimation.communication import links, volumes
from bot.estimation.cost import billed_share, break_even, cost, monthly, reservation
from bot.estimation.demand import flops_per_token, serving_demand
from bot.estimation.layout import Layout
from bot.estimation.memory import memory
from bot.estimation.settle import settle
from bot.estimation.throughput import decode_seconds, tokens_per_second

GIB = 2**30


def job(**fields):
    return settle(EstimateRequest.model_validate(fields))[0]


def test_adapters_of_rank_8_on_q_and_v_of_llama_2_7b():
    assert adapter_params(find_model("llama-2-7b"), 8, ("q", "v")) == 32 * 2 * 8 * (4096 + 4096)


@pytest.mark.parametrize(
    ("name", "bytes_per_token"),
    [("qwen2.5-7b", 2 * 28 * 4 * 128 * 2), ("llama-2-7b", 2 * 32 * 32 * 128 * 2), ("deepseek-v3", 61 * (512 + 64) * 2)],
)
def test_cache_of_one_token(name, bytes_per_token):
    assert cache_bytes_per_token(find_model(name)) == bytes_per_token


def test_what_a_block_of_llama_2_7b_keeps_under_full_tuning():
    block = kept(job(model="llama-2-7b", method="full", mixed_precision=False, gradient_checkpointing=False))
    assert block.saved == 16 * 4096 + 8 * 4096 + 4 * 32 + 8 * 11008


@pytest.mark.parametrize(
    ("fields", "traced_gib"),
    [
        # Peaks counted over all tensors of real training steps with fake tensors.
        ({"model": "meta-llama/Llama-3.2-1B", "method": "full", "sequence_length": 8192}, 21.294),
        ({"model": "meta-llama/Llama-2-7b-hf", "method": "full", "sequence_length": 512}, 50.693),
        ({"model": "Qwen/Qwen2.5-7B", "method": "full", "sequence_length": 2048, "gradient_checkpointing": False},
        59.584),
        (
            {"model": "Qwen/Qwen2.5-14B", "method": "full", "mixed_precision": "amp", "sequence_length": 4096,
            "micro_batch": 2},
            225.892,
        ),
        (
            {
                "model": "Qwen/Qwen2.5-14B", "method": "lora", "lora_rank": 8, "lora_targets": "all-linear",
                "sequence_length": 8192, "gradient_checkpointing": False,
            },
            175.911,
        ),
        (
            {
                "model": "mistralai/Mistral-7B-v0.1", "method": "qlora", "weights": "nf4", "lora_rank": 8,
                "lora_targets": "qv", "sequence_length": 512,
            },
            4.566,
        ),
        (
            {
                "model": "01-ai/Yi-6B", "method": "full", "mixed_precision": "amp", "sequence_length": 2048,
                "gradient_checkpointing": False, "flash_attention": False,
            },
            118.203,
        ),
    ],
)  # fmt: skip
def test_traced_peaks_are_met(fields, traced_gib):
    defaults = {
        "mixed_precision": False,
        "gradient_checkpointing": True,
        "report": "allocated",
        "flash_attention": True,
    }
    assert memory(job(**(defaults | fields)), Layout()).per_gpu_gib == pytest.approx(traced_gib, rel=0.02)


@pytest.mark.parametrize(
    ("fields", "measured_gib"),
    [
        # Published peaks: serving with transformers, full tuning with torchtune in bf16 and with 8-bit AdamW.
        ({"model": "qwen2.5-32b", "task": "infer", "sequence_length": 30720, "generate_tokens": 2048}, 74.47),
        ({"model": "qwen2.5-7b", "task": "infer", "weights": "awq", "sequence_length": 6144, "generate_tokens": 2048},
        6.39),
        ({"model": "llama-2-7b", "method": "full", "engine": "torchtune", "report": "reserved"}, 51.6),
        ({"model": "llama-2-7b", "method": "full", "engine": "torchtune", "optimizer": "adamw-8bit", "report":
        "reserved"}, 39.3),
    ],
)  # fmt: skip
def test_published_peaks_are_met(fields, measured_gib):
    assert memory(job(**fields), Layout()).per_gpu_gib == pytest.approx(measured_gib, rel=0.02)


@pytest.mark.parametrize(
    ("shape", "length", "batch", "gpu", "checkpointing"),
    [
        # Published pretraining runs with FSDP on 8 cards: each ran, so each must fit.
        ((12.854, 40, 5120, 40), 2048, 2, "a100-80g-sxm", False),
        ((6.667, 32, 4096, 32), 4096, 16, "a100-80g-sxm", True),
        ((6.919, 32, 4096, 32), 65536, 1, "h100-sxm", True),
        ((2.668, 32, 2560, 20), 8192, 3, "a100-80g-sxm", False),
        ((1.379, 24, 2048, 16), 32768, 1, "a100-80g-sxm", False),
        ((0.355, 24, 1024, 8), 1024, 32, "a100-40g-sxm", False),
        ((0.124, 12, 768, 6), 512, 104, "a100-40g-sxm", False),
    ],
)
def test_published_runs_fit(shape, length, batch, gpu, checkpointing):
    params_b, layers, hidden, heads = shape
    model = {
        "params_b": params_b, "layers": layers, "hidden": hidden, "heads": heads, "kv_heads": heads, "ffn": 4 * hidden,
        "vocab": 50368, "tied": True, "gated": False,
    }  # fmt: skip
    one = job(
        model=model, method="pretrain", engine="fsdp", sequence_length=length, micro_batch=batch,
        gradient_checkpointing=checkpointing,
    )  # fmt: skip
    assert memory(one, Layout(8, 3)).needed_bytes <= find_card(gpu).capacity_gib * GIB


def test_operations_of_one_token():
    matrix, attention = flops_per_token(job(model="llama-2-7b", method="full", gradient_checkpointing=False))
    assert matrix == pytest.approx(6 * 6.607e9, rel=0.01)
    assert attention == pytest.approx(3.5 * 2 * 32 * 4096 * 2048)


def test_zero_3_sends_three_times_the_weights():
    sent = volumes(job(model="llama-2-7b", method="full"), Layout(8, 3))
    assert sent.overlapped == pytest.approx(3 * 7 / 8 * 2 * 6.738e9)
    assert sent.exposed == 0


def test_tensor_ranks_wait_for_each_other():
    assert volumes(job(model="llama-2-7b", method="full"), Layout(8, 0, 8)).exposed > 0


@pytest.mark.parametrize(
    ("card", "gpus", "within", "across"),
    [
        ("h100", 1, None, None), ("h100", 8, "nvlink", None), ("h100", 16, "nvlink", "infiniband-400"),
        ("a100", 16, "nvlink", "infiniband-200"), ("4090", 8, "pcie", None), ("4090", 16, "pcie", "ethernet-25"),
        ("gb200", 64, "nvlink", "nvlink"), ("a100-80g-pcie", 2, "nvlink_bridge", None), ("a100-80g-pcie", 4, "pcie",
        None),
    ],
)  # fmt: skip
def test_links_of_cards_and_machines(card, gpus, within, across):
    used = links(find_card(card), Layout(gpus))
    assert (used.within, used.across) == (within, across)


def test_decoding_reads_the_weights_once_a_token():
    one = job(model="qwen2.5-7b", task="infer", engine="vllm")
    seconds = decode_seconds(serving_demand(one, Layout()), Layout(), find_card("a100"))
    assert 1 / seconds == pytest.approx(84, rel=0.1)


def test_more_cards_do_not_speed_up_one_card():
    one = job(model="llama-2-7b", method="full")
    card = find_card("a100")
    assert tokens_per_second(one, Layout(16, 3), card) <= tokens_per_second(one, Layout(8, 3), card) * 1.01


@pytest.mark.parametrize(
    ("fields", "size_gb"),
    [
        ({"method": "full"}, 6.738 * 14),
        ({"method": "full", "mixed_precision": "amp"}, 6.738 * 12),
        ({"method": "lora"}, 0.48),
    ],
)
def test_size_of_a_checkpoint(fields, size_gb):
    assert checkpoint(job(model="llama-2-7b", **fields), 1).size_gb == pytest.approx(size_gb, rel=0.01)


@pytest.mark.parametrize(
    ("utilization", "load", "share"),
    [
        (1.0, "constant", 0.7),
        (0.2, "constant", 0.2),
        (0.5, "bursty", 0.455),
        (1.0, "bursty", 0.7),
        (0.0, "bursty", 0.0),
    ],
)
def test_the_cheaper_of_reserving_and_renting_is_paid(utilization, load, share):
    assert billed_share(utilization, load) == pytest.approx(share)


@given(st.floats(0, 1))
def test_a_baseline_never_costs_more_than_either_alone(utilization):
    assert billed_share(utilization, "bursty") <= min(utilization, 0.7) + 1e-9


@pytest.mark.parametrize(("load", "way"), [("constant", "reserve_cheaper"), ("bursty", "reserve_baseline")])
def test_the_advice_turns_at_the_break_even(load, way):
    assert reservation(break_even(load) - 1e-6, load) == "on_demand_cheaper"
    assert reservation(break_even(load) + 1e-6, load) == way


def test_a_month_costs_the_same_either_way_at_the_break_even():
    at = break_even("constant")
    assert monthly(10.0, at, "on_demand") == pytest.approx(monthly(10.0, at, "reserved"))
    assert [round(monthly(10.0, 0.5, way)) for way in ("on_demand", "reserved", "baseline")] == [3600, 5040, 3276]


def test_two_h100_for_ten_hours():
    paid = cost(Prices.default().band("h100-sxm"), Prices.default(), 2, 10.0, disk_gb=200, leaving_gb=0)
    assert (paid.total_low, paid.total_high) == (Decimal("48.24"), Decimal("123.38"))


def test_of_a_paged_optimizer_the_master_stays_on_the_card():
    held, paged = (
        memory(job(model="7B", method="full", optimizer=name), Layout()).parts.optimizer
        for name in ("adamw-8bit", "paged-adamw-8bit")
    )
    assert paged / held == pytest.approx((4 + 2.03 / 2) / (4 + 2.03))


@pytest.mark.parametrize(("zero", "held"), [(0, True), (1, True), (2, False), (3, False)])
def test_offload_takes_gradients_along_from_zero_2_on(zero, held):
    parts = memory(job(model="7B", method="full"), Layout(8, zero, offload=True)).parts
    assert parts.optimizer == 0
    assert bool(parts.gradients) is held
