"""Lists of what runs and of what is kept, in pages, each entry with the buttons that change it."""

from typing import Final

from bot.dialog.button import Button
from bot.dialog.lists import LISTS, OPEN
from bot.dialog.pages import page_of
from bot.dialog.screen import Missed, ReminderList
from bot.i18n import N_, NP_, Texts
from bot.reminders.series import Series
from bot.reminders.trial import Trial
from bot.telegram.markup import Html, bold, line, lines, paragraphs
from bot.telegram.screens.reminders import headline_of, subject, when
from bot.telegram.screens.running import TAPS, step_taps, trial_block
from bot.telegram.screens.view import Reader, Tap, View, in_rows, pager

MOST_MISSED: Final = 12
"""Late reminders that one message names; with texts of the customer's own in full length it still is one message."""


def reminder_list(screen: ReminderList, reader: Reader, name: str = "kept") -> View:
    """A page of the trials that cost money and of the reminders; `name` is the list that its buttons turn, see `dialog.lists`."""
    texts = reader.texts
    if not screen.trials and not screen.series:
        empty = texts.text(
            N_("No trial is running and no reminder is set. /trial registers a trial, /remind sets a reminder.")
        )
        return View(line(empty))
    entries: tuple[Trial | Series, ...] = (*screen.trials, *screen.series)
    page = page_of(entries, screen.page)
    blocks: list[Html | None] = []
    rows: list[tuple[Tap, ...]] = []
    titled: set[type] = set()
    for n, entry in page.numbered():
        trial = isinstance(entry, Trial)
        title = None if type(entry) in titled else bold(texts.text(N_("Running trials") if trial else N_("Reminders")))
        titled.add(type(entry))
        mark = f"{n}. " if len(entries) > 1 or not trial else ""
        if isinstance(entry, Trial):
            end = texts.text(N_("Planned end: {moment}"), moment=texts.moment(entry.planned_end_at, reader.zone))
            blocks += [title, lines(line(mark, trial_block(entry, reader)), end)]
            rows.append(_trial_row(mark, entry, texts))
        else:
            blocks += [title, lines(line(mark, subject(entry, texts)), when(entry, reader))]
            rows.append(_series_row(mark, entry, texts))
    return View(paragraphs(blocks), (*rows, *pager(page, LISTS, name)))


def missed(screen: Missed, reader: Reader) -> View:
    """Several reminders that could not come in time, in one message with the buttons of the trials they are about."""
    texts = reader.texts
    rows = [
        line("• ", texts.moment(one.occurrence.due_at, reader.zone), texts.colon, headline_of(one, reader))
        for one in screen.due[:MOST_MISSED]
    ]
    more = len(screen.due) - len(rows)
    if more > 0:
        rows.append(line(texts.plural(NP_("and {n} more", "and {n} more"), more)))
    trials = list({one.trial.id: one.trial for one in screen.due if one.trial is not None}.values())
    page = page_of(trials, 0)
    title = line("⏰ ", bold(texts.text(N_("These reminders came due while I could not send them"))))
    if len(trials) == 1:
        return View(
            paragraphs([title, lines(*rows), trial_block(trials[0], reader)]), in_rows(step_taps(trials[0], texts))
        )
    blocks = [line(f"{n}. ", trial_block(trial, reader)) for n, trial in page.numbered()]
    taps = [_trial_row(f"{n}. ", trial, texts) for n, trial in page.numbered()]
    if page.count > 1 or more > 0:
        taps.append((Tap(texts.text(N_("All trials and reminders")), Button(LISTS, OPEN, ("kept",))),))
    return View(paragraphs([title, lines(*rows), *blocks]), tuple(taps))


def _trial_row(mark: str, trial: Trial, texts: Texts) -> tuple[Tap, ...]:
    owner = f"t{trial.id}"
    return (
        Tap(mark + texts.text(TAPS[next(iter(TAPS))]), Button(owner, "destroyed")),
        Tap(mark + texts.text(N_("Cost and steps")), Button(owner, "cost")),
    )


def _series_row(mark: str, series: Series, texts: Texts) -> tuple[Tap, ...]:
    owner = f"s{series.id}"
    paused = series.paused_at is not None
    label, action = (N_("Go on"), "go") if paused else (N_("Pause"), "pause")
    return (
        Tap(mark + texts.text(N_("Change")), Button(owner, "change")),
        Tap(texts.text(label), Button(owner, action)),
        Tap(texts.text(N_("Delete")), Button(owner, "delete")),
    )
