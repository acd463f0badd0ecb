"""Structured logs to stderr, without secrets."""

import logging
import re
import sys
from typing import Any, Final

import structlog

_TOKEN: Final = re.compile(r"\d{5,}:[A-Za-z0-9_-]{20,}")
_PASSWORD: Final = re.compile(r"(://[^:/@\s]+:)[^@/\s]+@")
_QUIET: Final = {
    **dict.fromkeys(
        ("httpx", "httpcore", "telegram", "aiosqlite", "matplotlib", "alembic", "tornado.access"), logging.WARNING
    ),
    # It warns of each tick that finds the one before still at work, which is no fault: how late reminders are stands in the metrics.
    "apscheduler": logging.ERROR,
}
"""The least that each library must have to say."""


def set_up(level: str) -> None:
    """Send our logs and the libraries' warnings to stderr; tokens and passwords are struck out wherever they stand."""
    logging.basicConfig(stream=sys.stderr, level=level, format="%(message)s", force=True)
    for handler in logging.getLogger().handlers:
        handler.addFilter(_struck)
    for name, least in _QUIET.items():
        logging.getLogger(name).setLevel(max(least, logging.getLevelName(level)))
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"]),
            _strike_rendered,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level)),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


def strike(text: str) -> str:
    """Return text with everything that looks like a bot token or a password in an address struck out.

    >>> strike("POST /bot123456789:AAEhBP0av28FrVvNIwCU1oBdvvjyXvvvvvv/getMe")
    'POST /bot***/getMe'
    """
    return _PASSWORD.sub(r"\1***@", _TOKEN.sub("***", text))


def _strike_rendered(_logger: object, _name: str, rendered: Any) -> Any:
    return strike(rendered) if isinstance(rendered, str) else rendered


def _struck(record: logging.LogRecord) -> bool:
    record.msg, record.args = strike(record.getMessage()), ()
    if record.exc_info and not record.exc_text:
        record.exc_text = strike(logging.Formatter().formatException(record.exc_info))
    return True
