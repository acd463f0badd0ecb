"""Posts updates to the bot's webhook: in order for each chat, at once for different ones, again after a failure."""

import asyncio
import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest, HTTPResponse

from bot.sandbox.updates import Entry, Updates

Json = dict[str, Any]

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
"""The only hosts that are really contacted."""

_ANSWER_WITHIN_S = 60
_LONGEST_WAIT_S = 3600
_GONE_AFTER_S = 23 * 3600
_BACK_OFF_LIMIT_S = 60
_NOT_AS_AN_ANSWER = ("get", "setwebhook", "deletewebhook", "close", "logout")


@dataclass(frozen=True, slots=True)
class Target:
    """Where updates go."""

    url: str
    secret: str
    max_connections: int
    ip_address: str
    has_certificate: bool


class Webhook:
    """The webhook of the bot, if it has set one."""

    def __init__(self, updates: Updates, now: Callable[[], float]) -> None:
        self._updates = updates
        self._now = now
        self.execute: Callable[[Json], None] = lambda _: None
        self.target: Target | None = None
        self._lanes: dict[str, asyncio.Task[None]] = {}
        self._client: AsyncHTTPClient | None = None
        self._set_at = float("-inf")
        self._last_error: tuple[float, str] | None = None
        self._gone_since: float | None = None
        updates.on_push = self._start

    def hurried(self) -> bool:
        """Tell whether the webhook was set within the last second."""
        return time.monotonic() - self._set_at < 1

    def set(self, target: Target) -> None:
        """Start to deliver to `target`."""
        self._stop_lanes()
        self.target, self._last_error, self._gone_since = target, None, None
        self._set_at = time.monotonic()
        self._client = self._client or AsyncHTTPClient(force_instance=True, max_clients=100)
        self._start()

    def remove(self) -> None:
        """Stop delivering; what is not confirmed waits for a poller."""
        self._stop_lanes()
        self.target = None
        if self._client is not None:
            self._client.close()
            self._client = None

    def forget(self) -> None:
        """Forget all, the times too."""
        self.remove()
        self._set_at, self._last_error = float("-inf"), None

    def info(self) -> Json:
        """Return the Bot API `WebhookInfo` without what the queue knows."""
        target = self.target
        if target is None:
            return {"url": "", "has_custom_certificate": False}
        about: Json = {
            "url": target.url,
            "has_custom_certificate": target.has_certificate,
            "max_connections": target.max_connections,
        }
        if target.ip_address:
            about["ip_address"] = target.ip_address
        if self._last_error is not None:
            about["last_error_date"] = int(self._last_error[0])
            about["last_error_message"] = self._last_error[1]
        return about

    def _stop_lanes(self) -> None:
        for task in self._lanes.values():
            task.cancel()
        self._lanes.clear()

    def _start(self) -> None:
        """Give every lane that has something to deliver a task, as far as connections allow."""
        if self.target is None:
            return
        for entry in self._updates.ready():
            if len(self._lanes) >= self.target.max_connections:
                return
            if entry.lane not in self._lanes:
                task = asyncio.ensure_future(self._deliver_lane(entry.lane, self.target))
                self._lanes[entry.lane] = task
                task.add_done_callback(partial(self._lane_done, entry.lane))

    def _lane_done(self, lane: str, task: "asyncio.Task[None]") -> None:
        if self._lanes.get(lane) is task:
            del self._lanes[lane]
            self._start()

    async def _deliver_lane(self, lane: str, target: Target) -> None:
        """Deliver what waits in one lane, one update after the other."""
        while (entry := next((e for e in self._updates.ready() if e.lane == lane), None)) is not None:
            failures = 0
            while entry in self._updates.entries:
                wait = await self._deliver(entry, target, failures)
                if wait is None:
                    break
                failures += 1
                await asyncio.sleep(wait)

    async def _deliver(self, entry: Entry, target: Target, failures: int) -> float | None:
        """Post one update; None when it is confirmed, else the seconds until the next try."""
        try:
            response = await self._post(entry, target)
        except (HTTPClientError, OSError) as error:
            self._last_error = self._now(), _reason(error)
            return _back_off(failures)
        if HTTPStatus.OK <= response.code < HTTPStatus.MULTIPLE_CHOICES:
            self._gone_since = None
            self._updates.confirm(entry)
            self._take_answer(response)
            return None
        self._last_error = self._now(), f"Wrong response from the webhook: {response.code} {response.reason}"
        if response.code == HTTPStatus.GONE:
            self._gone_since = self._gone_since or self._now()
            if self._now() - self._gone_since > _GONE_AFTER_S:
                self.target = None
                return None
        after = response.headers.get("Retry-After", "")
        return float(min(int(after), _LONGEST_WAIT_S)) if after.isdigit() else _back_off(failures)

    async def _post(self, entry: Entry, target: Target) -> HTTPResponse:
        if urlsplit(target.url).hostname not in LOOPBACK:
            raise OSError("Failed to resolve host: Name or service not known")
        client = self._client
        assert client is not None
        headers = {"Content-Type": "application/json"}
        if target.secret:
            headers["X-Telegram-Bot-Api-Secret-Token"] = target.secret
        request = HTTPRequest(
            target.url,
            method="POST",
            headers=headers,
            body=json.dumps(entry.update, ensure_ascii=False).encode(),
            request_timeout=_ANSWER_WITHIN_S,
            follow_redirects=False,
            # A certificate for this machine is signed by nobody.
            validate_cert=False,
        )
        return await client.fetch(request, raise_error=False)

    def _take_answer(self, response: HTTPResponse) -> None:
        """Execute the method that the answer may name; its result is thrown away."""
        try:
            body = json.loads(response.body or b"null")
        except ValueError:
            return
        if isinstance(body, dict) and isinstance(body.get("method"), str):
            name = body["method"].lower()
            if not name.startswith(_NOT_AS_AN_ANSWER):
                self.execute(body)


def _back_off(failures: int) -> float:
    """Return the wait after so many failures: the first retry comes at once, then 2, 4, 8 ... s."""
    if failures == 0:
        return 0.0
    wait = 2.0**failures
    return wait if wait <= _BACK_OFF_LIMIT_S else random.uniform(_BACK_OFF_LIMIT_S, 2 * _BACK_OFF_LIMIT_S)  # noqa: S311 - no secret


def _reason(error: Exception) -> str:
    if isinstance(error, HTTPClientError):
        return "Read timeout expired" if "imeout" in str(error) else str(error.message or "Connection failed")
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
