"""The screens that propose and register a trial instance, and hand over the program that measures."""

from decimal import Decimal
from typing import Final

from bot.dialog.button import Button
from bot.dialog.proposal import proposal
from bot.dialog.screen import TrialQuestion, TrialRegistered
from bot.dialog.state import TrialDraft, TrialStep
from bot.estimation import Prices
from bot.i18n import N_, NP_, Texts
from bot.reminders.trial import cents
from bot.telegram.markup import Html, bold, line, lines, paragraphs
from bot.telegram.screens.estimates import card_title, money_span
from bot.telegram.screens.view import Reader, Tap, View

_TROUBLE: Final = {
    TrialStep.CARDS: N_("Sorry, I do not know that card. Write for example: 1 × RTX 4090"),
    TrialStep.PRICE: N_("Sorry, I could not read that price. Write for example: 0.35 USD, or 2.5 元"),
    TrialStep.HOURS: N_("Sorry, I could not read that time. Write for example: 3 hours, or until tomorrow 6 pm"),
    TrialStep.STORAGE: N_("Sorry, I could not read that. Write the size and the price of a GB per month: 100 GB, 0.1"),
    TrialStep.CHECK: N_("Please tap “Register”, or “Do not register”. If it runs already, write: started 20 min ago"),
}
_TROUBLE_DISK_PRICE: Final = N_(
    "Sorry, I could not read that price. Write what one GB costs per month, in the currency of your order ({currency}), for example: 0.7"
)
_OURS: Final = "staff"
"""The basis of a price that this company's staff have set."""
_DISKS_GB: Final = (50, 100, 200)


def trial_question(screen: TrialQuestion, reader: Reader) -> View:
    """One step of the registration."""
    texts, draft = reader.texts, screen.draft
    trouble = _trouble(draft, texts) if screen.tries else None
    body, taps = {
        TrialStep.CARDS: _ask_cards,
        TrialStep.PRICE: _ask_price,
        TrialStep.HOURS: _ask_hours,
        TrialStep.STORAGE: _ask_storage,
        TrialStep.CHECK: _ask_check,
    }[draft.step](screen, reader)
    stop = Tap(texts.text(N_("Do not register")), Button(screen.owner, "stop"))
    return View(paragraphs([trouble, body]), (*((tap,) for tap in taps), (stop,)))


def _trouble(draft: TrialDraft, texts: Texts) -> str:
    if draft.step is TrialStep.STORAGE and draft.storage_gb:
        return texts.text(_TROUBLE_DISK_PRICE, currency=draft.currency)
    return texts.text(_TROUBLE[draft.step])


def trial_registered(screen: TrialRegistered, reader: Reader) -> View:
    """The trial is on; when the reminders will come, and what to do until then."""
    texts, trial = reader.texts, screen.trial
    end = texts.moment(trial.planned_end_at, reader.zone)
    saving = (
        texts.text(
            N_("Every {time} I will remind you to save a checkpoint."),
            time=texts.unit(screen.checkpoint_minutes, "minute"),
        )
        if screen.checkpoint_minutes
        else None
    )
    each = texts.text(N_("{money} per card and hour"), money=texts.money(trial.price_per_gpu_hour, trial.currency))
    disk = disk_line(trial.storage_gb, trial.storage_price_per_gb_month, trial.currency, texts)
    return View(
        paragraphs(
            [
                line("⏱ ", bold(texts.text(N_("Trial registered")))),
                lines(
                    line(f"{trial.gpus} × {card_title(trial.gpu)}", " · ", each),
                    disk,
                    texts.text(N_("Planned end: {moment}"), moment=end),
                ),
                lines(
                    texts.text(N_("I will remind you before the end, at it, and until the instance is destroyed.")),
                    saving,
                ),
                texts.text(N_("Measure the peak memory, tokens per second and the time to write a checkpoint.")),
                texts.text(
                    N_(
                        "Write “stopped”, “data moved”, “verified” and “destroyed” as you get there. /reminders shows what runs."
                    )
                ),
            ]
        )
    )


def disk_line(size_gb: int, price: Decimal, currency: str, texts: Texts) -> str | None:
    """Return the disk in GB with its price for a GB and month; None while nobody has told it."""
    if not size_gb:
        return None
    return texts.text(
        N_("Storage: {size} at {money} per GB and month"),
        size=f"{texts.number(size_gb)} GB",
        money=texts.money(price, currency),
    )


def _ask_cards(screen: TrialQuestion, reader: Reader) -> tuple[Html, list[Tap]]:
    texts = reader.texts
    found = proposal(screen.answers)
    if found is None:
        small = N_("A trial should be small: the smallest card that fits, a few dozen steps. For example: 1 × RTX 4090")
        return lines(bold(texts.text(N_("Which card, and how many?"))), texts.text(small)), []
    cards, hours = f"{found.gpus} × {card_title(found.gpu)}", texts.plural(NP_("{n} hour", "{n} hours"), found.hours)
    band = reader.prices.offered(found.gpu)
    cost = (
        texts.text(
            N_("At our price that is {money}.") if band.basis == _OURS else N_("At market prices that is {money}."),
            money=texts.money(cents(band.median * found.gpus * found.hours), band.currency),
        )
        if band
        else None
    )
    body = paragraphs(
        [
            lines(
                texts.text(
                    N_("For your job I propose the smallest trial that fits: {cards} for {hours}."),
                    cards=cards,
                    hours=hours,
                ),
                cost,
            ),
            texts.text(N_("Measure the peak memory, tokens per second and the time to write a checkpoint.")),
            bold(texts.text(N_("Which card, and how many?"))),
        ]
    )
    codes = (TrialStep.CARDS, str(found.gpus), found.gpu, str(found.hours))
    return body, [Tap(f"{cards} · {hours}", Button(screen.owner, "take", codes))]


def _ask_price(screen: TrialQuestion, reader: Reader) -> tuple[Html, list[Tap]]:
    texts, draft = reader.texts, screen.draft
    body = lines(
        _cards_line(draft, texts),
        bold(texts.text(N_("What does one card cost per hour?"))),
        texts.text(N_("The price on your order; it is locked until you destroy the instance. For example: 0.35 USD")),
    )
    band = reader.prices.offered(draft.gpu or "")
    if band is None:
        return body, []
    name = N_("Our price: {money}") if band.basis == _OURS else N_("Market price: {money}")
    label = texts.text(name, money=texts.money(band.median, band.currency))
    thousandths = str(int(band.median * 1000))
    tap = Tap(label, Button(screen.owner, "take", (TrialStep.PRICE, thousandths, band.currency)))
    if band.basis == _OURS:
        return body, [tap]
    market = texts.text(N_("The market lies at {money}."), money=money_span(band.low, band.high, band.currency, texts))
    return lines(body, market), [tap]


def _ask_hours(screen: TrialQuestion, reader: Reader) -> tuple[Html, list[Tap]]:
    texts = reader.texts
    body = lines(
        _cards_line(screen.draft, texts),
        bold(texts.text(N_("How long will you run it?"))),
        texts.text(N_("For example: 3 hours, until 6 pm, until tomorrow noon.")),
    )
    taps = [
        Tap(
            texts.plural(NP_("{n} hour", "{n} hours"), hours),
            Button(screen.owner, "take", (TrialStep.HOURS, str(hours))),
        )
        for hours in (1, 3, 8)
    ]
    return body, taps


def _ask_storage(screen: TrialQuestion, reader: Reader) -> tuple[Html, list[Tap]]:
    """The last look, with the disk still open: it goes on costing when the instance is stopped, so it is asked, but may be left."""
    texts, draft, owner = reader.texts, screen.draft, screen.owner
    register = Tap(texts.text(N_("✓ Register")), Button(owner, "register"))
    if draft.storage_gb:
        ask = lines(
            bold(texts.text(N_("What does one GB of the disk cost per month?"))),
            texts.text(N_("In the currency of your order, for example: 0.7")),
        )
        return paragraphs([_check(draft, reader), ask]), [register]
    ask = lines(
        bold(texts.text(N_("How large is its disk, and what does a GB cost per month?"))),
        texts.text(
            N_("Storage costs until the instance is destroyed, also while it is stopped. For example: 100 GB, 0.1")
        ),
    )
    price = Prices.default(draft.currency).side.storage_high
    each = texts.money(price, draft.currency)
    taps = [
        Tap(
            texts.text(N_("{size} at {money}"), size=f"{size} GB", money=each),
            Button(owner, "take", (TrialStep.STORAGE, str(size), str(int(price * 1000)))),
        )
        for size in _DISKS_GB
        if price
    ]
    return paragraphs([_check(draft, reader), ask]), [register, *taps]


def _ask_check(screen: TrialQuestion, reader: Reader) -> tuple[Html, list[Tap]]:
    register = Tap(reader.texts.text(N_("✓ Register")), Button(screen.owner, "register"))
    return _check(screen.draft, reader), [register]


def _check(draft: TrialDraft, reader: Reader) -> Html:
    """All that will be registered, and what it will have cost at the planned end."""
    texts, trial = reader.texts, draft.trial(reader.now)
    end = trial.planned_end_at
    price = texts.text(N_("{money} per card and hour"), money=texts.money(trial.price_per_gpu_hour, trial.currency))
    whole = (
        N_("Cost until then: {money}, storage included; traffic comes on top.")
        if trial.storage_gb
        else N_("Compute until then: {money}; storage and traffic come on top.")
    )
    return lines(
        line(_cards_line(draft, texts), " · ", price),
        disk_line(trial.storage_gb, trial.storage_price_per_gb_month, trial.currency, texts),
        texts.text(N_("Started: {moment}"), moment=texts.moment(trial.started_at, reader.zone)),
        texts.text(N_("Planned end: {moment}"), moment=texts.moment(end, reader.zone)),
        texts.text(whole, money=texts.money(trial.cost(end), trial.currency)),
    )


def _cards_line(draft: TrialDraft, texts: Texts) -> str:
    return texts.text(N_("Trial: {cards}"), cards=f"{draft.gpus} × {card_title(draft.gpu or '')}")
