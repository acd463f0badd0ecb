"""What staff read in a customer's topic of what happens to a trial: the facts, without the advice that is the customer's."""

from bot.dialog.screen import Screen, StepTaken, TrialCost, TrialDestroyed, TrialRegistered
from bot.i18n import N_
from bot.reminders.trial import Trial
from bot.telegram.markup import Html, bold, line, lines
from bot.telegram.screens.render import render
from bot.telegram.screens.running import step_title, trial_block
from bot.telegram.screens.trials import disk_line
from bot.telegram.screens.view import Reader, View


def for_staff(shown: Screen, reader: Reader) -> View | None:
    """Return a screen as staff read it; those that speak to the customer alone are cut to their facts, others stay."""
    texts = reader.texts
    match shown:
        case TrialRegistered(trial=trial):
            return _facts(line("⏱ ", bold(texts.text(N_("Trial registered")))), trial, reader)
        case StepTaken(trial=trial, step=step):
            return _facts(step_title(step, texts), trial, reader)
        case TrialDestroyed(trial=trial):
            title = line("✅ ", bold(texts.text(N_("Destroyed; all billing for it has ended"))))
            return View(lines(title, trial_block(trial, reader)))
        case TrialCost(trial=trial):
            return _facts(line("⏱ ", bold(texts.text(N_("Trial changed")))), trial, reader)
        case _:
            return render(shown, reader)


def _facts(title: Html, trial: Trial, reader: Reader) -> View:
    texts = reader.texts
    return View(
        lines(
            title,
            trial_block(trial, reader),
            disk_line(trial.storage_gb, trial.storage_price_per_gb_month, trial.currency, texts),
            texts.text(N_("Started: {moment}"), moment=texts.moment(trial.started_at, reader.zone)),
            texts.text(N_("Planned end: {moment}"), moment=texts.moment(trial.planned_end_at, reader.zone)),
        )
    )
