"""Reads how often a checkpoint is written and how large it is, in one answer: 每500步存一次，30GB; twice a day; hourly, 1.1T each."""

import re
from decimal import Decimal

from bot.quantities import amounts, durations, memory
from bot.quantities.digits import plain
from bot.quantities.hedges import Peeled, peel, trim
from bot.quantities.normal import compose
from bot.quantities.wording import LONGEST_ANSWER, canonical, decimal

_TIMES_WORDS = {"once": 1, "twice": 2, "thrice": 3}
_DAY_WORDS = {"hourly": "PT1H", "daily": "P1D", "weekly": "P1W", "nightly": "P1D"}
_LENGTHS = {
    "小时": 60,
    "钟头": 60,
    "hour": 60,
    "hr": 60,
    "h": 60,
    "天": 1440,
    "日": 1440,
    "day": 1440,
    "周": 10080,
    "星期": 10080,
    "week": 10080,
    "epoch": 0,
    "轮": 0,
}

_COUNT = r"\d+(?:,\d{3})*(?:\.\d+)?\s?k?"
_STEP = r"(?:个)?(?:steps?|iterations?|iters?|its?|步|迭代|batch(?:es)?|updates?|个?step)(?![a-z])"
_EPOCH = r"(?:个)?(?:epochs?|轮(?:次)?|ep)(?![a-z])"
_SAVE = r"(?:就|要)?(?:存|保存|写|落盘?|save|保)?(?:一次|1次|一个|1个|一版|次|一回|1回|一存|1存)?(?:盘|ckpt|checkpoint|检查点|模型|权重)?"
_EVERY = r"(?:每隔?|隔|间隔|(?<![a-z])interval(?: is| of)?:?(?![a-z])|(?<![a-z])(?:once )?(?:every|each|per|once an?|an?|after every|after each)(?![a-z]))\s*"
_MINUTES_IN = r"个?(?:小时|钟头)|天|日|周|个?星期|(?<![a-z])(?:hour|hr|h|day|week|epoch)(?![a-z])|轮|个?epoch"

_COUNTED = re.compile(
    rf"(?:{_EVERY})?(?P<n>{_COUNT}|半个?|half an?)(?:\s?(?:-|~|到|to)\s?(?P<m>{_COUNT}))?\s*(?:(?P<step>{_STEP})|(?P<epoch>{_EPOCH}))\s*{_SAVE}",
    re.IGNORECASE,
)
_EACH_EPOCH = re.compile(
    rf"(?:(?:每|(?<![a-z])(?:once )?(?:every|each|per|an?|after every|after each|at the end of (?:each|every))(?![a-z]))\s*(?P<epoch>(?:个)?\s?{_EPOCH}|(?P<step>{_STEP}))\s*(?:结束|完)?(?:后)?\s*{_SAVE})",
    re.IGNORECASE,
)
_TIMES_PER = re.compile(
    rf"(?:每\s?1?|一|1|(?<![\d半个隔]))(?P<unit>{_MINUTES_IN})\s*(?:存|保存|写)?(?P<n>\d+)\s?(?:次|回|个)(?:ckpt|checkpoint)?"
    rf"|(?P<times>once|twice|thrice|\d+ ?(?:times|x|checkpoints?|saves?|ckpts?))\s*(?:/|(?<![a-z])(?:an?|per|every|each)(?![a-z]))\s*(?P<unit2>hour|hr|h|day|week|epoch)(?![a-z])",
    re.IGNORECASE,
)
_WORD = re.compile(r"(?<![a-z])(?P<word>hourly|daily|weekly|nightly)(?![a-z])", re.IGNORECASE)
_SPAN = r"(?:\d+(?:\.\d+)?(?:\s?(?:-|~|到|至|to)\s?\d+(?:\.\d+)?)?\s?-?)?(?:个?半)?(?:个)?(?:小时|钟头|分钟|分|天|日|周|星期|礼拜|秒|(?:hours?|hrs?|h|minutes?|mins?|m|days?|d|weeks?|seconds?|secs?)(?![a-z]))(?:半)?(?:\s?and a half)?"
_TIMED = re.compile(
    rf"{_EVERY}(?P<span>(?:半个?|half an? |other )?{_SPAN}|half (?:an )?(?:hour|day))\s*{_SAVE}"
    rf"|(?P<span2>(?:半个?|一个?)?{_SPAN})\s*(?:存|保存|写|save)?\s*(?:一次|1次|一回|1回|一个|1个|一存|一版)(?:ckpt|checkpoint|检查点)?",
    re.IGNORECASE,
)
_SIZE = re.compile(
    r"(?:(?:≈|~|about|around|大概|大约|约|差不多)\s*)?(?:\d+(?:,\d{3})*(?:\.\d+)?\s?(?:-|~|到|至|to)\s?)?(?:\d+(?:,\d{3})*(?:\.\d+)?|半)\s?个?(?:半)?\s?(?:多)?\s?(?:[kmgtp]i?b?(?:ytes?)?|gigs?|gigabytes?|terabytes?)(?![a-z])(?:多|左右|以内|以上)?",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"存档|每次(?:大概|大约|约)?|每个|单次|单个|单份|一次|1次|一个|1个|一份|大小|体积|保存|存盘?|存|写|落盘|频率|间隔|检查点|断点|模型|文件|权重|优化器|状态|容量|有|是|为|要|左右|都|的|就|训练|结束|完|后|也"
    r"|(?<![a-z])(?:checkpoints?|ckpts?|ckpt|saves?|saving|saved|each|per|of|size|sized|at|with|a|an|the|is|are|it|one|every time|time|files?|interval|frequency|snapshots?|write|writing|weights?|large|big|in size|apiece|we|for|and|x|plus|around|about)(?![a-z])|[\s,，。;、:()/@+~-]",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"≈|(?<!\d)(?<!\d\s)~|左右|大概|大约|约|差不多|(?<![a-z])(?:about|around|roughly|approx(?:imately)?\.?|or so|ish)(?![a-z])",
    re.IGNORECASE,
)


def read_ckpt(text: str) -> str | None:
    """Read interval (`every=` duration, steps or epochs) and size (`size=`), either of which may be missing."""
    core = trim(decimal(canonical(text)))
    if not core or len(core) > LONGEST_ANSWER:
        return None
    every, rest = _take_interval(core)
    if every == "":
        return None
    size, approx, rest = _take_size(rest)
    approx |= bool(_HEDGE.search(core))
    if not (every or size):
        return None
    rest = _FILLER.sub("", _HEDGE.sub("", rest))
    if rest:
        return None
    return compose(f"every={every}" if every else None, f"size={size}" if size else None, approx=approx)


def _take_interval(core: str) -> tuple[str | None, str]:
    """Return the interval and the text without it; None where there is none, empty where it is impossible."""
    for pattern, write in _INTERVALS:
        m = pattern.search(core)
        if m:
            return write(m) or "", f"{core[: m.start()]} {core[m.end() :]}"
    return None, core


def _counted(m: re.Match[str]) -> str | None:
    unit = "step" if m["step"] else "epoch"
    low = _number(m["n"])
    if m["m"]:
        high = _number(m["m"])
        return f"{plain(low)}{unit}..{plain(high)}{unit}" if 0 < low < high else None
    whole = low == int(low) or unit == "epoch"
    return f"{plain(low)}{unit}" if whole and low > 0 else None


def _number(text: str) -> Decimal:
    text = text.strip()
    if text.startswith(("半", "half")):
        return Decimal("0.5")
    digits = text.rstrip("k ").replace(",", "")
    return Decimal(digits) * (1000 if text.endswith("k") else 1)


def _each_epoch(m: re.Match[str]) -> str | None:
    return "1step" if m["step"] else "1epoch"


def _times_per(m: re.Match[str]) -> str | None:
    word = m["n"] or m["times"]
    times = _TIMES_WORDS.get(word.lower()) or int(re.match(r"\d+", word)[0])  # type: ignore[index] # the pattern begins with digits
    unit = (m["unit"] or m["unit2"]).lower().removeprefix("个")
    minutes = _LENGTHS[unit]
    if times == 0:
        return None
    if minutes == 0:
        return "1epoch" if times == 1 else f"{plain(round(Decimal(1) / times, 4))}epoch"
    if minutes % times:
        return None
    if times == 1:
        return {60: "PT1H", 1440: "P1D", 10080: "P1W"}[minutes]
    each = minutes // times
    return f"PT{each // 60}H" if each % 60 == 0 else f"PT{each}M"


def _word(m: re.Match[str]) -> str | None:
    return _DAY_WORDS[m["word"].lower()]


def _timed(m: re.Match[str]) -> str | None:
    span = (m["span"] or m["span2"]).strip()
    if span.startswith("other "):
        span = f"2 {span[6:]}"
    if re.match(r"(?:个)?(?:小时|钟头|分钟|天|日|周|星期|礼拜)|[a-z]", span) and not span.startswith("half"):
        span = f"1{span if not span[0].isascii() else ' ' + span}"
    reading = amounts.read(Peeled(span), durations.one)
    if reading is None or any(a.text == "?" for a in reading.amounts):
        return _minutes(span)
    texts = [a.text for a in reading.amounts]
    return texts[0] if reading.shape == "one" else "..".join(texts) if reading.shape == "range" else None


def _minutes(span: str) -> str | None:
    """Read the m of an interval as minutes: nobody writes checkpoints by the month."""
    m = re.fullmatch(r"(\d+)\s?m", span)
    return f"PT{m[1]}M" if m and int(m[1]) else None


def _take_size(rest: str) -> tuple[str | None, bool, str]:
    m = _SIZE.search(rest)
    if not m:
        return None, False, rest
    peeled = peel(m[0], memory.NOUNS)
    reading = amounts.read(peeled, memory.one)
    if reading is None:
        return None, False, rest
    return (
        memory.size(reading, "size")[0].removeprefix("size="),
        reading.approx,
        f"{rest[: m.start()]} {rest[m.end() :]}",
    )


_INTERVALS = (
    (_COUNTED, _counted),
    (_EACH_EPOCH, _each_epoch),
    (_TIMES_PER, _times_per),
    (_WORD, _word),
    (_TIMED, _timed),
)
