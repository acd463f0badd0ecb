"""What customers tell of a registered trial: its steps, by button or in words, and how long it shall run."""

import re
from dataclasses import replace
from typing import Final

from bot.dialog import aside, measured, trials
from bot.dialog.button import Button
from bot.dialog.effect import Outcome, Show, TakeStep, TellStaff, Toast
from bot.dialog.event import Context
from bot.dialog.screen import ReminderList, StepSure, StepTaken, TrialChart, TrialCost, TrialDestroyed
from bot.dialog.state import Case
from bot.i18n import N_
from bot.quantities.folding import wording
from bot.reminders.steps import RESUMED, STEPS, missing_before, taken
from bot.reminders.trial import Trial, TrialState

CLOSED: Final = N_("This trial is closed already.")
KNOWN: Final = N_("That is noted already.")
MOST_CHARTS: Final = 3
"""Of more trials the costs come as a list, not as a message and a picture each."""
_IT: Final = r"(?: (?:it|them|the (?:instance|trial|machine|box|data|files?|checkpoints?)|everything|all))?"
_I: Final = r"(?:i(?:'ve| have)? )?(?:already |just )?"
_WORDS: Final = {
    TrialState.DESTROYED: re.compile(rf"{_I}(?:destroyed|terminated|deleted){_IT}|(?:实例)?(?:已经?|刚刚?)?(?:销毁|释放)(?:实例|机器)?(?:了|完了|好了)|已经?(?:销毁|释放)(?:实例|机器)?"),
    TrialState.STOPPED: re.compile(rf"{_I}(?:stopped|shut ?down|paused){_IT}|(?:it|the instance) is stopped|(?:实例)?(?:已经?|刚刚?)?(?:停止|停机|关机|停)了|已经?(?:停止|停机|关机)"),
    TrialState.MOVED: re.compile(rf"{_I}(?:moved|copied|downloaded|transferred|backed up){_IT}|(?:the )?data (?:is |was )?(?:moved|copied|transferred)|(?:数据|文件|权重)?(?:已经?|都|刚刚?)*(?:转移|迁移|搬走|搬完|拷走|备份|导出|转走)(?:完|好)?了|(?:数据)?已经?(?:转移|迁移|备份)(?:完成)?"),
    TrialState.VERIFIED: re.compile(rf"{_I}(?:verified|checked){_IT}|(?:the )?(?:files|data) (?:are |is )?(?:verified|checked)|(?:数据|文件)?(?:已经?|都|刚刚?)*(?:核对|验证|校验|检查)(?:过|完|好)?了|(?:数据|文件)?已经?(?:核对|验证|校验)(?:完成)?"),
    RESUMED: re.compile(rf"{_I}(?:started|resumed|restarted){_IT} ?(?:again)?|(?:it is |it's )?running again|(?:又|重新|已经?)+(?:开机|启动|重启)了?"),
}  # fmt: skip
_COST: Final = re.compile(
    r"(?:what (?:does|did|has) it cost(?: so far)?|cost so far|how much so far|how much (?:have i spent|did i spend|does it cost so far)|running cost)\??"
    r"|(?:现在|目前|到现在|已经|我|一共|总共)*花了(?:多少|多少钱|几块钱)|(?:目前|现在|当前)(?:的)?(?:费用|花费|成本)(?:是?多少)?"
)
_YES: Final = re.compile(r"yes|y|sure|yes,? destroyed|ok|是|是的|确定|确认|对|对的|没错")
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
    if not running:
        return None
    step = next((step for step, words in _WORDS.items() if words.fullmatch(plain)), None)
    if step is None:
        return _other_words(case, plain, running, context)
    if len(running) > 1:
        return Outcome(case, (Show(ReminderList(running, context.series)),))
    if sure == f"t{running[0].id}:{step}":
        return _sure(case, sure, running, context)
    return take(case, running[0], step, context)


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


def _other_words(case: Case, plain: str, running: tuple[Trial, ...], context: Context) -> Outcome | None:
    if _COST.fullmatch(plain) and len(running) > MOST_CHARTS:
        return Outcome(case, (Show(ReminderList(running, context.series)),))
    if _COST.fullmatch(plain):
        shown = tuple(Show(screen) for trial in running for screen in (TrialCost(trial), TrialChart(trial)))
        return Outcome(case, shown)
    longer = _EXTEND.fullmatch(plain)
    if longer is None or len(running) > 1:
        return None
    seconds = trials.duration(longer["more"] or longer["more2"] or longer["more3"], context)
    if seconds is None:
        return None
    return planned_until(case, running[0], max(running[0].planned_end_at, context.now).timestamp() + seconds, context)


def planned_until(case: Case, trial: Trial, end_s: float, context: Context) -> Outcome | None:
    """Move a trial's planned end to a moment (seconds of the epoch); None when that is past or too far off."""
    end = context.now.fromtimestamp(end_s, context.now.tzinfo)
    if not context.now < end <= context.now + trials.LONGEST_TRIAL:
        return None
    after = replace(trial, planned_end_at=end)
    return Outcome(case, (TakeStep(after), Show(TrialCost(after)), TellStaff(TrialCost(after))))
