"""The screens of a registered trial: its cost, its steps, its end, and what it measured."""

from typing import Final

from bot.dialog.button import Button
from bot.dialog.screen import (
    StepSure,
    StepTaken,
    TrialChart,
    TrialCost,
    TrialDestroyed,
)
from bot.i18n import N_, Texts
from bot.reminders.steps import RESUMED, STEPS
from bot.reminders.trial import Trial, TrialState, cents
from bot.telegram.markup import Html, bold, line, lines, paragraphs
from bot.telegram.screens.estimates import card_title
from bot.telegram.screens.view import Reader, Tap, View, in_rows

TAPS: Final = {
    TrialState.DESTROYED: N_("I have destroyed it"),
    TrialState.VERIFIED: N_("Files verified"),
    TrialState.MOVED: N_("Data moved"),
    TrialState.STOPPED: N_("Stopped"),
    RESUMED: N_("Running again"),
}
_STATES: Final = {
    TrialState.RUNNING: N_("running"),
    TrialState.STOPPED: N_("stopped"),
    TrialState.MOVED: N_("data moved"),
    TrialState.VERIFIED: N_("files verified"),
    TrialState.DESTROYED: N_("destroyed"),
}
_NEXT: Final = {
    TrialState.RUNNING: N_("It computes again, and the reminders are set anew."),
    TrialState.STOPPED: N_("Next: move weights and data to your own storage; destroying will clear the disk."),
    TrialState.MOVED: N_("Next: verify that the files arrived whole, then destroy the instance."),
    TrialState.VERIFIED: N_("Next: destroy the instance in the console; only that ends all billing."),
}


def trial_cost(screen: TrialCost, reader: Reader) -> View:
    """How far a trial has come, and what it has cost so far."""
    texts, trial = reader.texts, screen.trial
    end = texts.text(N_("Planned end: {moment}"), moment=texts.moment(trial.planned_end_at, reader.zone))
    until = Tap(texts.text(N_("Change the end")), Button(f"t{trial.id}", "until"))
    rows = (*in_rows(step_taps(trial, reader.texts)), (until,)) if trial.is_running else ()
    return View(lines(trial_block(trial, reader), end), rows)


def trial_chart(screen: TrialChart, reader: Reader) -> View:
    """The cost of a trial as a picture."""
    trial, texts = screen.trial, reader.texts
    spec = {
        "trial": {
            "cards": f"{trial.gpus} × {card_title(trial.gpu)}",
            "price_per_hour": str(trial.price_per_hour),
            "storage_per_day": str(trial.storage_per_day),
            "currency": trial.currency,
            "started_at": trial.started_at.isoformat(),
            "planned_end_at": trial.planned_end_at.isoformat(),
            "destroyed_at": trial.destroyed_at.isoformat() if trial.destroyed_at else None,
            "stops": [[since.isoformat(), to.isoformat() if to else None] for since, to in trial.stops],
        },
        "now": reader.now.isoformat(),
        "offset_s": (reader.now.astimezone(reader.zone).utcoffset() or reader.now - reader.now).total_seconds(),
        "locale": texts.locale,
    }
    return View(line(texts.text(N_("The cost so far, and to come if it goes on like this."))), picture=spec)


def step_sure(screen: StepSure, reader: Reader) -> View:
    """Ask once more, naming what has not been told yet and what would be lost."""
    texts, owner = reader.texts, f"t{screen.trial.id}"
    missing = texts.listed(texts.text(STEPS[step]) for step in screen.missing)
    loss = (
        N_("Destroying clears the disk for good: what was not moved and verified is lost.")
        if screen.step is TrialState.DESTROYED
        else N_("Files can be verified once they were moved.")
    )
    yes = N_("Yes, it is destroyed") if screen.step is TrialState.DESTROYED else N_("Yes, both are done")
    return View(
        lines(bold(texts.text(N_("Not told yet: {steps}. Are you sure?"), steps=missing)), texts.text(loss)),
        (
            (Tap(texts.text(yes), Button(owner, screen.step, ("sure",))),),
            (Tap(texts.text(N_("Not yet")), Button(owner, "keep")),),
        ),
    )


def step_taken(screen: StepTaken, reader: Reader) -> View:
    """A step is noted: what the trial costs now, and what comes next."""
    texts, trial = reader.texts, screen.trial
    step = TrialState.RUNNING if screen.step == RESUMED else TrialState(screen.step)
    if trial.computes:
        costs = texts.text(N_("It is still running: {money} an hour."), money=per_hour(trial, texts))
    elif trial.storage_gb:
        costs = texts.text(
            N_("The cards cost nothing any more; storage goes on at {money} a day."), money=per_day(trial, texts)
        )
    else:
        costs = texts.text(N_("The cards cost nothing any more; storage goes on costing until it is destroyed."))
    return View(
        paragraphs([step_title(screen.step, texts), lines(trial_block(trial, reader), costs), texts.text(_NEXT[step])]),
        in_rows(step_taps(trial, texts)),
    )


def step_title(step: str, texts: Texts) -> Html:
    """Which step was noted."""
    state = TrialState.RUNNING if step == RESUMED else TrialState(step)
    return line("☑ ", bold(texts.text(N_("Noted: {step}"), step=texts.text(_STATES[state]))))


def trial_destroyed(screen: TrialDestroyed, reader: Reader) -> View:
    """A trial is closed: its time and cost."""
    texts = reader.texts
    return View(
        paragraphs(
            [
                line("✅ ", bold(texts.text(N_("Destroyed; all billing for it has ended")))),
                trial_block(screen.trial, reader),
                texts.text(N_("There will be no more reminders for it.")),
            ]
        )
    )


def trial_block(trial: Trial, reader: Reader) -> Html:
    """A trial in two lines: cards, price and state; cost so far."""
    texts = reader.texts
    each = texts.text(N_("{money} per card and hour"), money=texts.money(trial.price_per_gpu_hour, trial.currency))
    return lines(
        line(bold(f"{trial.gpus} × {card_title(trial.gpu)}"), " · ", each, " · ", _state(trial, texts)),
        _cost_line(trial, reader),
    )


def step_taps(trial: Trial, texts: Texts, codes: tuple[str, ...] = tuple(TAPS)) -> list[Tap]:
    """The buttons of the steps that a trial can still take."""
    done = {
        TrialState.STOPPED: trial.is_stopped,
        TrialState.MOVED: trial.moved_at is not None,
        TrialState.VERIFIED: trial.verified_at is not None,
        RESUMED: not trial.is_stopped,
    }
    return [
        Tap(texts.text(label), Button(f"t{trial.id}", step))
        for step, label in TAPS.items()
        if step in codes and not done.get(step, False)
    ]


def per_hour(trial: Trial, texts: Texts) -> str:
    """What its cards cost an hour."""
    return texts.money(trial.price_per_hour, trial.currency)


def per_day(trial: Trial, texts: Texts) -> str:
    """What its disk costs a day."""
    return texts.money(cents(trial.storage_per_day), trial.currency)


def _state(trial: Trial, texts: Texts) -> str:
    """The step told last; while money runs, with whether the cards are still billed."""
    states = [trial.state]
    if trial.state in (TrialState.MOVED, TrialState.VERIFIED):
        states.insert(0, TrialState.STOPPED if trial.is_stopped else TrialState.RUNNING)
    return " · ".join(texts.text(_STATES[state]) for state in states)


def _cost_line(trial: Trial, reader: Reader) -> str:
    texts, now, whole = reader.texts, reader.now, not trial.is_running
    compute, time = texts.money(trial.compute_cost(now), trial.currency), texts.duration(trial.ran_for(now))
    if not trial.storage_gb:
        return texts.text(
            N_("Compute in all: {money} in {time}; storage and traffic come on top.")
            if whole
            else N_("Compute so far: {money} in {time}; storage and traffic come on top."),
            money=compute,
            time=time,
        )
    return texts.text(
        N_("In all {total}: cards {compute} in {time}, storage {storage}; traffic comes on top.")
        if whole
        else N_("So far {total}: cards {compute} in {time}, storage {storage}; traffic comes on top."),
        total=texts.money(trial.cost(now), trial.currency),
        compute=compute,
        time=time,
        storage=texts.money(trial.storage_cost(now), trial.currency),
    )
