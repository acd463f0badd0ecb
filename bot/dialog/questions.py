"""The conversation that fills the checklist: which question is open, what an answer changes, and what is asked next."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bot.checklist.answer import Answer, Answers
from bot.checklist.contradictions import contradictions
from bot.checklist.field import Section
from bot.checklist.question import applicable, next_field
from bot.desk.request import RequestState
from bot.dialog.effect import Effect, Outcome, Show, StartOver, Toast
from bot.dialog.event import Context
from bot.dialog.screen import (
    Ask,
    CostChart,
    Disputed,
    Document,
    EstimateChart,
    EstimateText,
    Greeting,
    Route,
    Screen,
    Summary,
)
from bot.dialog.state import Case, Claim, DialogState, Scene
from bot.i18n import N_

OLD_BUTTON: Final = N_("That button is from an earlier question. The open one is below.")
ADVICE_AFTER: Final = frozenset({Section.PURPOSE, Section.MODEL, Section.CARDS})
"""Once these are through, the customer is told who handles the job and what it takes."""


def live_screen(case: Case) -> Screen | None:
    """Return the open question as a screen; a function of the case alone, so that it can be drawn again at any time."""
    state = case.state
    if state.scene in (Scene.CHECKLIST, Scene.SUMMARY) and state.claims:
        claim = state.claims[0]
        return Disputed(state.owner, claim.key, case.answers, claim.answer, taken=state.taken)
    if state.scene is Scene.CHECKLIST and state.field:
        return Ask(
            state.owner,
            state.field,
            case.answers,
            taken=state.taken,
            tries=state.tries,
            readings=state.readings,
            marked=state.marked,
            from_summary=state.from_summary,
            noted=state.noted,
            warnings=state.warnings,
            taken_page=state.taken_page,
        )
    if state.scene is Scene.SUMMARY:
        return Summary(state.owner, case.answers, taken=state.taken, noted=state.noted, taken_page=state.taken_page)
    return None


def begin(case: Case, _context: Context) -> Outcome:
    """Greet and ask the first open question at once; a draft goes on where it stood, a sent request is followed by a new one."""
    if case.request_state is RequestState.CONFIRMED:
        fresh = start_over(case)
        return fresh.after(Show(Greeting(fresh.case.state.owner)))
    return ask_next(case).after(Show(Greeting(case.state.owner, answered=len(case.answers))))


def start_over(case: Case) -> Outcome:
    """Open an empty questionnaire; buttons of the one before count as old from now on."""
    fresh = Case(DialogState(serial=case.state.serial + 1), Answers())
    return ask_next(fresh).after(StartOver())


def resume(case: Case) -> Outcome:
    """Ask the open question again, or sum up when there is none; after a sent request there is nothing to resume."""
    if not case.is_draft:
        return Outcome(case.at(Scene.DESK))
    if case.state.scene is Scene.CHECKLIST and case.state.field:
        return ask(case, case.state.field, from_summary=case.state.from_summary)
    return ask_next(case)


def ask_next(case: Case, taken: tuple[str, ...] = (), *, noted: bool = False) -> Outcome:
    """Ask the next open question, or show the summary when none is left; `taken` are answers to echo."""
    field = next_field(case.answers)
    if field is None:
        return redo(case.at(Scene.SUMMARY).with_state(taken=taken, noted=noted))
    outcome = ask(case, field.key, taken=taken, noted=noted)
    if case.state.advised or field.section in ADVICE_AFTER or not case.answers.code("model") or case.state.claims:
        return outcome
    told = outcome.case.with_state(advised=True)
    return Outcome(told, (Show(Route(case.answers)), *outcome.effects))


def go_on(case: Case, taken: tuple[str, ...], *, noted: bool = False) -> Outcome:
    """Come back to the question that was open while other answers changed; when those answered it, ask the next one."""
    key = case.state.field
    still_open = (
        key is not None and key not in case.answers and key in {field.key for field in applicable(case.answers)}
    )
    if case.state.scene is Scene.CHECKLIST and key is not None and still_open:
        return ask(case, key, taken=taken, noted=noted)
    return ask_next(case, taken, noted=noted)


def ask(
    case: Case, key: str, *, taken: tuple[str, ...] = (), from_summary: bool = False, noted: bool = False
) -> Outcome:
    """Ask one field, with what was just taken above it and new contradictions below."""
    found = contradictions(case.answers)
    asked = case.at(Scene.CHECKLIST, key, from_summary=from_summary)
    return redo(
        asked.with_state(
            taken=taken,
            noted=noted,
            warnings=tuple(code for code in found if code not in case.state.warned),
            warned=found,
        )
    )


def redo(case: Case) -> Outcome:
    """Show the open question as it stands now."""
    screen = live_screen(case)
    assert screen is not None
    return Outcome(case, (Show(screen, live=True),))


def take(
    case: Case, found: Mapping[str, Answer], *, own: str | None, source: int | None = None
) -> tuple[Case, tuple[str, ...]]:
    """Store answers, and return the keys that changed; one that contradicts an earlier answer waits as a claim.

    The answer to the open question (`own`) replaces what stood there; so does one to a field that was left undecided.
    """
    claims = {claim.key: claim for claim in case.state.claims if claim.key not in found}
    new: dict[str, Answer] = {}
    for key, answer in found.items():
        stands = case.answers.get(key)
        if key == own or stands is None or not stands.known:
            new[key] = answer
        elif answer.known and answer.normal != stands.normal:
            claims[key] = Claim(key=key, answer=answer)
    sources = case.state.sources | (dict.fromkeys(found, source) if source is not None else {})
    filled = replace(case, answers=case.answers.with_answers(new)) if new else case
    return filled.with_state(claims=tuple(claims.values()), sources=sources), tuple(new)


def stale(case: Case) -> Outcome:
    """Answer a tap that no longer fits; nothing changes."""
    return Outcome(case, (Toast(OLD_BUTTON),))


def export_effects(case: Case) -> tuple[Effect, ...]:
    """Return the effects that send the checklist as documents, as far as it is filled."""
    return Show(Document(case.answers, "md")), Show(Document(case.answers, "json"))


def estimate_effects(case: Case) -> tuple[Effect, ...]:
    """Return the effects that show the estimate to who asks for it: words, and pictures of memory and of cost."""
    return (*estimate_beside(case), *((Show(CostChart(case.answers)),) if case.answers.code("model") else ()))


def estimate_beside(case: Case) -> tuple[Effect, ...]:
    """Return the effects that show the estimate beside something else: words, and the picture of memory where the model is known."""
    if not case.answers.code("model"):
        return (Show(EstimateText(case.answers)),)
    return Show(EstimateText(case.answers)), Show(EstimateChart(case.answers))
