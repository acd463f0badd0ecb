"""Quiet hours told in words."""

import re
from datetime import time
from typing import Final

from bot.dialog.effect import Outcome, SetQuiet, Show
from bot.dialog.screen import QuietSet
from bot.dialog.state import Case

_QUIET: Final = re.compile(
    r"(?:quiet hours?|do not disturb|免打扰|安静时间|静音时段?|勿扰)(?:\s*(?:from|:|是|为))?\s*(?P<a>\d{1,2})(?::?(?P<am>\d\d))?\s*[点时]?\s*(?:-|~|–|to|到|至)\s*(?P<b>\d{1,2})(?::?(?P<bm>\d\d))?\s*[点时]?"
    r"|(?P<none>(?:no quiet hours?|quiet hours? off)|(?:关闭|取消)(?:免打扰|安静时间|勿扰))"
)


def said(case: Case, plain: str) -> Outcome | None:
    """Take words that set the quiet hours (22:00 to 8:00, or none); None for all others. `plain` is folded (NFKC, lower case)."""
    words = _QUIET.fullmatch(plain)
    if words is None:
        return None
    if words["none"]:
        hours = "00:00-00:00"
    else:
        try:
            # 24:00 is midnight; no other hour beyond 23 is one.
            ends = [
                time(0 if words[h] == "24" else int(words[h]), int(words[m] or 0))
                for h, m in (("a", "am"), ("b", "bm"))
            ]
        except ValueError:
            return None
        hours = "-".join(end.isoformat("minutes") for end in ends)
    return Outcome(case, (SetQuiet(hours), Show(QuietSet(hours))))
