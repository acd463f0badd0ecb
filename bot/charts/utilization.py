"""Draws what cards cost a month over their utilization: on demand, reserved, and for swinging loads the baseline reserved.

Slow (some 200 ms) and not for the event loop: call it in a thread.
"""

from collections.abc import Mapping
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.ticker import FuncFormatter

from bot.charts.draw import DPI, WIDTH_PX, font_path, locked_png
from bot.estimation.cost import break_even, monthly
from bot.i18n import N_, Texts, texts

_WAYS: Final = {
    "on_demand": (N_("on demand, paid by the hour"), "#b3261e"),
    "reserved": (N_("all cards reserved"), "#23407f"),
    "baseline": (N_("baseline reserved, peaks on demand"), "#3fa796"),
}
_STEPS: Final = 100
_HEADROOM: Final = 1.32
"""How much higher than the dearest cost the picture is: the words beside the vertical lines stand above all curves."""


def png(spec: Mapping[str, Any]) -> bytes:
    """Return the picture as PNG.

    `spec` holds the reader's `locale` and under `reserve` the `cards` as a title, the `currency`, the `per_hour` price of all
    cards on demand, the `load` (constant, bursty or None) and the customer's own `utilization` (0..1 or None).
    """
    reader = texts(spec["locale"])
    return locked_png(lambda: drawn(spec["reserve"], reader))


def drawn(about: Mapping[str, Any], reader: Texts) -> Figure:
    """Return the picture, not yet written; `about` is what `png` takes under `reserve`."""
    font = FontProperties(fname=font_path(), size=8)
    figure = Figure(figsize=(WIDTH_PX / DPI, 4.2), dpi=DPI, facecolor="white")
    axes = figure.add_subplot()
    _draw(axes, about, reader, font)
    title = reader.text(N_("{cards}: cost a month by utilization"), cards=about["cards"])
    figure.text(0.03, 0.965, title, fontproperties=FontProperties(fname=font_path(), size=11), va="top")
    figure.legend(
        *axes.get_legend_handles_labels(),
        prop=font,
        loc="upper left",
        bbox_to_anchor=(0.022, 0.915),
        ncols=3,
        frameon=False,
    )
    axes.set_xlim(0, 100)
    axes.set_ylim(0, axes.get_ylim()[1] * _HEADROOM)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _at: reader.percent(value / 100)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _at: reader.number(value)))
    axes.set_xlabel(reader.text(N_("utilization: share of the time in which the cards work")), fontproperties=font)
    axes.set_ylabel(reader.text(N_("{currency} in 30 days"), currency=about["currency"]), fontproperties=font)
    for label in (*axes.get_xticklabels(), *axes.get_yticklabels()):
        label.set_fontproperties(FontProperties(fname=font_path(), size=7))
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="#e6e8eb", linewidth=0.6)
    axes.set_axisbelow(True)
    figure.subplots_adjust(left=0.12, right=0.95, top=0.82, bottom=0.12)
    return figure


def _draw(axes: Axes, about: Mapping[str, Any], reader: Texts, font: FontProperties) -> None:
    """The ways to pay as lines, the point where they meet, and where the customer stands."""
    load, per_hour = about["load"], float(about["per_hour"])
    ways = [way for way in _WAYS if way != "baseline" or load == "bursty"]
    for way in ways:
        label, colour = _WAYS[way]
        shares = [step / _STEPS for step in range(_STEPS + 1)]
        costs = [monthly(per_hour, share, way) for share in shares]
        axes.plot([100 * x for x in shares], costs, color=colour, linewidth=1.8, label=reader.text(label))
    meets = break_even(None)
    axes.plot([100 * meets], [monthly(per_hour, meets, "on_demand")], marker="o", color="#202124", zorder=5)
    marks = [(meets, N_("break-even: {share}"), 0.95)]
    if load == "bursty":
        marks.append((break_even(load), N_("baseline pays from {share}"), 0.81))
    if about["utilization"] is not None:
        marks.append((float(about["utilization"]), N_("yours: {share}"), 0.88))
    for share, message, height in marks:
        axes.axvline(100 * share, color="#9aa0a6", linewidth=1, linestyle=":")
        _beside(axes, 100 * share, height, reader.text(message, share=reader.percent(share)), font)


def _beside(axes: Axes, x: float, height: float, text: str, font: FontProperties) -> None:
    """Write beside a vertical line, on the side where there is room, at a height (0..1 of the axes) of its own."""
    right = x < 80  # noqa: PLR2004 - percent of the width from which words would be cut
    axes.text(
        x + (1 if right else -1),
        height,
        text,
        transform=axes.get_xaxis_transform(),
        ha="left" if right else "right",
        va="center",
        fontproperties=font,
        color="#3c4043",
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0},
    )
