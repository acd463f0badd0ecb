"""The screens of reminders: as they come, as they are set, listed and moved, and of the clock that they follow."""

from datetime import datetime, timedelta
from typing import Final

from bot.dialog.button import Button
from bot.dialog.decide import ANYWHERE
from bot.dialog.screen import (
    Due,
    Kept,
    ReminderQuestion,
    Snoozed,
    Task,
)
from bot.i18n import N_, Texts
from bot.reminders.kinds import CHECKPOINT, KINDS, headline
from bot.reminders.rules import SNOOZES, snoozed_to
from bot.reminders.series import Series
from bot.telegram.markup import Html, bold, line, lines, paragraphs
from bot.telegram.screens.rhythms import rhythm as in_words
from bot.telegram.screens.running import per_day, per_hour, step_taps, trial_block
from bot.telegram.screens.view import Reader, Tap, View, in_rows

SNOOZE_LABELS: Final = {
    "15m": N_("In 15 minutes"),
    "1h": N_("In 1 hour"),
    "tonight": N_("Tonight"),
    "tomorrow": N_("Tomorrow"),
}
_TAPS: Final = {"done": N_("✓ I have done it"), "saved": N_("✓ Saved"), "off": N_("No more of these")}


def due(screen: Due, reader: Reader) -> View:
    """A reminder as it comes: what it is about with the numbers of now, whether it is late, and what can be tapped."""
    return View(paragraphs(_told(screen, reader)), _rows(screen, reader))


def task(screen: Task, reader: Reader) -> View:
    """A task for staff: nobody answers, and money runs or a customer waits."""
    texts, one = reader.texts, screen.due
    title = texts.text(N_("Task: {reminder}"), reminder=texts.text(KINDS[one.occurrence.kind].title))
    told = (
        N_(
            "The customer does not answer the reminders. Please get in touch, and see whether the instance can be destroyed."
        )
        if one.trial is not None
        else N_("The customer has waited for an answer since yesterday. Please write in this topic.")
    )
    block = trial_block(one.trial, reader) if one.trial is not None else None
    return View(paragraphs([line("🚨 ", bold(title)), block, texts.text(told)]))


def snoozed(screen: Snoozed, reader: Reader) -> View:
    """A reminder was moved."""
    texts = reader.texts
    when = texts.moment(screen.due_at, reader.zone)
    return View(line("⏰ ", texts.text(N_("I will remind you again at {moment}."), moment=when)))


def kept(screen: Kept, reader: Reader) -> View:
    """A reminder is set: when, resolved so that a misread time is seen at once, and of what."""
    texts, series = reader.texts, screen.series
    if series.paused_at is not None:
        return View(line("⏸ ", texts.text(N_("Paused. /reminders lets it go on."))))
    return View(
        lines(
            line("⏰ ", bold(subject(series, texts))),
            when(series, reader),
            texts.text(N_("/reminders shows, changes and deletes it.")),
        )
    )


def reminder_question(screen: ReminderQuestion, reader: Reader) -> View:
    """Ask when and of what; with two readings, which one."""
    texts, draft, owner = reader.texts, screen.draft, screen.owner
    leave = Tap(texts.text(N_("Leave it")), Button(owner, "unset"))
    trouble = texts.text(N_("Sorry, I could not read a time in that.")) if screen.tries else None
    if draft.readings:
        taps = [
            (Tap(texts.moment(_moment(reading), reader.zone), Button(owner, "moment", (str(i),))),)
            for i, reading in enumerate(draft.readings)
        ]
        return View(
            paragraphs([draft.text or None, bold(texts.text(N_("Which time do you mean?")))]), (*taps, (leave,))
        )
    if draft.changes.startswith("t"):
        ask, example = N_("Until when shall the trial run?"), N_("For example: 2 hours from now, until 6 pm")
    elif draft.text or draft.changes:
        ask, example = (
            N_("When shall I remind you?"),
            N_("For example: in 90 min, tomorrow 9 am, every Monday at 10:00"),
        )
    else:
        ask = N_("When shall I remind you, and of what?")
        example = N_("For example: every day at 9 am save a checkpoint")
    return View(paragraphs([trouble, draft.text or None, bold(texts.text(ask)), texts.text(example)]), ((leave,),))


def _told(screen: Due, reader: Reader) -> list[Html | None]:
    texts, kind = reader.texts, KINDS[screen.occurrence.kind]
    body = [
        trial_block(screen.trial, reader) if text == "{trial}" and screen.trial else Html(line(texts.text(text)))
        for text in kind.body
    ]
    late = (
        texts.text(
            N_("This reminder was due at {moment} and comes late; sorry."),
            moment=texts.moment(screen.occurrence.due_at, reader.zone),
        )
        if screen.late
        else None
    )
    return [line("⏰ ", bold(headline_of(screen, reader))), *body, line(late) if late else None]


def headline_of(screen: Due, reader: Reader) -> str:
    """The first line of a reminder with the facts of now."""
    texts, kind, trial = reader.texts, KINDS[screen.occurrence.kind], screen.trial
    facts: dict[str, str] = {
        "text": screen.text or texts.text(kind.title),
        "over": texts.duration(max(screen.over, timedelta(0))),
    }
    if trial is not None:
        facts |= {
            "end": texts.moment(trial.planned_end_at, reader.zone),
            "per_hour": per_hour(trial, texts),
            "per_day": per_day(trial, texts),
        }
    if screen.start is not None:
        facts["date"] = texts.date(screen.start)
    message = headline(kind, screen.over)
    return texts.text(message, **facts) if message != "{text}" else facts["text"]


def _rows(screen: Due, reader: Reader) -> tuple[tuple[Tap, ...], ...]:
    texts, kind, owner = reader.texts, KINDS[screen.occurrence.kind], f"r{screen.occurrence.id}"
    taps = step_taps(screen.trial, texts, kind.taps) if screen.trial is not None else []
    taps += [Tap(texts.text(label), Button(owner, code)) for code, label in _TAPS.items() if code in kind.taps]
    if "resume" in kind.taps:
        taps.append(Tap(texts.text(N_("Go on")), Button(ANYWHERE, "resume")))
    later = [
        Tap(texts.text(SNOOZE_LABELS[code]), Button(owner, "later", (code,)))
        for code in SNOOZES
        if kind.snoozes and snoozed_to(code, reader.now, reader.zone) is not None
    ]
    return (*in_rows(taps), *in_rows(later))


def subject(series: Series, texts: Texts) -> str:
    """What a reminder is of."""
    return series.text or texts.text(KINDS[series.kind].title)


def when(series: Series, reader: Reader) -> Html:
    """The rhythm in words, and the next moment."""
    texts = reader.texts
    rhythm = in_words(series.rule, texts)
    if series.paused_at is not None:
        return line(rhythm or "", " · " if rhythm else "", texts.text(N_("paused")))
    next_at = series.next_at or (None if rhythm else _moment(series.rule))
    moment = texts.moment(next_at, reader.zone) if next_at else None
    if series.kind == CHECKPOINT.code or rhythm is None or moment is None:
        return line(" · ".join(part for part in (rhythm, moment) if part))
    return line(rhythm, " · ", texts.text(N_("next: {moment}"), moment=moment))


def _moment(rule: str) -> datetime:
    return datetime.fromisoformat(rule.removeprefix("at=").split(";")[0])
