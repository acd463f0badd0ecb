"""Turns text in Chinese, English or both into typed values, written as normal forms."""

from collections.abc import Callable
from datetime import datetime

from bot.quantities.bandwidths import read_bw
from bot.quantities.checkpoints import read_ckpt
from bot.quantities.dates import read_date
from bot.quantities.durations import read_dur
from bot.quantities.gpus import read_gpu
from bot.quantities.memory import read_mem
from bot.quantities.money import read_money
from bot.quantities.normal import Normal, duration_seconds, memory_gb
from bot.quantities.numbers import read_num, read_tokens
from bot.quantities.parameters import read_params
from bot.quantities.reminders import read_remind
from bot.quantities.shares import read_pct
from bot.quantities.undecided import undecided
from bot.quantities.wording import AROUND_THE_CLOCK, LONGEST_ANSWER, canonical
from bot.quantities.yesno import read_yn

__all__ = ["KINDS", "LONGEST_ANSWER", "Normal", "duration_seconds", "memory_gb", "parse", "undecided"]

_READERS: dict[str, Callable[[str], str | None]] = {
    "num": read_num,
    "params": read_params,
    "mem": read_mem,
    "gpu": read_gpu,
    "bw": read_bw,
    "dur": read_dur,
    "pct": read_pct,
    "ckpt": read_ckpt,
    "yn": read_yn,
    "tbd": undecided,
    "tokens": read_tokens,
}
KINDS: tuple[str, ...] = (
    "num",
    "params",
    "mem",
    "gpu",
    "bw",
    "dur",
    "date",
    "remind",
    "pct",
    "ckpt",
    "yn",
    "tbd",
    "money",
    "tokens",
)


def parse(kind: str, text: str, *, now: datetime, lang: str | None = None) -> str | None:
    """Read a whole answer to a question of `kind` and return its normal form, or None when it is not understood.

    `now` is aware and carries the customer's zone; `lang` (zh, en) decides only what is ambiguous between the languages,
    such as 5/1. Raises ValueError for an unknown kind and for nothing else.
    """
    if kind not in KINDS:
        raise ValueError(f"unknown kind: {kind!r}")
    if len(text) > LONGEST_ANSWER or not text.strip():
        return None
    clock = AROUND_THE_CLOCK.search(canonical(text))
    if clock and (kind != "pct" or clock[0] == canonical(text)):
        return None
    if kind == "date":
        return read_date(text, now=now, lang=lang)
    if kind == "remind":
        return read_remind(text, now=now, lang=lang)
    if kind == "money":
        return read_money(text, lang=lang)
    return _READERS[kind](text)
