"""The door of the dialog: one event in, the new case and its effects out."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from bot.dialog import aside, beside, listening, lists, presses, questions, reminding, trials, zones
from bot.dialog.button import Button
from bot.dialog.effect import CallStaff, Effect, Forget, Outcome, Redraw, Relay, SetLanguage, Show, Toast
from bot.dialog.event import Commanded, Context, Event, Pressed, Said, Sent
from bot.dialog.language import wanted_language
from bot.dialog.screen import (
    ForgetQuestion,
    Form,
    Handed,
    Help,
    LanguageChoice,
    LanguageSet,
    Notice,
    Privacy,
    Screen,
)
from bot.dialog.state import Case, Scene
from bot.dialog.typed import typed_action
from bot.i18n import LOCALES, N_

LANGUAGE_OWNER: Final = "lang"
ANYWHERE: Final = "g"
"""The owner of buttons that mean the same wherever they stand."""
UNKNOWN_BUTTON: Final = N_("That button does nothing any more.")
PAUSED: Final = N_("Paused. Your answers are kept; go on whenever you like.")
NOTHING_OPEN: Final = N_("There is nothing open. /start begins a checklist, /human calls a person.")
TEXT_PLEASE: Final = N_("I can only read text as an answer. Please write it, or tap a button.")
EDIT_SEEN: Final = N_(
    "I saw that you changed an earlier message, but could not read a new answer in it. Your answers stay as they are; write for example: change cards to 16."
)


def decide(case: Case, event: Event, context: Context) -> Outcome:
    """Return the case after an event and what follows from it; pure, and total over all events."""
    outcome = _decided(case, event, context)
    if not isinstance(event, Pressed):
        # Words may do what a button does; a toast is seen only above a button that was tapped.
        outcome = replace(outcome, effects=tuple(_aloud(effect) for effect in outcome.effects))
    # What was asked once more is forgotten as soon as something else is said: a later "yes" must not mean it.
    before, after = case.state, outcome.case.state
    stale: dict[str, object] = {"sure": ""} if after.sure and after.sure == before.sure else {}
    stale |= {"zone_open": False} if after.zone_open and before.zone_open else {}
    return Outcome(aside.marked(outcome.case, **stale), outcome.effects) if stale else outcome


def _aloud(effect: Effect) -> Effect:
    return Show(Notice(effect.message)) if isinstance(effect, Toast) else effect


def _decided(case: Case, event: Event, context: Context) -> Outcome:
    if isinstance(event, Pressed):
        return _pressed(case, event.button, context)
    if isinstance(event, Commanded):
        return _commanded(case, event, context)
    if isinstance(event, Said):
        return _said(case, event, context)
    return _sent(case, event, context)


def open_screen(case: Case) -> Screen | None:
    """Return the open question of whatever conversation is on, None when nothing is open."""
    return beside.question(case) if beside.is_open(case) else questions.live_screen(case)


def _said(case: Case, event: Said, context: Context) -> Outcome:
    """A text: first what counts at any time, then what it means where the talk stands."""
    if event.edited:
        return listening.edited(case, event, context) or Outcome(
            case, (Show(Notice(EDIT_SEEN)) if open_screen(case) else Relay(),)
        )
    locale = wanted_language(event.text, context.chinese)
    if locale is not None:
        return _typed_language(case, locale)
    if typed_action(event.text) == "human":
        return _human(case, Commanded("human"), context)
    beside_it = beside.anytime(case, event.text, context)
    if beside_it is not None:
        return _and_back(beside_it)
    return beside.no_hurry(case, event.text) or _said_in_scene(case, event, context)


def _said_in_scene(case: Case, event: Said, context: Context) -> Outcome:
    if beside.is_open(case):
        answered = beside.answer(case, event.text, context)
        return answered if beside.is_open(answered.case) else _and_back(answered)
    match case.state.scene:
        case Scene.CHECKLIST | Scene.SUMMARY:
            return listening.listen(case, event, context)
        case Scene.DESK:
            return Outcome(case, (Relay(),))
        case _:
            return _idle(case, event, context)


def _idle(case: Case, event: Said, context: Context) -> Outcome:
    """A first message starts the checklist, and what it says already counts; with a paused draft, its question comes back."""
    if not context.known or (case.is_draft and not case.answers):
        begun = questions.begin(case, context)
        heard = listening.heard_first(begun.case, event, context)
        return heard.after(*begun.effects[:1]) if heard else begun
    if case.is_draft:
        return questions.resume(case)
    return Outcome(case, (Relay(),))


def _sent(case: Case, event: Sent, context: Context) -> Outcome:
    """Something that is not text: staff get it where they are listening; its caption counts as what was said."""
    goes_on = event.album != "" and event.album == case.state.album
    case = case.with_state(album=event.album)
    closed = not case.is_draft and not beside.is_open(case) and context.known
    if case.state.scene is Scene.DESK or (case.state.scene is Scene.IDLE and closed):
        return Outcome(case, (Relay(album=event.album != "", goes_on=goes_on),))
    if goes_on and not event.caption.strip():
        return Outcome(case, ())  # an album is one message to its sender, and gets one answer
    if event.caption.strip():
        return _said(case, Said(event.caption), context)
    if open_screen(case) is None:
        return _idle(case, Said(""), context).after(Show(Notice(TEXT_PLEASE)))
    return _with_question(case, Show(Notice(TEXT_PLEASE)))


def _typed_language(case: Case, locale: str) -> Outcome:
    """Redraw the old question where it stands, then ask it again below the person's words."""
    screen = open_screen(case)
    effects: list[Effect] = [SetLanguage(locale)]
    if screen is not None:
        effects.append(Redraw(screen))
    effects.append(Show(LanguageSet()))
    if screen is not None:
        effects.append(Show(screen, live=True))
    return Outcome(case, tuple(effects))


def _pressed(case: Case, button: Button | None, context: Context) -> Outcome:
    if button is None:
        return Outcome(case, (Toast(UNKNOWN_BUTTON),))
    if button.owner == LANGUAGE_OWNER:
        return _pressed_language(case, button)
    if button.owner == ANYWHERE:
        return _pressed_anywhere(case, button, context)
    if button.action == "forget":
        return _forget(case, button)
    pressed = beside.press(case, button, context)
    if pressed is not None:
        left = beside.is_open(case) and not beside.is_open(pressed.case)
        return _and_back(pressed) if left else pressed
    return presses.press(case, button, context)


def _pressed_language(case: Case, button: Button) -> Outcome:
    locale = button.args[0] if button.args else ""
    if locale not in LOCALES:
        return Outcome(case, (Toast(UNKNOWN_BUTTON),))
    screen = open_screen(case)
    effects: tuple[Effect, ...] = (SetLanguage(locale), Show(LanguageSet(), replace=True))
    return Outcome(case, effects if screen is None else (*effects, Redraw(screen)))


def _pressed_anywhere(case: Case, button: Button, context: Context) -> Outcome:
    """Call a person, or go back to the questions; when that is so already, nothing changes."""
    if button.action == "human":
        if case.state.scene is Scene.DESK:
            return Outcome(case, (Toast(N_("A person has been called already; just write here.")),))
        return _human(case, Commanded("human"), context)
    if button.action == "resume" and case.is_draft and open_screen(case) is None:
        return questions.resume(case)
    return Outcome(case, (Toast(questions.OLD_BUTTON),))


def _forget(case: Case, button: Button) -> Outcome:
    if button.owner != case.state.owner:
        return Outcome(case, (Toast(questions.OLD_BUTTON),))
    if button.args[:1] != ("yes",):
        return _and_resume(Outcome(case, (Show(Notice(N_("Nothing was deleted.")), replace=True),)))
    return Outcome(case, (Forget(),))


def _commanded(case: Case, event: Commanded, context: Context) -> Outcome:
    handler = COMMANDS.get(event.name)
    if handler is None:
        return _with_question(case, Show(Notice(N_("I do not know that command. /help lists all."))))
    return handler(case, event, context)


def _with_question(case: Case, *effects: Effect) -> Outcome:
    """Effects, and then the open question again when there is one."""
    return _and_resume(Outcome(_afresh(case), effects))


def _and_resume(outcome: Outcome) -> Outcome:
    screen = open_screen(outcome.case)
    return outcome if screen is None else outcome.then(Show(screen, live=True))


def _and_back(outcome: Outcome) -> Outcome:
    """The outcome of something beside the open question, which then comes back; not below a question that it asks itself.

    It comes back as if asked first: what was said in between was understood, so the question need not apologise again.
    """
    asks = outcome.case.state.sure or any(isinstance(effect, Show) and effect.live for effect in outcome.effects)
    return outcome if asks else _and_resume(Outcome(_afresh(outcome.case), outcome.effects))


def _afresh(case: Case) -> Case:
    return case if beside.is_open(case) else case.with_state(tries=0, taken=(), noted=False)


def _start(case: Case, _event: Commanded, context: Context) -> Outcome:
    return questions.begin(case, context)


def _help(case: Case, _event: Commanded, _context: Context) -> Outcome:
    return _with_question(case, Show(Help()))


def _language(case: Case, event: Commanded, context: Context) -> Outcome:
    locale = wanted_language(event.argument, context.chinese) if event.argument else None
    return _typed_language(case, locale) if locale else Outcome(case, (Show(LanguageChoice()),))


def _cancel(case: Case, _event: Commanded, _context: Context) -> Outcome:
    """Pause whatever is open; nothing is lost."""
    if beside.is_open(case):
        return _with_question(aside.closed(case), Show(Notice(beside.LEFT[case.state.scene])))
    if case.state.scene in (Scene.CHECKLIST, Scene.SUMMARY):
        return Outcome(case.at(Scene.IDLE), (Show(Notice(PAUSED, resume=case.state.owner)),))
    return Outcome(case, (Show(Notice(NOTHING_OPEN)),))


def _status(case: Case, _event: Commanded, context: Context) -> Outcome:
    return _with_question(case, Show(lists.report(case, context)))


def _estimate(case: Case, _event: Commanded, _context: Context) -> Outcome:
    return _with_question(case, *questions.estimate_effects(case))


def _export(case: Case, _event: Commanded, _context: Context) -> Outcome:
    return _with_question(case, *questions.export_effects(case))


def _template(case: Case, _event: Commanded, _context: Context) -> Outcome:
    return _with_question(case, Show(Form(case.answers)))


def _trial(case: Case, event: Commanded, context: Context) -> Outcome:
    return trials.begin(case, event.argument, context)


def _reminders(case: Case, _event: Commanded, context: Context) -> Outcome:
    return _with_question(case, Show(reminding.listed(context)))


def _remind(case: Case, event: Commanded, context: Context) -> Outcome:
    return _and_back(reminding.begin(case, event.argument, context))


def _timezone(case: Case, event: Commanded, _context: Context) -> Outcome:
    return _and_back(zones.begin(case, event.argument))


def _human(case: Case, _event: Commanded, context: Context) -> Outcome:
    """Call a person; from now on messages go to the staff, until the checklist is resumed."""
    called = case.at(Scene.DESK)
    return Outcome(called, (CallStaff(), Show(Handed(staff=context.staff, draft_open=case.is_draft))))


def _privacy(case: Case, _event: Commanded, _context: Context) -> Outcome:
    return _with_question(case, Show(Privacy()))


def _delete_me(case: Case, _event: Commanded, context: Context) -> Outcome:
    running = tuple(trial for trial in context.trials if trial.is_running)
    return Outcome(case, (Show(ForgetQuestion(case.state.owner, running)),))


COMMANDS: Final[dict[str, Callable[[Case, Commanded, Context], Outcome]]] = {
    "start": _start,
    "help": _help,
    "language": _language,
    "cancel": _cancel,
    "status": _status,
    "estimate": _estimate,
    "template": _template,
    "export": _export,
    "trial": _trial,
    "remind": _remind,
    "reminders": _reminders,
    "timezone": _timezone,
    "human": _human,
    "privacy": _privacy,
    "delete_me": _delete_me,
}
"""What each command does; their names and menu texts stand in `bot.telegram.commands`, and a test holds the two together."""
