"""The life of a request, and its number as people quote it."""

from enum import StrEnum


class RequestState(StrEnum):
    """Where a request stands; only a draft can be filled further."""

    DRAFT = "draft"
    CONFIRMED = "confirmed"
    SET_ASIDE = "set_aside"


def number(request_id: int) -> str:
    """Return the number that customers and staff quote: R-00042."""
    return f"R-{request_id:05d}"
