"""Reminders of the customer's own, the list of all, and what their buttons and words do."""

import re
from dataclasses import replace
from datetime import time, timedelta
from typing import Final

from bot.dialog import aside, steps, trials, zones
from bot.dialog.button import Button
from bot.dialog.effect import AddReminder, ChangeReminder, Effect, Outcome, SetQuiet, Settle, Show, Snooze, Toast
from bot.dialog.event import Context
from bot.dialog.pages import page_with
from bot.dialog.screen import Kept, Notice, QuietSet, ReminderList, ReminderQuestion, Snoozed
from bot.dialog.state import Case, ReminderDraft, Scene
from bot.i18n import N_
from bot.quantities.folding import wording
from bot.reminders.kinds import OWN
from bot.reminders.rules import snoozed_to
from bot.reminders.series import Series
from bot.reminders.wish import Wish, rule_changed, wish_from, wish_in

GONE: Final = N_("This reminder is answered already.")
LONGEST_TEXT: Final = 200
MOST_KEPT: Final = 50
FULL: Final = N_("You have as many reminders as I can keep. Delete one first: /reminders")

_SNOOZE: Final = re.compile(
    r"(?:snooze|remind me (?:again|later))(?: (?:for|in|again in)?\s*(?P<en>.+))?"
    r"|(?:稍后|晚点|等会儿?|待会儿?|过会儿?|一会儿?)再?(?:提醒|叫)我?|(?P<zh>.+?)(?:以?后)?再(?:提醒|叫)我?(?:一下|吧)?"
)
# Said to a question of the checklist, these put that question off instead.
_LATER: Final = re.compile(
    r"(?:later|not now)(?:,? (?:in )?(?P<en>.+))?|(?P<night>tonight|tomorrow)|(?:稍后|晚点|等会儿?|待会儿?|过会儿?|一会儿?)(?:再说)?"
    r"|(?P<zh>.+?)(?:以?后)?再说吧?"
)
_TALKING: Final = frozenset({Scene.IDLE, Scene.DESK})
_NIGHTS: Final = {"tonight": "tonight", "今晚": "tonight", "tomorrow": "tomorrow", "明天": "tomorrow"}
_STOP: Final = re.compile(
    r"(?:please )?(?:stop (?:reminding me|the reminders|reminders)|(?:don't|do not) remind me(?: any ?more)?)"
    r"|(?:别|不要|不用|停止)(?:再)?提醒(?:我)?(?:了|吧)?|(?:show |list )?(?:my )?reminders|(?:我的|查看|所有)?提醒(?:列表)?"
)
_QUIET: Final = re.compile(
    r"(?:quiet hours?|do not disturb|免打扰|安静时间|静音时段?|勿扰)(?:\s*(?:from|:|是|为))?\s*(?P<a>\d{1,2})(?::?(?P<am>\d\d))?\s*[点时]?\s*(?:-|~|–|to|到|至)\s*(?P<b>\d{1,2})(?::?(?P<bm>\d\d))?\s*[点时]?"
    r"|(?P<none>(?:no quiet hours?|quiet hours? off)|(?:关闭|取消)(?:免打扰|安静时间|勿扰))"
)


def begin(case: Case, argument: str, context: Context) -> Outcome:
    """Take what was written behind /remind, or ask when and of what."""
    if not argument:
        return _ask(aside.opened(case, Scene.REMIND, remind=ReminderDraft()))
    return _made(case, wish_in(argument, context.now) or wish_from("", argument, context.now), ReminderDraft(), context)


def question(case: Case) -> ReminderQuestion:
    """Return the open question as a screen."""
    return ReminderQuestion(case.state.owner, case.state.remind or ReminderDraft(), case.state.tries)


def answer(case: Case, said: str, context: Context) -> Outcome:
    """Take a text as the answer to the open question: a time, or a whole reminder."""
    draft = case.state.remind or ReminderDraft()
    if draft.changes.startswith("t"):
        return _new_end(case, said, draft, context)
    wish = wish_in(said, context.now) or wish_from("", said, context.now)
    old = next((one for one in context.series if f"s{one.id}" == draft.changes), None)
    if old is not None:
        rule = rule_changed(old.rule, wish.rule or next(iter(wish.readings), ""), said, context.now)
        wish = wish if rule in (wish.rule, "", *wish.readings) else Wish(wish.text, rule)
    if not wish.rule and not wish.readings and draft.text:
        return _ask(aside.tried(case))
    return _made(case, wish, draft, context)


def anytime(case: Case, text: str, context: Context) -> Outcome | None:
    """Take words about reminders that count wherever the talk stands; None for all others."""
    plain = wording(text).strip(" .!。！~")
    quiet = _QUIET.fullmatch(plain)
    if quiet:
        return _quiet(case, quiet)
    words = _SNOOZE.fullmatch(plain) or (_LATER.fullmatch(plain) if case.state.scene in _TALKING else None)
    if context.sent and words:
        snoozed = _snoozed_by(case, next(filter(None, words.groupdict().values()), ""), context)
        if snoozed is not None:
            return snoozed
    if _STOP.fullmatch(plain):
        return Outcome(case, (Show(listed(context)),))
    wish = wish_in(text, context.now)
    return None if wish is None else _made(case, wish, ReminderDraft(), context)


def listed(context: Context, page: int = 0) -> ReminderList:
    """Return a page (from 0) of the list of what runs and what is kept."""
    return ReminderList(tuple(trial for trial in context.trials if trial.is_running), context.series, page)


def press_sent(case: Case, button: Button, context: Context) -> Outcome:
    """Carry out a tap below a reminder that was sent: later, done."""
    occurrence = next((one for one in context.sent if f"r{one.id}" == button.owner), None)
    if occurrence is None:
        return Outcome(case, (Toast(GONE),))
    if button.action == "later" and button.args:
        due_at = snoozed_to(button.args[0], context.now, zones.zone_of_context(context))
        if due_at is not None:
            return Outcome(case, (Snooze(occurrence, due_at), Show(Snoozed(due_at), replace=True)))
    if button.action in ("done", "saved"):
        return Outcome(case, (Settle(occurrence), Show(Notice(N_("Done, well done.")), replace=True)))
    series = next((one for one in context.series if one.id == occurrence.series_id), None)
    if button.action == "off" and series is not None:
        effects = (
            Settle(occurrence),
            ChangeReminder(series, "pause"),
            Show(Kept(paused(series, context)), replace=True),
        )
        return Outcome(case, effects)
    return Outcome(case, (Toast(GONE),))


def press_series(case: Case, button: Button, context: Context) -> Outcome:
    """Carry out a tap on a reminder of the list: edit, pause, resume, delete."""
    series = next((one for one in context.series if f"s{one.id}" == button.owner), None)
    if series is None:
        return Outcome(case, (Toast(N_("This reminder is deleted already.")),))
    left = tuple(one for one in context.series if one.id != series.id)
    match button.action:
        case "change":
            draft = ReminderDraft(text=series.text, changes=f"s{series.id}")
            return _ask(aside.opened(case, Scene.REMIND, remind=draft))
        case "pause" if series.paused_at is None:
            changed = paused(series, context)
        case "go" if series.paused_at is not None:
            changed = replace(series, paused_at=None)
        case "delete":
            shown = replace(_beside(series, context), series=left)
            return Outcome(case, (ChangeReminder(series, "delete"), Show(shown, replace=True)))
        case _:
            return Outcome(case, (Toast(steps.KNOWN),))
    rest = tuple(changed if one.id == series.id else one for one in context.series)
    action: Effect = ChangeReminder(series, "pause" if changed.paused_at else "resume")
    return Outcome(case, (action, Show(replace(_beside(series, context), series=rest), replace=True)))


def _beside(series: Series, context: Context) -> ReminderList:
    """The list at the page on which a reminder stands."""
    shown = listed(context)
    return replace(shown, page=page_with(len(shown.trials) + context.series.index(series)))


def press(case: Case, button: Button, context: Context) -> Outcome | None:
    """Carry out a tap inside the question: which moment was meant, or leave it."""
    draft = case.state.remind
    if case.state.scene is not Scene.REMIND or draft is None or button.owner != case.state.owner:
        return None
    if button.action == "unset":
        return Outcome(aside.closed(case))
    if button.action == "moment" and button.args and button.args[0].isdigit():
        chosen = draft.readings[int(button.args[0]) : int(button.args[0]) + 1]
        if chosen:
            return _made(case, Wish(draft.text, chosen[0]), draft, context, tapped=True)
    return None


def change_end(case: Case, trial_id: int) -> Outcome:
    """Ask until when a trial shall run now."""
    return _ask(aside.opened(case, Scene.REMIND, remind=ReminderDraft(changes=f"t{trial_id}")))


def paused(series: Series, context: Context) -> Series:
    """Return a series as it is while paused."""
    return replace(series, paused_at=context.now, next_at=None)


def _ask(case: Case) -> Outcome:
    return Outcome(case, (Show(question(case), live=True),))


def _made(case: Case, wish: Wish, draft: ReminderDraft, context: Context, *, tapped: bool = False) -> Outcome:
    """Store or change a reminder once its moment is clear; otherwise ask for what is open."""
    text = (wish.text or draft.text)[:LONGEST_TEXT]
    if not wish.rule:
        about = draft.model_copy(update={"text": text, "readings": wish.readings})
        return _ask(aside.opened(case, Scene.REMIND, remind=about))
    old = next((one for one in context.series if f"s{one.id}" == draft.changes), None)
    if old is None and len(context.series) >= MOST_KEPT:
        return Outcome(aside.closed(case), (Show(Notice(FULL)),))
    series = replace(
        old or Series(0, OWN.code, None, text, wish.rule, context.now), text=text, rule=wish.rule, paused_at=None
    )
    effect: Effect = AddReminder(text, wish.rule) if old is None else ChangeReminder(series)
    done = Outcome(aside.closed(case), (effect, Show(Kept(series), replace=tapped)))
    return zones.ask_once(done, context)


def _new_end(case: Case, said: str, draft: ReminderDraft, context: Context) -> Outcome:
    trial = next((t for t in context.trials if f"t{t.id}" == draft.changes), None)
    if trial is None:
        return Outcome(aside.closed(case), (Show(Notice(steps.CLOSED)),))
    seconds = trials.duration(said, context)
    moment = trials.moment(said, context)
    end_s = moment.timestamp() if moment else context.now.timestamp() + seconds if seconds else None
    done = steps.planned_until(aside.closed(case), trial, end_s, context) if end_s else None
    return done or _ask(aside.tried(case))


def _snoozed_by(case: Case, said: str, context: Context) -> Outcome | None:
    """Move the reminder that came last by words: snooze 2 h, 明天再说; without a time by an hour."""
    occurrence, zone = context.sent[0], zones.zone_of_context(context)
    code = _NIGHTS.get(said.strip(), "1h" if not said.strip() else "")
    due_at = snoozed_to(code, context.now, zone) if code else None
    if due_at is None:
        seconds = trials.duration(re.sub(r"以?后$", "", said), context)
        moment = trials.moment(said, context)
        due_at = moment or (context.now + timedelta(seconds=seconds) if seconds else None)
    return None if due_at is None else Outcome(case, (Snooze(occurrence, due_at), Show(Snoozed(due_at))))


def _quiet(case: Case, words: re.Match[str]) -> Outcome | None:
    if words["none"]:
        hours = "00:00-00:00"
    else:
        try:
            ends = [time(int(words[h]) % 24, int(words[m] or 0)) for h, m in (("a", "am"), ("b", "bm"))]
        except ValueError:
            return None
        hours = "-".join(end.isoformat("minutes") for end in ends)
    return Outcome(case, (SetQuiet(hours), Show(QuietSet(hours))))
