from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from bot.checklist.answer import Answer, Answers, Status
from bot.checklist.fields import FIELDS
from bot.desk.request import RequestState
from bot.dialog import effect as fx
from bot.dialog import screen
from bot.dialog.button import Button
from bot.dialog.decide import COMMANDS, decide, open_screen
from bot.dialog.event import Commanded, Context, Pressed, Said, Sent
from bot.dialog.state import Case, DialogState, Scene, TrialDraft, TrialStep
from bot.reminders.series import Occurrence
from bot.reminders.trial import Trial, TrialState

NOW = datetime(2026, 11, 30, 2, 0, tzinfo=UTC)
CONTEXT = Context(now=NOW, locale="en")
TRIAL = Trial(3, "rtx4090", 1, Decimal("0.35"), "USD", NOW - timedelta(hours=2), NOW)
EXACT = {"raw": "x", "status": Status.EXACT}


def fresh(**answers: str) -> Case:
    stored = {key: Answer(normal=value, **EXACT) for key, value in answers.items()}
    return Case(DialogState(), Answers(stored))


def complete() -> Case:
    answers = {field.key: Answer(normal="TBD", raw="TBD", status=Status.TBD) for field in FIELDS}
    return Case(DialogState(), Answers(answers))


def play(case: Case, *events, context: Context = CONTEXT):
    outcome = None
    for event in events:
        outcome = decide(case, event, context)
        case = outcome.case
    return outcome


def shown(outcome, kind):
    return [e.screen for e in outcome.effects if isinstance(e, fx.Show) and isinstance(e.screen, kind)]


def at(key: str, case: Case | None = None) -> Case:
    case = case or fresh()
    return replace(case, state=case.state.at(Scene.CHECKLIST, key))


def test_start_greets_and_asks_the_first_question_at_once():
    outcome = play(fresh(), Commanded("start"))
    assert shown(outcome, screen.Greeting)
    assert [s.field for s in shown(outcome, screen.Ask)] == ["workload"]


def test_an_answer_is_stored_with_the_words_and_the_next_question_follows():
    outcome = play(fresh(), Commanded("start"), Said("我们想做微调"))
    stored = outcome.case.answers["workload"]
    assert (stored.normal, stored.raw, stored.status) == ("fine_tuning", "我们想做微调", Status.EXACT)
    assert outcome.case.state.field == "description"


def test_what_is_not_understood_is_asked_again_and_counted():
    outcome = play(at("duration"), Said("as the crow flies"), Said("purple"))
    assert outcome.case.state.field == "duration"
    assert shown(outcome, screen.Ask)[0].tries == 2
    assert "duration" not in outcome.case.answers


def test_a_tap_answers_like_words():
    outcome = play(at("workload"), Pressed(Button("d1", "pick", ("workload", "inference"))))
    assert outcome.case.answers["workload"].normal == "inference"
    assert shown(outcome, screen.Answered)


@pytest.mark.parametrize(
    "button",
    [
        Button("d1", "pick", ("workload", "inference")),
        Button("d1", "tbd", ("workload",)),
        Button("d2", "pick", ("load", "constant")),
        Button("d1", "pick", ("load", "no_such_option")),
        Button("d1", "pick", ("load",)),
        Button("d1", "done", ("load",)),
        Button("d1", "read", ("load", "7")),
        Button("d1", "mark", ("load", "constant")),
        Button("d1", "confirm"),
        Button("d1", "change", ("name",)),
        Button("d1", "no_such_action"),
        Button("t99", "destroyed"),
        Button("lang", "set", ("xx",)),
        None,
    ],
)
def test_a_tap_that_does_not_fit_changes_nothing_and_is_answered(button):
    before = at("load")
    outcome = decide(before, Pressed(button), CONTEXT)
    assert outcome.case == before
    assert [type(effect) for effect in outcome.effects] == [fx.Toast]


def test_a_second_tap_changes_nothing():
    tap = Pressed(Button("d1", "pick", ("workload", "inference")))
    once = play(at("workload"), tap)
    assert play(once.case, tap).case == once.case


def test_not_sure_excludes_the_other_kinds_of_parallelism():
    def mark(code):
        return Pressed(Button("d1", "mark", ("parallelism", code)))

    outcome = play(at("parallelism"), mark("tensor"), mark("data"))
    assert outcome.case.state.marked == ("data", "tensor")
    assert play(outcome.case, mark("unsure")).case.state.marked == ("unsure",)
    outcome = play(outcome.case, Pressed(Button("d1", "done", ("parallelism",))))
    assert outcome.case.answers["parallelism"].normal == "data+tensor"


def test_back_returns_to_the_question_before_and_shows_its_answer():
    case = at("description", fresh(workload="training"))
    outcome = play(case, Pressed(Button("d1", "back", ("description",))))
    assert outcome.case.state.field == "workload"
    assert shown(outcome, screen.Ask)[0].answers["workload"].normal == "training"


def test_back_typed_works_like_the_button():
    assert play(at("description", fresh(workload="training")), Said("上一步")).case.state.field == "workload"


def test_skip_is_taken_only_where_the_field_may_be_skipped():
    assert play(at("description"), Said("跳过")).case.answers["description"].status is Status.SKIPPED
    assert "duration" not in play(at("duration"), Said("skip")).case.answers


def test_an_ambiguous_answer_offers_its_readings():
    outcome = play(at("utilization"), Said("70"))
    assert shown(outcome, screen.Ask)[0].readings
    picked = play(outcome.case, Pressed(Button("d1", "read", ("utilization", "0"))))
    stored = picked.case.answers["utilization"]
    assert (stored.normal, stored.raw) == ("0.7", "70")


def test_a_card_with_its_count_fills_both_fields():
    outcome = play(at("gpu"), Said("8 张 H100"))
    assert outcome.case.answers["gpu"].normal == "model=H100"
    assert outcome.case.answers["gpu_count"].normal == "count=8"
    assert set(shown(outcome, screen.Ask)[0].taken) == {"gpu", "gpu_count"}


def test_the_language_switch_asks_the_open_question_again():
    outcome = play(at("gpu"), Said("切换到中文"))
    assert outcome.case.state.field == "gpu"
    kinds = [type(effect) for effect in outcome.effects]
    assert kinds == [fx.SetLanguage, fx.Redraw, fx.Show, fx.Show]
    assert shown(outcome, screen.Ask)[0].field == "gpu"


def test_the_language_button_redraws_the_open_question_in_place():
    outcome = play(at("gpu"), Pressed(Button("lang", "set", ("zh_Hans",))))
    assert any(isinstance(effect, fx.Redraw) for effect in outcome.effects)
    assert outcome.case.state.field == "gpu"


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ("start", "human", "cancel", "trial")])
@pytest.mark.parametrize("key", ["gpu", "description", "name"])
def test_a_command_is_never_taken_for_an_answer(name, key):
    outcome = play(at(key), Commanded(name))
    assert outcome.case.answers == fresh().answers
    assert outcome.case.state.field == key


@pytest.mark.parametrize(
    ("said", "also"),
    [
        ("数据集大概 500G 到 1T，检查点每 2 小时", {"dataset_size", "checkpoint"}),
        ("the data set is between 500 GB and 1 TB", {"dataset_size"}),
        ("8 张 H100，租三个月", {"gpu", "gpu_count", "duration"}),
        ("Fine-tune Qwen2.5-7B on 500 GB of support tickets", set()),
        ("用自己的对话数据微调一个客服助手", set()),
        ("A chatbot for our 8 hospitals, open 24 hours a day", set()),
    ],
)
def test_a_description_of_nothing_but_quantities_fills_their_fields_too(said, also):
    case = play(at("description", fresh(workload="fine_tuning", method="lora")), Said(said)).case
    assert case.answers["description"].normal == said
    assert set(case.answers) - {"workload", "method", "description"} == also


def test_cancel_loses_nothing():
    case = at("gpu", fresh(workload="training"))
    outcome = play(case, Commanded("cancel"))
    assert outcome.case.answers == case.answers
    assert play(outcome.case, Commanded("start")).case.answers == case.answers
    assert shown(play(outcome.case, Said("hello")), screen.Ask)


def test_the_last_answer_brings_the_summary_and_confirming_sends_it():
    outcome = play(complete(), Commanded("start"))
    assert shown(outcome, screen.Summary)
    sent = play(outcome.case, Pressed(Button("d1", "confirm")))
    assert sent.case.request_state is RequestState.CONFIRMED
    assert fx.Submit() in sent.effects
    again = play(sent.case, Pressed(Button("d1", "confirm")))
    assert again.case == sent.case
    assert fx.Submit() not in again.effects


def test_an_answer_is_changed_from_the_summary_and_the_summary_returns():
    summed = play(complete(), Commanded("start"))
    menu = play(summed.case, Pressed(Button("d1", "edit")), Pressed(Button("d1", "edit", ("cards",))))
    asked = play(menu.case, Pressed(Button("d1", "change", ("gpu",))))
    assert asked.case.state.field == "gpu"
    done = play(asked.case, Said("H200"))
    assert done.case.answers["gpu"].normal == "model=H200"
    assert shown(done, screen.Summary)


def test_after_a_sent_request_start_opens_a_new_one_with_new_buttons():
    sent = replace(complete(), request_state=RequestState.CONFIRMED)
    outcome = play(sent, Commanded("start"))
    assert len(outcome.case.answers) == 0
    assert outcome.case.state.owner == "d2"
    assert fx.StartOver() in outcome.effects


def test_after_confirming_messages_go_to_the_staff():
    sent = replace(complete().at(Scene.DESK), request_state=RequestState.CONFIRMED)
    assert play(sent, Said("when is delivery?")).effects == (fx.Relay(),)
    assert play(sent, Sent("photo", "rack")).effects == (fx.Relay(),)


def test_a_sticker_in_the_checklist_gets_an_answer_and_the_question_again():
    outcome = play(at("gpu"), Sent("sticker"))
    assert shown(outcome, screen.Notice)
    assert shown(outcome, screen.Ask)


def test_human_calls_staff_once_and_the_checklist_can_be_resumed():
    outcome = play(at("gpu"), Commanded("human"))
    assert fx.CallStaff() in outcome.effects
    assert play(outcome.case, Said("are you there?")).effects == (fx.Relay(),)
    again = play(outcome.case, Pressed(Button("g", "human")))
    assert fx.CallStaff() not in again.effects
    back = play(outcome.case, Pressed(Button("g", "resume")))
    assert shown(back, screen.Ask)


def test_a_trial_is_registered_in_words():
    case = at("gpu", fresh(workload="training"))
    asked = play(case, Commanded("trial"), Said("2张4090"), Said("3.5元"), Said("3小时"))
    draft = asked.case.state.trial
    assert (draft.gpu, draft.gpus, draft.price, draft.currency, draft.seconds) == (
        "rtx4090",
        2,
        Decimal("3.5"),
        "CNY",
        10800,
    )
    done = play(asked.case, Pressed(Button("d1", "register")))
    assert fx.RegisterTrial(draft) in done.effects
    assert done.case.state.field == "gpu"
    assert shown(done, screen.Ask), "the checklist's question comes back"


def test_a_trial_may_run_until_a_moment():
    case = fresh()
    draft = TrialDraft(gpu="rtx4090", gpus=1, price=Decimal(1))
    case = replace(case, state=case.state.model_copy(update={"scene": Scene.TRIAL, "trial": draft}))
    assert play(case, Said("in 90 minutes")).case.state.trial.until == NOW + timedelta(minutes=90)


@pytest.mark.parametrize("said", ["a potato", "", "0 hours", "-3 hours", "500 days"])
def test_an_impossible_time_is_asked_again(said):
    draft = TrialDraft(gpu="rtx4090", gpus=1, price=Decimal(1))
    case = replace(fresh(), state=DialogState(scene=Scene.TRIAL, trial=draft))
    outcome = play(case, Said(said))
    assert outcome.case.state.trial.step is TrialStep.HOURS


def test_destroyed_before_verified_is_asked_once_more_in_words_and_by_button():
    context = replace(CONTEXT, trials=(TRIAL,))
    for first, second in [
        (Said("已销毁"), Said("是的")),
        (Said("destroyed"), Said("destroyed")),
        (Pressed(Button("t3", "destroyed")), Pressed(Button("t3", "destroyed", ("sure",)))),
    ]:
        asked = play(at("gpu"), first, context=context)
        assert not [e for e in asked.effects if isinstance(e, fx.TakeStep)]
        assert shown(asked, screen.StepSure)[0].missing == (TrialState.MOVED, TrialState.VERIFIED)
        done = play(asked.case, second, context=context)
        (step,) = [e for e in done.effects if isinstance(e, fx.TakeStep)]
        assert step.trial.destroyed_at == context.now
        assert shown(done, screen.MeasureQuestion)
        assert "gpu" not in done.case.answers


def test_a_yes_to_something_else_does_not_destroy():
    context = replace(CONTEXT, trials=(TRIAL,))
    asked = play(at("nvlink", fresh(workload="training")), Said("destroyed"), Said("wait"), context=context)
    assert asked.case.state.sure == ""
    done = play(asked.case, Said("yes"), context=context)
    assert not [e for e in done.effects if isinstance(e, fx.TakeStep)]


def test_a_verified_trial_is_destroyed_without_another_question():
    trial = replace(TRIAL, moved_at=CONTEXT.now, verified_at=CONTEXT.now)
    context = replace(CONTEXT, trials=(trial,))
    outcome = play(at("gpu"), Said("已销毁"), context=context)
    assert [e.trial.id for e in outcome.effects if isinstance(e, fx.TakeStep)] == [3]


def test_a_reminder_is_snoozed_by_button_and_by_words():
    one = Occurrence(9, "destroy", 5, 3, None, CONTEXT.now)
    context = replace(CONTEXT, trials=(TRIAL,), sent=(one,))
    later = fx.Snooze(one, CONTEXT.now + timedelta(minutes=15))
    assert later in play(fresh(), Pressed(Button("r9", "later", ("15m",))), context=context).effects
    for words in ("snooze 15 min", "15分钟后再提醒我", "remind me again in 15 minutes"):
        assert later in play(fresh(), Said(words), context=context).effects
    gone = play(fresh(), Pressed(Button("r8", "later", ("15m",))), context=context)
    assert not [e for e in gone.effects if isinstance(e, fx.Snooze)]


@pytest.mark.parametrize(
    ("words", "minutes"),
    [
        ("later", 60), ("再过一会儿", 60), ("等会儿", 60), ("再等会儿", 60), ("等一下", 60), ("in a bit", 60), ("give me a minute", 60), ("not yet", 60),
        ("in 20 minutes", 20), ("20分钟后", 20), ("再给我10分钟", 10), ("10 more minutes", 10), ("两小时后再说", 120), ("明天再说", 23 * 60),
    ],
)  # fmt: skip
def test_later_is_about_the_reminder_that_has_just_come_whatever_question_is_open(words, minutes):
    one = Occurrence(9, "own", 5, None, 2, CONTEXT.now, unheard=True)
    context = replace(CONTEXT, now=datetime.fromisoformat("2026-11-30T10:00+08:00"), sent=(one,))
    for case in (at("description", fresh(workload="training")), at("start_date"), fresh()):
        done = play(case, Said(words), context=context)
        (snooze,) = [e for e in done.effects if isinstance(e, fx.Snooze)]
        assert snooze.due_at == context.now + timedelta(minutes=minutes)
        assert not [key for key in done.case.answers if key != "workload"]


def test_later_is_about_the_question_when_no_reminder_has_just_come():
    old, draft = (
        Occurrence(9, "own", 5, None, 2, CONTEXT.now),
        Occurrence(10, "draft", 5, None, None, NOW, unheard=True),
    )
    for sent in ((), (old,), (draft,)):
        done = play(at("duration"), Said("later"), context=replace(CONTEXT, sent=sent))
        assert done.case.answers["duration"].status is Status.TBD
        assert not [e for e in done.effects if isinstance(e, fx.Snooze)]
    weeks = play(at("start_date"), Said("in 2 weeks"), context=replace(CONTEXT, sent=(replace(old, unheard=True),)))
    assert weeks.case.answers["start_date"].normal == "2026-12-14"


def test_a_question_that_comes_back_does_not_apologise_for_what_was_understood():
    context = replace(CONTEXT, trials=(TRIAL,))
    for understood in (Said("stopped"), Commanded("reminders"), Said("remind me in 20 minutes"), Commanded("help")):
        done = play(at("duration"), Said("purple"), understood, context=context)
        assert [s.tries for s in shown(done, screen.Ask)] == [0]


@pytest.mark.parametrize(
    ("locale", "said", "price", "currency"),
    [
        # A bare number is in the language's currency, unless only the other one is near the market (RTX 4090: $0.28-0.69).
        ("zh_Hans", "0.35", "0.35", "USD"), ("zh_Hans", "2.5", "2.5", "CNY"), ("en", "0.35", "0.35", "USD"), ("en", "2.5", "2.5", "USD"),
        ("zh_Hans", "0.35元", "0.35", "CNY"), ("zh_Hans", "9", "9", "CNY"), ("en", "9", "9", "USD"), ("en", "2.5 USD", "2.5", "USD"),
        ("zh_Hans", "60元/天", "2.5", "CNY"), ("en", "$252 per month", "0.35", "USD"), ("en", "0.35 per hour", "0.35", "USD"),
        ("en", "0", None, None), ("en", "-3", None, None), ("zh_Hans", "100万一小时", None, None), ("en", "free", None, None),
    ],
)  # fmt: skip
def test_a_price_is_for_the_hour_and_in_the_likelier_currency(locale, said, price, currency):
    case = replace(fresh(), state=DialogState(scene=Scene.TRIAL, trial=TrialDraft(gpu="rtx4090", gpus=1)))
    draft = play(case, Said(said), context=replace(CONTEXT, locale=locale)).case.state.trial
    assert (draft.price, draft.price and draft.currency) == (price and Decimal(price), currency)


def test_delete_me_asks_first():
    asked = play(fresh(), Commanded("delete_me"))
    assert fx.Forget() not in asked.effects
    assert fx.Forget() in play(asked.case, Pressed(Button("d1", "forget", ("yes",)))).effects
    assert fx.Forget() not in play(asked.case, Pressed(Button("d1", "forget", ("no",)))).effects


def test_the_open_screen_is_a_function_of_the_case_alone():
    case = at("gpu")
    assert open_screen(case) == open_screen(replace(case))
    assert open_screen(fresh()) is None


def uneven(count: str = "18") -> Case:
    case = complete()
    counts = {
        "gpu_count": Answer(normal=f"count={count}", **EXACT),
        "gpus_per_node": Answer(normal="count=8", **EXACT),
    }
    return replace(case, answers=case.answers.with_answers(counts), state=case.state.at(Scene.SUMMARY))


def test_confirming_cards_that_do_not_divide_leads_to_that_question_and_back_to_the_summary():
    outcome = play(uneven(), Pressed(Button("d1", "confirm")))
    asked = shown(outcome, screen.Ask)
    assert [(s.field, s.warnings) for s in asked] == [("gpus_per_node", ("uneven_machines",))]
    assert not [e for e in outcome.effects if isinstance(e, fx.Submit)]
    mended = play(outcome.case, Said("6"))
    assert mended.case.state.scene is Scene.SUMMARY
    assert [e for e in play(mended.case, Pressed(Button("d1", "confirm"))).effects if isinstance(e, fx.Submit)]


def test_who_confirms_the_same_counts_again_means_them_and_other_counts_are_asked_about_again():
    kept = play(uneven(), Pressed(Button("d1", "confirm")), Said("8")).case
    assert [e for e in play(kept, Pressed(Button("d1", "confirm"))).effects if isinstance(e, fx.Submit)]
    changed = replace(kept, answers=uneven("20").answers)
    assert shown(play(changed, Pressed(Button("d1", "confirm"))), screen.Ask)


@pytest.mark.parametrize("said", ["back", "上一题"])
def test_what_a_tap_is_told_in_a_toast_is_said_aloud_to_words(said):
    outcome = decide(at("workload"), Said(said), CONTEXT)
    assert outcome.effects == (fx.Show(screen.Notice("This is the first question.")),)
