"""Answers as they are stored: codes and numbers, never labels, with the raw words kept."""

from collections.abc import Iterator, Mapping
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from bot.quantities import Normal

VERSION = 1
"""The schema version of a stored set of answers; samples of every version stay in tests/data."""


class Status(StrEnum):
    """How sure an answer is."""

    EXACT = "exact"
    RANGE = "range"
    APPROX = "approx"
    TBD = "tbd"
    SKIPPED = "skipped"


class Answer(BaseModel):
    """One stored answer: its normal form (None when skipped), the person's own words, and how sure it is."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    normal: str | None
    raw: str
    status: Status

    @property
    def known(self) -> bool:
        """Whether the answer says something that can be reckoned with."""
        return self.normal is not None and self.status not in (Status.TBD, Status.SKIPPED)


class Answers(Mapping[str, Answer]):
    """All answers of one request, by field key; a value, changed only by making another."""

    def __init__(self, answers: Mapping[str, Answer] | None = None) -> None:
        self._answers = dict(answers or {})

    def __getitem__(self, key: str) -> Answer:
        return self._answers[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._answers)

    def __len__(self) -> int:
        return len(self._answers)

    def with_answers(self, new: Mapping[str, Answer]) -> "Answers":
        """Return these answers with `new` ones added or put in place of the old."""
        return Answers({**self._answers, **new})

    def without(self, key: str) -> "Answers":
        """Return these answers with one taken out."""
        return Answers({other: answer for other, answer in self._answers.items() if other != key})

    def code(self, key: str) -> str | None:
        """Return the normal form of a known answer, None for what is open, undecided or skipped."""
        answer = self._answers.get(key)
        return answer.normal if answer is not None and answer.known else None

    def bounds(self, key: str, part: str) -> tuple[float | None, float | None] | None:
        """Return lower and upper bound of one numeric part of a known answer, in the part's own unit."""
        code = self.code(key)
        return Normal.read(code).bounds(part) if code else None

    @property
    def is_inference(self) -> bool:
        """Whether the purpose is known to be inference."""
        return self.code("workload") == "inference"

    @property
    def cards(self) -> tuple[int | None, int | None] | None:
        """Fewest and most cards wanted; None when not known."""
        return _whole(self.bounds("gpu_count", "count"))

    @property
    def machines(self) -> int | None:
        """How many machines the cards stand in at most, by cards per machine; None when not known."""
        cards = self.cards
        if cards is None:
            return None
        most = cards[1]
        if most == 1:
            return 1
        per_machine = _whole(self.bounds("gpus_per_node", "count"))
        if most is None or per_machine is None or not per_machine[0]:
            return None
        return -(-most // per_machine[0])

    def dump(self) -> dict[str, object]:
        """Return the JSON form kept in the database."""
        return {
            "version": VERSION,
            "answers": {key: answer.model_dump(mode="json") for key, answer in self._answers.items()},
        }

    @classmethod
    def load(cls, stored: Mapping[str, object]) -> "Answers":
        """Read a stored set of answers of any version; raises ValueError for one from the future."""
        if stored.get("version") != VERSION:
            raise ValueError(f"answers of version {stored.get('version')!r} cannot be read")
        answers = stored["answers"]
        assert isinstance(answers, Mapping)
        return cls({key: Answer.model_validate(value) for key, value in answers.items()})


def _whole(bounds: tuple[float | None, float | None] | None) -> tuple[int | None, int | None] | None:
    if bounds is None:
        return None
    low, high = bounds
    return None if low is None else int(low), None if high is None else int(high)
