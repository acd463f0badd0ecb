"""The peers of the bench: an echo bot, without storage, in each of two libraries."""

import asyncio
import sys


def run_ptb(api_url: str, token: str) -> None:
    """python-telegram-bot at its fastest: handlers side by side, a wide connection pool."""
    from telegram.ext import Application, MessageHandler, filters  # noqa: PLC0415 - only what this peer needs
    from telegram.request import HTTPXRequest  # noqa: PLC0415 - only what this peer needs

    async def echo(update, _context) -> None:
        await update.message.reply_text(update.message.text)

    request = HTTPXRequest(connection_pool_size=32, pool_timeout=60, read_timeout=60)
    application = Application.builder().token(token).base_url(api_url).request(request).concurrent_updates(32).build()
    application.add_handler(MessageHandler(filters.ALL, echo))
    application.run_polling()


def run_aiogram(api_url: str, token: str) -> None:
    """aiogram as it comes."""
    from aiogram import Bot, Dispatcher  # noqa: PLC0415 - only what this peer needs
    from aiogram.client.session.aiohttp import AiohttpSession  # noqa: PLC0415 - only what this peer needs
    from aiogram.client.telegram import TelegramAPIServer  # noqa: PLC0415 - only what this peer needs

    server = TelegramAPIServer(base=f"{api_url}{{token}}/{{method}}", file=f"{api_url}{{token}}/{{path}}")
    dispatcher = Dispatcher()

    @dispatcher.message()
    async def echo(message) -> None:
        await message.answer(message.text)

    async def main() -> None:
        await dispatcher.start_polling(Bot(token, session=AiohttpSession(api=server)))

    asyncio.run(main())


if __name__ == "__main__":
    {"ptb": run_ptb, "aiogram": run_aiogram}[sys.argv[1]](*sys.argv[2:4])
