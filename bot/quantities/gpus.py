"""Reads wishes for cards in any order of words: 两台8卡H800, 8*A100-80G-SXM4, 4x 8-GPU H100 nodes, A100或者H800都行.

The words come from gpu_words; here each number gets its role from the words around it.
"""

# ruff: noqa: PLR2004 - three numbers are nodes, cards each and cards in all

import re
from dataclasses import dataclass

from bot.quantities.gpu_words import MOST_NUMBERS, Card, Number, Wish, cut
from bot.quantities.hedges import trim
from bot.quantities.normal import compose
from bot.quantities.wording import canonical

_USUAL_NODE = 8
_MEMORY_NAMED_BARE = {"A100": (40, 80), "A800": (40, 80), "H100": (80,), "H800": (80,)}
_SUPERPODS = {"NVL72": 72, "NVL36": 36}


def read_gpu(text: str) -> str | None:
    """Read a wish for cards: `model=` or `any=`, `form=`, `mem=` or `mem_min=`, `nodes=`, `per_node=`, `count=`."""
    core = re.sub(r"(?<![a-z])between (\d+) and (\d+)", r"\1-\2", trim(canonical(text)))
    if _BELOW_ZERO.match(core):
        return None
    wish = cut(core)
    if wish is None:
        return None
    if "A" in wish.shape and wish.numbers and len(wish.cards) > 1:
        return None  # some of each is not a choice
    counts = _counts(wish)
    if counts is None:
        return None
    return _write(wish, counts)


_BELOW_ZERO = re.compile(r"\s*[-\u2212\u2013]\d")
"""A dash that touches its number is a minus; before a space it is a list's mark."""


@dataclass(slots=True)
class _Counts:
    nodes: int = 0
    per_node: int = 0
    count: str = ""
    options: tuple[int, ...] = ()


def _counts(wish: Wish) -> _Counts | None:
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
    if len(wish.numbers) + 1 != len(pieces) or len(wish.numbers) > MOST_NUMBERS:
        return None
    for index, number in enumerate(wish.numbers):
        number.role = _role(number, index, wish.numbers)
    roles = [n.role for n in wish.numbers]
    if len(set(roles)) != len(roles):
        return None
    return _together({n.role: n for n in wish.numbers}, wish)


def _role(number: Number, index: int, numbers: list[Number]) -> str:  # noqa: PLR0911 - a rule each
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


def _together(by_role: dict[str, Number], wish: Wish) -> _Counts | None:
    nodes, per, count = by_role.get("nodes"), by_role.get("per"), by_role.get("count")
    cards = by_role.get("cards")
    if nodes is None and wish.whole and not (cards and cards.exact != _USUAL_NODE):
        nodes = Number(1, 1)
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


def _split(nodes: Number, cards: Number) -> tuple[Number | None, Number | None]:
    """Decide whether "2 machines, 16 cards" are 16 each or in all: no more than 8 is each, else what divides into usual nodes."""
    machines, number = nodes.exact or 0, cards.exact or 0
    if machines == 1 or number <= _USUAL_NODE:
        return cards, None
    return (None, cards) if number % machines == 0 and number // machines in (1, 2, 4, 8, 16) else (None, None)


def _one_machine(per: Number | None, count: Number | None) -> _Counts | None:
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


def _write(wish: Wish, counts: _Counts) -> str | None:
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


def _shared(wish: Wish) -> bool:
    """Whether the memory stands for all cards named: A100/A800 80G."""
    return (
        not any(c.memory for c in wish.cards[:-1])
        and bool(re.search(r"M(?:OM)+G", wish.shape))
        and not re.search(r"G.*G", wish.shape)
    )


def _full_name(card: Card, wish: Wish) -> str:
    if len({c.name for c in wish.cards}) == 1 and len({c.memory for c in wish.cards}) == 1:
        return card.name
    return card.name if not card.memory or _shared(wish) else f"{card.name}-{card.memory}G"
