"""Decides whether a wish is ordered by oneself or handed to the staff."""

from dataclasses import dataclass
from typing import Literal

# One machine holds eight cards; more is a bulk order.
_MACHINE_GPUS = 8


@dataclass(frozen=True, slots=True)
class Triage:
    """The route and its reasons (of TRIAGE_REASONS)."""

    route: Literal["self_service", "staff"]
    reasons: tuple[str, ...]


def triage(
    *,
    gpus: int | None,
    nodes: int | None,
    region_fixed: bool,
    reserved: bool,
    batches: bool,
    fits_somewhere: bool = True,
) -> Triage:
    """Return where a wish goes, from plain facts.

    Clusters over machines, a fixed region, cards kept for one customer over a period, bulk or batched delivery, and what
    fits no plan go to the staff; one machine's worth is ordered by oneself.
    """
    reasons = [
        code
        for code, holds in (
            ("cross_node", nodes is not None and nodes > 1),
            ("fixed_region", region_fixed),
            ("reserved", reserved),
            ("bulk", gpus is not None and gpus > _MACHINE_GPUS),
            ("batches", batches),
            ("nothing_fits", not fits_somewhere),
        )
        if holds
    ]
    if reasons:
        return Triage("staff", tuple(reasons))
    return Triage("self_service", ("count_unknown",) if gpus is None else ("one_machine",))
