"""A checked call of a Bot API method."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.sandbox.forms import Upload
from bot.sandbox.models import Json


@dataclass(frozen=True, slots=True)
class Call:
    """The method as documented, its parameters with their types, and the uploads by field name."""

    method: str
    params: Json
    uploads: Mapping[str, Upload]

    def text(self, name: str) -> str:
        """Return a String parameter, empty when it is absent."""
        return str(self.params.get(name, ""))

    def integer(self, name: str) -> int:
        """Return an Integer parameter, 0 when it is absent: the server does not tell the two apart."""
        value: Any = self.params.get(name, 0)
        return int(value)

    def flag(self, name: str) -> bool:
        """Return a Boolean parameter, false when it is absent."""
        return bool(self.params.get(name, False))


@dataclass(frozen=True, slots=True)
class Described:
    """A result with the `description` that a few methods put beside it."""

    result: Any
    description: str
