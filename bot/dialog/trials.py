"""The conversation that registers a trial instance, and what its reminders' buttons do."""

from dataclasses import replace
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Final

from bot import quantities
from bot.checklist.job import card_key, request_from
from bot.dialog.button import Button
from bot.dialog.effect import DestroyTrial, Effect, Outcome, RegisterTrial, Show, Snooze, Toast
from bot.dialog.event import Context
from bot.dialog.screen import Snoozed, TrialCost, TrialDestroyed, TrialQuestion, TrialRegistered
from bot.dialog.state import Case, Scene, TrialDraft, TrialStep
from bot.errors import DeskError
from bot.estimation import estimate
from bot.i18n import N_
from bot.quantities import Normal, duration_seconds
from bot.reminders.rules import SNOOZES
from bot.reminders.trial import Trial

LONGEST_TRIAL_SECONDS: Final = 90 * 86400.0
"""A trial is short by nature; a longer plan is more likely a misreading."""


def begin(case: Case, argument: str, context: Context) -> Outcome:
    """Ask for the trial's card and count, or take what was written behind the command."""
    opened = _at(case, TrialDraft())
    return answer(opened, argument, context) if argument else _ask(opened)


def question(case: Case) -> TrialQuestion:
    """Return the open question of the registration as a screen."""
    draft = case.state.trial or TrialDraft()
    return TrialQuestion(case.state.owner, draft, case.answers, tries=case.state.tries)


def answer(case: Case, said: str, context: Context) -> Outcome:
    """Take a text as the answer to the registration's open question."""
    draft = case.state.trial or TrialDraft()
    readers = {TrialStep.CARDS: _read_cards, TrialStep.PRICE: _read_price, TrialStep.HOURS: _read_hours}
    reader = readers.get(draft.step)
    filled = reader(draft, said, context) if reader else None
    if filled is None:
        state = case.state.model_copy(update={"tries": case.state.tries + 1})
        return _ask(replace(case, state=state))
    return _ask(_at(case, filled))


def press(case: Case, button: Button) -> Outcome | None:
    """Carry out a tap inside the registration; None when it does not belong to the open step."""
    draft = case.state.trial
    if case.state.scene is not Scene.TRIAL or draft is None or button.owner != case.state.owner:
        return None
    if button.action == "stop":
        return Outcome(_closed(case))
    if button.action == "take" and button.args and button.args[0] == draft.step:
        taken = _taken(draft, button.args[1:])
        return (
            None
            if taken is None
            else Outcome(_at(case, taken), (Show(question(_at(case, taken)), live=True, replace=True),))
        )
    if button.action == "register" and draft.step is TrialStep.CHECK:
        effects: tuple[Effect, ...] = (RegisterTrial(draft), Show(TrialRegistered(draft), replace=True))
        return Outcome(_closed(case), effects)
    return None


def press_trial(case: Case, button: Button, context: Context) -> Outcome:
    """Carry out a tap on a button of a registered trial: destroyed, remind later, cost so far."""
    trial = next((t for t in context.trials if f"t{t.id}" == button.owner), None)
    if trial is None:
        return Outcome(case, (Toast(N_("This trial is closed already.")),))
    if button.action == "destroyed":
        ended = replace(trial, destroyed_at=context.now)
        return Outcome(case, (DestroyTrial(trial.id), Show(TrialDestroyed(ended), replace=True)))
    if button.action == "later" and button.args and button.args[0] in SNOOZES:
        seconds = SNOOZES[button.args[0]].total_seconds()
        return Outcome(case, (Snooze(trial.id, seconds), Show(Snoozed(seconds), replace=True)))
    if button.action == "cost":
        return Outcome(case, (Show(TrialCost(trial)),))
    return Outcome(case, (Toast(N_("That button does nothing any more.")),))


def destroyed_by_words(case: Case, trials: tuple[Trial, ...], context: Context) -> Outcome | None:
    """Take "destroyed" as said of the only running trial; with several the customer must say which by button."""
    if len(trials) != 1:
        return None
    ended = replace(trials[0], destroyed_at=context.now)
    return Outcome(case, (DestroyTrial(trials[0].id), Show(TrialDestroyed(ended))))


def suggested(case: Case) -> tuple[str, int] | None:
    """Return the card and count of the smallest plan for the customer's job; None while the job is unknown."""
    request = request_from(case.answers)
    if request is None:
        return None
    try:
        plans = estimate(request.model_copy(update={"gpu": None, "gpus": None})).plans
    except DeskError:
        return None
    smallest = next((plan for plan in plans if plan.rank == "smallest"), plans[0] if plans else None)
    return (smallest.gpu, smallest.gpus) if smallest else None


def _at(case: Case, draft: TrialDraft) -> Case:
    moved = case.at(Scene.TRIAL, case.state.field, from_summary=case.state.from_summary)
    return replace(moved, state=moved.state.model_copy(update={"trial": draft}))


def _closed(case: Case) -> Case:
    """The case without a registration; the field that was open before it stays to be resumed."""
    scene = Scene.CHECKLIST if case.is_draft and case.state.field else Scene.IDLE
    moved = case.at(scene, case.state.field, from_summary=case.state.from_summary)
    return replace(moved, state=moved.state.model_copy(update={"trial": None}))


def _ask(case: Case) -> Outcome:
    return Outcome(case, (Show(question(case), live=True),))


def _taken(draft: TrialDraft, args: tuple[str, ...]) -> TrialDraft | None:
    """The draft with a suggestion taken: (cards, key), (price in thousandths, currency), or (hours,); None for other codes."""
    if draft.step is TrialStep.CARDS and len(args) == 2 and args[0].isdigit() and card_key(f"model={args[1]}"):  # noqa: PLR2004 - count and key
        return draft.model_copy(update={"step": TrialStep.PRICE, "gpus": int(args[0]), "gpu": args[1]})
    if draft.step is TrialStep.PRICE and len(args) == 2 and args[0].isdigit():  # noqa: PLR2004 - price and currency
        price = Decimal(args[0]) / 1000
        return draft.model_copy(update={"step": TrialStep.HOURS, "price": price, "currency": args[1]})
    if draft.step is TrialStep.HOURS and len(args) == 1 and args[0].isdigit():
        return draft.model_copy(update={"step": TrialStep.CHECK, "seconds": float(args[0]) * 3600})
    return None


def _read_cards(draft: TrialDraft, said: str, context: Context) -> TrialDraft | None:
    normal = quantities.parse("gpu", said, now=context.now)
    key = card_key(normal)
    if normal is None or key is None:
        return None
    count = Normal.read(normal).value("count")
    gpus = int(count) if count else 1
    return draft.model_copy(update={"step": TrialStep.PRICE, "gpu": key, "gpus": gpus}) if gpus > 0 else None


def _read_price(draft: TrialDraft, said: str, context: Context) -> TrialDraft | None:
    normal = quantities.parse("money", said, now=context.now)
    if normal is None:
        return None
    body = normal.split(";")[0]
    currency, amount = body[:3], body[3:].lstrip("?")
    try:
        price = Decimal(amount)
    except InvalidOperation:
        return None
    if not price.is_finite() or price <= 0:
        return None
    return draft.model_copy(update={"step": TrialStep.HOURS, "price": price, "currency": currency})


def _read_hours(draft: TrialDraft, said: str, context: Context) -> TrialDraft | None:
    """A duration (3 hours), or the moment until which it shall run (tomorrow 6 pm)."""
    seconds = _duration(said, context) or _until(said, context)
    if seconds is None or not 0 < seconds <= LONGEST_TRIAL_SECONDS:
        return None
    return draft.model_copy(update={"step": TrialStep.CHECK, "seconds": seconds})


def _duration(said: str, context: Context) -> float | None:
    normal = quantities.parse("dur", said, now=context.now)
    bounds = duration_seconds(normal) if normal and normal != "LONG" else None
    return (bounds[1] or bounds[0]) if bounds else None


def _until(said: str, context: Context) -> float | None:
    normal = quantities.parse("remind", said, now=context.now)
    if normal is None or not normal.startswith("at="):
        return None
    try:
        return (datetime.fromisoformat(normal.removeprefix("at=").split(";")[0]) - context.now).total_seconds()
    except ValueError:
        return None
