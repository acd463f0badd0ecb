import asyncio
import os
import subprocess
import sys

from bot.cli.serve import _check
from bot.settings import Settings


def run_bot(**environment):
    return subprocess.run(
        [sys.executable, "-m", "bot", "run"],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


async def test_a_refused_token_is_said_in_one_line_with_status_1(sandbox, sqlite_url):
    done = await asyncio.to_thread(
        run_bot,
        BOT_TOKEN="123456789:AAnotTheTokenOfThisServerAtAll0000000",
        BOT_API_URL=sandbox.api_url,
        BOT_DATABASE_URL=sqlite_url,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines() == ["gpu-desk: Telegram refuses BOT_TOKEN; take a fresh one from BotFather"]


def test_a_missing_token_is_said(sqlite_url):
    done = run_bot(BOT_TOKEN="", BOT_DATABASE_URL=sqlite_url)
    assert done.returncode == 1
    assert done.stderr == "gpu-desk: BOT_TOKEN is missing; BotFather gives one\n"


def test_a_database_that_cannot_be_reached_is_said_in_one_line():
    done = run_bot(
        BOT_TOKEN="123456789:AAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        BOT_DATABASE_URL="postgresql+asyncpg://desk:secret@127.0.0.1:1/x",
    )
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "the database cannot be reached" in done.stderr
    assert "secret" not in done.stderr


def test_a_wrong_setting_is_named_but_not_shown(sqlite_url):
    done = run_bot(BOT_TOKEN="x", BOT_STAFF_CHAT_ID="hidden-value", BOT_DATABASE_URL=sqlite_url)
    assert done.returncode == 1
    assert "BOT_STAFF_CHAT_ID" in done.stderr
    assert "hidden-value" not in done.stderr


async def test_a_list_of_questions_that_cannot_be_read_is_said_at_start(sandbox, sqlite_url, tmp_path):
    (tmp_path / "ours.toml").write_text("[[entry]]\nkey = 'x'\n")
    for name in ("ours.toml", "none.toml"):
        done = await asyncio.to_thread(
            run_bot,
            BOT_TOKEN=sandbox.token,
            BOT_API_URL=sandbox.api_url,
            BOT_DATABASE_URL=sqlite_url,
            BOT_FAQ_FILE=str(tmp_path / name),
        )
        assert done.returncode == 1
        assert len(done.stderr.splitlines()) == 1
        assert name in done.stderr


def test_an_address_that_cannot_be_called_is_said_without_the_token(sqlite_url):
    token = "hidden-and-mistyped"
    done = run_bot(BOT_TOKEN=token, BOT_API_URL="http://a..b/bot", BOT_DATABASE_URL=sqlite_url)
    assert done.returncode == 1
    assert "BOT_API_URL" in done.stderr
    assert token not in done.stderr


async def test_check_tells_what_is_right_and_what_is_fatal(sandbox, settings_for, sqlite_url, monkeypatch, capsys):
    monkeypatch.setattr("bot.settings.load", lambda **_: settings_for(sqlite_url))
    assert await _check() == 0
    assert "the staff group is" in capsys.readouterr().out
    monkeypatch.setattr("bot.settings.load", lambda **_: settings_for(sqlite_url, staff_chat_id=-5))
    assert await _check() == 1
    assert "FATAL: the staff group" in capsys.readouterr().out
    monkeypatch.setattr("bot.settings.load", lambda **_: settings_for(sqlite_url, faq_file="/none.toml"))
    assert await _check() == 1
    assert "FATAL: the list of questions none.toml" in capsys.readouterr().out
    monkeypatch.setattr("bot.settings.load", lambda **_: Settings(database_url=sqlite_url))
    assert await _check() == 1
    assert "FATAL: BOT_TOKEN is missing" in capsys.readouterr().out
