"""Customers, their dialogs, their topics, and the deletion of everything about them."""

from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import bindparam, delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.tables import CUSTOMER, DIALOG, INBOX, OUTBOX, REMINDER, REQUEST, SERIES, TOPIC, TRIAL
from bot.storage.upsert import insert_for, prebuilt


@dataclass(frozen=True)
class Person:
    """A customer as stored."""

    id: int
    first_name: str
    last_name: str | None
    username: str | None
    language_code: str | None
    locale: str | None
    zone: str | None
    blocked_at: datetime | None
    quiet_hours: str | None = None


@dataclass(frozen=True)
class Profile:
    """A person as Telegram tells of them with each update."""

    id: int
    first_name: str
    last_name: str | None
    username: str | None
    language_code: str | None


@dataclass(frozen=True)
class StoredDialog:
    """A chat's dialog as stored; `live` is its live message's outbox row."""

    chat_id: int
    state: dict[str, Any]
    live: int | None = None


async def meet(tx: AsyncConnection, told: Profile, known: Person | None, now: datetime) -> Person:
    """Store a customer's present name and app language and return the row; a chosen language and zone stay."""
    new = asdict(told)
    if known is not None and all(getattr(known, name) == value for name, value in new.items()):
        return known
    await tx.execute(_MEET(tx), {**new, "created_at": now})
    found = await person(tx, told.id)
    assert found is not None
    return found


async def person(tx: AsyncConnection, customer_id: int) -> Person | None:
    """Return a customer; None for somebody we do not know."""
    row = (await tx.execute(_PERSON, {"customer": customer_id})).first()
    return person_from(row) if row else None


def person_from(row: Any) -> Person:
    """Return the customer that a row with the columns of `customer` tells of."""
    return Person(
        row.id,
        row.first_name,
        row.last_name,
        row.username,
        row.language_code,
        row.locale,
        row.zone,
        row.blocked_at,
        row.quiet_hours,
    )


async def set_locale(tx: AsyncConnection, customer_id: int, locale: str) -> None:
    """Keep the language that a customer has chosen."""
    await tx.execute(update(CUSTOMER).where(CUSTOMER.c.id == customer_id).values(locale=locale))


async def set_zone(tx: AsyncConnection, customer_id: int, zone: str) -> None:
    """Keep the time zone that a customer has told."""
    await tx.execute(update(CUSTOMER).where(CUSTOMER.c.id == customer_id).values(zone=zone))


async def set_quiet(tx: AsyncConnection, customer_id: int, hours: str) -> None:
    """Keep the quiet hours that a customer wants, as `22:00-08:00`."""
    await tx.execute(update(CUSTOMER).where(CUSTOMER.c.id == customer_id).values(quiet_hours=hours))


async def set_blocked(tx: AsyncConnection, customer_id: int, since: datetime | None) -> None:
    """Note that a customer has blocked the bot (and their reminders pause), or takes messages again."""
    await tx.execute(update(CUSTOMER).where(CUSTOMER.c.id == customer_id).values(blocked_at=since))
    await tx.execute(
        update(REMINDER)
        .where(REMINDER.c.customer_id == customer_id, REMINDER.c.done_at.is_(None))
        .values(paused_at=since)
    )


async def lock_dialogs(tx: AsyncConnection, chat_ids: Collection[int]) -> dict[int, StoredDialog]:
    """Lock the dialogs of some chats for this transaction, in one order everywhere; returns those that there are, by chat."""
    rows = await tx.execute(_LOCK, {"chats": list(chat_ids)})
    return {row.chat_id: StoredDialog(row.chat_id, row.state, row.live_outbox_id) for row in rows}


async def open_dialog(
    tx: AsyncConnection, chat_id: int, empty: dict[str, Any], now: datetime
) -> tuple[StoredDialog, bool]:
    """Lock a chat's dialog, made when there is none; returns it and whether it is new."""
    made = await tx.execute(
        insert_for(tx, DIALOG)
        .values(chat_id=chat_id, customer_id=chat_id, state=empty, updated_at=now)
        .on_conflict_do_nothing(index_elements=["chat_id"])
    )
    return (await lock_dialogs(tx, [chat_id]))[chat_id], made.rowcount > 0


async def topic_of(tx: AsyncConnection, customer_id: int) -> tuple[int, int] | None:
    """Return the staff chat and thread of a customer's topic; None while there is none."""
    row = (
        await tx.execute(select(TOPIC.c.chat_id, TOPIC.c.thread_id).where(TOPIC.c.customer_id == customer_id))
    ).first()
    return (row.chat_id, row.thread_id) if row else None


async def customer_of(tx: AsyncConnection, chat_id: int, thread_id: int) -> int | None:
    """Return whose topic a thread of the staff chat is."""
    found = select(TOPIC.c.customer_id).where(TOPIC.c.chat_id == chat_id, TOPIC.c.thread_id == thread_id)
    return (await tx.execute(found)).scalar_one_or_none()


async def has_topics(tx: AsyncConnection, chat_id: int) -> bool:
    """Whether customers' topics are in this chat: it is the staff group, also where it has moved since it was set."""
    found = select(TOPIC.c.customer_id).where(TOPIC.c.chat_id == chat_id).limit(1)
    return (await tx.execute(found)).first() is not None


async def save_topic(tx: AsyncConnection, customer_id: int, chat_id: int, thread_id: int, now: datetime) -> None:
    """Store a customer's topic, in place of one that was lost."""
    await drop_topic(tx, customer_id)
    await tx.execute(
        insert_for(tx, TOPIC).values(customer_id=customer_id, chat_id=chat_id, thread_id=thread_id, created_at=now)
    )


async def drop_topic(tx: AsyncConnection, customer_id: int) -> None:
    """Forget a topic that is no longer there."""
    await tx.execute(delete(TOPIC).where(TOPIC.c.customer_id == customer_id))


async def move_topics(tx: AsyncConnection, old_chat: int, new_chat: int) -> None:
    """Follow a staff group that became a supergroup."""
    await tx.execute(update(TOPIC).where(TOPIC.c.chat_id == old_chat).values(chat_id=new_chat))


async def forget(tx: AsyncConnection, customer_id: int) -> None:
    """Delete every row about a customer; of their updates only the numbers stay, so that none is taken twice.

    What they wrote after that and waits to be handled stays as it is: it begins anew.
    """
    for table in (OUTBOX, DIALOG, REQUEST, TRIAL, SERIES, REMINDER, TOPIC):
        await tx.execute(delete(table).where(table.c.customer_id == customer_id))
    await tx.execute(delete(OUTBOX).where(OUTBOX.c.topic_of == customer_id))
    handled = (INBOX.c.chat_id == customer_id, INBOX.c.done_at.is_not(None))
    await tx.execute(update(INBOX).where(*handled).values(payload={}, chat_id=0, error=None))
    await tx.execute(delete(CUSTOMER).where(CUSTOMER.c.id == customer_id))


# What every update needs is built once: to build a statement takes longer than to run it.
_PERSON: Final = select(CUSTOMER).where(CUSTOMER.c.id == bindparam("customer"))
_TOLD = ("first_name", "last_name", "username", "language_code")


def _meet(insert: Any) -> Any:
    new = insert(CUSTOMER)
    return new.on_conflict_do_update(index_elements=["id"], set_={name: new.excluded[name] for name in _TOLD})


_MEET: Final = prebuilt(_meet)
_LOCK: Final = (
    select(DIALOG.c.chat_id, DIALOG.c.state, DIALOG.c.live_outbox_id)
    .where(DIALOG.c.chat_id.in_(bindparam("chats", expanding=True)))
    .order_by(DIALOG.c.chat_id)
    .with_for_update()
)
