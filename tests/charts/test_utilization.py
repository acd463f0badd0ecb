"""The picture of what reserving costs over the utilization: glyphs, and words that neither leave the picture nor cover another."""

import warnings
from itertools import combinations

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from bot.charts import utilization
from bot.i18n import LOCALES, texts

DEMANDS = [("constant", 0.6), ("constant", 0.72), ("bursty", 0.2), ("bursty", 1.0), ("bursty", 0.0), (None, None)]


def about(load, share):
    return {
        "cards": "128 × H100 SXM",
        "currency": "CNY",
        "per_hour": "1034.20",
        "load": load,
        "utilization": share,
    }


@pytest.mark.parametrize("locale", LOCALES)
def test_every_character_has_a_real_glyph(locale):
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # matplotlib warns of a glyph that the font lacks
        picture = utilization.png({"reserve": about("bursty", 0.4), "locale": locale})
    assert picture.startswith(b"\x89PNG")
    assert 10_000 < len(picture) < 200_000


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize(("load", "share"), DEMANDS)
def test_words_stand_inside_the_picture_and_beside_each_other(locale, load, share):
    figure = utilization.drawn(about(load, share), texts(locale))
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    (axes,) = figure.axes
    words = [*axes.texts, axes.xaxis.label, axes.yaxis.label, *figure.texts, *figure.legends[0].get_texts()]
    boxes = [word.get_window_extent() for word in words if word.get_text()]
    assert len(axes.texts) == 1 + (load == "bursty") + (share is not None)
    for box in boxes:
        assert 0 <= box.x0 < box.x1 <= figure.bbox.width
        assert 0 <= box.y0 < box.y1 <= figure.bbox.height
    for one, other in combinations(boxes, 2):
        assert not one.overlaps(other)


def test_words_beside_the_lines_stand_above_every_curve():
    figure = utilization.drawn(about("bursty", 0.4), texts("en"))
    FigureCanvasAgg(figure).draw()
    (axes,) = figure.axes
    dearest = max(y for line in axes.lines[:3] for y in line.get_ydata())
    top_px = axes.transData.transform((0, dearest))[1]
    assert all(word.get_window_extent().y0 > top_px for word in axes.texts)
