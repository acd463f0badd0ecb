"""Short screens: help, status, language, privacy, notices."""

from typing import Final

from bot.checklist.question import applicable
from bot.desk.request import RequestState
from bot.dialog.button import Button
from bot.dialog.decide import ANYWHERE, LANGUAGE_OWNER
from bot.dialog.screen import (
    ForgetQuestion,
    Handed,
    Help,
    LanguageChoice,
    LanguageSet,
    Notice,
    Privacy,
    ReminderList,
    StatusReport,
)
from bot.i18n import LOCALES, N_, NAMES
from bot.telegram import commands
from bot.telegram.markup import bold, line, lines, paragraphs
from bot.telegram.screens.lists import reminder_list
from bot.telegram.screens.view import Reader, Tap, View

_STATES: Final = {
    RequestState.DRAFT: N_("being filled in"),
    RequestState.CONFIRMED: N_("with our colleagues"),
    RequestState.SET_ASIDE: N_("set aside"),
}


def help_(_screen: Help, reader: Reader) -> View:
    """What the bot can do, and its commands."""
    texts = reader.texts
    rows = [f"/{command.name} – {texts.text(command.menu)}" for command in commands.of(commands.Audience.CUSTOMER)]
    return View(
        paragraphs(
            [
                bold(texts.text(N_("What I can do"))),
                texts.text(
                    N_(
                        "I fill the requirements checklist with you, estimate memory, cards and cost, remind you to destroy trial"
                        " instances, and bring you together with our colleagues. Write in Chinese or English, as you like."
                    )
                ),
                lines(*rows),
            ]
        )
    )


def status(screen: StatusReport, reader: Reader) -> View:
    """Where the request and the trials stand."""
    texts = reader.texts
    fields = applicable(screen.answers)
    filled = sum(field.key in screen.answers for field in fields)
    state = texts.text(_STATES[RequestState(screen.request_state)])
    rows = [
        line(texts.text(N_("Your request")), texts.colon, bold(state)),
        texts.text(N_("Answers: {n} of {total}"), n=filled, total=len(fields)),
    ]
    running = tuple(trial for trial in screen.trials if trial.is_running)
    if not running:
        return View(lines(*rows, texts.text(N_("No trial is running."))))
    listed = reminder_list(ReminderList(running, page=screen.page), reader, "status")
    return View(paragraphs([lines(*rows), listed.text]), listed.rows)


def language_choice(_screen: LanguageChoice, reader: Reader) -> View:
    """The languages, each in its own name."""
    taps = tuple(Tap(NAMES[locale], Button(LANGUAGE_OWNER, "set", (locale,))) for locale in (*LOCALES[1:], LOCALES[0]))
    return View(line("🌐 ", reader.texts.text(N_("Which language would you like?"))), (taps,))


def language_set(_screen: LanguageSet, reader: Reader) -> View:
    """The language of now, said in it."""
    return View(line("🌐 ", reader.texts.text(N_("From now on I write English. You may answer in either language."))))


def handed(screen: Handed, reader: Reader) -> View:
    """A person has been called."""
    texts = reader.texts
    if screen.staff:
        told = N_("A colleague has been called and will answer here. Whatever you write now reaches them.")
    else:
        told = N_(
            "Your wish for a person is stored, and a colleague will write to you here. Whatever you write now is kept for them."
        )
    rows = ((Tap(texts.text(N_("Back to the checklist")), Button(ANYWHERE, "resume")),),) if screen.draft_open else ()
    return View(line("🙋 ", texts.text(told)), rows)


def privacy(_screen: Privacy, reader: Reader) -> View:
    """What is kept, who reads it, how long, and how to erase it."""
    texts = reader.texts
    kept = (
        N_(
            "Stored: your Telegram id, name, user name and language; your answers and messages here; your trials and reminders."
        ),
        N_("Read by: the sales and support staff of {company}, in their own Telegram group."),
        N_("Kept: until you delete it. /delete_me erases all of it at once, reminders and the staff's topic included."),
        N_("Please never send passwords, card numbers or access keys."),
    )
    return View(
        paragraphs(
            [
                bold(texts.text(N_("Your data"))),
                lines(*(f"• {texts.text(text, company=reader.settings.company_name)}" for text in kept)),
            ]
        )
    )


def forget_question(screen: ForgetQuestion, reader: Reader) -> View:
    """Ask before everything is deleted; running trials go on costing without reminders."""
    texts = reader.texts
    warning = (
        texts.text(N_("⚠ A trial of yours is still running; it goes on costing, and no reminder will come."))
        if screen.trials
        else None
    )
    rows = (
        (Tap(texts.text(N_("Delete everything")), Button(screen.owner, "forget", ("yes",))),),
        (Tap(texts.text(N_("Keep it")), Button(screen.owner, "forget", ("no",))),),
    )
    return View(
        paragraphs(
            [
                bold(texts.text(N_("Delete everything stored about you?"))),
                texts.text(
                    N_("Answers, requests, messages, trials, reminders and the staff's topic. This cannot be undone.")
                ),
                warning,
            ]
        ),
        rows,
    )


def notice(screen: Notice, reader: Reader) -> View:
    """A fixed text, with a button to go on where something was paused."""
    texts = reader.texts
    rows = ((Tap(texts.text(N_("Go on")), Button(screen.resume, "resume")),),) if screen.resume else ()
    return View(line(texts.text(screen.message)), rows)
