"""The steps of a trial told in words, and what a running trial's figures are taken from."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from bot.checklist.answer import Answer, Answers, Status
from bot.checklist.job import request_from
from bot.checklist.measured import measurement_of
from bot.dialog import effect as fx
from bot.dialog import screen
from bot.dialog.decide import decide
from bot.dialog.event import Context, Said
from bot.dialog.proposal import proposal
from bot.dialog.state import Case, DialogState, Scene
from bot.dialog.step_words import steps_told
from bot.dialog.steps import NONE_RUNS
from bot.estimation import estimate
from bot.reminders.trial import Trial

NOW = datetime(2026, 11, 30, 2, 0, tzinfo=UTC)
TRIAL = Trial(3, "rtx4090", 1, Decimal("0.35"), "USD", NOW - timedelta(hours=2), NOW)
RUNNING = Context(now=NOW, locale="en", trials=(TRIAL,))
NOTHING_RUNS = Context(now=NOW, locale="en")
SMI = "|  0%   45C    P2   220W / 450W |  21932MiB / 24564MiB |     98%      Default |"


def talking(field: str = "description") -> Case:
    stored = {"workload": Answer(normal="training", raw="x", status=Status.EXACT)}
    return Case(DialogState(scene=Scene.CHECKLIST, field=field), Answers(stored))


def effects(outcome, kind):
    return [effect for effect in outcome.effects if isinstance(effect, kind)]


def shown(outcome, kind):
    return [effect.screen for effect in effects(outcome, fx.Show) if isinstance(effect.screen, kind)]


@pytest.mark.parametrize(
    ("words", "steps"),
    [
        ("stopped", "stopped"), ("i stopped it but did not destroy it", "stopped"), ("we've shut down the machine", "stopped"),
        ("the instance is stopped now", "stopped"), ("停了", "stopped"), ("我把机器关机了", "stopped"), ("停了但还没销毁", "stopped"),
        ("已经停机了,但是没有销毁", "stopped"), ("moved everything to s3", "moved"), ("data moved", "moved"), ("instance stopped", "stopped"), ("数据都搬到对象存储了", "moved"),
        ("数据已经下载完了", "moved"), ("i copied the checkpoints to our nas, and verified them", "moved verified"),
        ("files are verified", "verified"), ("都核对过了", "verified"), ("数据搬完了,也核对过了,销毁了", "moved verified destroyed"),
        ("destroyed, the data was moved", "moved destroyed"), ("it has been destroyed", "destroyed"), ("已经销毁了", "destroyed"),
        ("实例释放了", "destroyed"), ("删掉实例了", "destroyed"), ("i started it again", "resumed"), ("又开机了", "resumed"),
        # What was not done, what is asked, planned or about something else.
        ("i did not destroy it", ""), ("还没销毁", ""), ("i deleted the files", ""), ("把数据删了", ""), ("怎么销毁", ""), ("销毁", ""),
        ("should i destroy it", ""), ("stop wasting money", ""), ("停一下", ""), ("要不要停机", ""), ("stopped at step 400 with an error", ""),
        ("我们的数据已经传到对象存储了,模型是70b", ""),
    ],
)  # fmt: skip
def test_the_steps_that_words_tell(words, steps):
    assert " ".join(steps_told(words)) == steps


def test_stopped_but_not_destroyed_goes_on_costing():
    for words in ("I stopped it but did not destroy it.", "停了，但还没销毁。"):
        (step,) = effects(decide(talking(), Said(words), RUNNING), fx.TakeStep)
        assert (step.trial.is_stopped, step.trial.is_running) == (True, True)


def test_all_steps_of_one_message_are_taken():
    for words in ("moved to S3, verified, destroyed", "数据搬完了，也核对过了，已经销毁了"):
        outcome = decide(talking(), Said(words), RUNNING)
        last = effects(outcome, fx.TakeStep)[-1].trial
        assert last.moved_at == last.verified_at == last.destroyed_at == NOW
        assert shown(outcome, screen.TrialDestroyed)


def test_what_came_before_a_doubtful_step_is_kept_while_it_is_asked_about():
    outcome = decide(talking(), Said("stopped and destroyed"), RUNNING)
    (step,) = effects(outcome, fx.TakeStep)
    assert (step.trial.is_stopped, step.trial.is_running) == (True, True)
    assert shown(outcome, screen.StepSure)


def test_destroyed_while_nothing_is_registered_says_so_and_is_no_answer():
    for words in ("已经销毁了", "I have destroyed it", "destroyed"):
        outcome = decide(talking(), Said(words), NOTHING_RUNS)
        assert [notice.message for notice in shown(outcome, screen.Notice)] == [NONE_RUNS]
        assert "description" not in outcome.case.answers
    for words in ("stopped", "数据搬完了"):
        assert not shown(decide(talking(), Said(words), NOTHING_RUNS), screen.Notice)


def test_destroyed_is_passed_to_the_staff_where_one_talks_to_them():
    desk = replace(talking(), state=DialogState(scene=Scene.DESK))
    outcome = decide(desk, Said("destroyed"), NOTHING_RUNS)
    assert not shown(outcome, screen.Notice)
    assert effects(outcome, fx.Relay)


def test_measurements_are_taken_while_a_trial_runs_whatever_is_asked():
    for words in (SMI, "这是输出\n" + SMI, "peak 21.4 GiB, 3200 tokens/s"):
        outcome = decide(talking(), Said(words), RUNNING)
        assert shown(outcome, screen.MeasureTaken)
        assert measurement_of(outcome.case.answers).device_gib == pytest.approx(21.4, abs=0.05)
        assert tuple(outcome.case.answers.code("measured").split(";")[-2:]) == ("gpu=rtx4090", "gpus=1")
        assert "description" not in outcome.case.answers


def test_a_table_is_no_measurement_when_nothing_runs_or_its_cuda_version_is_asked_for():
    assert not shown(decide(talking(), Said(SMI), NOTHING_RUNS), screen.MeasureTaken)
    assert not shown(decide(talking("cuda"), Said(SMI), RUNNING), screen.MeasureTaken)
    assert not shown(decide(talking(), Said("each sample has 3200 tokens"), RUNNING), screen.MeasureTaken)


@pytest.mark.parametrize(
    "words",
    [
        "pause the reminders", "cancel all my reminders", "delete the checkpoint reminder", "stop reminding me", "don't remind me any more",
        "别再提醒我了", "暂停提醒", "帮我取消存检查点的提醒", "删掉所有提醒", "我的提醒", "my reminders",
    ],
)  # fmt: skip
def test_pausing_or_deleting_in_words_opens_the_list_with_its_buttons(words):
    outcome = decide(talking(), Said(words), RUNNING)
    assert shown(outcome, screen.ReminderList)
    assert "description" not in outcome.case.answers


@pytest.mark.parametrize(("model", "method"), [("llama-2-7b", "qlora"), ("qwen2.5-72b", "full")])
def test_the_trial_proposed_has_the_fewest_cards_and_of_those_the_lowest_price(model, method):
    codes = {"workload": "training", "model": model, "method": method}
    answers = Answers({key: Answer(normal=code, raw="x", status=Status.EXACT) for key, code in codes.items()})
    plans = estimate(request_from(answers)).plans
    weak = "low_confidence_card"
    sound = [
        plan
        for plan in plans
        if weak not in plan.reasons or all(weak in p.reasons for p in plans if p.gpus == plan.gpus)
    ]
    offered = {(plan.gpu, plan.gpus): plan.cost.per_hour_low for plan in sound}
    proposed = proposal(answers)
    fewest = [price for (_, gpus), price in offered.items() if gpus == min(gpus for _, gpus in offered)]
    assert offered[proposed.gpu, proposed.gpus] == min(fewest)
