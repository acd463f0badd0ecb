"""Reads shares such as utilisation: 七成半 is 0.75; a bare 70 must be asked back."""

# ruff: noqa: PLR2004 - 100 is per cent

import re
from decimal import Decimal

from bot.quantities import amounts
from bot.quantities.amounts import Amount
from bot.quantities.digits import plain
from bot.quantities.hedges import peel
from bot.quantities.normal import compose
from bot.quantities.wording import canonical, decimal

_N = r"\d+(?:\.\d+)?|\.\d+"
_PERCENT = re.compile(rf"(?P<n>{_N})\s?(?:%|个百分点|个点|pct\.?|percent(?:age)?|per ?cent|percents)")
_PERCENT_OF = re.compile(rf"百分之?(?P<n>{_N})(?:%)?")
_SAID_ONCE = re.compile(rf"(%\s?(?:到|至|-|~)\s?)({_N})(?![\d.%成]|\s?%)")
_TENTHS = re.compile(rf"(?P<n>{_N})\s?成(?P<more>半|\d)?(?:多)?")
_FRACTION = re.compile(r"(?P<down>\d+)分之(?P<up>\d+)|(?P<a>\d+) ?/ ?(?P<b>\d+)")
_WORDS = {
    "half": "0.5",
    "a half": "0.5",
    "one half": "0.5",
    "1 half": "0.5",
    "half of it": "0.5",
    "half the time": "0.5",
    "50/50": "0.5",
    "fifty-fifty": "0.5",
    "一半": "0.5",
    "半数": "0.5",
    "对半": "0.5",
    "半": "0.5",
    "1半": "0.5",
    "一半时间": "0.5",
    "一半的时间": "0.5",
    "third": "1/3",
    "quarter": "1/4",
    "fifth": "1/5",
    "two-thirds": "2/3",
    "three-quarters": "3/4",
    "full": "1",
    "fully": "1",
    "full load": "1",
    "full capacity": "1",
    "at full capacity": "1",
    "at full load": "1",
    "fully loaded": "1",
    "fully utilized": "1",
    "maxed out": "1",
    "满": "1",
    "满载": "1",
    "满负荷": "1",
    "满负载": "1",
    "全满": "1",
    "打满": "1",
    "跑满": "1",
    "拉满": "1",
    "百分百": "1",
    "百分之百": "1",
    "全部": "1",
    "满的": "1",
    "全负荷": "1",
    "满负荷运行": "1",
    "满载运行": "1",
}
_ENGLISH_FRACTION = re.compile(r"(?P<up>an?|\d+)[ -](?P<down>half|halves|thirds?|quarters?|fourths?|fifths?|tenths?)")
_DOWN = {"ha": 2, "th": 3, "qu": 4, "fo": 4, "fi": 5, "te": 10}
_NOUNS = re.compile(
    r"(?:gpu|显卡)?(?:的)?(?:平均)?(?:利用率|使用率|占用率|负载率?|负荷率?|占用|时间|算力|比例|使用)(?:在|到|是|为|有)?|达到|跑到|可以到|能到|全天候?|(?:7\s?[x*乘/]\s?24|24\s?[x*/]\s?7)(?:个?小时)?|24个?小时|长期|持续|一直|基本|都"
    r"|(?<![a-z])(?:gpu )?(?:util(?:i[sz]ation)?\.?|usage|load|busy|of the time|occupancy|used|use|capacity|utili[sz]ed|at|of (?:the )?capacity|running at|on average)(?: (?:of|at|is))?(?![a-z])",
)


def read_pct(text: str) -> str | None:
    """Read a share between 0 and 1; a number above 1 without a sign is `ask:`."""
    canon = _PERCENT_OF.sub(r"\g<n>%", decimal(canonical(text)))
    canon = _SAID_ONCE.sub(r"\1\2%", canon)
    peeled = peel(canon, _NOUNS)
    reading = amounts.read(peeled, one, bare=True) or amounts.read(peel(canon), one, bare=True)
    if reading is None:
        return None
    values = [a.value for a in reading.amounts]
    if reading.unit == "bare":
        return _ask(values, reading.shape, approx=reading.approx)
    if any(v > 1 for v in values):
        return None
    return compose(_join([_share(v) for v in values], reading.shape), approx=reading.approx)


def one(core: str) -> Amount | None:
    """Read one share; `unit` is `share`, or `bare` for a number that may be per cent."""
    core = core.strip()
    if core in _WORDS:
        up, _, down = _WORDS[core].partition("/")
        return Amount(Decimal(up) / Decimal(down or 1), "share")
    m = _PERCENT.fullmatch(core)
    if m:
        return Amount(Decimal(m["n"]) / 100, "share")
    m = _TENTHS.fullmatch(core)
    if m:
        more = Decimal("0.5") if m["more"] == "半" else Decimal(m["more"] or 0) / 10
        return Amount((Decimal(m["n"]) + more) / 10, "share", approx=core.endswith("多"))
    fraction = _fraction(core)
    if fraction is not None:
        return Amount(fraction, "share")
    if not re.fullmatch(_N, core):
        return None
    value = Decimal(core)
    return Amount(value, "share" if value < 1 else "bare") if value <= 100 else None


def _fraction(core: str) -> Decimal | None:
    m = _ENGLISH_FRACTION.fullmatch(core)
    if m:
        up = Decimal(1) if m["up"].startswith("a") else Decimal(m["up"])
        return up / _DOWN[m["down"][:2]]
    m = _FRACTION.fullmatch(core)
    if not m:
        return None
    part, whole = int(m["up"] or m["a"]), int(m["down"] or m["b"])
    return Decimal(part) / whole if 0 < part <= whole <= 100 else None


def _share(value: Decimal) -> str:
    return plain(round(value, 4))


def _ask(values: list[Decimal], shape: str, *, approx: bool) -> str:
    shares = _join([_share(v / 100) for v in values], shape)
    return compose(f"ask:{shares}|{_join([plain(v) for v in values], shape)}", approx=approx)


def _join(texts: list[str], shape: str) -> str:
    return {
        "one": texts[0],
        "range": "..".join(texts),
        "any": "any=" + "|".join(texts),
        "min": f"{texts[0]}..",
        "max": f"..{texts[0]}",
    }[shape]
