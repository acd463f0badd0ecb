"""Trial instances, and prices set by staff."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from sqlalchemy import bindparam, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.estimation import Prices
from bot.reminders.trial import Trial
from bot.storage.tables import PRICE, TRIAL


async def register(tx: AsyncConnection, customer_id: int, trial: Trial) -> int:
    """Store a new trial (its id does not count); returns its id."""
    made = await tx.execute(insert(TRIAL).values(customer_id=customer_id, **_columns(trial)).returning(TRIAL.c.id))
    return int(made.scalar_one())


async def running(tx: AsyncConnection, customer_id: int) -> tuple[Trial, ...]:
    """Return a customer's trials that still cost money, oldest first."""
    rows = await tx.execute(_RUNNING, {"customer": customer_id})
    return tuple(_pure(row) for row in rows)


async def trial_of(tx: AsyncConnection, trial_id: int) -> Trial | None:
    """Return a trial by its id."""
    row = (await tx.execute(select(TRIAL).where(TRIAL.c.id == trial_id))).first()
    return _pure(row) if row else None


async def save(tx: AsyncConnection, customer_id: int, trial: Trial) -> None:
    """Write a customer's trial back; one that is destroyed already stays as it is."""
    await tx.execute(
        update(TRIAL)
        .where(TRIAL.c.id == trial.id, TRIAL.c.customer_id == customer_id, TRIAL.c.destroyed_at.is_(None))
        .values(**_columns(trial))
    )


async def set_price(
    tx: AsyncConnection, *, gpu: str, price: Decimal, currency: str, set_by: int, now: datetime
) -> None:
    """Set today's price of a card; the ones before stay as history."""
    await tx.execute(
        insert(PRICE).values(gpu=gpu, price_per_gpu_hour=price, currency=currency, set_by=set_by, set_at=now)
    )


async def staff_prices(tx: AsyncConnection) -> tuple[Mapping[str, tuple[Decimal, str]], datetime | None]:
    """Return each card's newest staff price with its currency, and when the newest of all was set."""
    rows = (await tx.execute(_PRICES)).all()
    as_of = max((row.set_at for row in rows), default=None)
    return {row.gpu: (row.price_per_gpu_hour, row.currency) for row in rows}, as_of


async def todays_prices(tx: AsyncConnection) -> Prices:
    """Return the market's prices with the staff's over them."""
    staff, as_of = await staff_prices(tx)
    market = Prices.default()
    return market.with_staff(staff, as_of.date().isoformat()) if as_of else market


def _columns(trial: Trial) -> dict[str, Any]:
    values = asdict(trial)
    del values["id"]
    stops = [[since.isoformat(), to.isoformat() if to else None] for since, to in trial.stops]
    return {**values, "stops": stops}


def _pure(row: Any) -> Trial:
    names = [name for name in Trial.__dataclass_fields__ if name != "stops"]
    stops = tuple((datetime.fromisoformat(a), datetime.fromisoformat(b) if b else None) for a, b in row.stops)
    return Trial(**{name: getattr(row, name) for name in names}, stops=stops)


# What every update needs is built once: to build a statement takes longer than to run it.
_RUNNING: Final = (
    select(TRIAL)
    .where(TRIAL.c.customer_id == bindparam("customer"), TRIAL.c.destroyed_at.is_(None))
    .order_by(TRIAL.c.id)
)
_PRICES: Final = select(PRICE.c.gpu, PRICE.c.price_per_gpu_hour, PRICE.c.currency, PRICE.c.set_at).where(
    PRICE.c.id.in_(select(func.max(PRICE.c.id)).group_by(PRICE.c.gpu))
)
