"""Reads what a trial has measured: the line of measure.py, the output of nvidia-smi or torch, or a few words."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Final

from bot.quantities.normal import Normal
from bot.quantities.wording import canonical

_GIB: Final = {"b": 2**-30, "kib": 2**-20, "mib": 2**-10, "gib": 1.0, "tib": 2.0**10}
_MEMORY: Final = r"(?P<n>(?<![\d.,])\d[\d,]{0,14}(?:\.\d{1,9})?)\s*(?P<unit>[kmgt]i?b?|gigs?|bytes)(?![a-z]|\s*/\s*s)"
_LONGEST: Final = 5_000
"""Characters; more is no measurement."""
_LONGEST_WORDS: Final = 500
"""Characters; numerals are not spelled out in what a tool prints."""
_MOST_GIB: Final = 2048.0
"""More than any card has; a larger figure was read wrongly."""


@dataclass(frozen=True)
class Measurement:
    """What was measured, each None when it was not.

    Peaks are per card in GiB: the allocator's, the caching allocator's, and what nvidia-smi shows. Speed is in tokens per second and
    card, a checkpoint in GB (1e9 bytes), its writing in seconds.
    """

    allocated_gib: float | None = None
    reserved_gib: float | None = None
    device_gib: float | None = None
    tokens_per_s: float | None = None
    checkpoint_gb: float | None = None
    checkpoint_s: float | None = None

    def __bool__(self) -> bool:
        """Whether anything was measured."""
        return any(value is not None for value in vars(self).values())

    @property
    def peak(self) -> tuple[str, float] | None:
        """The peak that says most, with what it counts: `device`, `reserved` or `allocated`; GiB per card."""
        for report in ("device", "reserved", "allocated"):
            value = getattr(self, f"{report}_gib")
            if value is not None:
                return report, value
        return None

    def joined(self, other: "Measurement") -> "Measurement":
        """Return both together; what `other` knows counts."""
        return replace(self, **{name: value for name, value in vars(other).items() if value is not None})

    def dump(self) -> str:
        """Return the normal form: `device_gib=21.4;tokens_per_s=3200`."""
        return ";".join(f"{name}={value:g}" for name, value in vars(self).items() if value is not None)

    @classmethod
    def load(cls, normal: str) -> "Measurement":
        """Read a normal form; other parts in it are left alone."""
        form = Normal.read(normal)
        return cls(**{f.name: form.value(f.name) for f in fields(cls) if f.name in form.parts})


def read_measurement(text: str) -> Measurement | None:
    """Return what a text says was measured; None when it says nothing of the kind.

    Of several cards the fullest counts.

    >>> read_measurement("|  0%   45C    P2   220W / 450W |  21932MiB / 24564MiB |     98%      Default |").dump()
    'device_gib=21.418'
    """
    if len(text) > _LONGEST:
        return None
    plain = unicodedata.normalize("NFKC", text).casefold()
    found = Measurement()
    found = found.joined(_words(canonical(text) if len(text) <= _LONGEST_WORDS else plain))
    for reader in (_trainer, _torch, _nvidia_smi, _line):
        found = found.joined(reader(plain))
    return found or None


_LINE: Final = re.compile(r"measured/1((?:\s+[a-z_]+=[\d.e+-]+)+)")


def _line(plain: str) -> Measurement:
    """The line of measure.py: `measured/1 allocated_gib=17.2 tokens_per_s=3180 …`."""
    found = _LINE.search(plain)
    if not found:
        return Measurement()
    pairs = dict(pair.split("=", 1) for pair in found[1].split())
    names = {f.name for f in fields(Measurement)}
    return Measurement(**{k: v for k, t in pairs.items() if k in names and (v := _positive(t)) is not None})


_SMI_ROW: Final = re.compile(
    r"(?P<used>(?<![\d.])\d{1,9}(?:\.\d{1,9})?)\s*(?P<unit>[mg])?i?b?\s*/\s*\d{1,9}(?:\.\d{1,9})?\s*(?P<whole>[mg])i?b(?![a-z/])"
)
_SMI_CSV: Final = re.compile(r"(?P<head>[^\n]*memory\.used[^\n]*)\n(?P<rows>(?:[^\n]*\d+[^\n]*\n?)+)")
_SMI_QUERY: Final = re.compile(r"fb memory usage(?:\s*\n[^\n]*?:[^\n]*?)*?\n\s*used\s*:\s*(?P<used>\d+)\s*mib")


def _nvidia_smi(plain: str) -> Measurement:
    """The table of nvidia-smi or of those like it (gpustat, nvitop), its CSV, or its long form."""
    used = [
        float(m["used"]) * (1024 if (m["unit"] or m["whole"]) == "g" else 1)
        for m in _SMI_ROW.finditer(plain)
        # 400 Gb/s and 3/4 GB are no memory in use.
        if m["unit"] or m["whole"] == "m"
    ]
    used += [float(m["used"]) for m in _SMI_QUERY.finditer(plain)]
    csv = _SMI_CSV.search(plain)
    if csv:
        at = [name.strip().startswith("memory.used") for name in csv["head"].split(",")].index(True)
        cells = [row.split(",") for row in csv["rows"].splitlines()]
        used += [float(m[1]) for row in cells if len(row) > at and (m := re.match(r"\s*(\d+)\s*(?:mib)?\s*$", row[at]))]
    return Measurement(device_gib=_largest(n / 1024 for n in used))


_SUMMARY: Final = {
    "allocated_gib": re.compile(r"\|\s*allocated memory\s*\|[^|]*\|\s*(?P<n>\d+)\s*(?P<unit>[kmgt]?i?b)"),
    "reserved_gib": re.compile(r"\|\s*gpu reserved memory\s*\|[^|]*\|\s*(?P<n>\d+)\s*(?P<unit>[kmgt]?i?b)"),
}


def _called(name: str) -> str:
    """The call of torch, what it was divided by, and its value: bytes, GiB after / 2**30 or / 1024**3, or with a unit."""
    call = rf"max(?:imum)?[_ ]memory[_ ]{name}"
    divided = r"\D{0,20}/\s*(?:\(?\s*2\s*\*\*\s*30|\(?\s*1024\s*\*\*\s*3|1024\s*/\s*1024\s*/\s*1024|1 ?<< ?30)\D{0,20}"
    return rf"{call}{divided}(?P<gib>\d+(?:\.\d+)?)|{call}\D{{0,40}}?{_MEMORY}|{call}\D{{0,40}}?(?P<bytes>\d{{6,}})"


_CALLS: Final = {
    "allocated_gib": re.compile(_called("allocated")),
    "reserved_gib": re.compile(_called("reserved")),
}
_OOM_PROCESS: Final = re.compile(rf"(?:this process|process \d+) has {_MEMORY} memory in use")
_OOM_TORCH: Final = re.compile(rf"of the allocated memory {_MEMORY} is allocated by pytorch")


def _torch(plain: str) -> Measurement:
    """torch.cuda.memory_summary(), the max_memory_… calls, or the message of an out-of-memory error."""
    found: dict[str, float] = {}
    for patterns in (_CALLS, _SUMMARY):
        for name, pattern in patterns.items():
            sizes = [_gib(m) for m in pattern.finditer(plain)]
            if sizes:
                found[name] = max(sizes)
    for name, pattern in (("device_gib", _OOM_PROCESS), ("allocated_gib", _OOM_TORCH)):
        m = pattern.search(plain)
        if m:
            found[name] = _gib(m)
    return Measurement(**{name: size for name, size in found.items() if 0 < size <= _MOST_GIB})


_TRAINER: Final = re.compile(r"train_tokens_per_second['\"]?\s*[:=]\s*(?P<n>(?<![\d.,])\d[\d,]{0,14}(?:\.\d{1,9})?)")


def _trainer(plain: str) -> Measurement:
    """The metrics of transformers' Trainer."""
    found = _TRAINER.search(plain)
    return Measurement(tokens_per_s=_positive(found["n"])) if found else Measurement()


_SPEED: Final = re.compile(
    r"(?P<n>(?<![\d.,])\d[\d,]{0,14}(?:\.\d{1,9})?)\s*(?P<k>k|万)?\s*(?:个)?\s*(?:tokens?|tok|词元)\s*(?:/|per |每)\s*(?:s|sec|second|秒)(?![a-z])"
    r"|(?:每秒|tokens? per second|tokens?/s|tok/s|tps|吞吐)[^\d\n]{0,12}(?P<n2>\d[\d,]{0,14}(?:\.\d{1,9})?)\s*(?P<k2>k(?![a-z])|万)?"
)
_WRITE_FIRST: Final = re.compile(
    r"(?:checkpoint|ckpt|检查点|存档)[^\n,;，；]{0,30}?(?P<n>(?<![\d.,])\d{1,9}(?:\.\d{1,9})?)\s*(?P<unit>seconds?|secs?|s|minutes?|mins?|min|秒|分钟)(?![a-z])"
)
_WRITE_LAST: Final = re.compile(
    r"(?P<n>(?<![\d.,])\d{1,9}(?:\.\d{1,9})?)\s*(?P<unit>seconds?|secs?|s|minutes?|mins?|min|秒|分钟)(?![a-z])[^\n,;，；\d]{0,20}?(?:checkpoint|ckpt|检查点|写入|保存)"
)
_DEVICE: Final = re.compile(rf"(?:nvidia-smi|显存|device|peak|峰值|vram|used|占用)[^\d\n,;，；]{{0,16}}{_MEMORY}")
_FIRST: Final = re.compile(rf"^\D{{0,3}}{_MEMORY}")
_BARE_SECONDS: Final = re.compile(r"(?P<n>(?<![\d.,])\d{1,9}(?:\.\d{1,9})?)\s*(?P<unit>seconds?|secs?|s|秒)(?![a-z/])")


def _words(plain: str) -> Measurement:
    """A few words: `peak 21.4 GiB, 3200 tokens/s, checkpoint 12 s`, in this order even without the nouns."""
    peak = _DEVICE.search(plain) or _FIRST.search(plain)
    size = _gib(peak) if peak else None
    speed = _SPEED.search(plain)
    write = _WRITE_FIRST.search(plain) or _WRITE_LAST.search(plain)
    if write is None and size is not None and speed is not None:
        write = _BARE_SECONDS.search(plain, speed.end())
    return Measurement(
        device_gib=size if size is not None and 0 < size <= _MOST_GIB else None,
        tokens_per_s=_speed(speed) if speed else None,
        checkpoint_s=_seconds(write) if write else None,
    )


def _speed(found: re.Match[str]) -> float | None:
    value = _positive(found["n"] or found["n2"])
    factor = {"k": 1000, "万": 10_000}.get(found["k"] or found["k2"] or "", 1)
    return None if value is None else value * factor


def _seconds(found: re.Match[str]) -> float | None:
    value = _positive(found["n"])
    return None if value is None else value * (60 if found["unit"].startswith(("m", "分")) else 1)


def _gib(found: re.Match[str]) -> float:
    groups = found.groupdict()
    if groups.get("gib"):
        return round(float(groups["gib"]), 3)
    if groups.get("bytes"):
        return float(groups["bytes"]) * 2.0**-30
    unit = groups["unit"]
    # What people call GB of a card's memory is GiB, as every tool that shows it counts.
    unit = "b" if unit in ("b", "bytes") else f"{unit[0]}ib"
    return round(float(groups["n"].replace(",", "")) * _GIB[unit], 3)


def _largest(sizes: Iterable[float]) -> float | None:
    found = [size for size in sizes if 0 < size <= _MOST_GIB]
    return round(max(found), 3) if found else None


def _positive(text: str) -> float | None:
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None
    return value if 0 < value < 1e12 else None  # noqa: PLR2004 - beyond all reason
