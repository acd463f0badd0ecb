"""Whatever is said to a question can be shown and reckoned with: an answer that is taken never breaks what reads it."""

import pytest

from bot.checklist.answer import Answers
from bot.checklist.contradictions import contradictions
from bot.checklist.display import show_answer
from bot.checklist.fields import BY_KEY, FIELDS
from bot.checklist.job import request_from, triage_of
from bot.checklist.understand import understand
from bot.i18n import LOCALES, texts
from tests.checklist.test_understand import MOMENT
from tests.updates import HOSTILE, SAID

EITHER = (
    *(
        "8 or 16",
        "8k or 16k",
        "about 8 or 16",
        "4/8/16",
        "50% or 80%",
        "100%/50%",
        "2/3 weeks",
        "两周或三周",
        "H100 or A100",
    ),
    *(
        "10 GB or 20 GB",
        "7B or 70B",
        "1 May or 1 June 2027",
        "10 or 100 Gb/s",
        "none",
        "any",
        "whatever",
        "都行",
        "无",
        "n/a",
        "不方便说",
    ),
)


def answered(**said: str) -> Answers:
    answers = Answers()
    for key, words in said.items():
        answers = answers.with_answers(understand(BY_KEY[key], words, MOMENT))
    return answers


TRAINING = answered(workload="fine-tuning", model="Llama 3.1 70B", gpu="H100", gpu_count="8", duration="2 months")
INFERENCE = answered(workload="inference", model="7B", gpu="4090", gpu_count="1", duration="2 months")


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.key)
def test_what_is_taken_as_an_answer_can_be_shown_and_reckoned_with(field):
    taken = {}
    for said in (*SAID, *HOSTILE, *EITHER):
        found = understand(field, said, MOMENT)
        taken[tuple((key, answer.normal) for key, answer in found.items())] = found
    for found in taken.values():
        for key, answer in found.items():
            assert all("any=" not in show_answer(BY_KEY[key], answer, texts(locale)) for locale in LOCALES)
        for job in (TRAINING, INFERENCE):
            answers = job.with_answers(found)
            request_from(answers)
            contradictions(answers)
            triage_of(answers)


def test_alternatives_are_shown_as_such_and_count_with_all_of_them():
    length, share = (
        understand(BY_KEY["sequence_length"], "4k or 8k", MOMENT),
        understand(BY_KEY["utilization"], "50% 或 80%", MOMENT),
    )
    request = request_from(TRAINING.with_answers({**length, **share}))
    assert (request.sequence_length, request.utilization) == (8192, pytest.approx(0.65))
    shown = [
        show_answer(BY_KEY[key], each[key], texts("zh_Hans"))
        for key, each in (("sequence_length", length), ("utilization", share))
    ]
    assert shown == ["4,096 token 或 8,192 token", "50% 或 80%"]


@pytest.mark.parametrize(("key", "said"), [("method", "any"), ("method", "无"), ("load", "都行")])
def test_no_preference_leaves_it_to_the_estimate(key, said):
    request = request_from(TRAINING.with_answers(understand(BY_KEY[key], said, MOMENT)))
    assert request is not None
    assert getattr(request, key) is None


@pytest.mark.parametrize(("key", "said"), [("sequence_length", "1e9"), ("gpu_count", "1e9")])
def test_figures_beyond_any_job_are_not_estimated(key, said):
    found = understand(BY_KEY[key], said, MOMENT)
    assert key in found
    assert request_from(TRAINING.with_answers(found)) is None
