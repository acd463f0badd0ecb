"""Faults on demand: what python-telegram-bot makes of each, and what is really on the socket."""

import asyncio
import socket
import time

import httpx
import pytest
from telegram import Bot, error
from telegram.request import HTTPXRequest


@pytest.fixture
async def bot(box):
    request = HTTPXRequest(read_timeout=0.3, connect_timeout=1)
    async with Bot(box.token, base_url=box.api_url, base_file_url=box.file_url, request=request) as bot:
        yield bot


FAULTS = [
    ("a refusal", {"status": 400, "description": "Bad Request: PEER_ID_INVALID"}, error.BadRequest),
    ("a block", {"status": 403}, error.Forbidden),
    ("a wrong token", {"status": 401}, error.InvalidToken),
    ("a missing method", {"status": 404}, error.InvalidToken),
    ("a conflict", {"status": 409}, error.Conflict),
    ("too much", {"status": 413}, error.NetworkError),
    ("a server error", {"status": 500}, error.NetworkError),
    ("a gateway's HTML", {"html_502": True}, error.NetworkError),
    ("a reset", {"reset": True}, error.NetworkError),
    ("half a body", {"half_body": True}, error.NetworkError),
    ("a hang", {"hang": True}, error.TimedOut),
    ("broken JSON", {"bad_json": True}, error.TelegramError),
    ("a flood limit", {"retry_after": 7}, error.RetryAfter),
    ("an upgrade", {"migrate_to_chat_id": -100123}, error.ChatMigrated),
]  # fmt: skip


@pytest.mark.parametrize(("action", "kind"), [fault[1:] for fault in FAULTS], ids=[fault[0] for fault in FAULTS])
async def test_a_fault_arrives_as_the_library_knows_it_and_changes_nothing(call, bot, customer, action, kind):
    await call.client("/faults", {"match": {"method": "sendMessage", "chat_id": customer}, "action": action})
    before = await call.screen(customer)
    with pytest.raises(kind) as caught:
        await bot.send_message(customer, "lost")
    assert type(caught.value) is kind
    assert await call.screen(customer) == before
    await bot.send_message(customer, "found")
    assert (await call.screen(customer))[-1]["text"] == "found"


@pytest.mark.parametrize(
    "action", [{"reset": True}, {"half_body": True}, {"html_502": True}, {"status": 500}, {}, {"bad_json": True}]
)
async def test_after_effect_does_the_work_and_loses_the_answer(call, bot, customer, action):
    await call.client("/faults", {"match": {"method": "sendMessage"}, "action": {**action, "after_effect": True}})
    with pytest.raises(error.TelegramError):
        await bot.send_message(customer, "done all the same")
    assert (await call.screen(customer))[-1]["text"] == "done all the same"
    record = (await call.client("/calls?method=sendMessage"))[-1]
    assert record["result"]["text"] == "done all the same"
    assert record["fault"]["after_effect"] is True


async def test_a_flood_limit_says_how_long_in_body_and_header(call, customer):
    await call.client("/faults", {"match": {}, "action": {"retry_after": 7}})
    refused = await call("sendMessage", chat_id=customer, text="x")
    assert (refused.status, refused.error) == (429, "Too Many Requests: retry after 7")
    assert refused.body["parameters"] == {"retry_after": 7}
    assert refused.headers["Retry-After"] == "7"


async def test_a_delayed_answer_is_only_late(call, customer):
    await call.client("/faults", {"match": {"method": "sendMessage"}, "action": {"delay_s": 0.1}})
    began = time.monotonic()
    await call.ok("sendMessage", chat_id=customer, text="x")
    assert time.monotonic() - began >= 0.1


async def test_a_fault_can_skip_and_come_several_times(call, customer):
    await call.client("/faults", {"match": {"method": "sendMessage", "skip": 1, "times": 2}, "action": {"status": 500}})
    seen = [(await call("sendMessage", chat_id=customer, text=str(i))).status for i in range(4)]
    assert seen == [200, 500, 500, 200]


async def test_a_fault_meets_only_the_chat_and_method_it_names(call, customer):
    await call.client("/faults", {"match": {"method": "SENDMESSAGE", "chat_id": customer}, "action": {"status": 500}})
    other = await call.customer(first_name="Bo")
    await call.ok("sendMessage", chat_id=other, text="x")
    await call.ok("sendChatAction", chat_id=customer, action="typing")
    assert (await call("sendMessage", chat_id=customer, text="x")).status == 500


async def test_faults_can_be_cleared(call, customer):
    await call.client("/faults", {"match": {}, "action": {"status": 500}})
    await call.client("/faults", {}, verb="DELETE")
    await call.ok("sendMessage", chat_id=customer, text="x")


@pytest.mark.parametrize(
    "body",
    [
        {"match": {"methd": "x"}, "action": {"status": 500}},
        {"match": {}, "action": {"stats": 500}},
        {"match": {}, "action": {"status": "500"}},
        {"match": {}, "action": {}},
        {"delivery": "sideways"},
    ],
)
async def test_a_fault_that_is_not_understood_is_refused(call, body):
    await call.client("/faults", body, status=400)


def raw_answer(box, path):
    with socket.create_connection(("127.0.0.1", box.port)) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        received = b""
        while chunk := connection.recv(65536):
            received += chunk
        return received


async def test_half_a_body_is_really_short(call, box):
    await call.client("/faults", {"match": {"method": "getMe"}, "action": {"half_body": True}})
    received = await asyncio.to_thread(raw_answer, box, f"/bot{box.token}/getMe")
    head, _, body = received.partition(b"\r\n\r\n")
    promised = int(head.lower().partition(b"content-length: ")[2].split()[0])
    assert 0 < len(body) < promised


async def test_a_reset_is_really_a_reset(call, box):
    await call.client("/faults", {"match": {"method": "getMe"}, "action": {"reset": True}})
    with pytest.raises(ConnectionResetError):
        await asyncio.to_thread(raw_answer, box, f"/bot{box.token}/getMe")


async def test_a_hanging_call_is_open_until_its_caller_gives_up(call, box):
    await call.client("/faults", {"match": {"method": "getMe"}, "action": {"hang": True}})
    async with httpx.AsyncClient(base_url=box.url, timeout=0.1) as impatient:
        with pytest.raises(httpx.ReadTimeout):
            await impatient.get(f"/bot{box.token}/getMe")
    assert await call.client("/idle?quiet_ms=1&timeout_s=2") == {"idle": True}
    assert (await call.client("/calls?method=getMe"))[-1]["status"] == 0
