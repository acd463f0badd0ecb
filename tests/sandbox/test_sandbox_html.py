"""HTML as Telegram parses it: entities in UTF-16 units, errors with byte offsets."""

import pytest

from bot.sandbox.refusals import Refusal
from bot.sandbox.rich_text import RichText, formatted, to_html, typed

PEOPLE = {7: {"id": 7, "is_bot": False, "first_name": "Ada"}}


def parse(text):
    return formatted(text, "HTML", None, PEOPLE.get)


def kinds(rich: RichText):
    return [(entity["type"], entity["offset"], entity["length"]) for entity in rich.entities]


@pytest.mark.parametrize(
    ("raw", "text", "entities"),
    [
        ("<b>a</b><strong>b</strong>", "ab", [("bold", 0, 1), ("bold", 1, 1)]),
        ("<i>a</i><em>b</em>", "ab", [("italic", 0, 1), ("italic", 1, 1)]),
        ("<u>a</u><ins>b</ins>", "ab", [("underline", 0, 1), ("underline", 1, 1)]),
        ("<s>a</s><strike>b</strike><del>c</del>", "abc", [("strikethrough", i, 1) for i in range(3)]),
        ('<tg-spoiler>a</tg-spoiler><span class="tg-spoiler">b</span>', "ab", [("spoiler", 0, 1), ("spoiler", 1, 1)]),
        ("<B>a</b>", "a", [("bold", 0, 1)]),
        ("<code>a</code> <pre>b</pre>", "a b", [("code", 0, 1), ("pre", 2, 1)]),
        ("<blockquote>a</blockquote><blockquote expandable>b</blockquote>", "ab", [("blockquote", 0, 1), ("expandable_blockquote", 1, 1)]),
        ("<b>a</>", "a", [("bold", 0, 1)]),
        ("💻<b>8×H100</b>", "💻8×H100", [("bold", 2, 6)]),
        ("你好<b>世界</b>", "你好世界", [("bold", 2, 2)]),
        ("<b>a<i>b</i></b>", "ab", [("bold", 0, 2), ("italic", 1, 1)]),
        ("<b></b>x", "x", []),
        ("<b>  a  </b>", "a", [("bold", 0, 1)]),
        ("\n\n<b>a</b>\n", "a", [("bold", 0, 1)]),
        ("a &lt;3 &amp; &gt; &quot;b&quot;", 'a <3 & > "b"', []),
        ("&nbsp;&apos;", "&nbsp;&apos;", []),
        ("&#20320;&#x597d", "你好", []),
        ("a & b", "a & b", []),
        ("&lt3 &ampx", "&lt3 &ampx"[:0] + "<3 &ampx", []),
        ("<b>a</b ><i >b</i>", "ab", [("bold", 0, 1), ("italic", 1, 1)]),
        ("<b>x<code>y</code>z</b>", "xyz", [("bold", 0, 1), ("code", 1, 1), ("bold", 2, 1)]),
        ("<b>a<b>b</b></b>", "ab", [("bold", 0, 2)]),
        ("<pre>/start @name https://a.com</pre>", "/start @name https://a.com", [("pre", 0, 26)]),
        ("<b>/start</b>", "/start", [("bold", 0, 6), ("bot_command", 0, 6)]),
        ("a\rb\x00c", "ab c", []),
    ],
)  # fmt: skip
def test_html_becomes_text_and_entities(raw, text, entities):
    rich = parse(raw)
    assert rich.text == text
    assert kinds(rich) == entities


def test_code_inside_pre_gives_the_language():
    rich = parse('<pre><code class="language-python">x</code></pre>')
    assert rich.entities == ({"type": "pre", "offset": 0, "length": 1, "language": "python"},)
    assert parse('<code class="language-python">x</code>').entities == ({"type": "code", "offset": 0, "length": 1},)


@pytest.mark.parametrize(
    ("raw", "url"),
    [
        ('<a href="https://example.com/a?b=1&amp;c=2">x</a>', "https://example.com/a?b=1&c=2"),
        ("<a href='example.com'>x</a>", "http://example.com/"),
        ("<a>example.com</a>", "http://example.com/"),
        ('<a href="HTTPS://Example.COM">x</a>', "https://example.com/"),
    ],
)
def test_links_keep_a_whole_url(raw, url):
    (entity,) = parse(raw).entities
    assert (entity["type"], entity["url"]) == ("text_link", url)


@pytest.mark.parametrize(
    "raw", ['<a href="nonsense">x</a>', '<a href="javascript:alert(1)">x</a>', '<a href="tg://user?id=99">x</a>']
)
def test_a_bad_link_is_dropped_without_a_word(raw):
    rich = parse(raw)
    assert (rich.text, rich.entities) == ("x", ())


def test_a_link_to_a_known_person_is_a_mention():
    assert parse('<a href="tg://user?id=7">x</a>').entities == (
        {"type": "text_mention", "offset": 0, "length": 1, "user": PEOPLE[7]},
    )


@pytest.mark.parametrize(
    ("raw", "error"),
    [
        ("<b>x", 'Can\'t find end tag corresponding to start tag "b"'),
        ("你好<br>", 'Unsupported start tag "br" at byte offset 6'),
        ("<p>x</p>", 'Unsupported start tag "p" at byte offset 0'),
        ("a < b", 'Unsupported start tag "" at byte offset 2'),
        ("💻<b", "Unclosed start tag at byte offset 4"),
        ("<3", "Unclosed start tag at byte offset 0"),
        ("x</b>", "Unexpected end tag at byte offset 1"),
        ("<b>x</i>", 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'),
        ("<b><i>长</b></i>", 'Unmatched end tag at byte offset 9, expected "</i>", found "</b>"'),
        ("<b>x</b", "Unclosed end tag at byte offset 4"),
        ("<a =x>", 'Empty attribute name in the tag "a" at byte offset 0'),
        ("<a href=a_b>x</a>", "Unexpected end of name token at byte offset 8"),
        ("<a href=", "Unclosed start tag at byte offset 0"),
        ('<a href="x', "Unclosed start tag at byte offset 0"),
        ("<a ", "Unclosed start tag at byte offset 0"),
        ("<span>x</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'),
        ('<span class="red">x</span>', 'Tag "span" must have class "tg-spoiler" at byte offset 0'),
        ("&#xd800;", "Text contains invalid Unicode characters after decoding HTML entities, check for unmatched surrogate code units"),
    ],
)  # fmt: skip
def test_broken_html_is_refused_with_its_byte_offset(raw, error):
    with pytest.raises(Refusal) as refused:
        parse(raw)
    assert refused.value.description == f"Bad Request: can't parse entities: {error}"


@pytest.mark.parametrize(
    ("text", "entities"),
    [
        ("/start", [("bot_command", 0, 6)]),
        ("/start@gpu_desk_bot now", [("bot_command", 0, 19)]),
        ("say /help!", [("bot_command", 4, 5)]),
        ("/开始 a/b http", []),
        ("价格/天", []),
        ("mail a.b@example.com", [("email", 5, 15)]),
        ("see https://example.com/x?y=1, ok", [("url", 4, 25)]),
        ("网址 example.com。", [("url", 3, 11)]),
        ("💻💻 https://a.cn/b", [("url", 5, 14)]),
        ("@some_name and #标签", [("mention", 0, 10), ("hashtag", 15, 3)]),
        ("pay $USD", [("cashtag", 4, 4)]),
        ("call +86 138 0013 8000", [("phone_number", 5, 17)]),
        ("8×H100, 2.5 TB/s, v1.2", []),
    ],
)
def test_what_telegram_sees_in_a_text_by_itself(text, entities):
    assert kinds(typed(text)) == entities


@pytest.mark.parametrize(
    "raw",
    [
        "<b>a</b> &lt;3 &amp; x",
        "<b>a<i>b</i></b>c",
        '<a href="https://example.com/">x</a>',
        '<pre><code class="language-py">x &lt; y</code></pre>',
        "<blockquote expandable>长</blockquote>",
        "💻<u>8</u>",
    ],
)
def test_a_text_can_be_written_as_html_again(raw):
    assert to_html(parse(raw)) == raw


def test_entities_can_be_given_instead_of_html():
    rich = formatted("  abc", "", [{"type": "bold", "offset": 2, "length": 2}], PEOPLE.get)
    assert (rich.text, kinds(rich)) == ("abc", [("bold", 0, 2)])


def markdown(text):
    return formatted(text, "MarkdownV2", None, PEOPLE.get)


@pytest.mark.parametrize(
    ("raw", "text", "entities"),
    [
        ("*a* _b_ __c__ ~d~ ||e||", "a b c d e", [("bold", 0, 1), ("italic", 2, 1), ("underline", 4, 1), ("strikethrough", 6, 1), ("spoiler", 8, 1)]),
        ("*a _b_ c*", "a b c", [("bold", 0, 5), ("italic", 2, 1)]),
        ("💻`a*b`", "💻a*b", [("code", 2, 3)]),
        ("```py\nx = 1```", "x = 1", [("pre", 0, 5)]),
        ("1\\. a\\-b", "1. a-b", []),
        (">quote\n>more\nend", "quote\nmore\nend", [("blockquote", 0, 10)]),
        ("[x](https://example.com/a\\)b)", "x", [("text_link", 0, 1)]),
        ("[x](tg://user?id=7)", "x", [("text_mention", 0, 1)]),
        ("你*好*", "你好", [("bold", 1, 1)]),
    ],
)  # fmt: skip
def test_markdown_becomes_text_and_entities(raw, text, entities):
    rich = markdown(raw)
    assert (rich.text, kinds(rich)) == (text, entities)


@pytest.mark.parametrize(
    ("raw", "error"),
    [
        ("8x. ", "Character '.' is reserved and must be escaped with the preceding '\\'"),
        ("a-b", "Character '-' is reserved and must be escaped with the preceding '\\'"),
        ("a > b", "Character '>' is reserved and must be escaped with the preceding '\\'"),
        ("你 *a", "Can't find end of Bold entity at byte offset 4"),
        ("_a", "Can't find end of Italic entity at byte offset 0"),
        ("`a", "Can't find end of Code entity at byte offset 0"),
        ("[a](b", "Can't find end of a URL at byte offset 4"),
    ],
)
def test_broken_markdown_is_refused(raw, error):
    with pytest.raises(Refusal) as refused:
        markdown(raw)
    assert refused.value.description == f"Bad Request: can't parse entities: {error}"


def test_the_old_markdown_is_not_supported():
    with pytest.raises(Refusal, match="unsupported parse_mode"):
        formatted("*a*", "Markdown", None, PEOPLE.get)
