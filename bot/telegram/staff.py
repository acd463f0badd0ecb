"""The staff's side of an update: replies go from a topic to its customer, commands are for staff alone."""

import re
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncConnection
from telegram import Message, MessageEntity

from bot import quantities
from bot.checklist.job import card_key
from bot.i18n import N_, Texts, texts
from bot.reminders.kinds import ANSWERS
from bot.settings import Settings
from bot.storage import people, queues, reminders, trials
from bot.telegram.ignored import Ignored
from bot.telegram.markup import Html, escape, lines
from bot.telegram.screens.estimates import card_title

_CAPTIONED: Final = ("photo", "document", "video", "animation", "audio", "voice")
"""The kinds of message that have a caption, as fields of a message."""

PRICE_USE: Final = N_("Write it so: /price H100 2.9 USD")


async def handle(tx: AsyncConnection, message: Message, settings: Settings, now: datetime) -> Ignored | None:
    """Handle a message in the staff group; what is neither a command nor in a customer's topic stays among staff."""
    if not _from_staff(message):
        return Ignored.A_BOT
    said = message.text or ""
    if said.startswith("/"):
        return await _command(tx, message, said, settings, now)
    if not _has_content(message):
        return Ignored.SERVICE
    customer_id = await _customer(tx, message)
    if customer_id is None:
        return Ignored.AMONG_STAFF
    if await _reachable(tx, message, customer_id, settings, now):
        await reminders.drop(tx, customer_id, kinds=(ANSWERS.code,))
        copied = {"from_chat_id": message.chat_id, "message_id": message.message_id}
        await _pass_on(tx, customer_id, "copy_message", copied, now)
    return None


async def correct(tx: AsyncConnection, message: Message, settings: Settings, now: datetime) -> Ignored | None:
    """Change the customer's copy of a message that staff have changed; what was never passed on stays among staff."""
    if not _from_staff(message):
        return Ignored.A_BOT
    customer_id = await _customer(tx, message)
    if customer_id is None:
        return Ignored.AMONG_STAFF
    copy = await queues.copy_of(tx, customer_id, message.chat_id, message.message_id)
    if copy is None:
        return Ignored.AMONG_STAFF
    payload: dict[str, Any]
    if message.text is not None:
        method, payload = "edit_message_text", {"text": message.text, "entities": _plain(message.entities)}
    elif any(getattr(message, kind) for kind in _CAPTIONED):
        method = "edit_message_caption"
        payload = {"caption": message.caption or "", "caption_entities": _plain(message.caption_entities)}
    else:
        return Ignored.EDITED_FILE
    if await _reachable(tx, message, customer_id, settings, now):
        await _pass_on(tx, customer_id, method, payload, now, target_id=copy)
    return None


async def _customer(tx: AsyncConnection, message: Message) -> int | None:
    """The customer in whose topic a message stands."""
    if message.message_thread_id is None:
        return None
    return await people.customer_of(tx, message.chat_id, message.message_thread_id)


async def _reachable(
    tx: AsyncConnection, message: Message, customer_id: int, settings: Settings, now: datetime
) -> bool:
    """Whether a customer can be written to; where they have blocked the bot staff are told so."""
    person = await people.person(tx, customer_id)
    if person is not None and person.blocked_at is None:
        return True
    note = texts(settings.default_locale).text(N_("Not delivered: the customer has blocked the bot."))
    await _answer(tx, message, escape(note), now)
    return False


async def _pass_on(
    tx: AsyncConnection,
    customer_id: int,
    method: str,
    payload: dict[str, Any],
    now: datetime,
    *,
    target_id: int | None = None,
) -> None:
    await queues.add_call(
        tx,
        method=method,
        payload=payload,
        now=now,
        lane=str(customer_id),
        chat_id=customer_id,
        customer_id=customer_id,
        target_id=target_id,
    )


def _plain(entities: Sequence[MessageEntity]) -> list[dict[str, Any]]:
    return [entity.to_dict() for entity in entities]


def _from_staff(message: Message) -> bool:
    """Whether a person of the staff wrote it; an anonymous administrator appears as a bot that speaks for the group."""
    if message.from_user is None:
        return False
    speaks_for_group = message.sender_chat is not None and message.sender_chat.id == message.chat_id
    return speaks_for_group or not message.from_user.is_bot


def _has_content(message: Message) -> bool:
    """Whether the message can be copied: service messages such as "topic created" cannot."""
    return bool(message.text or message.effective_attachment)


async def _command(
    tx: AsyncConnection, message: Message, said: str, settings: Settings, now: datetime
) -> Ignored | None:
    name, _, argument = said[1:].partition(" ")
    reader = texts(settings.default_locale)
    handler = {"price": _price, "prices": _prices}.get(name.partition("@")[0])
    if handler is None:
        return Ignored.AMONG_STAFF
    await _answer(tx, message, await handler(tx, message, argument.strip(), reader, now), now)
    return None


async def _price(tx: AsyncConnection, message: Message, argument: str, reader: Texts, now: datetime) -> Html:
    """Set today's price of a card; the one before stays as history."""
    key, amount = _card_and_money(argument, now)
    if key is None or amount is None:
        return escape(reader.text(PRICE_USE))
    currency, price = amount[:3], Decimal(amount[3:])
    if price <= 0 or message.from_user is None:
        return escape(reader.text(PRICE_USE))
    await trials.set_price(tx, gpu=key, price=price, currency=currency, set_by=message.from_user.id, now=now)
    money_text = reader.money(price, currency)
    return escape(
        reader.text(N_("{card}: {money} per card and hour from now on."), card=card_title(key), money=money_text)
    )


def _card_and_money(argument: str, now: datetime) -> tuple[str | None, str | None]:
    """The card's key and the exact amount, wherever the words part: both names and prices may hold spaces."""
    words = argument.split()
    for at in range(1, len(words)):
        key = card_key(quantities.parse("gpu", " ".join(words[:at]), now=now))
        amount = quantities.parse("money", " ".join(words[at:]), now=now)
        if key and amount and re.fullmatch(r"[A-Z]{3}\d+(\.\d+)?", amount):
            return key, amount
    return None, None


async def _prices(tx: AsyncConnection, _message: Message, _argument: str, reader: Texts, _now: datetime) -> Html:
    """List the prices of today that staff have set."""
    prices, _as_of = await trials.staff_prices(tx)
    if not prices:
        return escape(reader.text(N_("No price is set; the market's are used. {use}"), use=reader.text(PRICE_USE)))
    return lines(*(f"{card_title(key)}{reader.colon}{reader.money(*price)}" for key, price in sorted(prices.items())))


async def _answer(tx: AsyncConnection, message: Message, text: Html, now: datetime) -> None:
    payload: dict[str, object] = {
        "text": text,
        "parse_mode": "HTML",
        "reply_parameters": {"message_id": message.message_id},
    }
    if message.is_topic_message and message.message_thread_id is not None:
        payload["message_thread_id"] = message.message_thread_id
    await queues.add_call(
        tx, method="send_message", payload=payload, now=now, lane=str(message.chat_id), chat_id=message.chat_id
    )
