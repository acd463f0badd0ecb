"""The published and traced measurements as requests and errors, the way the scoring tools read them."""

import csv
import json
from pathlib import Path

from bot.estimation import EstimateRequest

DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
FIELDS = ("method", "weights", "optimizer", "lora_targets", "gpu", "report", "engine", "model", "task")
FLAGS = {"1": True, "0": False}


def read(path):
    """All rows of a table, none where it is not at hand."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def memory_request(row):
    """One table row as a request, as the scoring tool makes it."""
    asked = {key: row[key] for key in FIELDS if row[key]}
    asked |= {
        "gpus": int(row["gpus"]),
        "parallelism": {
            "zero": int(row["zero"]),
            "tp": int(row["tp"]),
            "pp": int(row["pp"]),
            "offload": row["offload"] == "1",
        },
    }
    for key in ("sequence_length", "generate_tokens", "micro_batch", "lora_rank"):
        asked |= {key: int(float(row[key]))} if row[key] else {}
    for key in ("gradient_checkpointing", "flash_attention", "mixed_precision", "trainable_embeddings"):
        asked |= {key: FLAGS.get(row[key], row[key])} if row[key] else {}
    return EstimateRequest.model_validate(asked)


def memory_error(value, row):
    """Relative error by the nearer unit, where the source leaves it open."""
    measured = float(row["measured_gib"])
    units = (1.0,) if row["unit_sure"] == "1" else (1.0, 2**30 / 1e9)
    return min((value * unit / measured - 1 for unit in units), key=abs)


def speed_request(row):
    """One row of the speed table as a request."""
    asked = {key: row[key] for key in ("task", "method", "weights", "gpu", "engine") if row[key]}
    asked |= {
        "model": json.loads(row["model"]) if row["model"].startswith("{") else row["model"],
        "gpus": int(row["gpus"] or 1),
        "flash_attention": True,
        "parallelism": {"zero": int(row["zero"]), "tp": int(row["tp"]), "pp": int(row["pp"])},
    }
    for key in ("sequence_length", "generate_tokens", "micro_batch"):
        asked |= {key: int(float(row[key]))} if row[key] else {}
    again = row["gradient_checkpointing"]
    asked |= {"gradient_checkpointing": FLAGS.get(again, again)} if again else {}
    return EstimateRequest.model_validate(asked)
