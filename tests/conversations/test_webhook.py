"""Updates by webhook: who may bring them, when they count as taken, and several copies that take them."""

import asyncio
from contextlib import asynccontextmanager

import httpx
import pytest
from pydantic import SecretStr

from bot.app import Desk, running
from bot.clock import Clock
from bot.storage import inbox, requests
from bot.telegram.webhook import LARGEST_BODY, SECRET_HEADER
from tests.chaos import free_port
from tests.driver import Telegram, said

SECRET = "a-secret_1"


@asynccontextmanager
async def listening(sandbox, settings_for, database_url, clock, *, path="/telegram", secret=SECRET):
    """A desk that takes updates by webhook, and an HTTP client to its server."""
    port = free_port()
    settings = settings_for(
        database_url,
        webhook_url=f"http://127.0.0.1:{port}{path}",
        webhook_secret=SecretStr(secret),
        listen=f"127.0.0.1:{port}",
    )
    desk = Desk(settings, clock)
    async with running(desk), httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as http:
        desk.http = http
        yield desk


@pytest.fixture
async def people(sandbox):
    telegram = Telegram(sandbox.url, sandbox.staff_chat_id)
    yield telegram
    await telegram.close()


def message(update_id: int, person: int, words: str) -> dict:
    chat = {"id": person, "type": "private", "first_name": "Customer"}
    sender = {"id": person, "is_bot": False, "first_name": "Customer", "language_code": "en"}
    body = {"message_id": update_id, "date": 1_790_000_000, "chat": chat, "from": sender, "text": words}
    return {"update_id": update_id, "message": body}


async def bring(desk, update: dict) -> int:
    return (await desk.http.post("/telegram", json=update, headers={SECRET_HEADER: SECRET})).status_code


async def test_only_who_knows_the_secret_brings_updates(sandbox, settings_for, sqlite_url, clock):
    async with listening(sandbox, settings_for, sqlite_url, clock) as desk:
        forged = message(1, 5_000, "/start")
        for headers in ({}, {SECRET_HEADER: "wrong"}, {SECRET_HEADER: SECRET + "x"}, {SECRET_HEADER: "é"}):
            answer = await desk.http.post(
                "/telegram", json=forged, headers=[(k, v.encode()) for k, v in headers.items()]
            )
            assert answer.status_code == 403
        async with desk.engine.connect() as tx:
            assert await inbox.inbox_is_empty(tx)
        assert await bring(desk, forged) == 200


@pytest.mark.parametrize("path", ["", "/", "/hooks/desk.v1+a"])
async def test_updates_come_under_the_path_of_the_public_address(sandbox, settings_for, sqlite_url, clock, path):
    async with listening(sandbox, settings_for, sqlite_url, clock, path=path) as desk:
        headers = {SECRET_HEADER: SECRET}
        assert (await desk.http.post(path or "/", json=message(1, 5_000, "/start"), headers=headers)).status_code == 200
        assert await bring(desk, message(2, 5_000, "/help")) == 200
        assert (await desk.http.post("/hooks/other", content=b"{}", headers=headers)).status_code == 404


async def test_without_a_secret_of_its_own_the_webhook_is_not_open(sandbox, settings_for, sqlite_url, clock, people):
    async with listening(sandbox, settings_for, sqlite_url, clock, secret="") as desk:
        forged = message(1, 5_000, "/start")
        for headers in ({}, {SECRET_HEADER: ""}, {SECRET_HEADER: SECRET}):
            assert (await desk.http.post("/telegram", json=forged, headers=headers)).status_code == 403
        person = await people.person("en")
        sandbox.quiet = desk.idle
        await people.call(f"/users/{person.id}/messages", {"text": "/start"})
        await people.idle()
        assert "Welcome" in said(await person.screen())
        sandbox.quiet = None


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'{"update_id": "1"}', b'{"update_id": 1e999}', b"\xff", b"[" * 100_000]
)
async def test_what_is_no_update_is_refused(sandbox, settings_for, sqlite_url, clock, body):
    async with listening(sandbox, settings_for, sqlite_url, clock) as desk:
        answer = await desk.http.post("/telegram", content=body, headers={SECRET_HEADER: SECRET})
        assert answer.status_code == 400


async def test_a_body_that_is_too_large_is_not_read(sandbox, settings_for, sqlite_url, clock):
    async with listening(sandbox, settings_for, sqlite_url, clock) as desk:
        try:
            answer = await desk.http.post(
                "/telegram", content=b"x" * (LARGEST_BODY + 1), headers={SECRET_HEADER: SECRET}
            )
            assert answer.status_code in (400, 413)
        except httpx.TransportError:
            pass
        assert (await desk.http.get("/healthz")).status_code == 200


async def test_while_the_database_fails_telegram_keeps_the_update(
    sandbox, people, settings_for, sqlite_url, monkeypatch
):
    async with listening(sandbox, settings_for, sqlite_url, Clock()) as desk:
        person = await people.person("en")
        works, failures = inbox.store_updates, []

        async def fails(*arguments):
            if len(failures) < 2:
                failures.append(arguments)
                raise ConnectionRefusedError
            return await works(*arguments)

        monkeypatch.setattr(inbox, "store_updates", fails)
        sandbox.quiet = desk.idle
        await people.call(f"/users/{person.id}/messages", {"text": "/start"})
        await people.idle()
        assert "Welcome" in said(await person.screen())
        assert len(failures) == 2
        sandbox.quiet = None


async def test_health_and_metrics_are_served(sandbox, settings_for, database_url, clock):
    async with listening(sandbox, settings_for, database_url, clock) as desk:
        assert (await desk.http.get("/healthz")).status_code == 200
        assert (await desk.http.get("/readyz")).text == "ok\n"
        await bring(desk, message(1, 5_000, "/start"))
        page = (await desk.http.get("/metrics")).text
        for name in ("updates_total", "stage_seconds_bucket", "outbox_depth", "outbox_age_seconds", "reminders_due"):
            assert f"desk_{name}" in page
        for name in ("reminders_late", "errors_total", "flood_waits_total"):
            assert f"desk_{name}" in page


async def test_a_copy_without_its_database_is_not_ready(sandbox, settings_for, postgres_server, clock, monkeypatch):
    async with listening(sandbox, settings_for, postgres_server.fresh_database(), clock) as desk:
        monkeypatch.setattr(type(desk.engine), "connect", lambda _self: (_ for _ in ()).throw(ConnectionRefusedError()))
        answer = await desk.http.get("/readyz")
        assert answer.status_code == 503
        assert "database" in answer.text


async def test_two_copies_behind_a_balancer_answer_once_and_in_order(
    sandbox, people, settings_for, postgres_server, clock
):
    url = postgres_server.fresh_database()
    customers = [await people.person("en") for _ in range(5)]
    for customer in customers:
        await people.call(f"/users/{customer.id}/messages", {"text": "/start"})
    async with (
        listening(sandbox, settings_for, url, clock) as one,
        listening(sandbox, settings_for, url, clock) as two,
    ):

        async def write(customer, first: int) -> None:
            """As Telegram does: the next message of a chat only when the one before was taken, now and then one twice."""
            for n in range(8):
                update = message(first + n, customer.id, "TBD")
                assert await bring((one, two)[n % 2], update) == 200
                if n % 3 == 0:
                    assert await bring((two, one)[n % 2], update) == 200

        async def quiet() -> bool:
            return await one.idle() and await two.idle()

        sandbox.quiet = quiet
        await people.idle()
        await asyncio.gather(*(write(customer, 10**9 + 100 * n) for n, customer in enumerate(customers)))
        await people.idle()
        calls = await people.calls("sendMessage")
        async with one.engine.connect() as tx:
            for customer in customers:
                found = await requests.newest(tx, customer.id)
                assert len(found.answers) == 8
                rows = await tx.exec_driver_sql(
                    f"SELECT message_id FROM outbox WHERE chat_id = {customer.id} AND method = 'send_message' ORDER BY id"
                )
                numbers = [row.message_id for row in rows]
                assert numbers == sorted(numbers)
                sent = [call for call in calls if call["params"]["chat_id"] == customer.id]
                assert len(sent) == len(numbers)
