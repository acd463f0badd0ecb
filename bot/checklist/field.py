"""What a field of the checklist is made of."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.checklist.answer import Answers


class Section(StrEnum):
    """The nine parts of the checklist, in order."""

    PURPOSE = "purpose"
    MODEL = "model"
    CARDS = "cards"
    INTERCONNECT = "interconnect"
    STORAGE = "storage"
    ENVIRONMENT = "environment"
    PERIOD = "period"
    REGION = "region"
    CONTACT = "contact"


class Kind(StrEnum):
    """How the answer to a field is understood; quantities bear the names of `bot.quantities`."""

    CHOICE = "choice"
    CHOICES = "choices"
    CHOICE_OR_TEXT = "choice_or_text"
    YES_NO_OR_TEXT = "yn_or_text"
    TEXT = "text"
    MODEL = "model"
    TOKENS = "tokens"
    MEMORY = "mem"
    CARDS = "gpu"
    ALTERNATIVES = "gpu_any"
    COUNT = "count"
    BANDWIDTH = "bw"
    CHECKPOINT = "ckpt"
    DURATION = "dur"
    DATE = "date"
    SHARE = "pct"
    YES_NO = "yn"


@dataclass(frozen=True)
class Option:
    """One of the answers a field offers: a stored code, its label, and other ways people say it in either language.

    `words` mean the option wherever they stand; `short` ones only as an answer to the field's own question, since in a free
    message they may speak of anything else: "full", "data", "持续".
    """

    code: str
    label: str
    words: tuple[str, ...] = ()
    short: tuple[str, ...] = ()


@dataclass(frozen=True)
class Field:
    """One line of the checklist; `question`, `hint` and `label` are English messages marked for translation."""

    key: str
    section: Section
    kind: Kind
    label: str
    question: str
    hint: str
    options: tuple[Option, ...] = ()
    skippable: bool = False
    when: Callable[["Answers"], bool] = lambda _answers: True

    def option(self, code: str) -> Option | None:
        """Return the option with that code, if the field has it."""
        return next((option for option in self.options if option.code == code), None)
