"""What is said beside the open question: no, wait, never mind, a city, the agreement to register."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from bot.dialog import beside, screen
from bot.dialog import effect as fx
from bot.dialog.button import Button
from bot.dialog.decide import decide
from bot.dialog.event import Commanded, Pressed, Said
from bot.dialog.faq import entries
from bot.dialog.state import Scene, TrialDraft, TrialStep
from bot.reminders.series import Occurrence
from bot.reminders.trial import Trial
from tests.dialog.test_steps import NOTHING_RUNS, NOW, RUNNING, TRIAL, effects, shown, talking

DRAFT = TrialDraft(gpu="rtx4090", gpus=1, price=Decimal("0.35"), seconds=7200)


def play(case, *words, context=NOTHING_RUNS):
    for said in words:
        outcome = decide(case, Said(said), context)
        case = outcome.case
    return outcome


def registering(**more):
    return replace(talking(), state=talking().state.model_copy(update={"scene": Scene.TRIAL, "trial": DRAFT, **more}))


@pytest.mark.parametrize("no", ["no", "not yet", "No, not yet.", "不是", "还没有", "没有", "等等"])
def test_no_keeps_a_trial_that_was_asked_about_once_more(no):
    outcome = play(talking("sequence_length"), "destroyed", no, context=RUNNING)
    assert shown(outcome, screen.TrialCost)
    assert not effects(outcome, fx.TakeStep)
    assert [ask.tries for ask in shown(outcome, screen.Ask)] == [0]
    assert outcome.case.state.sure == ""


@pytest.mark.parametrize(
    "words",
    [
        "wait", "hold on", "Give me a minute!", "in a bit", "one moment please", "I'll be back later",
        "等会儿", "再等会儿", "等一下", "稍等", "再过一会儿", "等等啊", "明天再说", "回头再填吧",
    ],
)  # fmt: skip
def test_whoever_asks_for_time_gets_it_and_the_question_stays(words):
    for case in (talking("sequence_length"), talking("description"), registering()):
        outcome = play(case, words)
        assert [notice.message for notice in shown(outcome, screen.Notice)] == [beside.NO_HURRY]
        assert outcome.case == case


@pytest.mark.parametrize("words", ["one", "one minute", "a minute", "10 minutes", "明天", "tomorrow", "一小时"])
def test_a_span_or_a_day_is_no_wish_to_wait(words):
    assert not shown(play(talking("sequence_length"), words), screen.Notice)


@pytest.mark.parametrize(
    "words", ["actually no", "never mind", "cancel", "no thanks", "算了", "不登记了", "不用了，谢谢", "取消"]
)
def test_a_small_conversation_is_left_in_words(words):
    for case, left in (
        (registering(), Scene.TRIAL),
        (decide(talking(), Commanded("remind"), RUNNING).case, Scene.REMIND),
    ):
        outcome = play(case, words)
        assert [notice.message for notice in shown(outcome, screen.Notice)] == [beside.LEFT[left]]
        assert outcome.case.state.scene is not left
        assert not effects(outcome, fx.RegisterTrial)


def test_a_city_said_right_after_the_zone_was_asked_for_is_the_zone():
    asked = play(talking("sequence_length"), "每天早上9点提醒我存检查点")
    assert shown(asked, screen.ZoneQuestion)
    assert effects(play(asked.case, "纽约"), fx.SetZone) == [fx.SetZone("America/New_York")]
    assert effects(play(asked.case, "我在杭州"), fx.SetZone) == [fx.SetZone("Asia/Shanghai")]
    here = replace(NOTHING_RUNS, now=NOW.astimezone(ZoneInfo("Asia/Tokyo")))
    for right in ("对", "that is right", "没错"):
        assert effects(play(asked.case, right, context=here), fx.SetZone) == [fx.SetZone("Asia/Tokyo")]
    assert effects(play(asked.case, "4096"), fx.SetZone) == []
    assert effects(play(asked.case, "4096", "纽约"), fx.SetZone) == []
    at_region = replace(asked.case, state=asked.case.state.model_copy(update={"field": "region"}))
    for place in ("上海", "we are in Frankfurt"):
        assert effects(play(at_region, place), fx.SetZone) == []
    assert effects(play(talking("sequence_length"), "I'm based in Frankfurt"), fx.SetZone) == [
        fx.SetZone("Europe/Berlin")
    ]
    assert effects(play(talking("sequence_length"), "we are in a hurry"), fx.SetZone) == []


@pytest.mark.parametrize("words", ["what time zone am I in?", "我的时区是什么", "现在几点了？", "what's my timezone"])
def test_asking_for_the_zone_shows_it(words):
    outcome = play(talking("sequence_length"), words)
    assert shown(outcome, screen.ZoneQuestion)
    assert effects(play(outcome.case, "Kathmandu"), fx.SetZone) == [fx.SetZone("Asia/Kathmandu")]


def test_a_trial_is_registered_in_words_but_not_by_a_yes_to_the_disk():
    checked = registering(trial=DRAFT.model_copy(update={"storage_gb": 0}))
    for words in ("ok", "yes", "好的", "登记", "确认", "Register it"):
        assert effects(play(checked, words), fx.RegisterTrial)
    asked = registering()
    assert asked.state.trial.step is TrialStep.STORAGE
    assert effects(play(asked, "登记"), fx.RegisterTrial)
    assert not effects(play(asked, "yes"), fx.RegisterTrial)


@pytest.mark.parametrize(
    ("words", "hours"),
    [
        ("started 3 hours ago", 3), ("it was started 90 minutes ago", 1.5), ("it has been running for 5 hours", 5), ("已经跑了4个小时", 4),
        ("其实是3小时前开机的", 3), ("两个小时前就开始了", 2),
    ],
)  # fmt: skip
def test_the_start_of_a_running_trial_is_corrected_in_words(words, hours):
    trial = replace(TRIAL, started_at=NOW, planned_end_at=NOW + timedelta(hours=2))
    (step,) = effects(play(talking(), words, context=replace(RUNNING, trials=(trial,))), fx.TakeStep)
    assert step.trial.started_at == NOW - timedelta(hours=hours)
    assert step.trial.planned_end_at == trial.planned_end_at


def test_two_trials_are_never_mixed_up():
    second = Trial(4, "h100-sxm", 1, Decimal("2.5"), "USD", datetime(2026, 11, 29, tzinfo=UTC), NOW)
    both = replace(RUNNING, trials=(TRIAL, second))
    for words in ("destroyed", "停了", "started 3 hours ago", "数据搬完了"):
        outcome = play(talking(), words, context=both)
        assert not effects(outcome, fx.TakeStep)
    asked = decide(talking(), Pressed(Button("t4", "destroyed")), both)
    (step,) = effects(play(asked.case, "yes", context=both), fx.TakeStep)
    assert step.trial.id == second.id


def test_confirmed_twice_is_destroyed_once():
    first = play(talking(), "destroyed", "yes", context=RUNNING)
    assert len(effects(first, fx.TakeStep)) == 1
    again = decide(first.case, Pressed(Button("t3", "destroyed", ("sure",))), NOTHING_RUNS)
    assert not effects(again, fx.TakeStep)


@pytest.mark.parametrize(
    "moment", ["2026-11-01T00:50-04:00", "2026-11-01T01:40-04:00", "2027-03-14T01:30-05:00", "2026-07-01T12:00-04:00"]
)
def test_a_length_of_time_is_as_long_in_the_night_when_the_clocks_change(moment):
    zone = ZoneInfo("America/New_York")
    now = datetime.fromisoformat(moment)
    one = Occurrence(9, "own", 5, None, 2, now, unheard=True)
    context = replace(RUNNING, now=now.astimezone(zone), sent=(one,), trials=(replace(TRIAL, planned_end_at=now),))
    for said in ("in 90 minutes", "snooze 90 minutes", "90分钟后再提醒我"):
        (snooze,) = effects(play(talking(), said, context=context), fx.Snooze)
        assert snooze.due_at - now == timedelta(minutes=90)
    for code, minutes in (("15m", 15), ("1h", 60)):
        (snooze,) = effects(decide(talking(), Pressed(Button("r9", "later", (code,))), context), fx.Snooze)
        assert snooze.due_at - now == timedelta(minutes=minutes)
    assert now - DRAFT.model_copy(update={"started_s_ago": 5400}).trial(context.now).started_at == timedelta(minutes=90)
    (step,) = effects(play(talking(), "started 3 hours ago", context=context), fx.TakeStep)
    assert now - step.trial.started_at == timedelta(hours=3)
    (step,) = effects(play(talking(), "extend by 2 hours", context=context), fx.TakeStep)
    assert step.trial.planned_end_at - now == timedelta(hours=2)


@pytest.mark.parametrize("words", ["saved", "Done!", "I've saved it", "存好了", "已经保存了", "搞定了"])
def test_done_in_words_settles_the_reminder_that_has_just_come(words):
    one = Occurrence(9, "checkpoint", 5, 3, 2, NOW, unheard=True)
    outcome = play(talking("sequence_length"), words, context=replace(RUNNING, sent=(one,)))
    assert effects(outcome, fx.Settle) == [fx.Settle(one)]
    for other in (replace(one, unheard=False), replace(one, kind="destroy")):
        assert not effects(play(talking("sequence_length"), words, context=replace(RUNNING, sent=(other,))), fx.Settle)


@pytest.mark.parametrize(
    "words", ["每半小时提醒太烦了，别提醒我存检查点了", "以后不用再提醒我了", "too many, don't remind me any more"]
)
def test_whoever_is_reminded_too_often_gets_the_list(words):
    assert shown(play(talking("sequence_length"), words, context=RUNNING), screen.ReminderList)


def test_a_side_question_inside_a_registration_is_answered_and_the_step_asked_again():
    case = registering(trial=DRAFT.model_copy(update={"seconds": None}))
    for words, answered in (
        ("停止实例还收费吗？", screen.SideAnswer),
        ("what colour is the server room?", screen.Notice),
    ):
        outcome = play(case, words, context=replace(NOTHING_RUNS, faq=entries()))
        assert shown(outcome, answered)
        (again,) = shown(outcome, screen.TrialQuestion)
        assert (again.tries, again.draft) == (0, case.state.trial)


@pytest.mark.parametrize(
    ("words", "hours"),
    [
        ("免打扰 23点到7点", "23:00-07:00"), ("quiet hours 22:30-24", "22:30-00:00"), ("免打扰 25点到7点", None), ("quiet hours 22 to 31", None),
        ("关闭免打扰", "00:00-00:00"), ("quiet hours 9:75-10", None),
    ],
)  # fmt: skip
def test_quiet_hours_are_hours_of_a_day(words, hours):
    set_to = [effect.hours for effect in effects(play(talking("sequence_length"), words), fx.SetQuiet)]
    assert set_to == ([hours] if hours else [])
