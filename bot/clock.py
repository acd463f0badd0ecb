"""The one place that reads the time; the sandbox may move it forward."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta


@dataclass
class Clock:
    """Wall time in UTC plus an offset that only ever grows."""

    offset: timedelta = timedelta(0)

    def now(self) -> datetime:
        """Return the present moment, aware, in UTC."""
        return datetime.now(UTC) + self.offset

    def wall(self) -> datetime:
        """Return the machine's own time, which nobody moves: for leases, which tell the living from the dead."""
        return datetime.now(UTC)

    def advance(self, seconds: float) -> datetime:
        """Move the clock forward by `seconds` (not negative) and return the new time.

        Raises ValueError for a negative step: rows already written would lie in the future.
        """
        if seconds < 0:
            raise ValueError("the clock moves forward only")
        self.offset += timedelta(seconds=seconds)
        return self.now()
