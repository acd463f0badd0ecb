"""Runs migrations: inside the product on the connection it hands over, on the command line on BOT_DATABASE_URL."""

import asyncio

from sqlalchemy import Connection

from alembic import context
from bot import settings
from bot.storage import engine
from bot.storage.tables import METADATA


def run(connection: Connection) -> None:
    """Migrate on an open connection; SQLite changes columns by copying the table."""
    context.configure(
        connection=connection,
        target_metadata=METADATA,
        render_as_batch=connection.dialect.name == "sqlite",
        compare_type=True,
    )
    with context.begin_transaction():
        context.run_migrations()


async def run_alone() -> None:
    """Open a connection of our own, for the command line."""
    store = engine.connect(settings.load().database_url)
    async with store.begin() as connection:
        await connection.run_sync(run)
    await store.dispose()


given = context.config.attributes.get("connection")
if given is None:
    asyncio.run(run_alone())
else:
    run(given)
