"""Checks reply_markup as the server does: its own words for broken JSON, then the limits of keyboards and buttons."""

import json
from dataclasses import dataclass
from typing import Any

from bot.sandbox.links import checked_link, mentioned_user
from bot.sandbox.refusals import bad_request
from bot.sandbox.validation import Json, Mismatch, check_value

_MOST_BUTTONS = 100
_MOST_IN_ROW = 8
_LONGEST_DATA_BYTES = 64
_LONGEST_COPY = 256
_LONGEST_PLACEHOLDER = 64
_LONGEST_MARKUP_BYTES = 10_000
_ACTIONS = frozenset(
    {"url", "callback_data", "web_app", "login_url", "switch_inline_query", "switch_inline_query_current_chat"}
    | {"switch_inline_query_chosen_chat", "copy_text", "callback_game", "pay"}
)
_MARKS = {
    "inline_keyboard": "InlineKeyboardMarkup",
    "keyboard": "ReplyKeyboardMarkup",
    "remove_keyboard": "ReplyKeyboardRemove",
    "force_reply": "ForceReply",
}


@dataclass(frozen=True, slots=True)
class Markup:
    """A checked reply_markup: an inline keyboard is part of the message, anything else is for the reader's screen."""

    inline: Json | None = None
    other: Json | None = None
    fault: str = ""

    def fields(self) -> Json:
        """Return the field of the message."""
        return {"reply_markup": self.inline} if self.inline else {}

    def send(self) -> None:
        """Raise what Telegram's servers refuse only when the message is really sent."""
        if self.fault:
            raise bad_request(self.fault)


def read_markup(value: Any, *, inline_only: bool = False) -> Markup:
    """Return the checked markup; raises Refusal in the order of the real server."""
    if value is None:
        return Markup()
    if isinstance(value, str):
        raise bad_request("can't parse reply keyboard markup JSON object")
    if not isinstance(value, dict):
        raise bad_request("object expected as reply markup")
    if not value:
        return Markup()
    field = next((name for name in _MARKS if name in value), None)
    if field is None or (inline_only and field != "inline_keyboard"):
        raise bad_request(
            "inline keyboard expected" if inline_only else "can't parse reply keyboard markup JSON object"
        )
    if field == "inline_keyboard":
        return _inline(value)
    try:
        check_value(_MARKS[field], _spelled_out(value) if field == "keyboard" else value)
    except Mismatch as error:
        raise bad_request(f"can't parse {field}: {error}") from error
    placeholder = value.get("input_field_placeholder", "")
    if len(placeholder) > _LONGEST_PLACEHOLDER:
        raise bad_request("input field placeholder is too long")
    return Markup(other=_spelled_out(value) if field == "keyboard" else value)


def _spelled_out(value: Json) -> Json:
    """Write the buttons of a reply keyboard that came as plain texts as objects."""
    rows = value["keyboard"]
    if not isinstance(rows, list):
        return value
    spelled = [
        [{"text": b} if isinstance(b, str) else b for b in row] if isinstance(row, list) else row for row in rows
    ]
    return {**value, "keyboard": spelled}


def _inline(value: Json) -> Markup:
    rows = value["inline_keyboard"]
    if not isinstance(rows, list):
        raise bad_request('field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays')
    kept = []
    for row in rows:
        if not isinstance(row, list):
            raise bad_request('field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays')
        for button in row:
            _check_button(button)
        if row:
            kept.append(row)
    try:
        check_value("InlineKeyboardMarkup", value)
    except Mismatch as error:
        raise bad_request(f"can't parse inline keyboard button: {error}") from error
    return Markup(inline={"inline_keyboard": kept} if kept else None, fault=_late_fault(kept))


def _check_button(button: Any) -> None:
    """Check what the server itself checks about one button."""
    if isinstance(button, str):
        raise bad_request("text buttons are unallowed in the inline keyboard")
    if not isinstance(button, dict):
        raise bad_request("InlineKeyboardButton must be an Object")
    text = button.get("text")
    if not isinstance(text, str) or not text.strip():
        raise bad_request("inline keyboard button text must be non-empty")
    actions = [name for name in button if name in _ACTIONS]
    if not actions:
        raise bad_request("text buttons are unallowed in the inline keyboard")
    if len(actions) > 1:
        raise bad_request("inline keyboard button must have exactly one action")
    url = button.get("url")
    if isinstance(url, str) and mentioned_user(url) is None and checked_link(url) is None:
        raise bad_request(f"inline keyboard button URL '{url}' is invalid: Wrong HTTP URL")


def _late_fault(rows: list[list[Json]]) -> str:
    """Return what Telegram's data centre would refuse about the keyboard, or nothing."""
    buttons = [button for row in rows for button in row]
    for button in buttons:
        if "callback_data" in button and not 1 <= len(button["callback_data"].encode()) <= _LONGEST_DATA_BYTES:
            return "BUTTON_DATA_INVALID"
        if "copy_text" in button and not 1 <= len(button["copy_text"]["text"]) <= _LONGEST_COPY:
            return "BUTTON_COPY_TEXT_INVALID"
    too_many = len(buttons) > _MOST_BUTTONS or any(len(row) > _MOST_IN_ROW for row in rows)
    if too_many or len(json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode()) > _LONGEST_MARKUP_BYTES:
        return "reply markup is too long"
    return ""
