"""Requests: drafts that are being filled, and confirmed ones."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.checklist.answer import Answers
from bot.desk.request import RequestState
from bot.storage.tables import REQUEST


@dataclass(frozen=True)
class StoredRequest:
    """A request as stored."""

    id: int
    state: RequestState
    answers: Answers


async def newest(tx: AsyncConnection, customer_id: int) -> StoredRequest | None:
    """Return a customer's newest request that was not set aside; None when there is none."""
    row = (await tx.execute(_NEWEST, {"customer": customer_id})).first()
    return StoredRequest(row.id, RequestState(row.state), Answers.load(row.answers)) if row else None


async def touched_at(tx: AsyncConnection, customer_id: int) -> datetime:
    """Return when a customer's newest request was last written; raises NoResultFound when there is none."""
    moment: datetime = (await tx.execute(_TOUCHED, {"customer": customer_id})).scalar_one()
    return moment


async def open_draft(tx: AsyncConnection, customer_id: int, now: datetime) -> StoredRequest:
    """Open an empty draft."""
    empty = Answers()
    made = await tx.execute(
        insert(REQUEST)
        .values(
            customer_id=customer_id,
            state=RequestState.DRAFT,
            answers=empty.dump(),
            notes=[],
            created_at=now,
            updated_at=now,
        )
        .returning(REQUEST.c.id)
    )
    return StoredRequest(int(made.scalar_one()), RequestState.DRAFT, empty)


async def set_aside(tx: AsyncConnection, request_id: int, now: datetime) -> None:
    """Put a draft away for a new one; it is kept."""
    await tx.execute(
        update(REQUEST)
        .where(REQUEST.c.id == request_id, REQUEST.c.state == RequestState.DRAFT)
        .values(state=RequestState.SET_ASIDE, updated_at=now)
    )


async def notes_of(tx: AsyncConnection, request_id: int) -> tuple[str, ...]:
    """Return what the customer said beside the checklist, oldest first."""
    found = await tx.execute(select(REQUEST.c.notes).where(REQUEST.c.id == request_id))
    return tuple(found.scalar_one_or_none() or ())


async def add_note(tx: AsyncConnection, request_id: int, note: str) -> None:
    """Keep a word of the customer's with the request, for staff to read."""
    notes = (await tx.execute(select(REQUEST.c.notes).where(REQUEST.c.id == request_id).with_for_update())).scalar_one()
    await tx.execute(update(REQUEST).where(REQUEST.c.id == request_id).values(notes=[*notes, note]))


_NEWEST: Final = (
    select(REQUEST.c.id, REQUEST.c.state, REQUEST.c.answers)
    .where(REQUEST.c.customer_id == bindparam("customer"), REQUEST.c.state != RequestState.SET_ASIDE)
    .order_by(REQUEST.c.id.desc())
    .limit(1)
)
_TOUCHED: Final = _NEWEST.with_only_columns(REQUEST.c.updated_at)
