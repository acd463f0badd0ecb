"""The conversation that proposes and registers a trial instance."""

import re
from datetime import timedelta
from decimal import Decimal, InvalidOperation
from typing import Final

from bot import quantities
from bot.checklist.job import card_key
from bot.dialog import aside, times
from bot.dialog.button import Button
from bot.dialog.effect import Effect, Outcome, RegisterTrial, Show, TellStaff
from bot.dialog.event import Context
from bot.dialog.proposal import checkpoint_minutes
from bot.dialog.screen import MeasureFile, TrialQuestion, TrialRegistered
from bot.dialog.state import Case, Scene, TrialDraft, TrialStep
from bot.estimation import Prices
from bot.quantities import Normal, memory_gb
from bot.quantities.folding import wording
from bot.quantities.normal import seconds_of

LONGEST_TRIAL: Final = timedelta(days=90)
"""A trial is short by nature; a longer plan is more likely a misreading."""
LARGEST_DISK_GB: Final = 1_000_000
HIGHEST_PRICE: Final = Decimal(10_000)
"""No card costs that much an hour, nor a GB a month, in any currency here."""
_TENTH_OF_CENT: Final = Decimal("0.001")
_SKIPPED: Final = re.compile(r"skip|tbd|unknown|no idea|(?:i )?(?:do not|don't) know|none|跳过|不知道|不清楚|待定|没有")
_REGISTER: Final = re.compile(r"(?:please |yes,? )?register(?: it)?|(?:请|好的?,?|就)?登记(?:吧|试用)?")
_AGREED: Final = re.compile(
    rf"{_REGISTER.pattern}|yes|y|ok(?:ay)?|sure|correct|that is right|right|go ahead|confirm|是的?|好的?|对的?|可以|确认|没错|没问题|行"
)
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
    if _may_register(draft) and (_REGISTER if draft.step is TrialStep.STORAGE else _AGREED).fullmatch(
        wording(said).strip(" .!。！")
    ):
        return _registered(case, draft, context)
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
    if button.action == "register" and _may_register(draft):
        return _registered(case, draft, context, tapped=True)
    return None


def _may_register(draft: TrialDraft) -> bool:
    return draft.step in (TrialStep.STORAGE, TrialStep.CHECK)


def _registered(case: Case, draft: TrialDraft, context: Context, *, tapped: bool = False) -> Outcome:
    shown = TrialRegistered(draft.trial(context.now), checkpoint_minutes(case.answers))
    effects: tuple[Effect, ...] = (
        RegisterTrial(draft),
        Show(shown, replace=tapped),
        Show(MeasureFile(case.answers)),
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
    """The price of a card and hour; one for a day or longer is brought to the hour, one without a currency to the market."""
    normal = quantities.parse("money", said, now=context.now, lang=context.locale[:2])
    money = _amount(normal)
    if normal is None or money is None:
        return None
    per = Normal.read(normal).parts.get("per", "PT1H")
    hours = Decimal(round(seconds_of(per) or 3600)) / 3600
    currency, price = money[0], money[1] if hours == 1 else (money[1] / hours).quantize(_TENTH_OF_CENT)
    if not 0 < price < HIGHEST_PRICE:
        return None
    if "?" in normal:
        currency = _likelier(currency, price, draft.gpu or "")
    return draft.model_copy(update={"price": price, "currency": currency})


def _likelier(guess: str, price: Decimal, gpu: str) -> str:
    """The currency of a bare number: the guess, unless only the other one brings it near the card's market price."""

    def is_near(currency: str) -> bool:
        band = Prices.default(currency).band(gpu)
        return band is not None and band.low / 2 <= price <= band.high * 2

    other = "USD" if guess == "CNY" else "CNY"
    return other if is_near(other) and not is_near(guess) else guess


def _money(said: str, context: Context) -> tuple[str, Decimal] | None:
    """Currency and amount of a positive price."""
    return _amount(quantities.parse("money", said, now=context.now, lang=context.locale[:2]))


def _amount(normal: str | None) -> tuple[str, Decimal] | None:
    if normal is None:
        return None
    currency, body = normal[:3], normal.split(";")[0][3:].lstrip("?")
    try:
        price = Decimal(body)
    except InvalidOperation:
        return None
    return (currency, price) if price.is_finite() and price > 0 else None


def _read_hours(draft: TrialDraft, said: str, context: Context) -> TrialDraft | None:
    """A duration (3 hours), or the moment until which it shall run (tomorrow 6 pm)."""
    seconds = times.duration(said, context)
    until = None if seconds else times.moment(said, context)
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
    return found[1] if found and found[0] == currency and found[1] < HIGHEST_PRICE else None


def _read_start(draft: TrialDraft, said: str, context: Context) -> TrialDraft | None:
    """At the last look, how long the instance runs already: `started 20 minutes ago`, 已经跑了 20 分钟."""
    plain = wording(said).strip(" .!。！")
    found = _AGO.fullmatch(plain)
    if not found or not _WAS.search(plain):
        return None
    seconds = times.duration(found["span"], context)
    if seconds is None or timedelta(seconds=seconds) > LONGEST_TRIAL:
        return None
    return draft.model_copy(update={"started_s_ago": seconds})
