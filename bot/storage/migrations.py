"""Brings the database to the schema of this version; one of several copies that start together does it."""

from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine

from alembic import command
from bot import resources
from bot.errors import StorageError

LOCK = 7_265_410_001
"""The advisory lock under which PostgreSQL lets one copy migrate; SQLite's write lock does the same."""


async def migrate(engine: AsyncEngine) -> str:
    """Upgrade to the newest revision and return its name.

    Raises StorageError when the database cannot be reached, or was made by a newer version of the product.
    """
    try:
        async with engine.begin() as connection:
            await connection.run_sync(_upgrade)
    except CommandError as error:
        raise StorageError(f"the database's schema is not one of this version: {error}") from error
    except (DBAPIError, OperationalError, InterfaceError, OSError) as error:
        raise StorageError(f"the database cannot be reached: {_reason(error)}") from None
    return newest()


def newest() -> str:
    """Return the name of this version's newest revision."""
    head = ScriptDirectory.from_config(config()).get_current_head()
    assert head is not None
    return head


def config(connection: Connection | None = None) -> Config:
    """Return Alembic's configuration for a connection."""
    made = Config()
    made.set_main_option("script_location", str(resources.folder("alembic")))
    made.attributes["connection"] = connection
    return made


def _upgrade(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
    command.upgrade(config(connection), "head")


def _reason(error: BaseException) -> str:
    """The driver's own words on one line; they name host and file, never a password."""
    cause = getattr(error, "orig", None) or error
    return " ".join(str(cause).split()) or type(cause).__name__
