"""Writes how far the estimates lie from published measurements, by source and method, into CONTRIBUTING.md.

usage: python -m tests.scorecard      (called by `make scorecard`; needs ../shared/data)
"""

import re
import statistics
import sys
from collections import defaultdict
from pathlib import Path

from bot.estimation import estimate
from tests.measured import DATA, memory_error, memory_request, read, speed_request

PAGE = Path(__file__).resolve().parent.parent / "CONTRIBUTING.md"
FEW = 10
MARKS = re.compile(r"(<!-- scorecard:.*?-->\n).*?(<!-- end -->)", re.DOTALL)


def main():
    if not DATA.exists():
        print("the measurements are not at hand; CONTRIBUTING.md stays as it is", file=sys.stderr)
        return 1
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(MARKS.sub(lambda found: found[1] + table() + found[2], page), encoding="utf-8")
    return 0


def table():
    """The whole table: totals, then memory by source and by method, then speed by stack and card."""
    rows = ["| what | rows | median error | 90th percentile | bias |\n|---|---:|---:|---:|---:|\n"]
    for title, file in (("memory, published", "measured_memory.csv"), ("memory, traced", "traced_memory.csv")):
        groups = memory_groups(read(DATA / file))
        rows += [
            line(f"**{title}**" if name == "all" else f"{title}: {name}", groups[name]) for name in ordered(groups)
        ]
    groups = speed_groups(read(DATA / "measured_throughput.csv"))
    rows += [
        line(f"**speed, {name}**" if " " not in name else f"speed: {name}", groups[name]) for name in ordered(groups)
    ]
    return "".join(rows) + verdicts(read(DATA / "measured_memory.csv"))


def ordered(groups):
    """All first, then by method, then by source."""
    return sorted(groups, key=lambda name: (name != "all", not name.startswith(("train ", "infer ")), name))


def memory_groups(rows):
    groups = defaultdict(list)
    for row in rows:
        if row["outcome"] == "ok":
            error = memory_error(estimate(memory_request(row)).memory.per_gpu_gib, row)
            for name in ("all", f"{row['task']} {row['method'] or row['weights']}", row["source"].replace("|", "/")):
                groups[name].append(error)
    return groups


def speed_groups(rows):
    groups = defaultdict(list)
    for row in rows:
        speed = estimate(speed_request(row)).throughput.tokens_per_s_per_gpu
        for name in (row["task"], f"{row['task']} with {row['engine']} on {row['gpu']}"):
            groups[name].append(speed / float(row["tokens_per_s_per_gpu"]) - 1)
    return groups


def line(name, errors):
    absolute = sorted(map(abs, errors))
    ninth = f"{absolute[int(0.9 * (len(absolute) - 1))]:.1%}" if len(absolute) >= FEW else "–"
    middle = statistics.median(errors)
    return f"| {name} | {len(errors)} | {statistics.median(absolute):.1%} | {ninth} | {middle:+.1%} |\n"


def verdicts(rows):
    """One sentence on the verdicts: whether what ran out of memory was foreseen, and what ran was not refused."""
    judged = [(row["outcome"], estimate(memory_request(row)).fits) for row in rows if row["gpu"]]
    told = [(outcome, fits) for outcome, fits in judged if fits is not None]
    right = {kind: [fits == (kind == "ok") for outcome, fits in told if outcome == kind] for kind in ("oom", "ok")}
    return (
        f"\nOf {len(right['oom'])} runs that ran out of memory, {sum(right['oom'])} were judged not to fit; "
        f"of {len(right['ok'])} that ran, {sum(right['ok'])} were judged to fit.\n"
    )


if __name__ == "__main__":
    sys.exit(main())
