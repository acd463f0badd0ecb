"""Simplified Chinese in the characters and words of Taiwan: what the screens of traditional readers are made of."""

import re
from functools import cache
from typing import Final

from opencc import OpenCC

_OWN: Final = {
    "参数": "參數",
    "实例": "實例",
    "镜像": "映像",
    "适配器": "適配器",
    "激活": "激活",
    "卸载": "卸載",
    "扩展": "擴展",
    "显存": "顯示記憶體",
    "显卡": "顯示卡",
}
"""Terms of our trade for which the library has the words of another one: 参数 of a function (引數), 适配器 as hardware (介面卡)."""

_UNTOUCHED = re.compile(rf"(\{{[^{{}}]*\}}|<[^>]*>|/[a-z_]+|{'|'.join(_OWN)})")
"""Placeholders, tags and commands, and the terms above."""


def traditional(simplified: str) -> str:
    """Return a Chinese text as traditional readers write it; placeholders, tags and commands stay as they are.

    >>> traditional("已保存，{n} 个参数见 /help")
    '已儲存，{n} 個參數見 /help'
    """
    parts = _UNTOUCHED.split(simplified)
    return "".join(_OWN.get(part, part) if at % 2 else _converted(part) for at, part in enumerate(parts))


def _converted(simplified: str) -> str:
    converted: str = _converter().convert(simplified)
    return converted


@cache
def _converter() -> OpenCC:
    return OpenCC("s2twp")
