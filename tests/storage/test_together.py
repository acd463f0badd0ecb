import asyncio
from datetime import UTC, datetime

import pytest
from sqlalchemy import insert, select

from bot.storage import engine as engines
from bot.storage import migrations
from bot.storage.tables import LEASE
from bot.storage.together import MOST, Together

NOW = datetime(2026, 11, 30, tzinfo=UTC)


@pytest.fixture
async def engine(database_url):
    made = engines.connect(database_url)
    await migrations.migrate(made)
    yield made
    await made.dispose()


class Work:
    """Writes a row for each piece; those named "bad" fail after it. `open` holds the first transactions back until all have come."""

    def __init__(self, engine):
        self.together = Together(engine, self)
        self.shares: list[list[str]] = []
        self.open = asyncio.Event()

    async def __call__(self, tx, pieces):
        self.shares.append(list(pieces))
        await self.open.wait()
        for piece in pieces:
            await tx.execute(insert(LEASE).values(name=piece, holder="", until=NOW))
            if piece.startswith("bad"):
                raise ValueError(piece)
        return [piece.upper() for piece in pieces]

    async def all(self, pieces):
        doing = [asyncio.create_task(self.together.do(piece)) for piece in pieces]
        await asyncio.sleep(0)
        self.open.set()
        return await asyncio.gather(*doing, return_exceptions=True)


async def rows(engine):
    async with engine.connect() as tx:
        return set((await tx.execute(select(LEASE.c.name))).scalars())


async def test_what_comes_meanwhile_shares_a_transaction_and_each_gets_its_own_result(engine):
    work = Work(engine)
    pieces = [f"p{n}" for n in range(3 * MOST)]
    assert await work.all(pieces) == [piece.upper() for piece in pieces]
    assert await rows(engine) == set(pieces)
    assert len(work.shares) < len(pieces) / 4
    assert max(map(len, work.shares)) == MOST


async def test_a_piece_that_comes_alone_waits_for_nobody(engine):
    work = Work(engine)
    work.open.set()
    assert [await work.together.do(piece) for piece in "ab"] == ["A", "B"]
    assert work.shares == [["a"], ["b"]]


async def test_one_that_fails_does_no_harm_to_those_that_shared_its_transaction(engine):
    work = Work(engine)
    pieces = ["p1", "p2", "p3", "bad1", "p4", "bad2", "p5"]
    results = await work.all(pieces)
    assert [str(result) for result in results] == ["P1", "P2", "P3", "bad1", "P4", "bad2", "P5"]
    assert [type(result) for result in results].count(ValueError) == 2
    assert await rows(engine) == {"p1", "p2", "p3", "p4", "p5"}


async def test_an_outage_is_told_to_all_and_what_comes_after_it_is_done(engine):
    calls = 0

    async def work(_tx, pieces):
        nonlocal calls
        calls += 1
        if calls == 1:
            raise ConnectionError
        return list(pieces)

    together = Together(engine, work)
    results = await asyncio.gather(*(together.do(n) for n in range(5)), return_exceptions=True)
    assert [type(result) for result in results] == [ConnectionError] * 5
    assert calls == 1, "a database that fails is not asked again for each"
    assert await together.do(7) == 7


async def test_one_that_waits_no_more_holds_up_nobody(engine):
    work = Work(engine)
    gone = asyncio.create_task(work.together.do("gone"))
    stays = asyncio.create_task(work.together.do("stays"))
    await asyncio.sleep(0)
    gone.cancel()
    work.open.set()
    assert await stays == "STAYS"
    assert gone.cancelled() or gone.cancelling()
