"""Which question comes next, which came before, and how far along the checklist is."""

from bot.checklist.answer import Answers
from bot.checklist.field import Field
from bot.checklist.fields import FIELDS


def applicable(answers: Answers) -> tuple[Field, ...]:
    """Return the fields that apply to what has been answered so far, in order."""
    return tuple(field for field in FIELDS if field.when(answers))


def next_field(answers: Answers) -> Field | None:
    """Return the first field that applies and has no answer yet; None when the checklist is complete."""
    return next((field for field in applicable(answers) if field.key not in answers), None)


def previous_field(answers: Answers, key: str | None) -> Field | None:
    """Return the field before `key` among those that apply; before the summary (None) stands the last one."""
    fields = applicable(answers)
    keys = [field.key for field in fields]
    position = keys.index(key) if key in keys else len(keys)
    return fields[position - 1] if position else None


def progress(answers: Answers, key: str) -> tuple[int, int]:
    """Return the number of this question and how many there are as things stand: (7, 25)."""
    keys = [field.key for field in applicable(answers)]
    return keys.index(key) + 1, len(keys)
