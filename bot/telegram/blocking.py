"""A customer blocks the bot or takes it back: their reminders pause or go on, and their topic is told, once."""

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.i18n import N_, texts
from bot.storage import people, queues
from bot.telegram.replies import BACKGROUND

BLOCKED = N_("The customer has blocked the bot: nothing that is written here reaches them, and their reminders pause.")
BACK = N_("The customer takes messages from the bot again.")


async def note(tx: AsyncConnection, customer_id: int, locale: str, now: datetime, *, gone: bool) -> bool:
    """Store whether a customer has blocked the bot; tells their topic in the staff's language. True when it was told."""
    person = await people.person(tx, customer_id)
    if person is None or (person.blocked_at is not None) == gone:
        return False
    await people.set_blocked(tx, customer_id, now if gone else None)
    topic = await people.topic_of(tx, customer_id)
    if topic is None:
        return False
    await queues.add_call(
        tx,
        method="send_message",
        payload={"text": texts(locale).text(BLOCKED if gone else BACK)},
        now=now,
        lane=str(topic[0]),
        customer_id=customer_id,
        topic_of=customer_id,
        priority=BACKGROUND,
    )
    return True
