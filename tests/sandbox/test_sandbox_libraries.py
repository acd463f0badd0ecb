"""Bot libraries run unchanged: what python-telegram-bot reads leaves nothing over, and an aiogram bot does its work."""

import asyncio
import json
import subprocess
import sys
from collections import deque
from pathlib import Path

import pytest
from aiogram import Bot as AiogramBot
from aiogram import Dispatcher, F
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.exceptions import TelegramBadRequest
from aiogram.filters import Command
from aiogram.types import BufferedInputFile, InlineKeyboardButton, InlineKeyboardMarkup
from telegram import (
    Bot,
    BotCommand,
    BotCommandScopeAllPrivateChats,
    InputMediaDocument,
    InputMediaPhoto,
    MenuButtonCommands,
    ReplyKeyboardMarkup,
    TelegramObject,
    Update,
)
from telegram import InlineKeyboardButton as Button
from telegram import InlineKeyboardMarkup as Keyboard

from bot.sandbox.files import sample_photo
from bot.sandbox.methods import FUNCTIONS
from bot.sandbox.validation import _SPEC, METHODS

SHARED = Path(__file__).resolve().parents[3] / "shared"


def leftovers(value):
    """Return what the library found in an object but does not know."""
    if isinstance(value, TelegramObject):
        found = [f"{type(value).__name__}.{name}" for name in value.api_kwargs]
        return found + leftovers([getattr(value, name, None) for name in value._get_attrs_names(include_private=False)])
    if isinstance(value, list | tuple | dict):
        items = value.values() if isinstance(value, dict) else value
        return [name for item in items for name in leftovers(item)]
    return []


async def every_method(bot, chat, staff):
    """Call each method once and yield what it returned."""
    yield await bot.get_me()
    for part in (messages(bot, chat, staff), profile(bot, chat), groups(bot, chat, staff)):
        async for answer in part:
            yield answer


async def messages(bot, chat, staff):
    keys = Keyboard([[Button("A", callback_data="a"), Button("L", url="https://a.bc")]])
    text = await bot.send_message(chat, "<b>x</b> /help", parse_mode="HTML", reply_markup=keys, protect_content=False)
    yield text
    yield await bot.send_message(chat, "y", reply_markup=ReplyKeyboardMarkup([["A"]], one_time_keyboard=True))
    photo = await bot.send_photo(chat, sample_photo(), caption="c", has_spoiler=True)
    yield photo
    document = await bot.send_document(chat, b"content", filename="a.txt", reply_markup=keys)
    yield document
    yield await bot.send_voice(chat, b"OggS", caption="v")
    yield await bot.send_sticker(chat, b"RIFF")
    yield await bot.send_contact(chat, phone_number="+861", first_name="Li")
    yield await bot.send_location(chat, latitude=1.0, longitude=2.0)
    yield await bot.send_media_group(
        chat, [InputMediaPhoto(sample_photo(), caption="1"), InputMediaPhoto(photo.photo[-1])]
    )
    yield await bot.send_media_group(
        chat, [InputMediaDocument(b"a", filename="a.txt"), InputMediaDocument(b"b", filename="b.txt")]
    )
    yield await bot.send_chat_action(chat, "typing")
    yield await bot.edit_message_text("z", chat, text.message_id, reply_markup=keys)
    yield await bot.edit_message_reply_markup(chat, text.message_id)
    yield await bot.edit_message_caption(chat, photo.message_id, caption="d")
    yield await bot.edit_message_media(InputMediaPhoto(sample_photo(50, 50)), chat, photo.message_id)
    yield await bot.copy_message(staff, chat, photo.message_id, caption="e", reply_markup=keys)
    yield await bot.copy_messages(staff, chat, [text.message_id, photo.message_id])
    yield await bot.forward_message(staff, chat, text.message_id)
    yield await bot.forward_messages(staff, chat, [text.message_id, photo.message_id])
    yield await bot.set_message_reaction(chat, text.message_id, "👍")
    yield await bot.pin_chat_message(chat, text.message_id)
    yield await bot.get_chat(chat)
    yield await bot.unpin_chat_message(chat)
    yield await bot.unpin_all_chat_messages(chat)
    yield await bot.get_file(document.document.file_id)
    yield await (await bot.get_file(photo.photo[-1].file_id)).download_as_bytearray()
    yield await bot.delete_message(chat, document.message_id)
    yield await bot.delete_messages(chat, [photo.message_id, text.message_id])


async def profile(bot, chat):
    for language in ("", "zh"):
        yield await bot.set_my_commands([BotCommand("a", "b")], BotCommandScopeAllPrivateChats(), language)
        yield await bot.get_my_commands(BotCommandScopeAllPrivateChats(), language)
        yield await bot.delete_my_commands(BotCommandScopeAllPrivateChats(), language)
        yield await bot.set_my_name("Desk", language)
        yield await bot.get_my_name(language)
        yield await bot.set_my_description("Help", language)
        yield await bot.get_my_description(language)
        yield await bot.set_my_short_description("Help", language)
        yield await bot.get_my_short_description(language)
    yield await bot.set_chat_menu_button(chat, MenuButtonCommands())
    yield await bot.get_chat_menu_button(chat)
    yield await bot.get_chat_menu_button()


async def groups(bot, chat, staff):
    yield await bot.get_chat(staff)
    yield await bot.get_chat_administrators(staff)
    yield await bot.get_chat_member(staff, bot.id)
    yield await bot.get_chat_member(staff, chat)
    yield await bot.get_chat_member_count(staff)
    topic = await bot.create_forum_topic(staff, "Request 1")
    yield topic
    yield await bot.send_message(staff, "in the topic", message_thread_id=topic.message_thread_id)
    yield await bot.edit_forum_topic(staff, topic.message_thread_id, name="Request 2")
    yield await bot.unpin_all_forum_topic_messages(staff, topic.message_thread_id)
    yield await bot.close_forum_topic(staff, topic.message_thread_id)
    yield await bot.reopen_forum_topic(staff, topic.message_thread_id)
    yield await bot.delete_forum_topic(staff, topic.message_thread_id)
    yield await bot.get_webhook_info()
    yield await bot.set_webhook("https://example.com/hook", secret_token="s")
    yield await bot.get_webhook_info()
    yield await bot.delete_webhook()
    yield await bot.leave_chat(staff)


async def every_event(call, customer):
    """Let people do everything once."""
    keys = {"inline_keyboard": [[{"text": "A", "callback_data": "a"}]]}
    message = await call.ok("sendMessage", chat_id=customer, text="x", reply_markup=keys)
    for body in (
        {"text": "/a b"},
        {"photo": True},
        {"document": True},
        {"voice": True},
        {"sticker": True},
        {"contact": True},
    ):
        sent = await call.client(f"/users/{customer}/messages", body)
    for body in (
        {"location": True},
        {"video": True},
        {"video_note": True},
        {"dice": True},
        {"text": "f", "forward_from": "X"},
    ):
        await call.client(f"/users/{customer}/messages", {**body, "reply_to_message_id": sent["message_id"]})
    await call.client(f"/users/{customer}/taps", {"message_id": message["message_id"], "data": "a"})
    await call.client(f"/users/{customer}/taps", {"message_id": 999, "data": "a", "stale": True})
    text = await call.client(f"/users/{customer}/messages", {"text": "8"})
    await call.client(f"/users/{customer}/edits", {"message_id": text["message_id"], "text": "9"})
    await call.client(f"/users/{customer}/block", {})
    await call.client(f"/users/{customer}/unblock", {})
    group = await call.client("/chats", {"type": "group", "title": "G", "members": [customer]})
    await call.client(f"/chats/{group['id']}/bot", {"status": "administrator", "rights": {}})
    await call.client(f"/chats/{group['id']}/upgrade", {})


async def test_every_answer_and_update_is_known_to_python_telegram_bot(call, box, customer):
    async with Bot(box.token, base_url=box.api_url, base_file_url=box.file_url) as bot:
        updates = []
        await every_event(call, customer)
        updates += await call.updates()
        answers = [answer async for answer in every_method(bot, customer, box.staff_chat_id)]
        updates += await call.updates()
        read = [Update.de_json(update, bot) for update in updates]
    assert len(answers) > 60
    assert leftovers(answers) == []
    assert leftovers(read) == []
    kinds = {kind for update in read for kind in update.to_dict() if kind != "update_id"}
    assert kinds == {"message", "edited_message", "callback_query", "my_chat_member"}


async def test_every_supported_method_was_tried(call, box, customer):
    assert {method.name for method in METHODS.values()} == set(FUNCTIONS)
    async with Bot(box.token, base_url=box.api_url, base_file_url=box.file_url) as bot:
        deque([answer async for answer in every_method(bot, customer, box.staff_chat_id)], maxlen=0)
    called = {record["method"] for record in await call.client("/calls")}
    assert set(FUNCTIONS) - called == {"logOut", "close", "answerCallbackQuery"}


@pytest.mark.skipif(not SHARED.exists(), reason="the specification lies outside the repository")
async def test_all_calls_and_results_fit_the_specification(call, box, customer, tmp_path):
    await every_event(call, customer)
    await call.updates()
    async with Bot(box.token, base_url=box.api_url, base_file_url=box.file_url) as bot:
        deque([answer async for answer in every_method(bot, customer, box.staff_chat_id)], maxlen=0)
    await call.updates()
    records = tmp_path / "calls.jsonl"
    records.write_text("\n".join(json.dumps(record) for record in await call.client("/calls")))
    command = [sys.executable, SHARED / "tools" / "check_botapi.py", records]
    checked = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.skipif(not SHARED.exists(), reason="the specification lies outside the repository")
def test_the_packaged_table_is_that_of_the_specification():
    spec = json.loads((SHARED / "data" / "botapi-10.0.json").read_text())

    def fields(of):
        return {field["name"] + "!" * field["required"] for field in of.get("fields", [])}

    assert {name: set(given) for name, given in _SPEC["methods"].items()} == {
        name: fields(spec["methods"][name]) for name in _SPEC["methods"]
    }
    assert {name: set(given) for name, given in _SPEC["types"].items()} == {
        name: fields(spec["types"][name]) for name in _SPEC["types"]
    }
    for name, members in _SPEC["unions"].items():
        assert sorted(members.values()) == sorted(spec["types"][name]["subtypes"])


def aiogram_bot():
    """An echo, keyboard and photo bot as one finds it in aiogram's own examples."""
    router = Dispatcher()

    @router.message(Command("start"))
    async def start(message):
        keys = InlineKeyboardMarkup(inline_keyboard=[[InlineKeyboardButton(text="Like", callback_data="like")]])
        await message.answer("<b>Hello</b>, " + message.from_user.first_name, parse_mode="HTML", reply_markup=keys)

    @router.message(Command("photo"))
    async def photo(message):
        await message.answer_photo(BufferedInputFile(sample_photo(), "chart.png"), caption="chart")

    @router.callback_query(F.data == "like")
    async def like(query):
        await query.answer("Thanks!")
        await query.message.edit_text("liked")

    @router.message(F.document)
    async def document(message, bot):
        file = await bot.get_file(message.document.file_id)
        content = await bot.download_file(file.file_path)
        await message.reply(content.read().decode())

    @router.message()
    async def echo(message):
        await message.send_copy(message.chat.id)

    return router


async def test_an_aiogram_bot_runs_unchanged(call, box):
    session = AiohttpSession(api=TelegramAPIServer.from_base(box.url))
    bot = AiogramBot(box.token, session=session)
    dispatcher = aiogram_bot()
    polling = asyncio.create_task(dispatcher.start_polling(bot, handle_signals=False))
    user = (await call.client("/users", {"first_name": "<Ada>"}))["id"]

    async def say(body):
        before = (await call.client(f"/chats/{user}/messages"))["seq"]
        await call.client(f"/users/{user}/messages", body)
        # The bot runs in this process but gives no sign of being busy: its answer is what can be waited for.
        for _ in range(300):
            seen = [m for m in await call.screen(user, before) if m["from_bot"]]
            if seen:
                return seen[-1]
            await asyncio.sleep(0.01)
        pytest.fail("no answer")

    with pytest.raises(TelegramBadRequest, match="can't parse entities"):
        await bot.send_message(box.staff_chat_id, "<Ada>", parse_mode="HTML")
    assert (await say({"text": "你好 💻"}))["text"] == "你好 💻"
    assert "photo" in await say({"text": "/photo"})
    assert (await say({"document": "notes.txt"}))["text"] == "notes.txt"
    assert (await say({"sticker": "👍"}))["sticker"]["emoji"] == "👍"
    await bot.set_my_commands([])
    assert await bot.get_my_commands() == []
    await dispatcher.stop_polling()
    await polling
    await session.close()


async def test_an_aiogram_keyboard_works(call, box, customer):
    session = AiohttpSession(api=TelegramAPIServer.from_base(box.url))
    bot = AiogramBot(box.token, session=session)
    dispatcher = aiogram_bot()
    polling = asyncio.create_task(dispatcher.start_polling(bot, handle_signals=False))
    await call.client(f"/users/{customer}/messages", {"text": "/start"})
    await call.client("/idle?quiet_ms=80&timeout_s=3")
    greeting = (await call.screen(customer))[-1]
    assert greeting["html"] == "<b>Hello</b>, Ada"
    pressed = await call.client(f"/users/{customer}/taps", {"message_id": greeting["message_id"], "text": "Like"})
    await call.client("/idle?quiet_ms=80&timeout_s=3")
    assert (await call.client(f"/callbacks/{pressed['callback_query_id']}"))["text"] == "Thanks!"
    assert (await call.screen(customer))[-1]["former"] == ["Hello, Ada"]
    await dispatcher.stop_polling()
    await polling
    await session.close()
