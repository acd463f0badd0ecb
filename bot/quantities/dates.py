"""Reads when something starts: days, periods, limits, ranges, "in three days", "as soon as possible"."""

# ruff: noqa: PLR2004 - hours of a day and lengths of a list are plainest as numbers

import re
from datetime import UTC, date, datetime, timedelta, tzinfo

from dateutil.relativedelta import relativedelta

from bot.quantities import clocktimes, days, durations
from bot.quantities.clocktimes import Clock
from bot.quantities.durations import Duration
from bot.quantities.hedges import Peeled, trim
from bot.quantities.normal import compose
from bot.quantities.wording import canonical

_ASAP = re.compile(
    r"(?:越|愈)(?:快|早)(?:越|愈)好|尽快|尽早|马上|立刻|立即|即刻|现在|赶紧|赶快|速度|急用|急需|很急|非常急|加急|立马|现在就要|今天就要|马上就要|(?:尽快|立刻|马上|现在|立即)(?:就)?(?:开始|开通|上线|用|要|开|启动|交付|能用)*|即日起?|随时(?:可以)?开始|最快|最快速度|能多快就?多快|越快越好,?最好今天"
    r"|(?:starting |start |begin )?(?:a\.?s\.?a\.?p\.?|as (?:soon|early|quickly|fast) as (?:possible|we can|you can)|(?:right |straight )?(?:away|now)|immediately|at once|instantly|(?:the )?(?:sooner|earlier|faster) the better|soonest|(?:very |it's )?urgent(?:ly)?|earliest(?: possible)?|the earliest|first available|quickly|right this minute)",
)
_ANY = re.compile(
    r"随时(?:都行|都可以|可以|都)?|任何时候|任意时间|什么时候都(?:行|可以)|哪天都(?:行|可以)|都(?:行|可以)|时间(?:不限|灵活|随意|随便)|不急|不着急|随便|无所谓|不限(?:时间)?|看你们(?:安排|时间|方便)?"
    r"|any ?time|any ?day|whenever(?: (?:is )?(?:convenient|works|possible|you (?:can|want|like)))?|(?:i'm |we're |dates? (?:is|are) )?flexible|no rush|no hurry|any date|doesn't matter|not urgent|up to you",
)
_VERBS = r"(?:开始|起租|启动|开工|上线|交付|开跑|进场|开通|开机|能用|使用|用|租|要|可以|训练|就|开|到位|拿到|ready|start(?:ing)?|begin(?:ning)?|live|available|go live|kick ?off)"
_START = re.compile(
    r"^(?:(?:从|自|在|于|打算|计划|定在|开始时间|时间|日期|起租日|最好|最好是|就|那就)\s*|(?:(?:we )?(?:start(?:ing)?|begin(?:ning)?|commencing|from|as of|effective|on|at|start date|date|say|to start|kick off)(?: (?:on|from|in|at|is|by))?(?![a-z])[\s:]*))+(?=\S)"
)
_START_ENDS = re.compile(rf"(?:\s*(?:(?:就)?{_VERBS}(?:起|吧)?|起|那天|当天|(?<![a-z])(?:start|or so)))+$")
_ABOUT = (
    re.compile(
        r"^(?:大概|大约|约莫|约|差不多|估计|可能|预计|应该|(?:about|around|approximately|approx\.?|roughly|probably|maybe|perhaps|circa|sometime|some time|likely)(?![a-z])(?: (?:in|on|around|about))?|≈|~)\s*(?:在|是)?\s*"
    ),
    re.compile(
        r"\s*(?:左右|前后|附近|上下|(?<![a-z])(?:or so|or thereabouts|give or take|approx(?:imately)?|roughly|ish|ideally)|-ish)$"
    ),
)
_LATEST = (
    re.compile(
        r"^(?:最晚|最迟|不晚于|不迟于|截止到?|截至|赶在|争取在?|(?:by|until|till|before|no later than|not later than|at the latest|latest(?: by)?|due|prior to|up to|on or before)(?![a-z]))\s*(?:the )?(?:在|到|是)?\s*"
    ),
    re.compile(
        r"\s*(?:之前|以前|前|之内|以内|内|截止|为止|(?<![a-z])(?:at (?:the )?(?:very )?latest|or (?:earlier|sooner|before)|latest|deadline))$"
    ),
)
_EARLIEST = (
    re.compile(
        r"^(?:过完|过了|最早|最快|不早于|不会早于|(?:after|since|not before|no earlier than|not earlier than|earliest(?: is)?|any ?time after|from|sometime after)(?![a-z]))\s*(?:在|到|是|从)?\s*"
    ),
    re.compile(
        r"\s*(?:之后|以后|过后|后|往后|起往后|(?<![a-z])(?:onwards?|or later|or after|and (?:after|later|onwards?|beyond)|at the earliest|earliest))$"
    ),
)
_ONWARDS = re.compile(r"\s*(?<![a-z])onwards?$")
_RANGE = re.compile(r"\s*(?:--?|~|到|至|(?<![a-z])(?:to|until|till|through|thru)(?![a-z]))\s*")
_AND = re.compile(r"\s*(?:和|与|跟|(?<![a-z])and(?![a-z]))\s*")
_ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
]
_ORDINAL_WORD = re.compile(
    rf"(?<![a-z-])({'|'.join(_ORDINALS)})(?= (?:of )?(?:(?:{'|'.join(days.MONTHS)})(?![a-z])|(?:next|this|every|each) month))"
)
_THANKS = re.compile(r"^嗯+[,\s]*|[\s,。.!~]*(?:谢谢|thanks?(?: you)?|please|吧|啊|呢|了|[。.!~])*$")
_ISO_HEAD = re.compile(r"\d{4}(?:[-/.]\d{1,2})?")
_BETWEEN = re.compile(r"^(?:between|介于|在)\s*|\s*(?:之间|期间)$")
_OR = re.compile(r"\s*(?:或者?是?|还是|(?<![a-z])or(?![a-z]))\s*")
LATER = re.compile(
    r"^(?:再?过(?P<a>.+?)(?:之后|以后|后)?|(?P<b>.+?)(?:之后|以后|过后|后)|(?:in|after) (?P<c>.+?)(?:'s?)?(?: time)?|(?P<d>.+?) (?:later|from (?:now|today)|hence|out))$",
)
_WITHIN = re.compile(
    r"^(?:未来|今后|接下来|在)?(?P<a>.+?)(?:之内|以内|内)$|^(?:within|in the next|over the next|during the next|sometime in the next)(?: the)?(?: next)? (?P<b>.+)$"
)
# Limits of which the whole period is part.
_COUNTS_ITSELF = (
    "by",
    "until",
    "till",
    "up to",
    "on or before",
    "no later",
    "not later",
    "at the latest",
    "latest",
    "due",
    "最晚",
    "最迟",
    "不晚于",
    "不迟于",
    "截",
    "之内",
    "以内",
    "内",
    "or ",
    "onward",
    "最早",
    "最快",
    "不早于",
    "不会早于",
    "not before",
    "no earlier",
    "not earlier",
    "earliest",
    "at the earliest",
    "from",
    "since",
    "起往后",
    "往后",
    "and later",
    "and onward",
    "deadline",
    "赶",
    "争取",
)
_FARTHEST = 5 * 366 * 86400
_NEW_YEAR = {
    "年前": "ask:..{year}-12-31|..{spring}",
    "过年前": "..{spring}",
    "年后": "ask:{next}-01-01..|{spring}..",
    "过完年": "{spring}..",
    "过年后": "{spring}..",
    "过年以后": "{spring}..",
}

_Options = list[tuple[date | datetime | None, date | datetime | None]]


def read_date(text: str, *, now: datetime, lang: str | None = None) -> str | None:
    """Read a date, a date-time, a range, `ASAP` or `ANY`; `now` gives the day and the zone."""
    canon = canonical(text)
    core = _plain(canon)
    for spelling in (core, _THANKS.sub("", canon).strip(" .。!,~")):
        if _ASAP.fullmatch(spelling):
            return "ASAP"
        if _ANY.fullmatch(spelling):
            return "ANY"
    if core in _NEW_YEAR:
        return _around_new_year(core, now.date())
    reader = _Reader(now, lang)
    found = reader.read(core)
    if not found:
        return None
    texts = list(dict.fromkeys(_write(low, high) for low, high in found))
    form = texts[0] if len(texts) == 1 else "ask:" + "|".join(texts)
    if reader.either and len(texts) > 1:
        form = "any=" + "|".join(texts)
    return compose(form, approx=reader.approx)


def add(moment: datetime, duration: Duration) -> datetime | None:
    """Add calendar parts in local time and hours in real time; None beyond the calendar."""
    try:
        local = moment + relativedelta(months=duration.months, days=duration.days)
        if not duration.seconds:
            return local
        return (local.astimezone(UTC) + timedelta(seconds=duration.seconds)).astimezone(moment.tzinfo)
    except (OverflowError, ValueError):
        return None


def resolve(spans: days.Spans | None, clock: Clock, now: datetime, zone: tzinfo, *, future: bool) -> list[datetime]:
    """Join days and a time of day: the moments that may be meant, in order, or none.

    Without a day the next such time is meant. An hour that may be either half of the day is taken as it stands from seven to
    twelve on a named day, and gives both readings otherwise.
    """
    here = now.astimezone(zone)
    if spans is None:
        return _next_times(clock, here)
    found: list[datetime] = []
    for first, last in spans:
        if first != last:
            return []
        readings = [clock.on(first, zone)]
        if not clock.sure:
            other = clock.later().on(first, zone)
            usual = 7 <= clock.hour <= 12
            readings = readings if usual and readings[0] and readings[0] > here else [*readings, other]
        found += [r for r in readings if r and (r > here or not (future or not clock.sure))]
    return sorted(dict.fromkeys(found))


def _next_times(clock: Clock, here: datetime) -> list[datetime]:
    found = []
    for reading in (clock,) if clock.sure else (clock, clock.later()):
        today = Clock(reading.hour, reading.minute, reading.second)
        moments = (today.on(here.date() + timedelta(days=shift), here.tzinfo or UTC) for shift in (0, 1))
        found += [next((m for m in moments if m and m > here), None)]
    return sorted(m for m in found if m)


def _plain(core: str) -> str:
    """Take off politeness but leave 在, from and by, which say how the date is meant."""
    core = _ORDINAL_WORD.sub(lambda m: f"{_ORDINALS.index(m[1]) + 1}th", core.strip().replace("元月", "1月"))
    cut = trim(core)
    while cut:
        shorter = trim(re.sub(r"(?:开始|启动|起租)(?:使用|训练|用|租)(?:吧)?$", "开始", cut))
        if shorter == cut:
            break
        cut = shorter
    return cut


class _Reader:
    """Reads one phrase; collects on the way whether it was hedged."""

    def __init__(self, now: datetime, lang: str | None) -> None:
        self.now = now
        self.today = now.date()
        self.day_first: bool | None = None if (lang or "").startswith("en") else False
        self.approx = False
        self.either = False

    def read(self, core: str) -> _Options | None:
        core = self._unhedge(core)
        if not core or len(core) > 80:
            return None
        return self._single(core) or self._range(core) or self._limit(core) or self._start(core) or self._choice(core)

    def _unhedge(self, core: str) -> str:
        before = None
        while before != core:
            before = core
            for pattern in _ABOUT:
                m = pattern.search(core)
                if m and m.end() - m.start() < len(core):
                    self.approx = True
                    core = trim(core[: m.start()] + core[m.end() :])
        return core

    def _single(self, core: str) -> _Options | None:
        spans = days.read_day(core, self.today, day_first=self.day_first)
        if spans is not None:
            return [(low, high) for low, high in spans] or None
        return self._offset(core) or self._with_time(core)

    def _offset(self, core: str) -> _Options | None:
        m = _WITHIN.fullmatch(core)
        if m:
            ends = self._ends(trim(m["a"] or m["b"]))
            return [(None, ends[-1])] if ends else None
        m = LATER.fullmatch(core)
        if not m:
            return None
        text = next(g for g in m.groups() if g)
        ends = self._ends(self._unhedge(text))
        return [(ends[0], ends[-1])] if ends else None

    def _ends(self, text: str) -> list[date | datetime]:
        """Give the day, or the two days, that lie a duration ahead."""
        text = durations.IDIOMS.get(text, text)
        parts = [durations.parse_duration(text)]
        if parts == [None]:
            reading = durations.read_reading(text)
            if reading is None or reading.shape != "range":
                return []
            parts = [_from_iso(a.text) for a in reading.amounts]
        found: list[date | datetime] = []
        for part in parts:
            moment = add(self.now, part) if part and part.length <= _FARTHEST else None
            if moment is None or part is None:
                return []
            self.approx |= part.approx
            found.append(moment if part.seconds and part.seconds % 86400 else moment.date())
        return found

    def _with_time(self, core: str) -> _Options | None:
        rest, zone, possible = clocktimes.take_zone(core)
        rest, clock, possible_clock = clocktimes.take_clock(rest)
        if not (possible and possible_clock):
            return None
        if clock is None:
            rest, part = clocktimes.part_of_day(rest)
            spans = days.read_day(trim(rest), self.today, day_first=self.day_first) if rest and (part or zone) else None
            return [(low, high) for low, high in spans] if spans else None
        here = self.now.astimezone(zone) if zone else self.now
        spans = None
        if rest:
            spans = days.read_day(joined(rest), here.date(), day_first=self.day_first)
            if not spans:
                offset = self._offset(trim(rest))
                if not offset or not isinstance(offset[0][0], date) or isinstance(offset[0][0], datetime):
                    return None
                spans = [(offset[0][0], offset[0][0])] if offset[0][0] == offset[0][1] else None
                if spans is None:
                    return None
        moments = resolve(spans, clock, self.now, zone or self.now.tzinfo or UTC, future=False)
        return [(m, m) for m in moments] or None

    def _range(self, core: str) -> _Options | None:
        between = bool(_BETWEEN.search(core))
        inner = _BETWEEN.sub("", core)
        inner = re.sub(r"^(?:from|从|自)\s*", "", inner)
        for m in (_AND if between and not _RANGE.search(inner) else _RANGE).finditer(inner):
            if _ISO_HEAD.fullmatch(inner[: m.start()]) and m[0] == "-":
                continue
            ends = self._two_ends(trim(inner[: m.start()]), trim(inner[m.end() :]))
            if ends:
                return ends
        return None

    def _two_ends(self, left: str, right: str) -> _Options | None:
        low = self._end(left, right=right)
        if low is None:
            return None
        anchor = low[0]
        assert anchor is not None
        high = self._end(right, after=anchor.date() if isinstance(anchor, datetime) else anchor, left=left)
        if high is None or high[1] is None:
            return None
        if _as_date(high[1]) < _as_date(anchor):
            return None
        return [(anchor, high[1])]

    def _end(
        self, text: str, *, after: date | None = None, left: str = "", right: str = ""
    ) -> tuple[date | datetime | None, date | datetime | None] | None:
        """Read one end of a range; it may lean on the other: 12月1号到15号, Dec 1-15, 下周一到周五, 1-2月."""
        for candidate in _leaning(text, left, right):
            # 到后天 is told from today, 到周五 from the first day.
            for today in dict.fromkeys((self.today, after or self.today)):
                reader = _Reader(self.now, "zh" if self.day_first is False else "en")
                reader.today = today
                found = [f for f in reader._single(candidate) or () if after is None or _as_date(f[1]) >= after]
                if after is not None and len(found) > 1 and _as_date(found[0][0]) == after:
                    found = found[1:]
                if len(found) == 1:
                    self.approx |= reader.approx
                    return found[0]
        return None

    def _limit(self, core: str) -> _Options | None:
        for patterns, latest in ((_LATEST, True), (_EARLIEST, False)):
            for pattern in patterns:
                m = pattern.search(core)
                if not m or m.end() - m.start() >= len(core):
                    continue
                rest = self._unhedge(trim(core[: m.start()] + " " + core[m.end() :]))
                rest = _START_ENDS.sub("", rest) or rest
                if pattern is _EARLIEST[0] and m[0].startswith("from") and not _ONWARDS.search(rest):
                    continue
                rest = _ONWARDS.sub("", re.sub(r"^(?:from|从)\s*", "", rest))
                found = self._single(rest)
                if found:
                    return [f for low, high in found if (f := self._bounded(low, high, m[0].strip(), latest=latest))]
        return None

    def _bounded(
        self, low: date | datetime | None, high: date | datetime | None, word: str, *, latest: bool
    ) -> tuple[date | datetime | None, date | datetime | None] | None:
        """Bound by a day, which counts itself, or by a period: before next week is up to Sunday, by next week a week more."""
        if low is None or high is None or low == high or word.startswith(_COUNTS_ITSELF):
            return (None, high) if latest else (low, None)
        if word in ("以后", "以前"):
            return None  # 12月以后 may begin on its first day or after its last
        if latest:
            last = _as_date(low) - timedelta(days=1)
            return (None, last) if last >= self.now.date() else None
        return _as_date(high) + timedelta(days=1), None

    def _start(self, core: str) -> _Options | None:
        rest = trim(_START_ENDS.sub("", _START.sub("", core)))
        if not rest or rest == core:
            return None
        rest = self._unhedge(rest)
        return self._single(rest) or self._range(rest) or self._limit(rest) or self._start(rest)

    def _choice(self, core: str) -> _Options | None:
        texts = _OR.split(core)
        if len(texts) != 2:
            return None
        found = [self._single(trim(t)) for t in texts]
        if not all(f and len(f) == 1 for f in found):
            return None
        self.either = True
        return [f[0] for f in found if f]


def _leaning(text: str, left: str, right: str) -> list[str]:
    """Give the readings of one end of a range, with what the other end lends it."""
    candidates = [text]
    bare = re.fullmatch(r"\d{1,2}(?:st|nd|rd|th)?", text)
    tail = re.fullmatch(r"\d{1,2}(?:st|nd|rd|th)?\s?(?P<tail>月份?|号|日|(?:of )?[a-z]+(?: \d{4})?)", right)
    if bare and tail:
        candidates.append(f"{text}{' ' if tail['tail'][0].isascii() else ''}{tail['tail']}")
    head = re.match(r"(?P<head>.*?)\d{1,2}(?:st|nd|rd|th)?(?P<tail>号|日|月)?(?:,? \d{4})?$", left)
    if bare and head:
        candidates.append(f"{head['head']}{text}{head['tail'] or ''}")
    year = re.match(r"\d{4}(?=[-/.年])", left)
    separator = re.match(r"\d{1,2}([-/.月])", text)
    if year and separator:
        candidates.insert(0, f"{year[0]}{'年' if separator[1] == '月' else separator[1]}{text}")
    return candidates


def joined(rest: str) -> str:
    """Tidy what is left of a phrase when the time of day is cut out."""
    rest = re.sub(r"^(?:on|at|the)\s+(?=\S)|\s+(?:at|on|of)$", "", trim(rest))
    return trim(re.sub(r"\(\s*\)", "", rest))


def _from_iso(text: str) -> Duration | None:
    m = re.fullmatch(r"P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?", text)
    if not m:
        return None
    y, mo, w, d, h, mi, s = (int(g or 0) for g in m.groups())
    return Duration(12 * y + mo, 7 * w + d, 3600 * h + 60 * mi + s)


def _as_date(value: date | datetime | None) -> date:
    assert value is not None
    return value.date() if isinstance(value, datetime) else value


def _around_new_year(core: str, today: date) -> str | None:
    spring = days.read_day("春节", today, day_first=False)
    if not spring:
        return None
    return _NEW_YEAR[core].format(year=today.year, next=today.year + 1, spring=spring[0][0].isoformat())


def _write(low: date | datetime | None, high: date | datetime | None) -> str:
    if low == high and low is not None:
        return iso(low)
    return f"{iso(low) if low else ''}..{iso(high) if high else ''}"


def iso(value: date | datetime) -> str:
    """Write a date, or a date-time with its offset and no idle seconds."""
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds" if value.second else "minutes")
    return value.isoformat()


__all__ = ["Peeled", "add", "iso", "read_date", "resolve"]
