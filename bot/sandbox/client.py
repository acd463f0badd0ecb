"""Answers `/client/...`: what people's Telegram apps do and see, and the strings that a test pulls."""

import json
import re
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl

from bot.sandbox import groups, people
from bot.sandbox.attachments import ClientError
from bot.sandbox.bot_api import BotApi
from bot.sandbox.clock import Clock
from bot.sandbox.idle import Idle
from bot.sandbox.methods.profile import visible_commands
from bot.sandbox.models import Json, User
from bot.sandbox.people import chat_with, person
from bot.sandbox.refusals import conflict
from bot.sandbox.updates import POLLED_TWICE
from bot.sandbox.views import chat_view, message_view, topic_views, user_view
from bot.sandbox.wire import Reply, Request
from bot.sandbox.world import STAFF_CHAT_ID, World

_LATE_S = 1.0
_BUSIEST_IDLE_S = 600.0


class Client:
    """The `/client` paths over one world."""

    def __init__(self, world: World, bot_api: BotApi, clock: Clock, idle: Idle, token: str) -> None:
        self._world = world
        self._bot_api = bot_api
        self._clock = clock
        self._idle = idle
        self._token = token
        self.on_clock: Callable[[], None] | None = None
        self._routes = [
            (verb, re.compile(path.replace("ID", r"(-?\d+)").replace("WORD", r"(\w+)") + "/?"), function)
            for verb, path, function in self._table()
        ]

    def handle(self, request: Request, path: str) -> Reply | Awaitable[Reply]:
        """Answer a request; `path` is what follows `/client`."""
        verbs = set()
        for verb, pattern, function in self._routes:
            match = pattern.fullmatch(path)
            if match is None:
                continue
            verbs.add(verb)
            if verb == request.verb:
                return self._run(function, request, match.groups())
        if verbs:
            return _failure(f"use {' or '.join(sorted(verbs))}", HTTPStatus.METHOD_NOT_ALLOWED)
        return _failure(f"no path /client{path}", HTTPStatus.NOT_FOUND)

    def _table(self) -> list[tuple[str, str, Callable[..., Any]]]:
        return [
            ("POST", "/reset", self._reset),
            ("GET", "/overview", self._overview),
            ("POST", "/users", self._add_user),
            ("POST", "/users/ID/messages", lambda body, user: self._act(people.write, body, user)),
            ("POST", "/users/ID/edits", lambda body, user: self._act(people.edit, body, user)),
            ("POST", "/users/ID/taps", lambda body, user: self._act(people.tap, body, user)),
            ("POST", "/users/ID/block", lambda _, user: self._block(user, blocked=True)),
            ("POST", "/users/ID/unblock", lambda _, user: self._block(user, blocked=False)),
            ("POST", "/users/ID/language", self._language),
            ("POST", "/users/ID/deactivate", lambda _, user: people.deactivate(person(self._world, int(user)))),
            ("POST", "/chats", lambda body: groups.found(self._world, body)),
            ("POST", "/chats/ID/bot", lambda body, chat: groups.set_bot(self._world, self._chat(chat), body)),
            ("POST", "/chats/ID/forum", lambda body, chat: groups.set_forum(self._world, self._chat(chat), body)),
            ("POST", "/chats/ID/upgrade", lambda _, chat: groups.upgrade(self._world, self._chat(chat))),
            ("POST", "/chats/ID/topics/ID/close", lambda _, *ids: self._topic(groups.close_topic, *ids)),
            ("POST", "/chats/ID/topics/ID/delete", lambda _, *ids: self._topic(groups.delete_topic, *ids)),
            ("GET", "/chats/ID/messages", self._messages),
            ("GET", "/chats/ID/topics", lambda _, chat: topic_views(self._chat(chat))),
            ("GET", "/menu", self._menu),
            ("GET", "/calls", lambda body: self._bot_api.calls.since(_whole(body, "after", 0), body.get("method", ""))),
            ("GET", "/callbacks/WORD", self._callback),
            ("GET", "/idle", self._wait),
            ("GET", "/clock", lambda _: {"now": self._now()}),
            ("POST", "/clock", self._advance),
            ("POST", "/faults", self._add_fault),
            ("DELETE", "/faults", self._clear_faults),
        ]

    def _run(self, function: Callable[..., Any], request: Request, ids: tuple[str, ...]) -> Reply | Awaitable[Reply]:
        if request.verb != "GET":
            self._idle.note()
        try:
            result = function(_body(request), *ids)
        except ClientError as error:
            return _failure(str(error), error.status)
        except (TypeError, AttributeError, KeyError) as error:
            return _failure(f"malformed body: {error}")
        return self._answer_later(result) if isinstance(result, Awaitable) else _success(result)

    @staticmethod
    async def _answer_later(result: Awaitable[Any]) -> Reply:
        return _success(await result)

    def _reset(self, _: Json) -> Json:
        self._bot_api.faults.waiting.clear()
        self._bot_api.calls.clear()
        self._bot_api.forget_flood()
        self._world.reset()
        return {}

    def _overview(self, _: Json) -> Json:
        users = [user_view(user) for user in self._world.users.values() if not user.is_bot]
        chats = [chat_view(chat) for chat in self._world.chats.values()]
        about = {"token": self._token, "bot": self._world.bot.api(), "now": self._now(), "staff_chat_id": STAFF_CHAT_ID}
        return {**about, "users": users, "chats": chats}

    def _add_user(self, body: Json) -> Json:
        name = body.get("first_name")
        if not isinstance(name, str) or not name:
            raise ClientError("first_name is required")
        number = body.get("id")
        if number is not None and (not isinstance(number, int) or number <= 0 or number == self._world.bot.id):
            raise ClientError("id is a positive number that the bot does not have")
        user = User(
            number or self._world.new_person_id(),
            name,
            body.get("last_name") or "",
            body.get("username") or "",
            body.get("language_code"),
            is_premium=bool(body.get("is_premium")),
        )
        self._world.add_person(user)
        return user_view(user)

    def _act(self, action: Callable[[World, User, Json], Json], body: Json, user_id: str) -> Json:
        return action(self._world, person(self._world, int(user_id)), body)

    def _block(self, user_id: str, *, blocked: bool) -> Json:
        return people.set_blocked(self._world, person(self._world, int(user_id)), blocked=blocked)

    def _language(self, body: Json, user_id: str) -> Json:
        return people.set_language(self._world, person(self._world, int(user_id)), body.get("language_code"))

    def _chat(self, chat_id: str) -> Any:
        return chat_with(self._world, int(chat_id))

    def _topic(self, action: Callable[..., Json], chat_id: str, number: str) -> Json:
        chat = self._chat(chat_id)
        return action(self._world, chat, groups.topic_of(chat, int(number)))

    def _messages(self, query: Json, chat_id: str) -> Json:
        chat = self._chat(chat_id)
        after, thread = _whole(query, "after", 0), query.get("thread")
        found = []
        for message in reversed(chat.changed.values()):
            if message.seq <= after:
                break
            if thread is None or message.thread == _whole(query, "thread", 0):
                found.append(message_view(self._world, message))
        last = next(reversed(chat.changed.values()), None)
        return {"seq": max(after, last.seq) if last else after, "messages": found[::-1]}

    def _menu(self, query: Json) -> list[Json]:
        user = person(self._world, _whole(query, "user_id", 0))
        chat = self._chat(query.get("chat_id", str(user.id)))
        return visible_commands(self._world, user.id, chat.id)

    def _callback(self, _: Json, query_id: str) -> Json:
        query = self._world.queries.get(query_id)
        if query is None:
            raise ClientError(f"no callback query {query_id}", HTTPStatus.NOT_FOUND)
        if query.answer is None:
            return {"answered": False}
        return {"answered": True, **query.answer, "after_s": round(query.answered_after_s, 3)}

    async def _wait(self, query: Json) -> Json:
        quiet_ms, timeout_s = _number(query, "quiet_ms", 150.0), _number(query, "timeout_s", 10.0)
        return {"idle": await self._idle.wait(quiet_ms / 1000, min(timeout_s, _BUSIEST_IDLE_S))}

    def _advance(self, body: Json) -> Json:
        seconds = body.get("advance_s")
        if not isinstance(seconds, int | float) or isinstance(seconds, bool) or seconds < 0:
            raise ClientError("advance_s is a number of seconds, not negative")
        self._clock.advance(seconds)
        if self.on_clock is not None:
            self.on_clock()
        self._world.events.publish(lambda: {"type": "clock", "now": self._now()})
        return {"now": self._now()}

    def _add_fault(self, body: Json) -> Json:
        faults, updates = self._bot_api.faults, self._world.updates
        try:
            if "delivery" not in body:
                faults.add(dict(body.get("match") or {}), dict(body.get("action") or {}))
                return {}
            delivery = faults.checked_delivery(body["delivery"])
        except ValueError as error:
            raise ClientError(str(error)) from error
        if delivery == "redeliver":
            updates.redeliver()
        elif delivery == "conflict":
            if not updates.interrupt(conflict(POLLED_TWICE)):
                faults.add({"method": "getUpdates"}, {"status": int(HTTPStatus.CONFLICT)})
        else:
            updates.pending_faults.append((delivery, _number(body, "delay_s", _LATE_S)))
        return {}

    def _clear_faults(self, _: Json) -> Json:
        self._bot_api.faults.waiting.clear()
        self._world.updates.pending_faults.clear()
        return {}

    def _now(self) -> str:
        return self._clock.now().isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _body(request: Request) -> Json:
    """Return the JSON body of a POST, or the query of a GET."""
    if request.verb == "GET":
        return dict(parse_qsl(request.query, keep_blank_values=True))
    if not request.body:
        return {}
    try:
        body = json.loads(request.body)
    except ValueError as error:
        raise ClientError("the body is not JSON") from error
    if not isinstance(body, dict):
        raise ClientError("the body is not a JSON object")
    return body


def _whole(query: Json, name: str, default: int) -> int:
    try:
        return int(query.get(name, default))
    except ValueError as error:
        raise ClientError(f"{name} is a whole number") from error


def _number(query: Json, name: str, default: float) -> float:
    try:
        return float(query.get(name, default))
    except ValueError as error:
        raise ClientError(f"{name} is a number") from error


def _success(result: Any) -> Reply:
    return Reply(json.dumps({"ok": True, "result": result}, ensure_ascii=False).encode(errors="replace"))


def _failure(text: str, status: int = HTTPStatus.BAD_REQUEST) -> Reply:
    return Reply(json.dumps({"ok": False, "error": text}, ensure_ascii=False).encode(errors="replace"), int(status))
