"""Reads wishes for cards in any order of words: 两台8卡H800, 8*A100-80G-SXM4, 4x 8-GPU H100 nodes, A100或者H800都行.

The text is cut into words of known meaning first; what the numbers count follows from the words behind them.
"""

# ruff: noqa: PLR2004 - three numbers are nodes, cards each and cards in all

import re
from dataclasses import dataclass, field
from decimal import Decimal

from bot.quantities.cards import BRAND, MODEL, name_of
from bot.quantities.hedges import WORDS_AFTER, WORDS_BEFORE, trim
from bot.quantities.normal import compose
from bot.quantities.numerals import plain
from bot.quantities.wording import canonical

_MOST_CARDS = 200_000
_USUAL_NODE = 8
_MEMORY_NAMED_BARE = {"A100": (40, 80), "A800": (40, 80), "H100": (80,), "H800": (80,)}
_LONGEST_WISH = 100
_OPEN_END = re.compile(
    r"(?<![a-z])(?:with|of|having|containing|each having|in every|over|on|in|across)\s*$|[@各配带]\s*$"
)
_MOST_NUMBERS = 3
_SUPERPODS = {"NVL72": 72, "NVL36": 36}

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
class _Number:
    low: int | None
    high: int | None
    options: tuple[int, ...] = ()
    bound: str = ""
    role: str = ""
    after: str = ""  # the kinds of the words that follow, up to the next number
    before: str = ""

    @property
    def exact(self) -> int | None:
        return self.low if self.low == self.high and not self.bound and not self.options else None


@dataclass(slots=True)
class _Card:
    name: str
    memory: int = 0
    form: str = ""


@dataclass(slots=True)
class _Wish:
    cards: list[_Card] = field(default_factory=list)
    numbers: list[_Number] = field(default_factory=list)
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


def read_gpu(text: str) -> str | None:
    """Read a wish for cards: `model=` or `any=`, `form=`, `mem=` or `mem_min=`, `nodes=`, `per_node=`, `count=`."""
    core = re.sub(r"(?<![a-z])between (\d+) and (\d+)", r"\1-\2", trim(canonical(text)))
    wish = _cut(core)
    if wish is None:
        return None
    if "A" in wish.shape and wish.numbers and len(wish.cards) > 1:
        return None  # some of each is not a choice
    counts = _counts(wish)
    if counts is None:
        return None
    return _write(wish, counts)


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
        if numbers > _MOST_NUMBERS:
            break
        at = found.end()
        if name not in ("skip", "or", "and", "filler", "times", "total") and not _OPEN_END.search(found[0]):
            ends.append(at)
    return ends[::-1]


def _cut(core: str) -> _Wish | None:  # noqa: C901, PLR0912, PLR0915 - one branch a kind of word
    wish = _Wish()
    at = 0
    low_next = ""  # a bound that waits for its number
    last: object = None
    while at < len(core):
        m = MODEL.match(core, at)
        if m and not re.match(r"\d+\s?(?:张|块|卡(?!型))", core[at:]):
            last = _Card(name_of(m))
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
            last = _Number(1, 1) if found["single"] in ("单", "single") else _Number(2, 2)
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


def _number(m: re.Match[str], bound: str) -> _Number | None:
    low = int(m["low"].replace(",", ""))
    high = int(m["high"].replace(",", "")) if m["high"] else low
    if not 0 < low <= high <= _MOST_CARDS:
        return None
    if m["other"]:
        other = int(m["other"].replace(",", ""))
        if m["high"] or not 0 < other <= _MOST_CARDS or other == low:
            return None
        return _Number(low, other, (low, other), bound)
    return _Number(low, high, bound=bound)


def _bind(wish: _Wish, last: object, bound: str) -> bool:
    if isinstance(last, _Number) and not last.bound and last.low == last.high:
        last.bound = bound
        return True
    if last is wish and bound == "min":
        wish.memory_min = True
        return True
    return False


@dataclass(slots=True)
class _Counts:
    nodes: int = 0
    per_node: int = 0
    count: str = ""
    options: tuple[int, ...] = ()


def _counts(wish: _Wish) -> _Counts | None:
    """Give every number its role and put them together; None where they contradict each other."""
    shape = wish.shape
    if re.search(r"M[GF]*X$", shape):
        return None
    if len(wish.cards) == 1 and re.search(r"M[GF]*N$", shape) and not wish.memory:
        exact = wish.numbers[-1].exact
        if exact in _MEMORY_NAMED_BARE.get(wish.cards[0].name, ()) and exact is not None:
            wish.memory = wish.cards[0].memory = exact
            wish.numbers.pop()
            shape = shape[:-1]
    pieces = shape.split("N")
    for number, before, after in zip(wish.numbers, pieces, pieces[1:], strict=False):
        number.before, number.after = before, re.sub(r"[GFOA]", "", after)
    if len(wish.numbers) + 1 != len(pieces) or len(wish.numbers) > _MOST_NUMBERS:
        return None
    for index, number in enumerate(wish.numbers):
        number.role = _role(number, index, wish.numbers)
    roles = [n.role for n in wish.numbers]
    if len(set(roles)) != len(roles):
        return None
    return _together({n.role: n for n in wish.numbers}, wish)


def _role(number: _Number, index: int, numbers: list[_Number]) -> str:  # noqa: PLR0911 - a rule each
    after = number.after
    following = numbers[index + 1] if index + 1 < len(numbers) else None
    if re.match(r"CX?M?D|M?D(?=$)", after) and after.startswith("C"):
        return "per"
    if after.startswith("D"):
        return "nodes"
    if re.fullmatch(r"X?MD", after):
        return "per" if (index and not numbers[index - 1].after.startswith("D")) or "X" in after else "nodes"
    before = number.before
    if "P" in before or (following is None and after.endswith("P") and "D" not in after):
        return "per"
    if "T" in before and "D" in "".join(n.after for n in numbers):
        return "count"
    # 2x8 and "two 8-GPU nodes": a number in front of another one counts machines.
    if following is not None and after in ("X", ""):
        later = "".join(n.after for n in numbers[index + 1 :])
        if "D" not in later or re.match(r"CX?M?D|X?MD", following.after):
            return "nodes"
    if index and before.endswith("X") and numbers[index - 1].after in ("X", ""):
        return "per"
    if index and before.replace("M", "").startswith("DX"):
        return "per"
    if following is not None and following.after.startswith("D") and following.before.endswith("X"):
        return "per"
    return "cards"


def _together(by_role: dict[str, _Number], wish: _Wish) -> _Counts | None:
    nodes, per, count = by_role.get("nodes"), by_role.get("per"), by_role.get("count")
    cards = by_role.get("cards")
    if nodes is None and wish.whole and not (cards and cards.exact != _USUAL_NODE):
        nodes = _Number(1, 1)
    if nodes is not None and (nodes.exact is None or any(n and n.exact is None for n in (per, cards, count))):
        return None
    if cards is not None and (count is not None or per is not None):
        if count is not None:
            return None
        count = cards
        cards = None
    if nodes is not None and cards is not None:
        per, count = _split(nodes, cards)
        if per is None and count is None:
            return None
    if nodes is None:
        return _one_machine(per, count or cards)
    return _machines(nodes.exact or 0, per.exact if per else None, count.exact if count else None)


def _split(nodes: _Number, cards: _Number) -> tuple[_Number | None, _Number | None]:
    """Decide whether "2 machines, 16 cards" are 16 each or in all: no more than 8 is each, else what divides into usual nodes."""
    machines, number = nodes.exact or 0, cards.exact or 0
    if machines == 1 or number <= _USUAL_NODE:
        return cards, None
    return (None, cards) if number % machines == 0 and number // machines in (1, 2, 4, 8, 16) else (None, None)


def _one_machine(per: _Number | None, count: _Number | None) -> _Counts | None:
    if per is not None and per.exact is None:
        return None
    if count is not None and per is not None and (count.exact is None or count.exact % (per.exact or 1)):
        return None
    counts = _Counts(per_node=per.exact or 0 if per else 0)
    if count is None:
        return counts
    if count.options:
        counts.options = count.options
        return counts if not count.bound else None
    if count.bound == "min":
        counts.count = f"{count.low}.."
    elif count.bound == "max":
        counts.count = f"..{count.high}"
    else:
        counts.count = str(count.low) if count.low == count.high else f"{count.low}..{count.high}"
    return counts


def _machines(nodes: int, per: int | None, count: int | None) -> _Counts | None:
    if per is None and count is not None:
        if count % nodes:
            return None
        per = count // nodes
    if per is not None and count is not None and nodes * per != count:
        return None
    return _Counts(nodes, per or 0, str(nodes * per) if per else "")


def _write(wish: _Wish, counts: _Counts) -> str | None:
    names = list(dict.fromkeys(_full_name(c, wish) for c in wish.cards))
    pieces: list[str] = []
    if len(names) == 1:
        pieces.append(f"model={wish.cards[0].name}")
    elif names:
        if not (wish.either or "O" in wish.shape or "A" in wish.shape):
            return None
        pieces.append("any=" + "|".join(names))
    form = wish.forms[0] if len(set(wish.forms)) == 1 else ""  # two forms: either will do
    if form:
        pieces.append(f"form={form}")
    if wish.memory and (len(names) < 2 or _shared(wish)):
        lowest = wish.memory_min or (not names and (wish.any or wish.either))
        pieces.append(f"{'mem_min' if lowest else 'mem'}={wish.memory}")
    pieces += [f"{key}={value}" for key, value in (("nodes", counts.nodes), ("per_node", counts.per_node)) if value]
    count = counts.count
    pod = _SUPERPODS.get(form)
    if pod and not count and not counts.nodes:
        count = str(pod)
    if count:
        pieces.append(f"count={count}")
    if counts.options:
        pieces.append("count=" + "|".join(map(str, counts.options)))
    return compose(*pieces, approx=wish.approx) if pieces else None


def _shared(wish: _Wish) -> bool:
    """Whether the memory stands for all cards named: A100/A800 80G."""
    return (
        not any(c.memory for c in wish.cards[:-1])
        and bool(re.search(r"M(?:OM)+G", wish.shape))
        and not re.search(r"G.*G", wish.shape)
    )


def _full_name(card: _Card, wish: _Wish) -> str:
    if len({c.name for c in wish.cards}) == 1 and len({c.memory for c in wish.cards}) == 1:
        return card.name
    return card.name if not card.memory or _shared(wish) else f"{card.name}-{plain(Decimal(card.memory))}G"
