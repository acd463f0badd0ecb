"""One call to Telegram: how it is made, and what is done when it is refused."""

import time
from datetime import timedelta
from typing import Any

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine
from telegram import Bot, InputFile, Message
from telegram.error import BadRequest, TelegramError

from bot.clock import Clock
from bot.desk.topic import topic_name
from bot.storage import people, queues
from bot.storage.claims import Call, Outcome
from bot.telegram import blocking, metrics
from bot.telegram.composer import Composer
from bot.telegram.faults import Judgement, Remedy, judge
from bot.telegram.markup import Html, visible
from bot.telegram.request import AiohttpRequest
from bot.telegram.sign import Sign

log = structlog.get_logger(__name__)


class Nothing(Exception):  # noqa: N818 - a turn of events, not an error
    """The call has lost its object, for example the message that it would change."""


class Delivery:
    """Makes calls and judges their errors; holds nothing but the staff group's present id."""

    def __init__(
        self,
        engine: AsyncEngine,
        bot: Bot,
        request: AiohttpRequest,
        clock: Clock,
        staff_chat_id: int | None,
        *,
        composer: Composer,
    ) -> None:
        self._composer, self._sign = composer, Sign(request, f"{bot.base_url}/sendChatAction")
        self._engine, self._bot, self._request, self._now = engine, bot, request, clock.now
        self._staff_chat_id = staff_chat_id

    async def deliver(self, call: Call, target: int | None) -> Outcome | None:
        """Make a call once; `target` is the message that it changes. Returns its outcome, None when it is to be made again.

        Raises what the database raises.
        """
        metrics.STAGE_S.labels("queue").observe(max(0.0, (self._now() - call.created_at).total_seconds()))
        begun = time.monotonic()
        try:
            result = await self._send(call, target)
        except Nothing as nothing:
            return Outcome(call.id, error=str(nothing), purge=call.purge)
        except TelegramError as error:
            return await self._settle(call, target, error)
        metrics.CALLS.labels(call.method, "sent").inc()
        metrics.STAGE_S.labels("send").observe(time.monotonic() - begun)
        return Outcome(call.id, _message_id(result) or target or call.payload.get("message_id"), purge=call.purge)

    async def _send(self, call: Call, target: int | None) -> Any:
        payload = dict(call.payload)
        if call.target_id is not None:
            if target is None:
                raise Nothing("no message to change")
            payload["message_id"] = target
        if call.topic_of is not None:
            payload["chat_id"], payload["message_thread_id"] = await self._topic(call.topic_of)
        elif call.chat_id is not None:
            payload["chat_id"] = call.chat_id
        complete = await self._complete(payload)
        if complete is None:
            raise Nothing("settled before it was sent")
        if any(isinstance(value, InputFile) for value in complete.values()):
            return await getattr(self._bot, call.method)(**complete)
        return await self._request.call(f"{self._bot.base_url}/{_camel(call.method)}", complete)

    async def _complete(self, payload: dict[str, Any]) -> dict[str, Any] | None:
        """The payload with everything made; a picture takes long enough for a sign to the person who waits."""
        if "chart" not in payload:
            return await self._composer.complete(payload)
        async with self._sign.during(payload["chat_id"]):
            return await self._composer.complete(payload)

    async def _topic(self, customer_id: int) -> tuple[int, int]:
        """The customer's topic; made when there is none yet."""
        async with self._engine.connect() as tx:
            topic = await people.topic_of(tx, customer_id)
            person = await people.person(tx, customer_id)
        if topic is not None:
            return topic
        if self._staff_chat_id is None or person is None:
            raise Nothing("no staff group, or the customer is gone")
        name = topic_name(person.id, person.first_name, person.last_name, person.username)
        made = await self._bot.create_forum_topic(chat_id=self._staff_chat_id, name=name)
        async with self._engine.begin() as tx:
            await people.save_topic(tx, customer_id, self._staff_chat_id, made.message_thread_id, self._now())
        return self._staff_chat_id, made.message_thread_id

    async def _settle(self, call: Call, target: int | None, error: TelegramError) -> Outcome | None:
        """Do what an error calls for."""
        verdict = judge(error, call.attempts + 1)
        log.info("call_refused", method=call.method, call=call.id, error=str(error), remedy=verdict.remedy)
        metrics.CALLS.labels(call.method, str(verdict.remedy)).inc()
        match verdict.remedy:
            case Remedy.DONE:
                return Outcome(call.id, target or call.payload.get("message_id"), purge=call.purge)
            case Remedy.WAIT:
                await self._delay(call, verdict, error)
            case Remedy.BLOCKED:
                return await self._blocked(call)
            case Remedy.MIGRATED if self._old_chat(call) is not None and verdict.new_chat_id is not None:
                await self._migrated(call, self._old_chat(call) or 0, verdict.new_chat_id)
            case Remedy.NEW_TOPIC if call.topic_of is not None:
                async with self._engine.begin() as tx:
                    await people.drop_topic(tx, call.topic_of)
                    await queues.delay_call(tx, call.id, self._now(), str(error))
            case Remedy.REOPEN if call.topic_of is not None:
                await self._reopen(call, call.topic_of, error)
            case Remedy.PLAIN_TEXT | Remedy.SEND_INSTEAD:
                return await self._otherwise(call, verdict.remedy, error)
            case _:
                return _given_up(call, str(error))
        return None

    async def _reopen(self, call: Call, customer_id: int, error: TelegramError) -> None:
        """Open a topic that somebody has closed; where that is refused the customer gets another one. Nothing is lost."""
        async with self._engine.connect() as tx:
            topic = await people.topic_of(tx, customer_id)
        refused = False
        if topic is not None:
            try:
                await self._bot.reopen_forum_topic(chat_id=topic[0], message_thread_id=topic[1])
            except BadRequest as refusal:
                refused = "not_modified" not in str(refusal).lower()
        async with self._engine.begin() as tx:
            if refused:
                await people.drop_topic(tx, customer_id)
            await queues.delay_call(tx, call.id, self._now(), str(error))

    async def _delay(self, call: Call, verdict: Judgement, error: TelegramError) -> None:
        if verdict.is_flood:
            metrics.FLOOD_WAITS.inc()
            metrics.FLOOD_WAIT_S.inc(verdict.wait_s)
        async with self._engine.begin() as tx:
            await queues.delay_call(tx, call.id, self._now() + timedelta(seconds=verdict.wait_s), str(error))

    async def _otherwise(self, call: Call, remedy: Remedy, error: TelegramError) -> Outcome | None:
        """Send the same in another way: without markup, or as a new message where the old one cannot be changed."""
        payload, method = dict(call.payload), call.method
        if remedy is Remedy.PLAIN_TEXT and payload.pop("parse_mode", None):
            for key in ("text", "caption"):
                if key in payload:
                    payload[key] = visible(Html(payload[key]))
        elif remedy is Remedy.SEND_INSTEAD and method == "edit_message_text":
            payload.pop("message_id", None)
            method = "send_message"
        else:
            return _given_up(call, str(error))
        async with self._engine.begin() as tx:
            keep = call.target_id if remedy is Remedy.PLAIN_TEXT else None
            await queues.change_call(tx, call.id, method=method, payload=payload, target_id=keep, now=self._now())
        return None

    async def _blocked(self, call: Call) -> Outcome | None:
        """The person has blocked the bot: write no more until they are back. A refusal by a group only ends this call."""
        if call.customer_id is None or call.chat_id != call.customer_id:
            return Outcome(call.id, error="forbidden", purge=call.purge)
        async with self._engine.begin() as tx:
            await blocking.note(tx, call.customer_id, self._composer.staff_locale, self._now(), gone=True)
            await queues.drop_calls(tx, call.lane, self._now())
        return None

    def _old_chat(self, call: Call) -> int | None:
        return call.chat_id if call.topic_of is None else self._staff_chat_id

    async def _migrated(self, call: Call, old: int, new: int) -> None:
        """Follow a group that became a supergroup, with all that waits for it."""
        if old == self._staff_chat_id:
            self._staff_chat_id = new
            log.warning("staff_group_migrated", old=old, new=new, hint="set BOT_STAFF_CHAT_ID")
        async with self._engine.begin() as tx:
            await people.move_topics(tx, old, new)
            await queues.move_lane(tx, old, new)
            await queues.delay_call(tx, call.id, self._now(), "migrated")


def _given_up(call: Call, error: str) -> Outcome:
    log.error("call_given_up", method=call.method, call=call.id, error=error)
    return Outcome(call.id, error=error, purge=call.purge)


def _message_id(result: Any) -> int | None:
    if isinstance(result, Message):
        return result.message_id
    return result.get("message_id") if isinstance(result, dict) else None


def _camel(method: str) -> str:
    """The method's name as the Bot API spells it."""
    head, *tail = method.split("_")
    return head + "".join(part.capitalize() for part in tail)
