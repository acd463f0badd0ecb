import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.telegram.markup import bold, escape, line, lines, link, paragraphs, split, visible


@pytest.mark.parametrize("name", ["<3", "a—b' for --", "A&B", "</b>", "_x_", "if a<b && c>d", "<80GB"])
def test_names_and_answers_are_shown_as_written(name):
    assert visible(bold(name)) == name
    assert visible(line("x", name)) == f"x{name}"


def test_markup_is_not_escaped_twice():
    assert lines(bold("a<b"), "c") == "<b>a&lt;b</b>\nc"
    assert escape(bold("x")) == "<b>x</b>"


def test_what_telegram_would_refuse_is_dropped():
    assert escape("a\x00b\ud83dc") == "abc"


def test_a_gap_is_made_between_paragraphs_and_empty_ones_are_left_out():
    assert paragraphs(["a", None, "", "b"]) == "a\n\nb"


def test_a_link_holds_its_address_safely():
    assert link("x", 'https://e.com/?a="b"&c') == '<a href="https://e.com/?a=&quot;b&quot;&amp;c">x</a>'


@given(st.lists(st.text(max_size=300), max_size=40), st.integers(20, 200))
def test_splitting_loses_nothing_and_keeps_to_the_limit(texts, limit):
    whole = lines(*(bold(text.replace("\n", " ")) for text in texts))
    pieces = split(whole, limit)
    assert all(0 < len(visible(piece)) <= limit for piece in pieces)
    kept = "".join("".join(visible(piece).split()) for piece in pieces)
    assert kept == "".join(visible(whole).split())
