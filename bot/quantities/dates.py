"""Reads when something starts: days, periods, limits, ranges, "in three days", "as soon as possible"."""

# ruff: noqa: PLR2004 - lengths of a list are plainest as numbers

import re
from datetime import UTC, date, datetime, timedelta

from bot.quantities import clocktimes, days, durations
from bot.quantities import date_words as words
from bot.quantities.hedges import trim
from bot.quantities.moments import add, as_date, from_iso, iso, resolve
from bot.quantities.normal import compose
from bot.quantities.wording import canonical

_FARTHEST = 5 * 366 * 86400
_Options = list[tuple[date | datetime | None, date | datetime | None]]


def read_date(text: str, *, now: datetime, lang: str | None = None) -> str | None:
    """Read a date, a date-time, a range, `ASAP` or `ANY`; `now` gives the day and the zone."""
    canon = canonical(text)
    core = _plain(canon)
    for spelling in (core, words.THANKS.sub("", canon).strip(" .。!,~")):
        if words.ASAP.fullmatch(spelling):
            return "ASAP"
        if words.ANY.fullmatch(spelling):
            return "ANY"
    if core in words.NEW_YEAR:
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


def _plain(core: str) -> str:
    """Take off politeness but leave 在, from and by, which say how the date is meant."""
    core = words.ORDINAL_WORD.sub(lambda m: f"{words.ORDINALS.index(m[1]) + 1}th", core.strip().replace("元月", "1月"))
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
            for pattern in words.ABOUT:
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
        m = words.WITHIN.fullmatch(core)
        if m:
            ends = self._ends(trim(m["a"] or m["b"]))
            return [(None, ends[-1])] if ends else None
        m = words.LATER.fullmatch(core)
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
            parts = [from_iso(a.text) for a in reading.amounts]
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
        between = bool(words.BETWEEN.search(core))
        inner = words.BETWEEN.sub("", core)
        inner = re.sub(r"^(?:from|从|自)\s*", "", inner)
        for m in (words.AND if between and not words.RANGE.search(inner) else words.RANGE).finditer(inner):
            if words.ISO_HEAD.fullmatch(inner[: m.start()]) and m[0] == "-":
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
        if as_date(high[1]) < as_date(anchor):
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
                found = [f for f in reader._single(candidate) or () if after is None or as_date(f[1]) >= after]
                if after is not None and len(found) > 1 and as_date(found[0][0]) == after:
                    found = found[1:]
                if len(found) == 1:
                    self.approx |= reader.approx
                    return found[0]
        return None

    def _limit(self, core: str) -> _Options | None:
        for patterns, latest in ((words.LATEST, True), (words.EARLIEST, False)):
            for pattern in patterns:
                m = pattern.search(core)
                if not m or m.end() - m.start() >= len(core):
                    continue
                rest = self._unhedge(trim(core[: m.start()] + " " + core[m.end() :]))
                rest = words.START_ENDS.sub("", rest) or rest
                if pattern is words.EARLIEST[0] and m[0].startswith("from") and not words.ONWARDS.search(rest):
                    continue
                rest = words.ONWARDS.sub("", re.sub(r"^(?:from|从)\s*", "", rest))
                found = self._single(rest)
                if found:
                    return [f for low, high in found if (f := self._bounded(low, high, m[0].strip(), latest=latest))]
        return None

    def _bounded(
        self, low: date | datetime | None, high: date | datetime | None, word: str, *, latest: bool
    ) -> tuple[date | datetime | None, date | datetime | None] | None:
        """Bound by a day, which counts itself, or by a period: before next week is up to Sunday, by next week a week more."""
        if low is None or high is None or low == high or word.startswith(words.COUNTS_ITSELF):
            return (None, high) if latest else (low, None)
        if word in ("以后", "以前"):
            return None  # 12月以后 may begin on its first day or after its last
        if latest:
            last = as_date(low) - timedelta(days=1)
            return (None, last) if last >= self.now.date() else None
        return as_date(high) + timedelta(days=1), None

    def _start(self, core: str) -> _Options | None:
        rest = trim(words.START_ENDS.sub("", words.START.sub("", core)))
        if not rest or rest == core:
            return None
        rest = self._unhedge(rest)
        return self._single(rest) or self._range(rest) or self._limit(rest) or self._start(rest)

    def _choice(self, core: str) -> _Options | None:
        texts = words.OR.split(core)
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


def _around_new_year(core: str, today: date) -> str | None:
    spring = days.read_day("春节", today, day_first=False)
    if not spring:
        return None
    return words.NEW_YEAR[core].format(year=today.year, next=today.year + 1, spring=spring[0][0].isoformat())


def _write(low: date | datetime | None, high: date | datetime | None) -> str:
    if low == high and low is not None:
        return iso(low)
    return f"{iso(low) if low else ''}..{iso(high) if high else ''}"
