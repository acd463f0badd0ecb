"""The conversation after a trial: its measurements go into the checklist, and the estimate follows them."""

import re
from dataclasses import replace
from typing import Final

from bot.checklist.measured import KEY, cards_of, with_measurement
from bot.dialog import aside
from bot.dialog.button import Button
from bot.dialog.effect import Outcome, Show, TellStaff
from bot.dialog.event import Context
from bot.dialog.proposal import estimated
from bot.dialog.questions import estimate_effects
from bot.dialog.screen import MeasureQuestion, MeasureTaken
from bot.dialog.state import Case, Scene
from bot.quantities.folding import wording
from bot.quantities.measurements import read_measurement
from bot.reminders.trial import Trial

_NOTHING: Final = re.compile(r"skip|no|nothing|none|later|not measured|跳过|没有|没测|没量|无|以后再说")

_TOOLS: Final = re.compile(
    r"NVIDIA-SMI|FB Memory Usage|memory\.used|\d+\s*MiB\s*/\s*\d+\s*MiB|CUDA memory summary|max_memory_(?:allocated|reserved)|(?:Allocated|GPU reserved) memory\s*\|"
)
_SEVERAL: Final = 2
_ASKS_VERSIONS: Final = "cuda"
"""The field whose answer stands at the head of an nvidia-smi table."""


def ask(case: Case, trial: Trial) -> Outcome:
    """Ask for the three numbers of a trial that has ended."""
    opened = aside.opened(case, Scene.MEASURE, measuring=f"{trial.gpus} {trial.gpu}")
    return Outcome(opened, (Show(question(opened), live=True),))


def question(case: Case) -> MeasureQuestion:
    """Return the open question as a screen."""
    return MeasureQuestion(case.state.owner, case.state.tries)


def said(case: Case, text: str, context: Context) -> Outcome:
    """Take a text as the answer; a word that there is none closes it."""
    plain = wording(text).strip(" .!。！")
    if _NOTHING.fullmatch(plain):
        return Outcome(aside.closed(case))
    return taken(case, text, context)


def pasted(case: Case, text: str, context: Context) -> Outcome | None:
    """Take measurements from the start of a trial on, wherever the talk stands: a tool's output, or two figures of the three in words.

    None for all else, and for a table that answers the open question (its CUDA version).
    """
    tried = KEY in case.answers or any(trial.is_running for trial in context.trials)
    if not tried or case.state.field == _ASKS_VERSIONS:
        return None
    found = read_measurement(text)
    if found is None:
        return None
    figures = (found.peak, found.tokens_per_s, found.checkpoint_s)
    several = sum(figure is not None for figure in figures) >= _SEVERAL
    return taken(case, text, context) if several or _TOOLS.search(text) else None


def taken(case: Case, text: str, context: Context) -> Outcome:
    """Put what a text says was measured into the checklist; what says nothing is asked for again.

    The cards are those of the trial that has just ended, of the one that runs, or of the figures that are known already.
    """
    found = read_measurement(text)
    if found is None:
        again = aside.tried(case)
        return Outcome(again, (Show(question(again), live=True),))
    running = next((f"{t.gpus} {t.gpu}" for t in reversed(context.trials) if t.is_running), "")
    gpus, _, gpu = (case.state.measuring or running or cards_of(case.answers)).partition(" ")
    answers = with_measurement(case.answers, found, text[:2000], gpu, int(gpus or 1))
    done = replace(aside.closed(case), answers=answers)
    shown = MeasureTaken(found, case.answers, answers)
    after = estimate_effects(done) if estimated(answers) else ()
    return Outcome(done, (Show(shown), *after, TellStaff(shown)))


def press(case: Case, button: Button) -> Outcome | None:
    """Leave the question without an answer; None for other buttons."""
    if case.state.scene is Scene.MEASURE and button.owner == case.state.owner and button.action == "unmeasured":
        return Outcome(aside.closed(case))
    return None
