"""The whole line on the chat page, in a real browser: customer and staff, both languages, phone and desktop."""

import pytest
from playwright.async_api import expect

from bot.checklist.fields import BY_KEY
from bot.i18n import texts
from tests.sandbox import test_page as pages
from tests.sandbox.test_page import browser, open_page, say  # noqa: F401 - a fixture is used by its name

pytestmark = pages.pytestmark

CUSTOMERS = {"zh": (pages.ZH, "zh_Hans", "light"), "en": (pages.EN, "en", "dark")}
SAID = {
    "zh": ("1 张 4090", "3 小时", "已收到，马上看"),
    "en": ("1x RTX 4090", "3 hours", "Got it, looking now"),
}


async def picture(page, name):
    folder = pages.PICTURES.parent / "desk"
    folder.mkdir(parents=True, exist_ok=True)
    await page.screenshot(path=folder / f"{name}.png")


async def newest(page, text):
    """The newest bubble that holds a text."""
    found = page.locator("[data-testid^=msg-]", has_text=text).last
    await expect(found).to_be_visible()
    return found


class Customer:
    """A customer in front of the page, in a language; every step waits for what the bot shows."""

    def __init__(self, page, reader, name):
        self.page, self.reader, self.name = page, reader, name

    async def picture(self, step):
        await self.page.wait_for_timeout(400)  # bubbles fade in
        await picture(self.page, f"{self.name}-{step}")

    async def sees(self, message):
        return await newest(self.page, self.reader.text(message))

    async def sees_question(self, key):
        return await self.sees(BY_KEY[key].question)

    async def taps(self, bubble, label):
        await bubble.get_by_role("button", name=self.reader.text(label), exact=True).click()

    async def begins_by_the_menu(self):
        await self.page.get_by_test_id("menu").click()
        entry = self.page.get_by_test_id("command-start")
        await expect(entry).to_contain_text(self.reader.text("Begin, or go on with the checklist"))
        await self.picture("menu")
        await entry.click()

    async def fills(self, model):
        await self.taps(await self.sees_question("workload"), "Batch fine-tuning")
        await self.taps(await self.sees_question("description"), "Skip")
        await self.sees_question("model")
        await say(self.page, model)
        await self.sees_question("method")
        await self.picture("question")

    async def gets_an_estimate(self):
        await say(self.page, "/estimate")
        image = self.page.locator("[data-testid^=msg-] img").last
        await expect(image).to_be_visible()
        await expect(image).to_have_js_property("naturalWidth", 1280)
        await self.picture("estimate")

    async def is_reminded_of_a_trial(self, cards, hours):
        await say(self.page, f"/trial {cards}")
        price = await self.sees("What does one card cost per hour?")
        await price.get_by_role("button").first.click()
        await self.sees("How long will you run it?")
        await say(self.page, hours)
        await self.taps(await self.sees("✓ Register"), "✓ Register")
        await self.sees("Trial registered")
        await self.page.locator("#step").select_option("86400")
        await self.page.get_by_test_id("clock-forward").click()
        await self.sees("Time to destroy your trial instance")
        await self.picture("reminder")

    async def switches(self, wish, reader):
        await say(self.page, wish)
        self.reader = reader
        await self.sees_question("method")
        await self.picture("switched")


@pytest.mark.parametrize("size", pages.SIZES)
@pytest.mark.parametrize("who", CUSTOMERS)
async def test_a_customer_lives_the_product_on_the_page(browser, telegram, sandbox, size, who):  # noqa: F811
    user, locale, scheme = CUSTOMERS[who]
    page = await open_page(browser, sandbox, size, scheme)
    await page.get_by_test_id(f"chat-{user}").click()
    customer, (cards, hours, reply) = Customer(page, texts(locale), f"{who}-{size}"), SAID[who]
    await customer.begins_by_the_menu()
    await customer.fills("Qwen2.5-7B")
    await customer.gets_an_estimate()
    await customer.is_reminded_of_a_trial(cards, hours)
    if who == "zh":
        await customer.switches("English please", texts("en"))
    else:
        await customer.switches("切换到中文", texts("zh_Hans"))

    await say(page, "/human")
    await customer.sees("Back to the checklist")
    staff = await open_page(browser, sandbox, "desktop", scheme)
    topic = (await telegram.topics())[-1]
    await staff.get_by_role("button", name=topic["name"]).last.click()
    await expect(staff.locator("#messages")).to_contain_text("Qwen2.5-7B")
    await say(staff, reply)
    await newest(page, reply)
    await picture(staff, f"{who}-{size}-staff")
    assert page.faults == staff.faults == []
