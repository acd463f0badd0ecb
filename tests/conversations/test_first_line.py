"""The whole line through the product: checklist, language switch, estimate, staff, trial, reminder."""

from bot.checklist.fields import BY_KEY, FIELDS
from bot.i18n import texts
from tests.conftest import started
from tests.driver import said

ZH, EN = texts("zh_Hans"), texts("en")

ANSWERS = {
    "workload": "大规模训练",
    "description": "行业大模型继续预训练",
    "model": "Llama 3.1 70B",
    "method": "全参微调",
    "sequence_length": "8k",
    "min_vram": "80GB",
    "parallelism": "tensor and data",
    "gpu": "H100 SXM",
    "gpu_alternatives": "H800 或 A100 80G",
    "gpu_count": "64",
    "gpus_per_node": "8",
    "nvlink": "yes",
    "network": "InfiniBand",
    "bandwidth": "400Gb/s",
    "dataset_size": "2 TB",
    "read_throughput": "5GB/s",
    "checkpoint": "every hour, 1.1T each",
    "volume_size": "20T",
    "shared_storage": "yes",
    "data_plan": "object storage",
    "template": "private image",
    "cuda": "CUDA 12.6, driver 560",
    "start_date": "2027-01-05",
    "duration": "3 months",
    "load": "constant",
    "utilization": "90%",
    "batches": "yes, in two halves",
    "region": "Singapore",
    "region_reason": "compliance",
    "name": "Platform team",
    "team": "TBD",
    "contact_time": "afternoons",
}


def asked(messages, reader) -> str:
    text = said(messages[-1:])
    hits = [field.key for field in FIELDS if reader.text(field.question) in text]
    assert len(hits) == 1, f"one question a message, not {hits}: {text}"
    return hits[0]


async def fill(person, messages, reader, answers=ANSWERS, until=None):
    """Answer whatever is asked, until the summary or the field `until`."""
    order = []
    while True:
        if any(b.get("data", "").endswith("confirm") for m in messages for row in m["keyboard"] or [] for b in row):
            return order, messages
        key = asked(messages, reader)
        if key == until:
            return order, messages
        assert key not in order, f"{key} is asked twice"
        order.append(key)
        messages = await person.says(answers[key])


async def test_the_whole_line(telegram_on):
    telegram = telegram_on
    person = await telegram.person("zh-hans", "客户甲")
    greeting = await person.says("/start")
    assert "欢迎" in said(greeting)
    first, _ = await fill(person, greeting, ZH, until=FIELDS[4].key)
    assert first == [field.key for field in FIELDS[:4]]

    switched = await person.says("English please")
    assert asked(switched, EN) == FIELDS[4].key
    order, summary = await fill(person, switched, EN)
    assert first + order == [field.key for field in FIELDS if field.key != "overflow"], (
        "a steady cluster is asked everything else, in order"
    )

    text = said(summary)
    assert "Your checklist" in text
    assert not any(EN.text(field.question) in said(summary[-1:]) for field in FIELDS)
    assert "64" in text
    assert "3 months" in text

    confirmed = await person.taps("✓ Confirm and send")
    assert "Your request is in" in said(confirmed)
    assert "Memory per card" in said(confirmed)
    photo = [m for m in confirmed if m.get("photo")]
    assert len(photo) == 1

    topics = await telegram.topics()
    assert len(topics) == 1
    assert "客户甲" in topics[0]["name"]
    thread = topics[0]["message_thread_id"]
    posted = await telegram.call(f"/chats/{telegram.staff_chat_id}/messages?after=0&thread={thread}")
    card = said(posted["messages"])
    assert "New request R-00001" in card
    assert "H100" in card
    assert "several machines work together" in card

    await person.says("When can you deliver?")
    posted = await telegram.call(f"/chats/{telegram.staff_chat_id}/messages?after=0&thread={thread}")
    assert "When can you deliver?" in said(posted["messages"])

    members = await staff_member(telegram)
    await telegram.call(
        f"/users/{members}/messages",
        {"text": "In two weeks, in two batches.", "chat_id": telegram.staff_chat_id, "message_thread_id": thread},
    )
    await telegram.idle()
    assert "In two weeks, in two batches." in said(await person.new())


async def staff_member(telegram) -> int:
    """A person who belongs to the staff group of the sandbox."""
    user = await telegram.call("/users", {"first_name": "Support"})
    return user["id"]


async def test_a_trial_is_reminded_of_until_it_is_destroyed(telegram_on):
    telegram = telegram_on
    person = await telegram.person("zh-hans", "客户乙")
    await person.says("/start")
    await person.says("/trial")
    await person.says("2 张 4090")
    await person.says("每卡 3.5 元")
    check = await person.says("3 小时")
    assert "CN" not in said(check), "Chinese shows its own currency sign"
    assert "21" in said(check)
    registered = await person.taps("✓ 登记")
    assert "试用已登记" in said(registered)
    assert asked(registered, ZH) == "workload", "the checklist's question comes back"

    await telegram.advance(3 * 3600 - 60)
    before = said(await person.new())
    assert "该销毁试用实例了" not in before
    assert "计划于" in before
    await telegram.advance(90)
    reminder = said(await person.new())
    assert "该销毁试用实例了" in reminder
    assert "¥21.0" in reminder
    for earlier, later in (("转移", "核对"), ("核对", "销毁实例")):
        assert reminder.index(earlier) < reminder.index(later)

    snoozed = await person.taps("1 小时后")
    assert "再提醒您" in said(snoozed)
    await telegram.advance(1800)
    assert await person.new() == []
    await telegram.advance(1830)
    assert "该销毁试用实例了：还在运行，每小时 ¥7.00" in said(await person.new())

    await telegram.advance(1830)
    assert "该销毁试用实例了" in said(await person.new()), "unanswered, it comes again"
    assert "还没告诉我：数据已转移、文件已核对" in said(await person.taps("我已销毁"))
    closed = await person.taps("是的，已销毁")
    assert "已销毁" in said(closed)
    await person.taps("没有测")
    await telegram.advance(30 * 86400)
    assert "试用实例" not in said(await person.new()), "a destroyed trial is never reminded of"


async def test_destroyed_in_words_ends_the_reminders(telegram):
    person = await telegram.person("en")
    await person.says("/start")
    await person.says("/trial 1x RTX 4090")
    await person.says("0.35 USD")
    await person.says("90 minutes")
    await person.taps("✓ Register")
    assert "Are you sure?" in said(await person.says("destroyed"))
    assert "all billing for it has ended" in said(await person.says("yes"))
    await telegram.advance(86400)
    assert await person.new() == []


async def test_answers_are_kept_over_a_language_switch_and_a_cancel(telegram):
    person = await telegram.person("en")
    await person.says("/start")
    await person.says("inference")
    await person.says("/cancel")
    await telegram.advance(3 * 86400)
    back = await person.says("/start")
    assert "Your draft is kept" in said(back)
    assert asked(back, EN) == "description"
    assert BY_KEY["description"].skippable


async def test_without_a_staff_group_the_request_is_stored_and_the_customer_told(
    sandbox, settings_for, sqlite_url, clock
):
    async with started(sandbox, settings_for(sqlite_url, staff_chat_id=None), clock) as telegram:
        person = await telegram.person("en")
        _, _ = await fill(
            person, await person.says("/start"), EN, dict.fromkeys(ANSWERS, "TBD") | {"workload": "inference"}
        )
        assert "It is stored" in said(await person.taps("✓ Confirm and send"))
        assert await telegram.topics() == []
        assert await person.says("one more thing") == []
        assert "stored" in said(await person.says("/human"))


async def test_the_command_menu_follows_the_chosen_language(telegram):
    person = await telegram.person("zh-hans")
    menu = f"/menu?user_id={person.id}&chat_id={person.id}"
    await person.says("/start")
    before = await telegram.call(menu)
    await person.says("English please")
    after = await telegram.call(menu)
    assert [c["command"] for c in before] == [c["command"] for c in after]
    assert [c["description"] for c in before if c["command"] == "human"] == ["找人工"]
    assert [c["description"] for c in after if c["command"] == "human"] == ["Talk to a person"]


async def test_what_found_no_field_stands_on_the_staffs_card(telegram):
    person = await telegram.person("en")
    await person.says("/start")
    await person.says("We want to fine-tune a 7B on 2 RTX 4090. Our purchasing needs two signatures.")
    await person.says("/human")
    thread = (await telegram.topics())[0]["message_thread_id"]
    posted = await telegram.call(f"/chats/{telegram.staff_chat_id}/messages?after=0&thread={thread}")
    card = said(posted["messages"])
    assert "Said beside it" in card
    assert "two signatures" in card
