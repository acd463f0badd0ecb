import string

import pytest

from bot.checklist.answer import Answer, Answers, Status
from bot.checklist.field import Kind, Section
from bot.checklist.fields import BY_KEY, FIELDS, SECTION_TITLES
from bot.checklist.question import applicable, next_field, previous_field, progress
from bot.i18n import LOCALES, texts

CONTRACT = {
    "purpose": "workload description",
    "model": "model method sequence_length min_vram parallelism",
    "cards": "gpu gpu_alternatives gpu_count gpus_per_node",
    "interconnect": "nvlink network bandwidth",
    "storage": "dataset_size read_throughput checkpoint volume_size shared_storage data_plan",
    "environment": "template cuda",
    "period": "start_date duration load utilization overflow batches",
    "region": "region region_reason",
    "contact": "name team contact_time",
}
CODES = {
    "workload": "training fine_tuning inference",
    "method": "qlora lora full pretrain",
    "parallelism": "data pipeline tensor unsure",
    "network": "infiniband roce ethernet",
    "data_plan": "instance_disk object_storage own_storage",
    "template": "pytorch vllm tgi sglang deepspeed private",
    "load": "constant bursty",
    "overflow": "on_demand queue none",
    "region_reason": "compliance latency",
}


def answers(**given: str) -> Answers:
    return Answers(
        {
            key: Answer(normal=value, raw=value, status=Status.TBD if value == "TBD" else Status.EXACT)
            for key, value in given.items()
        }
    )


def keys(given: Answers) -> set[str]:
    return {field.key for field in applicable(given)}


def test_keys_and_sections_are_the_contracts():
    assert {str(section): " ".join(f.key for f in FIELDS if f.section is section) for section in Section} == CONTRACT


def test_codes_are_the_contracts():
    for key, codes in CODES.items():
        assert " ".join(option.code for option in BY_KEY[key].options) == codes


def test_sections_stand_in_order():
    order = [list(Section).index(field.section) for field in FIELDS]
    assert order == sorted(order)


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.key)
def test_every_field_has_question_hint_and_label_in_both_languages(field):
    for message in (field.question, field.hint, field.label, *(option.label for option in field.options)):
        assert all(texts(locale).text(message).strip() for locale in LOCALES)
    assert texts("zh_Hans").text(field.question) != field.question
    assert texts("zh_Hans").text(field.hint) != field.hint


def test_no_question_stands_inside_another():
    for locale in LOCALES:
        asked = [texts(locale).text(field.question) for field in FIELDS]
        assert len(set(asked)) == len(FIELDS)
        assert not [(a, b) for a in asked for b in asked if a != b and a in b]


def test_every_section_has_a_title():
    assert set(SECTION_TITLES) == set(Section)


@pytest.mark.parametrize(
    ("given", "there", "absent"),
    [
        ({"workload": "inference"}, "", "method checkpoint"),
        ({"workload": "training"}, "method checkpoint", ""),
        ({"gpu_count": "count=1"}, "", "gpus_per_node nvlink network bandwidth shared_storage batches"),
        (
            {"gpu_count": "count=8", "gpus_per_node": "count=8"},
            "nvlink gpus_per_node",
            "network bandwidth shared_storage batches",
        ),
        ({"gpu_count": "count=8"}, "gpus_per_node nvlink network", "batches"),
        ({"gpu_count": "count=16", "gpus_per_node": "count=8"}, "network bandwidth shared_storage batches", ""),
        ({"gpu_count": "count=8..16", "gpus_per_node": "count=8"}, "network batches", ""),
        ({"gpu_count": "TBD"}, "network shared_storage", "gpus_per_node nvlink batches"),
        ({"network": "ethernet"}, "", "bandwidth"),
        ({"network": "roce"}, "bandwidth", ""),
        ({"network": "TBD"}, "bandwidth", ""),
        ({"load": "bursty"}, "overflow", ""),
        ({"load": "constant"}, "", "overflow"),
        ({"region": "Singapore"}, "region_reason", ""),
        ({"region": "ANY"}, "", "region_reason"),
        ({"region": "TBD"}, "", "region_reason"),
    ],
)
def test_a_field_applies_when_its_condition_holds(given, there, absent):
    found = keys(answers(**given))
    assert set(there.split()) <= found
    assert not set(absent.split()) & found


def test_the_next_question_is_the_first_without_an_answer():
    assert next_field(answers()).key == "workload"
    assert next_field(answers(workload="training", model="x")).key == "description"
    assert next_field(answers(**{field.key: "TBD" for field in FIELDS})) is None


def test_back_and_progress_count_only_what_applies():
    given = answers(workload="inference")
    assert previous_field(given, "workload") is None
    assert previous_field(given, "sequence_length").key == "model"
    assert previous_field(given, None).key == "contact_time"
    number, total = progress(given, "sequence_length")
    assert number == 4
    assert total == len(applicable(given))


def test_labels_hold_no_placeholder():
    for field in FIELDS:
        for message in (field.question, field.hint, field.label):
            assert [name for _, name, _, _ in string.Formatter().parse(message) if name] == []


def test_stored_answers_come_back_as_they_were():
    given = answers(workload="training", gpu="model=H100;form=SXM")
    assert Answers.load(given.dump()) == given
    with pytest.raises(ValueError, match="version"):
        Answers.load({"version": 99, "answers": {}})


def test_kinds_with_options_have_them():
    for field in FIELDS:
        needs = field.kind in (Kind.CHOICE, Kind.CHOICES, Kind.CHOICE_OR_TEXT)
        assert bool(field.options) >= needs
