"""Finds the options of a field in what a person wrote, by code, label or other words, in either language."""

import re
from functools import cache

from bot.checklist.field import Field, Option
from bot.i18n import LOCALES, texts
from bot.quantities.folding import fold, lower


def match_option(field: Field, said: str) -> Option | None:
    """Return the one option that the words name; None when they name none, or several equally well."""
    found = matching_options(field, said)
    return found[0] if len(found) == 1 else None


def matching_options(field: Field, said: str) -> tuple[Option, ...]:
    """Return the options whose code, label or words stand in the text; a longer name hides a shorter one inside it.

    So "QLoRA" is not also LoRA, and "continued pretraining" not also training.
    """
    kept = options_in(field, plain_text(said))
    return tuple(option for option in field.options if any(hit[2] is option for hit in kept))


def options_in(field: Field, plain: str, *, short: bool = True) -> list[tuple[int, int, Option]]:
    """Return where options stand in a text in lower case, as (start, end, option); without `short`, by unmistakable words alone."""
    hits = [
        (m.start(), m.end(), option)
        for option in field.options
        for pattern in _patterns(option, short=short)
        for m in pattern.finditer(plain)
    ]
    kept = _outermost({hit[:2] for hit in hits})
    return [hit for hit in hits if hit[:2] in kept]


def _outermost(places: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """The places that lie in no longer one."""
    kept, reached = set(), 0
    for start, end in sorted(places, key=lambda place: (place[0], -place[1])):
        if end > reached:
            kept.add((start, end))
            reached = end
    return kept


@cache
def _patterns(option: Option, *, short: bool) -> tuple[re.Pattern[str], ...]:
    names = _names(option) if short else tuple(plain_text(word) for word in option.words)
    return tuple(re.compile(_pattern(name)) for name in names)


def _names(option: Option) -> tuple[str, ...]:
    labels = tuple(texts(locale).text(option.label) for locale in LOCALES)
    return tuple({plain_text(name) for name in (option.code.replace("_", " "), *labels, *option.words, *option.short)})


def _pattern(name: str) -> str:
    """A name as a pattern; Latin names must stand as words of their own, Chinese ones anywhere."""
    escaped = re.escape(name)
    left = r"(?<![a-z0-9])" if name[0].isascii() else ""
    right = r"(?:s|ed)?(?![a-z0-9])" if name[-1].isascii() else ""
    return left + escaped + right


def plain_text(text: str) -> str:
    """Return a text as names are compared: folded and in lower case."""
    return lower(fold(text)).casefold().strip()
