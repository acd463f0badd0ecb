"""HTTP itself: forms of a call, methods in any case, chunks, pipelines, and who may talk to the server."""

import asyncio
import json

import httpx
import pytest

from bot.sandbox import Sandbox


async def talk(box, data, count=1):
    """Send raw bytes and read `count` answers."""
    reader, writer = await asyncio.open_connection("127.0.0.1", box.port)
    writer.write(data)
    answers = []
    for _ in range(count):
        head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 3)).decode("latin-1")
        length = int(head.lower().partition("content-length: ")[2].split("\r\n")[0])
        answers.append((int(head.split(" ")[1]), await reader.readexactly(length)))
    writer.close()
    return answers


def request(box, method, body=b"", kind="application/x-www-form-urlencoded", host="127.0.0.1"):
    head = (
        f"POST /bot{box.token}/{method} HTTP/1.1\r\nHost: {host}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}"
    )
    return f"{head}\r\n\r\n".encode() + body


@pytest.mark.parametrize("method", ["getme", "GETME", "getMe"])
async def test_method_names_come_in_any_case(call, method):
    assert (await call.ok(method))["is_bot"] is True
    assert (await call.client("/calls"))[-1]["method"] == "getMe"


async def test_a_call_may_be_a_get_a_form_or_json(call, box, customer):
    path = f"/bot{box.token}/sendMessage"
    given = {"chat_id": str(customer), "text": "你好 & +", "disable_notification": "True"}
    for response in (
        await call.http.get(path, params=given),
        await call.http.post(path, data=given),
        await call.http.post(path, data=given, files={"ignored": ("a", b"b")}),
        await call.http.post(path, json={"chat_id": customer, "text": "你好 & +", "disable_notification": True}),
    ):
        assert response.json()["result"]["text"] == "你好 & +"


async def test_a_body_may_come_in_chunks(box):
    body = json.dumps({"chat_id": 77, "text": "x" * 50}).encode()
    head = f"POST /bot{box.token}/sendMessage HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(body[i : i + 16]), body[i : i + 16]) for i in range(0, len(body), 16))
    data = head.encode() + b"Transfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\n\r\n" + request(box, "getMe")
    refused, good = await talk(box, data, 2)
    assert (refused[0], good[0]) == (400, 200)
    assert b"chat not found" in refused[1]


async def test_requests_on_one_connection_are_answered_in_order(box):
    long_poll = request(box, "getUpdates", b"timeout=1&limit=1")
    first, second, third = await talk(box, request(box, "getMe") + long_poll + request(box, "nonsense"), 3)
    assert (first[0], second, third[0]) == (200, (200, b'{"ok":true,"result":[]}'), 404)


async def test_a_request_may_come_byte_by_byte(box):
    reader, writer = await asyncio.open_connection("127.0.0.1", box.port)
    for byte in request(box, "getMe", b"a=b"[:0]):
        writer.write(bytes([byte]))
        await writer.drain()
    assert (await reader.readline()).startswith(b"HTTP/1.1 200")
    writer.close()


@pytest.mark.parametrize(
    ("host", "status"),
    [("127.0.0.1", 200), ("localhost:8081", 200), ("[::1]:8081", 200), ("evil.example", 403), ("127.0.0.1.evil.example", 403), ("", 403)],
)  # fmt: skip
async def test_only_this_machine_is_served(box, host, status):
    ((answered, _),) = await talk(box, request(box, "getMe", host=host))
    assert answered == status


async def test_a_foreign_page_cannot_use_a_visitors_browser(call):
    response = await call.http.post("/client/reset", headers={"Origin": "https://evil.example"})
    assert response.status_code == 403
    assert (await call.http.get("/client/clock", headers={"Origin": "http://localhost:8081"})).status_code == 200


@pytest.mark.parametrize(
    "data", [b"nonsense\r\n\r\n", b"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", b"GET /" + b"x" * 70_000]
)
async def test_broken_requests_are_refused(box, data):
    ((status, _),) = await talk(box, data)
    assert status in {400, 431}


async def test_the_page_and_its_parts_are_served(call):
    page = await call.http.get("/")
    assert page.headers["Content-Type"].startswith("text/html")
    for path in ("/app.js", "/style.css", "/icon.svg", "/font/zh.otf"):
        assert (await call.http.get(path)).status_code == 200
    for path in ("/../server.py", "/%2e%2e/server.py", "/page", "/spec.toml"):
        assert (await call.http.get(path)).status_code == 404


async def test_pages_hear_of_changes_at_once(call, box, customer):
    reader, writer = await asyncio.open_connection("127.0.0.1", box.port)
    writer.write(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    await reader.readuntil(b"\r\n\r\n")
    await reader.readuntil(b"\n\n")
    await call.ok("sendChatAction", chat_id=customer, action="typing")
    await call.ok("sendMessage", chat_id=customer, text="hello")
    events = [json.loads((await asyncio.wait_for(reader.readuntil(b"\n\n"), 2))[6:]) for _ in range(2)]
    assert [event["type"] for event in events] == ["action", "message"]
    assert events[1]["message"]["text"] == "hello"
    writer.close()


async def test_the_log_file_has_every_call(tmp_path, monkeypatch, clock):
    log = tmp_path / "calls.jsonl"
    monkeypatch.setenv("SANDBOX_CALL_LOG", str(log))
    sandbox = Sandbox(port=0, clock=clock)
    await sandbox.start()
    async with httpx.AsyncClient(base_url=sandbox.url) as http:
        await http.post(f"/bot{sandbox.token}/getMe")
        await http.post(f"/bot{sandbox.token}/nonsense")
    await sandbox.stop()
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(line["method"], line["status"]) for line in lines] == [("getMe", 200), ("nonsense", 404)]


async def test_the_port_is_free_again_after_stop(clock):
    first = Sandbox(port=0, clock=clock)
    await first.start()
    second = Sandbox(port=first.port, clock=clock)
    await first.stop()
    await second.start()
    assert (second.api_url, second.file_url) == (f"{second.url}/bot", f"{second.url}/file/bot")
    await second.stop()
