"""The checklist as documents: complete, faithful and well-formed, whatever the customer has typed."""

import json
import re

import pytest
from markdown_it import MarkdownIt

from bot.checklist.answer import Answers
from bot.checklist.display import show_answer
from bot.checklist.field import Section
from bot.checklist.fields import BY_KEY, SECTION_TITLES
from bot.checklist.question import applicable
from bot.checklist.understand import understand
from bot.checklist.words import ASSUMPTIONS
from bot.dialog.screen import Document
from bot.i18n import LOCALES, texts
from bot.telegram.screens.documents import as_json, markdown
from bot.telegram.screens.estimates import worked_out
from bot.telegram.screens.render import render
from tests.telegram.test_screens import CLUSTER, INFERENCE, LATIN, MOMENT, OPEN, names_of_catalogues, reader

NASTY = (
    "a | b `code` *bold* _x_ <b>&amp; [link](http://x) # no ~~s~~",
    "- list\n1. one\n\n> quote\n    code\n===\n```\nfence",
    "\\ ends with \\",
    "!img ![a](b) <!-- --> </ul>",
    "+ 1) 2.\r\nnext",
)


def rendered(made: str) -> list[tuple[str, str]]:
    """Each block's kind and its text as a reader of the rendered document sees it."""
    found, kind = [], ""
    for token in MarkdownIt("commonmark").enable("table").enable("strikethrough").parse(made):
        if token.type in ("heading_open", "paragraph_open"):
            kind = token.tag
        elif token.type == "inline":
            text = "".join(
                "\n" if c.type in ("softbreak", "hardbreak") else c.content
                for c in token.children or []
                if c.type in ("text", "softbreak", "hardbreak", "text_special")
            )
            assert all(
                c.type in ("text", "text_special", "hardbreak", "strong_open", "strong_close") for c in token.children
            ), made
            found.append((kind, text))
        else:
            assert token.type.removesuffix("_open").removesuffix("_close") in (
                *("heading", "paragraph", "bullet_list", "list_item"),
            ), f"{token.type}\n{made}"
    return found


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("answers", [CLUSTER, INFERENCE, OPEN, Answers()], ids=["full", "partly", "open", "empty"])
def test_the_document_has_nine_sections_and_every_answer_as_the_screens_show_it(locale, answers):
    made = rendered(markdown(answers, reader(locale)))
    words = texts(locale)
    titles = [text for kind, text in made if kind == "h2"]
    assert titles[:9] == [f"{n}. {words.text(SECTION_TITLES[s])}" for n, s in enumerate(Section, 1)]
    rows = [text for _, text in made]
    for field in applicable(answers):
        answer = answers.get(field.key)
        shown = show_answer(field, answer, words) if answer else words.text("not answered yet")
        assert f"{words.text(field.label)}{words.colon}{shown}" in rows


@pytest.mark.parametrize("locale", LOCALES)
def test_the_estimate_comes_with_all_that_it_assumes(locale):
    made = markdown(CLUSTER, reader(locale))
    words, answer = texts(locale), worked_out(CLUSTER, reader(locale))
    assert len(answer.assumptions) > 5
    for item in answer.assumptions:
        assert f"- {words.text(ASSUMPTIONS[item.key])}{words.colon}" in made
    assert "ZeRO-3" in made
    assert f"\n  - {words.text('best balance of cost and time')}" in made, "a plan's reasons stand below it"


@pytest.mark.parametrize("said", NASTY)
def test_what_customers_type_is_text_and_never_markup(said):
    answers = Answers(understand(BY_KEY["description"], said, MOMENT))
    rows = [text for _, text in rendered(markdown(answers, reader("en")))]
    label = texts("en").text(BY_KEY["description"].label)
    lines = [line.strip() for line in answers["description"].normal.splitlines() if line.strip()]
    assert f"{label}: " + "\n".join(lines) in rows


@pytest.mark.parametrize("said", NASTY)
def test_the_json_loads_to_the_stored_answers_with_the_raw_words(said):
    answers = CLUSTER.with_answers(understand(BY_KEY["description"], said, MOMENT))
    loaded = json.loads(as_json(answers, reader("en")))
    assert Answers.load({"version": loaded["version"], "answers": loaded["answers"]}) == answers
    assert loaded["answers"]["description"]["raw"] == said.strip()
    assert loaded["open"] == [f.key for f in applicable(answers) if f.key not in answers]


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("form", ["md", "json"])
def test_a_file_s_name_is_plain_and_tells_its_day_and_form(locale, form):
    name, text = render(Document(INFERENCE, form), reader(locale)).document
    assert name == f"checklist-2026-11-30.{form}"
    assert text.endswith("\n")


@pytest.mark.parametrize("locale", LOCALES[1:])
def test_no_english_word_in_a_chinese_document(locale):
    made = markdown(CLUSTER, reader(locale))
    parts = names_of_catalogues() | {"TP", "PP", "transformers", "DP"}
    left = set(re.findall(r"[A-Za-z][A-Za-z]+", made)) - LATIN - parts
    assert not left
