"""Faults that a test asks for: refusals, broken connections, slow answers and odd deliveries."""

from dataclasses import dataclass, field
from typing import Any

from bot.sandbox.refusals import Refusal

Json = dict[str, Any]

_MATCH = frozenset({"method", "chat_id", "times", "skip"})
_ACTION: dict[str, type | tuple[type, ...]] = {
    "status": int,
    "description": str,
    "retry_after": int,
    "migrate_to_chat_id": int,
    "html_502": bool,
    "delay_s": (int, float),
    "hang": bool,
    "reset": bool,
    "half_body": bool,
    "bad_json": bool,
    "after_effect": bool,
}
_DELIVERIES = frozenset({"duplicate", "redeliver", "conflict", "late"})
_DEFAULT_TEXT = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden: bot was blocked by the user",
    404: "Not Found",
    409: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
    413: "Request Entity Too Large",
    429: "Too Many Requests",
    500: "Internal Server Error: restart",
    502: "Bad Gateway",
}


@dataclass(slots=True)
class Fault:
    """A fault that waits for a matching call."""

    action: Json
    method: str = ""
    chat_id: int | str | None = None
    times: int = 1
    skip: int = 0

    def matches(self, method: str, chat_id: Any) -> bool:
        """Tell whether a call is one of those meant."""
        if self.method and self.method.lower() != method.lower():
            return False
        return self.chat_id is None or str(self.chat_id) == str(chat_id)

    def refusal(self) -> Refusal | None:
        """Return the error answer of this fault, if it is one."""
        action = self.action
        code = action.get("status")
        if "retry_after" in action:
            code = code or 429
        if "migrate_to_chat_id" in action:
            code = code or 400
        if code is None and "description" not in action:
            return None
        code = code or 400
        text = action.get("description")
        if text is None and "migrate_to_chat_id" in action:
            text = "Bad Request: group chat was upgraded to a supergroup chat"
        if text is None and "retry_after" in action:
            text = f"Too Many Requests: retry after {action['retry_after']}"
        return Refusal(
            code,
            text or _DEFAULT_TEXT.get(code, "Internal Server Error"),
            retry_after=action.get("retry_after"),
            migrate_to=action.get("migrate_to_chat_id"),
        )


@dataclass(slots=True)
class Faults:
    """The faults that wait, in the order in which they were asked for."""

    waiting: list[Fault] = field(default_factory=list)

    def add(self, match: Json, action: Json) -> None:
        """Plan a fault; raises ValueError for what is not understood."""
        unknown = [*(match.keys() - _MATCH), *(action.keys() - _ACTION.keys())]
        if unknown:
            raise ValueError(f"unknown: {', '.join(sorted(unknown))}")
        if not action:
            raise ValueError("a fault needs an action")
        for name, value in action.items():
            if not isinstance(value, _ACTION[name]):
                raise ValueError(f"{name} has the wrong type")  # noqa: TRY004 - all faults of the body are alike
        self.waiting.append(Fault(action, **match))

    def take(self, method: str, chat_id: Any) -> Fault | None:
        """Return the fault for a call, if there is one, and count it."""
        for fault in self.waiting:
            if fault.matches(method, chat_id):
                if fault.skip > 0:
                    fault.skip -= 1
                    continue
                fault.times -= 1
                if fault.times <= 0:
                    self.waiting.remove(fault)
                return fault
        return None

    @staticmethod
    def checked_delivery(name: Any) -> str:
        """Return the name of a delivery fault; raises ValueError for an unknown one."""
        if name not in _DELIVERIES:
            raise ValueError(f"delivery must be one of {', '.join(sorted(_DELIVERIES))}")
        return str(name)
