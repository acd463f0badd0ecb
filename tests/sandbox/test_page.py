"""The chat page in a real browser, in both languages, on a phone and on a desktop; a small bot answers."""

import asyncio
import shutil
from pathlib import Path

import httpx
import pytest
from opencc import OpenCC
from playwright.async_api import async_playwright, expect

from bot.sandbox import Sandbox
from bot.sandbox.files import sample_photo

CHROMIUM = shutil.which("chromium")
pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")]

PICTURES = Path(__file__).resolve().parents[2] / "artifacts" / "sandbox"
SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SIZES = {"phone": (390, 844), "desktop": (1280, 800)}
ZH, EN, STAFF = 5100000002, 5100000003, 5100000001
WORDS = {
    "zh": {
        "hello": "你好，请选择", "yes": "是", "thanks": "谢谢", "noted": "已记下", "reminder": "提醒：实例还在运行",
        "menu": "开始", "page": "聊天", "write": "输入消息", "ask": "我们要 8×H100", "typing": "正在输入",
    },
    "en": {
        "hello": "Hello, please choose", "yes": "Yes", "thanks": "Thanks", "noted": "Noted", "reminder": "Reminder: the instance still runs",
        "menu": "Begin", "page": "Chats", "write": "Message", "ask": "We need 8×H100", "typing": "is typing",
    },
}  # fmt: skip


class SmallBot:
    """Answers by polling: a keyboard to /start, a photo to anything else, a topic for the staff, a reminder later."""

    def __init__(self, box):
        self.box = box
        self.topics = {}

    async def call(self, method, files=None, **params):
        path = f"/bot{self.box.token}/{method}"
        response = await (
            self.http.post(path, data=params, files=files) if files else self.http.post(path, json=params)
        )
        answer = response.json()
        assert answer["ok"], answer
        return answer["result"]

    async def run(self):
        offset = 0
        async with httpx.AsyncClient(base_url=self.box.url, timeout=60) as self.http:
            for language, text in (("", WORDS["en"]["menu"]), ("zh", WORDS["zh"]["menu"])):
                commands = [{"command": "start", "description": text}]
                await self.call("setMyCommands", commands=commands, language_code=language)
            while True:
                for update in await self.call("getUpdates", offset=offset, timeout=30):
                    offset = update["update_id"] + 1
                    await self.take(update)

    async def take(self, update):
        source = update.get("message") or update.get("callback_query") or {}
        words = WORDS["zh" if source.get("from", {}).get("language_code", "").startswith("zh") else "en"]
        if "callback_query" in update:
            await asyncio.sleep(0.15)
            await self.call("answerCallbackQuery", callback_query_id=source["id"], text=words["noted"])
            place = {"chat_id": source["message"]["chat"]["id"], "message_id": source["message"]["message_id"]}
            await self.call("editMessageText", text=f"<b>{words['thanks']}</b>", parse_mode="HTML", **place)
        elif source.get("is_topic_message") and not source["from"]["is_bot"]:
            customer = next(user for user, thread in self.topics.items() if thread == source["message_thread_id"])
            await self.call(
                "copyMessage", chat_id=customer, from_chat_id=source["chat"]["id"], message_id=source["message_id"]
            )
        elif source.get("text") == "/start":
            keys = {
                "inline_keyboard": [
                    [
                        {"text": words["yes"], "callback_data": "yes"},
                        {"text": "example.com", "url": "https://example.com"},
                    ]
                ]
            }
            await self.call("sendMessage", chat_id=source["chat"]["id"], text=words["hello"], reply_markup=keys)
        elif source.get("chat", {}).get("type") == "private":
            await self.serve(source["chat"]["id"], source)

    async def serve(self, user, message):
        await self.call("sendChatAction", chat_id=user, action="typing")
        await asyncio.sleep(0.3)
        await self.call("sendPhoto", {"photo": ("chart.png", sample_photo())}, chat_id=user, caption="8×H100")
        topic = await self.call("createForumTopic", chat_id=self.box.staff_chat_id, name=message["from"]["first_name"])
        self.topics[user] = topic["message_thread_id"]
        place = {"chat_id": self.box.staff_chat_id, "message_thread_id": topic["message_thread_id"]}
        await self.call("copyMessage", from_chat_id=user, message_id=message["message_id"], **place)

    def remind(self):
        for user in self.topics:
            words = WORDS["zh" if user == ZH else "en"]
            asyncio.get_running_loop().create_task(self.call("sendMessage", chat_id=user, text=words["reminder"]))


@pytest.fixture
async def box():
    sandbox = Sandbox(port=0)
    await sandbox.start()
    bot = SmallBot(sandbox)
    running = asyncio.create_task(bot.run())
    sandbox.on_clock = bot.remind
    yield sandbox
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await sandbox.stop()


@pytest.fixture
async def browser():
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        yield browser
        await browser.close()


async def open_page(browser, box, size="desktop", scheme="light", language="en-US"):
    width, height = SIZES[size]
    context = await browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, locale=language, has_touch=size == "phone"
    )
    page = await context.new_page()
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.on("console", lambda message: page.faults.append(message.text) if message.type == "error" else None)
    await page.goto(box.url)
    await page.wait_for_selector("html[data-ready]")
    return page


async def picture(page, name):
    PICTURES.mkdir(parents=True, exist_ok=True)
    await page.screenshot(path=PICTURES / f"{name}.png")


async def say(page, text):
    await page.get_by_test_id("input").fill(text)
    await page.get_by_test_id("send").click()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("who", [("zh", ZH, "light"), ("en", EN, "dark")], ids=["zh", "en"])
async def test_a_whole_conversation(browser, box, size, who):
    language, user, scheme = who
    words = WORDS[language]
    page = await open_page(browser, box, size, scheme)
    await page.get_by_test_id(f"chat-{user}").click()
    await expect(page.get_by_test_id("input")).to_have_attribute("placeholder", words["write"])

    await page.get_by_test_id("menu").click()
    await expect(page.get_by_test_id("command-start")).to_contain_text(words["menu"])
    await picture(page, f"{language}-{size}-menu")
    await page.get_by_test_id("command-start").click()
    greeting = page.get_by_test_id("msg-2")
    await expect(greeting).to_contain_text(words["hello"])

    button = greeting.get_by_test_id("btn-0-0")
    await expect(button).to_have_text(words["yes"])
    await button.click()
    await expect(button).to_have_attribute("aria-busy", "true")
    await expect(page.get_by_test_id("toast")).to_have_text(words["noted"])
    await picture(page, f"{language}-{size}-toast")
    await expect(greeting.locator("strong")).to_have_text(words["thanks"])
    await greeting.locator("summary").click()
    await expect(greeting.locator(".former")).to_contain_text(words["hello"])

    await say(page, words["ask"])
    await expect(page.locator("#head-note")).to_contain_text(words["typing"])
    image = page.get_by_test_id("msg-4").locator("img")
    await expect(image).to_be_visible()
    await expect(image).to_have_js_property("naturalWidth", 640)

    await page.get_by_test_id("clock-forward").click()
    await expect(page.get_by_test_id("msg-5")).to_contain_text(words["reminder"])
    await page.wait_for_timeout(300)
    await picture(page, f"{language}-{size}-conversation")
    assert page.faults == []


async def test_staff_answer_in_a_topic_beside_their_customer(browser, box):
    customer, staff = await open_page(browser, box), await open_page(browser, box, scheme="dark")
    await customer.get_by_test_id(f"chat-{EN}").click()
    await say(customer, "We need 8×H100")
    topic = staff.get_by_role("button", name="Customer").nth(1)
    await topic.click()
    await expect(staff.locator("#messages")).to_contain_text("We need 8×H100")
    await say(staff, "A colleague is <here> & looks")
    await expect(customer.locator("#messages")).to_contain_text("A colleague is <here> & looks")
    await picture(staff, "staff-topic")
    assert customer.faults == staff.faults == []


async def test_the_language_of_a_person_is_also_that_of_the_page(browser, box):
    page = await open_page(browser, box)
    await page.get_by_test_id(f"chat-{EN}").click()
    await expect(page.locator("#list-title")).to_have_text("Chats")
    await page.get_by_test_id("language").select_option("zh-hans")
    await expect(page.locator("#list-title")).to_have_text("聊天")
    await say(page, "/start")
    await expect(page.get_by_test_id("msg-2")).to_contain_text(WORDS["zh"]["hello"])
    await page.get_by_test_id("language").select_option("")
    await say(page, "/start")
    await expect(page.get_by_test_id("msg-4")).to_contain_text(WORDS["en"]["hello"])


@pytest.mark.parametrize("language", ["zh-hans", "zh-hant"])
async def test_the_pages_chinese_holds_no_english(browser, box, language):
    page = await open_page(browser, box)
    await page.get_by_test_id(f"chat-{ZH}").click()
    await page.get_by_test_id("language").select_option(language)
    await page.get_by_test_id("attach").click()
    chrome = await page.evaluate(
        """() => [document.title, ...[...document.querySelectorAll("#brand, #list-title, #step option, #language option, #attachments, #send,"
           + " #menu, #attach, #block, #tongue, #theme, #new-person, #input, #forward, #clock, #person-form")]
           .flatMap((e) => [e.textContent, e.title, e.getAttribute("aria-label"), e.placeholder])].filter(Boolean)"""
    )
    assert len(chrome) > 20
    assert [text for text in chrome if any("a" <= letter.lower() <= "z" for letter in text)] == []
    other = OpenCC("t2s" if language == "zh-hans" else "s2tw")
    assert [text for text in chrome if other.convert(text) != text] == [], "one script only"


async def test_the_page_turns_to_traditional_chinese_and_back(browser, box):
    page = await open_page(browser, box)
    await page.get_by_test_id(f"chat-{EN}").click()
    await page.get_by_test_id("language").select_option("zh-hant")
    await expect(page.locator("#list-title")).to_have_text("聊天")
    await expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")
    await expect(page.locator("#input")).to_have_attribute("placeholder", "輸入訊息")
    await page.locator("#tongue").click()
    await expect(page.locator("html")).to_have_attribute("lang", "en")
    await page.locator("#tongue").click()
    await expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")


async def test_text_from_a_chat_is_never_markup(browser, box):
    page = await open_page(browser, box)
    await page.get_by_test_id(f"chat-{EN}").click()
    await say(page, '<img src=x onerror="document.title=1"><b>x</b>')
    await expect(page.get_by_test_id("msg-1")).to_contain_text('<img src=x onerror="document.title=1"><b>x</b>')
    assert await page.get_by_test_id("msg-1").locator("img, b").count() == 0


async def test_the_keyboard_alone_is_enough(browser, box):
    page = await open_page(browser, box)
    await page.get_by_test_id(f"chat-{EN}").focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_test_id("input")).to_be_focused()
    await page.keyboard.type("/st")
    await expect(page.get_by_test_id("command-start")).to_be_visible()
    await page.keyboard.press("Enter")
    await expect(page.get_by_test_id("msg-2")).to_be_visible()
    await page.get_by_test_id("btn-0-0").focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_test_id("msg-2")).to_contain_text("Thanks")
    await page.get_by_test_id("input").focus()
    await page.keyboard.type("8 cards")
    await page.keyboard.press("Enter")
    await expect(page.get_by_test_id("msg-3")).to_contain_text("8 cards")
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("Control+A")
    await page.keyboard.type("16 cards")
    await page.keyboard.press("Enter")
    await expect(page.get_by_test_id("msg-3")).to_contain_text("16 cards")
    assert page.faults == []


async def test_blocking_a_new_person_and_the_clock_steps(browser, box):
    page = await open_page(browser, box)
    await page.locator("#new-person").click()
    await page.locator("#person-name").fill("<new>")
    await page.locator("#person-language").select_option("en")
    await page.locator("#person-ok").click()
    await expect(page.locator("#head-name")).to_have_text("<new>")
    await page.get_by_test_id("block").click()
    await expect(page.get_by_test_id("input")).to_be_hidden()
    await page.locator("#unblock").click()
    await expect(page.get_by_test_id("input")).to_be_visible()
    before = box.world.now()
    for seconds in ("600", "3600", "86400"):
        await page.locator("#step").select_option(seconds)
        async with page.expect_response("**/client/clock"):
            await page.get_by_test_id("clock-forward").click()
    assert 90_600 <= box.world.now() - before < 90_630


async def test_reply_keyboards_and_alerts(browser, box):
    page = await open_page(browser, box)
    await page.get_by_test_id(f"chat-{EN}").click()
    await say(page, "/start")
    await expect(page.get_by_test_id("msg-2")).to_be_visible()
    async with httpx.AsyncClient(base_url=f"{box.api_url}{box.token}") as http:
        keyboard = {"keyboard": [[{"text": "8×H100"}]], "one_time_keyboard": True}
        await http.post("/sendMessage", json={"chat_id": EN, "text": "Which?", "reply_markup": keyboard})
        await page.locator("#keys button").click()
        await expect(page.get_by_test_id("msg-4")).to_contain_text("8×H100")
        await expect(page.locator("#keys")).to_be_hidden()
        pressed = await http.post(
            f"{box.url}/client/users/{EN}/taps", json={"message_id": 2, "row": 0, "col": 0, "chat_id": EN}
        )
        query = pressed.json()["result"]["callback_query_id"]
        await http.post("/answerCallbackQuery", json={"callback_query_id": query, "text": "Look!", "show_alert": True})
    await expect(page.get_by_test_id("alert")).to_contain_text("Look!")


@pytest.mark.parametrize("size", SIZES)
async def test_nothing_is_wider_than_the_window(browser, box, size):
    page = await open_page(browser, box, size)
    async with httpx.AsyncClient(base_url=f"{box.api_url}{box.token}") as http:
        await http.post(f"{box.url}/client/users/{EN}/messages", json={"text": "/x"})
        text = "x" * 400 + "\n<pre>" + "y" * 300 + "</pre>"
        keys = {"inline_keyboard": [[{"text": f"button {i} " * 3, "callback_data": str(i)} for i in range(8)]]}
        sent = await http.post(
            "/sendMessage", json={"chat_id": EN, "text": text, "parse_mode": "HTML", "reply_markup": keys}
        )
        assert sent.status_code == 200
    await page.get_by_test_id(f"chat-{EN}").click()
    await expect(page.get_by_test_id("msg-2")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert await page.evaluate(
        "document.querySelector('#scroll').scrollWidth <= document.querySelector('#scroll').clientWidth"
    )
    await picture(page, f"wide-{size}")
