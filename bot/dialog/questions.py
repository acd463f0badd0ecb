"""The conversation that fills the checklist: ask, understand, go back, correct, sum up, send."""

from dataclasses import replace
from typing import Final

from bot.checklist.answer import Answer, Answers, Status
from bot.checklist.field import Field, Kind, Section
from bot.checklist.fields import BY_KEY
from bot.checklist.question import next_field, previous_field
from bot.checklist.understand import Moment, alternatives, chosen, skipped, undecided, understand
from bot.desk.request import RequestState
from bot.dialog.button import Button
from bot.dialog.effect import Effect, Outcome, Show, StartOver, Submit, Toast
from bot.dialog.event import Context
from bot.dialog.screen import (
    Answered,
    Ask,
    EditMenu,
    EstimateChart,
    EstimateText,
    Greeting,
    Route,
    Screen,
    Submitted,
    Summary,
)
from bot.dialog.state import Case, DialogState, Scene
from bot.dialog.typed import typed_action
from bot.i18n import N_

OLD_BUTTON: Final = N_("That button is from an earlier question. The open one is below.")
ADVICE_AFTER: Final = frozenset({Section.PURPOSE, Section.MODEL, Section.CARDS})
"""Once these are through, the customer is told who handles the job and what it takes."""


def live_screen(case: Case) -> Screen | None:
    """Return the open question as a screen; a function of the case alone, so that it can be drawn again at any time."""
    state = case.state
    if state.scene is Scene.CHECKLIST and state.field:
        return Ask(
            state.owner,
            state.field,
            case.answers,
            tries=state.tries,
            readings=state.readings,
            marked=state.marked,
            from_summary=state.from_summary,
        )
    if state.scene is Scene.SUMMARY:
        return Summary(state.owner, case.answers)
    return None


def begin(case: Case, _context: Context) -> Outcome:
    """Greet and ask the first open question at once; a draft goes on where it stood, a sent request is followed by a new one."""
    if case.request_state is RequestState.CONFIRMED:
        fresh = start_over(case)
        return fresh.after(Show(Greeting(fresh.case.state.owner)))
    return ask_next(case).after(Show(Greeting(case.state.owner, answered=len(case.answers))))


def start_over(case: Case) -> Outcome:
    """Open an empty questionnaire; buttons of the one before count as old from now on."""
    fresh = Case(DialogState(serial=case.state.serial + 1), Answers())
    return ask_next(fresh).after(StartOver())


def resume(case: Case) -> Outcome:
    """Ask the open question again, or sum up when there is none; after a sent request there is nothing to resume."""
    if not case.is_draft:
        return Outcome(case.at(Scene.DESK))
    if case.state.scene is Scene.CHECKLIST and case.state.field:
        return _ask(case, case.state.field, from_summary=case.state.from_summary)
    return ask_next(case)


def ask_next(case: Case, taken: tuple[str, ...] = ()) -> Outcome:
    """Ask the next open question, or show the summary when none is left; `taken` are answers to echo."""
    field = next_field(case.answers)
    if field is None:
        summed = case.at(Scene.SUMMARY)
        return Outcome(summed, (Show(Summary(summed.state.owner, summed.answers), live=True),))
    outcome = _ask(case, field.key, taken=taken)
    if case.state.advised or field.section in ADVICE_AFTER or not case.answers.code("model"):
        return outcome
    told = replace(outcome.case, state=outcome.case.state.model_copy(update={"advised": True}))
    return Outcome(told, (Show(Route(case.answers)), *outcome.effects))


def answer(case: Case, said: str, context: Context) -> Outcome:
    """Take a text as the answer to the open question."""
    field = BY_KEY[case.state.field or ""]
    named = _by_name(case, said, context)
    if named is not None:
        return named
    moment = Moment(context.now)
    readings = alternatives(field, said, moment)
    if readings:
        state = case.state.model_copy(update={"readings": readings, "said": said, "marked": ()})
        return _redo(replace(case, state=state))
    found = understand(field, said, moment)
    if not found:
        state = case.state.model_copy(update={"tries": case.state.tries + 1, "readings": (), "said": ""})
        return _redo(replace(case, state=state))
    return _take(case, found, echo=True)


def summary_words(case: Case, said: str, context: Context) -> Outcome:
    """Take a text at the summary: a button's name counts as a tap, anything else shows the summary again."""
    return _by_name(case, said, context) or ask_next(case)


def _by_name(case: Case, said: str, context: Context) -> Outcome | None:
    """Carry out the button that a text names, if the open screen has it; what it would change in place comes new."""
    action = typed_action(said)
    handler = _ACTIONS.get(action or "")
    if action is None or handler is None:
        return None
    args = (case.state.field,) if case.state.scene is Scene.CHECKLIST and case.state.field else ()
    outcome = handler(case, Button(case.state.owner, action, args), context)
    if outcome is None:
        return None
    shown = (
        effect for effect in outcome.effects if not (isinstance(effect, Show) and isinstance(effect.screen, Answered))
    )
    return Outcome(outcome.case, tuple(replace(e, replace=False) if isinstance(e, Show) else e for e in shown))


def press(case: Case, button: Button, context: Context) -> Outcome:
    """Carry out a tap on a button of this questionnaire; one that no longer fits changes nothing."""
    handler = _ACTIONS.get(button.action)
    if handler is None or button.owner != case.state.owner or not case.is_draft:
        return _stale(case)
    return handler(case, button, context) or _stale(case)


def _stale(case: Case) -> Outcome:
    return Outcome(case, (Toast(OLD_BUTTON),))


def _ask(case: Case, key: str, *, taken: tuple[str, ...] = (), from_summary: bool = False) -> Outcome:
    asked = case.at(Scene.CHECKLIST, key, from_summary=from_summary)
    screen = live_screen(asked)
    assert isinstance(screen, Ask)
    return Outcome(asked, (Show(replace(screen, taken=taken), live=True),))


def _redo(case: Case) -> Outcome:
    screen = live_screen(case)
    assert screen is not None
    return Outcome(case, (Show(screen, live=True),))


def _take(case: Case, found: dict[str, Answer], *, echo: bool) -> Outcome:
    """Store answers; an answer given before to a neighbouring field stays unless this was its own question."""
    own = case.state.field
    new = {key: value for key, value in found.items() if key == own or not _answered(case.answers, key)}
    filled = replace(case, answers=case.answers.with_answers(new))
    return ask_next(filled, taken=tuple(new) if echo else tuple(key for key in new if key != own))


def _answered(answers: Answers, key: str) -> bool:
    return key in answers and answers[key].known


def _tapped(case: Case, found: dict[str, Answer]) -> Outcome:
    """An answer by button: the question's message keeps the answer, the next question follows."""
    key = case.state.field or ""
    outcome = _take(case, found, echo=False)
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
    screen = live_screen(case)
    assert screen is not None
    return Outcome(case, (Show(screen, live=True, replace=True),))


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
    return _in_place(_ask(case, field.key))


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
    return _in_place(_ask(case, button.args[0], from_summary=True))


def _confirm(case: Case, _button: Button, context: Context) -> Outcome | None:
    if case.state.scene is not Scene.SUMMARY:
        return None
    sent = replace(case.at(Scene.DESK), request_state=RequestState.CONFIRMED)
    effects: tuple[Effect, ...] = (Submit(), Show(Submitted(staff=context.staff), replace=True))
    return Outcome(sent, effects).then(*estimate_effects(case))


def estimate_effects(case: Case) -> tuple[Effect, ...]:
    """Return the effects that show the estimate: words, and a picture when there is something to draw."""
    if not case.answers.code("model"):
        return (Show(EstimateText(case.answers)),)
    return (Show(EstimateText(case.answers)), Show(EstimateChart(case.answers)))


def _estimate(case: Case, _button: Button, _context: Context) -> Outcome | None:
    return Outcome(case, estimate_effects(case))


def _restart(case: Case, _button: Button, _context: Context) -> Outcome | None:
    return start_over(case)


def _resume(case: Case, _button: Button, _context: Context) -> Outcome | None:
    return resume(case)


_ACTIONS: Final = {
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
    "restart": _restart,
    "resume": _resume,
}
"""Every action of a questionnaire's buttons."""
