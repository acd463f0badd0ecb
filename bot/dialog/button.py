"""Buttons as values, and their 64 bytes of callback data."""

import re
from dataclasses import dataclass
from typing import Final

VERSION: Final = "1"
LONGEST_DATA: Final = 64
"""Bytes of callback data that Telegram takes."""

_PART = re.compile(r"[A-Za-z0-9_\-]*")


@dataclass(frozen=True)
class Button:
    """What a button means: the thing it belongs to (a dialog, a trial, …), what to do, and with what; ASCII codes only."""

    owner: str
    action: str
    args: tuple[str, ...] = ()

    def encode(self) -> str:
        """Return the callback data; raises ValueError for parts that are not plain codes, or for over 64 bytes.

        The action comes last, so that outside checks can tell a confirm button by the end of its data.
        """
        parts = (VERSION, self.owner, *self.args, self.action)
        if not all(_PART.fullmatch(part) for part in parts):
            raise ValueError(f"not plain codes: {parts}")
        data = ":".join(parts)
        if len(data) > LONGEST_DATA:
            raise ValueError(f"longer than {LONGEST_DATA} bytes: {data}")
        return data

    @classmethod
    def decode(cls, data: str | None) -> "Button | None":
        """Read callback data; None for what another version or nobody of ours has made."""
        parts = (data or "").split(":")
        if len(parts) < 3 or parts[0] != VERSION or not all(_PART.fullmatch(part) for part in parts):  # noqa: PLR2004 - version, owner, action
            return None
        return cls(owner=parts[1], action=parts[-1], args=tuple(parts[2:-1]))
