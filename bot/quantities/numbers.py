"""Reads plain numbers and sequence lengths."""

import re
from collections.abc import Mapping
from decimal import Decimal

from bot.quantities import amounts
from bot.quantities.amounts import Amount, Reading
from bot.quantities.digits import plain
from bot.quantities.hedges import peel
from bot.quantities.normal import compose
from bot.quantities.wording import canonical, decimal

_LARGEST = Decimal(10) ** 18
_MULTIPLIERS = {"": 1, "k": 1000, "m": 10**6, "w": 10**4, "bn": 10**9}
_TOKEN_MULTIPLIERS = {"": 1, "k": 1024, "m": 1024**2, "w": 10**4, "ki": 1024}

_NUMBER = re.compile(
    r"(?P<n>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?:e(?P<e>\d{1,2}))?\s?(?P<k>bn|ki|[kmw])?"
)
_COUNTED = re.compile(
    r"个|张|块|卡|片|台|条|次|份|位|人|节点|(?<![a-z])(?:cards?|gpus?|pieces?|pcs|units?|of them|items?|nodes?)(?![a-z])"
)
_TOKEN_NOUNS = re.compile(
    r"(?:序列|样本|上下文|文本|输入|单条|每条|最大)?(?:的)?(?:序列长度|上下文长度|长度|窗口|上下文|序列)|词元|个?tokens?数?量?|单条|每条|条"
    r"|(?<![a-z])(?:sequences?(?: lengths?)?|seq(?:[ _]?len(?:gth)?)?|context(?: (?:length|window|size))?|ctx|length|long|window|tokens? each|per sample|each|max[ _](?:seq[ _]?len|length)|samples?|的)(?![a-z])",
)
_HALF = {"半": Decimal("0.5"), "half": Decimal("0.5"), "一半": Decimal("0.5"), "a half": Decimal("0.5")}


def read_num(text: str) -> str | None:
    """Read a bare number: 两百五 is `250`, 8-16 is `8..16`."""
    peeled = peel(decimal(canonical(text)), _COUNTED)
    if peeled.core in _HALF:
        return compose(plain(_HALF[peeled.core]), approx=peeled.approx)
    return _write(amounts.read(peeled, lambda core: _one(core, _MULTIPLIERS), bare=True, counted=True))


def read_tokens(text: str) -> str | None:
    """Read a sequence length in tokens, where k is 1024: 2k-32k is `2048..32768`."""
    peeled = peel(decimal(canonical(text)), _TOKEN_NOUNS)
    reading = amounts.read(peeled, lambda core: _one(core, _TOKEN_MULTIPLIERS), bare=True)
    if reading is None or any(a.value < 1 or a.value != int(a.value) for a in reading.amounts):
        return None
    return _write(reading)


def _one(core: str, multipliers: Mapping[str, int]) -> Amount | None:
    m = _NUMBER.fullmatch(core)
    if not m or (m["k"] or "") not in multipliers:
        return None
    value = Decimal(m["n"].replace(",", "")) * Decimal(10) ** int(m["e"] or 0) * multipliers[m["k"] or ""]
    return Amount(value) if value <= _LARGEST else None


def _write(reading: Reading | None) -> str | None:
    if reading is None:
        return None
    values = [plain(a.value) for a in reading.amounts]
    form = {
        "one": values[0],
        "range": "..".join(values),
        "any": "any=" + "|".join(values),
        "min": f"{values[0]}..",
        "max": f"..{values[0]}",
    }[reading.shape]
    return compose(form, approx=reading.approx)
