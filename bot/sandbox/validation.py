"""Checks the parameters of a call against the table in spec.toml; the checks are compiled once, at import."""

import json
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.sandbox.refusals import bad_request

Json = dict[str, Any]
Check = Callable[[Any], Any]

_SPEC = tomllib.loads((Path(__file__).parent / "spec.toml").read_text(encoding="utf-8"))
_TRUE = frozenset({"true", "yes", "1"})
_FALSE = frozenset({"false", "no", "0"})
# The server words these itself, where the method reads them, and in its own order.
_WORDED_BY_METHODS = frozenset(
    {"chat_id", "from_chat_id", "message_id", "text", "photo", "document", "voice", "sticker", "media"}
    | {"action", "callback_query_id", "file_id", "commands", "message_thread_id", "url"}
)
# Types with a parser of their own, which words its refusals: they pass here as decoded JSON.
_OWN_PARSER = frozenset(
    {"ReplyMarkup", "InlineKeyboardMarkup", "Array of BotCommand", "Array of InputMedia", "InputMedia"}
)


class Mismatch(Exception):  # noqa: N818 - becomes a Refusal with the name of the parameter around it
    """A value that is not of the type that the table names."""


@dataclass(frozen=True, slots=True)
class Method:
    """A supported method: its name as documented and a check for each parameter."""

    name: str
    checks: dict[str, Check]
    required: tuple[str, ...]
    takes_files: frozenset[str]

    def read(self, values: Json, uploads: frozenset[str]) -> Json:
        """Return the parameters with their types; raises Refusal for an unknown, missing or malformed one."""
        read: Json = {}
        for name, value in values.items():
            check = self.checks.get(name)
            if check is None:
                raise bad_request(f'unknown parameter "{name}"')
            try:
                checked = check(value)
            except Mismatch as error:
                raise bad_request(f"can't parse {name}: {error}") from error
            if checked is not None:
                read[name] = checked
        for name in self.required:
            if name not in read and name not in uploads:
                raise bad_request(f'parameter "{name}" is required')
        return read


def check_value(kind: str, value: Any) -> Any:
    """Check decoded JSON against a type of the table; raises Mismatch."""
    return _strict(kind)(value)


def _integer(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str):
        if not value:
            return None
        if value.lstrip("-").isdigit() and value.isascii():
            return int(value)
    raise Mismatch("an Integer is expected")


def _number(value: Any) -> Any:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    if isinstance(value, str):
        try:
            return float(value) if value else None
        except ValueError:
            pass
    raise Mismatch("a Float number is expected")


def _boolean(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    word = str(value).lower()
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    if not word:
        return None
    raise Mismatch("a Boolean is expected")


def _string(value: Any) -> Any:
    if isinstance(value, str):
        return value
    # A JSON body may give a number where a text is meant; the server reads it as its digits.
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise Mismatch("a String is expected")


def _chat(value: Any) -> Any:
    try:
        return _integer(value)
    except Mismatch:
        return _string(value)


def _decoded(value: Any) -> Any:
    """Decode JSON text; broken JSON stays a string for the parser that words the refusal."""
    if not isinstance(value, str):
        return value
    if not value:
        return None
    try:
        return json.loads(value)
    except json.JSONDecodeError:
        return value


_LOOSE: dict[str, Check] = {
    "Integer": _integer,
    "Float": _number,
    "Boolean": _boolean,
    "String": _string,
    "Integer | String": _chat,
    "InputFile | String": _string,
    "InputFile": _string,
}


def _loose(kind: str) -> Check:
    """Return the check of a top-level parameter, which may have come as form text."""
    if kind in _LOOSE:
        return _LOOSE[kind]
    if kind in _OWN_PARSER:
        return _decoded
    inner = _strict(kind)

    def check(value: Any) -> Any:
        decoded = _decoded(value)
        return None if decoded is None else inner(decoded)

    return check


def _strict(kind: str) -> Check:
    """Return the check of a value inside JSON, where types are plain to see."""
    if kind not in _STRICT:
        if kind.startswith("Array of "):
            _STRICT[kind] = _array(kind.removeprefix("Array of "))
        elif kind in _SPEC["unions"]:
            _STRICT[kind] = _union(kind, _SPEC["unions"][kind])
        else:
            _STRICT[kind] = _object(kind, _SPEC["types"][kind])
    return _STRICT[kind]


def _plain(name: str, *classes: type) -> Check:
    def check(value: Any) -> Any:
        if isinstance(value, classes) and (bool in classes or not isinstance(value, bool)):
            return value
        raise Mismatch(f"{name} expected")

    return check


_STRICT: dict[str, Check] = {
    "Integer": _plain("an Integer", int),
    "Float": _plain("a Float number", int, float),
    "Boolean": _plain("a Boolean", bool),
    "String": _plain("a String", str),
    "Integer | String": _plain("an Integer or a String", int, str),
}


def _array(kind: str) -> Check:
    def check(value: Any) -> Any:
        if not isinstance(value, list):
            raise Mismatch(f"expected an Array of {kind.removeprefix('Array of ')}")
        inner = _strict(kind)
        return [inner(item) for item in value]

    return check


def _object(kind: str, fields: dict[str, str]) -> Check:
    required = tuple(name[:-1] for name in fields if name.endswith("!"))
    kinds = {name.rstrip("!"): field_kind for name, field_kind in fields.items()}

    def check(value: Any) -> Any:
        if not isinstance(value, dict):
            raise Mismatch(f"{kind} must be an Object")
        for name, item in value.items():
            if name not in kinds:
                raise Mismatch(f'{kind} has no field "{name}"')
            try:
                _strict(kinds[name])(item)
            except Mismatch as error:
                raise Mismatch(f'field "{name}": {error}') from error
        for name in required:
            if name not in value:
                raise Mismatch(f'field "{name}" of {kind} is required')
        return value

    return check


def _union(kind: str, members: dict[str, str]) -> Check:
    def check(value: Any) -> Any:
        if not isinstance(value, dict):
            raise Mismatch(f"{kind} must be an Object")
        member = members.get(str(value.get("type")))
        if member is None:
            raise Mismatch(f'{kind} of type "{value.get("type", "")}" is not known')
        return _strict(member)(value)

    return check


def _compile(name: str, fields: dict[str, str]) -> Method:
    required = tuple(field[:-1] for field in fields if field.endswith("!"))
    kinds = {field.rstrip("!"): kind for field, kind in fields.items()}
    return Method(
        name=name,
        checks={field: _loose(kind) for field, kind in kinds.items()},
        required=tuple(field for field in required if field not in _WORDED_BY_METHODS),
        takes_files=frozenset(field for field, kind in kinds.items() if kind.startswith("InputFile")),
    )


METHODS: dict[str, Method] = {name.lower(): _compile(name, fields) for name, fields in _SPEC["methods"].items()}
"""The supported methods by their name in lower case."""
