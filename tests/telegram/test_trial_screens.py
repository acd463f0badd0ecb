"""What a trial's screens say: its state and cost, its figures wherever the checklist is shown, and rhythms in words."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from bot.checklist.answer import Answer, Answers, Status
from bot.checklist.measured import with_measurement
from bot.dialog import screen
from bot.dialog.state import Case, DialogState, TrialDraft
from bot.estimation import Prices
from bot.i18n import texts
from bot.quantities.measurements import Measurement
from bot.reminders.trial import Trial, TrialState
from bot.settings import Settings
from bot.storage.people import Person
from bot.telegram.cards import request_card
from bot.telegram.markup import visible
from bot.telegram.screens.render import render
from bot.telegram.screens.rhythms import rhythm
from bot.telegram.screens.told_staff import for_staff
from bot.telegram.screens.view import Reader, Tap, in_rows

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 30, 2, 0, tzinfo=UTC)
TRIAL = Trial(3, "rtx4090", 2, Decimal("0.35"), "USD", NOW - timedelta(hours=2), NOW, None, 100, Decimal("0.1"))
PERSON = Person(7, "C", None, None, "en", None, None, None)
CODES = {"workload": "training", "model": "qwen2.5-7b", "method": "lora"}
PLAIN = Answers({key: Answer(normal=code, raw="x", status=Status.EXACT) for key, code in CODES.items()})
MEASURED = with_measurement(PLAIN, Measurement(device_gib=21.4, tokens_per_s=3200, checkpoint_s=12), "x", "rtx4090", 2)


def reading(locale: str) -> Reader:
    return Reader(texts(locale), ZONE, NOW, Settings())


def seen(shown, locale: str) -> str:
    return visible(render(shown, reading(locale)).text)


def card(answers: Answers, locale: str) -> str:
    parts = request_card(PERSON, 1, Case(DialogState(), answers), reading(locale), wanted=False)
    return visible("\n".join(parts))


@pytest.mark.parametrize(
    ("locale", "figures", "follows"),
    [
        (
            "en",
            ("Measured in the trial · 2 × GeForce RTX 4090", "Peak memory (device): 21.4 GiB", "3,200 tokens", "12 s"),
            "Follows your trial: measured peak, measured speed, measured time to write a checkpoint",
        ),
        (
            "zh_Hans",
            ("试用实测 · 2 × GeForce RTX 4090", "峰值显存（设备）：21.4 GiB", "3,200", "12 秒"),
            "已按试用数据修正：实测峰值、实测速度、实测写检查点用时",
        ),
    ],
)
def test_what_a_trial_measured_stands_in_the_summary_on_the_card_and_in_the_estimate(locale, figures, follows):
    for told in (seen(screen.Summary("d1", MEASURED), locale), card(MEASURED, locale)):
        for figure in figures:
            assert figure in told
    for told in (card(MEASURED, locale), seen(screen.EstimateText(with_card(MEASURED)), locale)):
        assert follows.split("、")[0].split(",")[0] in told
    assert follows in seen(screen.EstimateText(with_card(MEASURED)), locale)
    for told in (
        seen(screen.Summary("d1", PLAIN), locale),
        card(PLAIN, locale),
        seen(screen.EstimateText(PLAIN), locale),
    ):
        assert "📏" not in told


def with_card(answers: Answers) -> Answers:
    """The same with a card chosen, without which no speed is told."""
    return answers.with_answers({"gpu": Answer(normal="model=rtx4090", raw="4090", status=Status.EXACT)})


@pytest.mark.parametrize(
    ("steps", "en", "zh"),
    [
        ({}, "· running", "· 运行中"),
        ({"moved_at": NOW}, "· running · data moved", "· 运行中 · 数据已转移"),
        ({"stops": ((NOW, None),), "moved_at": NOW, "verified_at": NOW}, "· stopped · files verified", "· 已停止 · 文件已核对"),
        ({"destroyed_at": NOW, "moved_at": NOW}, "· destroyed", "· 已销毁"),
    ],
)  # fmt: skip
def test_a_trial_says_whether_its_cards_are_still_billed(steps, en, zh):
    trial = replace(TRIAL, **steps)
    for locale, state in (("en", en), ("zh_Hans", zh)):
        first = seen(screen.TrialCost(trial), locale).splitlines()[0]
        assert first.endswith(state)


def test_a_closed_trial_tells_its_whole_cost_and_no_so_far():
    closed = replace(TRIAL, destroyed_at=NOW)
    assert closed.state is TrialState.DESTROYED
    assert "In all $1.43: cards $1.40 in 2 hours, storage $0.03" in seen(screen.TrialDestroyed(closed), "en")
    assert "合计 US$1.43：显卡 US$1.40（2 小时），存储 US$0.03" in seen(screen.TrialDestroyed(closed), "zh_Hans")
    bare = replace(closed, storage_gb=0)
    assert "Compute in all: $1.40" in seen(screen.TrialDestroyed(bare), "en")
    assert "算力合计 US$1.40" in seen(screen.TrialDestroyed(bare), "zh_Hans")


@pytest.mark.parametrize(
    ("rule", "en", "zh"),
    [
        ("every=P1M;on=31", "every month on the last day at 09:00", "每月最后一天 09:00"),
        ("every=P1M;on=1,15", "every month on day 1, day 15 at 09:00", "每月 1 日、15 日 09:00"),
        ("every=P1M;on=-1FR;at=10:00", "every month on the last Friday at 10:00", "每月最后一个星期五 10:00"),
        ("every=P1W;on=MO", "every Monday at 09:00", "每星期一 09:00"),
        ("every=P2W;on=FR;at=17:00", "every 2 weeks on Friday at 17:00", "每 2 周星期五 17:00"),
        ("every=P1D;at=09:00,21:00", "every day at 09:00, 21:00", "每天 09:00、21:00"),
        ("every=P3D", "every 3 days at 09:00", "每 3 天 09:00"),
        ("every=P1W;at=08:30", "every week at 08:30", "每周 08:30"),
        ("every=PT90M", "every 1 hour 30 minutes", "每 1 小时 30 分钟"),
        ("at=2026-12-01T09:00+08:00", None, None),
    ],
)
def test_a_rhythm_in_words(rule, en, zh):
    assert (rhythm(rule, texts("en"), ZONE), rhythm(rule, texts("zh_Hans"), ZONE)) == (en, zh)


@pytest.mark.parametrize(
    ("codes", "command"),
    [
        ({}, "--model MODEL"),
        (CODES, "--model Qwen/Qwen2.5-7B --method lora"),
        ({**CODES, "method": "qlora", "sequence_length": "4096"}, "--model Qwen/Qwen2.5-7B --method qlora --sequence-length 4096"),
        ({**CODES, "method": "pretrain"}, "--model Qwen/Qwen2.5-7B --method full"),
        ({"workload": "inference", "model": "qwen2.5-7b"}, "--model Qwen/Qwen2.5-7B --method infer"),
        ({"workload": "training", "model": "70B", "method": "full"}, "--model MODEL --method full"),
    ],
)  # fmt: skip
def test_the_program_that_measures_is_run_for_this_very_job(codes, command):
    answers = Answers({key: Answer(normal=code, raw="x", status=Status.EXACT) for key, code in codes.items()})
    for locale in ("en", "zh_Hans"):
        assert f"python measure.py {command}\n" in seen(screen.MeasureFile(answers), locale)


@pytest.mark.parametrize("locale", ["en", "zh_Hans"])
def test_staff_read_the_facts_of_a_trial_and_none_of_the_advice(locale):
    reader = reading(locale)
    customers = {
        "There will be no more reminders for it.",
        "I will remind you before the end, at it, and until the instance is destroyed.",
        "Next: move weights and data to your own storage; destroying will clear the disk.",
    }
    stopped = replace(TRIAL, stops=((NOW, None),))
    for shown in (
        screen.TrialRegistered(TRIAL, 60),
        screen.StepTaken(stopped, "stopped"),
        screen.TrialDestroyed(TRIAL),
        screen.TrialCost(TRIAL),
    ):
        told = visible(for_staff(shown, reader).text)
        assert "2 × GeForce RTX 4090" in told
        assert not [words for words in customers if reader.texts.text(words) in told]
        assert for_staff(shown, reader).rows == ()
    measured = screen.MeasureTaken(Measurement(device_gib=21.4), PLAIN, MEASURED)
    assert for_staff(measured, reader) == render(measured, reader)


def test_the_buttons_of_a_row_are_wide_enough_for_its_longest():
    rows = in_rows([Tap(label) for label in ("✓ Saved", "No more of these", "Stopped", "Tomorrow")])
    assert [[tap.label for tap in row] for row in rows] == [["✓ Saved"], ["No more of these"], ["Stopped", "Tomorrow"]]


@pytest.mark.parametrize(
    ("locale", "ours", "market"),
    [("en", "Our price: CN¥2.60", "Market price"), ("zh_Hans", "我们的价格：¥2.60", "市场价")],
)
def test_a_price_of_the_staff_is_offered_in_its_own_currency(locale, ours, market):
    prices = Prices.default().with_staff({"rtx4090": (Decimal("2.6"), "CNY")}, "2026-11-30")
    draft = TrialDraft(gpu="rtx4090", gpus=1)
    view = render(screen.TrialQuestion("d1", draft, Answers({})), replace(reading(locale), prices=prices))
    (tap, _stop) = (tap for row in view.rows for tap in row)
    assert (tap.label, tap.button.args) == (ours, ("price", "2600", "CNY"))
    assert market not in view.text
    assert prices.band("rtx4090") == Prices.default().band("rtx4090"), "nothing converts money"
