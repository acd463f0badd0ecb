"""Finds the entities that Telegram sees in a text by itself: commands, mentions, tags, links, addresses and numbers."""

import re

from bot.sandbox.html_mode import Entity, utf16_length

_DOMAINS = (
    "com|org|net|io|cn|ai|dev|me|co|info|app|xyz|ru|de|uk|us|edu|gov|hk|tw|sg|jp|eu|cloud|tech|online|site|top|cc"
)
_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "email",
        re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}(?![\w@])", re.ASCII),
    ),
    (
        "url",
        re.compile(
            r"(?<![\w@.])(?:(?:https?|ftp|tg|ton)://[^\s<>\"'«»“”‘’，。；：！？、）】》]+"
            rf"|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.(?:{_DOMAINS})(?![A-Za-z0-9_-])(?::\d+)?(?:[/?#][^\s<>\"'，。；：！？、）】》]*)?)",
            re.IGNORECASE,
        ),
    ),
    ("bot_command", re.compile(r"(?<![\w/<>])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\w/<>@])")),
    ("mention", re.compile(r"(?<![\w@/.])@[A-Za-z0-9_]{3,32}(?!\w)")),
    ("hashtag", re.compile(r"(?<![\w#])#(?=\w*[^\W\d])\w{1,256}(?!#)")),
    ("cashtag", re.compile(r"(?<![\w$])\$[A-Z]{1,8}(?!\w)")),
    ("phone_number", re.compile(r"(?<![\w+])\+[1-9]\d{0,3}[ -]?(?:\d[ -]?){6,12}(?!\w)")),
)
_HINT = re.compile(r"[@/#$+.]")
_LOOSE_END = ".,:;!?)]}"


def find_entities(text: str) -> list[Entity]:
    """Return the entities in order of their place; where two overlap, the kind listed first wins."""
    if not _HINT.search(text):
        return []
    taken: list[tuple[int, int, str]] = []
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            begin, end = match.span()
            if kind in {"url", "phone_number"}:
                end = begin + len(match.group().rstrip(_LOOSE_END + " -"))
            if all(end <= other_begin or begin >= other_end for other_begin, other_end, _ in taken):
                taken.append((begin, end, kind))
    return [
        {"offset": utf16_length(text[:begin]), "length": utf16_length(text[begin:end]), "type": kind}
        for begin, end, kind in sorted(taken)
    ]
