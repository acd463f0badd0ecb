"""Lists that stand by themselves in the chat, and the turning of their pages; what they list is looked up anew each time."""

from collections.abc import Callable
from typing import Final

from bot.dialog import pages, reminding
from bot.dialog.button import Button
from bot.dialog.effect import Outcome, Show, Toast
from bot.dialog.event import Context
from bot.dialog.screen import ReminderList, StatusReport
from bot.dialog.state import Case
from bot.i18n import N_

LISTS: Final = "list"
"""The owner of their buttons, which belong to no dialog."""
OPEN: Final = "open"
"""The action of a button that shows a list in a message of its own."""


def report(case: Case, context: Context, page: int = 0) -> StatusReport:
    """Return where the request stands, with a page of the trials that run."""
    return StatusReport(case.answers, str(case.request_state), context.trials, page)


def kept(_case: Case, context: Context, page: int = 0) -> ReminderList:
    """Return a page of what runs and of what is kept."""
    return reminding.listed(context, page)


_SCREENS: Final[dict[str, Callable[[Case, Context, int], ReminderList | StatusReport]]] = {
    "kept": kept,
    "status": report,
}
"""Every such list by the name that its buttons bear."""


def press(case: Case, button: Button, context: Context) -> Outcome | None:
    """Show another page in place of the one there, or a list as a new message; None for buttons of no list."""
    if button.owner != LISTS:
        return None
    name = button.args[0] if button.args else ""
    shows, number = _SCREENS.get(name), pages.turned(button, name)
    if shows is not None and number is not None:
        return Outcome(case, (Show(shows(case, context, number), replace=True),))
    if shows is not None and button.action == OPEN:
        return Outcome(case, (Show(shows(case, context, 0)),))
    return Outcome(case, (Toast(N_("That button does nothing any more.")),))
