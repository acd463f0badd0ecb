"""The program that customers run: its options, its line, and where torch is installed a whole run."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from bot.quantities.measurements import read_measurement
from bot.resources import shipped

PROGRAM = Path(__file__).resolve().parents[2] / "bot" / "shipped" / "measure.py"
TORCH = importlib.util.find_spec("torch") and importlib.util.find_spec("transformers")
CONFIG = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 500, "max_position_embeddings": 128,
}  # fmt: skip


@pytest.fixture
def program():
    spec = importlib.util.spec_from_file_location("measure", PROGRAM)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_is_small_and_loads_without_torch(program):
    assert shipped("measure.py") == PROGRAM.read_bytes()
    assert len(shipped("measure.py")) < 12_000
    options = program.parser().parse_args(["--model", "Qwen/Qwen2.5-7B"])
    assert (options.method, options.sequence_length, options.micro_batch, options.steps) == ("lora", 2048, 1, 8)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--model", "x", "--steps", "0"],
        ["--model", "x", "--method", "dream"],
        ["--model", "x", "--micro-batch", "-1"],
    ],
)
def test_bad_use_is_refused(program, arguments):
    with pytest.raises(SystemExit) as left:
        program.main(arguments)
    assert left.value.code == 2


def test_its_line_is_what_the_bot_reads(program):
    figures = {
        "allocated_gib": 17.1964,
        "reserved_gib": 18.5,
        "device_gib": 19.1,
        "tokens_per_s": 3180.5,
        "checkpoint_s": 1.8,
    }
    read = read_measurement(program.as_line(figures))
    assert {name: getattr(read, name) for name in figures} == pytest.approx(figures, rel=1e-3)


def test_without_bitsandbytes_qlora_says_what_to_do_and_ends(program, monkeypatch, capsys):
    monkeypatch.setattr(program.importlib.util, "find_spec", lambda _name: None)
    assert program.main(["--model", "x", "--method", "qlora"]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.strip()) == ("", program.NO_BITSANDBYTES)
    assert "pip install bitsandbytes" in program.NO_BITSANDBYTES


@pytest.mark.skipif(not TORCH, reason="torch and transformers are on the rented image, not in the bot's environment")
@pytest.mark.parametrize("method", ["full", "lora", "qlora", "infer"])
def test_a_tiny_model_is_measured_on_the_processor(method, tmp_path):
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    run = [
        sys.executable,
        PROGRAM,
        "--model",
        tmp_path,
        "--random",
        "--method",
        method,
        "--sequence-length",
        "32",
        "--steps",
        "2",
    ]
    done = subprocess.run([*run, "--precision", "fp32"], capture_output=True, text=True, check=False)
    if method == "qlora" and not importlib.util.find_spec("bitsandbytes"):
        assert (done.returncode, done.stdout) == (2, "")
        return
    assert done.returncode == 0, done.stderr
    found = read_measurement(done.stdout.splitlines()[-1])
    assert found.device_gib
    assert found.tokens_per_s
    assert bool(found.checkpoint_s) == (method != "infer")
