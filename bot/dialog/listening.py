"""What a text means while the checklist is filled: a button's name, a correction, a template, a question, or answers."""

from dataclasses import replace
from typing import Final

from bot.checklist.answer import Answer, Status
from bot.checklist.clauses import clauses, is_question
from bot.checklist.field import Field, Kind
from bot.checklist.fields import BY_KEY
from bot.checklist.free_text import Reading, read_message
from bot.checklist.options import match_option
from bot.checklist.template import looks_like_template, names_a_field, read_template
from bot.checklist.understand import Moment, alternatives, understand
from bot.dialog import corrections, faq
from bot.dialog.button import Button
from bot.dialog.effect import Effect, Hold, Note, Outcome, Show
from bot.dialog.event import Context, Said
from bot.dialog.presses import ACTIONS, settle
from bot.dialog.questions import ask_next, go_on, redo, resume, take
from bot.dialog.screen import Answered, SideAnswer, SideUnknown
from bot.dialog.state import Case, Scene
from bot.dialog.typed import typed_action

_WORDS: Final = frozenset({Kind.TEXT, Kind.CHOICE_OR_TEXT, Kind.YES_NO_OR_TEXT})
_LOOSE: Final = frozenset({Kind.CHOICE, Kind.CHOICES, Kind.MODEL, Kind.YES_NO})
"""Kinds that are found inside a text, so that other answers may stand beside them."""
_FAMILY: Final = {"method": ("workload",), "workload": ("method",), "template": ("workload",)}
"""Neighbours that an answer's own words seem to name: "full fine-tuning" as the method says nothing new of the purpose."""
_MUCH: Final = 3
"""Answers found in a text from which it is more than one answer, even where any text would do."""
TOGETHER_S: Final = 2.0
"""Seconds within which messages count as parts of one paste."""
CUT: Final = 3000
"""Characters from which a message may have been cut by the client (at 4,096, or at the end of a line before that)."""
_AGREED: Final = {"yes": True, "no": False}


def listen(case: Case, event: Said, context: Context) -> Outcome:
    """Take a text at an open question or at the summary."""
    return (
        _by_name(case, event.text, context)
        or _settled(case, event)
        or _template(case, event, context)
        or corrections.correct(case, event, context)
        or _asked_back(case, event, context)
        or _answers(case, event, context)
    )


def heard_first(case: Case, event: Said, context: Context) -> Outcome | None:
    """Return what a first message, before any question, already answers; None for a mere greeting."""
    reading = read_message(event.text, Moment(context.now, context.shapes), case.answers)
    if looks_like_template(event.text) or reading.answers or reading.questions:
        return listen(case, event, context)
    return None


def edited(case: Case, event: Said, context: Context) -> Outcome | None:
    """Take the change of an earlier message as a correction of what came from it; None when nothing did, or nothing is read."""
    keys = tuple(key for key, source in case.state.sources.items() if source == event.message_id)
    if not keys or not case.is_draft or case.state.scene not in (Scene.CHECKLIST, Scene.SUMMARY):
        return None
    moment = Moment(context.now, context.shapes)
    found = understand(BY_KEY[keys[0]], event.text, moment) if len(keys) == 1 else {}
    if not found:
        found = dict(read_message(event.text, moment, case.answers, BY_KEY[keys[0]]).answers)
    if not found:
        return None
    return corrections.replaced(case, found, source=event.message_id)


def _by_name(case: Case, said: str, context: Context) -> Outcome | None:
    """Carry out the button that a text names, if the open screen has it; what it would change in place comes new."""
    action = typed_action(said)
    handler = ACTIONS.get(action or "")
    if action is None or handler is None or case.state.claims:
        return None
    args = (case.state.field,) if case.state.scene is Scene.CHECKLIST and case.state.field else ()
    outcome = handler(case, Button(case.state.owner, action, args), context)
    if outcome is None:
        return None
    shown = (
        effect for effect in outcome.effects if not (isinstance(effect, Show) and isinstance(effect.screen, Answered))
    )
    return Outcome(outcome.case, tuple(replace(e, replace=False) if isinstance(e, Show) else e for e in shown))


def _settled(case: Case, event: Said) -> Outcome | None:
    """Words for one of two answers that wait to be chosen between: yes takes the new one, no keeps the old."""
    if not case.state.claims:
        return None
    option = match_option(BY_KEY["nvlink"], event.text) if len(event.text) <= 12 else None  # noqa: PLR2004 - a word or two
    chosen = _AGREED.get(option.code) if option else corrections.kept(event.text)
    return None if chosen is None else settle(case, new=chosen)


def _template(case: Case, event: Said, context: Context) -> Outcome | None:
    """A pasted form replaces what stood before, since the person has written it out; the changes are echoed.

    A client cuts a long paste into several messages, and some people send a form in parts: what comes within a moment belongs to
    it, and gets one reply in all. Any other words that come so soon are an answer like every other.
    """
    now = context.now.timestamp()
    goes_on = case.state.pasted_at is not None and 0 <= now - case.state.pasted_at <= TOGETHER_S
    if not (looks_like_template(event.text) or (goes_on and (case.state.pasted_cut or names_a_field(event.text)))):
        return None
    read = read_template(event.text, Moment(context.now, context.shapes))
    changed = {key: new for key, new in read.answers.items() if _differs(case.answers.get(key), new)}
    before = case.state.taken if goes_on else ()
    noted = bool(read.unplaced) or (goes_on and case.state.noted)
    taken = tuple(dict.fromkeys((*before, *changed)))
    outcome = corrections.replaced(
        case.with_state(pasted_at=now, pasted_cut=len(event.text) >= CUT),
        changed,
        source=event.message_id,
        taken=taken,
        noted=noted,
    )
    return outcome.after(Hold(), *(Note(words) for words in read.unplaced))


def _differs(old: Answer | None, new: Answer) -> bool:
    return old is None or (old.normal, old.status) != (new.normal, new.status)


def _asked_back(case: Case, event: Said, context: Context) -> Outcome | None:
    """A question of the customer's: answered from the list, or offered to a person; then the open question again.

    A quantity in the form of a question ("next Monday, all right?") stays an answer.
    """
    parts = clauses(event.text)
    if not parts or not is_question(parts[-1]) or len(parts) > 1:
        return None
    entry = faq.search(event.text, context.faq)
    field = BY_KEY.get(case.state.field or "")
    strict = field is not None and field.kind not in _WORDS | _LOOSE
    if (
        entry is None
        and strict
        and field is not None
        and understand(field, event.text, Moment(context.now, context.shapes))
    ):
        return None
    entry = entry or faq.search_by_ideas(event.text, context.faq)
    answer: Effect = Show(SideAnswer(entry)) if entry else Show(SideUnknown())
    return _again(case).after(answer)


def _again(case: Case) -> Outcome:
    return redo(case) if case.state.claims else resume(case) if case.state.scene is Scene.CHECKLIST else ask_next(case)


def _answers(case: Case, event: Said, context: Context) -> Outcome:
    """Take what the text answers; the open question has the first right."""
    moment = Moment(context.now, context.shapes)
    field = BY_KEY.get(case.state.field or "") if case.state.scene is Scene.CHECKLIST else None
    reading = read_message(event.text, moment, case.answers, field)
    found, own = dict(reading.answers), None
    if field is not None:
        readings = alternatives(field, event.text, moment)
        if readings:
            return redo(case.with_state(readings=readings, said=event.text, marked=(), taken=()))
        found, own = _beside(case, field, event.text, reading, moment)
    if not found:
        return _not_understood(case, event, reading, context)
    filled, changed = take(case, found, own=own, source=event.message_id)
    notes = _notes(reading) if len(clauses(event.text)) > 1 and not (own and BY_KEY[own].kind in _WORDS) else ()
    outcome = go_on(filled, changed, noted=bool(notes))
    side = tuple(Show(SideAnswer(entry)) for asked in reading.questions if (entry := faq.find(asked, context.faq)))
    return _noted(outcome.after(*side[:1]), notes)


def _beside(
    case: Case, field: Field, said: str, reading: Reading, moment: Moment
) -> tuple[dict[str, Answer], str | None]:
    """What the words say of the open field, and beside it of others; the key of the open field if it was answered."""
    found = dict(reading.answers)
    several = len(clauses(said)) > 1
    whole = understand(field, said, moment)
    if field.kind in _WORDS:
        chose = field.key in whole and field.option(whole[field.key].normal or "") is not None
        much = len(found) >= _MUCH and not (
            field.key in whole and field.kind is Kind.TEXT and field.key != "description"
        )
        if (much or _all_placed(field, reading)) and not chose:
            return _with_description(field, said, found)
        return whole, field.key
    if field.key in whole and field.kind not in _LOOSE:
        return whole, field.key
    if several or field.key in found:
        whole = {}
    told = {key for key in _FAMILY.get(field.key, ()) if case.answers.code(key)}
    merged = {**{key: answer for key, answer in found.items() if key not in told}, **whole}
    merged = merged or found
    return merged, field.key if field.key in merged else None


def _all_placed(field: Field, reading: Reading) -> bool:
    """Whether words at the open description hold nothing but quantities of other fields, such as data and cards."""
    if field.key != "description" or reading.notes or reading.questions or not reading.answers:
        return False
    return all(BY_KEY[key].kind not in _WORDS | _LOOSE for key in reading.answers)


def _with_description(field: Field, said: str, found: dict[str, Answer]) -> tuple[dict[str, Answer], str | None]:
    """A description that holds much else is kept as the description too."""
    if field.key != "description":
        return found, None
    return {**found, field.key: Answer(normal=said[:2000], raw=said[:2000], status=Status.EXACT)}, field.key


def _not_understood(case: Case, event: Said, reading: Reading, context: Context) -> Outcome:
    """Nothing was found: a question from the list is answered, else the open one is asked again with more help."""
    entry = (faq.find if is_question(event.text) else faq.search)(event.text, context.faq)
    if entry is not None:
        return _again(case).after(Show(SideAnswer(entry)))
    if case.state.scene is Scene.SUMMARY and not case.state.claims:
        return _noted(ask_next(case, noted=bool(reading.notes)), _notes(reading))
    state = {"tries": case.state.tries + 1, "readings": (), "said": "", "taken": (), "noted": False}
    return redo(case.with_state(**state))


def _notes(reading: Reading) -> tuple[Note, ...]:
    return tuple(Note(words) for words in reading.notes)


def _noted(outcome: Outcome, notes: tuple[Note, ...]) -> Outcome:
    return outcome.after(*notes)
