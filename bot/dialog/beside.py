"""Everything that may happen beside the checklist: trials, reminders, the time zone, measurements; one table of them."""

from collections.abc import Callable
from typing import Final

from bot.dialog import aside, lists, measured, reminding, steps, trials, zones
from bot.dialog.button import Button
from bot.dialog.effect import Outcome
from bot.dialog.event import Context
from bot.dialog.screen import Screen
from bot.dialog.state import Case, Scene
from bot.i18n import N_

LEFT: Final = {
    Scene.TRIAL: N_("The trial was not registered."),
    Scene.REMIND: N_("No reminder was set or changed."),
    Scene.ZONE: N_("The time zone stays as it was."),
    Scene.MEASURE: N_("Fine, without measurements. You can paste them at any time."),
}
"""What is said when such a conversation is left by /cancel."""

_QUESTIONS: Final[dict[Scene, Callable[[Case], Screen]]] = {
    Scene.TRIAL: trials.question,
    Scene.REMIND: reminding.question,
    Scene.ZONE: zones.question,
    Scene.MEASURE: measured.question,
}
_ANSWERS: Final[dict[Scene, Callable[[Case, str, Context], Outcome]]] = {
    Scene.TRIAL: trials.answer,
    Scene.REMIND: reminding.answer,
    Scene.ZONE: lambda case, said, _context: zones.answer(case, said),
    Scene.MEASURE: lambda case, said, _context: measured.said(case, said),
}
_LINE_MARK: Final = "measured/1 "


def question(case: Case) -> Screen | None:
    """Return the open question of such a conversation; None when there is none."""
    asks = _QUESTIONS.get(case.state.scene)
    return asks(case) if asks else None


def answer(case: Case, text: str, context: Context) -> Outcome:
    """Take a text as the answer to that question; the case must be in one of these scenes."""
    return _ANSWERS[case.state.scene](case, text, context)


def anytime(case: Case, text: str, context: Context) -> Outcome | None:
    """Take words that mean the same wherever the talk stands; None for all others."""
    if _LINE_MARK in text:
        return measured.taken(case, text)
    return steps.said(case, text, context) or zones.anytime(case, text) or reminding.anytime(case, text, context)


def press(case: Case, button: Button, context: Context) -> Outcome | None:
    """Carry out a tap on a button of these conversations; None for all others."""
    listed = lists.press(case, button, context)
    if listed is not None:
        return listed
    letter, number = button.owner[:1], button.owner[1:]
    if number.isdigit() and letter == "t":
        trial_id = int(number)
        if button.action == "until" and any(t.id == trial_id and t.is_running for t in context.trials):
            return reminding.change_end(case, trial_id)
        return steps.press(case, button, context)
    if number.isdigit() and letter == "r":
        return reminding.press_sent(case, button, context)
    if number.isdigit() and letter == "s":
        return reminding.press_series(case, button, context)
    return (
        trials.press(case, button, context)
        or measured.press(case, button)
        or zones.press(case, button)
        or reminding.press(case, button, context)
    )


def is_open(case: Case) -> bool:
    """Whether such a conversation is on."""
    return case.state.scene in aside.ASIDES
