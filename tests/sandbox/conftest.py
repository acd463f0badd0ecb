"""A sandbox on a free port, a bare Bot API caller and a bare `/client` caller for each test."""

import ssl
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from bot.sandbox import Sandbox

# httpx would read all certificates of the system anew for each client, though nothing here is encrypted.
TLS = ssl.create_default_context()


class FixedClock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

    def now(self) -> datetime:
        return self.moment

    def advance(self, seconds: float) -> datetime:
        self.moment += timedelta(seconds=seconds)
        return self.moment


@dataclass
class Answer:
    """What the Bot API said."""

    status: int
    body: dict[str, Any]
    headers: httpx.Headers

    @property
    def result(self) -> Any:
        assert self.body.get("ok") is True, self.body
        return self.body["result"]

    @property
    def error(self) -> str:
        assert self.body.get("ok") is False, self.body
        assert self.body["error_code"] == self.status
        return self.body["description"]


@dataclass
class Caller:
    """Calls the Bot API with JSON bodies, and plays people through `/client`."""

    box: Sandbox
    http: httpx.AsyncClient

    async def __call__(self, method: str, files: Any = None, **params: Any) -> Answer:
        path = f"/bot{self.box.token}/{method}"
        if files:
            response = await self.http.post(path, data=params, files=files)
        else:
            response = await self.http.post(path, json=params)
        return Answer(response.status_code, response.json(), response.headers)

    async def ok(self, method: str, files: Any = None, **params: Any) -> Any:
        return (await self(method, files, **params)).result

    async def client(self, path: str, body: Any = None, *, verb: str = "", status: int = 200) -> Any:
        verb = verb or ("GET" if body is None else "POST")
        response = await self.http.request(verb, f"/client{path}", json=body)
        assert response.status_code == status, response.text
        answer = response.json()
        return answer["result"] if status == 200 else answer["error"]

    async def customer(self, **fields: Any) -> int:
        """Add a person who has written to the bot once; the queue is empty afterwards."""
        user = await self.client("/users", {"first_name": "Ada", "language_code": "en", **fields})
        await self.client(f"/users/{user['id']}/messages", {"text": "/start"})
        await self.ok("getUpdates", offset=-1)
        updates = await self.ok("getUpdates")
        await self.ok("getUpdates", offset=updates[-1]["update_id"] + 1)
        return user["id"]

    async def updates(self) -> list[dict[str, Any]]:
        """Fetch and confirm all that waits."""
        found = await self.ok("getUpdates")
        if found:
            await self.ok("getUpdates", offset=found[-1]["update_id"] + 1)
        return found

    async def screen(self, chat_id: int, after: int = 0) -> list[dict[str, Any]]:
        return (await self.client(f"/chats/{chat_id}/messages?after={after}"))["messages"]


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
async def box(clock: FixedClock) -> AsyncIterator[Sandbox]:
    sandbox = Sandbox(port=0, clock=clock)
    await sandbox.start()
    yield sandbox
    await sandbox.stop()


@pytest.fixture
async def call(box: Sandbox) -> AsyncIterator[Caller]:
    async with httpx.AsyncClient(base_url=box.url, timeout=10, verify=TLS) as http:
        yield Caller(box, http)


@pytest.fixture
async def customer(call: Caller) -> int:
    return await call.customer()


@pytest.fixture
async def limited(clock: FixedClock) -> AsyncIterator[tuple[Caller, int]]:
    """A caller and a customer of a sandbox with flood limits."""
    sandbox = Sandbox(port=0, clock=clock, flood_limits=True)
    await sandbox.start()
    async with httpx.AsyncClient(base_url=sandbox.url, timeout=10, verify=TLS) as http:
        caller = Caller(sandbox, http)
        yield caller, await caller.customer()
    await sandbox.stop()
