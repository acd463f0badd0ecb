"""Calls out: what transactions have written is sent here, in order inside a chat, and nowhere else."""

import asyncio
from datetime import timedelta
from typing import Any, Final

import structlog
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine
from telegram import Bot, Message, MessageId
from telegram.error import TelegramError

from bot.clock import Clock
from bot.desk.topic import topic_name
from bot.storage import people, queues
from bot.storage.queues import Call
from bot.telegram.composer import Composer
from bot.telegram.faults import Judgement, Remedy, judge
from bot.telegram.markup import Html, visible

log = structlog.get_logger(__name__)

BATCH: Final = 20
LOOK_AGAIN_S: Final = 0.25


class _NothingToDo(Exception):  # noqa: N818 - a turn of events, not an error
    """The call has lost its object, for example the message that it would change."""


class Sender:
    """Sends the outbox: claims with a lease, calls Telegram, and notes what became of it."""

    def __init__(
        self, engine: AsyncEngine, bot: Bot, clock: Clock, staff_chat_id: int | None, composer: Composer
    ) -> None:
        self._engine, self._bot, self._now, self._wall = engine, bot, clock.now, clock.wall
        self._composer = composer
        self._staff_chat_id = staff_chat_id
        self._news = asyncio.Event()
        self._sending: dict[int, asyncio.Task[None]] = {}
        self._loops: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to send."""
        self._loops = [
            asyncio.create_task(self._run(), name="outbox"),
            asyncio.create_task(self._keep(), name="leases"),
        ]

    async def stop(self) -> None:
        """Finish what is being sent and send no more; the rest stays in the table."""
        for loop in self._loops:
            loop.cancel()
        await asyncio.gather(*self._loops, return_exceptions=True)
        if self._sending:
            await asyncio.wait(self._sending.values(), timeout=10)

    def wake(self) -> None:
        """Look at the table now: a transaction has written calls."""
        self._news.set()

    async def idle(self) -> bool:
        """Whether nothing is being sent and nothing is to be sent by now."""
        if self._sending:
            return False
        async with self._engine.connect() as tx:
            return await queues.outbox_is_empty(tx, self._now())

    async def _run(self) -> None:
        while True:
            self._news.clear()
            try:
                async with self._engine.begin() as tx:
                    calls = await queues.claim_calls(tx, self._now(), BATCH, self._wall())
            except (SQLAlchemyError, OSError) as error:
                log.warning("outbox_unreadable", error=type(error).__name__)
                calls = []
            for call in calls:
                self._sending[call.id] = asyncio.create_task(self._deliver(call))
            if len(calls) == BATCH:
                await asyncio.sleep(0)
                continue
            try:
                await asyncio.wait_for(self._news.wait(), LOOK_AGAIN_S)
            except TimeoutError:
                continue

    async def _keep(self) -> None:
        """Renew the leases of what is being sent, several times before they would run out."""
        while True:
            await asyncio.sleep(queues.LEASE.total_seconds() / 4)
            if self._sending:
                try:
                    async with self._engine.begin() as tx:
                        await queues.renew_leases(tx, tuple(self._sending), self._wall())
                except (SQLAlchemyError, OSError) as error:
                    log.warning("leases_not_renewed", error=type(error).__name__)

    async def _deliver(self, call: Call) -> None:
        """Send one call and write down the outcome; while the database fails the row stays leased, and is sent again after that."""
        try:
            try:
                result = await self._send(call)
            except _NothingToDo as nothing:
                await self._finish(call, error=str(nothing))
            except TelegramError as error:
                await self._settle(call, error)
            else:
                await self._finish(call, message_id=_message_id(result) or call.payload.get("message_id"))
        except (SQLAlchemyError, OSError) as error:
            log.warning("outcome_not_stored", method=call.method, call=call.id, error=type(error).__name__)
        except Exception as error:
            log.exception("call_failed", method=call.method, call=call.id)
            await self._give_up(call, type(error).__name__)
        finally:
            self._sending.pop(call.id, None)
            self._news.set()

    async def _send(self, call: Call) -> object:
        payload = dict(call.payload)
        if call.target_id is not None:
            payload["message_id"] = await self._target(call.target_id)
        if call.topic_of is not None:
            payload["chat_id"], payload["message_thread_id"] = await self._topic(call.topic_of)
        elif call.chat_id is not None:
            payload["chat_id"] = call.chat_id
        complete = await self._composer.complete(payload)
        if complete is None:
            raise _NothingToDo("settled before it was sent")
        return await getattr(self._bot, call.method)(**complete)

    async def _target(self, target_id: int) -> int:
        async with self._engine.connect() as tx:
            message_id = await queues.message_of(tx, target_id)
        if message_id is None:
            raise _NothingToDo("no message to change")
        return message_id

    async def _topic(self, customer_id: int) -> tuple[int, int]:
        """The customer's topic; made when there is none yet."""
        async with self._engine.connect() as tx:
            topic = await people.topic_of(tx, customer_id)
            person = await people.person(tx, customer_id)
        if topic is not None:
            return topic
        if self._staff_chat_id is None or person is None:
            raise _NothingToDo("no staff group, or the customer is gone")
        name = topic_name(person.id, person.first_name, person.last_name, person.username)
        made = await self._bot.create_forum_topic(chat_id=self._staff_chat_id, name=name)
        async with self._engine.begin() as tx:
            await people.save_topic(tx, customer_id, self._staff_chat_id, made.message_thread_id, self._now())
        return self._staff_chat_id, made.message_thread_id

    async def _settle(self, call: Call, error: TelegramError) -> None:
        """Do what an error calls for."""
        verdict = judge(error, call.attempts + 1)
        log.info("call_refused", method=call.method, call=call.id, error=str(error), remedy=verdict.remedy)
        if verdict.remedy is Remedy.DONE:
            await self._finish(call, message_id=await self._known_message(call))
        elif verdict.remedy is Remedy.WAIT:
            await self._delay(call, verdict.wait_s, error)
        elif verdict.remedy is Remedy.BLOCKED:
            await self._blocked(call)
        elif verdict.remedy is Remedy.MIGRATED:
            await self._migrated(call, verdict)
        elif verdict.remedy is Remedy.NEW_TOPIC and call.topic_of is not None:
            async with self._engine.begin() as tx:
                await people.drop_topic(tx, call.topic_of)
                await queues.delay_call(tx, call.id, self._now(), str(error))
        elif verdict.remedy in (Remedy.PLAIN_TEXT, Remedy.SEND_INSTEAD):
            await self._otherwise(call, verdict, error)
        else:
            await self._give_up(call, str(error))

    async def _otherwise(self, call: Call, verdict: Judgement, error: TelegramError) -> None:
        """Send the same in another way: without markup, or as a new message where the old one cannot be changed."""
        payload, method = dict(call.payload), call.method
        if verdict.remedy is Remedy.PLAIN_TEXT and payload.pop("parse_mode", None):
            for key in ("text", "caption"):
                if key in payload:
                    payload[key] = visible(Html(payload[key]))
        elif verdict.remedy is Remedy.SEND_INSTEAD and method == "edit_message_text":
            payload.pop("message_id", None)
            method = "send_message"
        else:
            await self._give_up(call, str(error))
            return
        async with self._engine.begin() as tx:
            await queues.change_call(tx, call.id, method=method, payload=payload, now=self._now())

    async def _known_message(self, call: Call) -> int | None:
        if call.target_id is None:
            return call.payload.get("message_id")
        async with self._engine.connect() as tx:
            return await queues.message_of(tx, call.target_id)

    async def _blocked(self, call: Call) -> None:
        """The person has blocked the bot: write no more until they are back. A refusal by a group only ends this call."""
        async with self._engine.begin() as tx:
            if call.customer_id is not None and call.chat_id == call.customer_id:
                await people.set_blocked(tx, call.customer_id, self._now())
                await queues.drop_calls(tx, call.lane, self._now())
            else:
                await queues.finish_call(tx, call.id, self._now(), error="forbidden")

    async def _migrated(self, call: Call, verdict: Judgement) -> None:
        old = call.chat_id if call.topic_of is None else self._staff_chat_id
        if old is None or verdict.new_chat_id is None:
            await self._give_up(call, "migrated from an unknown chat")
            return
        if old == self._staff_chat_id:
            self._staff_chat_id = verdict.new_chat_id
            log.warning("staff_group_migrated", old=old, new=verdict.new_chat_id, hint="set BOT_STAFF_CHAT_ID")
        async with self._engine.begin() as tx:
            await people.move_topics(tx, old, verdict.new_chat_id)
            await queues.move_lane(tx, old, verdict.new_chat_id)
            await queues.delay_call(tx, call.id, self._now(), "migrated")

    async def _delay(self, call: Call, wait_s: float, error: TelegramError) -> None:
        async with self._engine.begin() as tx:
            await queues.delay_call(tx, call.id, self._now() + timedelta(seconds=wait_s), str(error))

    async def _finish(self, call: Call, *, message_id: int | None = None, error: str | None = None) -> None:
        async with self._engine.begin() as tx:
            await queues.finish_call(tx, call.id, self._now(), message_id=message_id, error=error)

    async def _give_up(self, call: Call, error: str) -> None:
        log.error("call_given_up", method=call.method, call=call.id, error=error)
        await self._finish(call, error=error)


def _message_id(result: Any) -> int | None:
    return result.message_id if isinstance(result, Message | MessageId) else None
