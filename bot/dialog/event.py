"""What a customer can do, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from bot.dialog.button import Button
from bot.dialog.faq import Entry, entries
from bot.estimation import ModelSpec
from bot.reminders.series import Occurrence, Series
from bot.reminders.trial import Trial


@dataclass(frozen=True)
class Said:
    """A text; `edited` when an earlier message was changed, which `message_id` names."""

    text: str
    edited: bool = False
    message_id: int | None = None


@dataclass(frozen=True)
class Pressed:
    """A tap on a button; None for data that no present button has."""

    button: Button | None


@dataclass(frozen=True)
class Commanded:
    """A command without its slash, and what was written after it."""

    name: str
    argument: str = ""


@dataclass(frozen=True)
class Sent:
    """Something that is not text: its kind as Telegram names it, and its caption."""

    kind: str
    caption: str = ""


Event = Said | Pressed | Commanded | Sent


@dataclass(frozen=True)
class Context:
    """What a decision may know beside the case: the time in the customer's zone, the language, the trials, the reminders.

    `trials` are those that cost money, `series` the reminders that are kept, `sent` those that came and wait for an answer, the newest
    first. `zone` is the zone that was told, "" before that.
    `chinese` is the Chinese that a wish for it means, where the words do not say which.
    `staff` tells whether a staff group is connected; `known` whether this person has written before; `faq` are the answers to what
    customers ask in between; `shapes` are what the model hub tells of models that the event names, by "org/name".
    """

    now: datetime
    locale: str
    trials: tuple[Trial, ...] = ()
    series: tuple[Series, ...] = ()
    sent: tuple[Occurrence, ...] = ()
    zone: str = ""
    chinese: str = "zh_Hans"
    staff: bool = True
    known: bool = True
    faq: tuple[Entry, ...] = field(default_factory=entries)
    shapes: Mapping[str, ModelSpec] = field(default_factory=dict)
