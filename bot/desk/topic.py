"""A customer's topic in the staff group."""

from typing import Final

LONGEST_NAME: Final = 128
"""Characters of a topic's name that Telegram takes."""


def topic_name(customer_id: int, first_name: str, last_name: str | None, username: str | None) -> str:
    """Return the name of a customer's topic; never empty, never longer than Telegram takes.

    >>> topic_name(7, "Customer", None, "a_customer")
    'Customer @a_customer · 7'
    """
    person = " ".join(part for part in (first_name, last_name, f"@{username}" if username else None) if part).strip()
    tail = f" · {customer_id}"
    return (person[: LONGEST_NAME - len(tail)] + tail).strip(" ·") if person else str(customer_id)
