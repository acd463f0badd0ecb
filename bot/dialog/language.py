"""Recognises a wish for another language, typed at any time."""

import re
import unicodedata
from typing import Final

_ASK: Final = r"(?:please |pls |can we |could we |let's )?(?:switch to|change to|speak|use|talk|in)? ?"
_WORDS: Final = {
    "en": re.compile(
        rf"{_ASK}(?:english|en|eng)(?: language)?(?: please| pls)?|(?:请)?(?:切换(?:到|成|为)?|换(?:成|到)?|用|说|改(?:成|用))?(?:英文|英语)(?:吧|谢谢)?"
        r"|(?:请)?(?:切换(?:到|成|为)?|换(?:成|到)?|用|说|改(?:成|用))english(?:吧)?"
    ),
    "zh_Hans": re.compile(
        rf"{_ASK}(?:simplified |mandarin )?(?:chinese|zh|cn)(?: language)?(?: please| pls)?"
        r"|(?:please )?(?:switch to |change to |use |speak )?(?:请)?(?:切换(?:到|成|为)?|换(?:成|到)?|用|说|讲|改(?:成|用))?(?:中文|汉语|简体中文|普通话)(?:吧|谢谢)?"
    ),
}


def wanted_language(said: str) -> str | None:
    """Return the language that a whole message asks for, in either language; None for anything else.

    >>> (
    ...     wanted_language("English please"),
    ...     wanted_language("切换到中文"),
    ...     wanted_language("中文"),
    ...     wanted_language("in English we say"),
    ... )
    ('en', 'zh_Hans', 'zh_Hans', None)
    """
    plain = unicodedata.normalize("NFKC", said).casefold().strip(" .!?。！？,，~")
    plain = re.sub(r"[\s,，]+", " ", plain)
    return next((locale for locale, pattern in _WORDS.items() if pattern.fullmatch(plain)), None)
