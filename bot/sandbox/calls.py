"""Remembers every Bot API call, for `/client/calls` and for the file that SANDBOX_CALL_LOG names."""

import json
from collections import deque
from pathlib import Path
from typing import Any, TextIO

Json = dict[str, Any]

_MOST_KEPT = 100_000


class CallLog:
    """The calls in the order in which they were answered; only the newest 100,000 are kept in memory."""

    def __init__(self, path: str | None) -> None:
        self._calls: deque[Json] = deque(maxlen=_MOST_KEPT)
        self._seq = 0
        self._file: TextIO | None = (
            Path(path).open("a", encoding="utf-8") if path else None  # noqa: SIM115 - stays open until close()
        )

    def add(self, entry: Json) -> None:
        """Number a call and keep it."""
        self._seq += 1
        numbered = {"seq": self._seq, **entry}
        self._calls.append(numbered)
        if self._file is not None:
            self._file.write(json.dumps(numbered, ensure_ascii=False) + "\n")
            self._file.flush()

    def since(self, seq: int, method: str) -> list[Json]:
        """Return the calls after `seq`, of one method or of all."""
        wanted = method.lower()
        found = []
        for call in reversed(self._calls):
            if call["seq"] <= seq:
                break
            if not wanted or call["method"].lower() == wanted:
                found.append(call)
        return found[::-1]

    def clear(self) -> None:
        """Forget the calls; the numbers go on."""
        self._calls.clear()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None
