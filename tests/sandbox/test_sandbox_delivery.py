"""How updates reach a bot: polling, its conflicts, webhooks with their order and retries, and odd deliveries."""

import asyncio
import json
import time
from collections import deque

import pytest
from tornado.httpserver import HTTPServer
from tornado.httputil import HTTPHeaders, ResponseStartLine

from bot.sandbox import updates

TWO_POLLERS = "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"


async def say(call, user, text="hi"):
    return (await call.client(f"/users/{user}/messages", {"text": text}))["update_id"]


async def test_a_waiting_poll_wakes_at_once(call, customer):
    poll = asyncio.create_task(call.ok("getUpdates", timeout=20))
    await asyncio.sleep(0.02)
    began = time.monotonic()
    number = await say(call, customer)
    (update,) = await poll
    assert update["update_id"] == number
    assert time.monotonic() - began < 1


async def test_an_empty_poll_ends_after_its_time(call):
    began = time.monotonic()
    assert await call.ok("getUpdates", timeout=1) == []
    assert 0.9 < time.monotonic() - began < 3


async def test_what_is_not_confirmed_comes_again(call, customer):
    first, second = await say(call, customer, "1"), await say(call, customer, "2")
    assert [u["update_id"] for u in await call.ok("getUpdates")] == [first, second]
    assert [u["update_id"] for u in await call.ok("getUpdates")] == [first, second]
    assert [u["update_id"] for u in await call.ok("getUpdates", offset=second)] == [second]
    assert await call.ok("getUpdates", offset=second + 1) == []
    assert await call.ok("getUpdates", offset=0) == []


async def test_a_negative_offset_keeps_only_the_newest(call, customer):
    numbers = [await say(call, customer, str(i)) for i in range(4)]
    assert [u["update_id"] for u in await call.ok("getUpdates", offset=-2)] == numbers[-2:]
    assert [u["update_id"] for u in await call.ok("getUpdates")] == numbers[-2:]


async def test_a_second_poller_ends_the_first(call):
    first = asyncio.create_task(call("getUpdates", timeout=20))
    await asyncio.sleep(0.02)
    second = asyncio.create_task(call("getUpdates", timeout=20))
    answer = await first
    assert (answer.status, answer.error) == (409, TWO_POLLERS)
    second.cancel()


async def test_a_poller_that_went_away_does_not_take_updates(call, customer):
    gone = asyncio.create_task(call("getUpdates", timeout=20))
    await asyncio.sleep(0.02)
    gone.cancel()
    await asyncio.sleep(0.02)
    number = await say(call, customer)
    assert [u["update_id"] for u in await call.ok("getUpdates")] == [number]


async def test_an_update_that_a_dead_poller_took_does_not_keep_idle_waiting(call, customer, monkeypatch):
    monkeypatch.setattr(updates, "_TIME_TO_CONFIRM_S", 0.2)
    await say(call, customer)
    await call.ok("getUpdates")
    assert await call.client("/idle?quiet_ms=1&timeout_s=0.05") == {"idle": False}
    assert await call.client("/idle?quiet_ms=1&timeout_s=2") == {"idle": True}


async def test_an_open_poll_does_not_keep_idle_waiting(call):
    poll = asyncio.create_task(call("getUpdates", timeout=20))
    await asyncio.sleep(0.02)
    assert await call.client("/idle?quiet_ms=10&timeout_s=2") == {"idle": True}
    poll.cancel()


async def test_updates_expire_after_a_day(call, customer):
    await say(call, customer)
    await call.client("/clock", {"advance_s": 24 * 3600 - 10})
    await say(call, customer, "later")
    await call.client("/clock", {"advance_s": 20})
    assert [u["message"]["text"] for u in await call.ok("getUpdates")] == ["later"]


async def test_allowed_updates_are_remembered_for_what_comes_later(call, customer):
    sent = await call.client(f"/users/{customer}/messages", {"text": "before"})
    await call.ok("getUpdates", allowed_updates=["callback_query"])
    assert [u["message"]["text"] for u in await call.updates()] == ["before"]
    assert await say(call, customer) is None
    assert await call.updates() == []
    await call.ok("getUpdates", allowed_updates=[])
    edited = await call.client(f"/users/{customer}/edits", {"message_id": sent["message_id"], "text": "after"})
    (update,) = await call.updates()
    assert (update["update_id"], update["edited_message"]["text"]) == (edited["update_id"], "after")


async def test_update_ids_go_on_after_a_reset(call, customer):
    number = await say(call, customer)
    await call.client("/reset", {})
    user = await call.client("/users", {"first_name": "Ada"})
    assert await say(call, user["id"]) > number


async def test_a_poller_lives_through_a_reset(call):
    poll = asyncio.create_task(call.ok("getUpdates", timeout=20))
    await asyncio.sleep(0.02)
    await call.client("/reset", {})
    user = await call.client("/users", {"first_name": "Ada"})
    number = await say(call, user["id"])
    assert [u["update_id"] for u in await asyncio.wait_for(poll, 2)] == [number]


async def test_a_duplicate_comes_twice(call, customer):
    await call.client("/faults", {"delivery": "duplicate"})
    number = await say(call, customer)
    assert [u["update_id"] for u in await call.ok("getUpdates")] == [number, number]
    assert await call.ok("getUpdates", offset=number + 1) == []


async def test_a_confirmed_update_can_come_again(call, customer):
    number = await say(call, customer)
    await call.updates()
    await call.client("/faults", {"delivery": "redeliver"})
    assert [u["update_id"] for u in await call.ok("getUpdates", offset=number + 1)] == [number]
    assert await call.ok("getUpdates", offset=number + 1) == []


async def test_a_conflict_ends_the_waiting_poll_or_the_next_one(call):
    poll = asyncio.create_task(call("getUpdates", timeout=20))
    await asyncio.sleep(0.02)
    await call.client("/faults", {"delivery": "conflict"})
    assert (await poll).error == TWO_POLLERS
    await call.client("/faults", {"delivery": "conflict"})
    assert (await call("getUpdates")).error == TWO_POLLERS
    assert await call.ok("getUpdates") == []


async def test_a_late_update_comes_after_the_next_one(call, customer):
    await call.client("/faults", {"delivery": "late", "delay_s": 0.1})
    late = await say(call, customer, "late")
    prompt = await say(call, customer, "prompt")
    assert [u["update_id"] for u in await call.ok("getUpdates")] == [prompt]
    assert await call.client("/idle?quiet_ms=1&timeout_s=0.02") == {"idle": False}
    assert [u["update_id"] for u in await call.ok("getUpdates", offset=prompt + 1, timeout=2)] == [late]
    assert await call.ok("getUpdates", offset=prompt + 1) == []


async def test_a_late_press_can_no_longer_be_answered(call, customer):
    keys = {"inline_keyboard": [[{"text": "A", "callback_data": "a"}]]}
    message = await call.ok("sendMessage", chat_id=customer, text="x", reply_markup=keys)
    await call.client("/faults", {"delivery": "late", "delay_s": 0.01})
    pressed = await call.client(f"/users/{customer}/taps", {"message_id": message["message_id"], "data": "a"})
    (update,) = await call.ok("getUpdates", timeout=2)
    assert update["callback_query"]["id"] == pressed["callback_query_id"]
    assert (await call("answerCallbackQuery", callback_query_id=pressed["callback_query_id"])).status == 400


class Hook:
    """A bot's webhook: keeps what it was sent and answers as told, 200 by default."""

    def __init__(self) -> None:
        self.got = []
        self.answers = deque()
        self.more = asyncio.Event()
        self.server = HTTPServer(self._take)
        self.server.listen(0, "127.0.0.1")
        self.url = f"http://127.0.0.1:{next(iter(self.server._sockets.values())).getsockname()[1]}/hook"

    def _take(self, request):
        self.more.set()
        self.got.append((json.loads(request.body), request.headers))
        status, body, headers = self.answers.popleft() if self.answers else (200, b"", {})
        lines = HTTPHeaders({"Content-Length": str(len(body)), **headers})
        request.connection.write_headers(ResponseStartLine("HTTP/1.1", status, "Said"), lines, body)
        request.connection.finish()

    async def until(self, count):
        async with asyncio.timeout(3):
            while len(self.got) < count:
                self.more.clear()
                await self.more.wait()
        return [update for update, _ in self.got]


@pytest.fixture
async def hook():
    server = Hook()
    yield server
    server.server.stop()


async def test_a_webhook_gets_updates_with_its_secret(call, customer, hook):
    answer = await call("setWebhook", url=hook.url, secret_token="s3cret_-")
    assert (answer.result, answer.body["description"]) == (True, "Webhook was set")
    number = await say(call, customer)
    (update,) = await hook.until(1)
    assert update["update_id"] == number
    assert hook.got[0][1]["X-Telegram-Bot-Api-Secret-Token"] == "s3cret_-"
    assert hook.got[0][1]["Content-Type"] == "application/json"
    assert await call.client("/idle?quiet_ms=1&timeout_s=2") == {"idle": True}
    info = await call.ok("getWebhookInfo")
    assert (info["url"], info["pending_update_count"], info["max_connections"]) == (hook.url, 0, 40)


async def test_polling_and_a_webhook_exclude_each_other(call, hook):
    poll = asyncio.create_task(call("getUpdates", timeout=20))
    await asyncio.sleep(0.02)
    await call.ok("setWebhook", url=hook.url)
    assert (await poll).error == "Conflict: terminated by setWebhook request"
    refused = await call("getUpdates")
    assert (refused.status, refused.error) == (
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    )
    assert (await call("deleteWebhook")).body["description"] == "Webhook was deleted"
    assert (await call("deleteWebhook")).body["description"] == "Webhook is already deleted"
    assert await call.ok("getUpdates") == []


async def test_setting_a_webhook_twice_in_a_second_is_too_much(call, hook):
    await call.ok("setWebhook", url=hook.url)
    refused = await call("setWebhook", url=hook.url)
    assert (refused.status, refused.error) == (429, "Too Many Requests: retry after 1")
    assert refused.body["parameters"] == {"retry_after": 1}
    assert refused.headers["Retry-After"] == "1"


async def test_a_refused_update_is_sent_again_and_told_of(call, customer, hook):
    hook.answers.append((500, b"", {}))
    await call.ok("setWebhook", url=hook.url)
    await say(call, customer)
    first, second = await hook.until(2)
    assert first == second
    info = await call.ok("getWebhookInfo")
    assert info["last_error_message"] == "Wrong response from the webhook: 500 Said"


async def test_one_failing_chat_does_not_hold_up_the_others(call, customer, hook):
    other = await call.customer(first_name="Bo")
    hook.answers.extend([(500, b"", {"Retry-After": "30"})])
    await call.ok("setWebhook", url=hook.url)
    await say(call, customer, "stuck")
    await hook.until(1)
    await say(call, customer, "behind")
    await say(call, other, "free")
    sent = await hook.until(2)
    await asyncio.sleep(0.05)
    assert [u["message"]["text"] for u in sent] == ["stuck", "free"]
    assert (await call.ok("getWebhookInfo"))["pending_update_count"] == 2


async def test_the_updates_of_one_chat_keep_their_order(call, customer, hook):
    await call.ok("setWebhook", url=hook.url)
    for number in range(20):
        await say(call, customer, str(number))
    sent = await hook.until(20)
    assert [u["message"]["text"] for u in sent] == [str(number) for number in range(20)]


async def test_a_webhook_may_answer_with_a_call(call, customer, hook):
    body = json.dumps({"method": "sendMessage", "chat_id": customer, "text": "from the answer"}).encode()
    hook.answers.extend([(200, body, {}), (200, b'{"method": "getMe"}', {})])
    await call.ok("setWebhook", url=hook.url)
    await say(call, customer)
    await say(call, customer)
    await hook.until(2)
    await call.client("/idle?quiet_ms=20&timeout_s=2")
    assert (await call.screen(customer))[-1]["text"] == "from the answer"
    assert [c["method"] for c in await call.client("/calls?method=getMe")] == []


async def test_what_no_webhook_took_waits_for_a_poller(call, customer, hook):
    await call.ok("setWebhook", url="https://example.com/hook")
    number = await say(call, customer)
    await asyncio.sleep(0.02)
    assert "resolve host" in (await call.ok("getWebhookInfo"))["last_error_message"]
    await call.ok("deleteWebhook")
    assert [u["update_id"] for u in await call.ok("getUpdates")] == [number]


async def test_pending_updates_can_be_dropped(call, customer, hook):
    await say(call, customer)
    await call.ok("setWebhook", url=hook.url, drop_pending_updates=True)
    number = await say(call, customer, "new")
    (update,) = await hook.until(1)
    assert update["update_id"] == number
