"""Reminders by the clock: every kind, in both languages, when due, snoozed, late, after a restart, a language switch, and a block."""

import asyncio
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from sqlalchemy import update

from bot.i18n import texts
from bot.reminders.kinds import KINDS, OWN
from bot.reminders.series import Occurrence
from bot.reminders.trial import Trial
from bot.sandbox.models import User
from bot.storage import people, reminders, trials
from bot.storage.people import Profile
from bot.storage.tables import REQUEST
from tests.conftest import started
from tests.driver import said

NOON = datetime(2026, 11, 30, 4, 0, tzinfo=UTC)
"""Noon in Shanghai: nobody sleeps."""
LOCALES = {"en": "en", "zh-hans": "zh_Hans"}
SHOWN = {
    "destroy": "Time to destroy your trial instance", "storage": "Stopping is not enough: storage goes on costing. Only destroying ends all billing, and it deletes the disk.",
    "checkpoint": "Save a checkpoint now", "move": "Copy weights, checkpoints and logs to your own storage and verify them; destroying clears the disk.",
    "draft": "Your checklist is not finished yet", "answers": "Answers from our colleagues are still open",
    "start": "Are image, data and access ready? If the date has changed, tell us here.", "own": "tea 3",
}  # fmt: skip
"""A text by which each kind is known."""


@pytest.fixture
def noon(clock):
    """Move the clock on to the next noon in Shanghai."""
    now = clock.now()
    ahead = (NOON - now) % timedelta(days=1)
    clock.advance(ahead.total_seconds())
    return clock.now()


@asynccontextmanager
async def rows(telegram):
    async with telegram.desk.engine.begin() as tx:
        yield tx


async def occurs(telegram, person, kind: str, due_at: datetime) -> None:
    """Write one occurrence of a kind with what it is about."""
    async with rows(telegram) as tx:
        trial_id = series_id = None
        if kind in ("destroy", "storage", "checkpoint", "move"):
            stops = ((due_at, None),) if kind == "storage" else ()
            end = due_at + timedelta(days=1) if kind in ("move", "checkpoint") else due_at
            trial = Trial(0, "rtx4090", 1, Decimal("0.35"), "USD", due_at - timedelta(hours=1), end, stops=stops)
            trial_id = await trials.register(tx, person.id, trial)
        if kind in ("own", "checkpoint"):
            added = await reminders.add(
                tx,
                person.id,
                KINDS[kind],
                text="tea 3" if kind == "own" else "",
                rule="every=P1Y",
                now=due_at,
                trial_id=trial_id,
            )
            series_id = added.id
        if kind == "draft":
            left = update(REQUEST).where(REQUEST.c.customer_id == person.id)
            await tx.execute(left.values(updated_at=due_at - KINDS["draft"].rests))
        await reminders.remind(tx, Occurrence(0, kind, person.id, trial_id, series_id, due_at))


async def customer(telegram, kind: str, language: str):
    """A customer in the state that a kind is about: a draft, or a request that is sent and starts in ten days."""
    person = await telegram.person(language)
    await person.says("/start")
    if kind in ("start", "answers"):
        answers = ["inference"] + ["TBD"] * 40
        for text in answers:
            shown = await person.says(text)
            if any(b.get("data", "").endswith("confirm") for m in shown for row in m["keyboard"] or [] for b in row):
                break
        day = (telegram.desk.clock.now() + timedelta(days=10)).date().isoformat()
        if kind == "start":
            await person.says(f"start date: {day}")
        await person.taps(texts(LOCALES[language]).text("✓ Confirm and send"))
    else:
        await person.says("inference")
    return person


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "start"])
async def test_each_kind_comes_when_due_late_and_after_a_language_switch(telegram, noon, kind, language):
    reader, other = texts(LOCALES[language]), texts("zh_Hans" if language == "en" else "en")
    person = await customer(telegram, kind, language)
    now = telegram.desk.clock.now()
    await occurs(telegram, person, kind, now + timedelta(minutes=10))
    await telegram.advance(9 * 60)
    assert reader.text(SHOWN[kind]) not in said(await person.new()), "not before its time"
    await telegram.advance(62)
    shown = said(await person.new())
    assert reader.text(SHOWN[kind]) in shown
    assert _sorry(reader) not in shown

    await person.says("English please" if language != "en" else "切换到中文")
    await occurs(telegram, person, kind, telegram.desk.clock.now() - timedelta(minutes=30))
    await telegram.advance(1)
    late = said(await person.new())
    assert other.text(SHOWN[kind]) in late or SHOWN["destroy"].split()[0] in late
    assert _sorry(other) in late


def _sorry(reader) -> str:
    """How a late reminder says so."""
    return reader.text("This reminder was due at {moment} and comes late; sorry.").split("{moment}")[0]


@pytest.mark.parametrize("language", LOCALES)
async def test_the_start_of_a_reservation_comes_a_week_and_a_day_before(telegram, noon, language):
    person = await customer(telegram, "start", language)
    reader = texts(LOCALES[language])
    came = 0
    for _ in range(10):
        await telegram.advance(86400)
        came += reader.text(SHOWN["start"]) in said(await person.new())
    assert came == 2


@pytest.mark.parametrize("kind", [code for code, kind in KINDS.items() if kind.snoozes and code != "start"])
async def test_snoozed_it_comes_again_once_and_a_second_tap_changes_nothing(telegram, noon, kind):
    person = await customer(telegram, kind, "en")
    await occurs(telegram, person, kind, telegram.desk.clock.now() + timedelta(minutes=1))
    await telegram.advance(61)
    (message,) = [m for m in await person.new() if SHOWN[kind] in m["text"]]
    data = next(b["data"] for row in message["keyboard"] for b in row if b["text"] == "In 15 minutes")
    await person.taps("In 15 minutes")
    await person.taps_data(message["message_id"], data, stale=True)
    await person.new()
    await telegram.advance(14 * 60)
    assert SHOWN[kind] not in said(await person.new())
    await telegram.advance(70)
    assert said(await person.new()).count("⏰") == 1


async def test_a_restart_loses_nothing_and_sends_late_ones_once(sandbox, settings_for, database_url, clock, noon):
    settings = settings_for(database_url)
    async with started(sandbox, settings, clock) as telegram:
        person = await telegram.person("en")
        await person.says("/start")
        await person.says("remind me in 90 min to look at tea 3")
        await person.says("remind me every day at 15:00 to walk")
    clock.advance(2 * 3600)
    async with started(sandbox, settings, clock) as telegram:
        person.telegram = telegram
        await telegram.idle()
        missed = said(await person.new())
        assert missed.count("look at tea 3") == 1
        assert "comes late" in missed
        await telegram.advance(2 * 3600)
        assert "walk" in said(await person.new())
        await telegram.advance(86400)
        assert said(await person.new()).count("walk") == 1


async def test_two_copies_send_ten_reminders_once_each(sandbox, settings_for, database_url, clock, noon):
    settings = settings_for(database_url)
    async with started(sandbox, settings, clock) as telegram:
        person = await telegram.person("en")
        await person.says("/start")
        for n in range(10):
            await person.says(f"remind me in 90 min to drink cup {n} of tea")
        await person.new()
        tickers = [
            type(telegram.desk.ticker)(telegram.desk.engine, settings, clock.now, telegram.desk.sender.wake)
            for _ in range(3)
        ]
        clock.advance(90 * 60 + 1)
        await asyncio.gather(*(ticker.tick() for ticker in tickers))
        await telegram.idle()
        shown = said(await person.new())
        assert [shown.count(f"cup {n} of tea") for n in range(10)] == [1] * 10


async def test_while_blocked_nothing_is_written_and_afterwards_one_summary_tells_all(telegram, noon):
    person = await telegram.person("en")
    await person.says("/start")
    await person.says("remind me in 1 hour to drink tea")
    await person.says("remind me in 2 hours to eat rice")
    await telegram.call(f"/users/{person.id}/block", {})
    await telegram.idle()
    before = len(await telegram.calls("sendMessage"))
    await telegram.advance(3 * 3600)
    assert len(await telegram.calls("sendMessage")) == before
    await telegram.call(f"/users/{person.id}/unblock", {})
    await telegram.advance(2)
    (message,) = [m for m in await person.new() if "came due" in (m["text"] or "")]
    assert "drink tea" in message["text"]
    assert "eat rice" in message["text"]


@pytest.mark.parametrize("language", LOCALES)
async def test_a_draft_is_spoken_of_once_a_day_after_its_last_answer(telegram, noon, language):
    """Noon, and four hours later another answer: the word comes at the next day's four, not at noon."""
    word = texts(LOCALES[language]).text(SHOWN["draft"])
    person = await customer(telegram, "draft", language)
    await telegram.advance(4 * 3600)
    await person.says("vLLM, 2 x RTX 4090")
    await person.new()
    await telegram.advance(20 * 3600 + 60)
    assert word not in said(await person.new())
    await telegram.advance(4 * 3600 - 120)
    assert word not in said(await person.new())
    await telegram.advance(120)
    assert word in said(await person.new())
    await telegram.advance(3 * 86400)
    assert word not in said(await person.new())


async def test_at_night_only_what_was_asked_for_or_costs_money_comes(telegram, noon):
    person = await customer(telegram, "draft", "en")
    await telegram.advance(11.5 * 3600)
    await person.new()
    now = telegram.desk.clock.now()
    for kind in ("draft", "own", "destroy", "storage"):
        await occurs(telegram, person, kind, now + timedelta(minutes=1))
    await telegram.advance(70)
    night = said(await person.new())
    assert SHOWN["own"] in night
    assert SHOWN["destroy"] in night
    assert SHOWN["draft"] not in night
    assert "Stopped, but not destroyed" not in night
    await telegram.advance(8.6 * 3600)
    morning = said(await person.new())
    assert SHOWN["draft"] in morning
    assert "Stopped, but not destroyed" in morning


async def test_a_list_edits_pauses_and_deletes(telegram, noon):
    person = await telegram.person("zh-hans")
    await person.says("/start")
    made = said(await person.says("每天早上9点提醒我存检查点"))
    assert "存检查点" in made
    assert "09:00" in made
    await person.says("/reminders")
    await person.taps("1. 修改")
    assert "09:30" in said(await person.says("9点半")), "a bare time keeps the rhythm"
    await person.says("/reminders")
    await person.taps("1. 修改")
    assert "每 2 小时" in said(await person.says("每2小时"))
    await person.says("/reminders")
    await person.taps("暂停")
    await telegram.advance(3 * 3600)
    assert "⏰ 存检查点" not in said(await person.new())
    await person.taps("继续")
    await telegram.advance(2 * 3600 + 60)
    assert "⏰ 存检查点" in said(await person.new())
    await person.says("/reminders")
    await person.taps("删除")
    await telegram.advance(5 * 3600)
    assert "⏰ 存检查点" not in said(await person.new())


async def test_the_zone_moves_what_repeats_and_nothing_else(telegram, noon):
    person = await telegram.person("zh-hans")
    await person.says("/start")
    await person.says("每天早上9点提醒我跑步")
    await person.says("/timezone 纽约")
    listed = said(await person.says("/reminders"))
    assert "09:00 UTC-0" in listed
    assert "19:08" in said(await person.says("19:08提醒我喝茶"))


async def test_two_meanings_of_a_time_are_asked(telegram, noon):
    person = await telegram.person("en")
    await person.says("/start")
    asked = await person.says("remind me at 9 to drink tea")
    assert "Which time do you mean?" in said(asked)
    choice = next(b["text"] for m in asked for row in m["keyboard"] or [] for b in row if "21:00" in b["text"])
    assert "21:00" in said(await person.taps(choice))


async def test_the_tick_is_never_left_out_for_being_late(telegram):
    (job,) = telegram.desk.application.job_queue.jobs()
    assert job.job.misfire_grace_time is None
    assert job.job.coalesce


async def test_two_hundred_due_at_nine_all_come_and_none_twice(telegram, sandbox, noon):
    nine = noon.replace(hour=9)
    customers = range(7_000_001, 7_000_201)
    async with telegram.desk.engine.begin() as tx:
        for customer in customers:
            sandbox.world.add_person(User(customer, "Customer", language_code="en", started=True))
            await people.meet(tx, Profile(customer, "Customer", None, None, "en"), None, noon)
            series = await reminders.add(tx, customer, OWN, text="save it", rule="every=P1D;at=09:00", now=noon)
            await reminders.remind(tx, Occurrence(0, OWN.code, customer, None, series.id, nine))
    await telegram.advance((nine - noon).total_seconds() + 1)
    await telegram.advance(60)
    sent = [call["params"] for call in await telegram.calls("sendMessage")]
    assert sorted(int(params["chat_id"]) for params in sent if "save it" in params["text"]) == list(customers)
