"""One table from each kind of screen to its renderer."""

from collections.abc import Callable
from typing import Any, Final

from bot.dialog import screen
from bot.telegram.screens import (
    asides,
    clock,
    documents,
    estimates,
    lists,
    measured,
    notices,
    questions,
    reminders,
    reserving,
    running,
    summaries,
    trials,
)
from bot.telegram.screens.view import Reader, View

RENDERERS: Final[dict[type, Callable[[Any, Reader], View | None]]] = {
    screen.Greeting: questions.greeting,
    screen.Ask: questions.ask,
    screen.Disputed: asides.disputed,
    screen.SideAnswer: asides.side_answer,
    screen.SideUnknown: asides.side_unknown,
    screen.Form: summaries.form,
    screen.Document: documents.document,
    screen.Answered: questions.answered,
    screen.Summary: summaries.summary,
    screen.EditMenu: summaries.edit_menu,
    screen.Submitted: summaries.submitted,
    screen.EstimateText: estimates.estimate_text,
    screen.EstimateChart: estimates.estimate_chart,
    screen.CostChart: reserving.cost_chart,
    screen.Route: estimates.route,
    screen.TrialQuestion: trials.trial_question,
    screen.TrialRegistered: trials.trial_registered,
    screen.TrialCost: running.trial_cost,
    screen.TrialChart: running.trial_chart,
    screen.StepSure: running.step_sure,
    screen.StepTaken: running.step_taken,
    screen.TrialDestroyed: running.trial_destroyed,
    screen.MeasureQuestion: measured.measure_question,
    screen.MeasureTaken: measured.measure_taken,
    screen.MeasureFile: trials.measure_file,
    screen.Due: reminders.due,
    screen.Missed: lists.missed,
    screen.Task: reminders.task,
    screen.Snoozed: reminders.snoozed,
    screen.Kept: reminders.kept,
    screen.ReminderQuestion: reminders.reminder_question,
    screen.ReminderList: lists.reminder_list,
    screen.ZoneQuestion: clock.zone_question,
    screen.ZoneSet: clock.zone_set,
    screen.QuietSet: clock.quiet_set,
    screen.StatusReport: notices.status,
    screen.LanguageChoice: notices.language_choice,
    screen.LanguageSet: notices.language_set,
    screen.Handed: notices.handed,
    screen.Help: notices.help_,
    screen.Privacy: notices.privacy,
    screen.ForgetQuestion: notices.forget_question,
    screen.Notice: notices.notice,
}


def render(shown: screen.Screen, reader: Reader) -> View | None:
    """Return a screen as its reader sees it; None where there is nothing to show, such as a chart without an estimate."""
    return RENDERERS[type(shown)](shown, reader)
