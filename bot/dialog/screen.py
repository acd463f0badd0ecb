"""What to show, as values; how it looks is decided where the reader's language is known."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Literal

from bot.checklist.answer import Answer, Answers
from bot.dialog.faq import Entry
from bot.dialog.state import ReminderDraft, TrialDraft
from bot.quantities.measurements import Measurement
from bot.reminders.series import Occurrence, Series
from bot.reminders.trial import Trial, TrialState


@dataclass(frozen=True)
class Greeting:
    """The first words; `answered` counts the answers of a draft that waits."""

    owner: str
    answered: int = 0


@dataclass(frozen=True)
class Ask:
    """The question of one field.

    `taken` are keys just filled, of which `taken_page` (from 0) can be undone by buttons, `noted` whether other words were kept as a note, `tries` failed answers, `readings` what an
    ambiguous one may mean, `warnings` codes of contradictions between the answers.
    """

    owner: str
    field: str
    answers: Answers
    taken: tuple[str, ...] = ()
    tries: int = 0
    readings: tuple[str, ...] = ()
    marked: tuple[str, ...] = ()
    from_summary: bool = False
    noted: bool = False
    warnings: tuple[str, ...] = ()
    taken_page: int = 0


@dataclass(frozen=True)
class Disputed:
    """A new answer that contradicts the one that stands; the customer says which holds."""

    owner: str
    field: str
    answers: Answers
    new: Answer
    taken: tuple[str, ...] = ()


@dataclass(frozen=True)
class SideAnswer:
    """The answer to a question in between."""

    entry: Entry


@dataclass(frozen=True)
class SideUnknown:
    """A question in between that no entry answers; a person can, with one tap."""


@dataclass(frozen=True)
class Form:
    """The nine-part form with what is known, to be filled elsewhere and pasted back."""

    answers: Answers


@dataclass(frozen=True)
class Document:
    """The checklist as a file to keep; `form` is md (Markdown, for people) or json (for programs)."""

    answers: Answers
    form: Literal["md", "json"]


@dataclass(frozen=True)
class Answered:
    """A question that a tap has answered, without its buttons."""

    field: str
    answers: Answers


@dataclass(frozen=True)
class Summary:
    """All answers before they are sent; `taken` are keys just changed, a page of which can be undone by buttons."""

    owner: str
    answers: Answers
    taken: tuple[str, ...] = ()
    noted: bool = False
    taken_page: int = 0


@dataclass(frozen=True)
class EditMenu:
    """Which answer to change: the sections, or the fields of one."""

    owner: str
    answers: Answers
    section: str | None = None


@dataclass(frozen=True)
class EstimateText:
    """The estimate for what is known so far, in words."""

    answers: Answers


@dataclass(frozen=True)
class EstimateChart:
    """The same as a picture."""

    answers: Answers


@dataclass(frozen=True)
class CostChart:
    """What reserving and renting on demand cost over the utilization, as a picture, where the estimate advises on it."""

    answers: Answers


@dataclass(frozen=True)
class Route:
    """Self-service or staff, as soon as the answers tell, with a first line of estimate."""

    answers: Answers


@dataclass(frozen=True)
class Submitted:
    """The request was stored, and passed on where a staff group is connected."""

    staff: bool


@dataclass(frozen=True)
class Handed:
    """A person has been called."""

    staff: bool
    draft_open: bool


@dataclass(frozen=True)
class LanguageChoice:
    """The languages to choose from."""


@dataclass(frozen=True)
class LanguageSet:
    """The language is another now."""


@dataclass(frozen=True)
class TrialQuestion:
    """One question of a trial's registration; `draft.step` tells which."""

    owner: str
    draft: TrialDraft
    answers: Answers
    market_price: Decimal | None = None
    tries: int = 0


@dataclass(frozen=True)
class TrialRegistered:
    """A trial was registered and will be reminded of; `checkpoint_minutes` between two checkpoints, None for inference."""

    trial: Trial
    checkpoint_minutes: int | None = None


@dataclass(frozen=True)
class TrialCost:
    """How far a trial has come and what it has cost so far."""

    trial: Trial


@dataclass(frozen=True)
class TrialChart:
    """The cost of a trial as a picture: so far, and to come if nothing is done."""

    trial: Trial


@dataclass(frozen=True)
class StepSure:
    """Ask once more before a step whose forerunners are missing."""

    trial: Trial
    step: TrialState
    missing: tuple[TrialState, ...]


@dataclass(frozen=True)
class StepTaken:
    """A trial has come a step further (or was started again): what it costs now, and what comes next."""

    trial: Trial
    step: str


@dataclass(frozen=True)
class TrialDestroyed:
    """A trial was destroyed: its time and cost."""

    trial: Trial


@dataclass(frozen=True)
class MeasureQuestion:
    """Ask for what was measured in a trial; `tries` counts what could not be read."""

    owner: str
    tries: int = 0


@dataclass(frozen=True)
class MeasureTaken:
    """What was measured, and what the estimate becomes; `before` are the answers without it."""

    measured: Measurement
    before: Answers
    answers: Answers


@dataclass(frozen=True)
class MeasureFile:
    """The small program that measures, as a file."""


@dataclass(frozen=True)
class Due:
    """A reminder that has come; `over` is how long after its own moment (negative before it)."""

    occurrence: Occurrence
    over: timedelta = timedelta(0)
    late: bool = False
    trial: Trial | None = None
    text: str = ""
    start: date | None = None


@dataclass(frozen=True)
class Missed:
    """Several reminders that could not come in time, in one message."""

    due: tuple[Due, ...]


@dataclass(frozen=True)
class Task:
    """A reminder that has become a task for staff."""

    due: Due


@dataclass(frozen=True)
class Snoozed:
    """A reminder comes again at this moment."""

    due_at: datetime


@dataclass(frozen=True)
class Kept:
    """A reminder of the customer's own was stored or changed."""

    series: Series


@dataclass(frozen=True)
class ReminderQuestion:
    """Ask when and of what to remind; with `draft.readings` which of two moments is meant."""

    owner: str
    draft: ReminderDraft
    tries: int = 0


@dataclass(frozen=True)
class ReminderList:
    """All trials that still cost money, and all reminders that are kept; `page` (from 0) of them is shown."""

    trials: tuple[Trial, ...]
    series: tuple[Series, ...] = ()
    page: int = 0


@dataclass(frozen=True)
class ZoneQuestion:
    """Ask for the time zone; `guess` is what is taken until then."""

    owner: str
    guess: str = ""
    tries: int = 0


@dataclass(frozen=True)
class ZoneSet:
    """Times are read and written in this zone from now on."""

    name: str


@dataclass(frozen=True)
class QuietSet:
    """The nights are quiet between these hours from now on."""

    hours: str


@dataclass(frozen=True)
class StatusReport:
    """Where everything stands: the request, and a page (from 0) of the trials that run."""

    answers: Answers
    request_state: str
    trials: tuple[Trial, ...]
    page: int = 0


@dataclass(frozen=True)
class ForgetQuestion:
    """Whether really to delete everything."""

    owner: str
    trials: tuple[Trial, ...]


@dataclass(frozen=True)
class Notice:
    """A fixed text, by its English message."""

    message: str
    resume: str | None = None


@dataclass(frozen=True)
class Help:
    """What the bot can do, and its commands."""


@dataclass(frozen=True)
class Privacy:
    """What is kept, who reads it, and how to erase it."""


Screen = (
    Greeting
    | Ask
    | Disputed
    | SideAnswer
    | SideUnknown
    | Form
    | Document
    | Answered
    | Summary
    | EditMenu
    | EstimateText
    | EstimateChart
    | CostChart
    | Route
    | Submitted
    | Handed
    | LanguageChoice
    | LanguageSet
    | TrialQuestion
    | TrialRegistered
    | TrialCost
    | TrialChart
    | StepSure
    | StepTaken
    | TrialDestroyed
    | MeasureQuestion
    | MeasureTaken
    | MeasureFile
    | Due
    | Missed
    | Task
    | Snoozed
    | Kept
    | ReminderQuestion
    | ReminderList
    | ZoneQuestion
    | ZoneSet
    | QuietSet
    | StatusReport
    | ForgetQuestion
    | Notice
    | Help
    | Privacy
)
