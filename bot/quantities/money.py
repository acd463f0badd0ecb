"""Reads amounts of money with their basis: 3块5一小时 is CNY 3.5 per hour; a missing currency is guessed and marked."""

import re
from decimal import Decimal

from bot.quantities import amounts
from bot.quantities.amounts import Amount
from bot.quantities.digits import plain
from bot.quantities.hedges import peel
from bot.quantities.normal import compose
from bot.quantities.wording import canonical, decimal

# What names a currency, longest first where one name starts another. A bare $ is the US dollar here, a bare ¥ the yuan.
CURRENCIES = (
    ("HKD", r"hk\$|hkd|港币|港元|港纸"),
    ("SGD", r"s\$|sgd|新币|新加坡元|坡币"),
    ("TWD", r"nt\$|twd|台币|新台币"),
    ("USDT", r"usdt|u(?![a-z])"),
    ("USD", r"us ?\$|usd|us dollars?|美元|美金|美刀|刀|dollars?|bucks|\$"),
    ("EUR", r"€|eur(?:os?)?|欧元|欧"),
    ("GBP", r"£|gbp|pounds?|英镑"),
    ("JPY", r"jpy|yen|日元|日币|円"),
    ("CNY", r"人民币|rmb|cny|yuan|kuai|元整?|块钱?|圆|软妹币|¥"),
)
_CURRENCY = "|".join(f"(?P<{{0}}{code}>{pattern})" for code, pattern in CURRENCIES)
_NUMBER = (
    r"(?P<n>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)\s?(?P<k>[kw](?![a-z])|m(?![a-z])|mil(?:lion)?|grand)?"
)
_ONE = re.compile(
    rf"(?:(?:{_CURRENCY.format('b')})\s?)*{_NUMBER}\s?(?P<loose>多)?\s?(?:(?:{_CURRENCY.format('a')})\s?)*(?P<jiao>\d)?(?P<jiaoword>毛|角)?钱?"
)
_JIAO = re.compile(r"(?P<n>\d)(?:毛|角)(?:钱)?(?P<fen>\d)?分?")
_MULTIPLIERS = {"": 1, "k": 1000, "w": 10**4, "m": 10**6, "mil": 10**6, "million": 10**6, "grand": 1000}
_SLASH = r"(?:/|每|一|1|(?<![a-z])(?:per|a|an|each|every)(?![a-z]))\s?"
_PERIODS = (
    ("PT1H", r"(?:个)?(?:小时|钟头|h(?:r|our)?s?(?![a-z]))|时(?!候|间|薪)", r"(?<![a-z])hourly(?![a-z])|时薪"),
    ("P1D", r"(?:天|日|days?(?![a-z])|d(?![a-z]))", r"(?<![a-z])daily(?![a-z])"),
    ("P1W", r"(?:周|星期|礼拜|个星期|个礼拜|weeks?(?![a-z])|wk(?![a-z]))", r"(?<![a-z])weekly(?![a-z])"),
    (
        "P1M",
        r"(?:个?月|months?(?![a-z])|mo(?:nth)?(?![a-z]))",
        r"(?<![a-z])(?:monthly|p\.?m\.?)(?![a-z])|月付|月租|包月|月预算",
    ),
    (
        "P1Y",
        r"(?:年|years?(?![a-z])|yr(?![a-z])|y(?![a-z]))",
        r"(?<![a-z])(?:yearly|annually|annual)(?![a-z])|年付|包年",
    ),
)
_PER = tuple(
    (period, re.compile(rf"[\s,]*(?:{_SLASH}(?:{unit})|{word})\s?(?:的)?", re.IGNORECASE))
    for period, unit, word in _PERIODS
)
_CHINESE_TEN_THOUSAND = re.compile(r"\dw(?![a-z])")
# 1.000 may be a thousand or one: people differ by country.
_UNCLEAR_POINT = re.compile(r"[1-9]\d{0,2}\.\d{3}")
_UNIT = re.compile(
    r"[\s,]*(?:(?:/|每|一|1|单)\s?(?:张|块|个)?(?:gpu|卡|显卡)|(?:/|每|一)\s?张|(?<![a-z])(?:per|each|a) (?:gpu|card)(?![a-z])|(?:/ ?)(?:gpu|card)(?![a-z])|(?<![a-z])each(?![a-z]))\s?",
)
_GPU_HOUR = re.compile(
    r"[\s,]*(?:/|每|一|1|(?<![a-z])(?:per|a|an)(?![a-z]))?\s?(?:卡时|卡小时|(?<![a-z])(?:gpu|card)[- ]?(?:hours?|hrs?|h)(?![a-z]))\s?"
)
_NOUNS = re.compile(
    r"(?:总)?(?:预算|费用|价格|成本|单价|总价|租金|报价|花费|价位|总共|一共|合计|总计)(?:是|为|在|有)?|(?<![a-z])(?:a |the |our |total |monthly )?(?:budget|price|cost|spend|total|in total|rate|cap|all in)(?: (?:is|of|at))?(?![a-z])|钱|整",
)
_LARGEST = Decimal(10) ** 13


def read_money(text: str, *, lang: str | None = None) -> str | None:
    """Read an amount of money; without a currency the language decides and `?` marks the guess."""
    core = decimal(canonical(text))
    guess = "USD?" if (lang or "").startswith("en") and not _CHINESE_TEN_THOUSAND.search(core) else "CNY?"
    core, per, unit = _basis(core)
    reading = amounts.read(peel(core, _NOUNS), _one, bare=True)
    if reading is None:
        code, core = _said_once(core)
        guess = code or guess
        reading = amounts.read(peel(core, _NOUNS), _one, bare=True) if code else None
    if reading is None:
        return None
    values = [f"{a.unit or guess}{plain(a.value)}" for a in reading.amounts]
    form = {
        "one": values[0],
        "range": "..".join(values),
        "any": "any=" + "|".join(values),
        "min": f"{values[0]}..",
        "max": f"..{values[0]}",
    }
    return compose(
        form[reading.shape], f"per={per}" if per else None, "unit=gpu" if unit else None, approx=reading.approx
    )


def _basis(core: str) -> tuple[str, str, bool]:
    """Take out "per hour" and "per card", whichever stand there, in any order."""
    m = _GPU_HOUR.search(core)
    if m:
        return f"{core[: m.start()]} {core[m.end() :]}".strip(), "PT1H", True
    unit = False
    m = _UNIT.search(core)
    if m and (m.end() < len(core) or m.start()):
        core, unit = f"{core[: m.start()]} {core[m.end() :]}", True
    for period, pattern in _PER:
        m = pattern.search(core)
        if m:
            return f"{core[: m.start()]} {core[m.end() :]}".strip(), period, unit
    return core.strip(), "", unit


def _said_once(core: str) -> tuple[str, str]:
    """Take the one currency out that stands for both ends: 5k-10k USD."""
    found = [(m, code) for code, pattern in CURRENCIES for m in re.finditer(rf"(?<![a-z])(?:{pattern})(?![a-z])", core)]
    if len(found) != 1:
        return "", core
    m, code = found[0]
    return code, f"{core[: m.start()]} {core[m.end() :]}".strip()


def _one(core: str) -> Amount | None:
    m = _JIAO.fullmatch(core)
    if m:
        return Amount(Decimal(f"0.{m['n']}{m['fen'] or ''}"), "CNY")
    m = _ONE.fullmatch(core.strip())
    if not m:
        return None
    value = Decimal(m["n"].replace(",", "")) * _MULTIPLIERS[m["k"] or ""]
    found = {code for code, _ in CURRENCIES for side in "ab" if m[side + code]}
    if len(found) > 1 or _UNCLEAR_POINT.fullmatch(m["n"]) or not 0 < value <= _LARGEST:
        return None
    code = found.pop() if found else ""
    if m["jiao"]:
        if code != "CNY" or "." in m["n"]:
            return None
        value += Decimal(m["jiao"]) / 10
    return Amount(value, code, approx=bool(m["loose"]))
