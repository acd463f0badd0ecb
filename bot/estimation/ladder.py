"""What to try when memory does not suffice, in order of cost, with what each step saves for this very job."""

from dataclasses import dataclass, replace

from .engines import with_fused_loss
from .job import Job
from .layout import Layout
from .memory import memory
from .parts import GIB
from .targets import TARGETS

_LADDER_CARDS = 8
_SMALL_SAVING_GIB = 0.05


@dataclass(frozen=True, slots=True)
class Step:
    """One step (of LADDER_STEPS), the GiB per card that it alone saves, and what it costs (of LADDER_COSTS)."""

    step: str
    saves_gib: float
    cost: str


def ladder(job: Job, layout: Layout) -> tuple[Step, ...]:
    """Return the steps that save anything for `job` on `layout`, cheapest first."""
    now = memory(job, layout).needed_bytes
    steps = _training(job, layout) if job.trains else _serving(job, layout)
    found = []
    for name, price, changed, moved in steps:
        saved = (now - memory(changed, moved).needed_bytes) / GIB
        if saved > _SMALL_SAVING_GIB:
            found.append(Step(name, saved, price))
    return tuple(found)


def _training(job: Job, layout: Layout) -> list[tuple[str, str, Job, Layout]]:
    steps = []
    if job.micro_batch > 1:
        steps.append(
            ("smaller_batch", "slightly_slower", replace(job, micro_batch=max(1, job.micro_batch // 2)), layout)
        )
    if job.sequence_length > 512:  # noqa: PLR2004 - shorter samples teach little
        steps.append(
            ("shorter_sequence", "less_context", replace(job, sequence_length=job.sequence_length // 2), layout)
        )
    if job.checkpointing != "full":
        steps.append(("gradient_checkpointing", "time_20_30_percent", replace(job, checkpointing="full"), layout))
    if not job.flash_attention:
        steps.append(("flash_attention", "none", replace(job, flash_attention=True), layout))
    fused = replace(job, engine=with_fused_loss(job.engine))
    steps.append(("fused_loss", "none", fused, layout))
    if job.full and job.optimizer == "adamw":
        steps.append(("optimizer_8bit", "slightly_slower", replace(job, optimizer="adamw-8bit"), layout))
    targets = job.lora_targets or TARGETS["all-linear"]
    adapted = replace(job, lora_rank=job.lora_rank or 16, lora_targets=targets, precision="mixed", weights="bf16")
    if job.full:
        steps.append(("method_lora", "less_capacity", replace(adapted, method="lora"), layout))
    if job.method != "qlora":
        quantized = replace(adapted, method="qlora", weights="nf4")
        steps.append(("method_qlora", "slower_and_rounded", quantized, layout))
    if not layout.fully_sharded or layout.gpus < _LADDER_CARDS:
        shared = Layout(max(layout.gpus, _LADDER_CARDS), 3, layout.tp, layout.pp, layout.offload)
        steps.append(("shard", "more_cards", job, shared))
    return steps


def _serving(job: Job, layout: Layout) -> list[tuple[str, str, Job, Layout]]:
    steps = []
    if job.micro_batch > 1:
        steps.append(
            ("quantize_kv_cache", "fewer_users", replace(job, micro_batch=max(1, job.micro_batch // 2)), layout)
        )
    if job.sequence_length > 512:  # noqa: PLR2004 - shorter prompts are rarely of use
        steps.append(
            ("shorter_sequence", "less_context", replace(job, sequence_length=job.sequence_length // 2), layout)
        )
    if not job.flash_attention:
        steps.append(("flash_attention", "none", replace(job, flash_attention=True), layout))
    if job.weights in ("fp32", "bf16", "fp16", "fp8", "int8", "gptq-int8"):
        steps.append(("quantize_weights", "rounded_weights", replace(job, weights="awq"), layout))
    steps.append(("shard", "more_cards", job, Layout(layout.gpus * 2, 0, layout.tp * 2, layout.pp)))
    return steps
