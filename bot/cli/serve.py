"""`run`, `sandbox`, `migrate` and `check`: what an operator does."""

import argparse
import asyncio
import contextlib
import gc
import signal
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import SecretStr
from telegram import Bot
from telegram.error import InvalidToken, TelegramError

from bot import logs, settings
from bot.app import Desk, running
from bot.checklist.fields import FIELDS
from bot.clock import Clock
from bot.dialog.faq import entries
from bot.errors import ConfigurationError, DeskError
from bot.i18n import TRANSLATED, catalogue
from bot.sandbox import Sandbox
from bot.settings import Settings
from bot.storage import engine as engines
from bot.storage import migrations


def add_to(commands: Any) -> None:
    """Add these commands to the command line."""
    run = commands.add_parser("run", help="run the bot, by polling, or by webhook when BOT_WEBHOOK_URL is set")
    run.set_defaults(run=lambda _arguments: asyncio.run(_run()))
    sandbox = commands.add_parser("sandbox", help="run a local Telegram with a chat page, and the bot in it")
    sandbox.add_argument(
        "--port", type=int, default=8081, help="the port on 127.0.0.1 (default 8081; 0 takes a free one)"
    )
    sandbox.add_argument("--no-bot", action="store_true", help="the local Telegram alone")
    sandbox.add_argument("--flood-limits", action="store_true", help="refuse calls beyond Telegram's flood limits")
    sandbox.add_argument("--database", help="the database's address (default: a fresh SQLite file)")
    sandbox.set_defaults(run=lambda arguments: asyncio.run(_sandbox(arguments)))
    migrate = commands.add_parser("migrate", help="bring the database to this version's schema")
    migrate.set_defaults(run=lambda _arguments: asyncio.run(_migrate()))
    check = commands.add_parser("check", help="look at token, staff group, database, catalogues and clock")
    check.set_defaults(run=lambda _arguments: asyncio.run(_check()))


async def _run() -> int:
    loaded = settings.load()
    logs.set_up(loaded.log_level)
    async with running(Desk(loaded)):
        # What is loaded by now stays: looking through it for garbage again and again costs a twentieth of the time of an update.
        gc.collect()
        gc.freeze()
        await _until_stopped()
    return 0


async def _sandbox(arguments: argparse.Namespace) -> int:
    clock = Clock()
    loaded = settings.load()
    logs.set_up(loaded.log_level)
    local = Sandbox(port=arguments.port, clock=clock, flood_limits=arguments.flood_limits)
    try:
        await local.start()
    except OSError as error:
        raise ConfigurationError(f"port {arguments.port} cannot be used: {error.strerror}") from None
    try:
        if arguments.no_bot:
            _announce(local)
            await _until_stopped()
            return 0
        with contextlib.ExitStack() as stack:
            database = arguments.database or _fresh_database(stack)
            inside = loaded.model_copy(update=_inside(local, database, arguments.flood_limits))
            desk = Desk(inside, clock)
            local.quiet, local.on_clock = desk.idle, desk.moved_clock
            async with running(desk):
                _announce(local)
                await _until_stopped()
    finally:
        await local.stop()
    return 0


def _inside(local: Sandbox, database: str, flood_limits: bool) -> dict[str, object]:  # noqa: FBT001 - the flag of that name
    """The settings of a bot inside the sandbox; the company's name and links stay the operator's."""
    return {
        "token": SecretStr(local.token),
        "api_url": local.api_url,
        "database_url": database,
        "staff_chat_id": local.staff_chat_id,
        "webhook_url": None,
        **({} if flood_limits else {"messages_per_second": 0}),
    }


def _fresh_database(stack: contextlib.ExitStack) -> str:
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="gpu-desk-", ignore_cleanup_errors=True))
    return f"sqlite+aiosqlite:///{Path(folder) / 'sandbox.db'}"


def _announce(local: Sandbox) -> None:
    sys.stdout.write(
        f"The chat page: {local.url}/\nThe Bot API:   {local.api_url}<token>/<method>\nStop with Ctrl+C.\n"
    )
    sys.stdout.flush()


async def _until_stopped() -> None:
    """Wait for Ctrl+C or a polite kill."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    await stopped.wait()


async def _migrate() -> int:
    loaded = settings.load()
    logs.set_up(loaded.log_level)
    engine = engines.connect(loaded.database_url)
    try:
        revision = await migrations.migrate(engine)
    finally:
        await engine.dispose()
    sys.stdout.write(f"the database is at {revision}\n")
    return 0


async def _check() -> int:
    """Print one line per finding; 1 when any of them would keep the bot from working."""
    loaded = settings.load()
    logs.set_up("ERROR")
    findings = [
        *await _check_database(loaded),
        *_check_catalogues(),
        *_check_questions(loaded),
        *await _check_telegram(loaded),
        *_check_clock(),
    ]
    for fatal, text in findings:
        sys.stdout.write(f"{'FATAL' if fatal else 'ok'}: {text}\n")
    return 1 if any(fatal for fatal, _ in findings) else 0


async def _check_database(loaded: Settings) -> list[tuple[bool, str]]:
    engine = engines.connect(loaded.database_url)
    try:
        revision = await migrations.migrate(engine)
    except DeskError as error:
        return [(True, str(error))]
    finally:
        await engine.dispose()
    return [(False, f"the database is at {revision}")]


def _check_catalogues() -> list[tuple[bool, str]]:
    findings = []
    for locale in TRANSLATED:
        messages = [message for message in catalogue(locale) if message.id]
        missing = sum(not message.string or message.fuzzy for message in messages)
        findings.append((missing > 0, f"{locale}: {len(messages)} texts, {missing} untranslated; {len(FIELDS)} fields"))
    return findings


def _check_questions(loaded: Settings) -> list[tuple[bool, str]]:
    try:
        listed = entries(loaded.faq_file)
    except DeskError as error:
        return [(True, str(error))]
    return [(False, f"{len(listed)} answers to side questions")]


async def _check_telegram(loaded: Settings) -> list[tuple[bool, str]]:
    token = loaded.token.get_secret_value()
    if not token:
        return [(True, "BOT_TOKEN is missing")]
    bot = Bot(token, base_url=loaded.api_url)
    try:
        async with bot:
            findings = [(False, f"the token belongs to @{bot.username}")]
            findings += await _check_staff(bot, loaded)
            return findings
    except InvalidToken:
        return [(True, "Telegram refuses BOT_TOKEN")]
    except TelegramError as error:
        return [(True, f"Telegram cannot be reached: {error}")]


async def _check_staff(bot: Bot, loaded: Settings) -> list[tuple[bool, str]]:
    if loaded.staff_chat_id is None:
        return [(False, "BOT_STAFF_CHAT_ID is not set: requests are stored, and nobody is told")]
    try:
        chat = await bot.get_chat(loaded.staff_chat_id)
        me = await bot.get_chat_member(loaded.staff_chat_id, bot.id)
    except TelegramError as error:
        return [(True, f"the staff group: {error}")]
    if not chat.is_forum:
        return [(True, "the staff group has no topics; switch them on in its settings")]
    if not getattr(me, "can_manage_topics", False):
        return [(True, "the bot may not manage topics in the staff group; make it an administrator with that right")]
    return [(False, f"the staff group is {chat.title!r}")]


def _check_clock() -> list[tuple[bool, str]]:
    return [(False, f"the clock says {datetime.now(UTC).isoformat(timespec='seconds')}")]
