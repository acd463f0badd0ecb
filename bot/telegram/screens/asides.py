"""Screens that stand beside the checklist: two answers to choose between, and questions in between."""

from bot.checklist.display import show_answer
from bot.checklist.fields import BY_KEY
from bot.dialog.button import Button
from bot.dialog.decide import ANYWHERE
from bot.dialog.screen import Disputed, SideAnswer, SideUnknown
from bot.i18n import N_
from bot.telegram.markup import bold, line, lines, paragraphs
from bot.telegram.screens.questions import HUMAN, taken_lines
from bot.telegram.screens.view import Reader, Tap, View


def disputed(screen: Disputed, reader: Reader) -> View:
    """Two answers to one field, each as a button; the one that stands changes only when the customer says so."""
    texts, field = reader.texts, BY_KEY[screen.field]
    old = show_answer(field, screen.answers[screen.field], texts)
    new = show_answer(field, screen.new, texts)
    text = paragraphs(
        [
            taken_lines(screen.taken, screen.answers, reader),
            lines(
                bold(texts.text(N_("Which holds for “{label}”?"), label=texts.text(field.label))),
                line(texts.text(N_("Earlier")), texts.colon, old),
                line(texts.text(N_("Now")), texts.colon, new),
            ),
        ]
    )
    rows = (
        (
            Tap(
                texts.text(N_("Change to {value}"), value=_short(new)),
                Button(screen.owner, "claim", (field.key, "new")),
            ),
        ),
        (Tap(texts.text(N_("Keep {value}"), value=_short(old)), Button(screen.owner, "claim", (field.key, "old"))),),
        (Tap(texts.text(HUMAN), Button(ANYWHERE, "human")),),
    )
    return View(text, rows)


def side_answer(screen: SideAnswer, reader: Reader) -> View:
    """The answer to a question in between."""
    return View(line("💬 ", reader.texts.in_script(screen.entry.answer(reader.texts.locale))))


def side_unknown(_screen: SideUnknown, reader: Reader) -> View:
    """No answer is known: a colleague's is one tap away."""
    texts = reader.texts
    text = texts.text(
        N_("I do not know that for certain, and I will not guess. “Ask a person” below brings a colleague here.")
    )
    return View(line("💬 ", text))


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"  # noqa: PLR2004 - what a button can show
