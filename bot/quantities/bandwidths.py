"""Reads bandwidths: bits for networks (万兆, 400G InfiniBand), bytes for disks (读 1GB 每秒), and asks where gb/s says neither."""

import re
from dataclasses import dataclass
from decimal import Decimal

from bot.quantities import amounts
from bot.quantities.amounts import Amount, Reading
from bot.quantities.digits import plain
from bot.quantities.hedges import peel
from bot.quantities.normal import compose
from bot.quantities.wording import canonical_cased, decimal

_PREFIXES = {
    "k": Decimal("0.000001"),
    "m": Decimal("0.001"),
    "g": Decimal(1),
    "t": Decimal(1000),
    "兆": Decimal("0.001"),
}
# Data rate of a four-lane InfiniBand port by generation, in gigabits per second.
_GENERATIONS = {"sdr": 10, "ddr": 20, "qdr": 40, "fdr": 56, "edr": 100, "hdr": 200, "ndr": 400, "xdr": 800}
_GENERATION = re.compile(r"(?<![a-z])(?P<name>[sqfehnxd]dr)\s?(?P<n>\d{2,3}(?!\d|\s?[gGtT]))?(?![a-z])", re.IGNORECASE)
_CHINESE_SPEEDS = (("万兆", "10Gbps"), ("千兆", "1Gbps"), ("百兆", "0.1Gbps"))
_FABRICS = (
    ("IB", r"(?:mellanox |英伟达 ?|nvidia )?(?:(?<![a-z])(?:infini ?band|ib)(?![a-z])(?:\s?网络?|\s?卡)?|无限带宽)"),
    ("RoCE", r"(?<![a-z])roce\s?-?(?:v?[12](?!\d))?(?![a-z])"),
    ("NVLink", r"(?<![a-z])nv ?(?:link|switch)(?![a-z])\s?(?:\d(?:\.0)?(?![\d.gG]))?"),
    ("Ethernet", r"(?<![a-z])ethernet(?![a-z])|以太网?"),
)
_FABRIC = tuple((name, re.compile(words, re.IGNORECASE)) for name, words in _FABRICS)
_BOTH = re.compile(
    r"读写(?:速度|速|带宽|吞吐)?(?:都|各)?(?:要|是|在)?|(?:读取?|(?<![a-z])read)\s?(?:/|和|、|and|&|\+|或)\s?(?:写入?|write(?![a-z]))",
    re.IGNORECASE,
)
_READ = re.compile(
    r"(?:顺序|随机)?读取?(?:速度|速|吞吐量?|带宽|速率)?(?:都|各)?(?:要|是|在)?|(?<![a-z])(?:sequential |random )?reads?(?:ing)?(?:-only)?(?: (?:speed|throughput|bandwidth))?(?![a-z])",
    re.IGNORECASE,
)
_WRITE = re.compile(
    r"(?:顺序|随机)?写入?(?:速度|速|吞吐量?|带宽|速率)?(?:都|各)?(?:要|是|在)?|(?<![a-z])(?:sequential |random )?(?:writes?|writing)(?: (?:speed|throughput|bandwidth))?(?![a-z])",
    re.IGNORECASE,
)
_PER_GPU = re.compile(
    r"(?:每|单)(?:张)?(?:卡|gpu)|(?:/|(?<![a-z])(?:per|each)) ?(?:gpu|card)(?![a-z])|/卡", re.IGNORECASE
)
_NOUNS = re.compile(
    r"(?:网卡|网络|网口|网线|光口|电口|光纤|带宽|网速|速度|速率|吞吐量?|互联|互连|组网|内网|公网|外网|机间|节点间|节点|跨机|卡间|单口|单端口|端口|单机|每台|每机|每节点|存储|磁盘|硬盘|数据|卡|网|的|总)+(?:要|有|是|在|达到)?"
    r"|(?<![a-z])(?:of |the |in )*(?:nics?|networks?|networking|bandwidth|throughput|links?|ports?|speed|interconnect|fabric|uplink|internet|per (?:node|nic|port|server|machine)|between nodes|inter-?node|total|aggregate|disk|storage|nvme|cx-?[4-8]|connectx-?[4-8]|cards?|line|connection|is|rate|hcas?)(?![a-z])",
    re.IGNORECASE,
)
_STORAGE = re.compile(r"存储|磁盘|硬盘|disk|storage|nvme|ssd", re.IGNORECASE)
_NETWORK = re.compile(
    r"带宽|网|光口|(?<![a-z])(?:nics?|network|networking|bandwidth|ethernet|internet|uplink|ports?)(?![a-z])",
    re.IGNORECASE,
)
_TIMES_FIRST = re.compile(r"(?P<count>\d{1,3})\s*[x*乘]\s*(?P<rest>(?=\d|@).+)", re.IGNORECASE)
_TIMES_LAST = re.compile(r"(?P<rest>.+?)\s*[x*乘]\s*(?P<count>\d{1,3})(?:张|块|个|口)?", re.IGNORECASE)
_PIECES = re.compile(
    r"(?P<count>\d{1,3})\s*(?:张|块|个|条|口|路|根|(?:nics?|ports?|links?|cards?)(?: (?:of|at|with))?)\s*(?P<rest>(?=\d|@).+)",
    re.IGNORECASE,
)
_DOUBLE = re.compile(r"(?:双(?:口|路|卡|网卡)?|2 ?口|(?<![a-z])dual(?:[- ]port)?(?![a-z]))\s*(?=\d|@)", re.IGNORECASE)

_SECOND = r"(?:/\s?(?:s(?:ec(?:ond)?)?|秒)|每秒钟?|(?<![A-Za-z])(?:per|a) ?sec(?:ond)?|(?<=[a-zA-Z])ps)"
_ONE = re.compile(
    rf"(?P<before>每秒钟?\s*)?(?P<n>\d+(?:,\d{{3}})*(?:\.\d+)?|\.\d+)?\s?(?P<ge>个)?\s?-?(?:(?P<word>giga|mega|tera|gibi|mebi|tebi|gigs?)\s?-?(?P<wordunit>bits?|bytes?)?|(?P<p>[KMGTkmgt兆])(?P<i>i)?(?P<b>bits?|bytes?|Bytes?|BYTES?|Bits?|bE|BE|be|E|b|B)?)\s?(?P<after>{_SECOND}|PS)?(?![A-Za-z])",
    re.IGNORECASE,
)
_WORD_PREFIX = {"gi": "g", "me": "m", "te": "t"}
_UNKNOWN = "?"


@dataclass(slots=True)
class _Link:
    """What stands around the number."""

    fabric: str = ""
    direction: str = ""
    per_gpu: bool = False
    generation: int = 0
    count: int = 0
    multiplied: bool = False


def read_bw(text: str) -> str | None:
    """Read a bandwidth: `gbps=` for bits, `GBps=` or `GiBps=` for bytes, with `fabric=`, `dir=`, `count=` and `total=`."""
    whole = decimal(canonical_cased(text))
    for word, speed in _CHINESE_SPEEDS:
        whole = re.sub(rf"(?<![\d.]){word}", speed, whole)
    link = _Link()
    core = _take_context(whole, link)
    peeled = peel(core, _NOUNS)
    rest = _take_count(peeled.core, link)
    inner = peel(rest, _NOUNS) if rest != peeled.core else peeled
    reading = amounts.read(
        type(peeled)(inner.core, peeled.approx or inner.approx, peeled.bound or inner.bound),
        lambda c: _one(c, link),
    )
    return _write(reading, link, whole) if reading else None


def _take_context(core: str, link: _Link) -> str:
    m = _GENERATION.search(core)
    if m:
        link.generation = int(m["n"] or _GENERATIONS[m["name"].lower()])
        link.fabric = "IB"
        # The generation is a speed of its own, unless a number stands beside it.
        core = f"{core[: m.start()]} @ {core[m.end() :]}"
        if re.search(r"\d\s?[gGtT]", core):
            core = core.replace("@", " ")
    for name, pattern in _FABRIC:
        m = pattern.search(core)
        if m and link.fabric in ("", name):
            link.fabric = name
            core = f"{core[: m.start()]} {core[m.end() :]}"
    if re.search(r"\d\s?(?:[Gg]b?[Ee])(?![A-Za-z])", core) and not link.fabric:
        link.fabric = "Ethernet"
    m = _PER_GPU.search(core)
    if m:
        link.per_gpu = True
        core = f"{core[: m.start()]} {core[m.end() :]}"
    for direction, pattern in (("read,write", _BOTH), ("read", _READ), ("write", _WRITE)):
        m = pattern.search(core)
        if m and not link.direction:
            link.direction = direction
            core = f"{core[: m.start()]} {core[m.end() :]}"
    return re.sub(r"\s+", " ", core).strip()


def _take_count(core: str, link: _Link) -> str:
    m = _DOUBLE.match(core)
    if m:
        link.count = 2
        return core[m.end() :]
    for pattern, multiplied in ((_TIMES_FIRST, True), (_TIMES_LAST, True), (_PIECES, False)):
        m = pattern.fullmatch(core)
        if m and int(m["count"]) > 0:
            link.count, link.multiplied = int(m["count"]), multiplied
            return m["rest"]
    return core


def _one(core: str, link: _Link) -> Amount | None:
    core = core.strip()
    if core == "@":
        return Amount(Decimal(link.generation), "gbps")
    if re.fullmatch(r"\d+(?:\.\d+)?", core):
        return Amount(Decimal(core))
    m = _ONE.fullmatch(core)
    if not m or (m["n"] is None and not m["word"]):
        return None
    number = Decimal((m["n"] or "1").replace(",", ""))
    prefix = _WORD_PREFIX[m["word"][:2].lower()] if m["word"] else m["p"].lower()
    binary = bool(m["i"]) or bool(m["word"] and m["word"].lower().endswith("bi"))
    unit = _unit(m, binary=binary)
    factor = _PREFIXES[prefix]
    if binary:
        factor = {"m": Decimal(1) / 1024, "g": Decimal(1), "t": Decimal(1024), "k": Decimal(1) / 1024**2}[prefix]
    return Amount(number * factor, unit) if 0 < number * factor <= 10**9 else None


def _unit(m: re.Match[str], *, binary: bool) -> str:
    """Tell bits from bytes, or say that it cannot be told: `?` for a speed, `G` for a bare number of network grade."""
    per_second = bool(m["before"] or m["after"])
    letters = (m["wordunit"] if m["word"] else m["b"]) or ""
    if m["word"] and not letters:
        letters = "" if m["word"].lower() == "gigs" and per_second else "bit"
    if letters == "b":
        return _lone_b(m)
    if letters.lower().startswith("b") and letters.lower() not in ("bit", "bits", "be"):
        shouted = letters == "B" and m["after"] == "PS"
        return _UNKNOWN if shouted else "GiBps" if binary else "GBps"
    if letters:
        return "gbps"
    if m["ge"] and per_second:
        return "GBps"  # 每秒5个G is how people speak of files
    return _UNKNOWN if per_second else "G"


def _lone_b(m: re.Match[str]) -> str:
    """Read b in lower case: a bit when the prefix is a capital or "ps" follows; gb/s may be either."""
    told = m["p"].isupper() or m["p"] == "兆" or (m["after"] or "").lower() == "ps"
    return "gbps" if told else _UNKNOWN


def _write(reading: Reading, link: _Link, whole: str) -> str | None:
    unit = reading.unit
    if unit in ("G", _UNKNOWN):
        if link.direction or link.fabric == "NVLink" or (_STORAGE.search(whole) and unit == _UNKNOWN):
            unit = "GBps"
        elif unit == "G" or link.fabric or _NETWORK.search(whole):
            unit = "gbps"
    values = [plain(round(a.value, 9)) for a in reading.amounts]
    extra = [
        f"fabric={link.fabric}" if link.fabric else None,
        f"dir={link.direction}" if link.direction else None,
        "per=gpu" if link.per_gpu else None,
    ]
    if unit == _UNKNOWN:
        return f"ask:gbps={values[0]}|GBps={values[0]}" if reading.shape == "one" and not any(extra) else None
    parts = {
        "one": [f"{unit}={values[0]}"],
        "range": [f"lo={unit}{values[0]}", f"hi={unit}{values[-1]}"],
        "any": ["any=" + "|".join(f"{unit}{v}" for v in values)],
        "min": [f"min={unit}{values[0]}"],
        "max": [f"hi={unit}{values[0]}"],
    }[reading.shape]
    if link.count:
        parts.append(f"count={link.count}")
        if link.multiplied and reading.shape == "one":
            parts.append(f"total={plain(reading.amounts[0].value * link.count)}")
    return compose(*parts, *extra, approx=reading.approx)
