"""The screens of trial instances and their reminders."""

from datetime import timedelta
from decimal import Decimal
from typing import Final

from bot.checklist.job import request_from
from bot.dialog import trials as trial_dialog
from bot.dialog.button import Button
from bot.dialog.screen import (
    ReminderList,
    Snoozed,
    TrialCost,
    TrialDestroyed,
    TrialQuestion,
    TrialRegistered,
    TrialReminder,
)
from bot.dialog.state import Case, DialogState, TrialDraft, TrialStep
from bot.i18n import N_, NP_, Texts
from bot.reminders.trial import Trial
from bot.telegram.markup import Html, bold, line, lines, paragraphs
from bot.telegram.screens.estimates import card_title, money_span
from bot.telegram.screens.view import Reader, Tap, View

ORDER: Final = N_(
    "In this order: move weights and data to your own storage, verify the files, then destroy the instance."
)
STOPPING: Final = N_(
    "Stopping is not enough: storage goes on costing. Only destroying ends all billing, and it deletes the disk."
)
SNOOZE_LABELS: Final = {
    "15m": N_("In 15 minutes"),
    "1h": N_("In 1 hour"),
    "1d": N_("Tomorrow"),
}
_TROUBLE: Final = {
    TrialStep.CARDS: N_("Sorry, I do not know that card. Write for example: 1 × RTX 4090"),
    TrialStep.PRICE: N_("Sorry, I could not read that price. Write for example: 0.35 USD, or 2.5 元"),
    TrialStep.HOURS: N_("Sorry, I could not read that time. Write for example: 3 hours, or until tomorrow 6 pm"),
    TrialStep.CHECK: N_("Please tap “Register”, or “Do not register”."),
}


def trial_question(screen: TrialQuestion, reader: Reader) -> View:
    """One step of the registration."""
    texts, draft = reader.texts, screen.draft
    trouble = texts.text(_TROUBLE[draft.step]) if screen.tries else None
    body, taps = {
        TrialStep.CARDS: _ask_cards,
        TrialStep.PRICE: _ask_price,
        TrialStep.HOURS: _ask_hours,
        TrialStep.CHECK: _ask_check,
    }[draft.step](screen, reader)
    stop = Tap(texts.text(N_("Do not register")), Button(screen.owner, "stop"))
    return View(paragraphs([trouble, body]), (*((tap,) for tap in taps), (stop,)))


def trial_registered(screen: TrialRegistered, reader: Reader) -> View:
    """The trial is on; when the reminder will come, and what to do until then."""
    texts, draft = reader.texts, screen.draft
    end = reader.now + timedelta(seconds=draft.seconds or 0)
    return View(
        paragraphs(
            [
                line("⏱ ", bold(texts.text(N_("Trial registered")))),
                lines(
                    _draft_line(draft, texts),
                    texts.text(N_("I will remind you at {moment}."), moment=texts.moment(end, reader.zone)),
                ),
                lines(
                    texts.text(N_("Measure the peak memory, tokens per second and the time to write a checkpoint.")),
                    texts.text(N_("Save checkpoints as often as the work you can afford to lose.")),
                ),
                texts.text(N_("Write “destroyed” as soon as the instance is gone. /reminders shows what runs.")),
            ]
        )
    )


def trial_cost(screen: TrialCost, reader: Reader) -> View:
    """What a trial has cost so far."""
    return View(
        lines(_trial_line(screen.trial, reader.texts), _cost_line(screen.trial, reader)),
        _trial_rows(screen.trial, reader),
    )


def trial_reminder(screen: TrialReminder, reader: Reader) -> View:
    """The reminder to destroy: the cost so far, the right order, and what can be tapped."""
    texts, trial = reader.texts, screen.trial
    late = (
        texts.text(
            N_("This reminder was due at {moment} and comes late; sorry."),
            moment=texts.moment(trial.planned_end_at, reader.zone),
        )
        if screen.late
        else None
    )
    return View(
        paragraphs(
            [
                line("⏰ ", bold(texts.text(N_("Time to destroy your trial instance")))),
                lines(_trial_line(trial, texts), _cost_line(trial, reader)),
                lines(texts.text(ORDER), texts.text(STOPPING)),
                late,
            ]
        ),
        _trial_rows(trial, reader),
    )


def trial_destroyed(screen: TrialDestroyed, reader: Reader) -> View:
    """A trial is closed: its time and cost, and what the numbers are good for."""
    texts, trial = reader.texts, screen.trial
    return View(
        paragraphs(
            [
                line("✅ ", bold(texts.text(N_("Destroyed; all billing for it has ended")))),
                lines(_trial_line(trial, texts), _cost_line(trial, reader)),
                texts.text(N_("There will be no more reminders for it.")),
            ]
        )
    )


def snoozed(screen: Snoozed, reader: Reader) -> View:
    """A reminder was moved."""
    texts = reader.texts
    when = texts.moment(reader.now + timedelta(seconds=screen.seconds), reader.zone)
    return View(line("⏰ ", texts.text(N_("I will remind you again at {moment}."), moment=when)))


def reminder_list(screen: ReminderList, reader: Reader) -> View:
    """All running trials, each with its planned end and cost, and a button to close it."""
    texts = reader.texts
    if not screen.trials:
        return View(line(texts.text(N_("No trial is running. /trial registers one."))))
    blocks = [
        lines(
            _trial_line(trial, texts),
            texts.text(N_("Planned end: {moment}"), moment=texts.moment(trial.planned_end_at, reader.zone)),
            _cost_line(trial, reader),
        )
        for trial in screen.trials
    ]
    rows = tuple(row for trial in screen.trials for row in _trial_rows(trial, reader, named=len(screen.trials) > 1)[:1])
    return View(paragraphs([bold(texts.text(N_("Running trials"))), *blocks]), rows)


def _ask_cards(screen: TrialQuestion, reader: Reader) -> tuple[Html, list[Tap]]:
    texts = reader.texts
    body = lines(
        bold(texts.text(N_("Which card, and how many?"))),
        texts.text(
            N_("A trial should be small: the smallest card that fits, a few dozen steps. For example: 1 × RTX 4090")
        ),
    )
    found = trial_dialog.suggested(Case(DialogState(), screen.answers)) if request_from(screen.answers) else None
    if found is None:
        return body, []
    key, gpus = found
    label = texts.text(N_("Smallest that fits: {cards}"), cards=f"{gpus} × {card_title(key)}")
    return body, [Tap(label, Button(screen.owner, "take", (TrialStep.CARDS, str(gpus), key)))]


def _ask_price(screen: TrialQuestion, reader: Reader) -> tuple[Html, list[Tap]]:
    texts, draft = reader.texts, screen.draft
    body = lines(
        _cards_line(draft, texts),
        bold(texts.text(N_("What does one card cost per hour?"))),
        texts.text(N_("The price on your order; it is locked until you destroy the instance. For example: 0.35 USD")),
    )
    band = reader.prices.band(draft.gpu or "")
    if band is None:
        return body, []
    label = texts.text(N_("Market price: {money}"), money=texts.money(band.median, band.currency))
    thousandths = str(int(band.median * 1000))
    market = texts.text(N_("The market lies at {money}."), money=money_span(band.low, band.high, band.currency, texts))
    return lines(body, market), [
        Tap(label, Button(screen.owner, "take", (TrialStep.PRICE, thousandths, band.currency)))
    ]


def _ask_hours(screen: TrialQuestion, reader: Reader) -> tuple[Html, list[Tap]]:
    texts = reader.texts
    body = lines(
        _cards_line(screen.draft, texts),
        bold(texts.text(N_("How long will you run it?"))),
        texts.text(N_("For example: 3 hours, until 6 pm, until tomorrow noon.")),
    )
    taps = [
        Tap(
            texts.plural(NP_("{n} hour", "{n} hours"), hours),
            Button(screen.owner, "take", (TrialStep.HOURS, str(hours))),
        )
        for hours in (1, 3, 8)
    ]
    return body, taps


def _ask_check(screen: TrialQuestion, reader: Reader) -> tuple[Html, list[Tap]]:
    texts, draft = reader.texts, screen.draft
    seconds = Decimal(int(draft.seconds or 0))
    total = (draft.price or Decimal(0)) * (draft.gpus or 0) * seconds / 3600
    end = reader.now + timedelta(seconds=draft.seconds or 0)
    body = lines(
        _draft_line(draft, texts),
        texts.text(N_("Planned end: {moment}"), moment=texts.moment(end, reader.zone)),
        texts.text(
            N_("Compute until then: {money}; storage and traffic come on top."),
            money=texts.money(total.quantize(Decimal("0.01")), draft.currency),
        ),
    )
    return body, [Tap(texts.text(N_("✓ Register")), Button(screen.owner, "register"))]


def _cards_line(draft: TrialDraft, texts: Texts) -> str:
    return texts.text(N_("Trial: {cards}"), cards=f"{draft.gpus} × {card_title(draft.gpu or '')}")


def _draft_line(draft: TrialDraft, texts: Texts) -> Html:
    price = texts.money(draft.price or Decimal(0), draft.currency)
    each = texts.text(N_("{money} per card and hour"), money=price)
    return line(_cards_line(draft, texts), " · ", each, " · ", texts.duration(timedelta(seconds=draft.seconds or 0)))


def _trial_line(trial: Trial, texts: Texts) -> Html:
    each = texts.text(N_("{money} per card and hour"), money=texts.money(trial.price_per_gpu_hour, trial.currency))
    return line(bold(f"{trial.gpus} × {card_title(trial.gpu)}"), " · ", each)


def _cost_line(trial: Trial, reader: Reader) -> str:
    texts = reader.texts
    return texts.text(
        N_("Compute so far: {money} in {time}; storage and traffic come on top."),
        money=texts.money(trial.cost(reader.now), trial.currency),
        time=texts.duration(trial.ran_for(reader.now)),
    )


def _trial_rows(trial: Trial, reader: Reader, *, named: bool = False) -> tuple[tuple[Tap, ...], ...]:
    texts, owner = reader.texts, f"t{trial.id}"
    done = texts.text(N_("I have destroyed it"))
    label = f"{done} · {trial.gpus} × {card_title(trial.gpu)}" if named else done
    later = tuple(Tap(texts.text(text), Button(owner, "later", (code,))) for code, text in SNOOZE_LABELS.items())
    return ((Tap(label, Button(owner, "destroyed")),), later)
