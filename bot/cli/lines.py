"""Lines in and out of the command line: files or standard input, JSON on standard output."""

import io
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from bot.errors import UsageError


@contextmanager
def reading(path: str) -> Iterator[TextIO]:
    """Open a file, or standard input for "-"; bytes that are not UTF-8 are replaced, a mark at the beginning is left out.

    Raises UsageError when the file cannot be read.
    """
    if path == "-":
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(encoding="utf-8-sig", errors="replace")
        yield sys.stdin
        return
    try:
        file = Path(path).open(encoding="utf-8-sig", errors="replace", newline="")  # noqa: SIM115 - closed by the `with` below
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error
    with file:
        yield file


def print_json(value: dict[str, Any] | Iterable[Any]) -> None:
    """Print `value` as one line of JSON; halves of surrogate pairs, which UTF-8 cannot carry, as escapes."""
    text = json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace").decode()
    sys.stdout.write(text + "\n")
