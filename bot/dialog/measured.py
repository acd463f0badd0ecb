"""The conversation after a trial: its measurements go into the checklist, and the estimate follows them."""

import re
from dataclasses import replace
from typing import Final

from bot.checklist.job import request_from
from bot.checklist.measured import with_measurement
from bot.dialog import aside
from bot.dialog.button import Button
from bot.dialog.effect import Outcome, Show, TellStaff
from bot.dialog.questions import estimate_effects
from bot.dialog.screen import MeasureQuestion, MeasureTaken
from bot.dialog.state import Case, Scene
from bot.quantities.folding import wording
from bot.quantities.measurements import read_measurement
from bot.reminders.trial import Trial

_NOTHING: Final = re.compile(r"skip|no|nothing|none|later|not measured|跳过|没有|没测|没量|无|以后再说")


def ask(case: Case, trial: Trial) -> Outcome:
    """Ask for the three numbers of a trial that has ended."""
    opened = aside.opened(case, Scene.MEASURE, measuring=f"{trial.gpus} {trial.gpu}")
    return Outcome(opened, (Show(question(opened), live=True),))


def question(case: Case) -> MeasureQuestion:
    """Return the open question as a screen."""
    return MeasureQuestion(case.state.owner, case.state.tries)


def said(case: Case, text: str) -> Outcome:
    """Take a text as the answer; a word that there is none closes it."""
    plain = wording(text).strip(" .!。！")
    if _NOTHING.fullmatch(plain):
        return Outcome(aside.closed(case))
    return taken(case, text)


def taken(case: Case, text: str) -> Outcome:
    """Put what a text says was measured into the checklist; what says nothing is asked for again."""
    found = read_measurement(text)
    if found is None:
        again = aside.tried(case)
        return Outcome(again, (Show(question(again), live=True),))
    gpus, _, gpu = case.state.measuring.partition(" ")
    answers = with_measurement(case.answers, found, text[:2000], gpu, int(gpus or 1))
    done = replace(aside.closed(case), answers=answers)
    shown = MeasureTaken(found, case.answers, answers)
    after = estimate_effects(done) if request_from(answers) else ()
    return Outcome(done, (Show(shown), *after, TellStaff(shown)))


def press(case: Case, button: Button) -> Outcome | None:
    """Leave the question without an answer; None for other buttons."""
    if case.state.scene is Scene.MEASURE and button.owner == case.state.owner and button.action == "unmeasured":
        return Outcome(aside.closed(case))
    return None
