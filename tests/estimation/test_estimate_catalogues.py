"""The catalogues as data: units, sources, dates, and names that lead to one entry."""

import re
from decimal import Decimal

import pytest

from bot.estimation import BASES, Prices, cards, find_card, find_model, models
from bot.estimation.architecture import cache_bytes_per_token, module_shapes
from bot.estimation.assumptions import CONSTANTS
from bot.estimation.catalogue import records
from bot.estimation.engines import ENGINES, find_engine

DATE = re.compile(r"20\d\d(-\d\d(-\d\d)?)?(\.\.20\d\d-\d\d)?$")


@pytest.mark.parametrize("card", cards(), ids=lambda card: card.key)
def test_a_card_states_figures_source_and_date(card):
    assert card.source
    assert DATE.match(card.source_date)
    assert card.confidence in ("high", "medium", "low")
    assert card.link in ("pcie", "nvlink", "nvlink_bridge", "fabric")
    assert (card.link == "pcie") == (card.link_gb_per_s == 0 and card.link != "fabric")
    assert 0.9 * card.memory_gib <= card.capacity_gib <= card.memory_gib
    for figure in (card.bandwidth_gb_per_s, card.bf16_tflops, card.fp8_tflops):
        assert figure is None or figure > 0


def test_cards_and_models_have_keys_of_their_own():
    assert len({card.key for card in cards()}) == len(cards()) >= 50
    assert len({model.key for model in models()}) == len(models()) == 150


@pytest.mark.parametrize("card", cards(), ids=lambda card: card.key)
def test_every_alias_leads_to_its_card(card):
    for name in (card.key, card.name, *card.aliases):
        assert find_card(name).key == card.key, name


@pytest.mark.parametrize("model", models(), ids=lambda model: model.key)
def test_every_alias_leads_to_its_model(model):
    for name in (model.key, *model.aliases):
        assert find_model(name).key == model.key, name


@pytest.mark.parametrize("model", models(), ids=lambda model: model.key)
def test_a_model_is_of_one_piece(model):
    assert model.source
    assert DATE.match(model.source_date)
    assert model.heads % model.kv_heads == 0
    assert model.hidden > 0
    assert cache_bytes_per_token(model) > 0
    if not model.experts and not model.encoder_decoder and not model.kv_lora_rank:
        inside = sum(rows * columns for rows, columns in module_shapes(model).values()) * model.layers
        tables = model.vocab * model.hidden * (1 if model.tied else 2)
        assert (inside + tables) / 1e9 == pytest.approx(model.params_b, rel=0.03)


def test_a_model_without_independent_source_gives_a_note():
    assert any(not model.independent_source for model in models())


def test_prices_have_card_band_basis_and_date():
    keys = {card.key for card in cards()}
    for record in records("prices.toml", "price"):
        assert record["card"] in keys
        assert Decimal(record["low_per_hour"]) <= Decimal(record["median_per_hour"]) <= Decimal(record["high_per_hour"])
        assert record["basis"] in BASES
        assert DATE.match(record["as_of"])
        assert record["currency"] in ("USD", "CNY")


def test_both_currencies_have_bands():
    assert Prices.default().band("h100-sxm").currency == "USD"
    assert Prices.default("CNY").band("rtx4090").currency == "CNY"
    assert Prices.default("EUR").band("rtx4090") is None


def test_every_constant_has_a_source():
    assert all(constant.source for constant in CONSTANTS.values())
    assert all(constant.value > 0 for constant in CONSTANTS.values())


@pytest.mark.parametrize(
    ("name", "engine"), [("HF", "transformers"), ("ms-swift", "swift"), ("Megatron-LM", "megatron")]
)
def test_engines_are_found_by_other_names(name, engine):
    assert find_engine(name) is ENGINES[engine]
    assert find_engine("something else") is None
