"""Every table and column.

Times are aware UTC. Money is exact decimal text with its currency. Deleting a customer deletes every row that bears their id.
"""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    DateTime,
    Dialect,
    Index,
    Integer,
    String,
    Table,
    Text,
    TypeDecorator,
    text,
)
from sqlmodel import Field, SQLModel

NAMING = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}
METADATA: Final = SQLModel.metadata
METADATA.naming_convention = NAMING

BigId = BigInteger().with_variant(Integer, "sqlite")
"""SQLite numbers rows by itself only in a column of its own integer type."""


class UtcDateTime(TypeDecorator[datetime]):
    """An aware moment, kept as UTC; SQLite has no zones, so it is kept there without one and comes back with UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Turn an aware moment into what the database keeps; a naive one is a mistake of ours."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment without a zone")
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give every moment its UTC back."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if dialect.name == "sqlite" else value.astimezone(UTC)


class Money(TypeDecorator[Decimal]):
    """An exact decimal, kept as text on every database: SQLite would make a float of it."""

    impl = String(32)
    cache_ok = True

    def process_bind_param(self, value: Decimal | None, _dialect: Dialect) -> str | None:
        """Write a decimal out in full."""
        return None if value is None else format(value, "f")

    def process_result_value(self, value: str | None, _dialect: Dialect) -> Decimal | None:
        """Read a decimal back."""
        return None if value is None else Decimal(value)


def _moment(*, nullable: bool = False) -> Any:
    return Field(default=None, sa_column=Column(UtcDateTime(), nullable=nullable))


def _row_id() -> Any:
    return Field(default=None, sa_column=Column(BigId, primary_key=True, autoincrement=True))


def _customer_id(*, nullable: bool = False) -> Any:
    return Field(default=None, sa_column=Column(BigInteger, nullable=nullable, index=True))


class Inbox(SQLModel, table=True):
    """An update of Telegram's, stored before Telegram is told that it arrived; taken once."""

    __tablename__ = "inbox"
    __table_args__ = (
        Index(
            "ix_inbox_open",
            "chat_id",
            "id",
            sqlite_where=text("done_at IS NULL"),
            postgresql_where=text("done_at IS NULL"),
        ),
    )

    id: int = _row_id()
    update_id: int = Field(sa_column=Column(BigInteger, nullable=False, unique=True))
    chat_id: int = Field(sa_column=Column(BigInteger, nullable=False, index=True))
    payload: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    received_at: datetime = _moment()
    attempts: int = 0
    not_before: datetime = _moment()
    done_at: datetime | None = _moment(nullable=True)
    error: str | None = Field(default=None, sa_column=Column(Text, nullable=True))


class Outbox(SQLModel, table=True):
    """A call to Telegram, written with the state it belongs to and sent afterwards, in order inside its lane.

    `lane` is the chat, or a callback query of its own; `payload` the call's parameters; `target_id` an earlier row whose message this
    one changes; `topic_of` the customer into whose topic it goes; `purge` rows vanish once sent.
    """

    __tablename__ = "outbox"
    __table_args__ = (
        Index(
            "ix_outbox_open",
            "lane",
            "id",
            sqlite_where=text("done_at IS NULL"),
            postgresql_where=text("done_at IS NULL"),
        ),
        Index(
            "ix_outbox_next",
            "priority",
            "id",
            sqlite_where=text("done_at IS NULL"),
            postgresql_where=text("done_at IS NULL"),
        ),
    )

    id: int = _row_id()
    lane: str = Field(sa_column=Column(String(64), nullable=False))
    priority: int = 0
    chat_id: int | None = Field(default=None, sa_column=Column(BigInteger, nullable=True))
    customer_id: int | None = _customer_id(nullable=True)
    topic_of: int | None = Field(default=None, sa_column=Column(BigInteger, nullable=True))
    method: str = Field(sa_column=Column(String(64), nullable=False))
    payload: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    target_id: int | None = Field(default=None, sa_column=Column(BigInteger, nullable=True))
    purge: bool = False
    created_at: datetime = _moment()
    not_before: datetime = _moment()
    leased_until: datetime | None = _moment(nullable=True)
    attempts: int = 0
    done_at: datetime | None = _moment(nullable=True)
    message_id: int | None = Field(default=None, sa_column=Column(BigInteger, nullable=True))
    error: str | None = Field(default=None, sa_column=Column(Text, nullable=True))


class Customer(SQLModel, table=True):
    """A person who has written to the bot; `id` is their Telegram id and the id of their private chat."""

    __tablename__ = "customer"

    id: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    first_name: str = Field(sa_column=Column(Text, nullable=False))
    last_name: str | None = Field(default=None, sa_column=Column(Text, nullable=True))
    username: str | None = Field(default=None, sa_column=Column(String(64), nullable=True))
    language_code: str | None = Field(default=None, sa_column=Column(String(32), nullable=True))
    locale: str | None = Field(default=None, sa_column=Column(String(16), nullable=True))
    zone: str | None = Field(default=None, sa_column=Column(String(64), nullable=True))
    quiet_hours: str | None = Field(default=None, sa_column=Column(String(16), nullable=True))
    blocked_at: datetime | None = _moment(nullable=True)
    created_at: datetime = _moment()


class Dialog(SQLModel, table=True):
    """Where a private chat's conversation stands; the row that is locked while one of its updates is handled."""

    __tablename__ = "dialog"

    chat_id: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    customer_id: int = _customer_id()
    state: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    live_outbox_id: int | None = Field(default=None, sa_column=Column(BigInteger, nullable=True))
    updated_at: datetime = _moment()


class Request(SQLModel, table=True):
    """A checklist of a customer's; `answers` is the stored form of `bot.checklist.answer`, `notes` what was said beside it."""

    __tablename__ = "request"

    id: int = _row_id()
    customer_id: int = _customer_id()
    state: str = Field(sa_column=Column(String(16), nullable=False))
    answers: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    notes: list[str] = Field(sa_column=Column(JSON, nullable=False))
    created_at: datetime = _moment()
    updated_at: datetime = _moment()
    confirmed_at: datetime | None = _moment(nullable=True)


class Trial(SQLModel, table=True):
    """A trial instance; `price_per_gpu_hour` is locked at registration, `stops` are pairs of moments in ISO form."""

    __tablename__ = "trial"

    id: int = _row_id()
    customer_id: int = _customer_id()
    gpu: str = Field(sa_column=Column(String(64), nullable=False))
    gpus: int
    price_per_gpu_hour: Decimal = Field(sa_column=Column(Money(), nullable=False))
    currency: str = Field(sa_column=Column(String(3), nullable=False))
    started_at: datetime = _moment()
    planned_end_at: datetime = _moment()
    destroyed_at: datetime | None = _moment(nullable=True)
    storage_gb: int = 0
    storage_price_per_gb_month: Decimal = Field(
        default=Decimal(0), sa_column=Column(Money(), nullable=False, default=Decimal(0))
    )
    stops: list[list[str | None]] = Field(sa_column=Column(JSON, nullable=False, default=list))
    moved_at: datetime | None = _moment(nullable=True)
    verified_at: datetime | None = _moment(nullable=True)


class Series(SQLModel, table=True):
    """A reminder that a customer can list, change, pause and delete; each of its occurrences is a row of `reminder`.

    `rule` is a normal form (`at=…` or `every=…;on=…;at=…`) in the customer's zone of the moment; `anchor_at` is where it counts from.
    """

    __tablename__ = "series"

    id: int = _row_id()
    customer_id: int = _customer_id()
    kind: str = Field(sa_column=Column(String(32), nullable=False))
    trial_id: int | None = Field(default=None, sa_column=Column(BigInteger, nullable=True, index=True))
    text: str = Field(sa_column=Column(Text, nullable=False))
    rule: str = Field(sa_column=Column(String(160), nullable=False))
    anchor_at: datetime = _moment()
    paused_at: datetime | None = _moment(nullable=True)
    ended_at: datetime | None = _moment(nullable=True)


class Reminder(SQLModel, table=True):
    """One occurrence of a reminder; `key` is unique, so that it can be written and sent only once.

    `done_at` is when it was sent or became void, `answered_at` when its reader tapped or wrote what ends it or moves it.
    """

    __tablename__ = "reminder"
    __table_args__ = (
        Index(
            "ix_reminder_due",
            "due_at",
            sqlite_where=text("done_at IS NULL AND paused_at IS NULL"),
            postgresql_where=text("done_at IS NULL AND paused_at IS NULL"),
        ),
    )

    id: int = _row_id()
    key: str = Field(sa_column=Column(String(160), nullable=False, unique=True))
    kind: str = Field(sa_column=Column(String(32), nullable=False))
    customer_id: int = _customer_id()
    trial_id: int | None = Field(default=None, sa_column=Column(BigInteger, nullable=True, index=True))
    series_id: int | None = Field(default=None, sa_column=Column(BigInteger, nullable=True, index=True))
    due_at: datetime = _moment()
    times_sent: int = 0
    done_at: datetime | None = _moment(nullable=True)
    answered_at: datetime | None = _moment(nullable=True)
    paused_at: datetime | None = _moment(nullable=True)


class Price(SQLModel, table=True):
    """A price set by staff; the newest one of a card holds, older ones are its history."""

    __tablename__ = "price"

    id: int = _row_id()
    gpu: str = Field(sa_column=Column(String(64), nullable=False, index=True))
    price_per_gpu_hour: Decimal = Field(sa_column=Column(Money(), nullable=False))
    currency: str = Field(sa_column=Column(String(3), nullable=False))
    set_by: int = Field(sa_column=Column(BigInteger, nullable=False))
    set_at: datetime = _moment()


class Topic(SQLModel, table=True):
    """A customer's topic in the staff group."""

    __tablename__ = "topic"
    __table_args__ = (Index("ix_topic_thread", "chat_id", "thread_id"),)

    customer_id: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    chat_id: int = Field(sa_column=Column(BigInteger, nullable=False))
    thread_id: int = Field(sa_column=Column(BigInteger, nullable=False))
    created_at: datetime = _moment()


class Lease(SQLModel, table=True):
    """What one copy alone may do, such as polling, and until when it is this copy's."""

    __tablename__ = "lease"

    name: str = Field(sa_column=Column(String(32), primary_key=True))
    holder: str = Field(sa_column=Column(String(64), nullable=False))
    until: datetime = _moment()


class Pace(SQLModel, table=True):
    """When all that was sent to a lane will have been paid for at the permitted rate; the lane `all` is the bot as a whole."""

    __tablename__ = "pace"

    lane: str = Field(sa_column=Column(String(64), primary_key=True))
    free_at: datetime = _moment()


def _table(model: type[SQLModel]) -> Table:
    """The plain table behind a model, for statements whose results need no objects."""
    return METADATA.tables[str(model.__tablename__)]


INBOX: Final = _table(Inbox)
OUTBOX: Final = _table(Outbox)
CUSTOMER: Final = _table(Customer)
DIALOG: Final = _table(Dialog)
REQUEST: Final = _table(Request)
TRIAL: Final = _table(Trial)
SERIES: Final = _table(Series)
REMINDER: Final = _table(Reminder)
PRICE: Final = _table(Price)
TOPIC: Final = _table(Topic)
LEASE: Final = _table(Lease)
PACE: Final = _table(Pace)
