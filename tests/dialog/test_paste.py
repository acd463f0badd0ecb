"""A form that comes in several messages, and what else people say in the same breath."""

from dataclasses import replace
from datetime import timedelta

from bot.dialog import effect as fx
from bot.dialog.decide import decide
from bot.dialog.event import Said
from tests.dialog.test_decide import CONTEXT, at

FORM = "[Model and parallelism]\nModel: Qwen2.5-7B\nTraining method: QLoRA"
LATER = replace(CONTEXT, now=CONTEXT.now + timedelta(seconds=60))


def notes(outcome):
    return [effect.text for effect in outcome.effects if isinstance(effect, fx.Note)]


def test_a_word_right_after_a_form_answers_the_open_question():
    pasted = decide(at("description"), Said(FORM), CONTEXT).case
    key = pasted.state.field
    outcome = decide(pasted, Said("TBD"), CONTEXT)
    assert outcome.case.answers[key].normal == "TBD"
    assert not notes(outcome)


def test_the_smallest_part_of_a_form_belongs_to_it_for_a_moment():
    pasted = decide(at("description"), Said(FORM), CONTEXT).case
    together = decide(pasted, Said("Total cards: 2"), CONTEXT).case
    assert together.answers["gpu_count"].normal == "count=2"
    assert {"model", "method", "gpu_count"} <= set(together.state.taken), "one reply names what every part filled"


def test_the_tail_of_a_paste_that_was_cut_is_no_answer():
    """The client cut inside a line: the rest of that line stands alone, and is kept as a note."""
    pasted = decide(at("description"), Said(FORM + "\nNotes: " + "long words " * 350), CONTEXT).case
    key = pasted.state.field
    tail = decide(pasted, Said("TBD with the finance people"), CONTEXT)
    assert key not in tail.case.answers
    assert notes(tail) == ["TBD with the finance people"]
    answered = decide(tail.case, Said("TBD"), LATER)
    assert answered.case.answers[key].normal == "TBD"
