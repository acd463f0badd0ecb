"""From an update to what is done about it, in one transaction, which it shares with what is in hand for other chats."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from telegram import CallbackQuery, Chat, ChatMember, ChatMemberUpdated, Message, Update, User

from bot.dialog.button import Button
from bot.dialog.event import Commanded, Event, Pressed, Said, Sent
from bot.estimation import ModelSpec
from bot.hub import Hub, shapes_in
from bot.i18n import N_, locale_for, texts
from bot.settings import Settings
from bot.storage import cases, people, queues
from bot.storage import inbox as arrivals
from bot.storage.cases import Found
from bot.storage.outage import is_outage
from bot.storage.people import Profile, StoredDialog
from bot.storage.together import Together
from bot.telegram import blocking, metrics, staff
from bot.telegram.ignored import Ignored
from bot.telegram.inbox import Inbox
from bot.telegram.replies import Tapped
from bot.telegram.turn import Incoming, Turn

log = structlog.get_logger(__name__)

APOLOGY: Final = N_("Sorry, something went wrong here. Reference: {reference}")
FOR_STAFF: Final = N_("An update of customer {customer} could not be handled. Reference: {reference}")
NOT_YOURS: Final = N_("This button is not for you.")


@dataclass(frozen=True)
class _Piece:
    """An update in hand: its row, and the models' shapes that it needs and the catalogue does not hold."""

    row_id: int
    update: Update
    shapes: Mapping[str, ModelSpec]

    @property
    def customer(self) -> User | None:
        """The customer whom an update in a private chat comes from."""
        chat, user = self.update.effective_chat, self.update.effective_user
        return user if user and chat and chat.type == Chat.PRIVATE and chat.id == user.id and not user.is_bot else None


class Handlers:
    """Handles updates that the inbox gives out; `wake` tells the outbox that calls have been written, `hub` knows rare models."""

    def __init__(
        self,
        engine: AsyncEngine,
        inbox: Inbox,
        settings: Settings,
        now: Callable[[], datetime],
        wake: Callable[[], None],
        *,
        hub: Hub | None = None,
    ) -> None:
        self._engine, self._inbox, self._settings, self._now, self._wake = engine, inbox, settings, now, wake
        self._hub = hub or Hub("")
        self._together = Together(engine, self._carry_out)
        self.username = ""

    async def handle(self, update: Update, _context: object = None) -> None:
        """Handle one update; one that fails is tried again, and set aside with an apology after the last try."""
        row_id = self._inbox.row_of(update)
        if row_id is None:
            return
        try:
            shapes = await self._shapes(update)
            with metrics.STAGE_S.labels("handle").time():
                ignored = await self._together.do(_Piece(row_id, update, shapes))
            if ignored:
                metrics.IGNORED.labels(ignored).inc()
                log.debug("update_ignored", update_id=update.update_id, reason=ignored)
        except Exception as error:
            if is_outage(error):
                # A database that fails is not the update's fault: it stays open and is taken again.
                metrics.ERRORS.labels("update_postponed").inc()
                log.warning("update_postponed", update_id=update.update_id, error=type(error).__name__)
                return
            metrics.ERRORS.labels("update_failed").inc()
            reference = secrets.token_hex(4)
            log.exception("update_failed", update_id=update.update_id, reference=reference)
            await self._set_aside(update, row_id, reference, error)
        finally:
            self._inbox.release(update)
            self._wake()

    async def _shapes(self, update: Update) -> Mapping[str, ModelSpec]:
        """Ask the hub for the models that a customer's message names and the catalogue does not hold, before any transaction."""
        message, chat = update.message or update.edited_message, update.effective_chat
        if message is None or message.text is None or chat is None or chat.type != Chat.PRIVATE:
            return {}
        return await shapes_in(message.text, self._hub)

    async def _carry_out(self, tx: AsyncConnection, pieces: Sequence[_Piece]) -> list[Ignored | None]:
        """Handle updates of different chats; returns for each why nothing was said, None when something was."""
        now = self._now()
        chats = await arrivals.take_updates(tx, [piece.row_id for piece in pieces], now)
        customers = [piece.customer.id for piece in pieces if piece.row_id in chats and piece.customer]
        dialogs = await people.lock_dialogs(tx, customers) if customers else {}
        found = await cases.find(tx, customers, now) if customers else {}
        ignored: list[Ignored | None] = []
        for piece in pieces:
            if piece.row_id not in chats:
                ignored.append(None)
            elif piece.customer is None or piece.update.my_chat_member is not None:
                ignored.append(await self._other(tx, piece.update))
            else:
                known = piece.customer.id
                ignored.append(await self._customer(tx, piece, piece.customer, dialogs.get(known), found.get(known)))
        return ignored

    async def _other(self, tx: AsyncConnection, update: Update) -> Ignored | None:
        """Sort what is no customer's: the staff group is staff's, all else gets nothing. A tap is answered wherever it was made."""
        chat, user = update.effective_chat, update.effective_user
        if update.my_chat_member is not None:
            return await self._membership(tx, update.my_chat_member)
        if not (update.message or update.edited_message or update.callback_query):
            return Ignored.ANOTHER_KIND
        if user is None:
            return Ignored.NOBODY
        if update.callback_query is not None:
            await self._refuse_tap(tx, update.callback_query)
            return None
        if chat is not None and await self._is_staffs(tx, chat):
            return await self._staff(tx, update)
        return Ignored.A_BOT if user.is_bot else Ignored.ELSEWHERE

    async def _customer(
        self, tx: AsyncConnection, piece: _Piece, user: User, dialog: StoredDialog | None, found: Found | None
    ) -> Ignored | None:
        incoming = incoming_from(piece.update, self.username)
        if isinstance(incoming, Ignored):
            return incoming
        told = Profile(user.id, user.first_name, user.last_name, user.username, user.language_code)
        turn = Turn(tx, self._settings, told, self._now())
        return await turn.run(replace(incoming, shapes=piece.shapes), dialog, found)

    async def _is_staffs(self, tx: AsyncConnection, chat: Chat) -> bool:
        """Whether a chat is the staff group; one that has become a supergroup has another id than the setting."""
        if self._settings.staff_chat_id is None or chat.type not in (Chat.GROUP, Chat.SUPERGROUP):
            return False
        return chat.id == self._settings.staff_chat_id or await people.has_topics(tx, chat.id)

    async def _staff(self, tx: AsyncConnection, update: Update) -> Ignored | None:
        if update.edited_message is not None:
            return await staff.correct(tx, update.edited_message, self._settings, self._now())
        if update.message is None:
            return Ignored.AMONG_STAFF
        new_id = update.message.migrate_to_chat_id
        if new_id is not None:
            await people.move_topics(tx, update.message.chat_id, new_id)
            await queues.move_lane(tx, update.message.chat_id, new_id)
            return Ignored.SERVICE
        return await staff.handle(tx, update.message, self._settings, self._now())

    async def _membership(self, tx: AsyncConnection, changed: ChatMemberUpdated) -> Ignored | None:
        """A customer has blocked the bot, or taken it back."""
        if changed.chat.type != Chat.PRIVATE:
            return Ignored.MEMBERSHIP
        gone = changed.new_chat_member.status in (ChatMember.BANNED, ChatMember.LEFT)
        told = await blocking.note(tx, changed.chat.id, self._settings.default_locale, self._now(), gone=gone)
        return None if told else Ignored.MEMBERSHIP

    async def _refuse_tap(self, tx: AsyncConnection, query: CallbackQuery) -> None:
        locale = locale_for(query.from_user.language_code, self._settings.default_locale)
        payload = {"callback_query_id": query.id, "text": texts(locale).text(NOT_YOURS)}
        await queues.add_call(
            tx, method="answer_callback_query", payload=payload, now=self._now(), lane=f"cb{query.id}"[:64]
        )

    async def _set_aside(self, update: Update, row_id: int, reference: str, error: Exception) -> None:
        """Count the failure; after the last try the customer gets an apology and staff are told."""
        user = update.effective_user
        try:
            async with self._engine.begin() as tx:
                aside = await arrivals.fail_update(tx, row_id, f"{reference} {type(error).__name__}", self._now())
                if aside and user is not None and update.effective_chat and update.effective_chat.type == Chat.PRIVATE:
                    await self._apologise(tx, user, reference)
        except Exception as failure:
            if not is_outage(failure):
                raise
            log.warning("failure_not_stored", update_id=update.update_id, error=type(failure).__name__)

    async def _apologise(self, tx: AsyncConnection, user: User, reference: str) -> None:
        person = await people.person(tx, user.id)
        chosen = person.locale if person else None
        locale = chosen or locale_for(user.language_code, self._settings.default_locale)
        text = texts(locale).text(APOLOGY, reference=reference)
        now = self._now()
        await queues.add_call(
            tx, method="send_message", payload={"text": text}, now=now, lane=str(user.id), chat_id=user.id
        )
        if self._settings.staff_chat_id is not None:
            told = texts(self._settings.default_locale).text(FOR_STAFF, customer=user.id, reference=reference)
            lane = self._settings.staff_chat_id
            await queues.add_call(
                tx, method="send_message", payload={"text": told}, now=now, lane=str(lane), chat_id=lane
            )


def incoming_from(update: Update, username: str) -> Incoming | Ignored:
    """Read a private chat's update as a customer's event, or say why it asks for nothing."""
    query = update.callback_query
    if query is not None:
        # An old message comes without its content and cannot be changed: what would replace it is sent anew.
        message_id = query.message.message_id if query.message and query.message.is_accessible else None
        return Incoming(Pressed(Button.decode(query.data)), message_id, Tapped(query.id, message_id))
    message = update.message or update.edited_message
    if message is None:
        return Ignored.ANOTHER_KIND
    event = _event(message, username, edited=update.edited_message is not None)
    return event if isinstance(event, Ignored) else Incoming(event, message.message_id)


def _event(message: Message, username: str, *, edited: bool) -> Event | Ignored:
    if edited:
        said = message.text or message.caption
        return Said(said, edited=True, message_id=message.message_id) if said else Ignored.EDITED_FILE
    if message.text is not None:
        if message.text.startswith("/"):
            return _command(message.text, username)
        return Said(message.text, message_id=message.message_id)
    if message.effective_attachment is None:
        return Ignored.SERVICE
    kind = next((name for name in _KINDS if getattr(message, name, None)), "other")
    return Sent(kind, message.caption or "", message.media_group_id or "")


_KINDS: Final = (
    *("photo", "document", "voice", "audio", "video", "video_note", "animation", "sticker"),
    *("contact", "location", "venue", "poll", "dice"),
)


def _command(text: str, username: str) -> Event | Ignored:
    """A command with its argument; one that names another bot is not ours, and a lone slash is just text."""
    head, _, argument = text[1:].partition(" ")
    head, _, rest = head.partition("\n")
    name, _, addressee = head.partition("@")
    if not name:
        return Said(text)
    if addressee and addressee.lower() != username.lower():
        return Ignored.FOR_ANOTHER_BOT
    return Commanded(name.lower(), f"{rest} {argument}".strip())
