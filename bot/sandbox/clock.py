"""What the sandbox asks of a clock, and the wall clock that it uses when it is given none."""

from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """A clock that can be moved forward by hand."""

    def now(self) -> datetime:
        """Return the present moment, aware, in UTC."""
        ...

    def advance(self, seconds: float) -> datetime:
        """Move forward by `seconds` and return the new time."""
        ...


class WallClock:
    """The time of this machine plus an offset that only grows."""

    def __init__(self) -> None:
        self._offset = timedelta(0)

    def now(self) -> datetime:
        """Return the present moment, aware, in UTC."""
        return datetime.now(UTC) + self._offset

    def advance(self, seconds: float) -> datetime:
        """Move forward by `seconds` and return the new time; ValueError for a step backwards."""
        if seconds < 0:
            raise ValueError("the clock moves forward only")
        self._offset += timedelta(seconds=seconds)
        return self.now()
