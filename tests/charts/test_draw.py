import itertools
import warnings

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from bot.charts.draw import drawn, estimate_png
from bot.estimation import EstimateRequest, cards, estimate
from bot.i18n import LOCALES, texts

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize(
    "request_",
    [
        {"model": "llama-2-7b", "method": "full", "gpu": "a100-80g-sxm", "gpus": 1},
        {"model": "Qwen2.5-72B", "task": "infer", "context_length": 8192},
        {"model": "70B", "method": "qlora"},
    ],
)
def test_a_chart_has_a_real_glyph_for_every_character(locale, request_):
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # matplotlib warns of a glyph that the font lacks
        picture = estimate_png({"request": request_, "locale": locale})
    assert picture.startswith(PNG)
    assert 10_000 < len(picture) < 500_000


LONGEST = max(cards(), key=lambda card: len(card.name)).key


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize(
    "asked",
    [
        {"model": "llama-2-7b", "method": "full", "gpu": "a100-80g-sxm", "gpus": 1},
        {"model": "70B", "method": "full", "gpu": "h100-sxm", "gpus": 128},
        {"model": "7B", "method": "lora", "gpu": LONGEST, "gpus": 1},
    ],
    ids=["too_small", "one_plan", "long_name"],
)
def test_words_are_whole_beside_and_below_the_bars(locale, asked):
    request = EstimateRequest.model_validate(asked)
    figure = drawn(request, estimate(request), texts(locale))
    FigureCanvasAgg(figure).draw()
    (axes,) = figure.axes
    frame = axes.get_window_extent()
    for label in axes.get_yticklabels():
        box = label.get_window_extent()
        assert 0 <= box.x0 < box.x1 <= frame.x0
    boxes = [label.get_window_extent() for label in axes.get_yticklabels()]
    assert all(upper.y0 >= lower.y1 for upper, lower in itertools.pairwise(boxes)), "one above the other"
    for total in axes.texts:
        assert total.get_window_extent().y0 > frame.y0, "not on the axis"
    for word in (*figure.texts, *figure.legends[0].get_texts()):
        assert word.get_window_extent().x1 <= figure.bbox.width
