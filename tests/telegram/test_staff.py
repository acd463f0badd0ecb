from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from telegram import Chat, Location, Message, MessageEntity, PhotoSize, User

from bot.reminders.trial import Trial
from bot.settings import Settings
from bot.storage import claims, migrations, people, trials
from bot.storage import engine as engines
from bot.storage.people import Profile
from bot.telegram import staff
from bot.telegram.ignored import Ignored

NOW = datetime(2026, 11, 30, 2, 0, tzinfo=UTC)
GROUP, THREAD, CUSTOMER = -1001, 5, 7
PERSON = User(9, "Staff", is_bot=False)
ANONYMOUS = User(1087968824, "Group", is_bot=True, username="GroupAnonymousBot")


@pytest.fixture
async def tx(sqlite_url):
    engine = engines.connect(sqlite_url)
    await migrations.migrate(engine)
    async with engine.begin() as connection:
        await people.meet(connection, Profile(CUSTOMER, "C", None, None, "en"), None, NOW)
        await people.save_topic(connection, CUSTOMER, GROUP, THREAD, NOW)
        yield connection
    await engine.dispose()


def written(text: str | None, **more) -> Message:
    chat = Chat(GROUP, Chat.SUPERGROUP, is_forum=True)
    given = {"from_user": PERSON, "message_thread_id": THREAD, "is_topic_message": True, **more}
    return Message(message_id=3, date=NOW, chat=chat, text=text, **given)


async def calls(tx, message: Message) -> list[claims.Call]:
    await staff.handle(tx, message, Settings(staff_chat_id=GROUP), NOW)
    return await claims.claim_calls(tx, NOW, 10, NOW)


async def test_what_staff_write_in_a_topic_goes_to_its_customer(tx):
    (call,) = await calls(tx, written("in two weeks"))
    assert (call.method, call.chat_id) == ("copy_message", CUSTOMER)
    assert call.payload == {"from_chat_id": GROUP, "message_id": 3}


async def changes(tx, message: Message) -> list[claims.Call] | Ignored:
    ignored = await staff.correct(tx, message, Settings(staff_chat_id=GROUP), NOW)
    return ignored or [call for call in await claims.claim_calls(tx, NOW, 10, NOW) if call.target_id is not None]


async def passed_on(tx, message: Message) -> int:
    """Let a message reach its customer as their message 40."""
    (call,) = await calls(tx, message)
    await claims.finish_calls(tx, [claims.Outcome(call.id, 40)], NOW)
    return call.id


async def test_a_changed_text_changes_its_copy_with_its_marks(tx):
    copy = await passed_on(tx, written("in two weeks"))
    bold = MessageEntity(MessageEntity.BOLD, 3, 5)
    (call,) = await changes(tx, written("in three weeks", entities=[bold]))
    assert (call.method, call.target_id, call.chat_id) == ("edit_message_text", copy, CUSTOMER)
    assert call.payload == {
        "text": "in three weeks",
        "entities": [{"type": "bold", "offset": 3, "length": 5}],
    }


async def test_a_changed_caption_changes_the_copys_and_may_be_taken_away(tx):
    picture = {"photo": [PhotoSize("a", "b", 1, 1)]}
    await passed_on(tx, written(None, caption="the old offer", **picture))
    (call,) = await changes(tx, written(None, caption="the offer", **picture))
    assert (call.method, call.payload) == ("edit_message_caption", {"caption": "the offer", "caption_entities": []})
    await claims.finish_calls(tx, [claims.Outcome(call.id, 40)], NOW)
    (call,) = await changes(tx, written(None, **picture))
    assert call.payload == {"caption": "", "caption_entities": []}


async def test_what_was_not_passed_on_is_changed_among_staff(tx):
    assert await changes(tx, written("/price H100 2.9 USD")) is Ignored.AMONG_STAFF
    await passed_on(tx, written("in two weeks"))
    nowhere = written("x", message_thread_id=None, is_topic_message=False)
    assert await changes(tx, nowhere) is Ignored.AMONG_STAFF
    bot = written("x", from_user=User(1, "Bot", is_bot=True))
    assert await changes(tx, bot) is Ignored.A_BOT
    assert await changes(tx, written(None, location=Location(1, 1))) is Ignored.EDITED_FILE


async def test_an_anonymous_administrator_is_staff(tx):
    group = Chat(GROUP, Chat.SUPERGROUP)
    assert await calls(tx, written("hello", from_user=ANONYMOUS, sender_chat=group))


@pytest.mark.parametrize(
    "message",
    [
        written("from the bot itself", from_user=User(1, "Bot", is_bot=True)),
        written("outside of any topic", message_thread_id=None, is_topic_message=False),
        written("in a topic of nobody", message_thread_id=6),
    ],
)
async def test_nothing_else_reaches_a_customer(tx, message):
    assert await calls(tx, message) == []


async def test_staff_are_told_when_a_customer_has_blocked_the_bot(tx):
    await people.set_blocked(tx, CUSTOMER, NOW)
    (call,) = await calls(tx, written("are you there?"))
    assert call.chat_id == GROUP
    assert "blocked" in call.payload["text"]


@pytest.mark.parametrize(
    ("said", "answered"),
    [
        ("/price H100 2.9 USD", "H100 80 GB SXM5: $2.90 per card and hour from now on."),
        ("/price RTX 4090 2.5 元", "GeForce RTX 4090: CN¥2.50 per card and hour from now on."),
        ("/price@gpu_desk_bot A100 80G 1.4 USD", "A100 80 GB SXM4: $1.40 per card and hour from now on."),
        ("/price H100", "Write it so"),
        ("/price H100 5", "Write it so"),
        ("/price nothing 5 USD", "Write it so"),
        ("/price H100 0 USD", "Write it so"),
        ("/prices", "No price is set"),
    ],
)
async def test_staff_set_and_read_prices(tx, said, answered):
    (call,) = await calls(tx, written(said))
    assert answered in call.payload["text"]
    assert call.payload["message_thread_id"] == THREAD


async def test_the_newest_price_holds(tx):
    await calls(tx, written("/price H100 2.9 USD"))
    await calls(tx, written("/price H100 3.1 USD"))
    prices, as_of = await trials.staff_prices(tx)
    assert str(prices["h100-sxm"][0]) == "3.1"
    assert as_of == NOW


async def test_a_trial_keeps_the_price_it_was_registered_at(tx):
    start = NOW - timedelta(hours=2)
    trial = Trial(0, "rtx4090", 2, Decimal("0.35"), "USD", start, NOW)
    await trials.register(tx, CUSTOMER, trial)
    await calls(tx, written("/price RTX 4090 9 USD"))
    (running,) = await trials.running(tx, CUSTOMER)
    assert running.compute_cost(NOW) == Decimal("1.40")
