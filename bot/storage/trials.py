"""Trial instances, their reminders, and prices set by staff."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from sqlalchemy import func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.reminders import trial as pure
from bot.reminders.kinds import DESTROY, ReminderKind
from bot.reminders.rules import occurrence_key
from bot.storage.tables import PRICE, REMINDER, TRIAL
from bot.storage.upsert import insert_for


async def register(
    tx: AsyncConnection,
    *,
    customer_id: int,
    gpu: str,
    gpus: int,
    price: Decimal,
    currency: str,
    runs_for: timedelta,
    now: datetime,
) -> int:
    """Store a trial that starts now, with its reminder at the planned end; returns its id."""
    end = now + runs_for
    made = await tx.execute(
        insert(TRIAL)
        .values(
            customer_id=customer_id,
            gpu=gpu,
            gpus=gpus,
            price_per_gpu_hour=price,
            currency=currency,
            started_at=now,
            planned_end_at=end,
        )
        .returning(TRIAL.c.id)
    )
    trial_id = int(made.scalar_one())
    await remind(tx, DESTROY, customer_id=customer_id, trial_id=trial_id, due_at=end)
    return trial_id


async def running(tx: AsyncConnection, customer_id: int) -> tuple[pure.Trial, ...]:
    """Return a customer's trials that still cost money, oldest first."""
    rows = await tx.execute(
        select(TRIAL).where(TRIAL.c.customer_id == customer_id, TRIAL.c.destroyed_at.is_(None)).order_by(TRIAL.c.id)
    )
    return tuple(_pure(row) for row in rows)


async def trial_of(tx: AsyncConnection, trial_id: int) -> pure.Trial | None:
    """Return a trial by its id."""
    row = (await tx.execute(select(TRIAL).where(TRIAL.c.id == trial_id))).first()
    return _pure(row) if row else None


async def destroy(tx: AsyncConnection, customer_id: int, trial_id: int, now: datetime) -> None:
    """Close a customer's trial and settle its reminders."""
    await tx.execute(
        update(TRIAL)
        .where(TRIAL.c.id == trial_id, TRIAL.c.customer_id == customer_id, TRIAL.c.destroyed_at.is_(None))
        .values(destroyed_at=now)
    )
    await settle(tx, customer_id, trial_id, now)


async def settle(tx: AsyncConnection, customer_id: int, trial_id: int, now: datetime) -> None:
    """Let no open reminder of a trial fall due any more."""
    await tx.execute(
        update(REMINDER)
        .where(REMINDER.c.trial_id == trial_id, REMINDER.c.customer_id == customer_id, REMINDER.c.done_at.is_(None))
        .values(done_at=now)
    )


async def remind(
    tx: AsyncConnection,
    kind: ReminderKind,
    *,
    customer_id: int,
    trial_id: int,
    due_at: datetime,
    times_sent: int = 0,
) -> None:
    """Write one occurrence of a trial's reminder; the same one for the same moment is written once."""
    key = occurrence_key(kind.code, str(trial_id), due_at)
    await tx.execute(
        insert_for(tx, REMINDER)
        .values(
            key=key, kind=kind.code, customer_id=customer_id, trial_id=trial_id, due_at=due_at, times_sent=times_sent
        )
        .on_conflict_do_nothing(index_elements=["key"])
    )


@dataclass(frozen=True)
class DueReminder:
    """An occurrence whose time has come."""

    id: int
    kind: str
    customer_id: int
    trial_id: int | None
    due_at: datetime
    times_sent: int


async def claim_due(tx: AsyncConnection, now: datetime, limit: int) -> list[DueReminder]:
    """Lock due occurrences for this transaction, longest due first; another copy skips them."""
    rows = await tx.execute(
        select(REMINDER)
        .where(REMINDER.c.done_at.is_(None), REMINDER.c.paused_at.is_(None), REMINDER.c.due_at <= now)
        .order_by(REMINDER.c.due_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    return [DueReminder(row.id, row.kind, row.customer_id, row.trial_id, row.due_at, row.times_sent) for row in rows]


async def finish_reminder(tx: AsyncConnection, reminder_id: int, now: datetime) -> None:
    """Mark an occurrence as sent."""
    await tx.execute(
        update(REMINDER).where(REMINDER.c.id == reminder_id).values(done_at=now, times_sent=REMINDER.c.times_sent + 1)
    )


async def nothing_due(tx: AsyncConnection, now: datetime) -> bool:
    """Whether no reminder waits to be sent by now."""
    due = select(REMINDER.c.id).where(
        REMINDER.c.done_at.is_(None), REMINDER.c.paused_at.is_(None), REMINDER.c.due_at <= now
    )
    return (await tx.execute(due.limit(1))).first() is None


async def due_and_late(tx: AsyncConnection, now: datetime, late: datetime) -> tuple[int, int]:
    """Return how many reminders are due by now, and how many of them were due by an earlier moment."""
    due = select(func.count(), func.count().filter(REMINDER.c.due_at <= late)).where(
        REMINDER.c.done_at.is_(None), REMINDER.c.paused_at.is_(None), REMINDER.c.due_at <= now
    )
    row = (await tx.execute(due)).one()
    return int(row[0]), int(row[1])


async def set_price(
    tx: AsyncConnection, *, gpu: str, price: Decimal, currency: str, set_by: int, now: datetime
) -> None:
    """Set today's price of a card; the ones before stay as history."""
    await tx.execute(
        insert(PRICE).values(gpu=gpu, price_per_gpu_hour=price, currency=currency, set_by=set_by, set_at=now)
    )


async def staff_prices(tx: AsyncConnection) -> tuple[Mapping[str, tuple[Decimal, str]], datetime | None]:
    """Return each card's newest staff price with its currency, and when the newest of all was set."""
    newest = select(func.max(PRICE.c.id)).group_by(PRICE.c.gpu)
    rows = (
        await tx.execute(
            select(PRICE.c.gpu, PRICE.c.price_per_gpu_hour, PRICE.c.currency, PRICE.c.set_at).where(
                PRICE.c.id.in_(newest)
            )
        )
    ).all()
    as_of = max((row.set_at for row in rows), default=None)
    return {row.gpu: (row.price_per_gpu_hour, row.currency) for row in rows}, as_of


def _pure(row: object) -> pure.Trial:
    names = ("id", "gpu", "gpus", "price_per_gpu_hour", "currency", "started_at", "planned_end_at", "destroyed_at")
    return pure.Trial(**{name: getattr(row, name) for name in names})
