"""The short form of `make chaos`."""

import asyncio

import pytest

from tests.chaos import Chaos


@pytest.mark.postgres
async def test_nothing_is_lost_whatever_happens(postgres_server, sqlite_url):
    reports = await asyncio.gather(
        Chaos(postgres_server.fresh_database(), copies=2, kills=2, longest_life_s=2.5).run(settle_s=40),
        Chaos(sqlite_url, copies=1, kills=1, longest_life_s=2.5).run(settle_s=40),
    )
    assert [report.wrong for report in reports] == [[], []]
