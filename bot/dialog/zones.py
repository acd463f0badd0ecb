"""The customer's time zone: asked once, told at any time."""

import re
from datetime import UTC, tzinfo
from typing import Final

from bot.dialog import aside
from bot.dialog.button import Button
from bot.dialog.effect import Outcome, SetZone, Show
from bot.dialog.event import Context
from bot.dialog.screen import ZoneQuestion, ZoneSet
from bot.dialog.state import Case, Scene
from bot.quantities.folding import wording
from bot.reminders.zones import zone_named

_TOLD: Final = re.compile(
    r"(?:my )?time ?zone(?: is|:)? .+|(?:set |change |use )(?:my )?time ?zone (?:to )?.+|(?:我的)?时区(?:是|为|改成|改为|设为|设成|换成|:)?\s*.+|我在.{1,12}(?:时间|时区)"
)
_VERB: Final = re.compile(
    r"^(?:set |change |use )(?:my )?time ?zone (?:to )?|^(?:我的)?时区(?:是|为|改成|改为|设为|设成|换成|:)?\s*"
)


def begin(case: Case, argument: str) -> Outcome:
    """Take the zone written behind the command, or ask for it."""
    opened = aside.opened(case, Scene.ZONE, zone_asked=True)
    return answer(opened, argument) if argument else _ask(opened)


def question(case: Case) -> ZoneQuestion:
    """Return the open question as a screen; which zone is taken until then, its renderer knows."""
    return ZoneQuestion(case.state.owner, tries=case.state.tries)


def answer(case: Case, said: str) -> Outcome:
    """Take a text as the zone: a city, a country, an offset."""
    name = zone_named(said)
    if name is None:
        again = aside.tried(case)
        return Outcome(again, (Show(question(again), live=True),))
    return Outcome(aside.closed(case), (SetZone(name), Show(ZoneSet(name))))


def anytime(case: Case, text: str) -> Outcome | None:
    """Take words that tell the zone wherever the talk stands; None for all others, and for a zone that is not known."""
    plain = wording(text).strip(" .!。！")
    if not _TOLD.fullmatch(plain):
        return None
    name = zone_named(_VERB.sub("", plain))
    return None if name is None else Outcome(case, (SetZone(name), Show(ZoneSet(name))))


def press(case: Case, button: Button) -> Outcome | None:
    """Carry out a tap below the question: the guess is right."""
    if button.action != "zone" or not button.args:
        return None
    # A slash cannot stand in a button's codes, so the parts of a zone's id are codes of their own.
    name = zone_named("/".join(button.args))
    if name is None:
        return None
    return Outcome(aside.closed(case), (SetZone(name), Show(ZoneSet(name), replace=True)))


def ask_once(done: Outcome, context: Context) -> Outcome:
    """Add the question for the zone to what first depends on it, as a message that may be left unanswered."""
    state = done.case.state
    if context.zone or state.zone_asked:
        return done
    asked = aside.marked(done.case, zone_asked=True)
    return Outcome(asked, (*done.effects, Show(ZoneQuestion(state.owner))))


def zone_of_context(context: Context) -> tzinfo:
    """Return the zone in which the present moment is told."""
    return context.now.tzinfo or UTC


def _ask(case: Case) -> Outcome:
    return Outcome(case, (Show(question(case), live=True),))
