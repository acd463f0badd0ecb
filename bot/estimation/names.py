"""Finds catalogue entries by any usual spelling of their name, in Chinese and English, and near misses."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

_CHINESE = {
    "千问": "qwen", "通义qwen": "qwen", "通义": "qwen", "羊驼": "llama", "深度求索": "deepseek",
    "智谱": "glm", "书生浦语": "internlm", "书生": "internlm", "浦语": "internlm", "百川": "baichuan",
    "零一万物": "yi", "零一": "yi", "面壁": "minicpm", "混元": "hunyuan", "昇腾": "ascend", "升腾": "ascend",
    "华为": "", "英伟达": "", "蒸馏": "distill", "满血": "", "米斯特拉尔": "mistral", "显卡": "", "单卡": "",
    "模型": "", "版": "",
}  # fmt: skip
_NOISE = re.compile(r"[\s_\-/().,:]+")
_SUFFIXES = re.compile(r"(hf|instruct|chat|base|it|sft|bf16|fp8|awq|gptq|int[48]|gguf|v0[123])+$")


def squeeze(text: str) -> str:
    """Return `text` folded for comparison: width, case, spaces and dashes gone, Chinese makers' names in Latin.

    "通义千问 2.5－7B" and "qwen2.5-7b" both give "qwen257b".
    """
    folded = unicodedata.normalize("NFKC", text).casefold().strip()
    for chinese, latin in _CHINESE.items():
        folded = folded.replace(chinese, latin)
    return _NOISE.sub("", folded)


def plain(folded: str) -> str:
    """Return a folded name without what training and packing add at its end, such as "instruct" or "awq"."""
    return _SUFFIXES.sub("", folded)


def spellings(names: Iterable[str]) -> set[str]:
    """Return the folded spellings of `names`, each also without its vendor and without a training suffix."""
    found = set()
    for name in names:
        folded = squeeze(name)
        short = squeeze(name.rsplit("/", maxsplit=1)[-1])
        found |= {folded, short, plain(short)}
    return found - {""}


def near_misses(text: str, known: Mapping[str, str], limit: int = 3) -> tuple[str, ...]:
    """Return up to `limit` entries whose spelling is close to `text`, best first; `known` maps spelling to entry."""
    folded = squeeze(text)
    close = get_close_matches(folded, list(known), n=limit * 3, cutoff=0.6)
    close += [spelling for spelling in known if folded and (spelling.startswith(folded) or folded in spelling)]
    return tuple(dict.fromkeys(known[spelling] for spelling in close))[:limit]
