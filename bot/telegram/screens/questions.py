"""The checklist's screens while it is filled: greeting, question, and what was just understood."""

from typing import Final

from bot.checklist.answer import Answer, Answers
from bot.checklist.display import show_answer, show_normal
from bot.checklist.field import Field, Kind, Section
from bot.checklist.fields import BY_KEY, SECTION_TITLES
from bot.checklist.question import previous_field, progress
from bot.dialog.button import Button
from bot.dialog.decide import ANYWHERE
from bot.dialog.pages import page_of
from bot.dialog.screen import Answered, Ask, Greeting, Summary
from bot.dialog.typed import LABELS
from bot.i18n import N_, NP_
from bot.telegram.markup import Html, bold, italic, line, lines, paragraphs
from bot.telegram.screens.advice import estimate_line, warning_lines
from bot.telegram.screens.view import Reader, Tap, View, in_rows, pager

HUMAN: Final = LABELS["human"]
BACK: Final = LABELS["back"]
UNDO_HINT: Final = N_("If I misread something, tap ✗ beside its name.")
ADVISED: Final = frozenset({Section.MODEL, Section.CARDS, Section.INTERCONNECT, Section.STORAGE, Section.PERIOD})
"""Sections whose answers move the estimate, so that it stands under their questions."""


def greeting(screen: Greeting, reader: Reader) -> View:
    """Say what the desk does; with a draft that waits, how far it is and that one may start over."""
    texts = reader.texts
    if screen.answered:
        text = lines(
            texts.text(N_("Welcome back! Your draft is kept.")),
            texts.plural(
                NP_(
                    "{n} answer is filled in already; we go on from there.",
                    "{n} answers are filled in already; we go on from there.",
                ),
                screen.answered,
            ),
        )
        return View(text, ((Tap(texts.text(N_("Start over")), Button(screen.owner, "restart")),),))
    text = paragraphs(
        [
            line("👋 ", bold(texts.text(N_("Welcome to {company}!"), company=reader.settings.company_name))),
            texts.text(
                N_(
                    "I help you find the right GPUs: which cards, how many, how linked, and at what cost. One machine for a short time"
                    " you can rent yourself at once; clusters across machines, a fixed region, reserved cards or large orders go to"
                    " our colleagues, with the checklist that we fill here."
                )
            ),
            italic(
                texts.text(
                    N_(
                        "Ranges and “to be decided” are fine. /estimate shows cards and cost at any time, /human calls a person."
                    )
                )
            ),
        ]
    )
    return View(text)


def ask(screen: Ask, reader: Reader) -> View:
    """One question: what was just understood, how far we are, the question, an example, and its buttons."""
    texts, field = reader.texts, BY_KEY[screen.field]
    number, total = progress(screen.answers, field.key) if field.when(screen.answers) else (1, 1)
    head = texts.text(
        N_("{number}/{total} · {section}"),
        number=number,
        total=total,
        section=texts.text(SECTION_TITLES[field.section]),
    )
    ways_back = undo_rows(screen, reader)
    body = [
        lines(taken_lines(screen.taken, screen.answers, reader), noted_line(screen.noted, reader)),
        texts.text(UNDO_HINT) if ways_back else None,
        warning_lines(screen.warnings, texts),
        _trouble(screen, field, reader),
        lines(italic(head), bold(texts.text(field.question)), texts.text(field.hint)),
        _present(screen, field, reader),
        estimate_line(screen.answers, reader) if field.section in ADVISED else None,
    ]
    return View(paragraphs(body), (*_ask_rows(screen, field, reader), *ways_back))


def answered(screen: Answered, reader: Reader) -> View:
    """A question's message after a tap: the answer alone."""
    return View(answer_line(BY_KEY[screen.field], screen.answers[screen.field], reader, mark="✓ "))


def answer_line(field: Field, answer: Answer, reader: Reader, mark: str = "") -> Html:
    """Return a field's label and its answer as one line."""
    texts = reader.texts
    return line(mark, texts.text(field.label), texts.colon, bold(show_answer(field, answer, texts)))


def taken_lines(taken: tuple[str, ...], answers: Answers, reader: Reader) -> Html | None:
    """Return what the last message filled, a line each."""
    known = [key for key in taken if key in answers]
    if not known:
        return None
    return lines(*(answer_line(BY_KEY[key], answers[key], reader, mark="✓ ") for key in known))


def noted_line(noted: bool, reader: Reader) -> str | None:  # noqa: FBT001 - a screen's own flag
    """Return the word that the rest of a message is kept."""
    return reader.texts.text(N_("The rest of your message is kept as a note for our colleagues.")) if noted else None


def undo_rows(screen: Ask | Summary, reader: Reader) -> tuple[tuple[Tap, ...], ...]:
    """Return a way back for each answer that was understood from a longer message, a page of them; one alone has "Back" for it."""
    owner, keys = screen.owner, [key for key in screen.taken if key in screen.answers]
    if len(keys) < 2:  # noqa: PLR2004 - from here on
        return ()
    page = page_of(keys, screen.taken_page)
    taps = [Tap("✗ " + reader.texts.text(BY_KEY[key].label), Button(owner, "undo", (key,))) for key in page.items]
    return (*in_rows(taps), *pager(page, owner, "taken", screen.taken[0]))


def _trouble(screen: Ask, field: Field, reader: Reader) -> str | None:
    """What to say when an answer was not understood; after two failures all ways out are named."""
    texts = reader.texts
    if screen.readings:
        return texts.text(N_("That can mean two things. Which one do you mean?"))
    if screen.tries == 0:
        return None
    if screen.tries == 1:
        return texts.text(N_("Sorry, I could not read that as “{label}”."), label=texts.text(field.label))
    return texts.text(
        N_("I still cannot read it. Follow the example below, tap “To be decided”, or ask a person; both are fine.")
    )


def _present(screen: Ask, field: Field, reader: Reader) -> Html | None:
    """The answer that stands, when a question is asked again."""
    if field.key not in screen.answers:
        return None
    texts = reader.texts
    return line(texts.text(N_("So far")), texts.colon, show_answer(field, screen.answers[field.key], texts))


def _ask_rows(screen: Ask, field: Field, reader: Reader) -> tuple[tuple[Tap, ...], ...]:
    texts, owner = reader.texts, screen.owner
    if screen.readings:
        taps = [
            Tap(show_normal(field, reading, texts), Button(owner, "read", (field.key, str(index))))
            for index, reading in enumerate(screen.readings)
        ]
    elif field.kind is Kind.CHOICES:
        taps = [
            Tap(
                ("☑ " if option.code in screen.marked else "☐ ") + texts.text(option.label),
                Button(owner, "mark", (field.key, option.code)),
            )
            for option in field.options
        ]
        if screen.marked:
            taps.append(Tap(texts.text(N_("✓ Done")), Button(owner, "done", (field.key,))))
    else:
        taps = [
            Tap(texts.text(option.label), Button(owner, "pick", (field.key, option.code))) for option in field.options
        ]
    return (*in_rows(taps), *in_rows(_common_taps(screen, field, reader)))


def _common_taps(screen: Ask, field: Field, reader: Reader) -> list[Tap]:
    texts, owner = reader.texts, screen.owner
    taps = [Tap(texts.text(LABELS["tbd"]), Button(owner, "tbd", (field.key,)))]
    if field.skippable:
        taps.append(Tap(texts.text(LABELS["skip"]), Button(owner, "skip", (field.key,))))
    if screen.from_summary or previous_field(screen.answers, field.key):
        taps.append(Tap(texts.text(BACK), Button(owner, "back", (field.key,))))
    taps.append(Tap(texts.text(HUMAN), Button(ANYWHERE, "human")))
    return taps
