"""What the buttons of the checklist do; one that no longer fits changes nothing."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from bot.checklist.answer import Answer, Status
from bot.checklist.field import Field, Kind, Section
from bot.checklist.fields import BY_KEY
from bot.checklist.question import next_field, previous_field
from bot.checklist.understand import chosen, skipped, undecided
from bot.desk.request import RequestState
from bot.dialog.button import Button
from bot.dialog.effect import Effect, Outcome, Show, Submit, Toast
from bot.dialog.event import Context
from bot.dialog.pages import TURN, turned
from bot.dialog.questions import (
    ask,
    ask_next,
    estimate_beside,
    estimate_effects,
    export_effects,
    go_on,
    redo,
    resume,
    stale,
    start_over,
    take,
)
from bot.dialog.screen import Answered, EditMenu, Submitted
from bot.dialog.state import Case, Scene
from bot.i18n import N_


def press(case: Case, button: Button, context: Context) -> Outcome:
    """Carry out a tap on a button of this questionnaire; one that no longer fits changes nothing."""
    handler = ACTIONS.get(button.action)
    if handler is None or button.owner != case.state.owner or not case.is_draft:
        return stale(case)
    if case.state.claims and button.action not in _BESIDE_CLAIMS:
        return stale(case)
    return handler(case, button, context) or stale(case)


def _tapped(case: Case, found: dict[str, Answer]) -> Outcome:
    """An answer by button: the question's message keeps the answer, the next question follows."""
    key = case.state.field or ""
    filled, changed = take(case, found, own=key)
    outcome = ask_next(filled, taken=tuple(other for other in changed if other != key))
    return outcome.after(Show(Answered(key, outcome.case.answers), replace=True))


def _open_field(case: Case, button: Button) -> Field | None:
    """The open field, when the button belongs to it."""
    if case.state.scene is not Scene.CHECKLIST or not button.args or button.args[0] != case.state.field:
        return None
    return BY_KEY.get(button.args[0])


def _pick(case: Case, button: Button, _context: Context) -> Outcome | None:
    field = _open_field(case, button)
    if field is None or len(button.args) != 2:  # noqa: PLR2004 - field and option
        return None
    found = chosen(field, button.args[1])
    return None if found is None else _tapped(case, {field.key: found})


def _mark(case: Case, button: Button, _context: Context) -> Outcome | None:
    """Tick or untick one of several options; "not sure" excludes the others."""
    field = _open_field(case, button)
    if field is None or field.kind is not Kind.CHOICES or len(button.args) != 2 or not field.option(button.args[1]):  # noqa: PLR2004
        return None
    code, marked = button.args[1], set(case.state.marked)
    marked ^= {code}
    if code in marked:
        marked = {code} if code == "unsure" else marked - {"unsure"}
    ordered = tuple(option.code for option in field.options if option.code in marked)
    case = replace(case, state=case.state.model_copy(update={"marked": ordered}))
    return _in_place(redo(case))


def _done(case: Case, button: Button, _context: Context) -> Outcome | None:
    field = _open_field(case, button)
    if field is None or not case.state.marked:
        return None
    normal = "+".join(case.state.marked)
    return _tapped(case, {field.key: Answer(normal=normal, raw=normal, status=Status.EXACT)})


def _read_as(case: Case, button: Button, _context: Context) -> Outcome | None:
    field = _open_field(case, button)
    if field is None or len(button.args) != 2 or not button.args[1].isdigit():  # noqa: PLR2004
        return None
    index = int(button.args[1])
    if index >= len(case.state.readings):
        return None
    meant = Answer(normal=case.state.readings[index], raw=case.state.said, status=Status.EXACT)
    return _tapped(case, {field.key: meant})


def _undecided(case: Case, button: Button, _context: Context) -> Outcome | None:
    field = _open_field(case, button)
    return None if field is None else _tapped(case, {field.key: undecided()})


def _skip(case: Case, button: Button, _context: Context) -> Outcome | None:
    field = _open_field(case, button)
    return None if field is None or not field.skippable else _tapped(case, {field.key: skipped()})


def _back(case: Case, button: Button, _context: Context) -> Outcome | None:
    """Go to the question before this one, in the same message; its answer stays until another is given."""
    if case.state.scene is Scene.CHECKLIST and _open_field(case, button) is None:
        return None
    if case.state.from_summary:
        return _back_to_summary(case, button, _context)
    field = previous_field(case.answers, case.state.field if case.state.scene is Scene.CHECKLIST else None)
    if field is None:
        return Outcome(case, (Toast(N_("This is the first question.")),))
    return _in_place(ask(case, field.key))


def _back_to_summary(case: Case, _button: Button, _context: Context) -> Outcome | None:
    if next_field(case.answers) is not None:
        return None
    return _in_place(ask_next(case))


def _in_place(outcome: Outcome) -> Outcome:
    shown: tuple[Effect, ...] = tuple(
        replace(effect, replace=True) if isinstance(effect, Show) else effect for effect in outcome.effects
    )
    return Outcome(outcome.case, shown)


def _edit(case: Case, button: Button, _context: Context) -> Outcome | None:
    """Open the menu of sections, or the fields of one, in place of the summary."""
    if case.state.scene is not Scene.SUMMARY:
        return None
    section = button.args[0] if button.args else None
    if section is not None and section not in {str(known) for known in Section}:
        return None
    return Outcome(case, (Show(EditMenu(case.state.owner, case.answers, section), live=True, replace=True),))


def _change(case: Case, button: Button, _context: Context) -> Outcome | None:
    """Ask one field again from the summary; the summary comes back after the answer."""
    if case.state.scene is not Scene.SUMMARY or not button.args or button.args[0] not in BY_KEY:
        return None
    return _in_place(ask(case, button.args[0], from_summary=True))


def _confirm(case: Case, _button: Button, context: Context) -> Outcome | None:
    if case.state.scene is not Scene.SUMMARY:
        return None
    sent = replace(case.at(Scene.DESK), request_state=RequestState.CONFIRMED)
    effects: tuple[Effect, ...] = (Submit(), Show(Submitted(staff=context.staff), replace=True))
    return Outcome(sent, effects).then(*estimate_beside(case))


def _estimate(case: Case, _button: Button, _context: Context) -> Outcome | None:
    return Outcome(case, estimate_effects(case))


def _export(case: Case, _button: Button, _context: Context) -> Outcome | None:
    return Outcome(case, export_effects(case))


def _restart(case: Case, _button: Button, _context: Context) -> Outcome | None:
    return start_over(case)


def _resume(case: Case, _button: Button, _context: Context) -> Outcome | None:
    return resume(case)


def _claim(case: Case, button: Button, _context: Context) -> Outcome | None:
    """Settle which of two answers to one field holds; what else waits is asked next."""
    if len(button.args) != 2 or not case.state.claims or button.args[0] != case.state.claims[0].key:  # noqa: PLR2004 - field and choice
        return None
    outcome = settle(case, new=button.args[1] == "new")
    return outcome.after(Show(Answered(button.args[0], outcome.case.answers), replace=True))


def settle(case: Case, *, new: bool) -> Outcome:
    """Let the newer or the older answer of the first claim stand, and go on."""
    claim = case.state.claims[0]
    answers = case.answers.with_answers({claim.key: claim.answer}) if new else case.answers
    return go_on(replace(case, answers=answers).with_state(claims=case.state.claims[1:]), ())


def _undo(case: Case, button: Button, _context: Context) -> Outcome | None:
    """Take back what was understood of one field, and ask it."""
    if not button.args or button.args[0] not in case.state.taken or button.args[0] not in case.answers:
        return None
    key = button.args[0]
    left = tuple(other for other in case.state.taken if other != key)
    bare = replace(case, answers=case.answers.without(key))
    return _in_place(ask(bare, key, taken=left))


def _turn(case: Case, button: Button, _context: Context) -> Outcome | None:
    """Show other answers that can be undone; a button below an earlier list of them is stale."""
    number = turned(button, "taken", *case.state.taken[:1])
    return None if number is None else _in_place(redo(case.with_state(taken_page=number)))


_BESIDE_CLAIMS: Final = frozenset({"claim", "estimate", "export", "restart", "resume"})
"""Actions that may be carried out while two answers wait to be chosen between."""

ACTIONS: Final[dict[str, Callable[[Case, Button, Context], Outcome | None]]] = {
    "claim": _claim,
    "undo": _undo,
    TURN: _turn,
    "pick": _pick,
    "mark": _mark,
    "done": _done,
    "read": _read_as,
    "tbd": _undecided,
    "skip": _skip,
    "back": _back,
    "summary": _back_to_summary,
    "edit": _edit,
    "change": _change,
    "confirm": _confirm,
    "estimate": _estimate,
    "export": _export,
    "restart": _restart,
    "resume": _resume,
}
"""Every action of a questionnaire's buttons."""
