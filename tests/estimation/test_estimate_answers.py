"""What an answer says: codes from closed lists, assumptions, plans with reasons, costs, and what a trial refines."""

import json
from decimal import Decimal

import pytest
from pydantic import ValidationError

from bot.errors import EstimateError, UnknownNameError
from bot.estimation import (
    ASSUMPTIONS,
    BASES,
    LADDER_COSTS,
    LADDER_STEPS,
    LINKS,
    REASONS,
    TRIAGE_REASONS,
    WHYS,
    EstimateRequest,
    Prices,
    cards,
    estimate,
    find_card,
)  # fmt: skip
from bot.estimation.engines import ENGINES, find_engine

REQUESTS = [
    {"model": "llama-2-7b"},
    {"model": "llama-2-7b", "method": "full", "gpu": "a100-80g-sxm", "gpus": 1},
    {"model": "70B", "method": "full", "tokens": 1e9},
    {"model": "70B", "method": "pretrain", "tokens": 1e12},
    {"model": "qwen2.5-72b", "task": "infer", "concurrency": 64, "context_length": 8192},
    {"model": "deepseek-r1", "task": "infer", "weights": "fp8"},
    {"model": "7B", "method": "qlora", "gpu": "v100", "samples": 10000, "epochs": 3},
    {
        "model": "7B",
        "method": "qlora",
        "gpu": "4090",
        "gpus": 4,
        "load": "bursty",
        "utilization": 0.5,
        "duration_days": 90,
    },
    {
        "model": "7B",
        "method": "lora",
        "gpu": "4090",
        "gpus": 2,
        "parallelism": {"zero": 3, "offload": True},
        "engine": "home-made",
    },
    {"model": {"params_b": 1.3, "layers": 24, "hidden": 2048}, "method": "full", "gpu": "l40s", "hours": 12},
    {"model": "llama-3-8b", "method": "full", "gpus": 16, "gpu": "h100"},
    {"model": "mixtral", "method": "lora", "measured": {"peak_gib": 70.0, "checkpoint_write_s": 40}},
]


def ask(prices=None, **fields):
    return estimate(EstimateRequest.model_validate(fields), prices)


@pytest.mark.parametrize("fields", REQUESTS, ids=json.dumps)
@pytest.mark.parametrize("currency", ["USD", "CNY"])
def test_every_code_is_from_its_closed_list(fields, currency):
    answer = ask(Prices.default(currency), **fields)
    assert {a.key for a in answer.assumptions} <= set(ASSUMPTIONS)
    assert {a.why for a in answer.assumptions} <= set(WHYS)
    assert {step.step for step in answer.ladder} <= set(LADDER_STEPS)
    assert {step.cost for step in answer.ladder} <= set(LADDER_COSTS)
    assert set(answer.triage.reasons) <= set(TRIAGE_REASONS)
    for plan in answer.plans:
        assert set(plan.reasons) <= set(REASONS)
        assert plan.cost is None or (plan.cost.basis in BASES and plan.cost.currency == currency)


@pytest.mark.parametrize("fields", REQUESTS, ids=json.dumps)
def test_the_answer_is_plain_json_with_the_documented_keys(fields):
    answer = json.loads(ask(**fields).model_dump_json())
    assert set(answer) == {
        "model", "assumptions", "memory", "fits", "throughput", "plans", "triage", "checkpoint", "ladder",
    }  # fmt: skip
    assert set(answer["memory"]) == {"per_gpu_gib", "low_gib", "high_gib", "parts"}
    assert set(answer["memory"]["parts"]) == {
        "weights", "gradients", "optimizer", "activations", "logits", "kv_cache", "buffers", "overhead",
    }  # fmt: skip


@pytest.mark.parametrize("fields", REQUESTS, ids=json.dumps)
def test_plans_leave_headroom_and_keep_tensor_ranks_in_one_machine(fields):
    answer = ask(**fields)
    assert {plan.rank for plan in answer.plans} in ({"recommended", "cheapest", "fastest", "smallest"}, set())
    for plan in answer.plans:
        card = find_card(plan.gpu)
        assert plan.gpus <= 1024
        assert plan.parallelism.tp <= card.cards_per_node
        assert plan.nodes == -(-plan.gpus // card.cards_per_node)
        assert (plan.interconnect.across is None) == (plan.nodes == 1)
        assert (plan.interconnect.within is None) == (plan.gpus == 1)


def test_a_plan_that_pcie_defeats_says_so():
    answer = ask(model="llama-2-7b", method="full", gpu="l40s", gpus=8)
    assert answer.plans
    assert all("pcie_bottleneck" in plan.reasons for plan in answer.plans)


def test_consumer_cards_side_by_side_are_told_apart():
    answer = ask(model="7B", method="qlora", gpu="4090", gpus=4)
    assert "no_p2p" in answer.plans[0].reasons
    assert "data_parallel_enough" in answer.plans[0].reasons


def test_what_was_asked_for_is_kept_while_it_fits():
    plans = ask(model="llama-2-7b", method="full", gpu="h100", gpus=8).plans
    assert {(plan.gpu, plan.gpus) for plan in plans} == {("h100-sxm", 8)}
    assert all({"requested_card", "requested_count"} <= set(plan.reasons) for plan in plans)


def test_what_does_not_fit_gives_plans_that_do():
    answer = ask(model="llama-2-7b", method="full", gpu="a100", gpus=1)
    assert answer.fits is False
    assert all(plan.gpu == "a100-80g-sxm" and plan.gpus > 1 for plan in answer.plans)


def test_the_cheapest_is_not_dearer_and_the_fastest_not_slower_than_any():
    plans = {plan.rank: plan for plan in ask(model="llama-3-8b", method="full", tokens=1e9).plans}
    middle = {rank: plan.cost.total_low + plan.cost.total_high for rank, plan in plans.items()}
    assert middle["cheapest"] <= min(middle.values()) * Decimal("1.1")
    assert plans["fastest"].hours == min(plan.hours for plan in plans.values())
    assert plans["smallest"].gpus == min(plan.gpus for plan in plans.values())


def test_total_cost_is_hours_times_price_and_storage():
    plan = ask(model="7B", method="qlora", gpu="4090", gpus=1, hours=100).plans[0]
    assert plan.hours == 100
    assert plan.cost.total_low >= plan.cost.per_hour_low * 100
    assert plan.cost.total_low < plan.cost.per_hour_low * 100 + 10


def test_computing_storage_and_traffic_are_all_in_the_total_with_what_was_assumed():
    job = {"model": "7B", "method": "full", "gpu": "h100", "gpus": 8, "hours": 10}
    answer, prices = ask(**job), Prices.default()
    told = {a.key: a.value for a in answer.assumptions if a.key in ("disk_gb", "traffic_gb")}
    assert told["traffic_gb"] == round(answer.checkpoint.size_gb, 1)
    assert told["disk_gb"] > answer.checkpoint.size_gb * answer.checkpoint.keep
    money = answer.plans[0].cost
    storage = prices.side.storage_high * Decimal(told["disk_gb"]) * 10 / 720
    traffic = prices.side.traffic_high * Decimal(str(told["traffic_gb"]))
    assert float(money.total_high) == pytest.approx(float(money.per_hour_high * 10 + storage + traffic), abs=0.05)
    assert traffic > 1


def test_answers_of_a_served_model_are_no_traffic_to_speak_of():
    answer = ask(model="7B", task="infer", gpu="4090", gpus=1, hours=10)
    assert ("traffic_gb", 0.0) in [(a.key, a.value) for a in answer.assumptions]


def test_hours_follow_from_samples_and_epochs():
    answer = ask(model="7B", method="qlora", gpu="4090", gpus=1, sequence_length=1000, samples=1000, epochs=2)
    expected = 2e6 / answer.throughput.tokens_per_s_per_gpu / 3600
    assert answer.plans[0].hours == pytest.approx(expected)


def test_a_trial_refines_memory_speed_and_checkpoints():
    job = {"model": "llama-3.1-8b", "method": "lora", "gpu": "a100", "gpus": 1, "samples": 10000}
    plain = ask(**job)
    refined = ask(**job, measured={"peak_gib": 40.0, "tokens_per_s": 1000.0, "checkpoint_write_s": 0.5})
    assert refined.memory.per_gpu_gib == pytest.approx(40)
    assert refined.throughput.tokens_per_s_per_gpu == pytest.approx(1000)
    assert refined.checkpoint.write_s == 0.5
    assert refined.plans[0].hours == pytest.approx(10000 * 2048 / 1000 / 3600)
    assert refined.plans[0].per_gpu_gib == pytest.approx(40)
    noted = {a.key for a in refined.assumptions if a.why == "from_measurement"}
    assert noted == {"peak_gib", "tokens_per_s", "checkpoint_write_s"}
    width, plain_width = ((a.memory.high_gib - a.memory.low_gib) / a.memory.per_gpu_gib for a in (refined, plain))
    assert width < plain_width


def test_a_measured_peak_above_the_card_does_not_fit():
    assert ask(model="7B", method="qlora", gpu="4090", gpus=1, measured={"peak_gib": 25.0}).fits is False


@pytest.mark.parametrize("peak", [5.0, 20.0, 40.0, 200.0])
def test_plans_follow_the_measured_peak(peak):
    answer = ask(model="7B", method="qlora", gpu="4090", gpus=1, measured={"peak_gib": peak})
    assert all(plan.per_gpu_gib * 1.1 <= plan.capacity_gib * 1.0001 for plan in answer.plans)
    single = [plan for plan in answer.plans if plan.gpus == 1]
    assert all(plan.per_gpu_gib == pytest.approx(peak) for plan in single)
    assert answer.fits is (peak <= 24)


def test_young_and_daly_shorten_the_interval_of_quick_checkpoints():
    quick, slow = (
        ask(model="7B", method="lora", gpus=1, gpu="a100", measured={"checkpoint_write_s": seconds}).checkpoint
        for seconds in (0.2, 60)
    )
    assert quick.every_minutes == pytest.approx((2 * 0.2 * 1000 * 3600) ** 0.5 / 60)
    assert slow.every_minutes == 60


def test_a_card_without_bf16_takes_fp16():
    answer = ask(model="7B", method="lora", gpu="v100-32g", gpus=1)
    assert ("weights", "fp16", "card_has_no_bf16") in [(a.key, a.value, a.why) for a in answer.assumptions]
    assert "fp16_only" in answer.plans[0].reasons


def test_an_unknown_stack_counts_as_plain_transformers():
    answer = ask(model="7B", method="lora", engine="home-made")
    assert ("engine", "transformers", "unknown_engine") in [(a.key, a.value, a.why) for a in answer.assumptions]


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("LLaMA Factory", "llama-factory"), ("llama_factory", "llama-factory"), ("vLLM 0.6.2", "vllm"), ("vllm==0.8.5", "vllm"),
        ("DeepSpeed ZeRO-3", "deepspeed"), ("TensorRT LLM", "tensorrt-llm"), ("FSDP2", "fsdp"), ("axolotl", "transformers"),
        ("ms-swift", "swift"), ("llama.cpp", "llama.cpp"), ("Ollama", "llama.cpp"), ("Megatron-LM", "megatron"),
        ("llm-foundry", "fsdp"), ("PyTorch FSDP", "fsdp"), ("TRL", "transformers"), ("LMDeploy", "sglang"),
    ],
)  # fmt: skip
def test_stacks_are_known_in_any_usual_spelling(spelling, name):
    assert find_engine(spelling).name == name


def test_every_stack_is_found_by_its_own_name():
    assert all(find_engine(name) is engine for name, engine in ENGINES.items())


def test_empty_texts_count_as_not_given():
    empty = {"method": "", "weights": "", "optimizer": "", "gpu": "", "engine": "", "report": "", "load": ""}
    assert ask(model="7B", **empty) == ask(model="7B")


@pytest.mark.parametrize("weights", ["bf16", "fp16"])
def test_qlora_has_a_quantised_base_whatever_its_products_are_in(weights):
    given, usual = (ask(model="7B", method="qlora", gpus=1, **more) for more in ({"weights": weights}, {}))
    assert given.memory == usual.memory
    assert ("weights", "nf4", "implied_by_method") in [(a.key, a.value, a.why) for a in given.assumptions]


@pytest.mark.parametrize("targets", ["all", "q_proj, v_proj", "q_proj，k_proj v_proj"])
def test_lora_targets_are_read_as_people_write_them(targets):
    assert ask(model="7B", method="lora", lora_targets=targets).memory.per_gpu_gib > 0


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"model": "no such thing"}, UnknownNameError),
        ({"model": "7B", "gpu": "no such card"}, UnknownNameError),
        ({"model": "7B", "gpu": "昇腾910B"}, EstimateError),
        ({"model": "7B", "method": "full", "weights": "nf4"}, EstimateError),
        ({"model": "7B", "method": "lora", "lora_targets": ["nothing"]}, EstimateError),
        ({"model": "7B", "surprise": 1}, ValidationError),
        ({"model": "7B", "gpus": 0}, ValidationError),
        ({"model": "7B", "parallelism": {"zero": 4}}, ValidationError),
        ({}, ValidationError),
    ],
)
def test_what_cannot_be_answered_is_refused(fields, error):
    with pytest.raises(error):
        ask(**fields)


@pytest.mark.parametrize("model", ["7B", "70B", "llama-3.1-405b", "deepseek-v3"])
@pytest.mark.parametrize("job", [{"method": "full"}, {"method": "lora"}, {"task": "infer", "concurrency": 16}])
def test_cards_of_another_software_are_not_offered_unasked(model, job):
    assert all(find_card(plan.gpu).usual for plan in ask(model=model, **job).plans)


@pytest.mark.parametrize("gpu", ["mi300x", "gaudi2"])
def test_cards_of_another_software_come_by_name_with_a_reason(gpu):
    plans = ask(model="7B", method="lora", gpu=gpu).plans
    assert {plan.gpu for plan in plans} == {find_card(gpu).key}
    assert all("other_software" in plan.reasons for plan in plans)


def test_links_are_from_their_closed_list():
    plans = [plan for card in cards() if card.known for plan in ask(model="70B", method="full", gpu=card.key).plans]
    within, across = ({getattr(plan.interconnect, side) for plan in plans} for side in ("within", "across"))
    assert within | across <= {None, *LINKS}
    assert {"pcie", "nvlink", "fabric", "infiniband-400", "infiniband-200"} <= within | across


def test_what_needs_several_machines_goes_to_the_staff_though_one_was_asked_for():
    answer = ask(model="llama-3-70b", method="full", gpu="h100-sxm", gpus=8)
    assert answer.fits is False
    assert answer.plans[0].nodes > 1
    assert answer.triage.route == "staff"
    assert {"cross_node", "bulk"} <= set(answer.triage.reasons)


def test_what_fits_no_plan_goes_to_the_staff_with_a_way_out():
    answer = ask(model="llama-3.1-8b", method="lora", sequence_length=131072)
    assert answer.plans == ()
    assert (answer.triage.route, answer.triage.reasons) == ("staff", ("nothing_fits",))
    assert "fused_loss" in [step.step for step in answer.ladder]


def test_money_is_a_number_in_json():
    plan = json.loads(ask(model="7B", method="lora", hours=10).model_dump_json())["plans"][0]
    assert all(isinstance(plan["cost"][key], float) for key in ("per_hour_low", "per_hour_high", "total_low"))


def test_fewer_cards_than_ranks_are_told():
    answer = ask(model="7B", method="full", gpu="h100", gpus=1, parallelism={"tp": 8})
    assert ("gpus", 8, "implied_by_request") in [(a.key, a.value, a.why) for a in answer.assumptions]


@pytest.mark.parametrize(
    ("model", "weights", "published_gb"),
    [("deepseek-r1", "fp8", 689), ("gpt-oss-20b", "awq", 13), ("gpt-oss-120b", "awq", 61)],
)
def test_a_model_is_served_as_it_is_published(model, weights, published_gb):
    """The sizes are those of the published checkpoints (catalogue's notes; DeepSeek-V3's card: 671 B in fp8, tables in bf16)."""
    answer = ask(model=model, task="infer", engine="vllm", gpu="b200", gpus=8, parallelism={"tp": 8})
    assert ("weights", weights, "as_published") in [(a.key, a.value, a.why) for a in answer.assumptions]
    assert answer.memory.parts.weights * 8 * 2**30 / 1e9 == pytest.approx(published_gb, rel=0.06)
    asked = ask(model=model, task="infer", engine="vllm", weights="bf16", gpu="b200", gpus=8, parallelism={"tp": 8})
    assert asked.memory.parts.weights > 1.8 * answer.memory.parts.weights


def test_an_old_card_serves_in_16_bits_what_is_published_in_fewer():
    answer = ask(model="gpt-oss-20b", task="infer", gpu="v100-32g", gpus=2)
    assert ("weights", "fp16", "card_has_no_bf16") in [(a.key, a.value, a.why) for a in answer.assumptions]
