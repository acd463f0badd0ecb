"""An update that nothing can handle: tried three times, set aside, told to both sides, and the chat goes on."""

import asyncio
import re

import pytest
from pydantic import SecretStr
from sqlalchemy import text

from bot.i18n import texts
from bot.storage.inbox import MOST_ATTEMPTS
from bot.telegram import turn
from bot.telegram.handlers import APOLOGY
from tests.chaos import free_port
from tests.conftest import started
from tests.driver import said


@pytest.fixture
async def telegram(way, sandbox, settings_for, sqlite_url, clock):
    """The bot with updates that come either way; Telegram brings them itself."""
    more = {}
    if way == "webhook":
        port = free_port()
        more = {
            "webhook_url": f"http://127.0.0.1:{port}/telegram",
            "webhook_secret": SecretStr("s"),
            "listen": f"127.0.0.1:{port}",
        }
    async with started(sandbox, settings_for(sqlite_url, **more), clock) as people:
        yield people


@pytest.mark.parametrize(("way", "app", "locale"), [("polling", "en", "en"), ("webhook", "zh-hans", "zh_Hans")])
async def test_a_poisoned_update_is_set_aside_with_an_apology_and_the_chat_goes_on(telegram, monkeypatch, app, locale):
    tries, decide = [], turn.decide

    def fails_on_poison(case, event, context):
        if "poison" in getattr(event, "text", ""):
            tries.append(event)
            raise RuntimeError("SELECT secret FROM internals")
        return decide(case, event, context)

    monkeypatch.setattr(turn, "decide", fails_on_poison)
    person = await telegram.person(app)
    await person.says("/start")
    for words in ("poison", "inference"):
        await telegram.call(f"/users/{person.id}/messages", {"text": words})
    for tried in range(1, MOST_ATTEMPTS + 1):
        while len(tries) < tried:  # noqa: ASYNC110 - the next try comes by the clock
            await asyncio.sleep(0.01)
        await telegram.call("/clock", {"advance_s": 5})
    await telegram.idle()
    shown = await person.new()
    apologies = [m["text"] for m in shown if re.search(r"\b[0-9a-f]{8}\b", m["text"] or "")]
    assert len(tries) == MOST_ATTEMPTS
    assert len(apologies) == 1
    reference = re.search(r"\b[0-9a-f]{8}\b", apologies[0])[0]
    assert apologies == [texts(locale).text(APOLOGY, reference=reference)]
    assert len(shown) > 1, "the next message is answered"
    assert "SELECT" not in said(shown)
    path = f"/chats/{telegram.staff_chat_id}/messages?after=0"
    assert reference in said((await telegram.call(path))["messages"])
    async with telegram.desk.engine.connect() as tx:
        rows = (await tx.execute(text("SELECT error, payload FROM inbox WHERE error IS NOT NULL"))).all()
    assert [(row.error, "poison" in str(row.payload)) for row in rows] == [(f"{reference} RuntimeError", True)], (
        "whoever has the number finds the error and what was written"
    )
