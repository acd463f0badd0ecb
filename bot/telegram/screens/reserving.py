"""The picture beside the advice on reserving: what each way to pay costs over the utilization."""

from typing import Final

from bot.checklist.job import request_from
from bot.dialog.screen import CostChart
from bot.estimation.cost import break_even
from bot.i18n import N_
from bot.telegram.markup import line
from bot.telegram.screens.estimates import card_title, worked_out
from bot.telegram.screens.view import Reader, View

_ADVICE: Final = frozenset({"on_demand_cheaper", "reserve_cheaper", "reserve_baseline"})
"""Reasons of a plan that speak of reserving."""


def cost_chart(screen: CostChart, reader: Reader) -> View | None:
    """The cost of the recommended cards over the utilization, drawn when it is sent; None where no plan advises on reserving."""
    request, answer, texts = request_from(screen.answers), worked_out(screen.answers, reader), reader.texts
    if request is None or answer is None:
        return None
    plan = next((plan for plan in answer.plans if plan.cost is not None and _ADVICE & set(plan.reasons)), None)
    if plan is None or plan.cost is None:
        return None
    per_hour = (plan.cost.per_hour_low + plan.cost.per_hour_high) / 2
    told = (
        N_("A baseline reserved pays from {share} utilization on. Reckoned with {money} per hour for all cards.")
        if request.load == "bursty"
        else N_("A reservation pays from {share} utilization on. Reckoned with {money} per hour for all cards.")
    )
    about = {
        "cards": f"{plan.gpus} × {card_title(plan.gpu)}",
        "currency": plan.cost.currency,
        "per_hour": str(per_hour),
        "load": request.load,
        "utilization": request.utilization,
    }
    share, money = texts.percent(break_even(request.load)), texts.money(per_hour, plan.cost.currency)
    return View(
        line(texts.text(told, share=share, money=money)), picture={"reserve": about, "locale": reader.texts.locale}
    )
