"""Draws an estimate: memory per card by part, one bar a plan, against what each card has.

Slow (some 200 ms) and not for the event loop: call it in a thread. `warm_up` spends the first-time cost at start.
"""

import io
import textwrap
from collections.abc import Callable
from dataclasses import asdict
from functools import cache
from threading import Lock
from typing import Any, Final

import pylopdf_fonts_zh_cn
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties

from bot.checklist.words import PARTS, job_word, model_title, ranked, word
from bot.errors import DeskError
from bot.estimation import EstimateAnswer, EstimateRequest, estimate, find_card
from bot.estimation.answer import Plan
from bot.i18n import N_, Texts, texts

COLOURS: Final = {
    "weights": "#3b6fd4",
    "gradients": "#7aa6f0",
    "optimizer": "#23407f",
    "activations": "#f2a541",
    "logits": "#e2711d",
    "kv_cache": "#3fa796",
    "buffers": "#a3c4bc",
    "overhead": "#9aa0a6",
}
WIDTH_PX, DPI = 1280, 160

_BESIDE: Final = 28
"""Letters that fit beside the bars; Han are wider, but say the same in half of them."""

_lock = Lock()


def estimate_png(spec: dict[str, Any]) -> bytes:
    """Return the picture of an estimate as PNG; `spec` holds the `request` and the reader's `locale`.

    Raises DeskError when the request cannot be estimated.
    """
    request = EstimateRequest.model_validate(spec["request"])
    reader = texts(spec["locale"])
    answer = estimate(request)
    return locked_png(lambda: drawn(request, answer, reader))


def locked_png(figure: Callable[[], Figure]) -> bytes:
    """Return what `figure` draws as PNG; one at a time, since matplotlib's text layout is not safe in several threads at once."""
    with _lock:
        return _png(figure())


def font_path() -> str:
    """Return the packaged font, which has Latin and Han glyphs alike, whatever the machine has installed."""
    return str(pylopdf_fonts_zh_cn.sans_path())


def warm_up() -> None:
    """Draw once, so that the first customer does not wait for fonts to be read."""
    estimate_png({"request": {"model": "7b", "method": "qlora"}, "locale": "zh_Hans"})


def drawn(request: EstimateRequest, answer: EstimateAnswer, reader: Texts) -> Figure:
    """Return the picture, not yet written."""
    bars = _bars(request, answer, reader)
    height = 1.45 + 0.66 * len(bars)
    figure = Figure(figsize=(WIDTH_PX / DPI, height), dpi=DPI, facecolor="white")
    axes = figure.add_subplot()
    _draw_bars(axes, bars, reader)
    _label(figure, axes, request, answer, reader)
    figure.subplots_adjust(left=0.24, right=0.95, top=1 - 0.92 / height, bottom=0.5 / height)
    return figure


def _bars(request: EstimateRequest, answer: EstimateAnswer, reader: Texts) -> list[tuple[str, dict[str, float], float]]:
    """One bar a plan, from the top: its name, its parts in GiB per card, and the card's capacity in GiB."""
    asked = _asked(request, answer, reader)
    bars = [asked] if asked else []
    for ranks, plan in ranked(answer, reader):
        parts = _plan_parts(request, plan)
        if parts is not None:
            title = [*_wrapped(ranks), *_wrapped(f"{plan.gpus} × {find_card(plan.gpu).name}")]
            bars.append(("\n".join(title), parts, plan.capacity_gib))
    return bars or [(model_title(answer, reader), answer.memory.parts.model_dump(), 0.0)]


def _asked(
    request: EstimateRequest, answer: EstimateAnswer, reader: Texts
) -> tuple[str, dict[str, float], float] | None:
    """The cards that were asked for, where they cannot hold the job: the picture shows by how much."""
    if answer.fits is not False or request.gpu is None:
        return None
    card = find_card(request.gpu)
    wish = reader.text(N_("Your wish"))
    title = [*_wrapped(wish), *_wrapped(f"{request.gpus or 1} × {card.name}")]
    return "\n".join(title), answer.memory.parts.model_dump(), float(card.capacity_gib)


def _wrapped(words: str) -> list[str]:
    """Words in lines that fit beside the bars."""
    return textwrap.wrap(words, _BESIDE)


def _plan_parts(request: EstimateRequest, plan: Plan) -> dict[str, float] | None:
    """The parts of a plan's own configuration."""
    shape = {key: value for key, value in asdict(plan.parallelism).items() if key != "dp"}
    try:
        own = EstimateRequest.model_validate(
            {**request.model_dump(exclude_none=True), "gpu": plan.gpu, "gpus": plan.gpus, "parallelism": shape}
        )
        return dict(estimate(own).memory.parts.model_dump())
    except DeskError:
        return None


def _draw_bars(axes: Axes, bars: list[tuple[str, dict[str, float], float]], reader: Texts) -> None:
    font = _font()
    rows = range(len(bars))
    left = [0.0] * len(bars)
    for part, colour in COLOURS.items():
        sizes = [parts.get(part, 0.0) for _, parts, _ in bars]
        if any(size >= 0.05 for size in sizes):  # noqa: PLR2004 - thinner than a line
            axes.barh(rows, sizes, left=left, height=0.55, color=colour, label=word(PARTS, part, reader))
            left = [a + b for a, b in zip(left, sizes, strict=True)]
    for row, (total, (_, _, capacity)) in enumerate(zip(left, bars, strict=True)):
        if capacity:
            axes.plot([capacity, capacity], [row - 0.38, row + 0.38], color="#b3261e", linewidth=2)
        axes.text(
            total,
            row + 0.42,
            f"{reader.number(total, 1)} GiB",
            va="center",
            ha="right",
            fontsize=7,
            fontproperties=font,
        )
    axes.plot([], [], color="#b3261e", linewidth=2, label=reader.text(N_("memory of the card")))
    axes.set_yticks(list(rows), [title for title, _, _ in bars], fontproperties=font, fontsize=8)
    axes.set_ylim(len(bars) - 0.4, -0.5)  # from the top, with room below the last bar for its total
    axes.set_xlim(0, 1.04 * max([*left, *(capacity for _, _, capacity in bars)]))


def _label(figure: Figure, axes: Axes, request: EstimateRequest, answer: EstimateAnswer, reader: Texts) -> None:
    """Title and legend above the bars, the unit below."""
    font, height = _font(), figure.get_figheight()
    title = reader.text(
        N_("{model} · {method}: memory per card"),
        model=model_title(answer, reader),
        method=job_word(request, answer, reader),
    )
    figure.text(0.03, 1 - 0.2 / height, title, fontproperties=font, fontsize=11, va="top")
    figure.legend(
        *axes.get_legend_handles_labels(),
        prop=FontProperties(fname=str(pylopdf_fonts_zh_cn.sans_path()), size=7),
        loc="upper left",
        bbox_to_anchor=(0.022, 1 - 0.5 / height),
        ncols=9,
        frameon=False,
        handlelength=1.0,
        columnspacing=1.3,
    )
    axes.set_xlabel("GiB", fontproperties=font, fontsize=8)
    axes.tick_params(axis="x", labelsize=7)
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.grid(axis="x", color="#e6e8eb", linewidth=0.6)
    axes.set_axisbelow(True)


@cache
def _font() -> FontProperties:
    """The packaged font, which has Latin and Han glyphs alike, whatever the machine has installed."""
    return FontProperties(fname=str(pylopdf_fonts_zh_cn.sans_path()))


def _png(figure: Figure) -> bytes:
    out = io.BytesIO()
    figure.savefig(out, format="png")
    return out.getvalue()
