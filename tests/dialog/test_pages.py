"""Long lists in pages: cut so that every entry is on one page, turned in place, harmless when the list has changed meanwhile."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from bot.checklist.answer import Answers
from bot.checklist.fields import FIELDS
from bot.checklist.understand import undecided
from bot.dialog.button import Button
from bot.dialog.decide import decide, open_screen
from bot.dialog.effect import ChangeReminder, Show, Toast
from bot.dialog.event import Commanded, Context, Pressed, Said
from bot.dialog.lists import LISTS, OPEN
from bot.dialog.pages import PER_PAGE, page_of, page_with, turn, turned
from bot.dialog.screen import ReminderList, StatusReport
from bot.dialog.state import Case, DialogState, Scene
from bot.reminders.series import Series
from bot.reminders.trial import Trial

NOW = datetime(2026, 11, 30, 2, 0, tzinfo=UTC)
KEPT = tuple(Series(n, "own", None, "tea", "every=P1D;at=09:00", NOW, next_at=NOW) for n in range(1, 21))
TRIALS = tuple(
    Trial(n, "rtx4090", 1, Decimal("0.35"), "USD", NOW, NOW + timedelta(hours=3)) for n in range(1, PER_PAGE + 3)
)
CONTEXT = Context(now=NOW, locale="en", known=True, series=KEPT)


@pytest.mark.parametrize("length", [0, 1, PER_PAGE, PER_PAGE + 1, 50])
def test_every_entry_stands_on_one_page_with_its_number(length):
    entries = [f"e{n}" for n in range(1, length + 1)]
    count = page_of(entries, 0).count
    shown = [pair for number in range(count) for pair in page_of(entries, number).numbered()]
    assert shown == [(n, f"e{n}") for n in range(1, length + 1)]
    assert all(page_with(place) == number for number in range(count) for place in [page_of(entries, number).first])


@pytest.mark.parametrize("number", [-1, 4, 10**9])
def test_a_page_that_is_no_more_is_the_nearest_one(number):
    page = page_of(range(20), number)
    assert page.items
    assert page.number in (0, page.count - 1)


def test_a_button_turns_only_the_list_that_it_names():
    button = turn("d1", 2, "taken", "gpu")
    assert len(button.encode()) <= 64
    assert turned(Button.decode(button.encode()), "taken", "gpu") == 2
    assert turned(button, "taken", "model") is None
    assert turned(Button("d1", "turn"), "taken") is None
    assert turned(Button("d1", "turn", ("taken", "x")), "taken") is None
    assert turned(Button("d1", "undo", ("taken", "2")), "taken") is None


def press(button, context=CONTEXT, case=None):
    return decide(case or Case(DialogState(), Answers()), Pressed(button), context)


def test_a_list_is_turned_in_its_place_and_nothing_else_changes():
    case = Case(DialogState(), Answers())
    outcome = press(turn(LISTS, 2, "kept"))
    assert outcome.case == case
    assert outcome.effects == (Show(ReminderList((), KEPT, 2), replace=True),)
    status = press(turn(LISTS, 1, "status"), replace(CONTEXT, trials=TRIALS))
    assert status.effects == (Show(StatusReport(Answers(), "draft", TRIALS, 1), replace=True),)


def test_the_list_comes_anew_from_a_message_that_is_no_list():
    assert press(Button(LISTS, OPEN, ("kept",))).effects == (Show(ReminderList((), KEPT)),)


@pytest.mark.parametrize(
    "button", [Button(LISTS, "turn", ("kept", "x")), Button(LISTS, "turn", ("what", "1")), Button(LISTS, "turn")]
)
def test_a_button_of_no_list_is_answered_and_changes_nothing(button):
    (effect,) = press(button).effects
    assert isinstance(effect, Toast)


@pytest.mark.parametrize("action", ["pause", "delete"])
def test_what_changes_an_entry_leaves_its_page_open(action):
    outcome = press(Button("s14", action))
    change, shown = outcome.effects
    assert isinstance(change, ChangeReminder)
    assert shown.replace
    assert shown.screen.page == page_with(13)


def test_the_cost_of_many_trials_comes_as_a_list():
    outcome = decide(Case(DialogState(), Answers()), Said("cost so far"), replace(CONTEXT, trials=TRIALS))
    assert [type(effect.screen) for effect in outcome.effects] == [ReminderList]


def everything_taken() -> Case:
    keys = tuple(field.key for field in FIELDS)[:20]
    answers = Answers(dict.fromkeys(keys, undecided()))
    state = DialogState(scene=Scene.CHECKLIST, field=FIELDS[21].key, taken=keys)
    return Case(state, answers)


def test_the_ways_back_of_a_long_message_are_turned_beside_the_question():
    case = everything_taken()
    turned_once = press(turn("d1", 1, "taken", case.state.taken[0]), case=case)
    (shown,) = turned_once.effects
    assert (shown.live, shown.replace, shown.screen.taken_page) == (True, True, 1)
    assert open_screen(turned_once.case) == shown.screen, "so that a language switch shows the same page"
    assert turned_once.case.state.taken == case.state.taken
    later = decide(turned_once.case, Commanded("status"), CONTEXT).case
    assert later.state.taken_page == 1
    undone = press(Button("d1", "undo", (case.state.taken[8],)), case=turned_once.case)
    assert case.state.taken[8] not in undone.case.answers


def test_a_turn_below_an_earlier_message_changes_nothing():
    case = everything_taken()
    (effect,) = press(turn("d1", 1, "taken", "utilization"), case=case).effects
    assert isinstance(effect, Toast)
