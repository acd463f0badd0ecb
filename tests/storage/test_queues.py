import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import insert, text

from bot.storage import cases, claims, inbox, migrations, people, queues
from bot.storage import engine as engines
from bot.storage.claims import Outcome
from bot.storage.inbox import HEAD_START, Arrival
from bot.storage.people import Profile, StoredDialog
from bot.storage.tables import INBOX

NOW = datetime(2026, 11, 30, 2, 0, tzinfo=UTC)
LATER = NOW + claims.LEASE + timedelta(seconds=1)


@pytest.fixture
async def engine(database_url):
    made = engines.connect(database_url)
    await migrations.migrate(made)
    yield made
    await made.dispose()


async def store(tx, update_id, chat_id=1):
    return bool(await inbox.store_updates(tx, [Arrival(update_id, chat_id, {"n": update_id})], NOW))


async def given_out(tx, now=NOW + HEAD_START):
    return [update.payload for _, update in await inbox.open_updates(tx, now, 10)]


async def add(tx, lane, priority=0, **more):
    return await queues.add_call(
        tx, method="send_message", payload={"text": "x"}, now=NOW, lane=lane, priority=priority, **more
    )


async def test_an_update_is_stored_once(engine):
    async with engine.begin() as tx:
        assert await store(tx, 10)
        assert not await store(tx, 10)
        assert await given_out(tx) == [{"n": 10}]


async def test_only_the_oldest_open_update_of_a_chat_is_given_out(engine):
    async with engine.begin() as tx:
        for update_id, chat_id in ((1, 7), (2, 7), (3, 8)):
            await store(tx, update_id, chat_id)
        rows = await inbox.open_updates(tx, NOW + HEAD_START, 10)
        assert [update.payload["n"] for _, update in rows] == [1, 3]
        await inbox.take_updates(tx, [rows[0][0]], NOW)
        assert [payload["n"] for payload in await given_out(tx)] == [2, 3]


async def test_a_poisoned_update_is_set_aside_after_three_tries_and_the_chat_goes_on(engine):
    async with engine.begin() as tx:
        await store(tx, 1)
        await store(tx, 2)
        row = (await inbox.open_updates(tx, NOW + HEAD_START, 1))[0][0]
        assert [await inbox.fail_update(tx, row, "broken", NOW) for _ in range(3)] == [False, False, True]
        assert [payload["n"] for payload in await given_out(tx)] == [2]


async def test_calls_of_a_lane_are_sent_one_after_the_other(engine):
    async with engine.begin() as tx:
        first, second, other = [await add(tx, lane) for lane in ("a", "a", "b")]
        assert [call.id for call in await claims.claim_calls(tx, NOW, 10, NOW)] == [first, other]
        assert await claims.claim_calls(tx, NOW, 10, NOW) == []
        await claims.finish_calls(tx, [Outcome(first, message_id=5)], NOW)
        assert [call.id for call in await claims.claim_calls(tx, NOW, 10, NOW)] == [second]
        assert await queues.message_of(tx, first) == 5


async def test_a_delayed_call_holds_its_lane_and_no_other(engine):
    async with engine.begin() as tx:
        first, _second, other = [await add(tx, lane) for lane in ("a", "a", "b")]
        await queues.delay_call(tx, first, NOW + timedelta(seconds=30), "429")
        assert [call.id for call in await claims.claim_calls(tx, NOW, 10, NOW)] == [other]
        assert not await queues.outbox_is_empty(tx, NOW)


async def test_replies_go_before_reminders(engine):
    async with engine.begin() as tx:
        reminder = await add(tx, "a", priority=10)
        reply = await add(tx, "b")
        assert [call.id for call in await claims.claim_calls(tx, NOW, 10, NOW)] == [reply, reminder]


async def test_a_dead_senders_calls_become_free_again(engine):
    async with engine.begin() as tx:
        call = await add(tx, "a")
        assert await claims.claim_calls(tx, NOW, 10, NOW)
        assert await claims.claim_calls(tx, NOW, 10, NOW) == []
        assert [c.id for c in await claims.claim_calls(tx, LATER, 10, LATER)] == [call]


async def test_a_living_sender_keeps_its_calls(engine):
    async with engine.begin() as tx:
        call = await add(tx, "a")
        await claims.claim_calls(tx, NOW, 10, NOW)
        await claims.renew_leases(tx, [call], LATER - timedelta(seconds=2))
        assert await claims.claim_calls(tx, LATER, 10, LATER) == []


async def test_two_copies_never_claim_the_same_call(engine):
    if engine.dialect.name == "sqlite":
        pytest.skip("SQLite serves one copy; its write lock keeps two transactions apart")
    async with engine.begin() as tx:
        for lane in "abcd":
            await add(tx, lane)
    async with engine.begin() as one, engine.begin() as two:
        first = {call.id for call in await claims.claim_calls(one, NOW, 2, NOW)}
        second = {call.id for call in await claims.claim_calls(two, NOW, 4, NOW)}
    assert len(first) == 2
    assert not first & second


async def test_an_update_that_another_copy_handles_is_passed_over(engine):
    if engine.dialect.name == "sqlite":
        pytest.skip("SQLite serves one copy")
    async with engine.begin() as tx:
        await store(tx, 1)
        row = (await inbox.open_updates(tx, NOW + HEAD_START, 1))[0][0]
    async with engine.begin() as one, engine.begin() as two:
        assert await inbox.take_updates(one, [row], NOW) == {row: 1}
        assert await inbox.take_updates(two, [row], NOW) == {}


async def test_updates_of_several_chats_are_taken_together_each_chats_oldest_only(engine):
    async with engine.begin() as tx:
        for update_id, chat_id in ((1, 7), (2, 8), (3, 7)):
            await store(tx, update_id, chat_id)
        one, two = (row for row, _ in await inbox.open_updates(tx, NOW + HEAD_START, 10))
        assert await inbox.take_updates(tx, [two, two + 1, one], NOW) == {one: 7, two: 8}
        assert await inbox.take_updates(tx, [two, two + 1, one], NOW) == {two + 1: 7}


async def test_dialogs_are_locked_together_and_one_is_made_where_there_is_none(engine):
    async with engine.begin() as tx:
        for chat_id in (6, 7):
            await people.meet(tx, Profile(chat_id, "A", None, None, "en"), None, NOW)
        assert await people.open_dialog(tx, 7, {"of": 7}, NOW) == (StoredDialog(7, {"of": 7}), True)
        assert await people.open_dialog(tx, 7, {}, NOW) == (StoredDialog(7, {"of": 7}), False)
        await people.open_dialog(tx, 6, {"of": 6}, NOW)
        row = await queues.add_call(tx, method="send_message", payload={}, now=NOW, lane="7")
        await cases.save(tx, StoredDialog(7, {"of": 7, "at": 1}, row), None, NOW)
    async with engine.begin() as tx:
        found = await people.lock_dialogs(tx, [8, 7, 6])
        assert found == {6: StoredDialog(6, {"of": 6}), 7: StoredDialog(7, {"of": 7, "at": 1}, row)}


async def test_an_update_that_was_stored_late_waits_for_the_one_in_hand_and_finds_what_it_left(engine):
    """Rows are numbered when they are written and seen when they are committed: an older one can turn up beside a newer one in hand."""
    if engine.dialect.name == "sqlite":
        pytest.skip("one writer at a time")
    async with engine.begin() as tx:
        await people.meet(tx, Profile(7, "A", None, None, "en"), None, NOW)
        await people.open_dialog(tx, 7, {"turns": 0}, NOW)
        await store(tx, 2, 7)
        ((newer, _),) = await inbox.open_updates(tx, NOW + HEAD_START, 1)

    async def take_older():
        async with engine.begin() as tx:
            assert await inbox.take_updates(tx, [newer - 1], NOW) == {newer - 1: 7}
            return await people.lock_dialogs(tx, [7])

    async with engine.begin() as one:
        assert await inbox.take_updates(one, [newer], NOW) == {newer: 7}
        assert await people.lock_dialogs(one, [7])
        async with engine.begin() as tx:
            late = {"id": newer - 1, "update_id": 1, "chat_id": 7, "payload": {}, "received_at": NOW}
            await tx.execute(insert(INBOX).values(**late, not_before=NOW, attempts=0))
        older = asyncio.create_task(take_older())
        await until_one_waits(engine)
        await cases.save(one, StoredDialog(7, {"turns": 1}), None, NOW)
    assert await older == {7: StoredDialog(7, {"turns": 1})}


async def until_one_waits(engine):
    waiting = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
    while True:
        async with engine.connect() as tx:
            if (await tx.execute(waiting)).scalar_one():
                return


async def test_a_row_to_be_purged_leaves_nothing(engine):
    async with engine.begin() as tx:
        call = await add(tx, "a", purge=True)
        await claims.finish_calls(tx, [Outcome(call, message_id=1, purge=True)], NOW)
        assert await queues.message_of(tx, call) is None
        assert await claims.claim_calls(tx, LATER, 10, LATER) == []


async def test_forgetting_leaves_no_row_about_a_customer(engine):
    async with engine.begin() as tx:
        await people.meet(tx, Profile(7, "<3", None, None, "en"), None, NOW)
        await people.open_dialog(tx, 7, {"version": 1}, NOW)
        await store(tx, 1, 7)
        await store(tx, 2, 7)
        row, _update = (await inbox.open_updates(tx, NOW + HEAD_START, 1))[0]
        assert await inbox.take_updates(tx, [row], NOW)
        await add(tx, "7", customer_id=7, chat_id=7)
        await people.save_topic(tx, 7, -100, 5, NOW)
        await people.forget(tx, 7)
        assert await people.person(tx, 7) is None
        assert await people.topic_of(tx, 7) is None
        assert await claims.claim_calls(tx, NOW, 10, NOW) == []
        assert not await store(tx, 1, 7), "its number stays, so that it is not taken twice"
        assert (await tx.exec_driver_sql("SELECT chat_id FROM inbox WHERE update_id = 1")).scalar_one() == 0
        assert await given_out(tx) == [{"n": 2}], "what was written after the wish to be forgotten begins anew"
