"""Reads when to remind: at one moment (tomorrow 6pm) or again and again (每周一上午10点, every other Friday)."""

# ruff: noqa: PLR2004 - at most two moments can be asked about

import re
from datetime import UTC, date, datetime

from bot.quantities import clocktimes, days, durations
from bot.quantities.date_words import LATER
from bot.quantities.dates import joined
from bot.quantities.hedges import trim
from bot.quantities.moments import add, iso, resolve
from bot.quantities.rhythms import is_recurring, read_rhythm
from bot.quantities.wording import LONGEST_ANSWER, canonical

_WRAPPING = re.compile(
    r"(?:请|麻烦|帮我?|帮忙|能不能|可以)*(?:在)?(?:提醒|叫|通知|喊|告诉|ping|call|notify|alert|remind|message|nudge)(?:一下|1下)?\s?(?:我们?|me|us)?(?:一下|1下|一声|1声|一次|1次)?(?:吧)?|设(?:个|1个|置)?(?:提醒|闹钟)|(?:set )?(?:an? )?reminder(?: for)?|(?<![a-z])(?:can|could) you|的时候|时候|发(?:个|1个)?(?:提醒|消息)",
)


def read_remind(text: str, *, now: datetime, lang: str | None = None) -> str | None:
    """Read `at=` a moment, `every=` a rhythm with `on=` and `at=`, or `ask:` two moments."""
    core = canonical(text)
    if len(core) > LONGEST_ANSWER:
        return None
    core = trim(re.sub(r"\s+", " ", _WRAPPING.sub(" ", trim(core))))
    if not core or len(core) > 80:
        return None
    if is_recurring(core):
        return read_rhythm(core)
    moments = _moments(core, now, lang)
    if not moments:
        return None
    texts = [iso(m) for m in moments]
    return f"at={texts[0]}" if len(texts) == 1 else "ask:" + "|".join(texts)


def _moments(core: str, now: datetime, lang: str | None) -> list[datetime]:
    """Give the moments that a phrase without a rhythm may mean; all lie ahead."""
    ahead = _ahead(core, now)
    if ahead is not None:
        return [ahead]
    day_first = None if (lang or "").startswith("en") else False
    rest, zone, possible = clocktimes.take_zone(core)
    rest, clock, possible_clock = clocktimes.take_clock(rest)
    if clock is None or not (possible and possible_clock):
        return []
    where = zone or now.tzinfo or UTC
    rest = joined(rest)
    if not rest:
        return resolve(None, clock, now, where, future=True)
    spans = days.read_day(rest, now.astimezone(where).date(), day_first=day_first)
    if spans is None:
        span = _days_ahead(rest, now)
        spans = [(span, span)] if span else None
    if not spans:
        return []
    moments = resolve(spans, clock, now, where, future=True)
    return moments if len(moments) <= 2 else []


def _ahead(core: str, now: datetime) -> datetime | None:
    """Read 两个小时后, in 3 days, 90 minutes from now."""
    duration = _later(core)
    moment = add(now, duration) if duration else None
    return moment.replace(microsecond=0) if moment else None


def _days_ahead(core: str, now: datetime) -> date | None:
    duration = _later(core)
    if duration is None or duration.seconds:
        return None
    moment = add(now, duration)
    return moment.date() if moment else None


def _later(core: str) -> durations.Duration | None:
    m = LATER.fullmatch(core)
    if not m:
        return None
    text = trim(next(g for g in m.groups() if g))
    duration = durations.parse_duration(re.sub(r"^(?:about|around|大概|大约)\s?", "", text))
    return None if duration is None or duration.length > 366 * 86400 * 5 else duration
