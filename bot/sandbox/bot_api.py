"""Answers `/bot<token>/<method>`: token, parameters, faults, flood limits, the method, and the record of the call."""

import asyncio
import inspect
import json
import logging
import time
from collections.abc import Awaitable
from typing import Any

from bot.sandbox.calls import CallLog
from bot.sandbox.faults import Fault, Faults
from bot.sandbox.flood import FloodLimits
from bot.sandbox.forms import Form, read_form
from bot.sandbox.methods import FUNCTIONS
from bot.sandbox.methods.call import Call, Described
from bot.sandbox.models import Json
from bot.sandbox.refusals import Refusal, not_found, unauthorized
from bot.sandbox.validation import METHODS, Method
from bot.sandbox.wire import Reply, Request
from bot.sandbox.world import World

_LONGEST_TOKEN = 80
_SENDS = frozenset({"copymessage", "forwardmessage", "copymessages", "forwardmessages", "sendmediagroup"}) | frozenset(
    name for name in METHODS if name.startswith("send") and name != "sendchataction"
)
_TOO_LARGE = Refusal(413, "Request Entity Too Large")
_BROKEN = Refusal(500, "Internal Server Error")
_HTML_502 = (
    b"<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1><hr>nginx</body></html>\r\n"
)
_TORN_JSON = b'{"ok":true,"result":{"message_id":'
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode
_log = logging.getLogger(__name__)


class BotApi:
    """The Bot API of one bot. `open_calls` counts calls in work, without waiting polls."""

    def __init__(self, world: World, *, token: str, calls: CallLog, flood: FloodLimits | None) -> None:
        self._world = world
        self._token = token
        self.calls = calls
        self.flood = flood
        self.faults = Faults()
        self.open_calls = 0
        self.last_activity = time.monotonic()
        world.webhook.execute = self.execute

    def handle(self, request: Request, tail: str) -> Reply | Awaitable[Reply]:
        """Answer a request; `tail` is the path after `/bot`."""
        token, _, name = tail.partition("/")
        form = Form({}, {})
        self._note(name)
        try:
            self._check_token(token)
            if request.oversized:
                raise _TOO_LARGE
            form = read_form(request)
        except Refusal as refusal:
            return self._refused(name, form.values, form, refusal)
        if self.faults.waiting:
            fault = self.faults.take(name, form.values.get("chat_id"))
            if fault is not None:
                return self._tracked(name, self._faulty(fault, name, form))
        return self._answer(name, form)

    def forget_flood(self) -> None:
        """Forget what was sent so far."""
        if self.flood is not None:
            self.flood = FloodLimits()

    def file(self, tail: str) -> Reply:
        """Answer `/file/bot<token>/<path>`."""
        token, _, path = tail.partition("/")
        stored = self._world.files.by_path.get(path)
        if token != self._token:
            return _error(unauthorized())
        if stored is None or stored.too_big_to_fetch:
            return _error(not_found())
        return Reply(stored.data, content_type=stored.mime_type)

    def execute(self, body: Json) -> None:
        """Carry out the method that a webhook's answer named."""
        values = {name: value for name, value in body.items() if name != "method"}
        self._answer(body["method"], Form(values, {}))

    def _check_token(self, token: str) -> None:
        if token == self._token:
            return
        if ":" not in token or token.startswith("0") or len(token) > _LONGEST_TOKEN:
            raise unauthorized("invalid token specified")
        raise unauthorized()

    def _answer(self, name: str, form: Form, mark: Json | None = None) -> Reply | Awaitable[Reply]:
        """Carry out a call; `mark` goes into its record in place of what a healthy call has there."""
        params: Json = form.values
        try:
            method = _method(name)
            params = method.read(form.values, frozenset(form.uploads))
            self._count(name.lower(), params)
            result = FUNCTIONS[method.name](self._world, Call(method.name, params, form.uploads))
        except Refusal as refusal:
            return self._refused(name, params, form, refusal, mark)
        except Exception:  # noqa: BLE001 - whatever goes wrong here, the bot must get an answer
            _log.exception("%s failed inside the sandbox", name)
            return self._refused(name, params, form, _BROKEN, mark)
        if inspect.isawaitable(result):
            return self._later(method.name, params, form, result)
        return self._done(method.name, params, form, result, mark)

    async def _later(self, name: str, params: Json, form: Form, result: Awaitable[Any]) -> Reply:
        try:
            return self._done(name, params, form, await result)
        except Refusal as refusal:
            return self._refused(name, params, form, refusal)

    async def _tracked(self, name: str, answer: Awaitable[Reply]) -> Reply:
        poll = name.lower() == "getupdates"
        self.open_calls += not poll
        try:
            return await answer
        finally:
            self.open_calls -= not poll
            self._note(name)

    async def _faulty(self, fault: Fault, name: str, form: Form) -> Reply:
        action = fault.action
        if "delay_s" in action:
            await asyncio.sleep(action["delay_s"])
        refusal = fault.refusal()
        torn = next((way for way in ("hang", "reset", "half_body", "bad_json", "html_502") if action.get(way)), "")
        if not (torn or refusal or action.get("after_effect")):
            answer = self._answer(name, form)
            return answer if isinstance(answer, Reply) else await answer
        broken = _broken(torn or "reset") if refusal is None else _error(refusal)
        shown = 0 if broken.torn == "reset" or torn == "hang" else broken.status
        mark: Json = {"status": shown, "fault": action}
        if refusal is not None:
            mark["error"] = refusal.description
        if action.get("after_effect"):
            done = self._answer(name, form, mark)
            if not isinstance(done, Reply):
                await done
        else:
            self._record(name, form.values, form, mark)
        if torn == "hang":
            await asyncio.Event().wait()
        return broken

    def _count(self, name: str, params: Json) -> None:
        if self.flood is not None and name in _SENDS and isinstance(params.get("chat_id"), int):
            several = params.get("media") or params.get("message_ids")
            self.flood.spend(params["chat_id"], len(several) if isinstance(several, list) else 1)

    def _done(self, name: str, params: Json, form: Form, result: Any, mark: Json | None = None) -> Reply:
        ending = b"}"
        if isinstance(result, Described):
            ending = b',"description":' + json.dumps(result.description).encode() + b"}"
            result = result.result
        self._record(name, params, form, {"status": 200, "result": result, **(mark or {})})
        body = _encode(result).encode(errors="replace")
        return Reply(b'{"ok":true,"result":' + body + ending)

    def _refused(self, name: str, params: Json, form: Form, refusal: Refusal, mark: Json | None = None) -> Reply:
        self._record(name, params, form, {"status": refusal.code, "error": refusal.description, **(mark or {})})
        return _error(refusal)

    def _note(self, name: str) -> None:
        """Remember that the bot did something; asking for updates is not something."""
        if name.lower() != "getupdates":
            self.last_activity = time.monotonic()

    def _record(self, name: str, params: Json, form: Form, outcome: Json) -> None:
        self._note(name)
        known = METHODS.get(name.lower())
        self.calls.add(
            {
                "time": self._world.clock.now().isoformat().replace("+00:00", "Z"),
                "method": known.name if known else name,
                "params": params,
                "files": list(form.uploads),
                **outcome,
            }
        )


def _method(name: str) -> Method:
    if not name:
        raise not_found()
    method = METHODS.get(name.lower())
    if method is None:
        raise not_found("method not found")
    return method


def _error(refusal: Refusal) -> Reply:
    headers = () if refusal.retry_after is None else (("Retry-After", str(refusal.retry_after)),)
    return Reply(refusal.body(), refusal.code, headers=headers)


def _broken(way: str) -> Reply:
    if way == "html_502":
        return Reply(_HTML_502, 502, "text/html")
    if way == "bad_json":
        return Reply(_TORN_JSON)
    if way == "half_body":
        return Reply(_TORN_JSON * 2, torn="half_body")
    return Reply(torn="reset")
