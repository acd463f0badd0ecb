"""Several copies that poll: one asks Telegram, another takes over; and how a copy ends."""

import asyncio
import signal

import pytest

from bot.app import Desk, running
from bot.storage import leases
from tests.conversations.test_crash import Process, answer_to, question, write
from tests.driver import Telegram


@pytest.fixture
async def people(sandbox):
    telegram = Telegram(sandbox.url, sandbox.staff_chat_id)
    yield telegram
    await telegram.close()


@pytest.mark.postgres
async def test_one_copy_polls_and_another_takes_over(sandbox, people, settings_for, postgres_server, clock):
    settings = settings_for(postgres_server.fresh_database())
    person = await people.person("en")
    async with running(Desk(settings, clock)):
        first = Desk(settings, clock)
        await first.start()
        await write(people, person, "/start")
        await answer_to(person, question("workload"))
        await first.stop()
        await write(people, person, "inference")
        await answer_to(person, question("description"))
    polls = await people.calls("getUpdates")
    assert {call["status"] for call in polls} == {200}, "two pollers would have met with 409"


async def test_a_lease_is_one_holders_until_it_runs_out(settings_for, database_url, clock):
    desk = Desk(settings_for(database_url), clock)
    async with running(desk):
        await desk.poller.stop()
        now = clock.wall()
        async with desk.engine.begin() as tx:
            assert await leases.take(tx, "poller", "one", now)
            assert await leases.take(tx, "poller", "one", now), "renewed"
            assert not await leases.take(tx, "poller", "two", now)
            assert await leases.take(tx, "poller", "two", now + leases.TERM)
            assert not await leases.take(tx, "poller", "one", now + leases.TERM)
            await leases.give_back(tx, "poller", "one")
            assert not await leases.take(tx, "poller", "one", now + leases.TERM), "only its holder gives it back"


async def test_a_polite_kill_ends_within_ten_seconds_with_a_call_in_flight(sandbox, people, sqlite_url):
    bot = Process(sandbox, sqlite_url)
    bot.start()
    try:
        person = await people.person("en")
        await write(people, person, "/start")
        await answer_to(person, question("workload"))
        await people.call("/faults", {"match": {"method": "sendMessage", "times": 1}, "action": {"hang": True}})
        await write(people, person, "inference")
        for _ in range(100):
            if await people.calls("editMessageReplyMarkup"):
                break
            await asyncio.sleep(0.05)
        bot.running.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(bot.running.wait, 10) == 0
        bot.start()
        await answer_to(person, question("description"))
    finally:
        bot.kill()
