"""People using Telegram, for tests: they write, tap, and read, through the sandbox's `/client/` paths alone."""

from dataclasses import dataclass, field

import httpx


class Telegram:
    def __init__(self, url: str, staff_chat_id: int) -> None:
        self.url, self.staff_chat_id = url, staff_chat_id
        self.http = httpx.AsyncClient(base_url=url, timeout=60)
        self.refusals_expected = False

    async def refusals(self) -> list[str]:
        """Calls of the bot that Telegram refused for good; what a fast finger or a lost topic brings about is no fault."""
        harmless = ("not modified", "query is too old", "thread not found", "blocked by the user", "Too Many Requests")
        calls = await self.calls()
        return [
            f"{call['method']}: {call.get('error')}"
            for call in calls
            if 400 <= call["status"] < 500 and not any(text in str(call.get("error")) for text in harmless)
        ]

    async def close(self) -> None:
        await self.http.aclose()

    async def call(self, path: str, body: dict | None = None, method: str | None = None) -> dict:
        self.refusals_expected |= path == "/faults"
        verb = method or ("GET" if body is None else "POST")
        reply = await self.http.request(verb, "/client" + path, json=body)
        data = reply.json()
        assert data["ok"], f"{path}: {reply.status_code} {data.get('error')}"
        return data["result"]

    async def person(self, language: str | None = "en", first_name: str = "Customer", **more) -> "Person":
        user = await self.call("/users", {"first_name": first_name, "language_code": language, **more})
        return Person(self, user["id"])

    async def idle(self) -> None:
        result = await self.call("/idle?quiet_ms=30&timeout_s=20")
        assert result["idle"], "the bot does not come to rest"

    async def advance(self, seconds: float) -> None:
        await self.call("/clock", {"advance_s": seconds})
        await self.idle()

    async def topics(self) -> list[dict]:
        return await self.call(f"/chats/{self.staff_chat_id}/topics")

    async def calls(self, method: str | None = None) -> list[dict]:
        return await self.call("/calls" + (f"?method={method}" if method else ""))


@dataclass
class Person:
    """One person in their private chat with the bot; `chat_id` may name another chat, such as the staff group."""

    telegram: Telegram
    id: int
    last_seq: int = field(default=0)

    async def says(self, text: str, **more) -> list[dict]:
        """Write a text, wait until the bot has answered, and return what is new in the chat from the bot."""
        await self.telegram.call(f"/users/{self.id}/messages", {"text": text, **more})
        await self.telegram.idle()
        return await self.new()

    async def sends(self, **message) -> list[dict]:
        await self.telegram.call(f"/users/{self.id}/messages", message)
        await self.telegram.idle()
        return await self.new()

    async def taps(self, label: str) -> list[dict]:
        """Tap the newest button that bears this label."""
        message, row, col = await self._button(label)
        await self.telegram.call(
            f"/users/{self.id}/taps", {"message_id": message["message_id"], "row": row, "col": col}
        )
        await self.telegram.idle()
        return await self.new()

    async def taps_data(self, message_id: int, data: str, *, stale: bool = False) -> dict:
        body = {"message_id": message_id, "data": data, **({"stale": True} if stale else {})}
        result = await self.telegram.call(f"/users/{self.id}/taps", body)
        await self.telegram.idle()
        return await self.telegram.call(f"/callbacks/{result['callback_query_id']}")

    async def new(self) -> list[dict]:
        """What the bot wrote or changed since the last look."""
        result = await self.telegram.call(f"/chats/{self.id}/messages?after={self.last_seq}")
        self.last_seq = max(self.last_seq, result["seq"])
        return [m for m in result["messages"] if m["from_bot"] and not m["deleted"]]

    async def screen(self) -> list[dict]:
        """Everything that the bot has written here, in order of its last change."""
        result = await self.telegram.call(f"/chats/{self.id}/messages?after=0")
        return [m for m in result["messages"] if m["from_bot"] and not m["deleted"]]

    async def live(self) -> list[dict]:
        """The messages that have buttons now."""
        return [m for m in await self.screen() if m["keyboard"]]

    async def _button(self, label: str) -> tuple[dict, int, int]:
        for message in reversed(await self.screen()):
            for row, buttons in enumerate(message["keyboard"] or []):
                for col, button in enumerate(buttons):
                    if button["text"] == label:
                        return message, row, col
        labels = [b["text"] for m in await self.live() for r in m["keyboard"] for b in r]
        raise AssertionError(f"no button {label!r}; there are {labels}")


def said(messages: list[dict]) -> str:
    """The texts of messages, one below the other."""
    return "\n".join(m.get("text") or m.get("caption") or "" for m in messages)
