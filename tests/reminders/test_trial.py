"""A trial's cost to the cent, its steps, and the reminders that each state calls for."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from bot.reminders.kinds import DESTROY, KINDS, MOVE, STORAGE, headline
from bot.reminders.rules import next_due, planned
from bot.reminders.steps import RESUMED, missing_before, taken
from bot.reminders.trial import Trial, TrialState

START = datetime(2026, 11, 30, 2, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
TRIAL = Trial(
    1,
    "rtx4090",
    2,
    Decimal("0.35"),
    "USD",
    START,
    START + 3 * HOUR,
    storage_gb=200,
    storage_price_per_gb_month=Decimal("0.10"),
)


def test_the_cost_is_exact_to_the_cent_over_stops_and_restarts():
    """By hand: 2 x 0.35 x (2 h + 30 min 1 s) = 1.7501944… = 1.75; 200 GB x 0.10 x 74 h / 720 h = 2.0555… = 2.06."""
    trial = taken(TRIAL, TrialState.STOPPED, START + 2 * HOUR)
    trial = taken(trial, RESUMED, START + 50 * HOUR)
    trial = taken(trial, TrialState.STOPPED, START + 50 * HOUR + timedelta(minutes=30, seconds=1))
    trial = taken(trial, TrialState.DESTROYED, START + 74 * HOUR)
    later = START + 1000 * HOUR
    assert trial.ran_for(later) == 2.5 * HOUR + timedelta(seconds=1)
    assert (trial.compute_cost(later), trial.storage_cost(later), trial.cost(later)) == (
        Decimal("1.75"),
        Decimal("2.06"),
        Decimal("3.81"),
    )


@pytest.mark.parametrize(
    ("seconds", "compute"), [(0, "0.00"), (1, "0.00"), (26, "0.01"), (3600, "0.70"), (5400, "1.05"), (10800, "2.10")]
)
def test_the_cards_are_metered_by_the_second(seconds, compute):
    assert TRIAL.compute_cost(START + timedelta(seconds=seconds)) == Decimal(compute)


def test_a_clock_that_goes_back_costs_nothing():
    assert TRIAL.cost(START - HOUR) == Decimal("0.00")


def test_storage_a_day_is_the_months_thirtieth():
    assert TRIAL.storage_per_day.quantize(Decimal("0.01")) == Decimal("0.67")


def test_steps_out_of_order_name_what_is_missing():
    assert missing_before(TRIAL, TrialState.STOPPED) == missing_before(TRIAL, TrialState.MOVED) == ()
    assert missing_before(TRIAL, TrialState.VERIFIED) == (TrialState.MOVED,)
    assert missing_before(TRIAL, TrialState.DESTROYED) == (TrialState.MOVED, TrialState.VERIFIED)
    moved = taken(TRIAL, TrialState.MOVED, START)
    assert missing_before(moved, TrialState.DESTROYED) == (TrialState.VERIFIED,)
    assert missing_before(taken(moved, TrialState.VERIFIED, START), TrialState.DESTROYED) == ()


def test_nothing_follows_destruction_and_a_step_twice_changes_nothing():
    ended = taken(TRIAL, TrialState.DESTROYED, START)
    for step in (*TrialState, RESUMED):
        assert taken(ended, step, START + HOUR) == ended
    stopped = taken(TRIAL, TrialState.STOPPED, START)
    assert taken(stopped, TrialState.STOPPED, START + HOUR) == stopped


def test_started_again_what_was_verified_counts_no_more():
    trial = taken(taken(TRIAL, TrialState.STOPPED, START), TrialState.VERIFIED, START)
    again = taken(trial, RESUMED, START + HOUR)
    assert again.computes
    assert missing_before(again, TrialState.DESTROYED) == (TrialState.MOVED, TrialState.VERIFIED)


def test_a_running_trial_is_spoken_of_before_its_end():
    assert planned(TRIAL, START) == (
        (MOVE, START + 3 * HOUR - timedelta(minutes=45)),
        (DESTROY, START + 3 * HOUR - timedelta(minutes=15)),
    )


def test_a_short_trial_is_spoken_of_at_its_end_and_one_past_it_soon():
    short = replace(TRIAL, planned_end_at=START + timedelta(minutes=10))
    assert planned(short, START) == ((DESTROY, short.planned_end_at),)
    assert planned(TRIAL, START + 9 * HOUR) == ((DESTROY, START + 9.5 * HOUR),)


def test_a_stopped_trial_is_spoken_of_for_its_storage_and_a_destroyed_one_never():
    stopped = taken(TRIAL, TrialState.STOPPED, START + HOUR)
    assert planned(stopped, START + HOUR) == ((STORAGE, START + 25 * HOUR),)
    assert planned(taken(stopped, TrialState.DESTROYED, START), START) == ()


def test_unanswered_it_comes_again_and_its_words_grow_more_urgent():
    waits = [next_due(DESTROY, START, times) - START for times in range(1, 8)]
    assert waits == [timedelta(minutes=30), HOUR, 3 * HOUR, 12 * HOUR, 24 * HOUR, 24 * HOUR, 24 * HOUR]
    said = [headline(DESTROY, after) for after in (-HOUR, timedelta(0), HOUR, 10 * HOUR)]
    assert len(set(said)) == 4


def test_every_kind_has_a_due_rule_and_words():
    for kind in KINDS.values():
        assert kind.title
        assert headline(kind, timedelta(0))
        assert kind.task_from <= len(kind.again_after) + 1
