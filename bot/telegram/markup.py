"""The one door for formatting: HTML for Telegram, every variable escaped, long texts split with tags closed."""

import html
import re
from collections.abc import Iterable
from typing import Final

TEXT_LIMIT: Final = 4096
CAPTION_LIMIT: Final = 1024
"""Characters after the markup is taken away, as Telegram counts them."""

_TAG = re.compile(r"<[^>]*>")


class Html(str):
    """Text that is markup already; any other string is escaped when it meets one."""

    __slots__ = ()


def escape(text: str) -> Html:
    """Return text as markup; what is markup already stays."""
    return text if isinstance(text, Html) else Html(html.escape(_printable(text), quote=False))


def bold(text: str) -> Html:
    """Return text in bold."""
    return Html(f"<b>{escape(text)}</b>")


def italic(text: str) -> Html:
    """Return text in italics."""
    return Html(f"<i>{escape(text)}</i>")


def code(text: str) -> Html:
    """Return text to be copied as it stands."""
    return Html(f"<code>{escape(text)}</code>")


def link(text: str, url: str) -> Html:
    """Return a link."""
    return Html(f'<a href="{html.escape(url)}">{escape(text)}</a>')


def line(*parts: str) -> Html:
    """Return parts side by side, each escaped if it needs to be."""
    return Html("".join(escape(part) for part in parts))


def lines(*parts: str | None) -> Html:
    """Return lines one below the other; None leaves a line out, an empty string makes a gap."""
    return Html("\n".join(escape(part) for part in parts if part is not None).strip("\n"))


def paragraphs(parts: Iterable[str | None]) -> Html:
    """Return blocks with a gap between them; empty ones are left out."""
    return Html("\n\n".join(escape(part) for part in parts if part))


def visible(markup: str) -> str:
    """Return markup as a reader sees it."""
    return html.unescape(_TAG.sub("", markup))


def split(markup: Html, limit: int = TEXT_LIMIT) -> list[Html]:
    """Cut markup into pieces of at most `limit` visible characters, at line ends; tags never cross a line here.

    A single line that is longer is cut as plain text, so that nothing is lost.
    """
    pieces: list[str] = []
    current = ""
    for row in markup.split("\n"):
        for part in _cut(row, limit):
            joined = f"{current}\n{part}" if current else part
            if len(visible(joined)) > limit:
                pieces.append(current)
                joined = part
            current = joined
    return [Html(piece) for piece in [*pieces, current] if visible(piece).strip()]


def _cut(row: str, limit: int) -> list[str]:
    if len(visible(row)) <= limit:
        return [row]
    plain = visible(row)
    return [html.escape(plain[start : start + limit], quote=False) for start in range(0, len(plain), limit)]


def _printable(text: str) -> str:
    """Lone surrogates and control characters would be refused or dropped by Telegram."""
    return "".join(char for char in text if char in "\n\t" or (ord(char) >= 32 and not 0xD800 <= ord(char) <= 0xDFFF))  # noqa: PLR2004 - control characters end at 32
