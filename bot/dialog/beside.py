"""Everything that may happen beside the checklist: trials, reminders, the time zone, measurements; one table of them."""

import re
from collections.abc import Callable
from typing import Final

from bot.checklist.clauses import is_question
from bot.dialog import aside, faq, lists, measured, reminding, steps, trials, zones
from bot.dialog.button import Button
from bot.dialog.effect import Outcome, Show
from bot.dialog.event import Context
from bot.dialog.screen import Notice, Screen, SideAnswer
from bot.dialog.state import Case, Scene
from bot.i18n import N_
from bot.quantities.folding import wording

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
    Scene.MEASURE: measured.said,
}
_LEAVE: Final = re.compile(
    r"(?:actually,? )(?:no|not)|no,? (?:thanks|thank you)|never ?mind|forget it|cancel(?: (?:it|that|this))?|leave it|stop|quit|exit"
    r"|算了吧?|先?不(?:用|要|需要|登记|设|想)(?:登记|设|试用?)?了?(?:,?谢谢)?|取消(?:登记|吧)?|不试了|退出|没事了?"
)
_WAIT: Final = re.compile(
    r"(?:please )?(?:(?:wait|hold on|hang on)(?: (?:a|one) (?:bit|sec|second|while|moment|minute))?|(?:give me|just) (?:a|one) (?:sec|second|moment|minute)|one (?:sec|moment))"
    r"(?: please)?|in a (?:bit|while|moment|minute)|(?:i(?:'ll| will) )?(?:come|be) back (?:later|tomorrow|soon)|talk (?:later|tomorrow)"
    r"|(?:请|先|再|你|您)*(?:等(?:等|一?会儿?|一?下)|稍等(?:一?下|片刻)?|(?:再?过)?一会儿?|[过待]一?会儿?)(?:吧|啊|哈|再说)*"
    r"|(?:明天|今晚|晚点|回头|改天|下次|过几天|下周)再(?:说|聊|填|弄)吧?"
)
UNSURE: Final = N_("I do not know that for certain, and I will not guess. /human brings a colleague here.")
NO_HURRY: Final = N_("No hurry. Your answers are kept; answer whenever you like.")
_LINE_MARK: Final = "measured/1 "


def question(case: Case) -> Screen | None:
    """Return the open question of such a conversation; None when there is none."""
    asks = _QUESTIONS.get(case.state.scene)
    return asks(case) if asks else None


def answer(case: Case, text: str, context: Context) -> Outcome:
    """Take a text as the answer to that question, or as leaving it; the case must be in one of these scenes."""
    if _LEAVE.fullmatch(_plain(text)) and case.state.scene is not Scene.MEASURE:
        return Outcome(aside.closed(case), (Show(Notice(LEFT[case.state.scene])),))
    outcome = _ANSWERS[case.state.scene](case, text, context)
    if outcome.case.state.tries > case.state.tries and is_question(text):
        entry = faq.find(text, context.faq)
        told = Show(SideAnswer(entry) if entry else Notice(UNSURE))
        return Outcome(case, (told, *_asked(case)))
    return outcome


def _asked(case: Case) -> tuple[Show, ...]:
    screen = question(case)
    return (Show(screen, live=True),) if screen else ()


def anytime(case: Case, text: str, context: Context) -> Outcome | None:
    """Take words that mean the same wherever the talk stands; None for all others."""
    if _LINE_MARK in text:
        return measured.taken(case, text, context)
    return (
        measured.pasted(case, text, context)
        or steps.said(case, text, context)
        or zones.anytime(case, text, context)
        or reminding.anytime(case, text, context)
    )


def no_hurry(case: Case, text: str) -> Outcome | None:
    """Answer words that ask for time at an open question, which stays as it is; None for all others."""
    words = _plain(text)
    talks = is_open(case) or case.state.scene in (Scene.CHECKLIST, Scene.SUMMARY)
    return Outcome(case, (Show(Notice(NO_HURRY)),)) if words and talks and _WAIT.fullmatch(words) else None


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


def _plain(text: str) -> str:
    return wording(text).strip(" .!,。！，~")
