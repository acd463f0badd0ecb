from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import insert, text

from bot.storage import claims, migrations, pace, queues
from bot.storage import engine as engines
from bot.storage.tables import OUTBOX

NOW = datetime(2026, 11, 30, 2, 0, tzinfo=UTC)


@pytest.fixture
async def engine(database_url):
    made = engines.connect(database_url)
    await migrations.migrate(made)
    yield made
    await made.dispose()


def moments(limit: pace.Limit, messages: int) -> list[float]:
    """When each of many messages that wait may go, in seconds."""
    free, found = NOW, []
    for _ in range(messages):
        start = limit.start(free, NOW)
        free = limit.after(free, start)
        found.append((start - NOW).total_seconds())
    return found


def most_within(found: list[float], seconds: float) -> int:
    return max(sum(start <= other < start + seconds for other in found) for start in found)


def test_no_second_holds_more_than_thirty_and_hardly_any_is_lost():
    found = moments(pace.overall(30), 1000)
    assert most_within(found, 1.0) <= 30
    assert (len(found) - 1) / found[-1] > 0.95 * 30


def test_a_group_gets_at_most_twenty_a_minute():
    assert most_within(moments(pace.GROUP, 100), 60.0) <= 20


def test_a_chat_gets_a_short_burst_and_then_one_a_second():
    assert moments(pace.PRIVATE, 5) == pytest.approx([0, 0, 0, 1.05, 2.1])


async def add(tx, lane: str, method: str = "send_message", priority: int = 0) -> int:
    return await queues.add_call(tx, method=method, payload={}, now=NOW, lane=lane, priority=priority)


async def claim(tx, at: datetime = NOW) -> list[claims.Call]:
    return await claims.claim_calls(tx, at, 20, at, pace.overall(30))


async def test_claims_of_all_copies_together_keep_the_overall_limit(engine):
    async with engine.begin() as tx:
        for lane in range(1, 100):
            await add(tx, str(lane))
    starts = []
    for step in range(20):
        at = NOW + timedelta(seconds=step * 0.1)
        async with engine.begin() as one:
            starts += [call.start_at for call in await claim(one, at)]
        async with engine.begin() as two:
            starts += [call.start_at for call in await claim(two, at)]
    seconds = [(start - NOW).total_seconds() for start in starts]
    assert most_within(seconds, 1.0) <= 30
    assert len(starts) >= 0.95 * 30 * 1.9


async def test_what_makes_no_message_never_waits(engine):
    async with engine.begin() as tx:
        for lane in range(1, 30):
            await add(tx, str(lane))
        await claim(tx)
        tap = await add(tx, "cb1", "answer_callback_query")
        assert [call.id for call in await claim(tx)] == [tap]


async def test_a_reply_goes_before_reminders_that_wait_for_room(engine):
    async with engine.begin() as tx:
        for lane in range(1, 50):
            await add(tx, str(lane), priority=10)
        await claim(tx)
        reply = await add(tx, "99")
        later = NOW + timedelta(seconds=0.2)
        assert (await claim(tx, later))[0].id == reply


async def test_a_chat_that_must_wait_holds_no_other_up(engine):
    async with engine.begin() as tx:
        for _ in range(4):
            call = await add(tx, "7")
            claimed = await claim(tx, NOW + timedelta(seconds=0.3))
            await claims.finish_calls(tx, [claims.Outcome(each.id) for each in claimed], NOW)
        assert call not in [each.id for each in claimed]
        other = await add(tx, "8")
        assert [each.id for each in await claim(tx, NOW + timedelta(seconds=0.4))] == [other]
        assert [each.id for each in await claim(tx, NOW + timedelta(seconds=1.5))] == [call]


async def test_rows_of_idle_chats_are_dropped(engine):
    async with engine.begin() as tx:
        await add(tx, "7")
        await claim(tx)
        await pace.drop_idle(tx, NOW + timedelta(minutes=2))
        rows = (await tx.exec_driver_sql("SELECT lane FROM pace")).all()
        assert [row.lane for row in rows] == [pace.OVERALL]


async def test_ten_thousand_reminders_drain_at_the_permitted_rate_while_a_conversation_gets_its_answers(engine):
    rows = [
        {"lane": str(n), "chat_id": n, "priority": 10, "method": "send_message", "payload": {}}
        for n in range(1, 10_001)
    ]
    same = {"purge": False, "created_at": NOW, "not_before": NOW, "attempts": 0}
    async with engine.begin() as tx:
        await tx.execute(insert(OUTBOX), [row | same for row in rows])
        await tx.execute(text("ANALYZE"))
    now, starts, flying, waits = NOW, [], {}, {}
    while now < NOW + timedelta(seconds=10):
        async with engine.begin() as tx:
            if now >= NOW + timedelta(seconds=2 * len(waits)):
                waits[await queues.add_call(tx, method="send_message", payload={}, now=now, lane="20000")] = now
            landed = [call for call, lands in flying.items() if lands <= now]
            await claims.finish_calls(tx, [claims.Outcome(call) for call in landed], now)
            calls = await claim(tx, now)
        starts += [(call.start_at - NOW).total_seconds() for call in calls]
        waits |= {call.id: call.start_at - waits[call.id] for call in calls if call.id in waits}
        flying = {call: lands for call, lands in flying.items() if call not in landed}
        # A sender looks again when a call has landed, or a quarter of a second later.
        flying |= {call.id: call.start_at + timedelta(seconds=0.05) for call in calls}
        now = min(flying.values(), default=now + timedelta(seconds=0.25))
    assert most_within(starts, 1.0) <= 30
    assert len(starts) / starts[-1] > 0.95 * 30
    assert len(waits) == 5
    assert max(waits.values()) < timedelta(seconds=0.5)
