"""The screens of a whole checklist: the summary, the menu to change it, and the word that it was sent."""

from bot.checklist.answer import Answers
from bot.checklist.contradictions import contradictions
from bot.checklist.field import Section
from bot.checklist.fields import SECTION_TITLES
from bot.checklist.question import applicable
from bot.checklist.template import write_template
from bot.checklist.understand import Moment
from bot.dialog.button import Button
from bot.dialog.decide import ANYWHERE
from bot.dialog.screen import EditMenu, Form, Submitted, Summary
from bot.dialog.typed import LABELS
from bot.i18n import N_
from bot.telegram.markup import Html, bold, italic, line, lines, paragraphs
from bot.telegram.screens.advice import warning_lines
from bot.telegram.screens.questions import BACK, HUMAN, UNDO_HINT, answer_line, noted_line, taken_lines, undo_rows
from bot.telegram.screens.view import Reader, Tap, View, in_rows


def summary(screen: Summary, reader: Reader) -> View:
    """All answers by section, with what can be done with them."""
    texts = reader.texts
    ways_back = undo_rows(screen, reader)
    blocks: list[str | None] = [
        lines(taken_lines(screen.taken, screen.answers, reader), noted_line(screen.noted, reader)),
        texts.text(UNDO_HINT) if ways_back else None,
        bold(texts.text(N_("Your checklist"))),
        *(lines(bold(title), *rows) for title, rows in _numbered(screen.answers, reader)),
        warning_lines(contradictions(screen.answers), texts),
        texts.text(N_("To correct a line, write for example: change item 3 to 70B")),
        texts.text(N_("Is everything right? Then send it to our colleagues.")),
    ]
    owner = screen.owner
    rows_of_taps = (
        (Tap(texts.text(LABELS["confirm"]), Button(owner, "confirm")),),
        (
            Tap(texts.text(LABELS["edit"]), Button(owner, "edit")),
            Tap(texts.text(LABELS["estimate"]), Button(owner, "estimate")),
        ),
        (Tap(texts.text(LABELS["export"]), Button(owner, "export")),),
        (Tap(texts.text(BACK), Button(owner, "back")), Tap(texts.text(HUMAN), Button(ANYWHERE, "human"))),
    )
    return View(paragraphs(blocks), (*rows_of_taps, *ways_back))


def _numbered(answers: Answers, reader: Reader) -> list[tuple[str, list[Html]]]:
    """The answers by section, each with the number that a correction may name."""
    found: dict[Section, list[Html]] = {}
    for number, field in enumerate(applicable(answers), 1):
        if field.key in answers:
            row = answer_line(field, answers[field.key], reader, mark=f"{number}. ")
            found.setdefault(field.section, []).append(row)
    return [(reader.texts.text(SECTION_TITLES[section]), rows) for section, rows in found.items()]


def form(screen: Form, reader: Reader) -> View:
    """The form as plain text, so that it can be copied, filled and pasted back as it is."""
    texts = reader.texts
    told = texts.text(
        N_("Copy this, fill in what you know and send it back, whole or in part. Ranges and “to be decided” are fine.")
    )
    moment = Moment(reader.now.astimezone(reader.zone))
    return View(paragraphs([italic(told), write_template(screen.answers, texts, moment)]))


def edit_menu(screen: EditMenu, reader: Reader) -> View:
    """The sections, or one section's fields, as buttons."""
    texts, owner = reader.texts, screen.owner
    fields = [field for field in applicable(screen.answers) if field.key in screen.answers]
    if screen.section is None:
        sections = [section for section in Section if any(field.section is section for field in fields)]
        taps = [Tap(texts.text(SECTION_TITLES[section]), Button(owner, "edit", (section,))) for section in sections]
        text = texts.text(N_("Which part would you like to change?"))
        back = Button(owner, "summary")
    else:
        section = Section(screen.section)
        inside = [field for field in fields if field.section is section]
        taps = [Tap(texts.text(field.label), Button(owner, "change", (field.key,))) for field in inside]
        rows = [answer_line(field, screen.answers[field.key], reader) for field in inside]
        text = lines(
            bold(texts.text(SECTION_TITLES[section])),
            *rows,
            "",
            texts.text(N_("Which answer would you like to change?")),
        )
        back = Button(owner, "edit")
    return View(line(text), (*in_rows(taps), (Tap(texts.text(BACK), back),)))


def submitted(screen: Submitted, reader: Reader) -> View:
    """The request is stored; how it goes on."""
    texts = reader.texts
    if screen.staff:
        told = N_(
            "Our colleagues have it now. They will tell you here about nodes and delivery, interconnect, billing, terms and"
            " support. Whatever you write here reaches them."
        )
    else:
        told = N_("It is stored, and our colleagues will write to you here. Whatever you add here is kept with it.")
    trial = N_("While you wait, a small trial gives real numbers: /trial")
    return View(
        paragraphs(
            [
                line("✅ ", bold(texts.text(N_("Thank you! Your request is in.")))),
                texts.text(told),
                texts.text(trial),
            ]
        )
    )
