"""Reads lengths of time: 一个半月 is 45 days, 两三个月 a range, 长期 open-ended."""

import re
from dataclasses import dataclass
from decimal import Decimal

from bot.quantities import amounts
from bot.quantities.amounts import Amount
from bot.quantities.digits import plain
from bot.quantities.hedges import peel, trim
from bot.quantities.normal import compose
from bot.quantities.wording import canonical, decimal

# Unit, what people write for it, and the next smaller unit into which a fraction goes. A month is 30 days where it must be cut.
_UNITS = (
    ("Y", r"年|years?|yrs?|y", 12, "M"),
    ("Q", r"个?季度|个季|quarters?|qtrs?", 3, "M"),
    ("M", r"个?自然月|个月|(?<=[半多来])月|months?|mths?|mos?|mon", 30, "D"),
    ("F", r"fortnights?", 2, "W"),
    ("W", r"个?星期|个?礼拜|个?周|weeks?|wks?|w", 7, "D"),
    ("D", r"个?自然日|天|日|days?|d", 24, "H"),
    ("H", r"个?小时|个?钟头|个钟|hours?|hrs?|h", 60, "N"),
    ("N", r"分钟|分|minutes?|mins?", 60, "S"),
    ("S", r"秒钟?|seconds?|secs?|s", 1, ""),
)
_DIVISIONS = {name: (size, smaller) for name, _, size, smaller in _UNITS}
_SECONDS = {
    "Y": 365 * 86400,
    "Q": 90 * 86400,
    "M": 30 * 86400,
    "F": 14 * 86400,
    "W": 7 * 86400,
    "D": 86400,
    "H": 3600,
    "N": 60,
    "S": 1,
}
_LONGEST = 100 * 365 * 86400
_UNIT = "|".join(f"(?P<{name}>{words})" for name, words, _, _ in _UNITS)
_ANY_UNIT = "(?:" + "|".join(words for _, words, _, _ in _UNITS) + ")"
_TERM = re.compile(
    rf"(?P<about>≈)?(?:(?P<n>\d+(?:,\d{{3}})*(?:\.\d+)?|\.\d+)(?:个?(?P<half>半)|(?P<more>个?[多来])(?=[^\d])|\s?-)?|(?P<part>半|half(?: an?)?|an? half|1半)|(?P<a>an?)|(?P<quarter>(?:an? )?quarter of an?|3 quarters of an?))"
    rf"[\s-]?(?:{_UNIT})(?![a-z])(?P<tail>半| and (?:a half|half)|多|来|余)?",
)
_JOIN = re.compile(r"\s*(?:零|又|加|and|,|\s)?\s*")
_HOURS_AND_M = re.compile(r"(?<=h)\s?(\d+)\s?m(?![a-z])")
_QUARTER_HOURS = re.compile(r"(\d)刻钟")
_WEEK_OR_TWO = re.compile(rf"(?:an?|1) (?P<unit>{_ANY_UNIT}) or 2(?: {_ANY_UNIT})?")
_A_MONTH_OR_SO = {
    "个把月": "1个月",
    "个把星期": "1个星期",
    "个把礼拜": "1个星期",
    "个把小时": "1个小时",
    "小半年": "半年",
    "月余": "1个月",
}
IDIOMS = {"10天半个月": "10天到15天", "10天半月": "10天到15天", "1年半载": "半年到1年"}
_LONG = re.compile(
    r"长期(?:使用|租用?|租赁|稳定|合作|用|持有|运行|跑|需求|项目)*|长租|一直(?:用|租|跑)*|永久|常年|无限期|不限期|不限时间?|没有期限|长时间|长久|long[ -]?term(?: use| rental| lease)?|(?:for )?(?:the )?long[ -]?(?:term|haul|run)|indefinite(?:ly)?"
    r"|permanent(?:ly)?|ongoing|open[ -]?ended|as long as possible|forever|no end date|continuous(?:ly)?|until further notice|for good",
)
NOUNS = re.compile(
    r"(?:租期|租用|租赁|租|用|跑|训练|周期|时长|时间|期限|为期|使用|持续|连续|总共|一共|共计|共|预留|项目|合同期?|签|包|试用|整|长|练|微调)+(?:是|为|上|满|个(?!月|小|星|礼|季|周))?"
    r"|(?<![a-z])(?:for|lasting|lasts?|rent(?:al|ing)?|contract|commitment|commit to|period|term|duration|project|reservation|lease|run(?:ning)?(?: for)?|total|in total|worth|long|of(?: training| use)?|training|the next|next|a total of|full|whole|straight|time|about)(?![a-z])",
)
_MINUTES_OR_MONTHS = re.compile(r"(\d+)\s?m")


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of time in calendar parts; `seconds` counts hours, minutes and seconds only."""

    months: int = 0
    days: int = 0
    seconds: int = 0
    approx: bool = False

    @property
    def length(self) -> int:
        """All of it in seconds, a month counted as 30 days and a year as 365."""
        years, months = divmod(self.months, 12)
        return ((years * 365) + months * 30 + self.days) * 86400 + self.seconds


def read_dur(text: str) -> str | None:
    """Read a duration as ISO 8601, a range, alternatives, or `LONG`."""
    core = decimal(canonical(text))
    if is_long(core):
        return "LONG"
    return write(read_reading(core))


def is_long(core: str) -> bool:
    """Whether the answer says "long term" without a length."""
    return bool(_LONG.fullmatch(trim(core)))


def read_reading(core: str) -> amounts.Reading | None:
    """Read canonical text as one or more durations; the printed text of each is ISO 8601, or `?` for minutes or months."""
    peeled = peel(core, NOUNS)
    text = peeled.core
    if text in _A_MONTH_OR_SO:
        amount = one(_A_MONTH_OR_SO[text])
        return amounts.Reading(peeled.bound or "one", (amount,), approx=True) if amount else None
    m = _WEEK_OR_TWO.fullmatch(text)
    text = f"1-2 {m['unit']}" if m else IDIOMS.get(text, text)
    reading = amounts.read(type(peeled)(text, peeled.approx, peeled.bound, peeled.either), one, counted=True)
    if reading is None and re.search(r"\d\s?(?:个)?\s?(?:以上|以内|左右)", text):
        return None
    return reading


def write(reading: amounts.Reading | None) -> str | None:
    """Write what `read_reading` found as a normal form."""
    if reading is None:
        return None
    texts = [a.text for a in reading.amounts]
    if "?" in texts:
        minutes = plain(reading.amounts[0].value)
        return f"ask:PT{minutes}M|P{minutes}M" if reading.shape == "one" else None
    form = {
        "one": texts[0],
        "range": "..".join(texts),
        "any": "any=" + "|".join(texts),
        "min": f"{texts[0]}..",
        "max": f"..{texts[0]}",
    }
    return compose(form[reading.shape], approx=reading.approx)


def one(core: str) -> Amount | None:
    """Read one duration, possibly of several terms (1小时30分); the value is its length in seconds."""
    core = core.strip()
    if re.fullmatch(r"\d+(?:\.\d+)?", core):
        return Amount(Decimal(core))
    m = _MINUTES_OR_MONTHS.fullmatch(core)
    if m and int(m[1]):
        return Amount(Decimal(m[1]), "dur", text="?")
    terms = _terms(core)
    if not terms:
        return None
    duration = combine(terms)
    if duration is None or not 0 < duration.length <= _LONGEST:
        return None
    text = iso_of(*terms[0]) if len(terms) == 1 else _iso_terms(terms)
    return (
        Amount(Decimal(duration.length), "dur", duration.approx or "≈" in core or _loose(core), text) if text else None
    )


def parse_duration(core: str) -> Duration | None:
    """Read one duration of canonical text in calendar parts, for arithmetic with dates."""
    core = decimal(core.strip())
    core = _A_MONTH_OR_SO.get(core, core)
    terms = _terms(core)
    duration = combine(terms) if terms else None
    if duration is None or not 0 < duration.length <= _LONGEST:
        return None
    approx = duration.approx or "≈" in core or _loose(core)
    return Duration(duration.months, duration.days, duration.seconds, approx)


def combine(terms: list[tuple[Decimal, str]]) -> Duration | None:
    """Add terms such as (1, "H") and (30, "N"); None where a fraction cannot be cut into whole seconds."""
    months = days = seconds = 0
    approx = False
    for number, unit in terms:
        n, u = number, unit
        while n != int(n) and u != "S":
            approx |= u == "M"  # a fraction of a month has no exact length
            size, u = _DIVISIONS[u]
            n *= size
        if n != int(n) or n > _LONGEST:
            return None
        whole = int(n)
        months += whole * {"Y": 12, "Q": 3, "M": 1}.get(u, 0)
        days += whole * {"F": 14, "W": 7, "D": 1}.get(u, 0)
        seconds += whole * {"H": 3600, "N": 60, "S": 1}.get(u, 0)
    return Duration(months, days, seconds, approx)


def iso_of(number: Decimal, unit: str) -> str | None:
    """Write one term as ISO 8601; a fraction moves into the next smaller unit, so 1.5 years is P18M."""
    while number != int(number) and unit != "S":
        size, unit = _DIVISIONS[unit]
        number *= size
    if number != int(number):
        return None
    if unit in "QF":
        number, unit = number * _DIVISIONS[unit][0], _DIVISIONS[unit][1]
    text = plain(number)
    return f"P{text}{unit}" if unit in "YMWD" else f"PT{text}{'M' if unit == 'N' else unit}"


def _iso_terms(terms: list[tuple[Decimal, str]]) -> str | None:
    duration = combine(terms)
    if duration is None:
        return None
    years, months = divmod(duration.months, 12)
    hours, rest = divmod(duration.seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    day = "".join(f"{n}{u}" for n, u in ((years, "Y"), (months, "M"), (duration.days, "D")) if n)
    clock = "".join(f"{n}{u}" for n, u in ((hours, "H"), (minutes, "M"), (seconds, "S")) if n)
    return "P" + day + ("T" + clock if clock else "")


def _terms(core: str) -> list[tuple[Decimal, str]]:
    """Cut a text into terms of falling size; empty when anything is left over."""
    core = _HOURS_AND_M.sub(r"\1min", core)
    core = _QUARTER_HOURS.sub(lambda m: f"{int(m[1]) * 15}分钟", core)
    terms: list[tuple[Decimal, str]] = []
    at = 0
    while at < len(core):
        m = _TERM.match(core, at)
        if not m:
            return []
        unit = next(name for name, *_ in _UNITS if m[name])
        if terms and _SECONDS[unit] >= _SECONDS[terms[-1][1]]:
            return []
        terms.append((_count(m), unit))
        at = m.end()
        join = _JOIN.match(core, at)
        at = join.end() if join and join.end() < len(core) else at
    return terms


def _count(m: re.Match[str]) -> Decimal:
    if m["quarter"]:
        return Decimal("0.75") if m["quarter"].startswith("3") else Decimal("0.25")
    number = Decimal(1) if m["a"] else Decimal("0.5") if m["part"] else Decimal(m["n"].replace(",", ""))
    if m["part"] == "1半":
        number = Decimal("0.5")
    halved = m["half"] or (m["tail"] and ("半" in m["tail"] or "half" in m["tail"]))
    return number + Decimal("0.5") if halved else number


def _loose(core: str) -> bool:
    return bool(re.search(r"[多来余]", core))
