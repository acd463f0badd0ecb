"""Words for the codes that estimates and triage speak in; a test holds these lists against theirs."""

from typing import Final

from bot.estimation import EstimateAnswer, EstimateRequest
from bot.estimation.answer import Plan
from bot.i18n import N_, Texts

RANKS: Final = {
    "recommended": N_("Recommended"),
    "cheapest": N_("Cheapest"),
    "fastest": N_("Fastest"),
    "smallest": N_("Smallest"),
}

PARTS: Final = {
    "weights": N_("weights"),
    "gradients": N_("gradients"),
    "optimizer": N_("optimizer"),
    "activations": N_("activations"),
    "logits": N_("logits"),
    "kv_cache": N_("KV cache"),
    "buffers": N_("buffers"),
    "overhead": N_("overhead"),
}

METHODS: Final = {
    "full": N_("full fine-tuning"),
    "pretrain": N_("pretraining"),
    "lora": N_("LoRA"),
    "qlora": N_("QLoRA"),
}

LINKS: Final = {
    "nvlink": N_("NVLink"),
    "nvlink_bridge": N_("NVLink bridge"),
    "fabric": N_("accelerator links"),
    "pcie": N_("PCIe"),
    "infiniband": N_("InfiniBand"),
    "ethernet": N_("Ethernet"),
}
"""Links within and between machines; a code's speed follows its name: infiniband-400."""

REASONS: Final = {
    "fits_one_card": N_("the whole job fits one card"),
    "fits_one_node": N_("the job fits one machine, so no network between machines is needed"),
    "cheapest_total": N_("lowest total cost of all that fit"),
    "cheapest_per_token": N_("lowest price per token of all that fit"),
    "fastest": N_("shortest time of all that fit"),
    "smallest": N_("fewest and smallest cards that fit"),
    "balanced": N_("best balance of cost and time"),
    "requested_card": N_("the card you asked for"),
    "requested_count": N_("the number of cards you asked for"),
    "data_parallel_enough": N_("each card holds everything and only gradients are exchanged"),
    "replicas_independent": N_("replicas answer on their own, so Ethernet is enough"),
    "sharded_states": N_("weights, gradients and optimizer states are shared out over the cards"),
    "tensor_parallel_in_node": N_("tensor parallelism stays inside one machine"),
    "pipeline_across_nodes": N_("machines only pass activations on, which asks little of the network"),
    "nvlink_needed": N_("sharding exchanges so much that NVLink is needed"),
    "pcie_bottleneck": N_("⚠ PCIe between the cards slows this plan down a lot"),
    "network_bottleneck": N_("⚠ the network between machines slows this plan down a lot"),
    "low_scaling": N_("⚠ twice the cards bring much less than twice the speed"),
    "large_headroom": N_("more than half of the memory stays free"),
    "market_price": N_("cost from dated market offers"),
    "staff_price": N_("cost from our price list"),
    "no_price": N_("nobody states a price for this card; ask us"),
    "undated_price": N_("cost from market offers without a date"),
    "fp16_only": N_("this card has no bf16; use fp16"),
    "no_p2p": N_("consumer cards have no NVLink and talk over PCIe"),
    "offload_slow": N_("⚠ offloading to the host saves memory and costs much time"),
    "on_demand_cheaper": N_("at this utilization on-demand rental is cheaper than a reservation"),
    "reserve_cheaper": N_("at this utilization a reservation is cheaper than on demand"),
    "reserve_baseline": N_("reserve the baseline and rent peaks on demand"),
    "low_confidence_card": N_("this card's figures rest on a weak source"),
    "other_software": N_("⚠ this card needs a software stack of its own; images made for CUDA do not run on it"),
}

ASSUMPTIONS: Final = {
    "task": N_("task"),
    "method": N_("method"),
    "weights": N_("weights"),
    "mixed_precision": N_("mixed precision"),
    "optimizer": N_("optimizer"),
    "sequence_length": N_("sequence length"),
    "micro_batch": N_("samples per card"),
    "generate_tokens": N_("tokens generated"),
    "gradient_checkpointing": N_("gradient checkpointing"),
    "flash_attention": N_("FlashAttention"),
    "lora_rank": N_("LoRA rank"),
    "lora_targets": N_("LoRA layers"),
    "engine": N_("software"),
    "parallelism": N_("parallelism"),
    "gpu": N_("card"),
    "gpus": N_("number of cards"),
    "report": N_("memory figure"),
    "concurrency": N_("sequences at once"),
    "model": N_("model"),
    "network": N_("network between machines"),
    "peak_gib": N_("measured peak"),
    "tokens_per_s": N_("measured speed"),
    "checkpoint_write_s": N_("measured time to write a checkpoint"),
    "failure_interval_h": N_("time between failures"),
    "tolerable_loss": N_("work that may be lost"),
    "disk_gb": N_("disk"),
    "traffic_gb": N_("outgoing traffic, GB"),
}

LADDER_STEPS: Final = {
    "smaller_batch": N_("fewer samples per card at once, with gradient accumulation instead"),
    "shorter_sequence": N_("shorter sequences"),
    "gradient_checkpointing": N_("gradient checkpointing"),
    "flash_attention": N_("FlashAttention"),
    "fused_loss": N_("the loss computed in pieces (chunked cross-entropy)"),
    "method_lora": N_("LoRA instead of full tuning"),
    "method_qlora": N_("QLoRA: 4-bit base with adapters"),
    "optimizer_8bit": N_("optimizer states in 8 bits"),
    "quantize_weights": N_("weights in 4 bits"),
    "quantize_kv_cache": N_("fewer or shorter sequences at once"),
    "shard": N_("more cards with ZeRO-3 or FSDP"),
    "larger_card": N_("a card with more memory"),
}

LADDER_COSTS: Final = {
    "slightly_slower": N_("a little slower"),
    "less_context": N_("long samples are cut"),
    "time_20_30_percent": N_("20–30 % more computing time"),
    "none": N_("costs nothing where supported"),
    "less_capacity": N_("adapters learn less than full tuning"),
    "slower_and_rounded": N_("slower, rounded base weights"),
    "rounded_weights": N_("slightly different answers"),
    "fewer_users": N_("fewer users at once"),
    "more_cards": N_("more cards and their interconnect to pay"),
    "higher_price": N_("a higher price per hour"),
}

TRIAGE_REASONS: Final = {
    "cross_node": N_("several machines work together"),
    "fixed_region": N_("a fixed region or data centre"),
    "reserved": N_("dedicated cards over a longer time"),
    "bulk": N_("a large number of cards"),
    "batches": N_("delivery in batches"),
    "one_machine": N_("one machine is enough"),
    "count_unknown": N_("the number of cards is still open"),
    "nothing_fits": N_("no plan fits the job as it is"),
}

CONTRADICTIONS: Final = {
    "tensor_across_machines": N_(
        "Tensor parallelism across machines needs InfiniBand; better keep it inside one machine and put data or pipeline parallelism across."
    ),
    "pool_with_fabric": N_(
        "Independent inference replicas do not talk to each other: Ethernet is usually enough, and InfiniBand or RoCE costs extra."
    ),
    "too_large_for_one_card": N_(
        "Full tuning of this model does not fit one such card: weights, gradients and optimizer states take about 16 bytes per parameter. Take several cards with ZeRO-3 or FSDP, or LoRA."
    ),
    "sharding_without_nvlink": N_(
        "Tensor parallelism, ZeRO-3 and FSDP exchange so much that cards without NVLink slow them down a lot; cards with NVLink are worth it here."
    ),
    "idle_reservation": N_(
        "At this utilization a reservation is mostly paid for idle cards: reserve the base load only and rent peaks on demand."
    ),
    "uneven_machines": N_("The cards do not divide evenly over the machines; please check both counts."),
}

VALUES: Final = {
    "True": N_("on"),
    "False": N_("off"),
    "train": N_("training"),
    "infer": N_("inference"),
    "device": N_("as nvidia-smi shows it"),
    "reserved": N_("reserved by the allocator"),
    "allocated": N_("allocated"),
    "selective": N_("selective"),
    "none": N_("none"),
    **METHODS,
}
"""Values of assumptions that are words; numbers and product names stay as they are."""


def job_word(request: EstimateRequest, answer: EstimateAnswer, texts: Texts) -> str:
    """Return what is done with the model: inference, or the training method asked for or assumed."""
    if request.task == "infer":
        return texts.text(VALUES["infer"])
    assumed = next((str(item.value) for item in answer.assumptions if item.key == "method"), "")
    return word(METHODS, request.method or assumed, texts)


def model_title(answer: EstimateAnswer, texts: Texts) -> str:
    """Return a model's name without its owner; one that is known by its size alone is called by that: 7B."""
    model = answer.model
    if "/" in model.name and not model.typical:
        return model.name.rpartition("/")[2]
    return f"{texts.number(model.params_b)}B"


def ranked(answer: EstimateAnswer, texts: Texts) -> list[tuple[str, Plan]]:
    """Return each different plan once, with all its ranks as words: the cheapest may be the smallest too."""
    found: list[tuple[list[str], Plan]] = []
    for plan in answer.plans:
        same = next((ranks for ranks, other in found if _same(plan, other)), None)
        if same is None:
            found.append(([word(RANKS, plan.rank, texts)], plan))
        else:
            same.append(word(RANKS, plan.rank, texts))
    return [(texts.listed(ranks), plan) for ranks, plan in found]


def _same(one: Plan, other: Plan) -> bool:
    return (one.gpu, one.gpus, one.nodes, one.parallelism) == (other.gpu, other.gpus, other.nodes, other.parallelism)


def link_name(code: str, texts: Texts) -> str:
    """Return a link's name, with its speed in Gb/s where the code has one: infiniband-400 is InfiniBand 400 Gb/s."""
    name, _, speed = code.partition("-")
    return f"{word(LINKS, name, texts)} {speed} Gb/s" if speed else word(LINKS, name, texts)


def word(codes: dict[str, str], code: str, texts: Texts) -> str:
    """Return the word for a code; an unknown one is a fault that a test finds, and shows as it is."""
    return texts.text(codes[code]) if code in codes else code
