"""Finds in a message the wish to be reminded: when, and of what."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot import quantities
from bot.quantities import Normal
from bot.quantities.folding import simplified
from bot.reminders.loose_times import begins_with_time, ends_with_time, from_now, is_time, loosely, parted_at_end
from bot.reminders.phrases import parted_at_start, plainly
from bot.reminders.rhythm import next_of

LONGEST: Final = 300
"""Characters; a longer message is no reminder."""
_TRIGGER: Final = re.compile(
    r"(?:请|麻烦你?|帮我|帮忙|能不能|可以|记得|到时候?|的时候)*(?:提醒|叫|通知|喊)(?:一下|1下)?(?:我们?)(?:一下|一声)?"
    r"|(?:请|帮我)?(?:设|定|加|建|设置|设定)(?:一?个|置)?(?:提醒|闹钟)|别让我忘了"
    r"|(?:please |can you |could you |pls )*(?<![a-z])(?:remind|ping|nudge|alert) (?:me|us)(?![a-z])"
    r"|(?<![a-z])(?:please )?set (?:me )?(?:up )?a reminder(?: for me)?(?![a-z])",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"^(?:(?:to|that|about|of|for|i (?:need|have) to|that i (?:need|have) to)(?![a-z'])|去|要|别忘了?|不要忘了?|请(?!假)|记得|麻烦|(?:wake|call) me(?: up)?(?![a-z])|：|:|,|，|-|–|一下)\s*",
    re.IGNORECASE,
)
_NOT: Final = re.compile(r"(?:别|不要|不用|不必|勿|don't|do not|never|stop)\s*(?:再)?$", re.IGNORECASE)
_BEFORE_TIME: Final = re.compile(r"^(?:for|on|在|到)\s*", re.IGNORECASE)
_ENDS_IN_WEEK: Final = re.compile(r"(?:周|星期|礼拜)$")
_BEGINS_WITH_ITS_DAY: Final = re.compile(r"[一二三四五六日天末1-6]")
"""每周 | 五下班前: the day was cut from its week."""
_VAGUE: Final = re.compile(
    r"(?:a (?:bit|little) )?later|soon|sometime|in a (?:bit|while)|晚点|稍后|回头|以后|之后|等会儿?|过会儿?|一会儿?",
    re.IGNORECASE,
)
_TAIL: Final = re.compile(r"[\s,，.。!！;；:：]+$")
_HEAD: Final = re.compile(r"^[\s,，.。!！;；:：]+")


@dataclass(frozen=True)
class Wish:
    """A wish to be reminded: `rule` is a `remind` form or "" when no time was understood, `readings` the moments it may mean."""

    text: str
    rule: str = ""
    readings: tuple[str, ...] = ()


def wish_in(said: str, now: datetime) -> Wish | None:
    """Return the wish in a message that asks to be reminded; None for a message that does not.

    `now` bears the customer's zone. "每天早上9点提醒我存检查点" is the rule every=P1D;at=09:00 with the text 存检查点.
    """
    plain = said.strip() if len(said) <= LONGEST else ""
    words = simplified(plain)
    trigger = _TRIGGER.search(words)
    if trigger is None or _NOT.search(words[: trigger.start()]):
        return None
    return wish_from(plain[: trigger.start()], plain[trigger.end() :], now)


def rule_changed(old: str, new: str, said: str, now: datetime) -> str:
    """Return the rule that a change of a repeating one means: a new rhythm keeps the time of day, a bare time of day the rhythm.

    "9:30" for every=P1W;on=MO;at=09:00 is every=P1W;on=MO;at=09:30, and "every day" is every=P1D;at=09:00.
    """
    before, after = Normal.read(old).parts, Normal.read(new).parts
    if "every" not in before or before["every"].startswith("PT"):
        return new
    daily = quantities.parse("remind", f"每天{said}", now=now) or quantities.parse(
        "remind", f"every day at {said}", now=now
    )
    if "every" not in after and daily:
        return _rule({**before, "at": Normal.read(daily).parts.get("at", "")})
    if "at" not in after and "at" in before and not after.get("every", "PT").startswith("PT"):
        return _rule({**after, "at": before["at"]})
    return new


def _rule(parts: dict[str, str]) -> str:
    return ";".join(f"{name}={parts[name]}" for name in ("every", "on", "at", "until") if parts.get(name))


def wish_from(before: str, after: str, now: datetime) -> Wish:
    """Return the wish in what stands before and after its verb; the longest stretch that reads as a time is the time.

    A time of which only a part was understood is none: what is left must not name a time of its own beside it. What names a part of
    a day, a day alone or only how long counts where nothing is more exact: tonight is 20:00, 明天 is 9:00, "2 hours" from now.
    """
    (before, not_today), (after, nor_today) = (parted_at_start(plainly(_clean(part), now)) for part in (before, after))
    before, until_before = parted_at_end(before, now)
    after, until_after = parted_at_end(after, now)
    until = until_before or until_after
    for reads in (_exactly, loosely):
        for split in _splits(before, after):
            form = None if split.is_partial else reads(_BEFORE_TIME.sub("", split.when), now)
            if form is None or ((until or not_today or nor_today) and not form.startswith("every=")):
                continue
            if (not_today or nor_today) and _is_today(form, now):
                continue
            wish = _wish(f"{form};until={until}" if until else form, split.what, now)
            if wish is not None:
                return wish
    said = f"{before} {after}".strip()
    ahead = from_now(said, now)
    # What is nothing but a time is no text, even where no time was understood.
    return Wish("", ahead) if ahead else Wish("" if is_time(said) or _VAGUE.fullmatch(_what(said)) else _what(said))


@dataclass(frozen=True)
class _Split:
    """One way to part a message: the time, and what stands on its left and right.

    `verb_left` and `verb_right` tell that the verb stood between the time and that side: 明天提醒我 | 9 点.
    """

    when: str
    left: str = ""
    right: str = ""
    verb_left: bool = False
    verb_right: bool = False

    @property
    def what(self) -> str:
        return f"{self.left} {self.right}"

    @property
    def is_partial(self) -> bool:
        """Whether what is left goes on with the time: every month | on the last day."""
        left = is_time(self.left) if self.verb_left else ends_with_time(self.left)
        right = is_time(self.right) if self.verb_right else begins_with_time(self.right)
        return left or right or bool(_ENDS_IN_WEEK.search(self.when) and _BEGINS_WITH_ITS_DAY.match(self.right))


def _is_today(form: str, now: datetime) -> bool:
    due_at = next_of(form, now, now.tzinfo, now) if now.tzinfo else None
    return due_at is not None and due_at.astimezone(now.tzinfo).date() == now.date()


def _exactly(when: str, now: datetime) -> str | None:
    return quantities.parse("remind", when, now=now)


def _wish(form: str, what: str, now: datetime) -> Wish | None:
    """The wish for a form, all of whose moments must lie ahead."""
    readings = tuple(f"at={moment}" for moment in form[4:].split("|")) if form.startswith("ask:") else (form,)
    if not all(next_of(reading, now, now.tzinfo, now) is not None for reading in readings if now.tzinfo):
        return None
    text = _what(what)
    return Wish(text, form) if len(readings) == 1 else Wish(text, "", readings)


def _splits(before: str, after: str) -> Iterator[_Split]:
    """Ways to part a message into when and what, the likeliest first."""
    if before and after:
        yield _Split(f"{before} {after}")
        for cut in reversed(_cuts(after)):
            yield _Split(f"{before} {after[:cut]}", right=after[cut:])
    if before:
        yield _Split(before, right=after, verb_right=True)
        for cut in _cuts(before):
            yield _Split(before[cut:], before[:cut], after, verb_right=True)
    if after:
        yield _Split(after, before, verb_left=True)
        for cut in reversed(_cuts(after)):
            yield _Split(after[:cut], before, after[cut:], verb_left=True)
        for cut in _cuts(after):
            yield _Split(after[cut:], f"{before} {after[:cut]}")


def _cuts(text: str) -> list[int]:
    """Places where a text may be cut: between words, and beside every Han character."""
    return [
        i
        for i in range(1, len(text))
        if text[i] in " ,，"
        or text[i - 1] in " ,，"
        or "\u3400" <= text[i] <= "\u9fff"
        or "\u3400" <= text[i - 1] <= "\u9fff"
    ]


def _clean(text: str) -> str:
    return _HEAD.sub("", _TAIL.sub("", text.strip()))


def _what(text: str) -> str:
    plain = _clean(re.sub(r"\s+", " ", text))
    while True:
        shorter = _clean(_LEAD.sub("", plain))
        if shorter == plain:
            return plain
        plain = shorter
