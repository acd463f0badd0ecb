"""The first promises of the estimation core."""

from decimal import Decimal

import pytest

from bot.errors import EstimateError, UnknownNameError
from bot.estimation import EstimateRequest, Prices, estimate, find_card, find_model, triage


def ask(**fields):
    return estimate(EstimateRequest.model_validate(fields))


def test_full_tuning_of_7b_does_not_fit_one_80_gb_card():
    answer = ask(model="llama-2-7b", method="full", gpu="a100-80g-sxm", gpus=1)
    parts = answer.memory.parts
    assert answer.fits is False
    assert 100 <= parts.weights + parts.gradients + parts.optimizer <= 126


def test_qlora_of_7b_fits_one_24_gb_card():
    answer = ask(
        model="llama-2-7b", method="qlora", gpu="rtx4090", gpus=1, sequence_length=2048,
        gradient_checkpointing=True, flash_attention=True,
    )  # fmt: skip
    assert answer.fits is True


def test_parts_add_up():
    memory = ask(model="qwen2.5-7b", method="lora").memory
    assert sum(memory.parts.model_dump().values()) == pytest.approx(memory.per_gpu_gib)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("H100", "h100-sxm"), ("RTX4090", "rtx4090"), ("A100 80G PCIe", "a100-80g-pcie"), ("RTX5090D", "rtx5090d"),
        ("Ascend910B", "ascend-910b"), ("昇腾910B", "ascend-910b"), ("A800", "a800-80g-sxm"), ("8xH100", "h100-sxm"),
        ("h100x8", "h100-sxm"), ("NVIDIA A100-SXM4-80GB", "a100-80g-sxm"), ("两张4090", "rtx4090"), ("４０９０", "rtx4090"),
    ],
)  # fmt: skip
def test_cards_are_found_by_usual_names(name, key):
    assert find_card(name).key == key


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("llama-2-7b", "meta-llama/Llama-2-7b-hf"), ("Llama-3.1-8B-Instruct", "meta-llama/Meta-Llama-3.1-8B"),
        ("通义千问2.5-7B", "Qwen/Qwen2.5-7B"), ("百川2-13B", "baichuan-inc/Baichuan2-13B-Base"),
        ("qwen2.5-72b-instruct-gptq-int4", "Qwen/Qwen2.5-72B"), ("235B-A22B", "Qwen/Qwen3-235B-A22B"),
        ("DeepSeek-R1 671B", "deepseek-ai/DeepSeek-R1"),
        ("Qwen2.5-Coder-7B", "Qwen/Qwen2.5-7B"),
    ],
)  # fmt: skip
def test_models_are_found_by_usual_names(name, key):
    assert find_model(name).key == key


@pytest.mark.parametrize(
    ("name", "params_b"), [("70B", 70), ("7b", 7), ("70亿", 7), ("1.5B", 1.5), ("70B级模型", 70), ("大概13B", 13)]
)
def test_a_bare_size_gets_a_typical_architecture(name, params_b):
    model = find_model(name)
    assert model.typical
    assert model.params_b == pytest.approx(params_b)


def test_an_unknown_name_comes_with_near_misses():
    with pytest.raises(UnknownNameError) as caught:
        find_model("llama4 scouts")
    assert "meta-llama/Llama-4-Scout-17B-16E-Instruct" in caught.value.suggestions


def test_a_card_without_figures_is_left_to_a_person():
    with pytest.raises(EstimateError):
        ask(model="7b", gpu="昇腾910B", gpus=8)


def test_staff_prices_come_first():
    prices = Prices.default().with_staff({"rtx4090": (Decimal("0.5"), "USD")}, "2026-11-30")
    answer = estimate(EstimateRequest(model="7b", method="qlora", gpu="4090", gpus=1), prices)
    cost = answer.plans[0].cost
    assert cost is not None
    assert (cost.per_hour_low, cost.basis, cost.as_of) == (Decimal("0.5"), "staff", "2026-11-30")


def test_several_machines_go_to_the_staff():
    found = triage(gpus=16, nodes=2, region_fixed=False, reserved=False, batches=False)
    assert (found.route, found.reasons) == ("staff", ("cross_node", "bulk"))
    assert triage(gpus=2, nodes=1, region_fixed=False, reserved=False, batches=False).route == "self_service"
