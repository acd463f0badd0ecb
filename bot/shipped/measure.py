"""Measures a training job or a model's generation on this machine: peak memory, tokens per second, time to write a checkpoint.

Needs torch and transformers only, and bitsandbytes for QLoRA. Builds the model from its configuration with random weights (--random), or loads yours, runs a few
steps of the method, and prints one line to paste to the bot:

    python measure.py --model Qwen/Qwen2.5-7B --method lora --sequence-length 4096 --micro-batch 1
    measured/1 allocated_gib=17.2 reserved_gib=18.5 device_gib=19.1 tokens_per_s=3180 checkpoint_gb=0.32 checkpoint_s=1.8

Figures are per card; a step that does not fit ends with `measured/1 oom=1` and what was allocated by then.
"""

import argparse
import contextlib
import importlib.util
import os
import sys
import tempfile
import time

GIB = 2**30
METHODS = ("full", "lora", "qlora", "infer")
NO_BITSANDBYTES = (
    "QLoRA needs bitsandbytes, which is not installed here: pip install bitsandbytes, or measure --method lora."
)
PRECISIONS = ("bf16", "fp16", "fp32")


def main(arguments=None):
    """Run the measurement and print its line; returns 0, 1 when it did not fit, 2 when a library is missing."""
    options = parser().parse_args(arguments)
    if options.method == "qlora" and importlib.util.find_spec("bitsandbytes") is None:
        print(NO_BITSANDBYTES, file=sys.stderr)
        return 2
    import torch  # noqa: PLC0415 - --help must work where torch is not installed yet

    device = torch.device(options.device or ("cuda" if torch.cuda.is_available() else "cpu"))
    torch.manual_seed(0)
    try:
        found = measured(options, torch, device)
    except torch.cuda.OutOfMemoryError:
        found = {"oom": 1, **memory(torch, device)}
    print(as_line(found))
    return 1 if "oom" in found else 0


def parser():
    """Return the options."""
    known = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known.add_argument("--model", required=True, help="a hub id, a folder, or a config.json")
    known.add_argument(
        "--random", action="store_true", help="random weights from the configuration, without a download of weights"
    )
    known.add_argument("--method", choices=METHODS, default="lora", help="what is run (default: lora)")
    known.add_argument("--sequence-length", type=positive, default=2048, help="tokens of a sample (default: 2048)")
    known.add_argument("--micro-batch", type=positive, default=1, help="samples at once on this card (default: 1)")
    known.add_argument(
        "--steps", type=positive, default=8, help="steps that are timed, after two to warm up (default: 8)"
    )
    known.add_argument("--precision", choices=PRECISIONS, default="bf16", help="of the weights (default: bf16)")
    known.add_argument("--lora-rank", type=positive, default=16, help="rank of the adapters (default: 16)")
    known.add_argument(
        "--no-checkpointing", action="store_true", help="keep all activations instead of computing them again"
    )
    known.add_argument("--device", help="cuda, cuda:1 or cpu (default: the first card, else the processor)")
    known.add_argument(
        "--save-to", help="a folder on the disk to be measured (default: the temporary one); the file is deleted again"
    )
    return known


def positive(text):
    """Read a whole number of at least 1."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def as_line(found):
    """Return the measurements as the line to paste: names and values, four significant digits."""
    return " ".join(["measured/1", *(f"{name}={value:.4g}" for name, value in found.items())])


def measured(options, torch, device):
    """Build the model, run the steps, write a checkpoint; returns all figures by name."""
    model = build(options, torch, device)
    vocabulary = model.config.get_text_config().vocab_size
    tokens = torch.randint(vocabulary, (options.micro_batch, options.sequence_length), device=device)
    if options.method == "infer":
        speed, optimizer = generating(options, torch, device, model, tokens), None
    else:
        speed, optimizer = training(options, torch, device, model, tokens)
    found = {**memory(torch, device), "tokens_per_s": speed}
    if optimizer is not None:
        found |= saving(options, torch, model, optimizer)
    return found


def build(options, torch, device):
    """Return the model on its device, with the parameters that the method trains."""
    from transformers import AutoConfig, AutoModelForCausalLM  # noqa: PLC0415 - as torch

    dtype = {"bf16": torch.bfloat16, "fp16": torch.float16, "fp32": torch.float32}[options.precision]
    # Weights become 4-bit on their way to the card, which never holds the 16-bit ones.
    place = torch.device("cpu") if options.method == "qlora" else device
    if options.random or options.model.endswith(".json"):
        config = AutoConfig.from_pretrained(options.model)
        with torch.device(place):
            model = AutoModelForCausalLM.from_config(config, dtype=dtype)
    else:
        model = AutoModelForCausalLM.from_pretrained(options.model, dtype=dtype).to(place)
    if options.method == "qlora":
        quantize(model, dtype, torch)
        model.to(device)
    if options.method == "infer":
        return model.eval()
    model.config.use_cache = False
    if not options.no_checkpointing:
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    if options.method in ("lora", "qlora"):
        adapt(model, options.lora_rank, torch)
    return model.train()


def quantize(model, dtype, torch):
    """Put 4-bit layers (NF4, constants quantized again) in the place of every linear layer but the output."""
    import bitsandbytes  # noqa: PLC0415 - only QLoRA needs it

    def quantized(layer):
        kind = {"quant_type": "nf4", "compress_statistics": True}
        bias = layer.bias is not None
        four = bitsandbytes.nn.Linear4bit(layer.in_features, layer.out_features, bias=bias, compute_dtype=dtype, **kind)
        four.weight = bitsandbytes.nn.Params4bit(layer.weight.data, requires_grad=False, **kind)
        four.bias = layer.bias
        return four

    replace_linear(model, quantized, torch)


def replace_linear(model, made_from, torch):
    """Put what `made_from` makes of it in the place of every linear layer but the output."""
    output = model.get_output_embeddings()
    for parent in list(model.modules()):
        for name, layer in list(parent.named_children()):
            if isinstance(layer, torch.nn.Linear) and layer is not output:
                setattr(parent, name, made_from(layer))


def adapt(model, rank, torch):
    """Freeze the model and put an adapter of this rank beside every linear layer but the output."""
    model.requires_grad_(requires_grad=False)
    if hasattr(model, "enable_input_require_grads"):
        model.enable_input_require_grads()
    replace_linear(model, lambda layer: _adapted(layer, rank, torch), torch)


def _adapted(layer, rank, torch):
    class Adapted(torch.nn.Module):
        """A frozen linear layer with a trained low-rank one beside it."""

        def __init__(self):
            super().__init__()
            place = {"device": layer.weight.device, "dtype": torch.float32}
            self.layer = layer
            self.down = torch.nn.Parameter(torch.randn(rank, layer.in_features, **place) / rank)
            self.up = torch.nn.Parameter(torch.zeros(layer.out_features, rank, **place))

        def forward(self, inputs):
            low = torch.nn.functional.linear(inputs, self.down.to(inputs.dtype))
            return self.layer(inputs) + torch.nn.functional.linear(low, self.up.to(inputs.dtype))

    return Adapted()


def training(options, torch, device, model, tokens):
    """Run training steps; returns tokens per second and the optimizer."""
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-5)

    def step():
        model(input_ids=tokens, labels=tokens).loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    seconds = timed(step, options.steps, torch, device)
    return tokens.numel() * options.steps / seconds, optimizer


def generating(options, torch, device, model, tokens):
    """Generate one token a step after a prompt of the sequence length; returns tokens per second."""
    state = {}
    with torch.inference_mode():
        first = model(input_ids=tokens, use_cache=True)
        state["cache"], state["next"] = first.past_key_values, first.logits[:, -1:].argmax(-1)

        def step():
            out = model(input_ids=state["next"], past_key_values=state["cache"], use_cache=True)
            state["cache"], state["next"] = out.past_key_values, out.logits[:, -1:].argmax(-1)

        seconds = timed(step, options.steps, torch, device)
    return options.micro_batch * options.steps / seconds


def timed(step, steps, torch, device):
    """Return the seconds of `steps` steps after two that warm up."""
    wait = torch.cuda.synchronize if device.type == "cuda" else lambda: None
    for _ in range(2):
        step()
    wait()
    begin = time.perf_counter()
    for _ in range(steps):
        step()
    wait()
    return time.perf_counter() - begin


def memory(torch, device):
    """Return the peaks of this card in GiB; without a card, the most that the process held."""
    if device.type == "cuda":
        free, total = torch.cuda.mem_get_info(device)
        return {
            "allocated_gib": torch.cuda.max_memory_allocated(device) / GIB,
            "reserved_gib": torch.cuda.max_memory_reserved(device) / GIB,
            "device_gib": (total - free) / GIB,
        }
    import resource  # noqa: PLC0415 - there is none on Windows

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"device_gib": peak * (1 if sys.platform == "darwin" else 1024) / GIB}


def saving(options, torch, model, optimizer):
    """Write what is trained and the optimizer's states to the disk and delete it again; returns size (1e9 bytes) and seconds."""
    trained = {name: p.detach() for name, p in model.named_parameters() if p.requires_grad}
    handle, path = tempfile.mkstemp(suffix=".pt", dir=options.save_to)
    os.close(handle)
    try:
        begin = time.perf_counter()
        torch.save({"model": trained, "optimizer": optimizer.state_dict()}, path)
        with open(path, "rb") as file:  # noqa: PTH123 - plain Python for any image
            os.fsync(file.fileno())
        seconds = time.perf_counter() - begin
        size = os.path.getsize(path)  # noqa: PTH202 - as above
    finally:
        with contextlib.suppress(OSError):
            os.unlink(path)  # noqa: PTH108 - as above
    return {"checkpoint_gb": size / 1e9, "checkpoint_s": seconds}


if __name__ == "__main__":
    sys.exit(main())
