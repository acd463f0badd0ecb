"""What follows from a decision, as values; the edge of the program carries them out in order."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from bot.dialog.screen import Screen
from bot.dialog.state import Case, TrialDraft
from bot.reminders.series import Occurrence, Series
from bot.reminders.trial import Trial


@dataclass(frozen=True)
class Show:
    """Show a screen: as a new message, or in place of the tapped one; `live` when its buttons are the open question's."""

    screen: Screen
    live: bool = False
    replace: bool = False


@dataclass(frozen=True)
class Redraw:
    """Draw the open question again where it stands, in the language of now."""

    screen: Screen


@dataclass(frozen=True)
class Toast:
    """A short word over the chat for the person who tapped; an English message."""

    message: str


@dataclass(frozen=True)
class SetLanguage:
    """From here on everything is in this language."""

    locale: str


@dataclass(frozen=True)
class Submit:
    """Store the request as confirmed and hand it to the staff."""


@dataclass(frozen=True)
class CallStaff:
    """Hand what there is of the request to the staff, because a person is wanted."""


@dataclass(frozen=True)
class Relay:
    """Pass the customer's message on to the staff as it is; `album` for a part of one, `goes_on` for its second and later parts."""

    album: bool = False
    goes_on: bool = False


@dataclass(frozen=True)
class Note:
    """Keep words that found no place in the checklist with the request."""

    text: str


@dataclass(frozen=True)
class Hold:
    """Let the reply wait a moment, in the place of one that waits already: more parts of a paste may be under way."""


@dataclass(frozen=True)
class StartOver:
    """Set the draft aside and open an empty one."""


@dataclass(frozen=True)
class RegisterTrial:
    """Store a trial and its reminders."""

    draft: TrialDraft


@dataclass(frozen=True)
class TakeStep:
    """Store a trial after a step, and plan its reminders anew."""

    trial: Trial


@dataclass(frozen=True)
class Snooze:
    """Let a reminder come again at another moment."""

    occurrence: Occurrence
    due_at: datetime


@dataclass(frozen=True)
class Settle:
    """A reminder was answered: what it would be followed by is not needed."""

    occurrence: Occurrence


@dataclass(frozen=True)
class AddReminder:
    """Store a reminder of the customer's own."""

    text: str
    rule: str


@dataclass(frozen=True)
class ChangeReminder:
    """Change one of the customer's series: its text and rule, or pause, resume or delete it."""

    series: Series
    action: Literal["edit", "pause", "resume", "delete"] = "edit"


@dataclass(frozen=True)
class SetZone:
    """From here on times are read and written in this zone."""

    name: str


@dataclass(frozen=True)
class SetQuiet:
    """From here on nights are quiet between other hours: `22:00-08:00`."""

    hours: str


@dataclass(frozen=True)
class TellStaff:
    """Show a screen in the customer's topic, in the staff's language."""

    screen: Screen


@dataclass(frozen=True)
class Forget:
    """Delete everything that is stored about this customer."""


Effect = (
    Show
    | Redraw
    | Toast
    | SetLanguage
    | Submit
    | CallStaff
    | Relay
    | Note
    | Hold
    | StartOver
    | RegisterTrial
    | TakeStep
    | Snooze
    | Settle
    | AddReminder
    | ChangeReminder
    | SetZone
    | SetQuiet
    | TellStaff
    | Forget
)


@dataclass(frozen=True)
class Outcome:
    """The case after an event, and what follows from it."""

    case: Case
    effects: tuple[Effect, ...] = field(default=())

    def then(self, *effects: Effect) -> "Outcome":
        """Return this outcome with more effects at its end."""
        return Outcome(self.case, (*self.effects, *effects))

    def after(self, *effects: Effect) -> "Outcome":
        """Return this outcome with other effects before its own."""
        return Outcome(self.case, (*effects, *self.effects))
