"""One update's transaction on the customer's side: reads the case, lets the dialog decide, and writes all that follows."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.dialog import effect as fx
from bot.dialog.decide import decide
from bot.dialog.event import Context, Event
from bot.dialog.faq import entries
from bot.dialog.screen import Screen
from bot.dialog.state import Case, DialogState
from bot.estimation import ModelSpec, Prices
from bot.i18n import N_, chinese_of, locale_for, texts
from bot.reminders.zones import zone_of
from bot.settings import Settings
from bot.storage import albums, cases, people, queues, reminders, requests, trials
from bot.storage.cases import Found
from bot.storage.people import Person, Profile, StoredDialog
from bot.storage.requests import StoredRequest
from bot.telegram import menus
from bot.telegram.cards import request_card
from bot.telegram.ignored import Ignored
from bot.telegram.markup import split
from bot.telegram.replies import BACKGROUND, REPLY, Replies, Tapped
from bot.telegram.screens.told_staff import for_staff
from bot.telegram.screens.view import Reader, zone_for
from bot.telegram.upkeep import Upkeep

FORGOTTEN = N_("Everything stored about you is deleted. /start begins anew.")


@dataclass(frozen=True)
class Incoming:
    """A customer's event with what the effects may need of its message."""

    event: Event
    message_id: int | None = None
    tapped: Tapped | None = None
    shapes: Mapping[str, ModelSpec] = field(default_factory=dict)


class Turn:
    """The carrying out of one event; everything is written on the connection that it is given."""

    def __init__(self, tx: AsyncConnection, settings: Settings, told: Profile, now: datetime) -> None:
        self._tx, self._settings, self._told, self._now = tx, settings, told, now
        self._incoming: Incoming
        self._person: Person
        self._request: StoredRequest
        self._replies: Replies
        self._upkeep: Upkeep
        self._reader: Reader
        self._toast = ""
        self._forgotten = False
        self._ignored: Ignored | None = None

    async def run(self, incoming: Incoming, dialog: StoredDialog | None, found: Found | None) -> Ignored | None:
        """Decide by the dialog, which is locked or made here, and by what is stored, and write the outcome.

        Returns why nothing was said, None when something was.
        """
        self._incoming = incoming
        chat_id, new = self._told.id, False
        if dialog is None:
            empty = DialogState().model_dump(mode="json")
            dialog, new = await people.open_dialog(self._tx, chat_id, empty, self._now)
        self._replies = Replies(self._tx, chat_id, self._now, incoming.tapped, dialog.live)
        self._person = await people.meet(self._tx, self._told, found.person if found else None, self._now)
        if self._person.blocked_at is not None:
            await people.set_blocked(self._tx, chat_id, None)
        draft = found.request if found else None
        self._request = draft or await requests.open_draft(self._tx, chat_id, self._now)
        self._reader = await self._read_by(found)
        self._upkeep = Upkeep(self._tx, chat_id, self._reader.zone, self._now)
        case = Case(DialogState.load(dialog.state), self._request.answers, self._request.state)
        context = await self._context(found, known=not new)
        if new and context.locale != menus.shown_by_itself(self._person.language_code, self._settings):
            await self._set_menu()
        outcome = decide(case, incoming.event, context)
        for effect in outcome.effects:
            await self._carry_out(effect, outcome.case)
        await self._replies.answer_tap(self._toast, forgotten=self._forgotten)
        if not self._forgotten:
            await self._save(outcome.case)
        return self._ignored

    async def _context(self, found: Found | None, *, known: bool) -> Context:
        tx, customer_id = self._tx, self._person.id
        return Context(
            now=self._now.astimezone(self._reader.zone),
            locale=self._reader.texts.locale,
            trials=await trials.running(tx, customer_id) if found and found.has_trials else (),
            series=await reminders.kept(tx, customer_id) if found and found.has_series else (),
            sent=await reminders.answerable(tx, customer_id, self._now) if found and found.has_answerable else (),
            zone=self._person.zone or "",
            chinese=chinese_of(self._person.language_code, self._reader.texts.locale),
            staff=self._settings.staff_chat_id is not None,
            known=known,
            faq=entries(self._settings.faq_file),
            shapes=self._incoming.shapes,
        )

    async def _read_by(self, found: Found | None) -> Reader:
        person, settings = self._person, self._settings
        locale = person.locale or locale_for(person.language_code, settings.default_locale)
        return Reader(
            texts=texts(locale),
            zone=zone_for(person.zone, person.language_code, settings),
            now=self._now,
            settings=settings,
            prices=Prices.default() if found and not found.has_prices else await trials.todays_prices(self._tx),
            name=person.first_name,
        )

    async def _save(self, case: Case) -> None:
        dialog = StoredDialog(self._person.id, case.state.model_dump(mode="json"), self._replies.live)
        before, request = self._request, None
        if case.answers is not before.answers or case.request_state is not before.state:
            request = StoredRequest(before.id, case.request_state, case.answers)
        await cases.save(self._tx, dialog, request, self._now)
        if request is not None and case.is_draft and not before.answers:
            await self._upkeep.draft_begun(request.id)

    async def _carry_out(self, effect: fx.Effect, case: Case) -> None:  # noqa: C901, PLR0912 - one branch an effect, nothing else
        match effect:
            case fx.Show():
                await self._replies.show(effect, self._reader)
            case fx.Redraw(screen=screen):
                await self._replies.redraw(screen, self._reader)
            case fx.Toast(message=message):
                self._toast = self._reader.texts.text(message)
            case fx.SetLanguage(locale=locale):
                await self._set_language(locale)
            case fx.Submit() | fx.CallStaff():
                await self._to_staff(case, wanted=isinstance(effect, fx.CallStaff))
            case fx.Relay():
                await self._relay(effect)
            case fx.Note(text=text):
                await requests.add_note(self._tx, self._request.id, text)
            case fx.Hold():
                await self._replies.hold()
            case fx.StartOver():
                await requests.set_aside(self._tx, self._request.id, self._now)
                await self._upkeep.draft_left()
                self._request = await requests.open_draft(self._tx, self._person.id, self._now)
            case fx.SetZone(name=name):
                await self._upkeep.move(name)
                self._reader = replace(self._reader, zone=zone_of(name))
            case fx.TellStaff(screen=screen):
                await self._tell(screen)
            case fx.Forget():
                await self._forget()
            case _:
                await self._upkeep.carry_out(effect, case.answers)

    async def _set_language(self, locale: str) -> None:
        await people.set_locale(self._tx, self._person.id, locale)
        self._reader = replace(self._reader, texts=texts(locale))
        await self._set_menu()

    async def _set_menu(self) -> None:
        """Give this chat a menu of its own, in its reader's language."""
        await queues.add_call(
            self._tx,
            method="set_my_commands",
            payload=menus.for_chat(self._person.id, self._reader.texts),
            now=self._now,
            lane=f"menu{self._person.id}",
            customer_id=self._person.id,
            priority=BACKGROUND,
        )

    async def _to_staff(self, case: Case, *, wanted: bool) -> None:
        """Put the request card into the customer's topic, in the staff's language."""
        staffed = self._settings.staff_chat_id is not None
        if not wanted:
            await self._upkeep.submitted(case.answers, staffed=staffed)
        elif staffed:
            await self._upkeep.called()
        if not staffed:
            if wanted:
                await requests.add_note(self._tx, self._request.id, "/human")
            return
        notes = await requests.notes_of(self._tx, self._request.id)
        for block in request_card(
            self._person, self._request.id, case, self._staff_reader(), wanted=wanted, notes=notes
        ):
            await self._to_topic("send_message", {"text": block, "parse_mode": "HTML"})

    async def _tell(self, screen: Screen) -> None:
        """Show a screen in the customer's topic, without the buttons, which are the customer's."""
        view = for_staff(screen, self._staff_reader()) if self._settings.staff_chat_id is not None else None
        for piece in split(view.text) if view else ():
            await self._to_topic("send_message", {"text": piece, "parse_mode": "HTML"})

    def _staff_reader(self) -> Reader:
        return replace(self._reader, texts=texts(self._settings.default_locale), zone=self._settings.zone)

    async def _to_topic(self, method: str, payload: dict[str, Any]) -> None:
        await queues.add_call(
            self._tx,
            method=method,
            payload=payload,
            now=self._now,
            lane=str(self._settings.staff_chat_id),
            customer_id=self._person.id,
            topic_of=self._person.id,
            priority=REPLY,
        )

    async def _relay(self, relay: fx.Relay) -> None:
        """Pass the message on as it is; without a staff group it is kept with the request."""
        message_id = self._incoming.message_id
        if self._settings.staff_chat_id is None:
            self._ignored = Ignored.KEPT
            note = getattr(self._incoming.event, "text", "") or getattr(self._incoming.event, "caption", "")
            if note:
                await requests.add_note(self._tx, self._request.id, note)
        elif message_id is not None and relay.album:
            lane = str(self._settings.staff_chat_id)
            await albums.relay(
                self._tx, self._person.id, message_id, lane=lane, goes_on=relay.goes_on, now=self._now, priority=REPLY
            )
        elif message_id is not None:
            await self._to_topic("copy_message", {"from_chat_id": self._person.id, "message_id": message_id})

    async def _forget(self) -> None:
        """Delete all rows; the last word to the customer, and the topic's deletion, vanish once they are sent."""
        topic = await people.topic_of(self._tx, self._person.id)
        last = self._reader.texts.text(FORGOTTEN)
        await people.forget(self._tx, self._person.id)
        self._forgotten = True
        if topic is not None:
            await queues.add_call(
                self._tx,
                method="delete_forum_topic",
                payload={"chat_id": topic[0], "message_thread_id": topic[1]},
                now=self._now,
                lane=str(topic[0]),
                purge=True,
            )
        await queues.add_call(
            self._tx,
            method="send_message",
            payload={"text": last, "chat_id": self._person.id},
            now=self._now,
            lane=str(self._person.id),
            purge=True,
        )
