"""Folds what people type into one plain alphabet, keeping where every character came from.

Full-width forms become half-width, traditional characters simplified and words of Taiwan those of the mainland, all dashes one
dash, all blanks one blank. Case is kept, because Gb and GB differ; readers for which it says nothing lower it themselves.
"""

import functools
import re
import unicodedata

import opencc

_SIMPLIFIER = opencc.OpenCC("t2s")
_CJK = re.compile(r"[\u3400-\u9fff]")
# Words of equal length: every character keeps its place.
_TAIWAN = {
    "资料": "数据",
    "网路": "网络",
    "频宽": "带宽",
    "伺服器": "服务器",
    "推论": "推理",
    "储存": "存储",
    "物件": "对象",
    "丛集": "集群",
    "映像": "镜像",
    "硬碟": "硬盘",
    "磁碟": "磁盘",
    "档案": "文件",
    "乙太": "以太",
    "部份": "部分",
}
_TAIWAN_WORDS = re.compile("|".join(_TAIWAN))
_MEMORY = re.compile(r"(?P<card>显示|视讯|(?<=卡)|(?<=[Gg][Pp][Uu])(?: 的?|的)?)?记忆体")
"""Memory in Taiwan's words: of a card, or of a machine."""

# NFKC would join ½ to the digit before it (1½ becomes 11/2) and flatten 10² to 102: both need their own reading.
_VULGAR_FRACTIONS = {"½": ".5", "¼": ".25", "¾": ".75"}
_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789", strict=True))

_SAME = {
    **dict.fromkeys("‐‑‒–—―−﹣－", "-"),
    **dict.fromkeys("〜∼˜～", "~"),
    **dict.fromkeys("×✕✖╳⨯✗", "x"),
    **dict.fromkeys('“”„«»「」『』【】〔〕《》"', " "),
    **dict.fromkeys("‘’`´", "'"),
    "⁄": "/",
    "∶": ":",
    "﹪": "%",
    "￥": "¥",
    "≧": "≥",
    "≦": "≤",
    "±": "≈",
}


def fold(text: str) -> str:
    """Return the folded text; the original positions are not kept."""
    return fold_with_origin(text)[0]


def fold_with_origin(text: str) -> tuple[str, list[int]]:
    """Return the folded text and, for each of its characters, the index in `text` of the character that it came from."""
    out: list[str] = []
    origin: list[int] = []
    for index, char in enumerate(text):
        for piece in _piece(char, after_digit=bool(out) and out[-1].isdigit()):
            if piece == " " and (not out or out[-1] == " "):
                continue
            out.append(piece)
            origin.append(index)
    folded = "".join(out)
    if _CJK.search(folded):
        folded = _simplify(folded)
    return _with_memory(folded, origin) if "记忆体" in folded else (folded, origin)


def simplified(text: str) -> str:
    """Return the text with every traditional character and word simplified, at the same length; nothing else changes."""
    return _simplify(text) if _CJK.search(text) else text


def wording(text: str) -> str:
    """Return the spelling in which words of command are looked for: plain width, simplified, lower case; signs stay."""
    return simplified(unicodedata.normalize("NFKC", text)).casefold()


def lower(text: str) -> str:
    """Lower A to Z only: the length never changes, so positions stay valid."""
    return text.translate(_ASCII_LOWER)


_ASCII_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def _with_memory(folded: str, origin: list[int]) -> tuple[str, list[int]]:
    """Put the mainland's shorter word for memory; its two characters come from the first and the last of the long one."""
    out, places, done = "", list[int](), 0
    for m in _MEMORY.finditer(folded):
        out += folded[done : m.start()] + ("显存" if m["card"] is not None else "内存")
        places += [*origin[done : m.start()], origin[m.start()], origin[m.end() - 1]]
        done = m.end()
    return out + folded[done:], places + origin[done:]


def _piece(char: str, *, after_digit: bool) -> str:
    if char in _VULGAR_FRACTIONS:
        return _VULGAR_FRACTIONS[char] if after_digit else "0" + _VULGAR_FRACTIONS[char]
    return char if "!" <= char <= "~" and char not in '"`' else _other_piece(char)


@functools.lru_cache(maxsize=8192)
def _other_piece(char: str) -> str:
    if char in _SAME:
        return _SAME[char]
    if char in _SUPERSCRIPTS:
        return "^" + _SUPERSCRIPTS[char]
    category = unicodedata.category(char)
    if category == "Nd":
        return str(unicodedata.decimal(char))
    if char.isspace() or category in ("Cc", "Zs", "Zl", "Zp"):
        return " "
    if category in ("Cf", "Mn", "Cs", "Co", "Cn"):  # joiners, variation selectors, stray surrogates
        return ""
    return "".join(_SAME.get(c, c) for c in unicodedata.normalize("NFKC", char) if not unicodedata.combining(c))


def _simplify(folded: str) -> str:
    converted: str = _SIMPLIFIER.convert(folded)
    if len(converted) != len(folded):
        # A phrase was replaced by one of another length: one character at a time keeps the positions.
        converted = "".join(_simplify_char(char) for char in folded)
    return _TAIWAN_WORDS.sub(lambda word: _TAIWAN[word[0]], converted)


@functools.lru_cache(maxsize=8192)
def _simplify_char(char: str) -> str:
    converted: str = _SIMPLIFIER.convert(char)
    return converted if len(converted) == 1 else char
