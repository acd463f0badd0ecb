"""What the Bot API server says when it refuses a call, with the wording rules of the real one."""

import json


class Refusal(Exception):  # noqa: N818 - a refusal is an answer of the server, not a fault of this program
    """An error answer: HTTP status, description and the `parameters` that go with it."""

    def __init__(
        self, code: int, description: str, *, retry_after: int | None = None, migrate_to: int | None = None
    ) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.retry_after = retry_after
        self.migrate_to = migrate_to

    def body(self) -> bytes:
        """Return the JSON body of the answer."""
        answer: dict[str, object] = {"ok": False, "error_code": self.code, "description": self.description}
        parameters: dict[str, int] = {}
        if self.retry_after is not None:
            parameters["retry_after"] = self.retry_after
        if self.migrate_to is not None:
            parameters["migrate_to_chat_id"] = self.migrate_to
        if parameters:
            answer["parameters"] = parameters
        return json.dumps(answer, ensure_ascii=False).encode()


def bad_request(text: str) -> Refusal:
    """Return a 400; the first letter is lowered unless the text is a code such as BUTTON_DATA_INVALID."""
    return Refusal(400, f"Bad Request: {_lowered(text)}")


def forbidden(text: str) -> Refusal:
    """Return a 403."""
    return Refusal(403, f"Forbidden: {_lowered(text)}")


def conflict(text: str) -> Refusal:
    """Return a 409."""
    return Refusal(409, f"Conflict: {_lowered(text)}")


def not_found(text: str = "") -> Refusal:
    """Return a 404; without a text the path itself is unknown."""
    return Refusal(404, f"Not Found: {_lowered(text)}" if text else "Not Found")


def unauthorized(text: str = "") -> Refusal:
    """Return a 401; without a text the token is well formed but not known."""
    return Refusal(401, f"Unauthorized: {_lowered(text)}" if text else "Unauthorized")


def too_many_requests(seconds: int) -> Refusal:
    """Return a 429 that asks to wait `seconds`."""
    return Refusal(429, f"Too Many Requests: retry after {seconds}", retry_after=seconds)


def upgraded(new_id: int) -> Refusal:
    """Return the 400 of a group that became the supergroup `new_id`."""
    return Refusal(400, "Bad Request: group chat was upgraded to a supergroup chat", migrate_to=new_id)


def _lowered(text: str) -> str:
    """Lower the first letter as the server does: a code keeps its capitals."""
    if len(text) > 1 and (text[1] == "_" or "A" <= text[1] <= "Z"):
        return text
    return text[:1].lower() + text[1:]
