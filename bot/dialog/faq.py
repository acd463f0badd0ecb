"""Short answers to what customers ask in between: a curated list in two languages, and the search in it."""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, ValidationError
from rapidfuzz import fuzz, process

from bot.errors import ConfigurationError
from bot.quantities.folding import fold, lower

CLOSE_ENOUGH: Final = 78.0
"""Likeness (0..100) from which an entry answers a question; below it a person is offered instead."""

LONGEST_QUESTION: Final = 200
"""Characters; what is longer is no short question, and comparing it would take long."""
_LEAST: Final = 2
"""Words that a question needs when the fillers are gone; "how?" alone asks for nothing in the list."""
_HOLDS: Final = 0.9
_ENOUGH: Final = 3
"""Words, or Chinese characters, that a pattern needs to count inside a longer question."""

_BUILT_IN: Final = Path(__file__).parent / "data" / "faq.toml"
_HAN = re.compile(r"([\u3400-\u9fff])")
_SIGNS = re.compile(r"[^\w\u3400-\u9fff]+")
_FILLERS = re.compile(
    r"请问一下|请问|想问一下|问一下|咨询一下|你们|您们|我们|咱们|的话|一下|这个|那个|到底|现在|如果|是不是|有没有|可不可以|能不能|可以|[吗呢啊吧呀了的么嘛您你我]"
    r"|(?<![a-z])(?:please|could|can|would|you|tell|me|us|the|a|an|is|are|do|does|did|i|we|my|our|your|it|of|for|to|if|will|be|by|on|in|there|any|hi|hello|hey|excuse|just|actually|with)(?![a-z])"
)


class Entry(BaseModel):
    """One entry: how people ask, in either language, what it is about, and the answer in both.

    A line of `about` names ideas that a question must hold all, or after "!" must not hold.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    about: tuple[str, ...] = ()
    asked: tuple[str, ...]
    en: str
    zh: str

    def answer(self, locale: str) -> str:
        """Return the answer in a language of the desk, before any conversion of script."""
        return self.zh if locale.startswith("zh") else self.en


@cache
def entries(more: str = "") -> tuple[Entry, ...]:
    """Return the built-in list, with the entries of a staff's own file before it; an entry of the same key replaces ours.

    Raises ConfigurationError when that file cannot be read.
    """
    own = _read(Path(more)) if more else ()
    built_in = _read(_BUILT_IN)
    return (*own, *(entry for entry in built_in if entry.key not in {other.key for other in own}))


def find(asked: str, listed: tuple[Entry, ...]) -> Entry | None:
    """Return the entry that answers a question, by its words or else by its ideas."""
    return search(asked, listed) or search_by_ideas(asked, listed)


def search_by_ideas(asked: str, listed: tuple[Entry, ...]) -> Entry | None:
    """Return the entry that a question is about, however it is worded: of several the one with the most ideas, then the first."""
    if len(asked) > LONGEST_QUESTION:
        return None
    words = lower(fold(asked))
    held = {name for name, pattern in _ideas().items() if pattern.search(words)}
    best, most = None, 0
    for entry in listed:
        for wanted, unwanted in map(_named, entry.about):
            if len(wanted) > most and wanted <= held and not unwanted & held:
                best, most = entry, len(wanted)
    return best


def search(asked: str, listed: tuple[Entry, ...]) -> Entry | None:
    """Return the entry that answers a question, None when none is close enough.

    Chinese is compared by characters and English by words, in any order, so that word order and fillers do not matter.
    """
    spoken = _comparable(asked) if len(asked) <= LONGEST_QUESTION else ""
    if len(spoken.split()) < _LEAST:
        return None
    patterns, owners = _patterns(listed)
    best = process.extractOne(spoken, patterns, scorer=_likeness, score_cutoff=CLOSE_ENOUGH)
    return owners[best[2]] if best else None


def _likeness(one: str, other: str, *, score_cutoff: float | None = None) -> float:
    """Words in any order; a long question may hold a short pattern whole, which counts a little less."""
    whole = fuzz.token_sort_ratio(one, other)
    inside = fuzz.token_set_ratio(one, other) * _HOLDS if len(other.split()) >= _ENOUGH else 0.0
    best = max(whole, inside)
    return best if score_cutoff is None or best >= score_cutoff else 0.0


@cache
def _patterns(listed: tuple[Entry, ...]) -> tuple[list[str], list[Entry]]:
    pairs = [(_comparable(pattern), entry) for entry in listed for pattern in entry.asked]
    return [pattern for pattern, _ in pairs], [entry for _, entry in pairs]


def _comparable(text: str) -> str:
    """Folded, without fillers and signs, and with every Chinese character as a word of its own."""
    plain = _SIGNS.sub(" ", lower(fold(text)).casefold())
    bare = _FILLERS.sub(" ", plain)
    return " ".join(_HAN.sub(r" \1 ", bare if bare.strip() else plain).split())


@cache
def _ideas() -> dict[str, re.Pattern[str]]:
    """The patterns of ideas; in ASCII, so that a Latin word ends where Chinese begins."""
    return {name: re.compile(pattern, re.ASCII) for name, pattern in _load(_BUILT_IN)["ideas"].items()}


@cache
def _named(line: str) -> tuple[frozenset[str], frozenset[str]]:
    """The ideas that a line of `about` asks for, and those that it excludes."""
    words = line.split()
    return frozenset(w for w in words if w[0] != "!"), frozenset(w[1:] for w in words if w[0] == "!")


def _read(path: Path) -> tuple[Entry, ...]:
    try:
        read = tuple(Entry.model_validate(record) for record in _load(path)["entry"])
    except (OSError, KeyError, ValueError, ValidationError) as error:
        raise ConfigurationError(f"the list of questions {path.name} cannot be read: {error}") from error
    unknown = {
        name for entry in read for line in entry.about for name in frozenset.union(*_named(line))
    } - _ideas().keys()
    if unknown:
        raise ConfigurationError(f"the list of questions {path.name} names unknown ideas: {', '.join(sorted(unknown))}")
    return read


@cache
def _load(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return tomllib.load(file)
