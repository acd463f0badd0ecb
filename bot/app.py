"""The composition root: puts the rooms together and runs them; the only module that knows everybody."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError
from telegram import Update
from telegram.error import Forbidden, InvalidToken, TelegramError
from telegram.ext import Application, BaseUpdateProcessor, JobQueue, TypeHandler
from telegram.request import HTTPXRequest

from bot.charts import draw
from bot.clock import Clock
from bot.errors import ConfigurationError, DeskError
from bot.settings import Settings
from bot.storage import engine as engines
from bot.storage import migrations, queues
from bot.telegram import menus
from bot.telegram.composer import Composer
from bot.telegram.handlers import Handlers
from bot.telegram.inbox import MOST_AT_ONCE, Inbox
from bot.telegram.outbox import Sender
from bot.telegram.ticker import Ticker

log = structlog.get_logger(__name__)

ALLOWED_UPDATES: Final = ["message", "edited_message", "callback_query", "my_chat_member"]
TICK_S: Final = 1.0


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
        self.application = _application(settings, self.inbox)
        self.inbox.use(self.application.bot)
        composer = Composer(self.engine, settings, self.clock.now)
        self.sender = Sender(self.engine, self.application.bot, self.clock, settings.staff_chat_id, composer)
        self.handlers = Handlers(self.engine, self.inbox, settings, self.clock.now, self.sender.wake)
        self.ticker = Ticker(self.engine, settings, self.clock.now, self.sender.wake)
        self.application.add_handler(TypeHandler(Update, self.handlers.handle))

    async def start(self) -> None:
        """Migrate, check the token, set the menus, and begin to take updates and to send.

        Raises ConfigurationError when Telegram refuses the token or cannot be reached, StorageError when the database cannot.
        """
        await migrations.migrate(self.engine)
        if self.engine.dialect.name == "sqlite":
            async with self.engine.begin() as tx:
                await queues.free_leases(tx)
        await self._sign_in()
        self.handlers.username = self.application.bot.username
        await self._set_menus()
        await self.application.start()
        self.sender.start()
        job_queue = self.application.job_queue
        assert isinstance(job_queue, JobQueue)
        job_queue.run_repeating(self.ticker.tick, interval=TICK_S, first=0, name="tick")
        asyncio.get_running_loop().run_in_executor(None, draw.warm_up)
        await self._receive()
        log.info("started", bot=self.application.bot.username, database=self.engine.dialect.name)

    async def stop(self) -> None:
        """Take no more updates, finish what is in hand, and let go of everything."""
        updater = self.application.updater
        if updater and updater.running:
            await updater.stop()
        if self.application.running:
            await self.application.stop()
        await self.sender.stop()
        await self.application.shutdown()
        await self.engine.dispose()

    async def idle(self) -> bool:
        """Whether nothing is open: no update, no call, no due reminder."""
        try:
            return await self.ticker.idle() and await self.inbox.idle() and await self.sender.idle()
        except (SQLAlchemyError, OSError):
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
            try:
                await self.application.bot.set_my_commands(**payload)
            except TelegramError as error:
                log.warning("menu_not_set", scope=payload["scope"], error=str(error))

    async def _receive(self) -> None:
        updater, settings = self.application.updater, self.settings
        assert updater is not None
        if settings.webhook_url is None:
            await updater.start_polling(allowed_updates=ALLOWED_UPDATES, bootstrap_retries=-1)
            return
        host, _, port = settings.listen.rpartition(":")
        await updater.start_webhook(
            listen=host,
            port=int(port),
            url_path="telegram",
            webhook_url=settings.webhook_url,
            secret_token=settings.webhook_secret.get_secret_value() or None,
            allowed_updates=ALLOWED_UPDATES,
        )


@contextlib.asynccontextmanager
async def running(desk: Desk) -> AsyncIterator[Desk]:
    """Run a desk for as long as the block lasts; what was started is stopped, however it ends."""
    try:
        await desk.start()
        yield desk
    finally:
        await desk.stop()


def _application(settings: Settings, inbox: Inbox) -> Application:  # type: ignore[type-arg]  # six type parameters that say nothing here
    token = settings.token.get_secret_value()
    if not token:
        raise ConfigurationError("BOT_TOKEN is missing; BotFather gives one")
    try:
        return (
            Application.builder()
            .token(token)
            .base_url(settings.api_url)
            .base_file_url(settings.api_url.replace("/bot", "/file/bot"))
            .request(HTTPXRequest(connection_pool_size=32, pool_timeout=10))
            .get_updates_request(HTTPXRequest(connection_pool_size=2))
            .update_queue(inbox)
            .concurrent_updates(_SideBySide(MOST_AT_ONCE))
            .build()
        )
    except InvalidToken:
        raise ConfigurationError("BOT_TOKEN is not a token; it looks like 123456789:AA…") from None


__all__ = ["Desk", "DeskError", "running"]
