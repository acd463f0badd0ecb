"""Takes the wrapping off an answer: politeness, "about", "at least", "up to", and what is left is the amount itself."""

import functools
import re
import unicodedata
from dataclasses import dataclass

from bot.quantities.digits import APPROX_MARK

# Words that carry no amount, in front of one and behind one. Readers add the nouns of their own field.
_POLITE_BEFORE = re.compile(
    r"(?:嗯+|恩|哦+|噢|呃+|额|诶|唉|那个|那么|那就|那|您好|你好|请问|好的?|好吧|应该(?:是|要|需要|得|在)?|我们(?:这边|这里)?|我(?:这边|这里)?|咱们?"
    r"|想|觉得|认为|打算|希望|需要|需|想要|要|可能要|先|暂定|暂时|目前|现在(?!就?开始|就要)|初步|预计|预期|计划|准备|期望|使用|用到|用|就是|就|是|有|选|给我|搞|整|来|麻烦|会|得|能|开(?!始)|弄|总的?"
    r"|(?:hello|hi|hey|hmm+|um+|uh+|well|so|ok|okay|yes|yeah|i'd|we'd|i'm|we're|i'll|we'll|we've|i've|i|we|think|guess|believe|suppose|say|would|will|need|want|like|prefer|to use"
    r"|to have|to rent|to get|to|use|using|rent|have|it's|it is|it'll|it|that's|that is|is|be|should|there are|there is|let's|please|pls|just|plan|planning|looking"
    r"|hope|currently|initially|expect|expecting|expected|give me|can|could|get|take|make it|go with|have got|got|we are|for now|hopefully|ideally|possibly|likely|i am|actually)(?![a-z']))"
    r"[\s,。.、:;!-]*",
    re.IGNORECASE,
)
_POLITE_AFTER = re.compile(
    r"[\s,。.、;!(]*(?:(?<![a-z])(?:thx|thanks?(?:\s+(?:you|u|a lot|so much|in advance))*|cheers|please|pls|ty|(?:should|would|will) (?:do|be (?:enough|fine|ok|okay|good|great|nice|ideal|sufficient|plenty))"
    r"|is (?:fine|enough|ok|okay|good|plenty)|(?:is|are) needed|needed|required|i (?:think|guess|believe|suppose|reckon)|for now|to start(?: with)?|to begin with|if possible"
    r"|will be (?:fine|enough)|lol|haha+|right|sounds good|actually|for us|for me|at the moment|ideally|initially|overall)"
    r"|吧|呢|啊|哈+|哦|噢|呀|嘛|啦|了|的|哒|滴|就(?:行|好|可以|够|成|ok)了?|即可|足?够(?:用)?了?|谢谢(?:你|您|哈)?|多谢|感谢|辛苦|先|暂定|预计|应该)[)\s]*$",
    re.IGNORECASE,
)

_APPROX = "approx"
_LOW = "min"
_HIGH = "max"
# Words in front of an amount and behind it, with what they say of it.
WORDS_BEFORE = (
    (
        _APPROX,
        (
            r"大概是?|大约是?|大约摸|约摸|约莫|约为?|差不多(?:是|要|有)?|估计(?:是|要|得|在)?|估摸着?|可能(?:是|要|需要)?|也许|大致|粗略|粗算|接近|将近|近(?!期|日)|平均|几乎|一般(?:是)?|通常|基本(?:上)?"
            r"|(?:about|around|approximately|approx\.?|roughly|circa|ca\.|some|something like|maybe|perhaps|probably|more or less|nearly|almost|usually|typically|close to|ballpark|in the region of|on average|average|avg\.?|estimated|est\.?|somewhere around|give or take)(?![a-z])"
            rf"|~|{APPROX_MARK}|(?<![a-z])c\."
        ),
    ),
    (
        _LOW,
        (
            r"至少(?:要|得|是|需要)?|少说也?(?:要|得|是)?|起码(?:要|得|是)?|最少(?:要|得|是)?|最低(?:要|得|是)?|最小|不少于|不低于|不小于|不能?少于|不能?低于|不能?小于|大于等于|超过|多于|高于|大于|超"
            r"|(?:at least|no less than|not less than|no fewer than|a minimum of|minimum of|minimum|min\.?(?! ?\d+ ?(?:sec|min))|more than|over|above|greater than|larger than|bigger than|longer than|exceeding|upwards of|starting (?:at|from)|north of)(?![a-z])"
            r"|>=?|≥"
        ),
    ),
    (
        _HIGH,
        (
            r"最多(?:要|是|用)?|至多|顶多|撑死|最高|最大|最长|上限(?:是|为)?|不超过?|不会超过|别超过|不要超过|不能超过|不高于|不多于|不大于|小于等于|小于|少于|低于|不到|不足|控制在|限制在"
            r"|(?:at (?:the )?most|up to|no more than|not more than|not exceeding|not over|no greater than|a maximum of|maximum of|maximum|max\.?|less than|fewer than|under|below|within|smaller than|shorter than|capped at|tops)(?![a-z])"
            r"|<=?|≤"
        ),
    ),
)
WORDS_AFTER = (
    (
        _APPROX,
        (
            r"左右|上下|前后|附近|级别?|这个级别|的?样子|多一点|多点|出头|上下浮动"
            r"|(?<![a-z])(?:or so|or thereabouts|ish|give or take|roughly|approx\.?|approximately|more or less|about|ballpark|on average|scale|class|or around that|estimated)|(?<=\d)ish|-ish|-class|-scale"
        ),
    ),
    (
        _LOW,
        (
            r"(?:及|或|或者|甚至)?以上|或更多|或更高|或更大|或更长|起步?|打底|往上|朝上|开外|起租|\+"
            r"|(?<![a-z])(?:plus|or (?:more|above|higher|larger|longer|greater|bigger|better|over)|and (?:up|above|over|more)|at least|at minimum|at the very least|minimum|as a minimum|upwards?|min\.(?!\w))"
        ),
    ),
    (
        _HIGH,
        (
            r"(?:及|或)?以内|之内|(?:及|或)?以下|内|封顶|不到|为上限"
            r"|(?<![a-z])(?:max\.?|maximum|tops|at (?:the )?most|at max|or (?:less|fewer|below|under|lower|smaller|shorter)|and (?:below|under|less))"
        ),
    ),
)


def _leading(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{words})[\s:,]*(?:在|是|为|of\b)?\s*", re.IGNORECASE)


def _trailing(words: str) -> re.Pattern[str]:
    return re.compile(rf"[\s,(]*(?:{words})[)\s]*$", re.IGNORECASE)


_LEADING = tuple((effect, _leading(words)) for effect, words in WORDS_BEFORE)
_TRAILING = tuple((effect, _trailing(words)) for effect, words in WORDS_AFTER)
_EITHER = re.compile(
    r"[\s,]*(?:都行|都可以|都有|都ok|都要|都能接受|都好|均可|皆可|也行|也可以|也ok|也能接受|任选(?:其一)?|(?<![a-z])(?:is also (?:fine|ok)|(?:works|is fine|are fine|is ok|are ok|would work|will do)(?: too)?|either(?: is fine| works)?|both))\s*$",
    re.IGNORECASE,
)
_EDGE = " \t,。.、;:!?…~-—·|'^_*"
_PLUS = re.compile(r"(?<=\d)()\+\s?([a-z\u4e00-\u9fff]+)$", re.IGNORECASE)
_PARENTHESES = re.compile(r"^\(([^()]*)\)$")


@dataclass(frozen=True, slots=True)
class Peeled:
    """An answer without its wrapping; `bound` is `min` or `max` when the person named a limit."""

    core: str
    approx: bool = False
    bound: str = ""
    either: bool = False


def trim(text: str) -> str:
    """Take off politeness, emoji and punctuation at both ends."""
    before = None
    while before != text:
        before = text
        text = _trim_edges(text)
        m = _POLITE_BEFORE.match(text)
        if m and m.end() < len(text):
            # A dash or point before a digit is the amount's own: it must not vanish with the politeness.
            at = m.end() - 1 if text[m.end() - 1] in "-." and text[m.end()].isdigit() else m.end()
            text = text[at:]
        text = _POLITE_AFTER.sub("", text) or text
    return text


def peel(text: str, nouns: re.Pattern[str] | None = None) -> Peeled:
    """Take everything off: politeness, hedges, bounds, and the field's own `nouns` at either end.

    `nouns` matches one noun; it is tried at the start and at the end. Two different bounds (at least … at most) leave the
    text as it is, so that no reader takes half of it.
    """
    approx, bound, either = False, "", False
    before = None
    text = _PLUS.sub(r"\1 \2+", trim(text))
    while before != text:
        before = text
        text = trim(text)
        text, effects = _unhedge(text)
        approx |= _APPROX in effects
        for effect in effects - {_APPROX}:
            if bound and bound != effect:
                return Peeled("")
            bound = effect
        m = _EITHER.search(text)
        if m and m.start():
            text, either = text[: m.start()], True
        if nouns is not None:
            text = _without_nouns(text, nouns)
        m = _PARENTHESES.match(text)
        text = m[1] if m else text
    return Peeled(text, approx, bound, either)


def _trim_edges(text: str) -> str:
    start, end = 0, len(text)
    while start < end and (text[start] in _EDGE or _is_picture(text[start])):
        if text[start] in "-.~" and start + 1 < end and text[start + 1].isdigit():
            break  # a sign, a decimal or "about": not decoration
        start += 1
    while end > start and (text[end - 1] in _EDGE or _is_picture(text[end - 1])):
        end -= 1
    return text[start:end]


@functools.lru_cache(maxsize=512)
def _is_picture(char: str) -> bool:
    return char > "\u2000" and unicodedata.category(char) in ("So", "Sk")


def _unhedge(text: str) -> tuple[str, set[str]]:
    effects: set[str] = set()
    for effect, pattern in _LEADING:
        m = pattern.match(text)
        if m and m.end() < len(text):
            text = text[m.end() :]
            effects.add(effect)
            break
    for effect, pattern in _TRAILING:
        m = pattern.search(text)
        if m and m.start():
            text = text[: m.start()]
            effects.add(effect)
            break
    return text, effects


def _without_nouns(text: str, nouns: re.Pattern[str]) -> str:
    m = nouns.match(text)
    if m and 0 < m.end() < len(text):
        text = text[m.end() :].lstrip(" :,的=")
    for m in nouns.finditer(text):
        if m.end() == len(text) and m.start():
            return text[: m.start()].rstrip(" ,的(")
    return text
