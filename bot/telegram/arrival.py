"""Reads from an update as it arrives what must be known before it is stored: its number and its chat."""

import re
from typing import Any, Final

from bot.storage.inbox import Arrival

_LARGEST: Final = 2**63
_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")
"""What JSON can write and no database or encoding takes: NUL, and halves of characters."""


def arrival(update: Any) -> Arrival:
    """Return an update with the chat whose order it keeps; 0 where there is none.

    A message's chat, else the person's private one. Characters that cannot be stored become U+FFFD. Raises ValueError for what is no update: it has no number.
    """
    if not isinstance(update, dict) or not _is_id(update.get("update_id")):
        raise ValueError("no update: its number is missing")
    chat_id = 0
    for part in update.values():
        if isinstance(part, dict):
            chat_id = _chat(part) or _chat(part.get("message")) or _person(part)
            break
    return Arrival(update["update_id"], chat_id, _storable(update))


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return _UNSTORABLE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {key: _storable(each) for key, each in value.items()}
    return [_storable(each) for each in value] if isinstance(value, list) else value


def _chat(part: Any) -> int:
    chat = part.get("chat") if isinstance(part, dict) else None
    return _id_of(chat)


def _person(part: dict[str, Any]) -> int:
    return _id_of(part.get("from")) or _id_of(part.get("user"))


def _id_of(part: Any) -> int:
    found = part.get("id") if isinstance(part, dict) else None
    return int(found) if _is_id(found) and found is not None else 0


def _is_id(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and -_LARGEST <= value < _LARGEST
