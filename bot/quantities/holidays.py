"""Days that people name instead of a date: 元旦, 春节, Christmas."""

import re
from datetime import date, timedelta

from dateutil.easter import easter

# Feasts of the Chinese lunar calendar by year, as published in the calendar tables of the Hong Kong Observatory.
_SPRING_FESTIVAL = {2026: (2, 17), 2027: (2, 6), 2028: (1, 26), 2029: (2, 13), 2030: (2, 3)}
_DRAGON_BOAT = {2026: (6, 19), 2027: (6, 9), 2028: (5, 28), 2029: (6, 16), 2030: (6, 5)}
_MID_AUTUMN = {2026: (9, 25), 2027: (9, 15), 2028: (10, 3), 2029: (9, 22), 2030: (9, 12)}
_QINGMING = {2026: (4, 5), 2027: (4, 5), 2028: (4, 4), 2029: (4, 4), 2030: (4, 5)}

_FIXED = (
    (r"元旦节?|新年(?:第1天)?|阳历年|new year'?s(?: day)?|new year|new years", (1, 1)),
    (r"跨年夜?|new year'?s eve|除旧夜|nye", (12, 31)),
    (r"情人节|valentine'?s(?: day)?", (2, 14)),
    (r"5一节?|五一(?:节|假期?|劳动节)?|劳动节|may day", (5, 1)),
    (r"6一|儿童节", (6, 1)),
    (r"618", (6, 18)),
    (r"国庆节?|十一(?:假期?|黄金周|长假|节|国庆)?|11黄金周|chinese national day|national day", (10, 1)),
    (r"万圣节?|halloween", (10, 31)),
    (r"双十一|双11|singles'? day", (11, 11)),
    (r"双十二|双12", (12, 12)),
    (r"圣诞节?|christmas(?: day)?|xmas|x-mas", (12, 25)),
    (r"平安夜|圣诞夜|圣诞前夜|christmas eve", (12, 24)),
)
_LUNAR = (
    (r"春节|过年|农历新年|大年初1|年初1|新春|(?:chinese|lunar) new year|cny|spring festival", _SPRING_FESTIVAL, 0),
    (r"除夕夜?|大年30|年30|chinese new year'?s eve", _SPRING_FESTIVAL, -1),
    (r"元宵节?|正月15|lantern festival", _SPRING_FESTIVAL, 14),
    (r"清明节?|qingming", _QINGMING, 0),
    (r"端午节?|dragon boat festival", _DRAGON_BOAT, 0),
    (r"中秋节?|mid-?autumn(?: festival)?", _MID_AUTUMN, 0),
)
_MOVING = r"(?P<thanksgiving>感恩节|thanksgiving(?: day)?)|(?P<black>黑(?:色星期)?[五5]|black friday)|(?P<easter>复活节|easter(?: sunday)?)"

NAMES = re.compile(
    "(?:the )?(?:" + "|".join([*(w for w, _ in _FIXED), *(w for w, *_ in _LUNAR), _MOVING]) + ")(?:当天|那天|day)?"
)


def holiday(name: str, year: int) -> date | None:
    """Date of a named day in a year, or None where it is unknown."""
    name = re.sub(r"(?:当天|那天)$", "", name.removeprefix("the "))
    for words, (month, day) in _FIXED:
        if re.fullmatch(words, name):
            return date(year, month, day)
    for words, table, shift in _LUNAR:
        if re.fullmatch(words, name):
            return date(year, *table[year]) + timedelta(days=shift) if year in table else None
    m = re.fullmatch(_MOVING, name)
    if not m:
        return None
    if m["easter"]:
        return easter(year)
    first = date(year, 11, 1)
    thanksgiving = first + timedelta(days=(3 - first.weekday()) % 7 + 21)
    return thanksgiving + timedelta(days=bool(m["black"]))


def next_holiday(name: str, today: date) -> date | None:
    """The next such day, today included."""
    found = (holiday(name, year) for year in (today.year, today.year + 1))
    return next((day for day in found if day and day >= today), None)
