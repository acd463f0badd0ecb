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
_NOISE = re.compile(r"[\s_\-/(),:]+|(?<!\d)\.|\.(?!\d)")
_SUFFIXES = re.compile(r"(hf|instruct|chat|base|it|sft|bf16|fp8|awq|gptq|int[48]|gguf|v0\.[123])+$")


# Words that name another training of the same shape.
_TRAINED = re.compile(r"(coder|math|thinking|reasoning|turbo|preview|instruct|chat|bnb|[48]bit|1m|2507|dpo|rlhf)")


def fold(text: str) -> str:
    """Return `text` folded for comparison: width, case, spaces and dashes gone; dots stay between digits.

    "Qwen2.5－7B" and "qwen2.5 7b" both give "qwen2.57b", which is not "qwen257b".
    """
    return _NOISE.sub("", unicodedata.normalize("NFKC", text).casefold())


def latin(folded: str) -> str:
    """Return a folded name with Chinese makers' names in Latin: "通义千问2.57b" gives "qwen2.57b"."""
    for chinese, name in _CHINESE.items():
        folded = folded.replace(chinese, name)
    return folded


def plain(folded: str) -> str:
    """Return a folded name without what training and packing add at its end, such as "instruct" or "awq"."""
    return _SUFFIXES.sub("", folded)


def variants(name: str) -> list[str]:
    """Return the spellings under which `name` may be known: as it is, in Latin, short, plain, dotless."""
    short = fold(name.rsplit("/", maxsplit=1)[-1])
    found = [fold(name), latin(fold(name)), short, latin(short), plain(latin(short))]
    found.append(_TRAINED.sub("", latin(short)))
    found += [spelling.replace(".", "") for spelling in found]
    return [spelling for spelling in dict.fromkeys(found) if spelling]


def spellings(entries: Iterable[tuple[str, Iterable[str]]]) -> dict[str, str]:
    """Return the entry of each spelling; `entries` are (key, names). Exact names go before derived ones."""
    known: dict[str, str] = {}
    listed = [(key, tuple(variants(name) for name in (key, *names))) for key, names in entries]
    for depth in range(max(len(names) for _, all_names in listed for names in all_names)):
        for key, all_names in listed:
            for names in all_names:
                if depth < len(names):
                    known.setdefault(names[depth], key)
    return known


def near_misses(text: str, known: Mapping[str, str], limit: int = 3) -> tuple[str, ...]:
    """Return up to `limit` entries whose spelling is close to `text`, best first; `known` maps spelling to entry."""
    folded = latin(fold(text))
    close = get_close_matches(folded, list(known), n=limit * 3, cutoff=0.6)
    close += [spelling for spelling in known if folded and (spelling.startswith(folded) or folded in spelling)]
    return tuple(dict.fromkeys(known[spelling] for spelling in close))[:limit]
