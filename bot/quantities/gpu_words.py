"""Cuts a wish for cards into words of known meaning: names of cards, numbers, cards, machines, "each", "or"."""

import re
from dataclasses import dataclass, field

from bot.quantities.cards import BRAND, MODEL, name_of
from bot.quantities.hedges import WORDS_AFTER, WORDS_BEFORE

_MOST_CARDS = 200_000
_LONGEST_WISH = 100
_OPEN_END = re.compile(
    r"(?<![a-z])(?:with|of|having|containing|each having|in every|over|on|in|across)\s*$|[@各配带]\s*$"
)
MOST_NUMBERS = 3
_CARD = r"张(?:显?卡|gpu)?|块(?:显?卡|gpu)?|片(?:显?卡)?|个?(?:显卡|gpus?(?![a-z])|卡)|枚|(?:cards?|accelerators?|pcs|pieces|graphics cards?|chips?|units?)(?![a-z])|个(?!节点|node|机)"
_NODE = r"台(?:机器|服务器|机子|主机|机)?|个?节点|机(?:器|子)?(?!间)|(?:服务器|主机|整机)|个?(?:nodes?|machines?|servers?|boxes|box|hosts?|systems?|instances?)(?![a-z])"
_N = r"\d{1,3}(?:,\d{3})+(?!\d)|\d+"
_WORDS: tuple[tuple[str, str], ...] = (
    ("skip", r"[\s,;:()。、]+(?=$|[^\s])"),
    ("whole", r"整机|整台"),
    (
        "memory",
        r"(?P<memory>\d{1,4})\s?(?:gb|gib|g)(?:b)?(?![a-z0-9])(?:\s?的?(?:大)?(?:显存|vram|hbm\d?e?|memory|版本?|ram))?|显存\s?(?P<memory2>\d{1,4})\s?gb?(?![a-z])",
    ),
    (
        "form",
        r"(?P<form>sxm ?\d?|pci-?e(?: ?\d\.0)?|nvl ?72|nvl ?36|nvl(?![a-z])|hgx|dgx|oam)\s?(?:版本?|version|接口)?",
    ),
    (
        "per",
        r"每(?:台|个?节点|机)(?:机器|服务器|node)?(?:各|有|是|要|配|带|里|上)?|(?:per|each|on each|in each|every) (?:node|machine|server|box|host)(?![a-z])|(?:of|with|having|each with|containing|各|配|带|each having)(?![a-z])|(?<![a-z])each(?![a-z])|@",
    ),
    (
        "single",
        r"(?P<single>单|双|dual|single|both)[\s-]?(?=机|卡|张|台|块|路|节点|node|gpu|card|machine|server|\d+[\s-]?(?:x|gpu|card)|h\d|a\d|\d{4}|l\d)",
    ),
    (
        "number",
        rf"(?P<about>≈)?(?P<low>{_N})(?:\s*(?:张|块|卡|个|台)?\s*(?:-|~|到|至|to(?![a-z]))\s*(?P<high>{_N})(?!\s?gb?(?![a-z])))?(?:(?:\s*(?:张|块|卡|个|台)?\s*(?:/|或者?|or(?![a-z]))\s*)(?P<other>{_N})(?!\d|\s?gb?(?![a-z])))?",
    ),
    (
        "total",
        r"(?:总共|一共|共计|合计|总计|总|共)(?:是|有|要)?|(?:across|spread (?:over|across)|over|in total|total(?: of)?|altogether|分布在|分在|分|跨|on|in)(?![a-z])",
    ),
    ("card", _CARD),
    ("node", _NODE),
    ("times", r"[x*乘]"),
    ("or", r"或者?是?|还是|/|、|\||(?:or|and/or)(?![a-z])|,"),
    ("and", r"和|跟|&|\+|and(?![a-z])"),
    ("any", r"任意|任何|随便(?:一?张|什么|哪个)?|(?:any(?:thing)?|whichever)(?: (?:kind|type|sort) of)?(?![a-z])"),
    (
        "either",
        r"都行|都可以|都ok|均可|皆可|也行|也可以|也ok|都能接受|都好|任选|也能接受|(?:works?|is|are) (?:also )?(?:fine|ok|good)(?: too)?|either(?: is fine)?|also (?:ok|fine|works)|works too|will do",
    ),
    (
        "filler",
        r"的|一个|(?<![a-z])(?:a|an|the|of|gpus?|cluster|集群|nodes?|please|in|for|our|type|model|full|dedicated|card type|minimum|vram|memory)(?![a-z])|集群|卡型|型号|显存|-|级别?|版本?|就|要|用|租|裸金属|算力|资源|池|全新|总卡数|卡数|数量|规模|单机卡数|bare metal",
    ),
)
_HEDGE_WORDS = [
    *((f"before_{effect}", words) for effect, words in WORDS_BEFORE),
    *((f"after_{effect}", words) for effect, words in WORDS_AFTER),
]


def _compile() -> tuple[tuple[str, re.Pattern[str]], ...]:
    first = ("skip", "whole", "memory", "form", "per", "single", "number")
    ordered = [w for w in _WORDS if w[0] in first]
    ordered += [(n, w) for n, w in _HEDGE_WORDS if n.startswith("before_")]
    ordered += [(n, w) for n, w in _HEDGE_WORDS if n.startswith("after_")]
    ordered += [w for w in _WORDS if w[0] not in first]
    return tuple((name, re.compile(rf"(?:{words})\s*", re.IGNORECASE)) for name, words in ordered)


_LEXER = _compile()


@dataclass(slots=True)
class Number:
    """A number of the wish, a range or a choice of two, with the words around it."""

    low: int | None
    high: int | None
    options: tuple[int, ...] = ()
    bound: str = ""
    role: str = ""
    after: str = ""  # the kinds of the words that follow, up to the next number
    before: str = ""

    @property
    def exact(self) -> int | None:
        """The number itself, when it is neither range nor choice nor limit."""
        return self.low if self.low == self.high and not self.bound and not self.options else None


@dataclass(slots=True)
class Card:
    """A card by name, with the memory in GB that was named right after it, or 0."""

    name: str
    memory: int = 0


@dataclass(slots=True)
class Wish:
    """A wish cut into words: what was named, and `shape`, one letter a word in order."""

    cards: list[Card] = field(default_factory=list)
    numbers: list[Number] = field(default_factory=list)
    memory: int = 0
    memory_min: bool = False
    forms: list[str] = field(default_factory=list)
    approx: bool = False
    any: bool = False
    either: bool = False
    whole: bool = False
    shape: str = ""  # one letter a word, see _LETTERS


_LETTERS = {
    "number": "N",
    "model": "M",
    "card": "C",
    "node": "D",
    "whole": "D",
    "per": "P",
    "total": "T",
    "times": "X",
    "and": "A",
    "or": "O",
    "memory": "G",
    "form": "F",
}


def longest_wish(text: str, start: int) -> list[int]:
    """Give the places where a run of words about cards that begins at `start` may end, the farthest first."""
    ends: list[int] = []
    at, numbers = start, 0
    while at < min(len(text), start + _LONGEST_WISH):
        m = MODEL.match(text, at)
        name, found = ("model", m) if m else _word(text, at)
        if found is None or found.end() == at:
            break
        numbers += name == "number"
        if numbers > MOST_NUMBERS:
            break
        at = found.end()
        if name not in ("skip", "or", "and", "filler", "times", "total") and not _OPEN_END.search(found[0]):
            ends.append(at)
    return ends[::-1]


def cut(core: str) -> Wish | None:  # noqa: C901, PLR0912, PLR0915 - one branch a kind of word
    """Cut a whole answer into words; None when something in it is no word about cards."""
    wish = Wish()
    at = 0
    low_next = ""  # a bound that waits for its number
    last: object = None
    while at < len(core):
        m = MODEL.match(core, at)
        if m and not re.match(r"\d+\s?(?:张|块|卡(?!型))", core[at:]):
            last = Card(name_of(m))
            wish.cards.append(last)
            wish.shape += "M"
            at = m.end()
            continue
        name, found = _word(core, at)
        if found is None:
            return None
        at = found.end()
        wish.shape += _LETTERS.get(name, "")
        if name == "number":
            last = _number(found, low_next)
            low_next = ""
            if last is None:
                return None
            wish.numbers.append(last)
            wish.approx |= bool(found["about"])
        elif name == "single":
            last = Number(1, 1) if found["single"] in ("单", "single") else Number(2, 2)
            wish.numbers.append(last)
            wish.shape += "N"
        elif name == "memory":
            memory = int(found["memory"] or found["memory2"])
            last = wish
            if (wish.cards and wish.shape.rstrip("GF").endswith("M")) or len(wish.cards) == 1:
                wish.cards[-1].memory = wish.cards[-1].memory or memory
            elif wish.memory and wish.memory != memory:
                return None
            wish.memory = memory
            wish.memory_min |= low_next == "min"
            low_next = ""
        elif name == "form":
            form = re.sub(r"[\s-]", "", found["form"].upper())
            if form in ("HGX", "DGX") and wish.shape.endswith("NF"):
                wish.shape += "D"  # two DGX are two machines
            wish.forms.append(
                "SXM" if form[:3] in ("SXM", "HGX", "DGX") else "PCIe" if form.startswith("PCI") else form
            )
        elif name in ("before_min", "before_max"):
            low_next = name[7:]
        elif name in ("after_min", "after_max"):
            if not _bind(wish, last, name[6:]):
                return None
        elif name.endswith("approx"):
            wish.approx = True
        elif name in ("any", "either", "whole"):
            setattr(wish, name, True)
    return wish if not low_next else None


def _word(core: str, at: int) -> tuple[str, re.Match[str] | None]:
    for name, pattern in _LEXER:
        m = pattern.match(core, at)
        if m and m.end() > at:
            return name, m
    m = BRAND.match(core, at)
    return "filler", m


def _number(m: re.Match[str], bound: str) -> Number | None:
    low = int(m["low"].replace(",", ""))
    high = int(m["high"].replace(",", "")) if m["high"] else low
    if not 0 < low <= high <= _MOST_CARDS:
        return None
    if m["other"]:
        other = int(m["other"].replace(",", ""))
        if m["high"] or not 0 < other <= _MOST_CARDS or other == low:
            return None
        return Number(low, other, (low, other), bound)
    return Number(low, high, bound=bound)


def _bind(wish: Wish, last: object, bound: str) -> bool:
    if isinstance(last, Number) and not last.bound and last.low == last.high:
        last.bound = bound
        return True
    if last is wish and bound == "min":
        wish.memory_min = True
        return True
    return False
