"""What the handling of one update reads of its customer and writes back, in one statement each: a statement costs more than what it does."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import bindparam, exists, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.checklist.answer import Answers
from bot.desk.request import RequestState
from bot.storage.people import Person, StoredDialog, person_from
from bot.storage.reminders import ANSWERABLE
from bot.storage.requests import StoredRequest
from bot.storage.tables import CUSTOMER, DIALOG, PRICE, REMINDER, REQUEST, SERIES, TRIAL


@dataclass(frozen=True)
class Found:
    """A customer with their newest request, and whether there is more to read: most have no trial and no reminder."""

    person: Person
    request: StoredRequest | None
    has_trials: bool
    has_series: bool
    has_answerable: bool
    has_prices: bool


async def find(tx: AsyncConnection, customer_ids: Collection[int], now: datetime) -> dict[int, Found]:
    """Return what is stored about customers, of those whom we know. Read it under their dialogs' locks."""
    rows = await tx.execute(_FIND, {"customers": list(customer_ids), "since": now - ANSWERABLE})
    return {row.id: _found(row) for row in rows}


def _found(row: Any) -> Found:
    request = None
    if row.request_id is not None:
        request = StoredRequest(row.request_id, RequestState(row.request_state), Answers.load(row.request_answers))
    return Found(
        person_from(row), request, row.has_trials, row.has_series, row.has_answerable, has_prices=row.has_prices
    )


async def save(tx: AsyncConnection, dialog: StoredDialog, request: StoredRequest | None, now: datetime) -> None:
    """Write a dialog back, and its request when that has changed; the first confirmation sets the request's time."""
    values: dict[str, Any] = {"chat": dialog.chat_id, "new": dialog.state, "live": dialog.live, "now": now}
    if request is None:
        await tx.execute(_SAVE_DIALOG, values)
        return
    values |= {"row": request.id, "to": request.state, "answers": request.answers.dump()}
    for statement in _SAVE_BOTH[tx.dialect.name, request.state is RequestState.CONFIRMED]:
        await tx.execute(statement, values)


_SAVE_DIALOG: Final = (
    update(DIALOG)
    .where(DIALOG.c.chat_id == bindparam("chat"))
    .values(state=bindparam("new"), live_outbox_id=bindparam("live"), updated_at=bindparam("now"))
)
_SAVE_REQUEST: Final = (
    update(REQUEST)
    .where(REQUEST.c.id == bindparam("row"))
    .values(state=bindparam("to"), answers=bindparam("answers"), updated_at=bindparam("now"))
)
_CONFIRM: Final = _SAVE_REQUEST.values(confirmed_at=bindparam("now"))
# PostgreSQL writes both tables in one statement, and so in one round trip; SQLite has neither such statements nor round trips.
_SAVE_BOTH: Final = {
    ("postgresql", False): (_SAVE_REQUEST.add_cte(_SAVE_DIALOG.cte("saved")),),
    ("postgresql", True): (_CONFIRM.add_cte(_SAVE_DIALOG.cte("saved")),),
    ("sqlite", False): (_SAVE_DIALOG, _SAVE_REQUEST),
    ("sqlite", True): (_SAVE_DIALOG, _CONFIRM),
}
_ANY = REQUEST.alias()
_NEWEST = (
    select(func.max(_ANY.c.id))
    .where(_ANY.c.customer_id == CUSTOMER.c.id, _ANY.c.state != RequestState.SET_ASIDE)
    .correlate(CUSTOMER)
    .scalar_subquery()
)
_FIND: Final = (
    select(
        CUSTOMER,
        REQUEST.c.id.label("request_id"),
        REQUEST.c.state.label("request_state"),
        REQUEST.c.answers.label("request_answers"),
        exists().where(TRIAL.c.customer_id == CUSTOMER.c.id, TRIAL.c.destroyed_at.is_(None)).label("has_trials"),
        exists().where(SERIES.c.customer_id == CUSTOMER.c.id, SERIES.c.ended_at.is_(None)).label("has_series"),
        exists()
        .where(
            REMINDER.c.customer_id == CUSTOMER.c.id,
            REMINDER.c.done_at > bindparam("since", type_=REMINDER.c.done_at.type),
            REMINDER.c.answered_at.is_(None),
        )
        .label("has_answerable"),
        select(func.max(PRICE.c.id)).scalar_subquery().is_not(None).label("has_prices"),
    )
    .select_from(CUSTOMER.outerjoin(REQUEST, REQUEST.c.id == _NEWEST))
    .where(CUSTOMER.c.id.in_(bindparam("customers", expanding=True)))
)
