"""Spans and moments inside what customers say."""

import re
from datetime import datetime

from bot import quantities
from bot.dialog.event import Context
from bot.quantities import duration_seconds


def duration(said: str, context: Context) -> float | None:
    """Return the seconds that a text means, of a range the longer; None for anything else."""
    normal = quantities.parse("dur", said, now=context.now)
    bounds = duration_seconds(normal) if normal and normal != "LONG" else None
    return (bounds[1] or bounds[0]) if bounds else None


def moment(said: str, context: Context) -> datetime | None:
    """Return the one moment ahead that a text means (tomorrow 6 pm); None for anything else."""
    normal = quantities.parse("remind", re.sub(r"^(?:until|till|到|直到)\s*", "", said), now=context.now)
    if normal is None or not normal.startswith("at="):
        return None
    try:
        return datetime.fromisoformat(normal.removeprefix("at=").split(";")[0])
    except ValueError:
        return None
