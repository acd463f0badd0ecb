"""The conversation that proposes and registers a trial instance."""

import re
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Final

from bot import quantities
from bot.checklist.job import card_key
from bot.dialog import aside
from bot.dialog.button import Button
from bot.dialog.effect import Effect, Outcome, RegisterTrial, Show, TellStaff
from bot.dialog.event import Context
from bot.dialog.proposal import checkpoint_minutes
from bot.dialog.screen import MeasureFile, TrialQuestion, TrialRegistered
from bot.dialog.state import Case, Scene, TrialDraft, TrialStep
from bot.estimation import Prices
from bot.quantities import Normal, duration_seconds, memory_gb
from bot.quantities.folding import wording

LONGEST_TRIAL: Final = timedelta(days=90)
"""A trial is short by nature; a longer plan is more likely a misreading."""
LARGEST_DISK_GB: Final = 1_000_000
_SKIPPED: Final = re.compile(r"skip|tbd|unknown|no idea|(?:i )?(?:do not|don't) know|none|跳过|不知道|不清楚|待定|没有")
_AGO: Final = re.compile(
    r"(?:it )?(?:was )?(?:started|began|已经?(?:开机|跑|运行|启动)了?|开机)?\s*(?P<span>.+?)\s*(?:ago|以?前|了)?"
)
_WAS: Final = re.compile(r"ago|started|以?前$|已经?|开机")


def begin(case: Case, argument: str, context: Context) -> Outcome:
    """Propose a trial and ask for its card and count, or take what was written behind the command."""
    opened = _at(case, TrialDraft())
    return answer(opened, argument, context) if argument else _ask(opened)


def question(case: Case) -> TrialQuestion:
    """Return the open question of the registration as a screen."""
    draft = case.state.trial or TrialDraft()
    return TrialQuestion(case.state.owner, draft, case.answers, tries=case.state.tries)


def answer(case: Case, said: str, context: Context) -> Outcome:
    """Take a text as the answer to the registration's open question."""
    draft = case.state.trial or TrialDraft()
    readers = {
        TrialStep.CARDS: _read_cards,
        TrialStep.PRICE: _read_price,
        TrialStep.HOURS: _read_hours,
        TrialStep.STORAGE: _read_storage,
        TrialStep.CHECK: _read_start,
    }
    filled = readers[draft.step](draft, said, context)
    return _ask(aside.tried(case) if filled is None else _at(case, filled))


def press(case: Case, button: Button, context: Context) -> Outcome | None:
    """Carry out a tap inside the registration; None when it does not belong to the open step."""
    draft = case.state.trial
    if case.state.scene is not Scene.TRIAL or draft is None or button.owner != case.state.owner:
        return None
    if button.action == "stop":
        return Outcome(aside.closed(case))
    if button.action == "take" and button.args and button.args[0] == draft.step:
        taken = _taken(draft, button.args[1:])
        if taken is None:
            return None
        moved = _at(case, taken)
        return Outcome(moved, (Show(question(moved), live=True, replace=True),))
    if button.action == "register" and draft.step in (TrialStep.STORAGE, TrialStep.CHECK):
        return _registered(case, draft, context)
    return None


def _registered(case: Case, draft: TrialDraft, context: Context) -> Outcome:
    shown = TrialRegistered(draft.trial(context.now), checkpoint_minutes(case.answers))
    effects: tuple[Effect, ...] = (
        RegisterTrial(draft),
        Show(shown, replace=True),
        Show(MeasureFile()),
        TellStaff(shown),
    )
    return Outcome(aside.closed(case), effects)


def _at(case: Case, draft: TrialDraft) -> Case:
    return aside.opened(case, Scene.TRIAL, trial=draft)


def _ask(case: Case) -> Outcome:
    return Outcome(case, (Show(question(case), live=True),))


def _taken(draft: TrialDraft, args: tuple[str, ...]) -> TrialDraft | None:
    """The draft with a suggestion taken; its codes by step, None for others.

    Cards: count, key and perhaps hours. Price: thousandths and currency. Hours. Storage: GB (0: not known) and perhaps thousandths.
    """
    match draft.step, args:
        case TrialStep.CARDS, (count, key, *hours) if count.isdigit() and card_key(f"model={key}"):
            seconds = float(hours[0]) * 3600 if hours and hours[0].isdigit() else None
            return draft.model_copy(update={"gpus": int(count), "gpu": key, "seconds": seconds})
        case TrialStep.PRICE, (price, currency) if price.isdigit():
            return draft.model_copy(update={"price": Decimal(price) / 1000, "currency": currency})
        case TrialStep.HOURS, (hours,) if hours.isdigit():
            return draft.model_copy(update={"seconds": float(hours) * 3600})
        case TrialStep.STORAGE, (size,) if size.isdigit():
            return draft.model_copy(update={"storage_gb": int(size)})
        case TrialStep.STORAGE, (size, price) if size.isdigit() and price.isdigit():
            return draft.model_copy(update={"storage_gb": int(size), "storage_price": Decimal(price) / 1000})
        case _:
            return None


def _read_cards(draft: TrialDraft, said: str, context: Context) -> TrialDraft | None:
    normal = quantities.parse("gpu", said, now=context.now)
    key = card_key(normal)
    if normal is None or key is None:
        return None
    count = Normal.read(normal).value("count")
    gpus = int(count) if count else 1
    return draft.model_copy(update={"gpu": key, "gpus": gpus}) if gpus > 0 else None


def _read_price(draft: TrialDraft, said: str, context: Context) -> TrialDraft | None:
    money = _money(said, context)
    return None if money is None else draft.model_copy(update={"price": money[1], "currency": money[0]})


def _money(said: str, context: Context) -> tuple[str, Decimal] | None:
    """Currency and amount of a positive price."""
    normal = quantities.parse("money", said, now=context.now, lang=context.locale[:2])
    if normal is None:
        return None
    body = normal.split(";")[0]
    try:
        price = Decimal(body[3:].lstrip("?"))
    except InvalidOperation:
        return None
    return (body[:3], price) if price.is_finite() and price > 0 else None


def _read_hours(draft: TrialDraft, said: str, context: Context) -> TrialDraft | None:
    """A duration (3 hours), or the moment until which it shall run (tomorrow 6 pm)."""
    seconds = duration(said, context)
    until = None if seconds else moment(said, context)
    if seconds is None and until is None:
        return None
    span = timedelta(seconds=seconds) if seconds else (until or context.now) - context.now
    if not timedelta(0) < span <= LONGEST_TRIAL:
        return None
    return draft.model_copy(update={"seconds": seconds, "until": until})


def _read_storage(draft: TrialDraft, said: str, context: Context) -> TrialDraft | None:
    """A size, and perhaps its price: `200 GB, 0.07 USD`; what is not known is left out of the cost."""
    plain = wording(said).strip(" .!。！")
    if _SKIPPED.fullmatch(plain):
        return draft.model_copy(update={"storage_gb": 0})
    began = _read_start(draft, said, context)
    if began is not None:
        return began
    size, _, rest = (
        part.strip() for part in re.sub(r"\s*(?:@|at|每月|,|，|、|;)\s*", ",", plain, count=1).partition(",")
    )
    if draft.storage_gb:
        size, rest = f"{draft.storage_gb} GB", plain
    bounds = memory_gb(quantities.parse("mem", size, now=context.now) or "")
    most = (bounds[1] or bounds[0]) if bounds else None
    if most is None or not 0 < most <= LARGEST_DISK_GB:
        return None
    price = _storage_price(rest, draft.currency, context)
    return (
        None if rest and price is None else draft.model_copy(update={"storage_gb": round(most), "storage_price": price})
    )


def _storage_price(said: str, currency: str, context: Context) -> Decimal | None:
    """The price of a GB and month in the trial's currency; the market's where nothing is said and it is known."""
    if not said:
        side = Prices.default(currency).side
        return side.storage_high or None
    # The unit is known here; what is left is the amount, in the order's currency unless another is named.
    bare = re.sub(
        r"(?:/|per |每|一)?\s*(?:gb|g)?\s*(?:/|per |and |每|一)?\s*(?:month|mo|个?月)$", "", said, flags=re.IGNORECASE
    ).strip()
    # A bare number is in the order's currency, not in the one that its language would suggest.
    found = _money(f"{bare} {currency}" if re.fullmatch(r"[\d.]+", bare) else bare, context)
    return found[1] if found and found[0] == currency else None


def _read_start(draft: TrialDraft, said: str, context: Context) -> TrialDraft | None:
    """At the last look, how long the instance runs already: `started 20 minutes ago`, 已经跑了 20 分钟."""
    plain = wording(said).strip(" .!。！")
    found = _AGO.fullmatch(plain)
    if not found or not _WAS.search(plain):
        return None
    seconds = duration(found["span"], context)
    if seconds is None or timedelta(seconds=seconds) > LONGEST_TRIAL:
        return None
    return draft.model_copy(update={"started_s_ago": seconds})


def duration(said: str, context: Context) -> float | None:
    """Return the seconds that a text means, of a range the longer; None for anything else."""
    normal = quantities.parse("dur", said, now=context.now)
    bounds = duration_seconds(normal) if normal and normal != "LONG" else None
    return (bounds[1] or bounds[0]) if bounds else None


def moment(said: str, context: Context) -> datetime | None:
    """Return the one moment ahead that a text means (tomorrow 6 pm); None for anything else."""
    normal = quantities.parse("remind", re.sub(r"^(?:until|till|到|直到)\s*", "", said), now=context.now)
    if normal is None or not normal.startswith("at="):
        return None
    try:
        return datetime.fromisoformat(normal.removeprefix("at=").split(";")[0])
    except ValueError:
        return None
