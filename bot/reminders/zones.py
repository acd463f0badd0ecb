"""Time zones: as people write them, as they are stored, as they are called, and as a language lets one guess."""

import re
import unicodedata
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from babel import Locale
from babel.core import UnknownLocaleError, get_global
from babel.dates import get_timezone_location

from bot.i18n import LOCALES
from bot.quantities.folding import simplified, wording

_OFFSET: Final = re.compile(r"(?:utc|gmt)?(?P<sign>[+-])(?P<hours>\d{1,2})(?::?(?P<minutes>\d\d))?(?:时区)?")
_STORED: Final = re.compile(r"UTC([+-])(\d\d):(\d\d)")
_EAST: Final = re.compile(r"(?P<side>[东西])(?P<n>[一二三四五六七八九十]{1,2}|\d{1,2})区")
_NUMERALS: Final = "零一二三四五六七八九十"
_AROUND: Final = re.compile(
    r"^(?:i(?:'m| am) in|my time ?zone is|time ?zone:?|我在|我的时区是|时区(?:是|为|:)?)\s*|\s*(?:time(?: ?zone)?|时间|时区|市)$"
)
# Large cities without a zone of their own, under the one whose clock they share: the libraries that know them all weigh 180 MB.
_CITIES: Final = {
    "Asia/Shanghai": "beijing 北京 shenzhen 深圳 guangzhou 广州 hangzhou 杭州 chengdu 成都 nanjing 南京 wuhan 武汉 suzhou 苏州 xi'an 西安 tianjin 天津",
    "Asia/Kolkata": "bangalore bengaluru 班加罗尔 mumbai 孟买 delhi 德里 hyderabad 海得拉巴",
    "Asia/Tokyo": "osaka 大阪 kyoto 京都",
    "America/Los_Angeles": "san-francisco sf 旧金山 seattle 西雅图 portland 波特兰 pst pdt pacific",
    "America/New_York": "nyc boston 波士顿 washington 华盛顿 atlanta 亚特兰大 miami 迈阿密 est edt eastern",
    "America/Chicago": "austin 奥斯汀 dallas 达拉斯 houston 休斯顿 cst central",
    "America/Denver": "mst mountain",
    "Europe/Berlin": "munich 慕尼黑 frankfurt 法兰克福 hamburg 汉堡 cet",
    "Europe/Zurich": "geneva 日内瓦",
}
_LARGEST: Final = 14
"""Hours; no clock is further from UTC."""


def zone_named(said: str) -> str | None:
    """Return the storable name of a zone written as a city, a country with one zone, a zone id or an offset; None otherwise.

    >>> zone_named("纽约"), zone_named("Berlin time"), zone_named("UTC+8"), zone_named("东八区"), zone_named("UTC+5:30")
    ('America/New_York', 'Europe/Berlin', 'UTC+08:00', 'UTC+08:00', 'UTC+05:30')
    """
    plain = wording(said).strip(" .!?。！？()")
    plain = _AROUND.sub("", _AROUND.sub("", plain)).strip().replace("−", "-")
    offset = _OFFSET.fullmatch(plain.replace(" ", ""))
    if offset:
        return _offset_name(offset["sign"], int(offset["hours"]), int(offset["minutes"] or 0))
    east = _EAST.fullmatch(plain)
    if east:
        return _offset_name("+" if east["side"] == "东" else "-", _numeral(east["n"]), 0)
    if plain in ("utc", "gmt", "z"):
        return "UTC"
    return _names().get(_key(plain))


def zone_of(name: str) -> tzinfo:
    """Return the zone of a stored name; raises ZoneInfoNotFoundError for one that is none."""
    fixed = _STORED.fullmatch(name)
    if fixed is None:
        return ZoneInfo(name)
    span = timedelta(hours=int(fixed[2]), minutes=int(fixed[3]))
    return timezone(-span if fixed[1] == "-" else span)


def zone_guess(language_code: str | None) -> str | None:
    """Return the zone of the country where a language is at home, when that country has one zone; None otherwise.

    >>> zone_guess("zh-hans"), zone_guess("ja"), zone_guess("zh-TW"), zone_guess("en"), zone_guess(None)
    ('Asia/Shanghai', 'Asia/Tokyo', 'Asia/Taipei', None, None)
    """
    if not language_code:
        return None
    try:
        asked = Locale.parse(language_code, sep="-" if "-" in language_code else "_")
    except (UnknownLocaleError, ValueError):
        return None
    # A bare language stands for its most likely country, except English, which is written everywhere.
    subtags = get_global("likely_subtags")
    likely = subtags.get(f"{asked.language}_{asked.script}") or subtags.get(asked.language)
    territory = asked.territory or (likely.split("_")[-1] if likely and asked.language != "en" else None)
    return _zone_of_territory(territory) if territory else None


def zone_title(name: str, locale: str, now: datetime) -> str:
    """Return a zone's city in a language with its offset of the moment: Shanghai, UTC+08:00."""
    offset = now.astimezone(zone_of(name)).strftime("%z")
    offset = f"UTC{offset[:3]}:{offset[3:5]}"
    if _STORED.fullmatch(name) or name == "UTC":
        return offset
    city = get_timezone_location(ZoneInfo(name), locale=locale, return_city=True)
    return f"{city}（{offset}）" if locale.startswith("zh") else f"{city} ({offset})"


def _offset_name(sign: str, hours: int, minutes: int) -> str | None:
    if hours > _LARGEST or minutes not in (0, 15, 30, 45):
        return None
    return f"UTC{sign}{hours:02}:{minutes:02}" if hours or minutes else "UTC"


def _numeral(text: str) -> int:
    if text.isdigit():
        return int(text)
    tens, _, ones = text.rpartition("十")
    if "十" not in text:
        return _NUMERALS.index(text)
    return 10 * (_NUMERALS.index(tens) if tens else 1) + (_NUMERALS.index(ones) if ones else 0)


def _key(name: str) -> str:
    plain = "".join(char for char in unicodedata.normalize("NFKD", name) if not unicodedata.combining(char))
    return re.sub(r"[\s_,.'-]+", "", simplified(plain).casefold())


@cache
def _names() -> dict[str, str]:
    """Every name of a zone by its key: ids, cities and countries with one zone in both languages, and the cities above."""
    found: dict[str, str] = {}
    for territory in set(get_global("zone_territories").values()):
        zone = _zone_of_territory(territory)
        for locale in map(Locale.parse, LOCALES):
            if zone and territory in locale.territories:
                found[_key(locale.territories[territory])] = zone
    known = available_timezones()
    for name in sorted(known):
        if "/" in name and not name.startswith(("Etc/", "SystemV/", "posix", "right")):
            zone = get_global("zone_aliases").get(name, name)
            found[_key(name)] = zone if zone in known else name
            found.setdefault(_key(name.rpartition("/")[2]), found[_key(name)])
    for locale in map(Locale.parse, LOCALES):
        for name, words in locale.time_zones.items():
            if name in known and "city" in words:
                found[_key(words["city"])] = name
    for zone, cities in _CITIES.items():
        found |= {_key(city): zone for city in cities.split()}
    return found


@cache
def _zone_of_territory(territory: str) -> str | None:
    """The one clock of a country; China's is that of Shanghai, although its west has a name of its own."""
    if territory == "CN":
        return "Asia/Shanghai"
    zones = []
    for name, where in get_global("zone_territories").items():
        if where == territory:
            try:
                zones.append(ZoneInfo(name))
            except ZoneInfoNotFoundError:
                continue
    # Zones that have kept the same time in winter and summer for years count as one.
    moments = (datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 7, 1, tzinfo=UTC))
    clocks = {tuple(moment.astimezone(zone).utcoffset() for moment in moments) for zone in zones}
    return zones[0].key if len(clocks) == 1 else None
