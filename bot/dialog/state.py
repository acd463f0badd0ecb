"""Where a conversation stands; stored as JSON, with a version."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Self

from pydantic import BaseModel, ConfigDict

from bot.checklist.answer import Answer, Answers
from bot.desk.request import RequestState
from bot.reminders.trial import Trial

VERSION = 1
"""The schema version of a stored dialog state; samples of every version stay in tests/data."""


class Scene(StrEnum):
    """What the next message of the customer is taken for."""

    CHECKLIST = "checklist"
    SUMMARY = "summary"
    TRIAL = "trial"
    REMIND = "remind"
    ZONE = "zone"
    MEASURE = "measure"
    DESK = "desk"
    IDLE = "idle"


class TrialStep(StrEnum):
    """The questions of a trial's registration, in order."""

    CARDS = "cards"
    PRICE = "price"
    HOURS = "hours"
    STORAGE = "storage"
    CHECK = "check"


class TrialDraft(BaseModel):
    """A trial instance being registered.

    `price` is per card and hour, `seconds` the planned time unless a moment is named (`until`); `storage_gb` (1e9 bytes) is 0 when
    it is not known, its price for a GB and month; `started_s_ago` is how long it runs already.
    """

    # Drafts stored before the steps followed from the answers name one; it says nothing new.
    model_config = ConfigDict(frozen=True, extra="ignore")

    gpu: str | None = None
    gpus: int | None = None
    price: Decimal | None = None
    currency: str = "USD"
    seconds: float | None = None
    until: datetime | None = None
    storage_gb: int | None = None
    storage_price: Decimal | None = None
    started_s_ago: float = 0.0

    @property
    def step(self) -> TrialStep:
        """The first question that is open."""
        if self.gpu is None or self.gpus is None:
            return TrialStep.CARDS
        if self.price is None:
            return TrialStep.PRICE
        if self.seconds is None and self.until is None:
            return TrialStep.HOURS
        if self.storage_gb is None or (self.storage_gb and self.storage_price is None):
            return TrialStep.STORAGE
        return TrialStep.CHECK

    def trial(self, now: datetime) -> Trial:
        """Return the trial that would be registered now."""
        started = (now - timedelta(seconds=self.started_s_ago)).astimezone(UTC)
        end = self.until or started + timedelta(seconds=self.seconds or 0)
        return Trial(
            id=0,
            gpu=self.gpu or "",
            gpus=self.gpus or 0,
            price_per_gpu_hour=self.price or Decimal(0),
            currency=self.currency,
            started_at=started,
            planned_end_at=end.astimezone(UTC),
            storage_gb=self.storage_gb or 0 if self.storage_price is not None else 0,
            storage_price_per_gb_month=self.storage_price or Decimal(0),
        )


class ReminderDraft(BaseModel):
    """A reminder being made or changed: its text, the moments between which to choose, and what is changed (`s12`, `t3`)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str = ""
    readings: tuple[str, ...] = ()
    changes: str = ""


class Claim(BaseModel):
    """A new answer that contradicts an earlier one, until the customer says which holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    answer: Answer


class DialogState(BaseModel):
    """One chat's conversation, answers aside.

    `field` is the open question; `serial` numbers the questionnaires of this chat and marks their buttons; `readings` are the meanings
    of an ambiguous answer (`said`) between which the customer must choose; `marked` are the options ticked so far where several
    may be chosen; `tries` counts answers to the open question that were not understood; `taken` are the keys that the last message
    filled, `taken_page` (from 0) the page of them that is shown, and `noted` whether words of it were kept as a note; `claims` wait to be settled before anything else is asked;
    `sources` name the message that each answer came from; `pasted_at` is when a part of a form came last (seconds since the epoch), and
    `pasted_cut` whether it was long enough to have been cut there; `warnings` stand under the open question, `warned` have been shown.

    `sure` is a trial's step that was asked about once more (`t3:destroyed`); `measuring` is the cards of the trial whose measurements
    are asked for (`2 rtx4090`); `zone_asked` tells that the time zone was asked for; `back` is the scene that a small conversation
    interrupts.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: int = VERSION
    scene: Scene = Scene.IDLE
    serial: int = 1
    field: str | None = None
    from_summary: bool = False
    tries: int = 0
    said: str = ""
    readings: tuple[str, ...] = ()
    marked: tuple[str, ...] = ()
    advised: bool = False
    taken: tuple[str, ...] = ()
    taken_page: int = 0
    noted: bool = False
    claims: tuple[Claim, ...] = ()
    pasted_at: float | None = None
    pasted_cut: bool = False
    sources: dict[str, int] = {}
    warnings: tuple[str, ...] = ()
    warned: tuple[str, ...] = ()
    trial: TrialDraft | None = None
    remind: ReminderDraft | None = None
    measuring: str = ""
    sure: str = ""
    zone_asked: bool = False
    back: Scene = Scene.IDLE

    @property
    def owner(self) -> str:
        """The mark that this questionnaire's buttons bear."""
        return f"d{self.serial}"

    @classmethod
    def load(cls, stored: Mapping[str, object]) -> Self:
        """Read a stored dialog; raises ValueError for one from a newer version."""
        if stored.get("version") != VERSION:
            raise ValueError(f"a dialog of version {stored.get('version')!r} cannot be read")
        return cls.model_validate(stored)

    def at(self, scene: Scene, field: str | None = None, *, from_summary: bool = False) -> Self:
        """Return the state at another question, with what belonged to the last one forgotten."""
        fresh = {"tries": 0, "said": "", "readings": (), "marked": (), "noted": False, "warnings": ()}
        fresh |= {"taken": (), "taken_page": 0}
        return self.model_copy(update={"scene": scene, "field": field, "from_summary": from_summary, **fresh})


@dataclass(frozen=True)
class Case:
    """All that a decision rests on and changes: where the talk stands, the answers, and the request's state."""

    state: DialogState
    answers: Answers
    request_state: RequestState = RequestState.DRAFT

    def at(self, scene: Scene, field: str | None = None, *, from_summary: bool = False) -> "Case":
        """Return the case with the talk at another question."""
        return replace(self, state=self.state.at(scene, field, from_summary=from_summary))

    def with_state(self, **changed: object) -> "Case":
        """Return the case with parts of its state changed."""
        return replace(self, state=self.state.model_copy(update=changed))

    @property
    def is_draft(self) -> bool:
        """Whether the newest request can still be filled."""
        return self.request_state is RequestState.DRAFT
