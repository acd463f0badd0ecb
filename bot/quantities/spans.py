"""Finds quantities inside a free message, with their place in the original text.

A finder per kind marks where an amount may stand, wide first; the grammar of whole answers decides whether it is one. What
overlaps is settled by kind and length, so that A100 80G is a card and not an amount of memory.
"""

import functools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from bot.quantities import holidays
from bot.quantities.bandwidths import read_bw
from bot.quantities.cards import nameless
from bot.quantities.checkpoints import read_ckpt
from bot.quantities.dates import read_date
from bot.quantities.durations import read_dur
from bot.quantities.folding import fold_with_origin, lower
from bot.quantities.memory import read_mem
from bot.quantities.money import read_money
from bot.quantities.names import EN_WEEKDAY, MONTHS
from bot.quantities.numbers import read_tokens
from bot.quantities.numerals import rewrite_with_origin
from bot.quantities.parameters import FAMILY, read_params
from bot.quantities.shares import read_pct
from bot.quantities.wishes import wishes
from bot.quantities.wording import AROUND_THE_CLOCK

# Telegram has no longer messages; of what grows beyond it by folding (one sign of Arabic calligraphy is 18 letters), the head is searched.
LONGEST_MESSAGE = 4_096
# Runs like these are no quantity, and searching them would take long.
_ENDLESS = re.compile(r"\d{16,}|[零〇一二两三四五六七八九十百千万亿]{16,}|(.)\1{24,}")
_TO = re.compile(r"\s?(?:-|~|到|至|to)\s?")
_BETWEEN = re.compile(r"\bbetween\s$", re.IGNORECASE)
# Kinds that people give as a range with the unit at both ends.
_RANGED = ("mem", "bw", "dur")
# Words this near say what a rhythm is about.
_NEAR = 14
_SAVING = re.compile(r"存|写|检查点|断点|ckpt|checkpoint|save|saving")


@dataclass(frozen=True, slots=True)
class Span:
    """A quantity in a message: `raw` is `text[start:end]` of the original text, `normal` its normal form."""

    kind: str
    start: int
    end: int
    raw: str
    normal: str


def find(text: str, *, now: datetime, lang: str | None = None) -> tuple[Span, ...]:
    """Find the quantities of a message in order of place; no two overlap.

    The kinds are gpu, params, mem, bw, dur, date, ckpt, pct, money and tokens. `now` is aware and carries the zone.
    """
    folded, origin = fold_with_origin(text[:LONGEST_MESSAGE])
    folded, origin = _without_endless(folded[:LONGEST_MESSAGE]), origin[:LONGEST_MESSAGE]
    spelled, places = rewrite_with_origin(folded, [(i, i + 1) for i in origin])
    spelled = _without_endless(spelled)
    found = sorted(_candidates(spelled, now, lang), key=lambda c: (_RANK[c.kind], c.start - c.end))
    taken: list[Span] = []
    held = bytearray(len(spelled))
    for span in found:
        if not any(held[span.start : span.end]):
            held[span.start : span.end] = b"\1" * (span.end - span.start)
            taken.append(span)
    joined = _with_both_ends(sorted(taken, key=lambda s: s.start), spelled)
    return tuple(_placed(span, text, places) for span in joined)


def _with_both_ends(found: list[Span], spelled: str) -> list[Span]:
    """Make one range of two amounts that each have a unit: 500 GB to 1 TB, between 2 weeks and a month."""
    joined: list[Span] = []
    for span in found:
        last = joined[-1] if joined else None
        whole = _range_of(last, span, spelled) if last and last.kind == span.kind in _RANGED else None
        if whole:
            joined[-1] = whole
        else:
            joined.append(span)
    return joined


def _range_of(low: Span, high: Span, spelled: str) -> Span | None:
    start, between = low.start, spelled[low.end : high.start].lower()
    opened = _BETWEEN.search(spelled, max(0, start - len("between ") - 1), start)
    if opened and between.strip() == "and":
        start = opened.start()
    elif not (_TO.fullmatch(between) or _TO.fullmatch(between + spelled[high.start])):  # "~" belongs to "about" as well
        return None
    raw = spelled[start : high.end]
    normal = _READERS[low.kind](raw if low.kind == "bw" else lower(raw))
    return Span(low.kind, start, high.end, raw, normal) if normal else None


def _without_endless(text: str) -> str:
    return _ENDLESS.sub(lambda m: "#" * len(m[0]), AROUND_THE_CLOCK.sub(lambda m: "#" * len(m[0]), text))


def _placed(span: Span, text: str, places: list[tuple[int, int]]) -> Span:
    start, end = places[span.start][0], places[span.end - 1][1]
    return Span(span.kind, start, end, text[start:end], span.normal)


def _candidates(spelled: str, now: datetime, lang: str | None) -> Iterator[Span]:
    low = lower(spelled)
    readers: dict[str, Callable[[str], str | None]] = {
        **_READERS,
        "date": functools.lru_cache(maxsize=_KEPT)(lambda t: read_date(t, now=now, lang=lang)),
        "money": functools.lru_cache(maxsize=_KEPT)(lambda t: read_money(t, lang=lang)),
    }
    for kind, pattern in _FINDERS:
        searched = spelled if kind == "bw" else low
        for m in pattern.finditer(searched):
            span = _read(kind, m, readers[kind])
            if span:
                yield span
    for start, end, normal in wishes(low):
        yield Span("gpu", start, end, low[start:end], normal)


def _read(kind: str, m: re.Match[str], read: Callable[[str], str | None]) -> Span | None:
    """Read the whole match, or its core when the words around it do not belong to it."""
    text = m.string
    places = [m.span()]
    if m.re.groupindex.get("core"):
        places += [(m.start(), m.end("core")), (m.start("core"), m.end()), m.span("core")]
    for left, right in dict.fromkeys(places):
        raw = text[left:right].strip()
        start = text.find(raw, left)
        end = start + len(raw)
        normal = read(raw) if raw else None
        if normal and _belongs(kind, text[max(0, start - _NEAR) : end + _NEAR], normal):
            return Span(kind, start, end, raw, normal)
    return None


def _belongs(kind: str, around: str, normal: str) -> bool:
    """Refuse rhythms that are none of saving, and speeds that must be asked about."""
    if kind == "ckpt":
        return "step" in normal or "epoch" in normal or bool(_SAVING.search(around))
    return not normal.startswith("ask:gbps")


_N = r"(?:≈?(?<!\d)\d{1,15}(?:,\d{3}){0,4}(?:\.\d{1,6})?)"
_BEFORE = r"(?:(?:大概|大约|约|差不多|估计|至少|最少|起码|不少于|不低于|最多|不超过|超过|将近|最长|不到|每张?卡|单卡|about|around|approximately|roughly|at least|at most|up to|over|under|more than|less than|within|no more than|nearly|almost|between|from|~|≈|>=?|<=?|≥|≤|max\.?|min\.?)\s*(?:是|要|有)?){0,3}"
_AFTER = r"(?:\s*(?:左右|上下|以上|以内|以下|起步?|级|or (?:so|more|less|longer)|\+|minimum|max(?:imum)?|at (?:least|most)|per (?:gpu|card)|/ ?(?:卡|gpu|card)|each)){0,2}"
_UNTIL = rf"(?:{_N}(?:个?半)?\s?(?:-|~|到|至|to|and)\s?)?"
_MEMORY_UNIT = r"(?:[kmgtp]i?b(?![a-z/])|gigs?(?![a-z])|(?:giga|tera|mega|peta)bytes?|[gt](?![a-z\d/]))(?!\s?(?:ps|/s|每秒|per sec|个?的?\s?tokens?|个?词元))"
_TIME_UNIT = r"(?:个?(?:小时|钟头)|分钟|天|个?(?:星期|礼拜|周)|周|个月|个?季度|月(?<=半月)|年(?!\d|底|初|前|后|内)|(?:hours?|hrs?|days?|weeks?|wks?|months?|quarters?|years?|yrs?)(?![a-z]))"
_ZH_DAY = r"(?<!\d)(?<!\d个)(?:下下|下|上|本|这)?个?(?:周|星期|礼拜)[1-6日天末](?!天)"
_DAY = (
    rf"(?:今天|明天|后天|大后天|今日|明日|tomorrow|today|(?:the )?day after tomorrow|{_ZH_DAY}|(?:下下|下|本|这)个?(?:周|星期|礼拜|月)(?:初|上旬|中旬?|下旬|底|\s?\d{{1,2}}[号日])?|(?:next|this|coming) (?:week|month|weekend|quarter|year|{EN_WEEKDAY})(?![a-z])"
    rf"|(?<![a-z])(?:{'|'.join(w for w in MONTHS if w != 'may')}|may(?= ?\d))\.? ?\d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?(?!\d)|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{'|'.join(MONTHS)})(?![a-z])(?: \d{{4}})?"
    rf"|(?:early|mid|late|(?:end|start|beginning) of)[ -](?:the )?(?:{'|'.join(MONTHS)}|q[1-4]|next month|the month|the year)(?![a-z])|(?:in |by )(?:{'|'.join(MONTHS)})(?![a-z])(?: \d{{4}})?"
    r"|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)|(?:(?:\d{2,4}年|今年|明年)\s?)?(?<!\d)\d{1,2}月份?(?:\s?\d{1,2}\s?[号日]?|初|上旬|中旬?|下旬|底)?|(?<!\d)\d{1,2}/\d{1,2}(?![\d/])|(?<![\d.])\d{1,2}号|(?:今年|明年)?[年月]底|月初|(?:今年|明年|第)(?:第?[1-4]季度)[初末底]?|(?<![租用跑签付满\d])[1-4]季度[初末底]?|(?<![a-z])q[1-4](?: ?\d{4})?[初末底]?"
    rf"|(?<![a-z])(?:{EN_WEEKDAY})(?![a-z])(?: next week)?|{nameless(holidays.NAMES)}(?![a-z]))"
)
_AHEAD = rf"(?<![块元刀钱/每\d.])(?:再?过)?(?:{_N}\s?(?:{_TIME_UNIT})|半个?[年月天]|半小时)(?:之后|以后|后|之内|以内|内)|in (?:about )?(?:an?|{_N}|half an?) (?:hours?|days?|weeks?|months?|years?)|(?:{_N}|an?) (?:days?|weeks?|months?) (?:from now|later)|within (?:an?|{_N}) (?:days?|weeks?|months?)"
_ASAP = r"尽快|马上|立刻|立即|越快越好|越早越好|(?<![a-z])(?:asap|as soon as possible|immediately|right away)(?![a-z])"
_CLOCK = r"(?:\s?(?:上午|下午|早上|晚上|中午)?\s?\d{1,2}(?:点半?|:\d{2})(?:\d{1,2}分)?|,? (?:at )?\d{1,2}(?::\d{2})? ?[ap]m)?"
_DATE_BEFORE = r"(?:(?:从|自|最晚|最迟|最早|大概|大约|at|the|by|before|after|around|about|starting|start(?:ing)? on|from|on|no later than|until)\s+?|(?:从|自|最晚|最迟|最早|大概|大约)){0,2}"
_DATE_AFTER = r"(?:\s?(?:之前|以前|前(?!后|端)|之后|以后|后|左右|前后|开始|起(?!步)|onwards?|at the latest))?"
_FABRIC = r"(?:infini ?band|ib|roce(?: ?v[12])?|ethernet|以太网|nvlink|nv link|网卡)"
_SPEED = r"(?:[kKmMgGtT]i?(?:b|B|bit|byte|Byte|bytes|bits)?\s?(?:ps|/s(?:ec(?:ond)?)?|/秒|每秒钟?| ?per sec(?:ond)?)|万兆|千兆|百兆|[gG]b[eE](?![a-zA-Z]))"
_SAVED = r"(?:存|保存|checkpoints?|ckpts?|检查点|save)"
_EVERY = rf"(?:[每1一]天(?:存|保存)?{_N}次|(?:每隔?|间隔|(?<![a-z])(?:every|each|per|interval(?: is| of)?:?))\s?(?:{_N}\s?[k]?|半个?|half an? |other )?\s?(?:个)?(?:步|steps?|iterations?|epochs?|轮|小时|分钟|天|hours?|minutes?|mins?|days?)|(?<![a-z])(?:hourly|daily)(?![a-z])|(?:{_N}|半)个?(?:小时|分钟|天|步|轮)(?=[1一]次|[1一]存)|(?:once|twice) (?:a|an|per) (?:day|hour))(?:\s?(?:就)?(?:保存|存|写|save)?[1一]?(?:次|个|存)?(?:\s?(?:checkpoint|ckpt|检查点))?)?"
_SIZE = rf"(?:\s?[,，(]?\s?(?:每次|每个|单[个次份]|[一1][个次]|each)?\s?(?:大概|大约|约|about|around|~)?\s?{_UNTIL}{_N}\s?个?{_MEMORY_UNIT}(?:左右)?(?:\s?(?:each|apiece|per (?:checkpoint|save)|一个))?\)?)?"
_CURRENCY = r"(?:美元|美金|刀|人民币|元|块钱?|rmb|cny|usd|dollars?|bucks|欧元|euros?|港币|usdt)"
_PERIOD = r"(?:\s?(?:/|每|一|1|per |an? )\s?(?:gpu|card|卡|张卡?)?\s?(?:/|每|一|1|per |an? )?\s?(?:个?小时|个?月|天|年|hour|hr|h|month|day|year|week)(?![a-z]))?"
_CONTEXT = r"(?:序列(?:长度)?|上下文(?:长度)?|样本长度|(?<![a-z])(?:sequences?(?: lengths?)?|seq(?:[ _]?len(?:gth)?)?|context(?: (?:length|window))?|ctx|max_seq_len)(?![a-z]))"

_FINDERS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, flags))
    for kind, pattern, flags in (
        ("ckpt", rf"(?:{_SAVED}\s?)?(?P<core>{_EVERY}{_SIZE})", 0),
        (
            "bw",
            rf"(?:(?:读写|读取?|写入?|read|write|带宽|bandwidth)\s?(?:速度|吞吐)?(?:要|是|at|of)?\s?)?(?P<core>(?:{_FABRIC} ?)?{_BEFORE}(?:{_N}\s?[x*]\s?)?{_UNTIL}(?:{_N})?\s?{_SPEED}{_AFTER}(?: ?{_FABRIC})?)(?: ?(?:读写|读取?|写入?|read|write))?",
            re.IGNORECASE,
        ),
        (
            "bw",
            rf"(?P<core>(?<![a-z]){_FABRIC}\s?(?:网络?|互联|互连|组网)?\s?(?:[ehnx]dr ?)?{_BEFORE}{_N}\s?[gt](?![a-z]){_AFTER}|{_N}\s?[gt](?![a-z])\s?的?\s?{_FABRIC}(?![a-z])|带宽\s?{_BEFORE}{_N}\s?[gt](?![a-z]){_AFTER}|(?<![a-z])[ehnx]dr(?:\d{{3}})?(?![a-z])(?: {_FABRIC})?)",
            re.IGNORECASE,
        ),
        (
            "tokens",
            rf"{_CONTEXT}\s?(?:是|为|在|of|:|=|大概|大约)?\s?(?P<core>{_BEFORE}(?:{_N}\s?[km]?\s?(?:-|~|到|至|to)\s?)?{_N}\s?[km]?(?![a-z]){_AFTER})",
            0,
        ),
        (
            "tokens",
            rf"(?P<core>{_BEFORE}(?:{_N}\s?[km]?\s?(?:-|~|到|至|to)\s?)?{_N}\s?[km]?\s?(?:的)?(?:-?tokens?(?![a-z])|{_CONTEXT}))",
            0,
        ),
        (
            "params",
            rf"(?P<core>(?<![a-z]){nameless(FAMILY)}[a-z0-9.\-/_ ]{{0,40}}?(?<![\d.a-z])(?:\d{{1,3}}x)?\d+(?:\.\d+)?b(?:-?a\d+(?:\.\d+)?b)?(?:-[a-z0-9.]+)*)(?![a-z])",
            0,
        ),
        (
            "params",
            rf"(?<![a-z\d.-]){_BEFORE}(?P<core>(?:{_N}\s?b?\s?(?:-|~|到|至|to|/|or|或者?|and|和)\s?)?(?:\d{{1,3}}x)?{_N}\s?b(?![a-z])(?:[- ]?a\d+(?:\.\d+)?b(?![a-z]))?){_AFTER}(?:[ -]?(?:params|parameters?|参数量?))?",
            0,
        ),
        (
            "params",
            rf"{_BEFORE}(?P<core>≈?\d{{8,14}}(?:级|左右)?)(?=\s?(?:级|个)?(?:的)?(?:参数|模型|大模型|params?|parameters?|model))",
            0,
        ),
        (
            "mem",
            rf"(?:(?:单卡|每张?卡)\s?(?:显存)?\s?)?{_BEFORE}(?P<core>{_UNTIL}(?:{_N}\s?个?\s?|半个?|half an? |an? (?=tera)){_MEMORY_UNIT}半?){_AFTER}",
            0,
        ),
        (
            "date",
            rf"{_DATE_BEFORE}(?P<core>(?:{_AHEAD}|{_ASAP}|{_DAY})(?:\s?(?:-|~|到|至|to|through)\s?{_DAY}|\s?(?:-|~|到|至)\s?\d{{1,2}}[号日]?)?{_CLOCK}){_DATE_AFTER}",
            0,
        ),
        (
            "dur",
            rf"(?<![\d.a-z第每过钱块元刀/])(?<!每天)(?<!每天[跑用])(?<!每周){_BEFORE}(?P<core>(?:{_UNTIL}(?:(?:{_N}(?:个?半)?\s?-?)|半个?|half an? |an? ){_TIME_UNIT}半?(?: and a half)?|半[年天]|半个月)){_AFTER}(?!\s?(?:之?后|a day|per day|/ ?(?:天|day)|每天|以后|以内|之?内|内|from now|later|ago|一次|1次|服务|在线|不间断|不停|待命|营业))",
            0,
        ),
        ("dur", r"(?P<core>长期(?:租用?|使用|用)?|长租|(?<![a-z])long[ -]term(?![a-z])|(?<![a-z])indefinitely)", 0),
        (
            "pct",
            rf"{_BEFORE}(?P<core>(?:{_N}\s?%?\s?(?:-|~|到|至|to)\s?)?(?:{_N}\s?(?:%|成(?:半|\d)?(?!本|功|员|都|人)|percent)|百分之{_N})){_AFTER}",
            0,
        ),
        ("pct", r"(?P<core>满负荷|满载|(?<![a-z])(?:at )?full (?:load|capacity)(?![a-z]))", 0),
        (
            "money",
            rf"{_BEFORE}(?P<core>(?:[¥$€£]|us\$|hk\$|usd |rmb )\s?{_N}\s?[km]?(?:\s?(?:-|~|到|to)\s?[$¥]?{_N}\s?[km]?)?(?:\s?{_CURRENCY})?{_PERIOD}|{_UNTIL}{_N}\s?[kw]?\s?{_CURRENCY}\d?{_PERIOD}){_AFTER}",
            0,
        ),
        (
            "money",
            rf"(?P<core>(?:预算|budget)(?: (?:is|of))?\s?(?:每个?月|每[天年]|1个月)?\s?{_BEFORE}{_UNTIL}{_N}\s?[kw]?(?:\s?{_CURRENCY})?{_PERIOD}){_AFTER}",
            0,
        ),
    )
)
# A kind that stands earlier wins a place that two kinds claim.
_RANK = {
    kind: rank
    for rank, kind in enumerate(("ckpt", "tokens", "bw", "gpu", "params", "date", "money", "mem", "dur", "pct"))
}
_KEPT = 512
# What a message says over and over is read once.
_READERS: dict[str, Callable[[str], str | None]] = {
    kind: functools.lru_cache(maxsize=_KEPT)(read)
    for kind, read in (
        ("params", read_params),
        ("mem", read_mem),
        ("bw", read_bw),
        ("dur", read_dur),
        ("ckpt", read_ckpt),
        ("pct", read_pct),
        ("tokens", read_tokens),
    )
}
