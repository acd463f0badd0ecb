"""Rewrites Chinese numerals in digits: 两百五 is 250, 两三 is 2~3, 十来 is ≈10.

What is vague (几十) or no number at all (一般, 千问) stays as it is, so that no grammar can take it for an amount.
"""

# ruff: noqa: PLR2004 - the rules of numerals are about tens and hundreds

import re
from collections.abc import Iterator
from decimal import Decimal

from bot.quantities.digits import APPROX_MARK, Edit, plain, spaced

_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_DIGITS |= {c: i for i, c in enumerate("壹贰叁肆伍陆柒捌玖", start=1)}
_SMALL_UNITS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
# The larger one first: it is looked for first.
_BIG_UNITS = {"亿": 10**8, "万": 10**4}
_SHORT_TENS = {"廿": 20, "卅": 30}
_D = "零〇一二两三四五六七八九壹贰叁肆伍陆柒捌玖"
# 百, 千 and 万 belong to other words here: 百分之, 千兆 (a network speed), 千问 (a model), 百川 (another).
_U = r"(?:[十拾佰仟廿卅亿]|百(?!分|川|度|兆)|千(?!问|兆)|万(?!兆|物|一))"
_NOT_NUMERALS = (
    "百分之?百|一般|一样|一起|一直|一定|一些|一下|一旦|统一|唯一|同一|万一|第一(?!季|周|个)|一致|一律|一半|一共|一口价|一体|一键|一会|一点儿|一点也"
    "|一边|一方面|一次性|零一万物|四姑娘|三星|双十一|双十二|五一(?!十)|十一(?=节|假|黄金|长假|之?[前后]|以[前后]|期间|国庆)|千万别"
)
_CHINESE = re.compile(
    rf"(?P<skip>{_NOT_NUMERALS})"
    r"|(?P<pair>[俩仨])"
    rf"|(?<![几数A-Za-z\d.])(?<!\d,)(?P<arabic>\d+(?:,\d{{3}})*(?:\.\d+)?)\s?(?P<scaled>{_U}+(?:[{_D}\d]{_U}+)*(?:[{_D}](?![{_D}])|零[{_D}]|\d(?![\d.]))?)(?P<loose1>[多来余](?!少|自|源))?"
    rf"|(?<![几数])(?P<run>(?:[{_D}]|{_U})+(?:点[{_D}]+(?=[万亿]))?(?:[万亿]+)?)(?P<some>几)?(?P<loose2>[多来余](?!少|自|源))?"
    r"|(?<![A-Za-z\d.])(?<!\d,)(?P<plain>\d+(?:,\d{3})*(?:\.\d+)?)(?P<loose3>[多来余几](?!少|自|源|何))",
)
_SHARED_UNIT = re.compile(
    rf"(?<![\d.A-Za-z/月年-])(?P<low>\d{{1,15}}(?:\.\d{{1,15}})?|[{_D}十]{{1,15}})\s?(?:到|至|-|~)\s?(?P<high>(?:\d{{1,15}}(?:\.\d{{1,15}})?|[{_D}十百]{{1,15}})[{_D}十百千万亿]{{0,15}}[百千万亿])(?!分|兆|[{_D}\d])",
)


def chinese_edits(text: str) -> Iterator[Edit]:
    """Replace Chinese numerals, and Arabic ones with a Chinese unit, by digits."""
    for m in _CHINESE.finditer(text):
        new = _chinese(m, text)
        if new is not None:
            yield m.start(), m.end(), spaced(text, m.start(), m.end(), new)


def _chinese(m: re.Match[str], text: str) -> str | None:  # noqa: PLR0911 - a case each
    if m["skip"]:
        return None
    if m["pair"]:
        return "2个" if m["pair"] == "俩" else "3个"
    if m["plain"]:
        return _about_more(m["plain"], m["loose3"])
    if m["arabic"]:
        value = _value([m["arabic"], *m["scaled"]])
        return None if value is None else _loosely(plain(value), loose=bool(m["loose1"]))
    run = m["run"]
    after_point = m.start() > 0 and text[m.start() - 1] == "点"
    if all(c in _DIGITS for c in run) and (after_point or len(run) > 2 or "零" in run or "〇" in run):
        return "".join(str(_DIGITS[c]) for c in run) if len(run) > 1 else str(_DIGITS[run])
    if m["some"]:
        return _teens(_value(list(run)))
    spread = _spread(run)
    if spread:
        return spread
    value = _decimal(run)
    if value is None:
        return None
    # 千卡 or 百亿 without a digit in front names a size, not a count; 每千步 and 百分之百 are exact.
    bare = run[0] in "百千万亿" and not (m.start() and text[m.start() - 1] in "每之")
    return _loosely(plain(value), loose=bare or bool(m["loose2"]))


def _about_more(number: str, loose: str) -> str | None:
    if loose == "几":
        return _teens(Decimal(number.replace(",", "")))
    return APPROX_MARK + number


def _teens(value: Decimal | None) -> str | None:
    """Read 十几 and 二十几 as the spans they name; 一百几 names none."""
    if value is None or value % 10 or not 0 < value < 100:
        return None
    return f"{plain(value + 1)}~{plain(value + 9)}"


def _loosely(number: str, *, loose: bool) -> str:
    return APPROX_MARK + number if loose else number


def _decimal(run: str) -> Decimal | None:
    if "点" not in run:
        if len(run) > 1 and all(c in _DIGITS for c in run):
            return Decimal("".join(str(_DIGITS[c]) for c in run))
        return _value(list(run))
    whole, _, rest = run.partition("点")
    head = _value(list(whole))
    digits = rest.rstrip("万亿")
    scale = Decimal(1)
    for unit in rest[len(digits) :]:
        scale *= _BIG_UNITS[unit]
    if head is None:
        return None
    return Decimal(f"{plain(head)}.{''.join(str(_DIGITS[c]) for c in digits)}") * scale


def _spread(run: str) -> str | None:
    """Read two neighbouring digits as a span: 两三 is 2~3, 十三四 is 13~14, 三四百 is 300~400, 三五 is 3~5."""
    pairs = [i for i in range(len(run) - 1) if run[i] in _DIGITS and run[i + 1] in _DIGITS]
    if len(pairs) != 1:
        return None
    i = pairs[0]
    low, high = _DIGITS[run[i]], _DIGITS[run[i + 1]]
    if low == 0 or not (high == low + 1 or (low, high) == (3, 5)):
        return None
    first, second = _value([*run[: i + 1], *run[i + 2 :]]), _value([*run[:i], *run[i + 1 :]])
    return None if first is None or second is None else f"{plain(first)}~{plain(second)}"


def _value(tokens: list[str]) -> Decimal | None:
    """Evaluate digits and units, colloquial endings included: 一万二 is 12000, 一万零二 is 10002."""
    for unit, size in _BIG_UNITS.items():
        if unit in tokens:
            at = tokens.index(unit)
            head = _value(tokens[:at]) if at else Decimal(1)
            tail = _ending(tokens[at + 1 :], size) if unit not in tokens[at + 1 :] else None
            return None if head is None or tail is None else head * size + tail
    return _section(tokens)


def _ending(tokens: list[str], size: int) -> Decimal | None:
    """Evaluate what follows 万 or 亿; a single digit there is short for the next unit down."""
    if not tokens:
        return Decimal(0)
    if tokens[0] in ("零", "〇"):
        return _value(tokens[1:]) if len(tokens) > 1 else None
    if tokens[0] in _SMALL_UNITS or tokens[0] in _BIG_UNITS:
        return None
    value = _value(tokens)
    if value is None or value >= size:
        return None
    if len(tokens) > 1 or tokens[0] in _SHORT_TENS:
        return value
    return value * size / 10 if value < 10 else None


def _section(tokens: list[str]) -> Decimal | None:
    """Evaluate a numeral below 万: its units must fall."""
    total = Decimal(0)
    limit = 10**4
    pending: Decimal | None = None
    zero = False
    for index, sign in enumerate(tokens):
        size = 10 if sign in _SHORT_TENS else _SMALL_UNITS.get(sign)
        if size is None:
            if pending is not None and pending != 0:
                return None
            zero |= sign in ("零", "〇")
            pending = Decimal(_DIGITS[sign]) if sign in _DIGITS else Decimal(sign.replace(",", ""))
        elif size >= limit or (pending is None and index and size != 10 and sign not in _SHORT_TENS):
            return None
        else:
            total += _SHORT_TENS[sign] if sign in _SHORT_TENS else (pending or Decimal(1)) * size
            pending, limit = None, size
    if pending is None or limit in (10, 10**4) or zero:
        return total + (pending or 0)
    return total + pending * limit / 10 if pending < 10 else None


def shared_unit_edits(text: str) -> Iterator[Edit]:
    """Give both ends of 七十到一百亿 and 5-10万 the unit that is said once."""
    for m in _SHARED_UNIT.finditer(text):
        low, run = _loose_value(m["low"]), m["high"]
        # The longest ending that may be the unit: 三到五千万 shares 千万, 七十到一百亿 only 亿.
        for at in range(1, len(run)):
            high = _loose_value(run[:at]) if all(c in "百千万亿" for c in run[at:]) else None
            if low is not None and high is not None and low < high:
                yield m.start(), m.end("low"), m["low"] + run[at:]
                break


def _loose_value(text: str) -> Decimal | None:
    return Decimal(text) if re.fullmatch(r"\d+(?:\.\d+)?", text) else None if text[0].isdigit() else _decimal(text)
