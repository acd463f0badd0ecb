import warnings

import pytest

from bot.charts.draw import estimate_png
from bot.i18n import LOCALES

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
