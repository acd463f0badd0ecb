"""Whole answers in both languages, read into normal forms."""

import csv
import pathlib
import re
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.quantities import KINDS, parse

DATA = pathlib.Path(__file__).parent / "data"
NOW = datetime(2026, 11, 30, 10, tzinfo=ZoneInfo("Asia/Shanghai"))


def rows():
    for file in sorted(DATA.glob("*.csv")):
        with file.open(encoding="utf-8") as lines:
            for number, row in enumerate(csv.DictReader(lines), start=2):
                yield pytest.param(row, id=f"{file.stem}:{number}:{row['kind']}:{row['input']}")


def by_value(form):
    """A form as a set of parts, numbers by value: 7e9 is 7000000000."""
    number = re.compile(r"([A-Za-z?]*)(\d+(?:\.\d+)?(?:e\d+)?)([A-Za-z]*)")

    def token(text):
        m = number.fullmatch(text)
        return f"{m[1]}{float(m[2])}{m[3]}" if m else text

    if form in (None, "null"):
        return None
    return frozenset("".join(token(t) for t in re.split(r"(=|\||\.\.|ask:|,)", part)) for part in form.split(";"))


@pytest.mark.parametrize("row", list(rows()))
def test_answer_is_read_as_its_table_says(row):
    answer = parse(row["kind"], row["input"], now=NOW, lang=row["lang"])
    assert by_value(answer) == by_value(row["expected"]), answer


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_and_noise_are_not_understood(kind):
    for text in ("", "   ", "你好", "blah blah", "asdf 12 qwer 34"):
        assert parse(kind, text, now=NOW) is None or kind == "tbd"


def test_unknown_kind_is_an_error():
    with pytest.raises(ValueError, match="unknown kind"):
        parse("colour", "red", now=NOW)
