"""Texts, numbers, money, dates and durations in the languages of the desk.

English texts stand at their use, marked by `N_`; Chinese ones in `locales/zh_Hans/LC_MESSAGES/bot.po`. Catalogues are read once at
start, straight from the `.po` files; traditional Chinese is converted from them. No language is ever global: every screen is made
with the `Texts` of its reader.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, tzinfo
from decimal import Decimal
from functools import cache
from typing import Final

from babel import Locale
from babel.dates import format_date, format_time
from babel.lists import format_list
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from babel.numbers import format_currency, format_decimal, format_percent
from babel.units import format_unit

from bot import resources
from bot.script import traditional

DOMAIN: Final = "bot"
NAMES: Final = {"en": "English", "zh_Hans": "中文", "zh_Hant": "繁體中文"}
"""THE LIST of languages, the source language first: each one's name in itself, as the language buttons show it."""

LOCALES: Final = tuple(NAMES)

CONVERTED: Final = {"zh_Hant": "zh_Hans"}
"""Languages without a catalogue of their own, each with the one that theirs is converted from."""

TRANSLATED: Final = tuple(locale for locale in LOCALES[1:] if locale not in CONVERTED)
"""Languages with a catalogue."""

_TRADITIONAL: Final = frozenset({"hant", "tw", "hk", "mo"})
"""Subtags of a language code, script or region, whose readers write traditional Chinese; a script before them says more."""


def N_(text: str) -> str:  # noqa: N802 - the customary name, which extraction tools look for
    """Mark an English text for translation and return it as it is."""
    return text


def NP_(one: str, many: str) -> tuple[str, str]:  # noqa: N802 - the plural sister of N_
    """Mark an English text with two plural forms; `{n}` holds the number."""
    return one, many


def locale_for(language_code: str | None, default: str = "en") -> str:
    """Return the desk's language for a Telegram language code; what we do not speak gets `default`.

    >>> locale_for("zh-hans"), locale_for("zh-TW"), locale_for("en-GB"), locale_for(None)
    ('zh_Hans', 'zh_Hant', 'en', 'en')
    """
    head, *subtags = (language_code or "").replace("_", "-").lower().split("-")
    if head == "zh" and "hans" not in subtags and _TRADITIONAL & set(subtags):
        return "zh_Hant"
    return {"zh": "zh_Hans", "en": "en"}.get(head, default)


def chinese_of(language_code: str | None, locale: str) -> str:
    """Return the Chinese of somebody whose app has this language, and who reads `locale` now."""
    return "zh_Hant" if "zh_Hant" in (locale, locale_for(language_code)) else "zh_Hans"


@dataclass(frozen=True)
class Texts:
    """One reader's language: `text` for prose, and Babel's formats for everything that has a unit."""

    locale: str
    _messages: dict[str, tuple[str, ...]] = field(repr=False, default_factory=dict)

    def text(self, message: str, /, **values: object) -> str:
        """Return the message in this language with its `{placeholders}` filled in, unescaped."""
        translated = self._messages.get(message, (message,))[0] or message
        return translated.format(**values) if values else translated

    def plural(self, forms: tuple[str, str], n: int, /, **values: object) -> str:
        """Return the form for `n` of a pair made by `NP_`."""
        known = self._messages.get(forms[0])
        one = 0 if n == 1 else 1
        chosen = (known or forms)[min(one, len(known or forms) - 1)]
        return chosen.format(n=self.number(n), **values)

    def in_script(self, chinese: str) -> str:
        """Return a text that stands outside the catalogues in this reader's script; only traditional Chinese changes anything."""
        return traditional(chinese) if self.locale == "zh_Hant" else chinese

    def number(self, value: float | Decimal, digits: int = 2) -> str:
        """Return a number with grouping and at most `digits` decimals."""
        return format_decimal(value, format="#,##0." + "#" * digits if digits else "#,##0", locale=self._babel)

    def money(self, amount: Decimal, currency: str) -> str:
        """Return an amount with its currency; sums under one unit keep three decimals, since cards cost cents an hour."""
        digits = (
            3 if abs(amount) < 1 and amount == amount.quantize(Decimal("0.001")) and amount % Decimal("0.01") else 2
        )
        return format_currency(
            amount, currency, format="¤#,##0." + "0" * digits, locale=self._babel, currency_digits=False
        )

    def percent(self, share: float) -> str:
        """Return a share (0..1) as a percentage without decimals."""
        return format_percent(share, locale=self._babel)

    def date(self, day: date) -> str:
        """Return a date with its weekday, so that a misread one is seen at once."""
        pattern = "y年M月d日（EEE）" if self.locale.startswith("zh") else "EEE, d MMM y"
        return format_date(day, pattern, locale=self._babel)

    def weekday(self, day: datetime) -> str:
        """Return the name of a date's weekday."""
        return format_date(day, "EEEE", locale=self._babel)

    def moment(self, when: datetime, zone: tzinfo) -> str:
        """Return a moment as local date, time and UTC offset."""
        local = when.astimezone(zone)
        offset = local.strftime("%z")
        name = f"UTC{offset[:3]}:{offset[3:5]}"
        clock = format_time(local, "HH:mm", locale=self._babel, tzinfo=zone)
        return f"{self.date(local.date())} {clock} {name}"

    def duration(self, span: timedelta) -> str:
        """Return a duration in its two largest units, from minutes to days: 3 days 4 hours."""
        minutes = max(0, round(span.total_seconds() / 60))
        days, rest = divmod(minutes, 1440)
        hours, minutes = divmod(rest, 60)
        units = [(days, "day"), (hours, "hour"), (minutes, "minute")]
        parts = [(n, unit) for n, unit in units if n][:2] or [(0, "minute")]
        return self.joined([self.unit(n, unit) for n, unit in parts])

    def unit(self, amount: float, unit: str) -> str:
        """Return an amount of a calendar unit (minute, hour, day, week, month, year)."""
        text = format_unit(amount, f"duration-{unit}", length="long", locale=self._babel)
        return _spaced(text) if self.locale.startswith("zh") else text

    def joined(self, parts: Iterable[str]) -> str:
        """Return parts of one quantity side by side, as the language does it."""
        return " ".join(parts)

    def either(self, parts: Iterable[str]) -> str:
        """Return alternatives as a list with "or"."""
        if self.locale.startswith("zh"):
            return " 或 ".join(parts)
        return format_list(list(parts), style="or", locale=self._babel)

    def listed(self, parts: Iterable[str]) -> str:
        """Return a list of equals with this language's commas."""
        return ("、" if self.locale.startswith("zh") else ", ").join(parts)

    def aside(self, text: str) -> str:
        """Return a text in this language's brackets, with the space that they need before them."""
        return f"（{text}）" if self.locale.startswith("zh") else f" ({text})"

    def phrases(self, parts: Iterable[str]) -> str:
        """Return phrases one after the other; unlike words they may have commas of their own."""
        return ("；" if self.locale.startswith("zh") else "; ").join(parts)

    @property
    def colon(self) -> str:
        """Return the colon that stands between a label and its value."""
        return "：" if self.locale.startswith("zh") else ": "

    @property
    def _babel(self) -> Locale:
        return _babel_locale(self.locale)


@cache
def texts(locale: str) -> Texts:
    """Return the texts of a language in `LOCALES`; an unknown one raises KeyError."""
    if locale not in LOCALES:
        raise KeyError(locale)
    if locale == LOCALES[0]:
        return Texts(locale)
    if locale in CONVERTED:
        source = _read(catalogue(CONVERTED[locale]))
        return Texts(locale, {key: tuple(map(traditional, forms)) for key, forms in source.items()})
    return Texts(locale, _read(catalogue(locale)))


def catalogue(locale: str) -> Catalog:
    """Return the message catalogue of a language, fuzzy entries included, read from its `.po` file."""
    path = resources.folder("locales") / locale / "LC_MESSAGES" / f"{DOMAIN}.po"
    with path.open("rb") as file:
        return read_po(file, locale=locale, domain=DOMAIN)


def _read(source: Catalog) -> dict[str, tuple[str, ...]]:
    messages: dict[str, tuple[str, ...]] = {}
    for message in source:
        if not message.id or message.fuzzy:
            continue
        key = message.id[0] if isinstance(message.id, tuple | list) else message.id
        value = tuple(message.string) if isinstance(message.string, tuple | list) else (str(message.string),)
        if all(value):
            messages[key] = value
    return messages


@cache
def _babel_locale(locale: str) -> Locale:
    return Locale.parse(locale)


def _spaced(text: str) -> str:
    """Put the space between a number and Han that Chinese typography wants: 3天 -> 3 天."""
    for i, char in enumerate(text):
        if not (char.isdigit() or char in ".,"):
            return text[:i] + " " + text[i:].lstrip()
    return text
