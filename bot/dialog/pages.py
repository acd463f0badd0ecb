"""Long lists in pages: how they are cut, and what the buttons that turn them say."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from bot.dialog.button import Button

PER_PAGE: Final = 6
"""Entries that a phone shows at once, with their buttons."""
TURN: Final = "turn"
"""The action of a button that shows another page."""

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    """Some entries of a list; `first` is the place of the first one in all of it, `number` this page's of `count`, all from 0."""

    items: tuple[T, ...]
    first: int
    number: int
    count: int

    def numbered(self) -> Iterator[tuple[int, T]]:
        """Yield each entry with its number in the whole list, from 1."""
        return enumerate(self.items, self.first + 1)


def page_of(items: Sequence[T], number: int) -> Page[T]:
    """Return a page, counted from 0; the last one where the list has grown shorter than that."""
    count = max(1, -(-len(items) // PER_PAGE))
    number = min(max(number, 0), count - 1)
    first = number * PER_PAGE
    return Page(tuple(items[first : first + PER_PAGE]), first, number, count)


def page_with(place: int) -> int:
    """Return the page on which the entry at a place (from 0) stands."""
    return place // PER_PAGE


def turn(owner: str, number: int, *what: str) -> Button:
    """Return the button that shows a page (from 0) of a list, which `what` names."""
    return Button(owner, TURN, (*what, str(number)))


def turned(button: Button, *what: str) -> int | None:
    """Return the page that a button shows; None when it is not of the list that `what` names."""
    *named, number = button.args or ("",)
    return int(number) if button.action == TURN and tuple(named) == what and number.isdigit() else None
