"""THE LIST of commands: their names, who has them, and their menu texts."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.i18n import N_


class Audience(StrEnum):
    """Who sees and may use a command."""

    CUSTOMER = "customer"
    STAFF = "staff"


@dataclass(frozen=True)
class Command:
    """One command; `menu` is the English text of the menu, at most 256 characters in every language."""

    name: str
    menu: str
    audience: Audience = Audience.CUSTOMER


COMMANDS: Final[tuple[Command, ...]] = (
    Command("start", N_("Begin, or go on with the checklist")),
    Command("estimate", N_("Cards, memory, time and cost for what is known")),
    Command("template", N_("The checklist as a form, to fill in and paste back")),
    Command("export", N_("The checklist as a document: Markdown and JSON")),
    Command("trial", N_("Register a trial instance and be reminded to destroy it")),
    Command("remind", N_("Set a reminder of your own: /remind in 90 min")),
    Command("reminders", N_("Your running trials and reminders")),
    Command("timezone", N_("Set your time zone: /timezone Berlin")),
    Command("status", N_("Where your request stands")),
    Command("human", N_("Talk to a person")),
    Command("language", N_("中文 / English")),
    Command("cancel", N_("Pause; nothing is lost")),
    Command("help", N_("What this bot can do")),
    Command("privacy", N_("What is stored, and who reads it")),
    Command("delete_me", N_("Delete everything stored about you")),
    Command("price", N_("Set today's price of a card: /price H100 2.9 USD"), Audience.STAFF),
    Command("prices", N_("Show the prices set by staff"), Audience.STAFF),
)


def of(audience: Audience) -> tuple[Command, ...]:
    """Return the commands of one audience, in menu order."""
    return tuple(command for command in COMMANDS if command.audience is audience)
