import re
from datetime import UTC, datetime
from decimal import Decimal

from sqlalchemy import event, insert, text

from bot.storage import queues
from bot.storage.tables import CUSTOMER, INBOX, OUTBOX, REMINDER, REQUEST, SERIES, TRIAL

NOW = datetime(2026, 11, 30, tzinfo=UTC)
FAR = datetime(2100, 1, 1, tzinfo=UTC)  # nothing of it is worked on
ROWS = 4000
SMALL = ("price", "pace", "lease", "alembic_version")
"""Tables of a handful of rows, of which reading all is the quickest way."""


FILLED = ("inbox", "outbox", "reminder", "customer")
"""Tables with many rows here, which the claims may not read as a whole even where the planner is free to."""


async def fill(engine) -> None:
    """Rows of other customers: most of them done, as after months of work."""
    inbox, outbox, reminders, customers, requests, series, trials = [], [], [], [], [], [], []
    for n in range(ROWS):
        done = NOW if n % 40 else None
        blocked = None if n % 100 else NOW
        customers.append({"id": 10_000 + n, "first_name": "Customer", "created_at": NOW, "blocked_at": blocked})
        at = {"done_at": done, "not_before": FAR}
        inbox.append(
            {"update_id": n, "chat_id": 10_000 + n % 500, "payload": {}, "received_at": NOW, "attempts": 0, **at}
        )
        outbox.append(
            {
                "lane": str(n % 500),
                "priority": 10,
                "method": "send_message",
                "payload": {},
                "purge": False,
                "attempts": 0,
            }
            | {"created_at": NOW, "customer_id": 10_000 + n % 500, **at}
        )
        reminders.append(
            {"key": str(n), "kind": "destroy", "customer_id": n, "trial_id": n, "due_at": FAR, "times_sent": 0}
            | {"done_at": done}
        )
        theirs = {"customer_id": 10_000 + n}
        requests.append(
            theirs | {"state": "confirmed", "answers": {}, "notes": [], "created_at": NOW, "updated_at": NOW}
        )
        series.append(theirs | {"kind": "own", "text": "", "rule": "at=09:00", "anchor_at": NOW, "ended_at": done})
        trials.append(
            theirs
            | {"gpu": "a100-80g-sxm", "gpus": 1, "price_per_gpu_hour": Decimal(1), "currency": "USD", "stops": []}
            | {"started_at": NOW, "planned_end_at": NOW, "destroyed_at": done, "storage_gb": 0}
        )
    tables = {INBOX: inbox, OUTBOX: outbox, REMINDER: reminders, CUSTOMER: customers}
    async with engine.begin() as tx:
        for table, rows in (tables | {REQUEST: requests, SERIES: series, TRIAL: trials}).items():
            await tx.execute(insert(table), rows)
        await tx.execute(text("ANALYZE"))


async def plans(engine, statement, parameters) -> list[tuple[str, tuple[str, ...]]]:
    """How a statement is carried out, and the tables that it may not read as a whole.

    PostgreSQL reads a table of a few rows as a whole, rightly; whether it could do otherwise it tells when that is made dear.
    """
    async with engine.connect() as tx:
        if engine.dialect.name == "sqlite":
            rows = await tx.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
            return [("\n".join(row.detail for row in rows), ())]
        usual = await tx.exec_driver_sql(f"EXPLAIN {statement}", parameters)
        found = [("\n".join(row[0] for row in usual), FILLED)] if "min(" in statement else []
        await tx.exec_driver_sql("SET LOCAL enable_seqscan = off")
        possible = await tx.exec_driver_sql(f"EXPLAIN {statement}", parameters)
        return [*found, ("\n".join(row[0] for row in possible), ())]


def whole_table_read(found: str) -> list[str]:
    read = re.findall(r"Seq Scan on (\w+)|SCAN (\w+)$", found, re.MULTILINE)
    return [name for pair in read for name in pair if name and not name.startswith(SMALL)]


async def test_every_query_of_a_conversation_uses_an_index(telegram_on):
    engine, seen = telegram_on.desk.engine, {}

    @event.listens_for(engine.sync_engine, "before_cursor_execute")
    def note(_connection, _cursor, statement, parameters, _context, many):
        if statement.startswith(("SELECT", "UPDATE", "DELETE", "WITH")):
            seen.setdefault(statement, parameters[0] if many else parameters)

    person = await telegram_on.person("en")
    for words in (
        "/start",
        "inference",
        "a support desk",
        "TBD",
        "/status",
        "/trial 1x RTX 4090",
        "0.35 USD",
        "1 hour",
    ):
        await person.says(words)
    await person.taps("✓ Register")
    await telegram_on.advance(2 * 3600)
    await telegram_on.desk.health.refresh()
    async with engine.begin() as tx:
        await queues.copy_of(tx, person.id, -1, 1)  # what a change of a message by staff asks for
    event.remove(engine.sync_engine, "before_cursor_execute", note)
    await fill(engine)
    assert len(seen) > 20
    slow = {}
    for statement, parameters in seen.items():
        for found, tables in await plans(engine, statement, parameters):
            if any(not tables or name in tables for name in whole_table_read(found)):
                slow[statement] = found
    assert "\n\n".join(f"{statement}\n{found}" for statement, found in slow.items()) == ""
