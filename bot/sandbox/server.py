"""The sandbox as a whole: one port with the Bot API, the `/client` paths and the chat page."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from urllib.parse import unquote, urlsplit

from bot.sandbox.bot_api import BotApi
from bot.sandbox.calls import CallLog
from bot.sandbox.client import Client
from bot.sandbox.clock import Clock, WallClock
from bot.sandbox.events import Events
from bot.sandbox.flood import FloodLimits
from bot.sandbox.idle import Idle
from bot.sandbox.models import User
from bot.sandbox.pages import page_file
from bot.sandbox.wire import Answer, HttpProtocol, Reply, Request
from bot.sandbox.world import STAFF_CHAT_ID, World

DEFAULT_TOKEN = "123456789:AAEsandboxDeskTokenForLocalUseOnly0"  # noqa: S105 - opens nothing but this local server
_HOSTS = frozenset({"127.0.0.1", "localhost", "::1"})


class Sandbox:
    """A local Telegram for one bot.

    `quiet` says whether a bot in the same process has nothing to do; `on_clock` is called after the clock was moved.
    Both may also be assigned later. After `start`, `port`, `url`, `api_url` and `file_url` are valid.
    """

    def __init__(
        self,
        *,
        port: int = 8081,
        clock: Clock | None = None,
        token: str = DEFAULT_TOKEN,
        username: str = "gpu_desk_bot",
        quiet: Callable[[], Awaitable[bool]] | None = None,
        on_clock: Callable[[], None] | None = None,
        flood_limits: bool = False,
    ) -> None:
        self.port = port
        self.token = token
        self.staff_chat_id = STAFF_CHAT_ID
        clock = clock or WallClock()
        bot = User(int(token.partition(":")[0]), "GPU Desk", username=username, is_bot=True)
        self._events = Events()
        self.world = World(bot=bot, clock=clock, events=self._events)
        self._calls = CallLog(os.environ.get("SANDBOX_CALL_LOG"))
        flood = FloodLimits() if flood_limits else None
        self._bot_api = BotApi(self.world, token=token, calls=self._calls, flood=flood)
        self._idle = Idle(self.world, self._bot_api)
        self._client = Client(self.world, self._bot_api, clock, self._idle, token)
        self.quiet = quiet
        self.on_clock = on_clock
        self._connections: set[HttpProtocol] = set()
        self._server: asyncio.Server | None = None

    @property
    def quiet(self) -> Callable[[], Awaitable[bool]] | None:
        """What tells whether the bot in the same process is at rest."""
        return self._idle.quiet

    @quiet.setter
    def quiet(self, hook: Callable[[], Awaitable[bool]] | None) -> None:
        self._idle.quiet = hook

    @property
    def on_clock(self) -> Callable[[], None] | None:
        """What is called after the clock was moved."""
        return self._client.on_clock

    @on_clock.setter
    def on_clock(self, hook: Callable[[], None] | None) -> None:
        self._client.on_clock = hook

    @property
    def url(self) -> str:
        """The address of the page, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def api_url(self) -> str:
        """The `base_url` for a bot library: the token follows directly."""
        return f"{self.url}/bot"

    @property
    def file_url(self) -> str:
        """The `base_file_url` for a bot library."""
        return f"{self.url}/file/bot"

    async def start(self) -> None:
        """Bind to 127.0.0.1; port 0 takes any free one."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            lambda: HttpProtocol(self._handle, self._connections), "127.0.0.1", self.port
        )
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Close the port and every connection."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for connection in list(self._connections):
            connection.close()
        self.world.webhook.remove()
        self._calls.close()
        # The cancelled answers end in the next turn of the loop.
        await asyncio.sleep(0)

    def _handle(self, request: Request) -> Answer | Awaitable[Answer]:
        if not _is_local(request):
            return Reply(b"this server answers only on this machine", HTTPStatus.FORBIDDEN, "text/plain")
        # python-telegram-bot writes the colon of the token as %3A when it fetches files.
        path = unquote(request.path)
        if path.startswith("/bot"):
            return self._bot_api.handle(request, path[4:])
        if path.startswith("/client/"):
            return self._client.handle(request, path[7:])
        if path.startswith("/file/bot"):
            return self._bot_api.file(path[9:])
        if path == "/events":
            return self._events.stream()
        return page_file(path)


def _is_local(request: Request) -> bool:
    """Tell whether Host, and Origin where there is one, name this machine: no foreign page may reach the server."""
    if _host_name(request.headers.get("host", "")) not in _HOSTS:
        return False
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).hostname in _HOSTS


def _host_name(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower()
