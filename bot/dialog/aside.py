"""Small conversations beside the checklist: how they open, and how the talk comes back."""

from dataclasses import replace
from typing import Any

from bot.dialog.effect import Effect, Outcome, Show
from bot.dialog.screen import Screen
from bot.dialog.state import Case, Scene

ASIDES = frozenset({Scene.TRIAL, Scene.REMIND, Scene.ZONE, Scene.MEASURE})
"""The scenes that interrupt another; the checklist's open field waits in the state meanwhile."""


def opened(case: Case, scene: Scene, **about: Any) -> Case:
    """Return the case with a conversation beside the checklist open, and what it is about."""
    back = case.state.back if case.state.scene in ASIDES else case.state.scene
    moved = case.at(scene, case.state.field, from_summary=case.state.from_summary)
    return replace(moved, state=moved.state.model_copy(update={"back": back, **about}))


def closed(case: Case) -> Case:
    """Return the case where the talk was before; with no such conversation open, the case as it is."""
    if case.state.scene not in ASIDES:
        return case
    return opened(case, case.state.back, trial=None, remind=None, measuring="")


def tried(case: Case) -> Case:
    """Return the case after an answer to the open question that was not understood."""
    return replace(case, state=case.state.model_copy(update={"tries": case.state.tries + 1}))


def marked(case: Case, **about: Any) -> Case:
    """Return the case with something noted, and the talk where it was."""
    return replace(case, state=case.state.model_copy(update=about))


def asked(case: Case, question: Screen, *before: Effect) -> Outcome:
    """Return the outcome that shows effects and then the open question."""
    return Outcome(case, (*before, Show(question, live=True)))
