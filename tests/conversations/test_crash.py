"""A bot process that dies in the middle of a conversation and is started again."""

import asyncio
import os
import signal
import subprocess
import sys

import pytest

from bot.checklist.fields import BY_KEY
from bot.i18n import texts
from tests.driver import Telegram, said

EN = texts("en")


def question(key: str) -> str:
    return EN.text(BY_KEY[key].question)


class Process:
    """`python -m bot run` against the sandbox."""

    def __init__(self, sandbox, database_url: str) -> None:
        self.environment = {
            **os.environ,
            "BOT_TOKEN": sandbox.token,
            "BOT_API_URL": sandbox.api_url,
            "BOT_DATABASE_URL": database_url,
            "BOT_STAFF_CHAT_ID": str(sandbox.staff_chat_id),
        }

    def start(self) -> None:
        self.running = subprocess.Popen(
            [sys.executable, "-m", "bot", "run"], env=self.environment, stderr=subprocess.DEVNULL
        )

    def kill(self) -> None:
        self.running.send_signal(signal.SIGKILL)
        self.running.wait()


async def answer_to(person, text: str) -> list[dict]:
    for _ in range(400):
        found = await person.new()
        if text in said(found):
            return found
        await asyncio.sleep(0.05)
    raise AssertionError(f"{text!r} never came: {said(await person.screen())}")


async def write(telegram, person, text: str) -> None:
    await telegram.call(f"/users/{person.id}/messages", {"text": text})


@pytest.mark.parametrize("fault", ["sendMessage", "getUpdates"])
async def test_killed_in_flight_the_bot_answers_and_goes_on_at_the_same_question(sandbox, database_url, fault):
    telegram = Telegram(sandbox.url, sandbox.staff_chat_id)
    bot = Process(sandbox, database_url)
    bot.start()
    try:
        person = await telegram.person("en")
        await write(telegram, person, "/start")
        await answer_to(person, question("workload"))
        if fault == "sendMessage":
            await telegram.call("/faults", {"match": {"method": "sendMessage", "times": 1}, "action": {"hang": True}})
            await write(telegram, person, "inference")
            for _ in range(200):
                if await telegram.calls("editMessageReplyMarkup"):
                    break
                await asyncio.sleep(0.05)
            bot.kill()
        else:
            bot.kill()
            await write(telegram, person, "inference")
        await telegram.call("/faults", method="DELETE")
        await telegram.call("/clock", {"advance_s": 0})
        bot.start()
        answered = await answer_to(person, question("description"))
        assert sum(question("description") in said([m]) for m in answered) == 1
        await write(telegram, person, "a support desk")
        await answer_to(person, question("model"))
    finally:
        bot.kill()
        await telegram.close()
