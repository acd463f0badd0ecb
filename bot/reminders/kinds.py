"""THE LIST of reminder kinds."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.i18n import N_


@dataclass(frozen=True)
class ReminderKind:
    """One kind of reminder: how it is called in lists, and how long after each unanswered one it comes again.

    The last step of `again_after` repeats; an empty one means that the reminder comes once.
    """

    code: str
    title: str
    again_after: tuple[timedelta, ...]


DESTROY: Final = ReminderKind(
    "destroy",
    N_("Destroy the trial instance"),
    (timedelta(minutes=30), timedelta(hours=1), timedelta(hours=3), timedelta(hours=12), timedelta(days=1)),
)

KINDS: Final = {kind.code: kind for kind in (DESTROY,)}
