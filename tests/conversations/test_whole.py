"""Twelve whole conversations, six in each language, from terse to contrary; the stored checklist is compared in full."""

import random

import pytest

from bot.checklist.fields import FIELDS
from bot.i18n import texts
from bot.storage import requests
from tests.conftest import started
from tests.driver import said

SWITCH = {"en": "English please", "zh_Hans": "切换到中文"}
OTHER = {"en": "zh_Hans", "zh_Hans": "en"}
UNDECIDED = {"en": "TBD", "zh_Hans": "待定"}
FORM = {
    "zh_Hans": (
        "【用途】\n用途：批量微调\n说明：客服助手\n【模型与并行】\n模型：Qwen2.5-7B\n训练方式：QLoRA",
        "【卡型与数量】\n卡型：4090\n总卡数：2\n单机卡数：2\n【互联】\nNVLink：不需要\n【存储】\n数据集：20G\n存储卷：100-200G",
        "【周期与负载】\n开始日期：2027-01-05\n时长：两周\n负载：恒定负载\n【地域】待定\n【联系人】\n称呼：王工",
    ),
    "en": (
        "[Purpose]\nPurpose: fine-tuning\nDescription: support assistant\n[Model and parallelism]\nModel: Qwen2.5-7B\nTraining method: QLoRA",
        "[Cards and count]\nCard: RTX 4090\nTotal cards: 2\nCards per machine: 2\n[Interconnect]\nNVLink: no\n[Storage]\nData set: 20 GB\nVolume: 100-200 GB",
        "[Period and load]\nStart: 2027-01-05\nDuration: 2 weeks\nLoad: constant\n[Region] TBD\n[Contact]\nName: Lee",
    ),
}
FORMED = {
    "workload": "fine_tuning", "model": "Qwen2.5-7B", "method": "qlora", "gpu": "model=RTX4090", "gpu_count": "count=2",
    "gpus_per_node": "count=2", "nvlink": "no", "dataset_size": "GB=20", "volume_size": "lo=GB100;hi=GB200",
    "start_date": "2027-01-05", "duration": "P2W", "load": "constant", "region": "TBD",
}  # fmt: skip
ONE_MACHINE = {"network", "bandwidth", "shared_storage", "overflow", "batches", "region_reason"}
EVERYTHING = {
    "zh_Hans": "8 张 H100 全参微调 Qwen2.5-72B，数据集 2T，序列 4k，一台机器，要 NVLink，2027-01-05 开始跑两个月，满负荷",
    "en": "We need 8 H100 for full fine-tuning of Qwen2.5-72B, dataset 2 TB, context 4k, one machine, NVLink, start 2027-01-05 for two months, full load",
}
ALL_AT_ONCE = {
    "workload": "fine_tuning", "method": "full", "model": "Qwen2.5-72B", "gpu": "model=H100", "gpu_count": "count=8",
    "gpus_per_node": "count=8", "dataset_size": "GB=2000", "sequence_length": "4096", "nvlink": "yes",
    "start_date": "2027-01-05", "duration": "P2M", "load": "constant",
}  # fmt: skip


class Talk:
    """One customer who answers what is asked, switches the language once, and sends the checklist."""

    def __init__(self, telegram, person, locale: str, seed: int) -> None:
        self.telegram, self.person, self.locale = telegram, person, locale
        self.switch_after = random.Random(seed).randint(1, 6)
        self.messages: list[dict] = []

    async def says(self, text: str) -> str:
        self.messages = await self.person.says(text)
        return said(self.messages)

    def asked(self) -> str | None:
        for message in reversed(self.messages):
            for field in FIELDS:
                if texts(self.locale).text(field.question) in (message.get("text") or ""):
                    return field.key
        return None

    async def fill(self, answers: dict[str, str], *, most: int = 60) -> None:
        """Answer until the summary; what has no answer is left to be decided."""
        for step in range(most):
            if self._confirmable():
                return
            key = self.asked()
            assert key, said(self.messages)
            if step == self.switch_after:
                self.locale = OTHER[self.locale]
                await self.says(SWITCH[self.locale])
                assert self.asked() == key, "the same question comes back in the other language"
            await self.says(answers.get(key, UNDECIDED[self.locale]))
        raise AssertionError("the checklist does not come to its end")

    def _confirmable(self) -> bool:
        return any(b.get("data", "").endswith("confirm") for m in self.messages for r in m["keyboard"] or [] for b in r)

    async def confirmed(self) -> dict[str, str | None]:
        await self.person.taps(texts(self.locale).text("✓ Confirm and send"))
        return await self.stored(state="confirmed")

    async def stored(self, state: str = "draft") -> dict[str, str | None]:
        async with self.telegram.desk.engine.connect() as tx:
            found = await requests.newest(tx, self.person.id)
        assert str(found.state) == state
        return {key: answer.normal for key, answer in found.answers.items()}


@pytest.fixture(params=["en", "zh_Hans"])
async def talk(request, telegram):
    locale = request.param
    person = await telegram.person({"en": "en", "zh_Hans": "zh-hans"}[locale])
    talk = Talk(telegram, person, locale, seed=len(request.node.name))
    await talk.says("/start")
    return talk


def undecided_but(known: dict[str, str], absent: set[str]) -> dict[str, str]:
    """Every field that applies, to be decided unless it is known."""
    return {field.key: known.get(field.key, "TBD") for field in FIELDS if field.key not in absent}


async def test_everything_in_one_message(talk):
    """Chatty: one message, then only what is left."""
    await talk.says(EVERYTHING[talk.locale])
    await talk.fill({"name": "Lee", "contact_time": "any weekday"})
    assert await talk.confirmed() == undecided_but(
        {**ALL_AT_ONCE, "name": "Lee", "contact_time": "any weekday"}, ONE_MACHINE
    )


async def test_the_form_in_three_messages(talk):
    """Written elsewhere: three parts that arrive together get one reply, and nothing of them is lost."""
    before = len(await talk.person.screen())
    for part in FORM[talk.locale]:
        await talk.telegram.call(f"/users/{talk.person.id}/messages", {"text": part})
    await talk.telegram.idle()
    talk.messages = await talk.person.new()
    replies = [m for m in await talk.person.screen() if m["keyboard"]]
    assert len(replies) == 1, "one live question, however many parts"
    assert len(await talk.person.screen()) <= before + 2, "one question, and at most the word who handles the job"
    named = (await talk.stored())["name"]
    await talk.fill({})
    stored = await talk.confirmed()
    expected = undecided_but({**FORMED, "name": named, "description": stored["description"]}, ONE_MACHINE)
    assert stored == expected
    assert stored["description"] in ("客服助手", "support assistant")


async def test_nothing_but_buttons(talk):
    """Terse: every question by a tap, the first option where there are options."""
    for _ in range(60):
        if talk._confirmable():
            break
        key = talk.asked()
        live = next(m for m in reversed(await talk.person.screen()) if m["keyboard"])
        data = [b["data"] for row in live["keyboard"] for b in row]
        wanted = next((d for d in data if d.endswith(":pick")), next(d for d in data if d.endswith(":tbd")))
        await talk.person.taps_data(live["message_id"], wanted)
        talk.messages = await talk.person.new()
        assert talk.asked() != key
    stored = await talk.confirmed()
    tapped = {
        "workload": "training", "method": "qlora", "network": "infiniband", "shared_storage": "yes",
        "data_plan": "instance_disk", "template": "pytorch", "load": "constant",
    }  # fmt: skip
    absent = {"gpus_per_node", "nvlink", "overflow", "batches", "region_reason"}
    assert stored == undecided_but(tapped, absent)


async def test_corrections_of_every_kind(talk):
    """Contrary: by number, by name, by value, by an edit, by the way back, and by the menu of the summary."""
    english = talk.locale == "en"
    await talk.says(EVERYTHING[talk.locale])
    await talk.says("change cards to 16" if english else "把卡数改成 16")
    assert (await talk.stored())["gpu_count"] == "count=16"
    await talk.says("change item 3 to 70B" if english else "第 3 项改成 70B")
    assert (await talk.stored())["model"] == "total=70e9"
    await talk.says("sorry, make it 24 H200" if english else "不对，改成 24 张 H200")
    stored = await talk.stored()
    assert (stored["gpu_count"], stored["gpu"]) == ("count=24", "model=H200")
    await talk.says("an assistant" if english else "一个助手")
    latest = (await talk.telegram.call(f"/chats/{talk.person.id}/messages?after=0"))["messages"]
    own = max(m["message_id"] for m in latest if not m["from_bot"])
    changed = {"message_id": own, "text": "another one" if english else "另一个"}
    await talk.telegram.call(f"/users/{talk.person.id}/edits", changed)
    await talk.telegram.idle()
    assert (await talk.stored())["description"] == ("another one" if english else "另一个")
    talk.messages = await talk.person.screen()
    await talk.says("back" if english else "上一步")
    await talk.fill({"name": "Lee"})
    await talk.person.taps(texts(talk.locale).text("Change an answer"))
    await talk.person.taps(texts(talk.locale).text("Storage"))
    talk.messages = await talk.person.taps(texts(talk.locale).text("Data set"))
    assert talk.asked() == "dataset_size"
    await talk.says("3 TB")
    stored = await talk.confirmed()
    assert stored["dataset_size"] == "GB=3000"
    assert stored["gpu_count"] == "count=24"


async def test_three_side_questions(talk):
    """Curious: each question is answered, and the open one comes again."""
    english = talk.locale == "en"
    await talk.says("inference" if english else "推理")
    for asked, word in (
        ("what is NVLink for?", "tensor parallelism") if english else ("NVLink 有什么用？", "张量并行"),
        ("does stopping stop the billing?", "destroying") if english else ("停机还收费吗", "销毁"),
        ("how do I save my data?", "checksum") if english else ("怎么保存数据？", "校验"),
    ):
        answered = await talk.says(asked)
        assert word in answered
        assert talk.asked() == "description", "a question is no answer"
    unknown = await talk.says("who founded the company?" if english else "你们老板是谁？")
    assert ("Ask a person" if english else "转人工") in unknown
    assert "description" not in await talk.stored()
    await talk.fill({})
    absent = {"method", "checkpoint", "gpus_per_node", "nvlink", "overflow", "batches", "region_reason"}
    assert await talk.confirmed() == undecided_but({"workload": "inference"}, absent)


@pytest.mark.parametrize("locale", ["en", "zh_Hans"])
async def test_all_undecided_and_resumed_after_a_restart_and_three_days(
    sandbox, settings_for, sqlite_url, clock, locale
):
    """Absent-minded: a few answers, a restart, three days, then the rest, all to be decided."""
    async with started(sandbox, settings_for(sqlite_url), clock) as telegram:
        person = await telegram.person({"en": "en", "zh_Hans": "zh-hans"}[locale])
        talk = Talk(telegram, person, locale, seed=3)
        await talk.says("/start")
        for _ in range(4):
            await talk.says(UNDECIDED[locale])
        key = talk.asked()
    async with started(sandbox, settings_for(sqlite_url), clock) as telegram:
        person.telegram = telegram
        talk.telegram = telegram
        await telegram.advance(3 * 86400)
        await talk.says("/start")
        assert talk.asked() == key
        await talk.fill({})
        absent = {"gpus_per_node", "nvlink", "overflow", "batches", "region_reason"}
        assert await talk.confirmed() == undecided_but({}, absent)
