"""Published configurations give the shape that the catalogue holds for the same model."""

import pytest

from bot.errors import EstimateError
from bot.estimation import EstimateRequest, estimate, find_model, read_config

QWEN = {
    "hidden_size": 3584, "intermediate_size": 18944, "num_hidden_layers": 28, "num_attention_heads": 28,
    "num_key_value_heads": 4, "vocab_size": 152064, "tie_word_embeddings": False, "hidden_act": "silu",
}  # fmt: skip
MIXTRAL = {
    "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32,
    "num_key_value_heads": 8, "vocab_size": 32000, "num_local_experts": 8, "num_experts_per_tok": 2,
}  # fmt: skip
GPT2 = {
    "n_embd": 1600,
    "n_layer": 48,
    "n_head": 25,
    "vocab_size": 50257,
    "activation_function": "gelu_new",
    "tie_word_embeddings": True,
}


@pytest.mark.parametrize(
    ("config", "name"),
    [(QWEN, "qwen2.5-7b"), (MIXTRAL, "mixtral"), (GPT2, "gpt2-xl"), ({"text_config": QWEN}, "qwen2.5-7b")],
)
def test_a_configuration_gives_the_catalogues_shape(config, name):
    spec, model = read_config(config), find_model(name)
    assert spec.params_b == pytest.approx(model.params_b, rel=0.03)
    assert (spec.layers, spec.hidden, spec.heads, spec.vocab) == (model.layers, model.hidden, model.heads, model.vocab)
    assert spec.active_params_b == pytest.approx(model.active_params_b, rel=0.03) if model.experts else True


def test_it_is_estimated_as_the_catalogues_model_is():
    job = {"method": "lora", "gpu": "a100", "gpus": 1}
    read, known = (
        estimate(EstimateRequest.model_validate(job | {"model": model})).memory.per_gpu_gib
        for model in (read_config(QWEN).model_dump(exclude_none=True), "qwen2.5-7b")
    )
    assert read == pytest.approx(known, rel=0.01)


def test_an_adapters_configuration_is_refused():
    with pytest.raises(EstimateError, match="layers"):
        read_config({"peft_type": "LORA", "r": 8})
