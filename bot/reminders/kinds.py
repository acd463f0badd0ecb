"""THE LIST of reminder kinds: when each comes again, what it says, what can be tapped below it, and what it may do at night."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Final

from bot.i18n import N_
from bot.reminders.trial import Trial


class Night(StrEnum):
    """What a reminder does in its reader's quiet hours."""

    WAITS = "waits"
    SKIPS = "skips"
    BREAKS_WHILE_COMPUTING = "breaks_while_computing"
    COMES = "comes"


Headline = tuple[timedelta, str]
"""A first line, and from how long after the reminder's own moment on it holds."""

SOON: Final = timedelta(days=-3650)
"""The threshold of a headline for the time before the moment itself."""


@dataclass(frozen=True)
class ReminderKind:
    """One kind of reminder.

    `title` names it in lists. `headlines` and `body` are English messages whose `{placeholders}` are facts of the moment of sending.
    `again_after` are the waits after each unanswered one, the last step repeats; an empty one means that it comes once.
    `task_from` is the sending from which on it is a task for staff (0: never). `taps` are codes of buttons beside the snoozes.
    `fits` tells whether a trial's state still calls for it; `drafts` whether it is about a checklist that is not sent, or about one that is;
    `rests` how long that checklist must have been left alone before it comes.
    """

    code: str
    title: str
    headlines: tuple[Headline, ...]
    body: tuple[str, ...] = ()
    again_after: tuple[timedelta, ...] = ()
    night: Night = Night.WAITS
    task_from: int = 0
    taps: tuple[str, ...] = ()
    snoozes: bool = True
    fits: Callable[[Trial], bool] = lambda _trial: True
    drafts: bool | None = None
    rests: timedelta = timedelta(0)


ORDER: Final = N_(
    "In this order: move weights and data to your own storage, verify the files, then destroy the instance."
)
STOPPING: Final = N_(
    "Stopping is not enough: storage goes on costing. Only destroying ends all billing, and it deletes the disk."
)

DESTROY: Final = ReminderKind(
    "destroy",
    N_("Destroy the trial instance"),
    (
        (SOON, N_("Your trial is planned to end at {end}")),
        (timedelta(0), N_("Time to destroy your trial instance")),
        (timedelta(minutes=20), N_("Time to destroy your trial instance: it is still running, {per_hour} an hour")),
        (
            timedelta(hours=4),
            N_("⚠ Time to destroy your trial instance: {over} past its planned end, {per_hour} an hour"),
        ),
    ),
    ("{trial}", ORDER, STOPPING),
    (timedelta(minutes=30), timedelta(hours=1), timedelta(hours=3), timedelta(hours=12), timedelta(days=1)),
    Night.BREAKS_WHILE_COMPUTING,
    task_from=4,
    taps=("destroyed", "verified", "moved", "stopped"),
    fits=lambda trial: trial.computes,
)
STORAGE: Final = ReminderKind(
    "storage",
    N_("A stopped instance still costs storage"),
    (
        (SOON, N_("Stopped, but not destroyed: its storage costs {per_day} a day")),
        (timedelta(days=3), N_("⚠ Stopped for {over} and still not destroyed: {per_day} a day")),
    ),
    ("{trial}", ORDER, STOPPING),
    (timedelta(days=1), timedelta(days=1), timedelta(days=2), timedelta(days=7)),
    task_from=4,
    taps=("destroyed", "verified", "moved", "resumed"),
    fits=lambda trial: trial.is_stopped,
)
CHECKPOINT: Final = ReminderKind(
    "checkpoint",
    N_("Save a checkpoint"),
    ((SOON, N_("Save a checkpoint now")),),
    (
        N_("What is not saved since the last one would be lost with the instance."),
        N_("Take down how long the writing takes: it is one of the three numbers to measure."),
    ),
    night=Night.SKIPS,
    taps=("saved", "off"),
    snoozes=False,
    fits=lambda trial: trial.computes,
)
MOVE: Final = ReminderKind(
    "move",
    N_("Move data before the end"),
    ((SOON, N_("Your trial ends at {end}: move your data now")),),
    (N_("Copy weights, checkpoints and logs to your own storage and verify them; destroying clears the disk."),),
    night=Night.BREAKS_WHILE_COMPUTING,
    taps=("moved",),
    fits=lambda trial: trial.is_running and trial.moved_at is None,
)
DRAFT: Final = ReminderKind(
    "draft",
    N_("Unfinished checklist"),
    ((SOON, N_("Your checklist is not finished yet")),),
    (
        N_(
            "Your answers are kept. Go on where you stopped, or send it as it is; what is open can be left to be decided."
        ),
    ),
    taps=("resume",),
    snoozes=False,
    drafts=True,
    rests=timedelta(days=1),
)
ANSWERS: Final = ReminderKind(
    "answers",
    N_("Answers from our colleagues"),
    ((SOON, N_("Answers from our colleagues are still open")),),
    (N_("You are not forgotten: I have just reminded them of your request. Just write here if something is urgent."),),
    (timedelta(days=1), timedelta(days=2), timedelta(days=7)),
    task_from=1,
    snoozes=False,
)
START: Final = ReminderKind(
    "start",
    N_("Start of the reservation"),
    ((SOON, N_("Your reservation is planned to start on {date}")),),
    (N_("Are image, data and access ready? If the date has changed, tell us here."),),
    drafts=False,
)
OWN: Final = ReminderKind(
    "own",
    N_("Your own reminder"),
    ((SOON, "{text}"),),
    night=Night.COMES,
    taps=("done",),
)

KINDS: Final = {kind.code: kind for kind in (DESTROY, STORAGE, CHECKPOINT, MOVE, DRAFT, ANSWERS, START, OWN)}


def headline(kind: ReminderKind, after: timedelta) -> str:
    """Return the first line that holds `after` the reminder's own moment (negative before it)."""
    return next(text for since, text in reversed(kind.headlines) if after >= since)
