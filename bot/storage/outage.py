"""Tells a database that fails from a statement that the database refuses."""

import sqlite3
from typing import Final

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

_CLASSES: Final = frozenset({"08", "25", "40", "53", "55", "57", "58", "XX"})
"""Classes of SQLSTATE that pass: connection, transaction state, deadlock, resources, locks, shutdown, system, internal."""


def is_outage(error: BaseException) -> bool:
    """Whether what failed is the database, so that the same work may succeed later, and not the work itself."""
    if isinstance(error, OSError | PoolTimeout | sqlite3.OperationalError):
        # The driver's own error comes from BEGIN, which has waited too long for another writer.
        return True
    if not isinstance(error, SQLAlchemyError):
        return False
    if isinstance(error, DBAPIError):
        state = getattr(error.orig, "sqlstate", None)
        if state:
            return str(state)[:2] in _CLASSES
        return error.connection_invalidated or isinstance(error, OperationalError | InterfaceError)
    return False
