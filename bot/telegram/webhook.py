"""The bot's own HTTP server: updates by webhook, health for load balancers, and metrics."""

import hmac
import json
import re
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, Final

import structlog
from tornado.httpserver import HTTPServer
from tornado.web import Application, RequestHandler

from bot.storage.outage import is_outage
from bot.telegram import metrics
from bot.telegram.arrival import arrival
from bot.telegram.inbox import Inbox

log = structlog.get_logger(__name__)

PATH: Final = "/telegram"
LARGEST_BODY: Final = 1024 * 1024
"""Bytes; Telegram's updates are a few thousand."""

SECRET_HEADER: Final = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105 - a header's name


class WebServer:
    """Serves `/telegram` and `path` (when there is an inbox for them), `/healthz`, `/readyz` and `/metrics`.

    `path` is that of the public address: a proxy may pass it on as it is, or send all to `/telegram`.
    `ready` says what keeps this copy from working, or nothing; `refresh` brings metrics up to date that are read from tables.
    """

    def __init__(
        self,
        *,
        inbox: Inbox | None,
        secret: str,
        path: str = PATH,
        ready: Callable[[], Awaitable[str]],
        refresh: Callable[[], Awaitable[None]],
    ) -> None:
        routes: list[Any] = [
            ("/healthz", _Healthy),
            ("/readyz", _Ready, {"ready": ready}),
            ("/metrics", _Metrics, {"refresh": refresh}),
        ]
        if inbox is not None:
            kept = {"inbox": inbox, "secret": secret}
            routes += [(re.escape(one), _Updates, kept) for one in {PATH, path or "/"}]
        application = Application(routes, log_function=lambda _handler: None)
        self._server = HTTPServer(application, max_body_size=LARGEST_BODY, max_buffer_size=2 * LARGEST_BODY)

    def start(self, host: str, port: int) -> None:
        """Listen; raises OSError when the port cannot be used."""
        self._server.listen(port, address=host, reuse_port=False)

    async def stop(self) -> None:
        """Take no more connections, and close those that are open."""
        self._server.stop()
        await self._server.close_all_connections()


class _Updates(RequestHandler):
    """Takes updates from whoever knows the secret; 2xx only once the update is stored."""

    def initialize(self, inbox: Inbox, secret: str) -> None:
        self._inbox, self._secret = inbox, secret.encode()

    def prepare(self) -> None:
        """Refuse forged calls; the comparison takes the same time however much is right."""
        given = self.request.headers.get(SECRET_HEADER, "").encode(errors="replace")
        if not hmac.compare_digest(given, self._secret):
            metrics.ERRORS.labels("forged_update").inc()
            self.set_status(HTTPStatus.FORBIDDEN)
            self.finish()

    async def post(self) -> None:
        """Store one update."""
        try:
            update = arrival(json.loads(self.request.body, parse_constant=_refuse))
        except (ValueError, RecursionError):
            self.set_status(HTTPStatus.BAD_REQUEST)
            return
        try:
            await self._inbox.store([update])
        except Exception as error:
            if is_outage(error):
                log.warning("update_not_stored", update_id=update.update_id, error=type(error).__name__)
            else:
                log.exception("update_not_stored", update_id=update.update_id)
            metrics.ERRORS.labels("update_not_stored").inc()
            self.set_status(HTTPStatus.SERVICE_UNAVAILABLE)


class _Healthy(RequestHandler):
    """The process lives and its loop turns."""

    def get(self) -> None:
        self.write("ok\n")


class _Ready(RequestHandler):
    """Whether the database answers, and Telegram does."""

    def initialize(self, ready: Callable[[], Awaitable[str]]) -> None:
        self._ready = ready

    async def get(self) -> None:
        obstacle = await self._ready()
        if obstacle:
            self.set_status(HTTPStatus.SERVICE_UNAVAILABLE)
        self.write(f"{obstacle or 'ok'}\n")


class _Metrics(RequestHandler):
    """All metrics of this copy."""

    def initialize(self, refresh: Callable[[], Awaitable[None]]) -> None:
        self._refresh = refresh

    async def get(self) -> None:
        await self._refresh()
        self.set_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
        self.write(metrics.page())


def _refuse(constant: str) -> None:
    """NaN and Infinity are no JSON, and no database takes them."""
    raise ValueError(constant)
