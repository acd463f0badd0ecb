"""The closed lists of codes that an answer may hold, each with an English gloss; texts for people live elsewhere."""

from collections.abc import Mapping

REASONS: Mapping[str, str] = {
    "fits_one_card": "the whole job fits one card, nothing needs to be shared",
    "fits_one_node": "the job fits one machine, no network between machines is needed",
    "cheapest_total": "the lowest total cost of all plans that fit",
    "cheapest_per_token": "the lowest price per token of all plans that fit",
    "fastest": "the shortest time of all plans that fit",
    "smallest": "the fewest and smallest cards that fit",
    "balanced": "the best balance of cost and time",
    "requested_card": "the card that was asked for",
    "requested_count": "the number of cards that was asked for",
    "data_parallel_enough": "each card holds everything, only gradients are exchanged",
    "replicas_independent": "replicas answer on their own, standard Ethernet between machines is enough",
    "sharded_states": "weights, gradients and optimizer states are shared out over the cards",
    "tensor_parallel_in_node": "tensor parallelism stays inside one machine",
    "pipeline_across_nodes": "machines pass activations on, which asks little of the network",
    "nvlink_needed": "sharding exchanges so much that NVLink is needed",
    "pcie_bottleneck": "PCIe between the cards slows this plan down much",
    "network_bottleneck": "the network between machines slows this plan down much",
    "low_scaling": "twice the cards bring much less than twice the speed",
    "large_headroom": "more than half of the memory stays free",
    "market_price": "cost from market offers of the date given",
    "staff_price": "cost from the staff's price list",
    "no_price": "nobody states a price for this card",
    "undated_price": "cost from market offers without a date",
    "fp16_only": "this card has no bf16, use fp16",
    "no_p2p": "consumer cards have no NVLink and talk over PCIe",
    "offload_slow": "offloading to the host saves memory and costs much time",
    "on_demand_cheaper": "at this utilization renting on demand is cheaper than reserving",
    "reserve_cheaper": "at this utilization a reservation is cheaper than on demand",
    "reserve_baseline": "reserve the baseline and rent the peaks on demand",
    "low_confidence_card": "the figures of this card rest on a weak source",
    "other_software": "this card needs a software stack of its own, images made for CUDA do not run on it",
}

LINKS: Mapping[str, str] = {
    "nvlink": "NVLink, all cards of a machine at once",
    "nvlink_bridge": "an NVLink bridge between two cards",
    "fabric": "the links between accelerators that are not NVIDIA's",
    "pcie": "PCIe",
    "infiniband-400": "InfiniBand, 400 Gb/s a card",
    "infiniband-200": "InfiniBand, 200 Gb/s a card",
    "ethernet-25": "Ethernet, 25 Gb/s a machine",
}

ASSUMPTIONS: Mapping[str, str] = {
    "task": "whether the model is trained or serves",
    "method": "how the model is trained",
    "weights": "the format of the weights in memory",
    "mixed_precision": "in which precision masters and states are kept",
    "optimizer": "the optimizer",
    "sequence_length": "tokens per sample or prompt",
    "micro_batch": "samples per card at once",
    "generate_tokens": "tokens generated after the prompt",
    "gradient_checkpointing": "whether activations are computed again in the backward pass",
    "flash_attention": "whether attention avoids the quadratic matrices",
    "lora_rank": "rank of the adapters",
    "lora_targets": "which layers carry adapters",
    "engine": "the software stack",
    "parallelism": "how the job is shared over the cards",
    "gpu": "the card",
    "gpus": "the number of cards",
    "report": "which memory figure is wanted",
    "concurrency": "sequences served at once",
    "model": "the architecture of the model",
    "network": "the network between machines",
    "peak_gib": "memory scaled to the measured peak",
    "tokens_per_s": "speed scaled to the measured one",
    "checkpoint_write_s": "time to write a checkpoint as measured",
    "failure_interval_h": "mean time between failures of one machine",
    "tolerable_loss": "how much work may be lost",
    "disk_gb": "disk for weights, data and checkpoints",
}

WHYS: Mapping[str, str] = {
    "not_given": "not given; the usual choice",
    "engine_default": "not given; what this software stack does by itself",
    "usual_at_this_size": "only the size is known; the usual architecture at that size",
    "needed_to_fit": "not given; needed so that the job fits",
    "from_recommended_plan": "not given; taken from the recommended plan",
    "from_measurement": "from a measurement of this very job",
    "unknown_engine": "this software stack is not known; treated as plain transformers",
    "implied_by_method": "follows from the training method",
    "implied_by_request": "follows from the other fields",
    "card_has_no_bf16": "the card has no bf16",
    "usual_for_card": "the usual network for machines with this card",
    "rule_of_thumb": "a rule of thumb, without a measurement",
    "read_from_hub": "not in the catalogue; the shape comes from its published configuration",
    "note_in_catalogue": "the catalogue's figures for it rest on no independent source",
}

LADDER_STEPS: Mapping[str, str] = {
    "smaller_batch": "fewer samples per card at once, with gradient accumulation instead",
    "shorter_sequence": "shorter sequences",
    "gradient_checkpointing": "compute activations again instead of keeping them (20-30 % more time)",
    "flash_attention": "attention without the quadratic matrices",
    "fused_loss": "compute the loss in pieces, so that the logits never exist as a whole",
    "method_lora": "tune adapters instead of all weights",
    "method_qlora": "tune adapters over 4-bit weights",
    "optimizer_8bit": "keep optimizer states in 8 bits",
    "quantize_weights": "keep the weights in 4 bits",
    "quantize_kv_cache": "keep fewer or shorter sequences at once",
    "shard": "more cards that share weights, gradients and states (ZeRO-3 or FSDP)",
    "larger_card": "a card with more memory",
}

LADDER_COSTS: Mapping[str, str] = {
    "slightly_slower": "a little more time per sample",
    "less_context": "long samples are cut or split",
    "time_20_30_percent": "20 to 30 % more computing time",
    "none": "nothing, where the card supports it",
    "less_capacity": "adapters learn less than full tuning",
    "slower_and_rounded": "slower steps and rounded base weights",
    "rounded_weights": "slightly different answers",
    "fewer_users": "fewer sequences at once",
    "more_cards": "the price of more cards, and their interconnect",
    "higher_price": "a higher price per hour",
}

TRIAGE_REASONS: Mapping[str, str] = {
    "cross_node": "several machines work together",
    "fixed_region": "a fixed region or data centre",
    "reserved": "dedicated cards over a period",
    "bulk": "a large number of cards",
    "batches": "delivery in batches",
    "one_machine": "one machine is enough",
    "count_unknown": "the number of cards is open; start with the smallest",
    "nothing_fits": "no plan fits the job as it is asked for",
}

ERRORS: Mapping[str, str] = {
    "unknown_name": "a model or card that the catalogue does not hold",
    "cannot_estimate": "a request without an answer, such as a card without published figures",
    "usage": "a request with a missing or impossible field",
    "internal": "a fault of this program, which its log tells more about",
}
