"""Reads from an update as it arrives what must be known before it is stored: its number and its chat."""

from typing import Any, Final

from bot.storage.inbox import Arrival

_LARGEST: Final = 2**63


def arrival(update: Any) -> Arrival:
    """Return an update with the chat whose order it keeps; 0 where there is none.

    A message's chat, else the person's private one. Raises ValueError for what is no update: it has no number.
    """
    if not isinstance(update, dict) or not _is_id(update.get("update_id")):
        raise ValueError("no update: its number is missing")
    chat_id = 0
    for part in update.values():
        if isinstance(part, dict):
            chat_id = _chat(part) or _chat(part.get("message")) or _person(part)
            break
    return Arrival(update["update_id"], chat_id, update)


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
