"""The checklist's screens: greeting, question, summary, menu of answers."""

from typing import Final

from bot.checklist.answer import Answer
from bot.checklist.display import show_answer, show_normal
from bot.checklist.field import Field, Kind, Section
from bot.checklist.fields import BY_KEY, SECTION_TITLES
from bot.checklist.question import applicable, previous_field, progress
from bot.dialog.button import Button
from bot.dialog.decide import ANYWHERE
from bot.dialog.screen import Answered, Ask, EditMenu, Greeting, Submitted, Summary
from bot.dialog.typed import LABELS
from bot.i18n import N_, NP_
from bot.telegram.markup import Html, bold, italic, line, lines, paragraphs
from bot.telegram.screens.view import Reader, Tap, View, in_rows

HUMAN: Final = LABELS["human"]
BACK: Final = LABELS["back"]


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
    body = [
        _taken(screen, reader),
        _trouble(screen, field, reader),
        lines(italic(head), bold(texts.text(field.question)), texts.text(field.hint)),
        _present(screen, field, reader),
    ]
    return View(paragraphs(body), _ask_rows(screen, field, reader))


def answered(screen: Answered, reader: Reader) -> View:
    """A question's message after a tap: the answer alone."""
    return View(_answer_line(BY_KEY[screen.field], screen.answers[screen.field], reader, mark="✓ "))


def summary(screen: Summary, reader: Reader) -> View:
    """All answers by section, with what can be done with them."""
    texts = reader.texts
    blocks: list[str | None] = [bold(texts.text(N_("Your checklist")))]
    for section in Section:
        rows = [
            _answer_line(field, screen.answers[field.key], reader)
            for field in applicable(screen.answers)
            if field.section is section and field.key in screen.answers
        ]
        if rows:
            blocks.append(lines(bold(texts.text(SECTION_TITLES[section])), *rows))
    blocks.append(texts.text(N_("Is everything right? Then send it to our colleagues.")))
    owner = screen.owner
    rows_of_taps = (
        (Tap(texts.text(LABELS["confirm"]), Button(owner, "confirm")),),
        (
            Tap(texts.text(LABELS["edit"]), Button(owner, "edit")),
            Tap(texts.text(LABELS["estimate"]), Button(owner, "estimate")),
        ),
        (Tap(texts.text(BACK), Button(owner, "back")), Tap(texts.text(HUMAN), Button(ANYWHERE, "human"))),
    )
    return View(paragraphs(blocks), rows_of_taps)


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
        rows = [_answer_line(field, screen.answers[field.key], reader) for field in inside]
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


def _answer_line(field: Field, answer: Answer, reader: Reader, mark: str = "") -> Html:
    texts = reader.texts
    return line(mark, texts.text(field.label), texts.colon, bold(show_answer(field, answer, texts)))


def _taken(screen: Ask, reader: Reader) -> Html | None:
    if not screen.taken:
        return None
    return lines(*(_answer_line(BY_KEY[key], screen.answers[key], reader, mark="✓ ") for key in screen.taken))


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
