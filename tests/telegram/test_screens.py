"""Every screen in every language: nothing untranslated, nothing of the other language, nothing that Telegram refuses."""

import re
from dataclasses import fields as dataclass_fields
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import get_args
from zoneinfo import ZoneInfo

import pytest
from opencc import OpenCC

from bot.checklist import words
from bot.checklist.answer import Answers
from bot.checklist.contradictions import CODES
from bot.checklist.fields import BY_KEY, FIELDS
from bot.checklist.measured import with_measurement
from bot.checklist.understand import Moment, skipped, undecided, understand
from bot.desk.request import RequestState
from bot.dialog import screen
from bot.dialog.button import Button
from bot.dialog.faq import entries
from bot.dialog.lists import LISTS
from bot.dialog.lists import OPEN as OPENS
from bot.dialog.reminding import LONGEST_TEXT
from bot.dialog.state import ReminderDraft, TrialDraft
from bot.estimation import ASSUMPTIONS, LADDER_COSTS, LADDER_STEPS, LINKS, REASONS, TRIAGE_REASONS, cards, models
from bot.i18n import CONVERTED, LOCALES, NAMES, texts
from bot.quantities.measurements import Measurement
from bot.reminders.kinds import KINDS, OWN, ReminderKind
from bot.reminders.series import Occurrence, Series
from bot.reminders.steps import RESUMED
from bot.reminders.trial import Trial, TrialState
from bot.settings import Settings
from bot.telegram import commands
from bot.telegram.markup import TEXT_LIMIT, split, visible
from bot.telegram.screens.render import RENDERERS, render
from bot.telegram.screens.view import Reader

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 30, 2, 0, tzinfo=UTC)
MOMENT = Moment(NOW.astimezone(ZONE))
TRIAL = Trial(3, "rtx4090", 2, Decimal("0.35"), "USD", NOW - timedelta(hours=2), NOW)

SAID = {
    "workload": "large-scale training", "model": "Llama 3.1 70B", "method": "full", "sequence_length": "2k-8k",
    "min_vram": "at least 80GB", "parallelism": "tensor and data", "gpu": "H100 SXM", "gpu_alternatives": "H800 or A100 80G",
    "gpu_count": "64 to 128", "gpus_per_node": "8", "nvlink": "yes", "network": "InfiniBand", "bandwidth": "8x400G IB",
    "dataset_size": "about 2TB", "read_throughput": "1GB/s read", "checkpoint": "every hour, 1.1T", "volume_size": "20T",
    "shared_storage": "yes", "data_plan": "object storage", "template": "private image", "start_date": "from 5 Jan to 10 Jan",
    "duration": "1-2 months", "load": "bursty", "utilization": "60-80%", "overflow": "on demand", "batches": "yes",
    "region_reason": "compliance",
}  # fmt: skip


def spoken(said: dict[str, str]) -> Answers:
    found = {}
    for key, text in said.items():
        read = understand(BY_KEY[key], text, MOMENT)
        assert key in read, f"{key}: {text!r} is not understood"
        found |= {k: v for k, v in read.items() if k == key or k not in said}
    return Answers(found)


def free() -> dict:
    """Texts of the customer's own, which stay as they are: digits only here, so that no language shows through them."""
    return {
        key: understand(BY_KEY[key], "12", MOMENT)[key]
        for key in ("description", "cuda", "region", "name", "team", "contact_time")
    }


CLUSTER = spoken(SAID).with_answers(free())
OPEN = Answers({field.key: skipped() if field.skippable else undecided() for field in FIELDS})
INFERENCE = spoken(
    {"workload": "inference", "model": "Qwen2.5-7B", "sequence_length": "8k", "gpu": "RTX 4090", "gpu_count": "1"}
)
TOO_SMALL = spoken({"workload": "fine-tuning", "model": "7B", "method": "full", "gpu": "A100 80G", "gpu_count": "1"})

STOPPED = replace(TRIAL, storage_gb=200, storage_price_per_gb_month=Decimal("0.10"), stops=((NOW, None),))
TRIALS = (
    TRIAL,
    STOPPED,
    replace(STOPPED, moved_at=NOW),
    replace(STOPPED, verified_at=NOW),
    replace(STOPPED, destroyed_at=NOW),
)
DRAFTS = (
    TrialDraft(),
    TrialDraft(gpu="rtx4090", gpus=2),
    TrialDraft(gpu="rtx4090", gpus=2, price=Decimal("0.35")),
    TrialDraft(gpu="rtx4090", gpus=2, price=Decimal("0.35"), seconds=10800),
    TrialDraft(gpu="rtx4090", gpus=2, price=Decimal("2.5"), currency="CNY", seconds=10800, storage_gb=100),
    TrialDraft(
        gpu="rtx4090", gpus=2, price=Decimal("0.35"), seconds=10800, storage_gb=100, storage_price=Decimal("0.1")
    ),
)
RULES = (
    *(
        "every=P1D;at=09:00",
        "every=P1W;on=MO,TU,WE,TH,FR;at=09:00",
        "every=P2W;on=FR;at=17:00",
        "every=P1M;on=1,15;at=09:00,18:00",
    ),
    *("every=PT90M", "every=P1Y", "every=P3M", "at=2026-12-01T09:00+08:00"),
)
KEPT = tuple(Series(n, "own", None, "12", rule, NOW, next_at=NOW) for n, rule in enumerate(RULES))
KEPT += (Series(20, "checkpoint", 3, "", "every=PT60M", NOW), replace(KEPT[0], paused_at=NOW, next_at=None))
MANY_TRIALS = tuple(replace(TRIAL, id=n) for n in range(11, 18))
MANY_KEPT = tuple(replace(KEPT[n % len(KEPT)], id=n, text="12" * 100) for n in range(50))
MEASURED = Measurement(17.2, 18.5, 19.1, 3180.0, 0.32, 1.8)


def due(kind: ReminderKind, **more) -> screen.Due:
    """A reminder of a kind as it comes, about what kinds of its sort are about."""
    trial = more.pop("trial", None) or (
        next((t for t in TRIALS if kind.fits(t)), None)
        if kind.task_from != 1 and kind.code not in ("draft", "start", "own")
        else None
    )
    return screen.Due(
        Occurrence(7, kind.code, 5, trial.id if trial else None, None, NOW),
        trial=trial,
        text="12" if kind is OWN else "",
        start=NOW.date(),
        **more,
    )


def reminders_screens() -> list[screen.Screen]:
    found: list[screen.Screen] = []
    for kind in KINDS.values():
        found += [due(kind, over=since + timedelta(minutes=1)) for since, _text in kind.headlines]
        found += [due(kind, late=True), screen.Task(due(kind))]
    found += [screen.Missed(tuple(due(kind) for kind in KINDS.values())), screen.Snoozed(NOW)]
    many = tuple(due(kind, trial=trial) for kind in KINDS.values() if kind.fits(TRIAL) for trial in MANY_TRIALS)
    found += [screen.Missed((due(KINDS["destroy"]), due(KINDS["own"]))), screen.Missed(many)]
    found += [screen.ReminderList(MANY_TRIALS, MANY_KEPT, page) for page in (0, 1, 5, 99)]
    found += [screen.Kept(series) for series in KEPT]
    found += [screen.ReminderList(()), screen.ReminderList(TRIALS[:2], KEPT), screen.ReminderList((TRIAL,))]
    for tries in (0, 1):
        found += [screen.ZoneQuestion("d1", tries=tries), screen.MeasureQuestion("d1", tries=tries)]
        found += [
            screen.ReminderQuestion("d1", draft, tries=tries)
            for draft in (
                ReminderDraft(),
                ReminderDraft(text="12"),
                ReminderDraft(readings=RULES[-1:] * 2),
                ReminderDraft(changes="t3"),
            )
        ]
    found += [screen.ZoneSet(name) for name in ("Asia/Shanghai", "America/New_York", "UTC+05:30", "UTC")]
    return [*found, screen.QuietSet("22:00-08:00"), screen.QuietSet("00:00-00:00"), screen.MeasureFile()]


def trial_screens() -> list[screen.Screen]:
    found: list[screen.Screen] = [
        screen.TrialQuestion("d1", draft, answers, tries=tries)
        for draft in DRAFTS
        for answers in (CLUSTER, OPEN, INFERENCE)
        for tries in (0, 1)
    ]
    for trial in TRIALS:
        found += [screen.TrialCost(trial), screen.TrialChart(trial), screen.TrialDestroyed(trial)]
        found += [screen.StepTaken(trial, step) for step in (*list(TrialState)[1:4], RESUMED)]
        found += [
            screen.StepSure(trial, step, (TrialState.MOVED,)) for step in (TrialState.VERIFIED, TrialState.DESTROYED)
        ]
        found += [screen.TrialRegistered(trial), screen.TrialRegistered(trial, 60)]
    for answers in (CLUSTER, OPEN, INFERENCE):
        after = with_measurement(answers, MEASURED, "12", "rtx4090", 1)
        found.append(screen.MeasureTaken(MEASURED, answers, after))
    return found


def samples() -> list[screen.Screen]:
    asks = [screen.Ask("d1", field.key, CLUSTER, tries=tries) for field in FIELDS for tries in (0, 1, 2)]
    asks += [screen.Ask("d1", field.key, Answers()) for field in FIELDS]
    asks += [screen.Ask("d1", field.key, OPEN, taken=(field.key,)) for field in FIELDS]
    asks.append(screen.Ask("d1", "utilization", CLUSTER, readings=("0.7", "70")))
    asks.append(screen.Ask("d1", "start_date", CLUSTER, readings=("2026-11-30", "2026-12-31")))
    asks.append(screen.Ask("d1", "parallelism", CLUSTER, marked=("data", "tensor")))
    found: list[screen.Screen] = [
        *asks,
        screen.Greeting("d1"),
        screen.Greeting("d1", answered=1),
        screen.Greeting("d1", answered=7),
    ]
    keys = ("workload", "model", "gpu", "gpu_count")
    found += [
        screen.Ask("d1", "duration", CLUSTER, taken=keys, noted=True, warnings=CODES),
        screen.Summary("d1", CLUSTER, taken=keys, noted=True),
        screen.SideUnknown(),
    ]
    for page in (0, 2, 9):
        found += [
            screen.Ask("d1", "duration", CLUSTER, taken=tuple(CLUSTER), taken_page=page),
            screen.Summary("d1", CLUSTER, taken=tuple(CLUSTER), taken_page=page),
        ]
    found += [screen.Disputed("d1", key, CLUSTER, OPEN["workload"], taken=keys) for key in keys]
    found += [screen.SideAnswer(entry) for entry in entries()]
    for answers in (CLUSTER, OPEN, INFERENCE, TOO_SMALL):
        found += [screen.Summary("d1", answers), screen.EditMenu("d1", answers), screen.EstimateText(answers)]
        found += [
            screen.Form(answers),
            screen.Document(answers, "md"),
            screen.Document(answers, "json"),
            screen.EstimateChart(answers),
            screen.CostChart(answers),
            screen.Route(answers),
            screen.EditMenu("d1", answers, "model"),
        ]
        found += [screen.Answered(key, answers) for key in answers]
        found += [
            screen.StatusReport(answers, state, trials)
            for state in RequestState
            for trials in ((), (TRIAL,), MANY_TRIALS)
        ]
    for flag in (False, True):
        found += [
            screen.Submitted(staff=flag),
            screen.Handed(staff=flag, draft_open=not flag),
        ]
    found += [*trial_screens(), *reminders_screens(), screen.LanguageChoice(), screen.LanguageSet()]
    found += [screen.Help(), screen.Privacy(), screen.ForgetQuestion("d1", ()), screen.ForgetQuestion("d1", (TRIAL,))]
    found += [screen.Notice("Nothing was deleted."), screen.Notice("Nothing was deleted.", resume="d1")]
    return found


SAMPLES = samples()
MOST_ROWS = 12
"""A question or a summary with its own buttons and a page of ways back; two rows a phone's height has to spare."""


def reader(locale: str) -> Reader:
    return Reader(
        texts=texts(locale), zone=ZONE, now=NOW, settings=Settings(link_console="https://example.com/console")
    )


def shown(locale: str):
    for sample in SAMPLES:
        view = render(sample, reader(locale))
        if view is None:
            assert isinstance(sample, screen.EstimateChart | screen.CostChart)
            continue
        labels = [tap.label for row in view.rows for tap in row]
        yield sample, view, "\n".join([visible(view.text), *labels])


def test_every_kind_of_screen_is_walked():
    assert {type(sample) for sample in SAMPLES} == set(RENDERERS) == set(get_args(screen.Screen))


FOREIGN_TO_CHINESE = re.compile(r"[A-Za-z][A-Za-z]+")
LATIN = {
    *"GB GiB TB TiB PB Gb AI UTC token tokens OK USD CNY US CN NVLink PCIe InfiniBand RoCE IB Ethernet ZeRO FSDP LoRA QLoRA KV".split(),
    *"FlashAttention GPU CUDA PyTorch vLLM TGI SGLang DeepSpeed NexGPU Telegram English nvidia smi bf16 fp16 int nf dq".split(),
    *"epoch adamw bit gptq awq all linear qv RTX SXM NVL Llama Qwen torch measure py python model MODEL help Markdown JSON".split(),
}


def names_of_catalogues() -> set[str]:
    found = set()
    for name in [*(card.name for card in cards()), *(model.name for model in models())]:
        found |= set(FOREIGN_TO_CHINESE.findall(name))
    return found | set(re.findall(r"[a-z_]+", " ".join(command.name for command in commands.COMMANDS)))


@pytest.mark.parametrize("locale", LOCALES[1:])
def test_no_english_word_on_a_chinese_screen(locale):
    allowed = LATIN | names_of_catalogues() | {part for name in names_of_catalogues() for part in name.split("_")}
    for sample, _view, text in shown(locale):
        left = {word for word in FOREIGN_TO_CHINESE.findall(text) if word not in allowed}
        assert not left, f"{sample}: {left}\n{text}"


def test_no_chinese_on_an_english_screen():
    for sample, _view, text in shown("en"):
        mine = re.sub("|".join([*reversed(NAMES.values()), "2.5 元"]), "", text)
        left = re.findall(r"[\u3400-\u9fff\u3000-\u303f\uff00-\uffef]+", mine)
        assert not left, f"{sample}: {left}\n{text}"


@pytest.mark.parametrize("locale", CONVERTED)
def test_no_simplified_character_on_a_traditional_screen(locale):
    """What is traditional already stays as it is when it is converted from simplified Chinese."""
    to_traditional = OpenCC("s2tw")
    for sample, _view, text in shown(locale):
        mine = text.replace(NAMES["zh_Hans"], "")
        assert to_traditional.convert(mine) == mine, sample


@pytest.mark.parametrize("locale", LOCALES)
def test_no_placeholder_code_or_none_is_left_on_a_screen(locale):
    for sample, _view, text in shown(locale):
        assert not re.search(r"[{}]|\bNone\b|=|\bTBD\b|\bPT?\d|[a-z]+_[a-z]+", text.replace("/delete_me", "")), (
            f"{sample}\n{text}"
        )


@pytest.mark.parametrize("locale", LOCALES)
def test_telegram_takes_every_screen(locale):
    for sample, view, _text in shown(locale):
        assert view.text.strip(), sample
        for piece in split(view.text):
            assert 0 < len(visible(piece)) <= TEXT_LIMIT
            opened = re.findall(r"<(\w+)", piece)
            assert sorted(opened) == sorted(re.findall(r"</(\w+)>", piece)), f"{sample}: {piece}"
        for row in view.rows:
            assert 1 <= len(row) <= 8
            for tap in row:
                assert tap.label.strip()
                assert len(tap.dump().get("callback_data", "").encode()) <= 64


@pytest.mark.parametrize("locale", LOCALES)
def test_no_screen_has_more_buttons_than_a_phone_shows(locale):
    for sample, view, _text in shown(locale):
        assert len(view.rows) <= MOST_ROWS, f"{sample}"
        assert sum(map(len, view.rows)) <= 24, "eight rows of three"


@pytest.mark.parametrize("locale", LOCALES)
def test_a_list_in_pages_shows_every_entry_once_and_fits_one_message(locale):
    seen: list[str] = []
    for number in range(99):
        view = render(screen.ReminderList(MANY_TRIALS, MANY_KEPT, number), reader(locale))
        assert len(split(view.text)) == 1
        *rows, pager = view.rows
        seen += [row[0].button.owner for row in rows]
        assert [tap.label for tap in pager if tap.label not in "‹›"] == [f"{number + 1}/10"]
        if pager[-1].label != "›":
            break
    assert seen == [f"t{trial.id}" for trial in MANY_TRIALS] + [f"s{series.id}" for series in MANY_KEPT]


@pytest.mark.parametrize("locale", LOCALES)
def test_a_summary_of_very_many_late_reminders_is_one_message(locale):
    longest = tuple(replace(due(OWN), text="重" * LONGEST_TEXT) for _ in range(50))
    trials = tuple(due(KINDS["destroy"], trial=replace(STOPPED, id=trial.id)) for trial in MANY_TRIALS)
    view = render(screen.Missed((*longest, *trials)), reader(locale))
    assert len(split(view.text)) == 1
    assert texts(locale).plural(("and {n} more", "and {n} more"), 57 - 12) in visible(view.text)
    assert view.rows[-1][0].button == Button(LISTS, OPENS, ("kept",))


@pytest.mark.parametrize("locale", LOCALES)
def test_a_question_stands_whole_in_its_screen_and_nowhere_else(locale):
    words_of = texts(locale)
    for sample, _view, text in shown(locale):
        asked = [field.key for field in FIELDS if words_of.text(field.question) in text]
        assert asked == ([sample.field] if isinstance(sample, screen.Ask) else []), f"{sample}\n{text}"


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (words.REASONS, REASONS), (words.ASSUMPTIONS, ASSUMPTIONS), (words.LADDER_STEPS, LADDER_STEPS),
        (words.LADDER_COSTS, LADDER_COSTS), (words.TRIAGE_REASONS, TRIAGE_REASONS),
        (words.CONTRADICTIONS, CODES), (words.LINKS, {code.partition("-")[0] for code in LINKS}),
    ],
)  # fmt: skip
def test_every_code_of_an_estimate_has_words(ours, theirs):
    assert set(ours) == set(theirs)


@pytest.mark.parametrize("locale", LOCALES)
def test_every_reason_in_the_closed_lists_reads_in_both_languages(locale):
    for table in (words.REASONS, words.ASSUMPTIONS, words.LADDER_STEPS, words.LADDER_COSTS, words.TRIAGE_REASONS):
        for message in table.values():
            assert texts(locale).text(message)


@pytest.mark.parametrize("locale", LOCALES[1:])
def test_chinese_typography(locale):
    """Full-width punctuation beside Han, and a space between Han and Latin or digits."""
    for sample, _view, text in shown(locale):
        assert not re.search(r"[\u4e00-\u9fff][,;:?!]", text), f"{sample}: half-width punctuation\n{text}"
        plain = re.sub(r"\d+(?=[年月日])|(?<=[年月])\d+", "", text)
        glued = re.findall(r"[\u4e00-\u9fff][A-Za-z0-9]+|[A-Za-z0-9%]+[\u4e00-\u9fff]", plain)
        assert not glued, f"{sample}: {glued}\n{text}"


@pytest.mark.parametrize("locale", LOCALES)
def test_the_picture_on_reserving_comes_where_reserving_is_advised_on(locale):
    for answers, comes in ((CLUSTER, True), (INFERENCE, False), (OPEN, False)):
        view = render(screen.CostChart(answers), reader(locale))
        assert (view is not None) == comes
        if view is not None:
            assert view.picture["locale"] == locale
            assert view.picture["reserve"]["load"] == "bursty"
            assert view.picture["reserve"]["utilization"] == pytest.approx(0.7)
            assert texts(locale).percent(1 / 6) in visible(view.text)


def test_screens_are_values():
    for kind in RENDERERS:
        assert kind.__dataclass_params__.frozen
        assert all(not f.name.startswith("_") for f in dataclass_fields(kind))
