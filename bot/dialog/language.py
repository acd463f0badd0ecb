"""Recognises a wish for another language, typed at any time."""

import re
from typing import Final

from bot.quantities.folding import simplified, wording

_ASK: Final = r"(?:please |pls |can we |could we |let's )?(?:switch to|change to|speak|use|talk|in)? ?"
_SWITCH: Final = (
    r"(?:please )?(?:switch to |change to |use |speak )?(?:请)?(?:切换(?:到|成|为)?|换(?:成|到)?|用|说|讲|改(?:成|用))?"
)
_END: Final = r"(?:吧|谢谢)?"
_CHINESE: Final = "zh"
"""Chinese without a word on its script."""
_WORDS: Final = {
    "en": re.compile(
        rf"{_ASK}(?:english|en|eng)(?: language)?(?: please| pls)?|{_SWITCH}(?:英文|英语){_END}|{_SWITCH}english(?:吧)?"
    ),
    "zh_Hant": re.compile(
        rf"{_ASK}(?:traditional(?: chinese)?|chinese \(?traditional\)?|zh[-_ ]?(?:hant|tw|hk|mo))(?: please| pls)?"
        rf"|{_SWITCH}(?:(?:中文)?\(?[繁正]体(?:中文|字)?\)?|台湾(?:中文|华语)){_END}"
    ),
    "zh_Hans": re.compile(
        rf"{_ASK}(?:simplified(?: chinese)?|chinese \(?simplified\)?|zh[-_ ]?(?:hans|cn|sg))(?: please| pls)?"
        rf"|{_SWITCH}(?:(?:中文)?\(?简体(?:中文|字)?\)?){_END}"
    ),
    _CHINESE: re.compile(
        rf"{_ASK}(?:mandarin|(?:mandarin )?chinese|zh|cn)(?: language)?(?: please| pls)?"
        rf"|{_SWITCH}(?:中文|汉语|普通话|国语|华语){_END}"
    ),
}


def wanted_language(said: str, chinese: str = "zh_Hans") -> str | None:
    """Return the language that a whole message asks for, in any language of the desk; None for anything else.

    A wish for Chinese that names no script gets the one it is written in, and where that does not show, `chinese`.

    >>> wanted_language("English please"), wanted_language("切换到中文"), wanted_language("in English we say")
    ('en', 'zh_Hans', None)
    >>> wanted_language("繁體中文"), wanted_language("切換到中文"), wanted_language("中文", "zh_Hant")
    ('zh_Hant', 'zh_Hant', 'zh_Hant')
    """
    plain = wording(said).strip(" .!?。！？,，~")
    plain = re.sub(r"[\s,，]+", " ", plain)
    wanted = next((locale for locale, pattern in _WORDS.items() if pattern.fullmatch(plain)), None)
    if wanted != _CHINESE:
        return wanted
    return "zh_Hant" if simplified(said) != said else chinese
