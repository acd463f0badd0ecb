"""The request card that staff read in a customer's topic."""

from collections.abc import Sequence

from bot.checklist.display import show_answer
from bot.checklist.field import Section
from bot.checklist.fields import SECTION_TITLES
from bot.checklist.job import request_from, triage_of
from bot.checklist.question import applicable
from bot.desk.request import number
from bot.dialog.state import Case
from bot.i18n import N_
from bot.storage.people import Person
from bot.telegram.markup import Html, bold, code, line, lines, paragraphs, split
from bot.telegram.screens.estimates import assumed, estimate_blocks, route_text, worked_out
from bot.telegram.screens.measured import measured_lines
from bot.telegram.screens.view import Reader


def request_card(
    person: Person, request_id: int, case: Case, reader: Reader, *, wanted: bool, notes: Sequence[str] = ()
) -> list[Html]:
    """Return the card as messages: who, the checklist, what was said beside it, who handles it, the estimate.

    `wanted` when a person was called for; `notes` are the customer's own words that found no field.
    """
    texts = reader.texts
    title = N_("🙋 A customer asks for a person") if wanted else N_("📋 New request {number}")
    name = " ".join(part for part in (person.first_name, person.last_name) if part)
    who = line(name, f" @{person.username}" if person.username else "", " · ", code(str(person.id)))
    blocks: list[Html | None] = [lines(bold(texts.text(title, number=number(request_id))), who)]
    for section in Section:
        rows = [
            line(texts.text(field.label), texts.colon, show_answer(field, case.answers[field.key], texts))
            for field in applicable(case.answers)
            if field.section is section and field.key in case.answers
        ]
        blocks.append(lines(bold(texts.text(SECTION_TITLES[section])), *rows) if rows else None)
    blocks.append(measured_lines(case.answers, texts))
    if notes:
        blocks.append(lines(bold(texts.text(N_("Said beside it"))), *(f"– {note}" for note in notes)))
    request, answer = request_from(case.answers), worked_out(case.answers, reader)
    if case.answers:
        blocks.append(route_text(triage_of(case.answers, answer), reader))
    if request is not None and answer is not None:
        blocks += [*estimate_blocks(request, answer, texts), assumed(answer, texts)]
    blocks.append(Html(line(texts.text(N_("What you write in this topic goes to the customer.")))))
    return split(paragraphs(blocks))
