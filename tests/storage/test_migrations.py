import asyncio

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text

from alembic import command
from bot.errors import ConfigurationError, StorageError
from bot.storage import engine as engines
from bot.storage import migrations
from bot.storage.tables import METADATA


async def test_upgrade_gives_the_tables_that_the_code_names_and_downgrade_takes_them_away(database_url):
    engine = engines.connect(database_url)
    assert await migrations.migrate(engine) == migrations.newest()
    async with engine.begin() as connection:
        differences = await connection.run_sync(
            lambda sync: compare_metadata(MigrationContext.configure(sync, opts={"compare_type": True}), METADATA)
        )
        assert differences == []
        await connection.run_sync(lambda sync: command.downgrade(migrations.config(sync), "base"))
        left = await connection.run_sync(lambda sync: inspect(sync).get_table_names())
        assert left == ["alembic_version"]
    await engine.dispose()


async def test_several_copies_may_migrate_at_once(database_url):
    engines_ = [engines.connect(database_url) for _ in range(4)]
    done = await asyncio.gather(*(migrations.migrate(engine) for engine in engines_))
    assert set(done) == {migrations.newest()}
    for engine in engines_:
        await engine.dispose()


async def test_a_database_of_a_newer_version_is_refused(database_url):
    engine = engines.connect(database_url)
    await migrations.migrate(engine)
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999_from_the_future'"))
    with pytest.raises(StorageError, match="not one of this version"):
        await migrations.migrate(engine)
    await engine.dispose()


@pytest.mark.parametrize(
    "url", ["postgresql+asyncpg://desk:secret-word@127.0.0.1:1/desk", "sqlite:////nowhere/at/all/desk.db"]
)
async def test_a_database_that_cannot_be_reached_is_said_without_its_password(url):
    engine = engines.connect(url)
    with pytest.raises(StorageError, match="cannot be reached") as caught:
        await migrations.migrate(engine)
    assert "secret-word" not in str(caught.value)
    await engine.dispose()


@pytest.mark.parametrize("url", ["", "desk.db", "mysql://desk@host/desk", "postgresql"])
def test_an_address_that_is_none_is_a_matter_of_configuration(url):
    with pytest.raises(ConfigurationError, match="BOT_DATABASE_URL"):
        engines.connect(url)
