"""Reads amounts of memory and storage: 两个T is 2000 GB, 80Gx8 is eight times 80 GB, 单卡 48G 以上 a lower bound per card."""

import re
from decimal import Decimal

from bot.quantities import amounts
from bot.quantities.amounts import Amount, Reading
from bot.quantities.digits import plain
from bot.quantities.hedges import peel
from bot.quantities.normal import compose
from bot.quantities.wording import canonical, decimal

_DECIMAL = {"k": Decimal("0.000001"), "m": Decimal("0.001"), "g": Decimal(1), "t": Decimal(1000), "p": Decimal(10**6)}
_BINARY = {"m": Decimal(1) / 1024, "g": Decimal(1), "t": Decimal(1024), "p": Decimal(1024**2)}
_WORDS = {"gig": "g", "meg": "m", "ter": "t", "pet": "p", "kil": "k", "兆": "m", "吉": "g", "太": "t"}
_LARGEST_GB = Decimal(10) ** 9

_UNIT = r"(?P<u>kb|[mgtp]i?b?|gigs?|megs?|(?:giga|mega|tera|peta|kilo)bytes?|(?:gibi|mebi|tebi|pebi)bytes?|[兆吉太](?:字节|b)?|ters?)(?![a-z])"
_ONE = re.compile(
    rf"(?:(?P<n>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)\s*(?P<ge>个)?(?P<half>半)?\s*(?P<more>多)?\s*-?|(?P<a>半个?|half an? |half a |an? ))\s*{_UNIT}(?P<tail>半|多)?",
)
NOUNS = re.compile(
    r"(?:(?:gpu)?(?:显存|内存|硬盘|磁盘|存储卷?|数据[集量]?|云盘|盘|空间|容量|大小|训练数据|语料|系统盘|数据盘|文件|卷|显卡|卡|总共|一共|合计|总计|共|每份|文本|图片|视频|原始|的)+"
    r"|(?<![a-z])(?:of |in |the )*(?:gpu )?(?:v?ram|memory|mem|disk|storage|ssds?|nvme|hdd|hbm\d?e?|space|volume|size|dataset|data|capacity|ddr\d|total|in total|altogether|in all|combined|cards?|gpus?|of|text|raw|training|images?|videos?|s3|bucket|ours?|in size|worth|big|large)(?![a-z])"
    r")(?:有|是|为|需要|要|is|:|=)?\s*",
)
_PER = re.compile(
    r"\s*(?:(?:每|单|(?<!\d)1)(?:张|块|片)?(?:gpu|显卡|卡)|每张|单张|每块|(?:/|(?<![a-z])(?:per|each|on each|for each|a|in each|every)) ?(?:gpu|card|卡|accelerator|张)|(?<![a-z])each(?![a-z])|一张(?![\d]))\s*(?:卡)?(?:的)?(?:显存)?(?:至少|最少)?(?:要|是|有|得)?\s*",
)
_PER_ALLOWED = re.compile(r"(至少|最少)")
_TIMES = re.compile(
    r"(?P<size>.+?[a-z])\s*(?:显存|的)?\s*(?:[x*乘]\s*(?P<count>\d{1,5})\s*(?:张|块|片|卡|个|条)?(?:gpus?|cards?|显卡|卡)?|(?P<count2>\d{1,5})\s*(?:张|块|片|卡|条|gpus?|cards?|显卡)+)"
)
_COUNT_FIRST = re.compile(
    r"(?P<count>\d{1,5})\s*(?:[x*乘]|(?:张|块|片|卡|条|台)\s*[x*乘]?|(?:cards?|gpus?)(?: (?:with|of|at))?)\s*(?P<size>[\d.].*)"
)


def read_mem(text: str) -> str | None:
    """Read an amount of memory; binary units stay binary (`GiB=`)."""
    core = decimal(canonical(text))
    core, per = _take_per(core)
    peeled = peel(core, NOUNS)
    reading = amounts.read(peeled, one)
    if reading:
        return _write(reading, per=per)
    if per or peeled.bound:
        return None
    return _times(peeled.core, approx=peeled.approx)


def one(core: str) -> Amount | None:
    """Read a single amount such as 80G, 半个T or 1.5 TiB; the value is in GB or GiB, as `unit` says."""
    m = _ONE.fullmatch(core)
    if not m:
        bare = re.fullmatch(r"\d+(?:\.\d+)?", core)
        return Amount(Decimal(core)) if bare else None
    number = _number(m)
    name = m["u"]
    binary = bool(re.match(r"[kmgtp]ib?$|..bibyte", name))
    letter = _WORDS.get(name[:3], _WORDS.get(name[0], name[0])) if not binary else name[0]
    factor = (_BINARY if binary else _DECIMAL).get(letter)
    if number is None or factor is None or number == 0:
        return None
    value = number * factor
    return (
        Amount(value, "GiB" if binary else "GB", approx=bool(m["more"] or m["tail"] == "多"))
        if value <= _LARGEST_GB
        else None
    )


def size(reading: Reading, key: str = "") -> list[str]:
    """Write the parts of a size: `GB=80`, bounds as `min=GB500`; with a key, `size=GB30`."""
    texts = [plain(a.value.quantize(Decimal("1e-9")) if a.value % 1 else a.value) for a in reading.amounts]
    unit = reading.unit
    if key:
        values = [f"{unit}{t}" for t in texts]
        form = {
            "one": values[0],
            "range": "..".join(values),
            "any": "|".join(values),
            "min": f"{values[0]}..",
            "max": f"..{values[0]}",
        }
        return [f"{key}={form[reading.shape]}"]
    if reading.shape == "one":
        return [f"{unit}={texts[0]}"]
    if reading.shape == "range":
        return [f"lo={unit}{texts[0]}", f"hi={unit}{texts[1]}"]
    if reading.shape == "any":
        return ["any=" + "|".join(f"{unit}{t}" for t in texts)]
    return [f"{'min' if reading.shape == 'min' else 'hi'}={unit}{texts[0]}"]


def _number(m: re.Match[str]) -> Decimal | None:
    if m["a"]:
        return Decimal(1) if m["a"].strip() in ("a", "an") else Decimal("0.5")
    number = Decimal(m["n"].replace(",", ""))
    return number + Decimal("0.5") if m["half"] or m["tail"] == "半" else number


def _take_per(core: str) -> tuple[str, bool]:
    m = _PER.search(core)
    if not m or not core.strip():
        return core, False
    rest = core[: m.start()] + (m[0] and _kept(m[0])) + core[m.end() :]
    return (rest, True) if re.search(r"\d|半", rest) else (core, False)


def _kept(taken: str) -> str:
    """Give back the bound that stood between 每卡 and its amount."""
    m = _PER_ALLOWED.search(taken)
    return m[0] if m else " "


def _write(reading: Reading, *, per: bool) -> str:
    return compose(*size(reading), "per=gpu" if per else None, approx=reading.approx)


def _times(core: str, *, approx: bool) -> str | None:
    for pattern in (_COUNT_FIRST, _TIMES):
        m = pattern.fullmatch(core)
        count = int(m["count"] or m.groupdict().get("count2") or 0) if m else 0
        if not m or not count:
            continue
        peeled = peel(m["size"], NOUNS)
        reading = amounts.read(peeled, one)
        if reading and reading.shape == "one":
            return compose(*size(reading), f"count={count}", approx=approx or reading.approx)
    return None
