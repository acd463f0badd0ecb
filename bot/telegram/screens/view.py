"""What a rendered screen is, and what a renderer may know."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import Any

from bot.dialog.button import Button
from bot.dialog.pages import Page, turn
from bot.estimation import Prices
from bot.i18n import Texts
from bot.reminders.zones import zone_guess, zone_of
from bot.settings import Settings
from bot.telegram.markup import Html


@dataclass(frozen=True)
class Tap:
    """A button with its label in the reader's language; `url` instead of an action opens a page."""

    label: str
    button: Button | None = None
    url: str | None = None

    def dump(self) -> dict[str, str]:
        """Return Telegram's form of the button."""
        if self.url:
            return {"text": self.label, "url": self.url}
        assert self.button is not None
        return {"text": self.label, "callback_data": self.button.encode()}


@dataclass(frozen=True)
class View:
    """A screen as it goes out: HTML, rows of buttons, and at times a picture to be drawn when it is sent, a file of ours, or a document.

    `document` is its name and its text.
    """

    text: Html
    rows: tuple[tuple[Tap, ...], ...] = ()
    picture: dict[str, Any] | None = None
    file: str | None = None
    document: tuple[str, str] | None = None

    def attached(self) -> tuple[str, str, Any] | None:
        """Return the method that sends what is attached, with the key and value from which the composer makes it; None without."""
        if self.picture is not None:
            return "send_photo", "chart", self.picture
        if self.file is not None:
            return "send_document", "file", self.file
        return ("send_document", "written", list(self.document)) if self.document is not None else None

    def keyboard(self) -> dict[str, Any] | None:
        """Return Telegram's inline keyboard; None without buttons."""
        if not self.rows:
            return None
        return {"inline_keyboard": [[tap.dump() for tap in row] for row in self.rows]}


@dataclass(frozen=True)
class Reader:
    """Who reads: their language and zone, the present moment, today's prices, and the company's settings."""

    texts: Texts
    zone: tzinfo
    now: datetime
    settings: Settings
    prices: Prices = field(default_factory=Prices.default)
    name: str = ""


def zone_for(told: str | None, language_code: str | None, settings: Settings) -> tzinfo:
    """Return the zone of a reader: the one they told, the one that the operator has set, or the one that their language suggests."""
    if told:
        return zone_of(told)
    guess = None if "default_timezone" in settings.model_fields_set else zone_guess(language_code)
    return zone_of(guess) if guess else settings.zone


def pager(page: Page[Any], owner: str, *what: str) -> tuple[tuple[Tap, ...], ...]:
    """Return the row that turns the pages of a list, which `what` names: ‹ 2/3 ›; none for a list of one page."""
    if page.count == 1:
        return ()
    here = Tap(f"{page.number + 1}/{page.count}", turn(owner, page.number, *what))
    before = [Tap("‹", turn(owner, page.number - 1, *what))] if page.number else []
    after = [Tap("›", turn(owner, page.number + 1, *what))] if page.number < page.count - 1 else []
    return ((*before, here, *after),)


def in_rows(taps: Sequence[Tap], *, width: int = 34) -> tuple[tuple[Tap, ...], ...]:
    """Lay buttons out in rows that a phone can show; a Han character counts double."""
    rows: list[list[Tap]] = []
    used = 0
    for tap in taps:
        size = 4 + sum(2 if ord(char) > 0x2E7F else 1 for char in tap.label)  # noqa: PLR2004 - where wide scripts begin
        if not rows or used + size > width or len(rows[-1]) == 3:  # noqa: PLR2004 - more are hard to hit
            rows.append([])
            used = 0
        rows[-1].append(tap)
        used += size
    return tuple(tuple(row) for row in rows)
