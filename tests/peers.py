"""Asks one public calculator, inside its own environment, for the memory of jobs that come as JSON lines on stdin.

A line holds the request and the model's shape; what is printed is a JSON line each: GiB per card, or null where the
calculator cannot express the job.
"""

import json
import logging
import sys
import warnings

GIB = 2**30
NAMES = {"q": "q_proj", "k": "k_proj", "v": "v_proj", "o": "o_proj", "gate": "gate_proj", "up": "up_proj"}
NAMES["down"] = "down_proj"


def fitcheck(job, shape):
    from fitcheck import ModelConfig, TrainingConfig, estimate, get_gpu

    formats = {"bf16": "none", "fp16": "none", "fp32": "none", "nf4": "nf4", "nf4-dq": "nf4", "int8": "int8"}
    formats["gptq-int4"] = "nf4"  # the nearest that it knows
    if job["gpus"] > 1 or job["task"] != "train" or shape["experts"] or job["weights"] not in formats:
        return None
    adapters = {"lora_rank": None}
    if job["method"] in ("lora", "qlora"):
        adapters = {"lora_rank": job["rank"], "lora_targets": [NAMES[name] for name in job["targets"]]}
    model = ModelConfig(
        name=shape["name"], num_params=int(shape["params_b"] * 1e9), hidden_size=shape["hidden"],
        num_layers=shape["layers"], num_attention_heads=shape["heads"], num_kv_heads=shape["kv_heads"],
        intermediate_size=shape["ffn"], vocab_size=shape["vocab"], head_dim=shape["head_dim"],
        tie_word_embeddings=shape["tied"],
    )  # fmt: skip
    training = TrainingConfig(
        precision="fp32" if job["weights"] == "fp32" else "bf16",
        quantization=formats[job["weights"]], double_quant=job["weights"] == "nf4-dq", optimizer="adamw",
        optimizer_dtype="fp32", batch_size=job["batch"], seq_len=job["length"],
        grad_checkpoint=job["checkpointing"] == "full", flash_attn=job["flash"], **adapters,
    )  # fmt: skip
    report = estimate(model, training, get_gpu("a100-80"))
    beyond = report.overhead_mib if job["report"] == "allocated" else 0.0
    return (report.total_mib - beyond) / 1024


def ftuneai(job, shape):
    from ftuneai.core import models
    from ftuneai.core.memory import MemoryEstimator

    methods = {"full": "full", "pretrain": "full", "lora": "lora", "qlora": "qlora"}
    formats = {"bf16": "none", "fp16": "none", "nf4": "4bit", "nf4-dq": "4bit", "gptq-int4": "4bit", "int8": "8bit"}
    if job["task"] != "train" or job["weights"] not in formats or job["tp"] * job["pp"] > 1:
        return None
    targets = {2: "attention", 4: "attention_all", 7: "all_linear"}.get(len(job["targets"]), "attention_all")
    spec = models.ModelSpec(
        name=shape["name"], parameters=int(shape["params_b"] * 1e9), hidden_size=shape["hidden"],
        num_layers=shape["layers"], num_attention_heads=shape["heads"], num_kv_heads=shape["kv_heads"],
        intermediate_size=shape["ffn"], vocab_size=shape["vocab"], max_seq_length=131072,
    )  # fmt: skip
    config = models.TrainingConfig(
        method=models.FineTuneMethod(methods[job["method"]]),
        quantization=models.Quantization(formats[job["weights"]]), batch_size=job["batch"], seq_length=job["length"],
        gradient_checkpointing=job["checkpointing"] == "full", lora_rank=job["rank"] or 16,
        lora_target=models.LoRATarget(targets), flash_attention=job["flash"],
        sharding=models.ShardingStrategy(f"zero_{job['zero']}" if job["zero"] else "none"), num_gpus=job["gpus"],
    )  # fmt: skip
    return MemoryEstimator(spec, config).estimate().total_gb


def accelerate(job, shape):
    """Sizes of the model's tensors on the meta device: inference as they are, training with Adam in fp32."""
    import torch
    from accelerate import init_empty_weights
    from accelerate.commands.estimate import estimate_training_usage
    from accelerate.utils import calculate_maximum_sizes
    from transformers import AutoModelForCausalLM, LlamaConfig

    whole = job["task"] == "infer" or job["method"] in ("full", "pretrain")
    if not whole or job["gpus"] > 1 or job["weights"] not in ("bf16", "fp16", "fp32") or shape["experts"]:
        return None
    config = LlamaConfig(
        vocab_size=shape["vocab"], hidden_size=shape["hidden"], intermediate_size=shape["ffn"],
        num_hidden_layers=shape["layers"], num_attention_heads=shape["heads"], num_key_value_heads=shape["kv_heads"],
        head_dim=shape["head_dim"], tie_word_embeddings=shape["tied"],
    )  # fmt: skip
    with init_empty_weights():
        model = AutoModelForCausalLM.from_config(config, torch_dtype=torch.float32)
    size, _ = calculate_maximum_sizes(model)
    if job["task"] == "infer":
        return size / (1 if job["weights"] == "fp32" else 2) / GIB
    steps = estimate_training_usage(size, "float32" if job["precision"] == "amp" else "float16")
    return max(steps.values()) / GIB


def llm_analysis(job, shape):
    from llm_analysis import analysis, config

    full = job["task"] == "train" and job["method"] in ("full", "pretrain")
    if not full or shape["experts"] or job["gpus"] % (job["tp"] * job["pp"]):
        return None
    shards = config.ParallelismConfig(
        tp_size=job["tp"], pp_size=job["pp"], dp_size=job["gpus"] // job["tp"] // job["pp"]
    )
    model = config.ModelConfig(
        name=shape["name"], num_layers=shape["layers"], n_head=shape["heads"], hidden_dim=shape["hidden"],
        vocab_size=shape["vocab"], num_key_value_heads=shape["kv_heads"], ffn_embed_dim=shape["ffn"],
        expansion_ratio=shape["ffn"] / shape["hidden"], max_seq_len=job["length"],
    )  # fmt: skip
    gpu = config.GPUConfig("large", 1e6, 2000, 600, 1e-5, 312)
    again = {"none": 0, "selective": 3, "full": 4}[job["checkpointing"]]
    found = analysis.LLMAnalysis(model, gpu, parallelism_config=shards, flops_efficiency=0.5, hbm_memory_efficiency=0.8)
    summary = found.training(
        batch_size_per_gpu=job["batch"], gradient_accumulation_steps=1, seq_len=job["length"],
        activation_recomputation=analysis.ActivationRecomputation(again), ds_zero=analysis.DSZeRO(job["zero"]),
        flash_attn=job["flash"], mlp_gated_linear_units=True,
    )  # fmt: skip
    return summary["(weight+op_state+grad+act)_memory_per_gpu"] / GIB


PEERS = {"fitcheck-llm": fitcheck, "ftuneai": ftuneai, "accelerate": accelerate, "llm-analysis": llm_analysis}


def main(name):
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        row = json.loads(line)
        try:
            found = PEERS[name](row["job"], row["shape"])
        except (ValueError, AssertionError, KeyError) as refusal:
            print(f"{name}: {type(refusal).__name__}: {refusal}", file=sys.stderr)
            found = None
        print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
