"""Draws what a trial has cost so far, and what it will cost if it runs on, is stopped, or is destroyed now.

Slow (some 200 ms) and not for the event loop: call it in a thread.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.dates import AutoDateLocator, DateFormatter, date2num
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.ticker import FuncFormatter

from bot.charts.draw import DPI, WIDTH_PX, font_path, locked_png
from bot.i18n import N_, Texts, texts

COLOURS: Final = {"running": "#b3261e", "stopped": "#f2a541", "destroyed": "#3fa796", "so_far": "#23407f"}
_LOOK_AHEAD: Final = 1.6
"""How far the picture goes, in spans from the start to the planned end or to now."""
STAYS_STOPPED: Final = N_("if it stays stopped")
_NEAR: Final = 0.15
"""Share of the picture's width that the name of a mark takes."""
_ROWS: Final = {
    "running": N_("if it runs on"),
    "stopped": N_("if it is stopped"),
    "destroyed": N_("if it is destroyed"),
}


@dataclass(frozen=True)
class Course:
    """A trial's cost over time: moments in the reader's clock without a zone, amounts as floats, good enough to draw."""

    cards: str
    currency: str
    per_hour: float
    per_day: float
    start: datetime
    planned_end: datetime
    now: datetime
    destroyed: datetime | None
    stops: tuple[tuple[datetime, datetime | None], ...]

    @property
    def until(self) -> datetime:
        """Where the picture ends."""
        last = self.destroyed or max(self.planned_end, self.now)
        return self.start + (last - self.start) * _LOOK_AHEAD

    @property
    def stopped(self) -> bool:
        """Whether it lies stopped now."""
        return self.destroyed is None and bool(self.stops) and self.stops[-1][1] is None

    def cost(self, at: datetime) -> float:
        """Return the cost up to a moment that is not in the future."""
        end = min(at, self.destroyed or at)
        lain = sum(
            (max(timedelta(0), min(to or end, end) - since) for since, to in self.stops if since < end), timedelta(0)
        )
        ran = max(timedelta(0), end - self.start - lain)
        return self.per_hour * ran / timedelta(hours=1) + self.per_day * max(
            timedelta(0), end - self.start
        ) / timedelta(days=1)

    def bends(self) -> list[datetime]:
        """Return the moments up to now at which the cost may change its pace."""
        inner = [moment for stop in self.stops for moment in stop if moment is not None and moment < self.now]
        ended = [self.destroyed] if self.destroyed is not None else []
        return sorted({self.start, *inner, *ended, max(self.start, self.destroyed or self.now)})


def png(spec: Mapping[str, Any]) -> bytes:
    """Return the picture as PNG; `spec` holds the `trial`, `now`, the reader's `offset_s` from UTC, and their `locale`."""
    reader = texts(spec["locale"])
    course = _course(spec["trial"], datetime.fromisoformat(spec["now"]), timezone(timedelta(seconds=spec["offset_s"])))
    return locked_png(lambda: _figure(course, reader))


def _course(trial: Mapping[str, Any], now: datetime, zone: timezone) -> Course:
    def local(written: str | None) -> datetime | None:
        return None if written is None else datetime.fromisoformat(written).astimezone(zone).replace(tzinfo=None)

    start, end = local(trial["started_at"]), local(trial["planned_end_at"])
    assert start is not None
    assert end is not None
    stops = tuple((since, local(to)) for a, to in trial["stops"] if (since := local(a)) is not None)
    return Course(
        cards=trial["cards"],
        currency=trial["currency"],
        per_hour=float(trial["price_per_hour"]),
        per_day=float(trial["storage_per_day"]),
        start=start,
        planned_end=end,
        now=now.astimezone(zone).replace(tzinfo=None),
        destroyed=local(trial["destroyed_at"]),
        stops=stops,
    )


def _figure(course: Course, reader: Texts) -> Figure:
    font = FontProperties(fname=font_path(), size=11)
    figure = Figure(figsize=(WIDTH_PX / DPI, 4.2), dpi=DPI, facecolor="white")
    axes = figure.add_subplot()
    _draw(axes, course, reader, font)
    title = reader.text(N_("{cards}: cost so far and to come"), cards=course.cards)
    figure.text(0.03, 0.965, title, fontproperties=FontProperties(fname=font_path(), size=14), va="top")
    ends = (
        reader.text(N_("cost at {moment}"), moment=f"{course.until:%m-%d %H:%M}") if course.destroyed is None else None
    )
    axes.legend(prop=font, loc="lower right", frameon=False, title=ends, title_fontproperties=font, alignment="left")
    axes.set_ylim(bottom=0)
    axes.set_xlim(_num(course.start), _num(course.until))
    axes.xaxis_date()
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _at: f"{value:,.2f}"))
    axes.set_ylabel(course.currency, fontproperties=font)
    axes.xaxis.set_major_formatter(DateFormatter("%m-%d %H:%M"))  # type: ignore[no-untyped-call]  # matplotlib has types in places only
    axes.xaxis.set_major_locator(AutoDateLocator(minticks=3, maxticks=5))  # type: ignore[no-untyped-call]  # as above
    axes.tick_params(labelsize=10)
    for label in (*axes.get_xticklabels(), *axes.get_yticklabels()):
        label.set_fontproperties(FontProperties(fname=font_path(), size=10))
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="#e6e8eb", linewidth=0.6)
    axes.set_axisbelow(True)
    figure.subplots_adjust(left=0.1, right=0.95, top=0.86, bottom=0.1)
    return figure


def _draw(axes: Axes, course: Course, reader: Texts, font: FontProperties) -> None:
    bends = course.bends()
    told = reader.text(N_("so far"))
    so_far = f"{told}{reader.colon}{course.cost(course.now):,.2f} {course.currency}"
    axes.plot(
        [_num(at) for at in bends],
        [course.cost(at) for at in bends],
        color=COLOURS["so_far"],
        linewidth=2.8,
        label=so_far,
    )
    for state, slope in _ahead(course).items():
        hours = (course.until - course.now) / timedelta(hours=1)
        ends = [course.cost(course.now), course.cost(course.now) + slope * hours]
        total = f"{ends[1]:,.2f} {course.currency}"
        row = STAYS_STOPPED if state == "stopped" and course.stopped else _ROWS[state]
        label = f"{reader.text(row)}{reader.colon}{total}"
        axes.plot(
            [_num(course.now), _num(course.until)],
            ends,
            color=COLOURS[state],
            linewidth=2.2,
            linestyle="--",
            label=label,
        )
    marks = [(course.planned_end, N_("planned end"))]
    if course.destroyed is None:
        marks.append((course.now, N_("now")))
    top = axes.get_ylim()[1]
    marks.sort(key=lambda mark: mark[0])
    # Two marks side by side have their names on either side.
    close = marks[-1][0] - marks[0][0] < (course.until - course.start) * _NEAR
    for i, (at, message) in enumerate(marks):
        side = "right" if close and i == 0 and len(marks) > 1 else "left"
        axes.axvline(_num(at), color="#9aa0a6", linewidth=1, linestyle=":")
        axes.text(_num(at), top, f" {reader.text(message)} ", fontproperties=font, va="top", ha=side, color="#5f6368")


def _ahead(course: Course) -> dict[str, float]:
    """What may come, each with its pace in money per hour; a destroyed instance has nothing to come."""
    if course.destroyed is not None:
        return {}
    disk = course.per_day / 24
    running = {} if course.stopped else {"running": course.per_hour + disk}
    return {**running, "stopped": disk, "destroyed": 0.0}


def _num(at: datetime) -> float:
    """A moment as the axis counts it."""
    return float(date2num(at))  # type: ignore[no-untyped-call]  # as above
