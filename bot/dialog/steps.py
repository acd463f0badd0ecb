"""What customers tell of a registered trial: its steps, by button or in words, and how long it shall run."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from bot.dialog import aside, measured, times, trials
from bot.dialog.button import Button
from bot.dialog.effect import Outcome, Show, TakeStep, TellStaff, Toast
from bot.dialog.event import Context
from bot.dialog.screen import Notice, ReminderList, StepSure, StepTaken, TrialChart, TrialCost, TrialDestroyed
from bot.dialog.state import Case, Scene
from bot.dialog.step_words import steps_told
from bot.i18n import N_
from bot.quantities.folding import wording
from bot.reminders.steps import RESUMED, STEPS, missing_before, taken
from bot.reminders.trial import Trial, TrialState

CLOSED: Final = N_("This trial is closed already.")
KNOWN: Final = N_("That is noted already.")
NONE_RUNS: Final = N_("No trial instance is registered with me, so there is nothing to close. /trial registers one.")
MOST_CHARTS: Final = 3
"""Of more trials the costs come as a list, not as a message and a picture each."""
_COST: Final = re.compile(
    r"(?:what (?:does|did|has) it cost(?: so far)?|cost so far|how much so far|how much (?:have i spent|did i spend|does it cost so far)|running cost)\??"
    r"|(?:现在|目前|到现在|已经|我|一共|总共)*花了(?:多少|多少钱|几块钱)|(?:目前|现在|当前)(?:的)?(?:费用|花费|成本)(?:是?多少)?"
)
_YES: Final = re.compile(r"yes|y|sure|yes,? destroyed|ok|是|是的|确定|确认|对|对的|没错")
_BEGAN: Final = re.compile(
    r"(?:(?:it|we|i|the (?:trial|instance)) )?(?:was )?(?:actually )?(?:started|began) (?:it )?(.+?) ago"
    r"|(?:it |the (?:trial |instance ))?(?:has been|'s been) running (?:for )?(.+)"
    r"|(?:实例|其实|它|机器)*已经?(?:开机|跑|运行|启动)了?(.+?)了?"
    r"|(?:实例|其实|我|是)*(.+?)[之以]?前就?已?经?(?:开机|启动|开始|开)(?:的|了)?"
)
_NO: Final = re.compile(
    r"no|n|nope|not yet|no,? (?:not yet|wait)|wait|不|不是|不对|否|没有|还没有?|还没呢|没|等等|等一下|不确定"
)
_EXTEND: Final = re.compile(
    r"(?:please )?(?:extend|prolong)(?: (?:it|the trial))?(?: by| for)? (?P<more>.+)|(?:run|keep) (?:it )?(?P<more2>.+?) (?:longer|more)"
    r"|(?:请|再|帮我|试用)*(?:延长|多跑|续)(?P<more3>.+)"
)


def said(case: Case, text: str, context: Context) -> Outcome | None:
    """Take words about a trial; None when they are none, or when there is no trial that they could be about."""
    running = tuple(trial for trial in context.trials if trial.is_running)
    plain = wording(text).strip(" .!。！~?？")
    sure = case.state.sure
    if sure:
        case = aside.marked(case, sure="")
        if _YES.fullmatch(plain):
            return _sure(case, sure, running, context)
        if _NO.fullmatch(plain):
            return _kept(case, sure, running)
    told = steps_told(plain)
    if not running:
        return _none_runs(case, told)
    if not told:
        return _other_words(case, plain, running, context)
    if len(running) > 1:
        return Outcome(case, (Show(ReminderList(running, context.series)),))
    if sure == f"t{running[0].id}:{told[-1]}":
        return _sure(case, sure, running, context)
    return _several(case, running[0], told, context)


def _several(case: Case, trial: Trial, told: tuple[str, ...], context: Context) -> Outcome:
    """Take all steps of one message; only the last is answered, and asked about when its forerunners are missing."""
    before = trial
    for step in told[:-1]:
        before = taken(before, step, context.now)
    earlier = () if before == trial else (TakeStep(before),)
    return take(case, before, told[-1], context).after(*earlier)


def _none_runs(case: Case, told: tuple[str, ...]) -> Outcome | None:
    """Answer "destroyed" when nothing is registered; to a person at the desk it may mean something else."""
    if TrialState.DESTROYED not in told or case.state.scene is Scene.DESK:
        return None
    return Outcome(case, (Show(Notice(NONE_RUNS)),))


def press(case: Case, button: Button, context: Context) -> Outcome:
    """Carry out a tap on a button of a registered trial: a step, or its cost."""
    trial = next((t for t in context.trials if f"t{t.id}" == button.owner), None)
    if trial is None or not trial.is_running:
        return Outcome(case, (Toast(CLOSED),))
    if button.action == "cost":
        return Outcome(case, (Show(TrialCost(trial)), Show(TrialChart(trial))))
    if button.action == "keep":
        return Outcome(aside.marked(case, sure=""), (Show(TrialCost(trial), replace=True),))
    if button.action in (*STEPS, RESUMED):
        return take(case, trial, button.action, context, sure=button.args[:1] == ("sure",), tapped=True)
    return Outcome(case, (Toast(N_("That button does nothing any more.")),))


def take(case: Case, trial: Trial, step: str, context: Context, *, sure: bool = False, tapped: bool = False) -> Outcome:
    """Take a step of a trial; one whose forerunners are missing is asked about once more, unless it is `sure`."""
    missing = missing_before(trial, TrialState(step)) if step != RESUMED else ()
    if missing and not sure:
        asked = aside.marked(case, sure=f"t{trial.id}:{step}")
        return Outcome(asked, (Show(StepSure(trial, TrialState(step), missing)),))
    after = taken(trial, step, context.now)
    if after == trial:
        return Outcome(case, (Toast(KNOWN),) if tapped else (Show(TrialCost(trial)),))
    case = aside.marked(case, sure="")
    if after.is_running:
        shown = StepTaken(after, step)
        return Outcome(case, (TakeStep(after), Show(shown, replace=sure), TellStaff(shown)))
    ended = TrialDestroyed(after)
    effects = (TakeStep(after), Show(ended, replace=sure), TellStaff(ended))
    return measured.ask(case, trial).after(*effects)


def _sure(case: Case, sure: str, running: tuple[Trial, ...], context: Context) -> Outcome | None:
    owner, _, step = sure.partition(":")
    trial = next((t for t in running if f"t{t.id}" == owner), None)
    return None if trial is None else take(case, trial, step, context, sure=True)


def _kept(case: Case, sure: str, running: tuple[Trial, ...]) -> Outcome | None:
    trial = next((t for t in running if f"t{t.id}" == sure.partition(":")[0]), None)
    return None if trial is None else Outcome(case, (Show(TrialCost(trial)),))


def _other_words(case: Case, plain: str, running: tuple[Trial, ...], context: Context) -> Outcome | None:
    if _COST.fullmatch(plain) and len(running) > MOST_CHARTS:
        return Outcome(case, (Show(ReminderList(running, context.series)),))
    if _COST.fullmatch(plain):
        shown = tuple(Show(screen) for trial in running for screen in (TrialCost(trial), TrialChart(trial)))
        return Outcome(case, shown)
    if len(running) > 1:
        return None
    began, longer = _BEGAN.fullmatch(plain), _EXTEND.fullmatch(plain)
    said = next(filter(None, (part for words in (began, longer) if words for part in words.groups())), "")
    seconds = times.duration(said, context) if said else None
    if seconds is None:
        return None
    if began:
        return _began(case, running[0], context.now.astimezone(UTC) - timedelta(seconds=seconds))
    return planned_until(case, running[0], max(running[0].planned_end_at, context.now).timestamp() + seconds, context)


def _began(case: Case, trial: Trial, moment: datetime) -> Outcome | None:
    """Correct when a trial began; the planned end stays. What was stopped before that moment cannot be."""
    if any(since < moment for since, _ in trial.stops):
        return None
    after = replace(trial, started_at=moment)
    return Outcome(case, (TakeStep(after), Show(TrialCost(after)), TellStaff(TrialCost(after))))


def planned_until(case: Case, trial: Trial, end_s: float, context: Context) -> Outcome | None:
    """Move a trial's planned end to a moment (seconds of the epoch); None when that is past or too far off."""
    end = context.now.fromtimestamp(end_s, context.now.tzinfo)
    if not context.now < end <= context.now + trials.LONGEST_TRIAL:
        return None
    after = replace(trial, planned_end_at=end)
    return Outcome(case, (TakeStep(after), Show(TrialCost(after)), TellStaff(TrialCost(after))))
