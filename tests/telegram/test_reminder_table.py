"""The table of reminders by the clock: each kind, in both languages, at creation, due, snoozed, late, over a daylight-saving change in
New York and none in Shanghai, over a restart, after a language switch, while blocked, and when the clock jumps."""

import asyncio
import re
import shutil
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select, update

from bot.checklist.answer import Answer, Answers, Status
from bot.desk.request import RequestState
from bot.dialog import effect as fx
from bot.dialog.state import TrialDraft
from bot.i18n import texts
from bot.reminders.kinds import KINDS
from bot.reminders.steps import taken
from bot.settings import Settings
from bot.storage import claims, migrations, people, reminders, requests, trials
from bot.storage import engine as engines
from bot.storage.people import Profile
from bot.storage.tables import REMINDER, REQUEST
from bot.telegram.composer import Composer
from bot.telegram.markup import visible
from bot.telegram.ticker import Ticker
from bot.telegram.upkeep import Upkeep

CUSTOMER = 7
SECOND, MINUTE, HOUR, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
ZONES = {"New York": "America/New_York", "Shanghai": "Asia/Shanghai"}
"""New York puts its clocks back in the night after the reminders are made, Shanghai never does."""
WHERE = [("en", "New York"), ("zh_Hans", "Shanghai")]
SNOOZED = [code for code, kind in KINDS.items() if kind.snoozes]
DUE = {
    # What is a length of time away comes as long after; what is at a time of day comes at that time.
    "destroy": ("11-01 10:45 -0500", "11-01 11:45 +0800"),
    "storage": ("11-01 11:00 -0500", "11-01 12:00 +0800"),
    "checkpoint": ("10-31 13:00 -0400", "10-31 13:00 +0800"),
    "move": ("11-01 10:00 -0500", "11-01 11:00 +0800"),
    "draft": ("11-01 11:00 -0500", "11-01 12:00 +0800"),
    "answers": ("11-01 11:00 -0500", "11-01 12:00 +0800"),
    "start": ("11-01 09:00 -0500", "11-01 09:00 +0800"),
    "own": ("11-01 09:00 -0500", "11-01 09:00 +0800"),
}


class Desk:
    """The part of a running bot that keeps reminders, on a database of its own, at a moment that the test sets."""

    def __init__(self, url: str, locale: str, place: str) -> None:
        self.url, self.locale, self.zone = url, locale, ZoneInfo(ZONES[place])
        self.now = datetime(2026, 10, 31, 12, tzinfo=self.zone).astimezone(UTC)
        self._open()

    def _open(self) -> None:
        settings = Settings(staff_chat_id=-1001)
        self.engine = engines.connect(self.url)
        self.ticker = Ticker(self.engine, settings, lambda: self.now, lambda: None)
        self.composer = Composer(self.engine, settings, lambda: self.now)

    async def restarts(self) -> None:
        await self.engine.dispose()
        self._open()

    async def carry_out(self, *effects) -> None:
        async with self.engine.begin() as tx:
            for effect in effects:
                await Upkeep(tx, CUSTOMER, self.zone, self.now).carry_out(effect, Answers())

    async def makes(self, kind: str) -> datetime:
        """Do what calls for a reminder of this kind; returns when it is due."""
        async with self.engine.begin() as tx:
            await people.meet(tx, Profile(CUSTOMER, "C", None, None, self.locale), None, self.now)
            await people.set_locale(tx, CUSTOMER, self.locale)
            await people.set_zone(tx, CUSTOMER, self.zone.key)
            request = await requests.open_draft(tx, CUSTOMER, self.now)
            upkeep = Upkeep(tx, CUSTOMER, self.zone, self.now)
            if kind == "draft":
                await upkeep.draft_begun(request.id)
            if kind in ("answers", "start"):
                day = Answer(normal="2026-11-08", raw="8 Nov", status=Status.EXACT)
                answers = Answers({"start_date": day} if kind == "start" else {})
                sent = {"state": RequestState.CONFIRMED, "answers": answers.dump()}
                await tx.execute(update(REQUEST).where(REQUEST.c.id == request.id).values(**sent))
                await upkeep.submitted(answers, staffed=kind == "answers")
        draft = TrialDraft(gpu="rtx4090", gpus=1, price=Decimal("0.35"), seconds=DAY.total_seconds(), storage_gb=0)
        if kind in ("destroy", "move", "checkpoint", "storage"):
            await self.carry_out(fx.RegisterTrial(draft))
        if kind == "storage":
            async with self.engine.connect() as tx:
                (trial,) = await trials.running(tx, CUSTOMER)
            await self.carry_out(fx.TakeStep(taken(trial, "stopped", self.now)))
        if kind == "own":
            await self.carry_out(fx.AddReminder("tea 3", "every=P1D;at=09:00"))
        return await self.next_of(kind)

    async def next_of(self, kind: str) -> datetime:
        """The moment at which the next of a kind is due."""
        async with self.engine.connect() as tx:
            open_ones = await tx.execute(select(REMINDER).order_by(REMINDER.c.due_at))
            return next(row.due_at for row in open_ones if row.kind == kind and row.done_at is None)

    async def told(self, at: datetime | None = None) -> list[str]:
        """Move the clock, let it tick, and return what is sent to the customer."""
        self.now, found = at or self.now, []
        await self.ticker.tick()
        while True:
            async with self.engine.begin() as tx:
                calls = await claims.claim_calls(tx, self.now, 50, self.now)
            if not calls:
                return found
            for call in calls:
                payload = await self.composer.complete(call.payload)
                if payload is not None and call.chat_id == CUSTOMER:
                    self.keyboard = payload.get("reply_markup")
                    found.append(visible(payload["text"]))
            async with self.engine.begin() as tx:
                await claims.finish_calls(tx, [claims.Outcome(call.id, message_id=1) for call in calls], self.now)

    async def sent(self) -> tuple:
        async with self.engine.connect() as tx:
            return await reminders.answerable(tx, CUSTOMER, self.now)


def heads(kind: str, locale: str) -> set[str]:
    """What the first line of a kind says in a language, facts left out."""
    if kind == "own":
        return {"tea 3"}
    messages = [message for _, message in (*KINDS[kind].headlines, *KINDS[kind].unpriced)]
    return {max(re.split(r"\{\w+\}", texts(locale).text(message)), key=len).strip(" ：:，,") for message in messages}


def about(kind: str, locale: str, messages: list[str]) -> list[str]:
    return [message for message in messages if any(head in message for head in heads(kind, locale))]


def sorry(locale: str) -> str:
    return texts(locale).text("This reminder was due at {moment} and comes late; sorry.").split("{moment}")[0]


@pytest.fixture(scope="module")
def migrated(tmp_path_factory):
    """A migrated database to copy, since migrating takes longer than a test."""
    path = tmp_path_factory.mktemp("reminders") / "desk.db"

    async def migrate() -> None:
        engine = engines.connect(f"sqlite+aiosqlite:///{path}")
        await migrations.migrate(engine)
        await engine.dispose()

    asyncio.run(migrate())
    return path


@pytest.fixture
async def desk_in(migrated, tmp_path):
    made = []

    def open_one(locale: str, place: str) -> Desk:
        for part in migrated.parent.glob("desk.db*"):
            shutil.copy(part, tmp_path / part.name)
        made.append(Desk(f"sqlite+aiosqlite:///{tmp_path / 'desk.db'}", locale, place))
        return made[-1]

    yield open_one
    for desk in made:
        await desk.engine.dispose()


def test_the_table_is_whole():
    assert set(DUE) == set(KINDS)


@pytest.mark.parametrize("place", ZONES)
@pytest.mark.parametrize("locale", ["en", "zh_Hans"])
@pytest.mark.parametrize("kind", KINDS)
async def test_made_and_due_to_the_second_over_the_change_of_the_clocks(desk_in, kind, locale, place):
    desk = desk_in(locale, place)
    due_at = await desk.makes(kind)
    expected = DUE[kind][list(ZONES).index(place)]
    assert due_at.astimezone(desk.zone).strftime("%m-%d %H:%M %z") == expected
    assert await desk.told() == [], "nothing comes at creation"
    assert about(kind, locale, await desk.told(due_at - SECOND)) == []
    (message,) = about(kind, locale, await desk.told(due_at))
    assert sorry(locale) not in message
    assert about(kind, locale, await desk.told(due_at + SECOND)) == [], "each occurrence once"


@pytest.mark.parametrize(("locale", "place"), WHERE)
@pytest.mark.parametrize("kind", KINDS)
async def test_late_it_comes_once_and_says_so(desk_in, kind, locale, place):
    desk = desk_in(locale, place)
    due_at = await desk.makes(kind)
    await desk.told(due_at - SECOND)
    late = await desk.told(due_at + 20 * MINUTE)
    (message,) = about(kind, locale, late)
    summed = texts(locale).text("These reminders came due while I could not send them")
    assert sorry(locale) in message or summed in message
    assert about(kind, locale, await desk.told()) == []


@pytest.mark.parametrize(("locale", "place"), WHERE)
@pytest.mark.parametrize("kind", SNOOZED)
async def test_snoozed_it_comes_again_once(desk_in, kind, locale, place):
    desk = desk_in(locale, place)
    due_at = await desk.makes(kind)
    await desk.told(due_at - SECOND)
    assert about(kind, locale, await desk.told(due_at))
    one = next(one for one in await desk.sent() if one.kind == kind)
    await desk.carry_out(fx.Snooze(one, desk.now + 15 * MINUTE), fx.Snooze(one, desk.now + 15 * MINUTE))
    assert about(kind, locale, await desk.told(due_at + 15 * MINUTE - SECOND)) == []
    (message,) = about(kind, locale, await desk.told(due_at + 15 * MINUTE))
    assert sorry(locale) not in message
    assert about(kind, locale, await desk.told(due_at + 15 * MINUTE + SECOND)) == []


@pytest.mark.parametrize(("locale", "place"), WHERE)
@pytest.mark.parametrize("kind", sorted(set(KINDS) - set(SNOOZED)))
async def test_what_cannot_be_moved_has_no_button_to_move_it(desk_in, kind, locale, place):
    desk = desk_in(locale, place)
    due_at = await desk.makes(kind)
    assert about(kind, locale, await desk.told(due_at))
    assert texts(locale).text("In 15 minutes") not in str(desk.keyboard)


@pytest.mark.parametrize(("locale", "place"), WHERE)
@pytest.mark.parametrize("kind", KINDS)
async def test_a_restart_neither_loses_nor_repeats_it(desk_in, kind, locale, place):
    desk = desk_in(locale, place)
    due_at = await desk.makes(kind)
    await desk.told(due_at - SECOND)
    await desk.restarts()
    assert len(about(kind, locale, await desk.told(due_at))) == 1
    await desk.restarts()
    assert about(kind, locale, await desk.told(due_at + SECOND)) == []


@pytest.mark.parametrize(("locale", "other", "place"), [("en", "zh_Hans", "New York"), ("zh_Hans", "en", "Shanghai")])
@pytest.mark.parametrize("kind", KINDS)
async def test_it_comes_in_the_language_of_that_moment(desk_in, kind, locale, other, place):
    desk = desk_in(locale, place)
    due_at = await desk.makes(kind)
    await desk.told(due_at - SECOND)
    async with desk.engine.begin() as tx:
        await people.set_locale(tx, CUSTOMER, other)
    sent = await desk.told(due_at)
    assert len(about(kind, other, sent)) == 1
    if kind != "own":
        assert about(kind, locale, sent) == []


@pytest.mark.parametrize(("locale", "place"), WHERE)
@pytest.mark.parametrize("kind", KINDS)
async def test_blocked_it_waits_and_comes_once_after(desk_in, kind, locale, place):
    desk = desk_in(locale, place)
    due_at = await desk.makes(kind)
    await desk.told(due_at - SECOND)
    async with desk.engine.begin() as tx:
        await people.set_blocked(tx, CUSTOMER, desk.now)
    assert await desk.told(due_at) == []
    assert await desk.told(due_at + 10 * MINUTE) == []
    async with desk.engine.begin() as tx:
        await people.set_blocked(tx, CUSTOMER, None)
    assert len(about(kind, locale, await desk.told(due_at + 20 * MINUTE))) == 1


@pytest.mark.parametrize(("locale", "place"), WHERE)
@pytest.mark.parametrize("kind", KINDS)
async def test_a_clock_that_jumps_by_a_month_sends_one_and_one_that_goes_back_sends_none(desk_in, kind, locale, place):
    desk = desk_in(locale, place)
    due_at = await desk.makes(kind)
    assert await desk.told(desk.now - DAY) == []
    late = await desk.told(due_at + 30 * DAY)
    assert len(late) <= 1
    assert len(about(kind, locale, late)) == (kind not in ("move", "start")), "what is past is not told"
    assert await desk.told(due_at + 30 * DAY + SECOND) == []


async def test_a_rhythm_of_hours_skips_the_night_and_goes_on_in_its_step(desk_in):
    desk = desk_in("en", "New York")
    first = await desk.makes("checkpoint")
    came = []
    for hours in range(24):
        sent = about("checkpoint", "en", await desk.told(first + hours * HOUR))
        came += [f"{desk.now.astimezone(desk.zone):%H:%M}"] * len(sent)
    # Quiet from 22:00 to 8:00; the clocks went back an hour, the steps of an hour did not. The trial is planned to end at 11:00.
    assert came == [*(f"{hour}:00" for hour in range(13, 22)), "09:00", "10:00"]
