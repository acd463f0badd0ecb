"""The composition root: puts the rooms together and runs them; the only module that knows everybody."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Final
from urllib.parse import urlsplit

import structlog
from telegram import BotCommand, Update
from telegram.error import Forbidden, InvalidToken, RetryAfter, TelegramError, TimedOut
from telegram.ext import Application, BaseUpdateProcessor, JobQueue, TypeHandler

from bot.charts import draw
from bot.clock import Clock
from bot.dialog.faq import entries
from bot.errors import ConfigurationError, DeskError
from bot.hub import Hub
from bot.i18n import LOCALES, texts
from bot.settings import Settings
from bot.storage import claims, leases, migrations, pace
from bot.storage import engine as engines
from bot.storage.outage import is_outage
from bot.telegram import menus
from bot.telegram.composer import Composer
from bot.telegram.delivery import Delivery
from bot.telegram.faults import back_off_s
from bot.telegram.handlers import Handlers
from bot.telegram.health import Health
from bot.telegram.inbox import MOST_AT_ONCE, Inbox
from bot.telegram.outbox import Sender
from bot.telegram.poller import Poller
from bot.telegram.request import AiohttpRequest
from bot.telegram.ticker import Ticker
from bot.telegram.webhook import WebServer

log = structlog.get_logger(__name__)

ALLOWED_UPDATES: Final = ["message", "edited_message", "callback_query", "my_chat_member"]
TICK_S: Final = 1.0

STOP_S: Final = 9.0
"""How long a stop may take; whoever stops us kills us after ten seconds, and what is unfinished is safe in its rows."""

CONNECTIONS: Final = 48
"""Calls that may be open to Telegram at once."""


class _SideBySide(BaseUpdateProcessor):
    """Lets handlers run side by side; order inside a chat is kept by the inbox, which gives out one update a chat."""

    async def do_process_update(self, update: object, coroutine: object) -> None:  # noqa: ARG002 - the library's signature
        await coroutine  # type: ignore[misc]  # an awaitable by the library's contract

    async def initialize(self) -> None:
        """Nothing to prepare."""

    async def shutdown(self) -> None:
        """Nothing to put away."""


class Desk:
    """The running bot: inbox, handlers, outbox and ticker over one database and one Bot API server."""

    def __init__(self, settings: Settings, clock: Clock | None = None) -> None:
        self.settings, self.clock = settings, clock or Clock()
        self.engine = engines.connect(settings.database_url)
        self.inbox = Inbox(self.engine, self.clock.now)
        self.request, self._polls = AiohttpRequest(CONNECTIONS), AiohttpRequest(2)
        self.application = _application(settings, self.inbox, self.request, self._polls)
        bot = self.application.bot
        self.inbox.use(bot)
        composer = Composer(self.engine, settings, self.clock.now)
        delivery = Delivery(self.engine, bot, self.request, self.clock, settings.staff_chat_id, composer=composer)
        limit = pace.overall(settings.messages_per_second) if settings.messages_per_second else None
        self.sender = Sender(self.engine, delivery, self.clock, limit)
        self.handlers = Handlers(
            self.engine, self.inbox, settings, self.clock.now, self.sender.wake, hub=Hub(settings.hub_url)
        )
        self.ticker = Ticker(self.engine, settings, self.clock.now, self.sender.wake)
        self.application.add_handler(TypeHandler(Update, self.handlers.handle))
        self.poller = (
            None if settings.webhook_url else Poller(self.engine, bot, self._polls, self.inbox, self.clock.wall)
        )
        self.health = Health(self.engine, self.clock.now, self.poller)
        self.server = _server(settings, self.inbox, self.health)

    async def start(self) -> None:
        """Migrate, check the token, set the menus, and begin to take updates and to send.

        Raises ConfigurationError when Telegram refuses the token or cannot be reached, or a file of the operator's cannot be read,
        StorageError when the database cannot.
        """
        for locale in LOCALES:
            texts(locale)  # reading and converting a catalogue takes a fifth of a second: not while customers wait
        entries(self.settings.faq_file)  # what is wrong with a list of one's own is said now, not at the first question
        await migrations.migrate(self.engine)
        if self.engine.dialect.name == "sqlite":
            async with self.engine.begin() as tx:
                await claims.free_leases(tx)
                await leases.free_all(tx)
        await self._sign_in()
        self.handlers.username = self.application.bot.username
        await self._set_menus()
        await self.application.start()
        self.sender.start()
        job_queue = self.application.job_queue
        assert isinstance(job_queue, JobQueue)
        # The scheduler's own grace is one second, after which it leaves a job out; rows would wait for the next tick.
        grace = {"misfire_grace_time": None, "coalesce": True}
        job_queue.run_repeating(self.ticker.tick, interval=TICK_S, first=0, name="tick", job_kwargs=grace)
        asyncio.get_running_loop().run_in_executor(None, draw.warm_up)
        await self._receive()
        log.info("started", bot=self.application.bot.username, database=self.engine.dialect.name)

    async def stop(self) -> None:
        """Take no more updates, finish what is in hand, and let go of everything, within ten seconds."""
        try:
            async with asyncio.timeout(STOP_S):
                await self._finish()
        except TimeoutError:
            log.warning("stopped_unfinished")
        await self.application.shutdown()
        # The library leaves these open when signing in has failed half-way.
        await self.request.shutdown()
        await self._polls.shutdown()
        await self.engine.dispose()

    async def _finish(self) -> None:
        self.ticker.stop()
        if self.poller:
            await self.poller.stop()
        if self.server:
            await self.server.stop()
        if self.application.running:
            await self.application.stop()
        await self.sender.stop()

    async def idle(self) -> bool:
        """Whether nothing is open: no update, no call, no due reminder."""
        try:
            return await self.ticker.idle() and await self.inbox.idle() and await self.sender.idle()
        except Exception as error:
            if not is_outage(error):
                raise
            return False

    def moved_clock(self) -> None:
        """The clock was moved: look at what is due at once."""
        asyncio.get_running_loop().create_task(self.ticker.tick())

    async def _sign_in(self) -> None:
        try:
            await self.application.initialize()
        except (InvalidToken, Forbidden):
            raise ConfigurationError("Telegram refuses BOT_TOKEN; take a fresh one from BotFather") from None
        except TelegramError as error:
            raise ConfigurationError(f"Telegram cannot be reached at BOT_API_URL: {error}") from None

    async def _set_menus(self) -> None:
        """Set the command menus; a refusal (a staff group the bot is not in) is worth a warning, not a stop."""
        for payload in menus.at_start(self.settings):
            entries = [BotCommand(**entry) for entry in payload["commands"]]
            try:
                await self.application.bot.set_my_commands(**{**payload, "commands": entries})
            except TelegramError as error:
                log.warning("menu_not_set", scope=payload["scope"], error=str(error))

    async def _receive(self) -> None:
        """Listen, and tell Telegram where; or poll."""
        if self.server:
            host, _, port = self.settings.listen.rpartition(":")
            try:
                self.server.start(host, int(port))
            except OSError as error:
                raise ConfigurationError(
                    f"BOT_LISTEN={self.settings.listen} cannot be used: {error.strerror}"
                ) from None
        if self.poller:
            self.poller.start(ALLOWED_UPDATES)
            return
        for attempt in range(1, 6):
            try:
                await self.application.bot.set_webhook(
                    str(self.settings.webhook_url),
                    secret_token=self.settings.secret,
                    allowed_updates=ALLOWED_UPDATES,
                )
            except (RetryAfter, TimedOut):
                # Several copies that start together set it one after the other.
                await asyncio.sleep(back_off_s(attempt))
            except TelegramError as error:
                raise ConfigurationError(f"Telegram refuses BOT_WEBHOOK_URL: {error}") from None
            else:
                return


@contextlib.asynccontextmanager
async def running(desk: Desk) -> AsyncIterator[Desk]:
    """Run a desk for as long as the block lasts; what was started is stopped, however it ends."""
    try:
        await desk.start()
        yield desk
    finally:
        await desk.stop()


def _application(settings: Settings, inbox: Inbox, request: AiohttpRequest, polls: AiohttpRequest) -> Application:  # type: ignore[type-arg]  # six type parameters that say nothing here
    token = settings.token.get_secret_value()
    if not token:
        raise ConfigurationError("BOT_TOKEN is missing; BotFather gives one")
    try:
        return (
            Application.builder()
            .token(token)
            .base_url(settings.api_url)
            .base_file_url(settings.file_url)
            .request(request)
            .get_updates_request(polls)
            .update_queue(inbox)
            .concurrent_updates(_SideBySide(MOST_AT_ONCE))
            .build()
        )
    except InvalidToken:
        raise ConfigurationError("BOT_TOKEN is not a token; it looks like 123456789:AA…") from None


def _server(settings: Settings, inbox: Inbox, health: Health) -> WebServer | None:
    """The HTTP server: with a webhook always; while polling only where an address is asked for, for health and metrics."""
    if settings.webhook_url is None and "listen" not in settings.model_fields_set:
        return None
    return WebServer(
        inbox=inbox if settings.webhook_url else None,
        secret=settings.secret,
        path=urlsplit(settings.webhook_url or "").path,
        ready=health.obstacle,
        refresh=health.refresh,
    )


__all__ = ["Desk", "DeskError", "running"]
