"""What must hold for every job: more never needs less, parts add up, what is planned fits again."""

import math
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bot.errors import EstimateError
from bot.estimation import EstimateRequest, cards, estimate, find_card, models
from bot.estimation.engines import ENGINES
from bot.estimation.formats import FORMATS
from bot.estimation.layout import Layout
from bot.estimation.memory import memory
from bot.estimation.settle import settle

NAMES = [m.key for m in models() if m.params_b < 150]

FORMATS_OF = {
    "full": ["fp32", "bf16", "fp16", "fp8"], "pretrain": ["fp32", "bf16", "fp16", "fp8"], "lora": sorted(FORMATS), "qlora": sorted(FORMATS),
}  # fmt: skip
ways = st.sampled_from(sorted(FORMATS_OF)).flatmap(
    lambda method: st.fixed_dictionaries(
        {"method": st.just(method)}, optional={"weights": st.sampled_from(FORMATS_OF[method])}
    )
)
jobs = st.fixed_dictionaries(
    {
        "model": st.sampled_from(NAMES),
        "task": st.just("train"),
        "sequence_length": st.integers(1, 65536),
        "micro_batch": st.integers(1, 64),
        "gradient_checkpointing": st.sampled_from([True, False, "selective"]),
        "flash_attention": st.booleans(),
        "engine": st.sampled_from(sorted(ENGINES)),
        "report": st.sampled_from(["allocated", "reserved", "device"]),
        "mixed_precision": st.sampled_from([True, False, "amp"]),
    },
    optional={
        "optimizer": st.sampled_from(["adamw", "adamw-8bit", "paged-adamw-8bit", "adafactor", "sgd", "none"]),
        "lora_rank": st.integers(1, 256),
        "lora_targets": st.sampled_from(["qv", "attention-qkv", "attention", "all-linear"]),
        "trainable_embeddings": st.booleans(),
    },
)
training = st.builds(lambda job, way: job | way, jobs, ways)
serving = st.fixed_dictionaries(
    {
        "model": st.sampled_from(NAMES),
        "task": st.just("infer"),
        "weights": st.sampled_from(sorted(FORMATS)),
        "sequence_length": st.integers(1, 131072),
        "generate_tokens": st.integers(0, 8192),
        "micro_batch": st.integers(1, 256),
        "flash_attention": st.booleans(),
        "engine": st.sampled_from(sorted(ENGINES)),
        "report": st.sampled_from(["allocated", "reserved", "device"]),
    }
)
layouts = st.builds(
    lambda zero, tp, pp, dp, offload: Layout(tp * pp * dp, zero, tp, pp, offload),
    st.integers(0, 3), st.sampled_from([1, 2, 4, 8, 16]), st.sampled_from([1, 2, 4, 8]), st.sampled_from([1, 2, 8, 64]),
    st.booleans(),
)  # fmt: skip


def need(request, layout=None):
    job, _ = settle(EstimateRequest.model_validate(request))
    return memory(job, layout or Layout())


def no_less(more, less):
    assert more.parts.total >= less.parts.total * (1 - 1e-9)
    assert more.needed_bytes >= less.needed_bytes * (1 - 1e-9)


@settings(max_examples=150, deadline=None)
@given(training | serving, layouts, st.integers(1, 8))
def test_more_samples_never_need_less(request_, layout, more):
    no_less(need(request_ | {"micro_batch": request_["micro_batch"] * more}, layout), need(request_, layout))


@settings(max_examples=150, deadline=None)
@given(training | serving, layouts, st.integers(1, 4096))
def test_longer_sequences_never_need_less(request_, layout, more):
    no_less(need(request_ | {"sequence_length": request_["sequence_length"] + more}, layout), need(request_, layout))


@settings(max_examples=150, deadline=None)
@given(training | serving, layouts, st.floats(0.5, 400), st.floats(1, 4))
def test_more_parameters_never_need_less(request_, layout, params_b, times):
    shape = {"layers": 32, "hidden": 4096, "heads": 32, "kv_heads": 8, "ffn": 14336, "vocab": 32000, "tied": False}
    less = need(request_ | {"model": shape | {"params_b": params_b}}, layout)
    no_less(need(request_ | {"model": shape | {"params_b": params_b * times}}, layout), less)


@settings(max_examples=200, deadline=None)
@given(training | serving, layouts, st.sampled_from([2, 4, 8]))
def test_more_shards_never_need_more_per_card(request_, layout, times):
    few = replace(layout, gpus=max(2, layout.dp) * layout.tp * layout.pp)
    less, more = need(request_, few), need(request_, replace(few, gpus=few.gpus * times))
    assert more.parts.total <= less.parts.total * (1 + 1e-9)
    assert more.needed_bytes <= less.needed_bytes * (1 + 1e-9)


@settings(max_examples=200, deadline=None)
@given(training | serving, layouts, st.sampled_from([2, 4]))
def test_more_tensor_ranks_never_need_more_per_card(request_, layout, times):
    few = replace(layout, gpus=layout.gpus * 2)  # from two cards on, buffers for talking are there
    more = replace(few, gpus=few.gpus * times, tp=few.tp * times)
    assert need(request_, more).parts.total <= need(request_, few).parts.total * (1 + 1e-9)


@settings(max_examples=200, deadline=None)
@given(training | serving, layouts)
def test_parts_add_up_inside_the_range(request_, layout):
    held = need(request_, layout)
    assert min(held.parts) >= 0
    assert held.low_bytes <= held.parts.total <= held.high_bytes


@settings(max_examples=100, deadline=None)
@given(training | serving)
def test_the_figures_of_one_job_are_ordered(request_):
    allocated, reserved, device = (
        need(request_ | {"report": report}).parts.total for report in ("allocated", "reserved", "device")
    )
    assert allocated <= reserved <= device


@settings(max_examples=60, deadline=None)
@given(
    training | serving, st.sampled_from([None, 1, 2, 8, 16]), st.sampled_from([None, "a100", "4090", "h200", "l40s"])
)
def test_every_plan_fits_again(request_, gpus, gpu):
    given_ = {k: v for k, v in (("gpus", gpus), ("gpu", gpu)) if v is not None}
    answer = estimate(EstimateRequest.model_validate(request_ | given_))
    for plan in answer.plans:
        shared = plan.parallelism
        again = estimate(
            EstimateRequest.model_validate(
                request_
                | {
                    "gpu": plan.gpu,
                    "gpus": plan.gpus,
                    "parallelism": {"zero": shared.zero, "tp": shared.tp, "pp": shared.pp, "offload": shared.offload},
                }
            )
        )
        assert again.fits is True
        defeated = plan.interconnect.within == "pcie" and (shared.zero == 3 or shared.tp > 1 or shared.pp > 1)
        assert "pcie_bottleneck" in plan.reasons or not defeated
        assert plan.capacity_gib == find_card(plan.gpu).capacity_gib
        assert plan.per_gpu_gib * 1.1 <= plan.capacity_gib * (1 + 1e-9)
        assert shared.tp * shared.pp * shared.dp == plan.gpus


@settings(max_examples=60, deadline=None)
@given(training | serving, st.sampled_from([1, 2, 8]), st.sampled_from(["a100", "4090"]))
def test_the_answer_is_the_sum_of_its_parts(request_, gpus, gpu):
    answer = estimate(EstimateRequest.model_validate(request_ | {"gpus": gpus, "gpu": gpu}))
    parts = answer.memory.parts.model_dump()
    assert sum(parts.values()) == pytest.approx(answer.memory.per_gpu_gib)
    assert answer.memory.low_gib <= answer.memory.per_gpu_gib <= answer.memory.high_gib
    assume(answer.throughput is not None)
    assert answer.throughput.low < answer.throughput.tokens_per_s_per_gpu < answer.throughput.high


sharing = st.fixed_dictionaries(
    {},
    optional={
        "gpu": st.sampled_from([card.key for card in cards()]),
        "gpus": st.sampled_from([1, 2, 3, 7, 8, 12, 100, 1024]),
        "parallelism": st.fixed_dictionaries(
            {
                "zero": st.integers(0, 3), "tp": st.sampled_from([1, 2, 3, 8, 16]), "pp": st.sampled_from([1, 2, 5]),
                "offload": st.booleans(),
            }
        ),
        "tokens": st.sampled_from([1e3, 1e9, 1e13]),
        "duration_days": st.sampled_from([0.5, 30, 400]),
        "utilization": st.sampled_from([0, 0.5, 1]),
        "load": st.sampled_from(["constant", "bursty"]),
        "measured": st.sampled_from([{"peak_gib": 20}, {"tokens_per_s": 1}, {"checkpoint_write_s": 1e4}]),
    },
)  # fmt: skip
NAMED = [m.key for m in models()] + ["0.1b", "405B", "30B-A3B"]


def figures(value):
    """All numbers of an answer, however deep."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [number for item in value for number in figures(item)]
    return [value] if isinstance(value, int | float) else []


@settings(max_examples=150, deadline=None)
@given(training | serving, st.sampled_from(NAMED), sharing)
def test_any_request_is_answered_with_sound_figures_or_refused(request_, model, shared):
    try:
        answer = estimate(EstimateRequest.model_validate(request_ | shared | {"model": model}))
    except EstimateError:
        return
    assert all(math.isfinite(figure) and figure >= 0 for figure in figures(answer.model_dump(mode="json")))
    assert answer.memory.per_gpu_gib > 0
    assert answer.memory.low_gib <= answer.memory.per_gpu_gib <= answer.memory.high_gib
    assert answer.throughput is None or answer.throughput.tokens_per_s_per_gpu > 0
    assert answer.plans or answer.triage.route == "staff"
