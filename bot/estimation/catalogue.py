"""Reads the catalogue files that travel inside the package, once per process."""

import tomllib
from importlib.resources import files
from typing import Any


def records(file: str, table: str) -> list[dict[str, Any]]:
    """Return the records of `table` in `data/{file}`; raises KeyError when the file has no such table."""
    text = files(__package__).joinpath("data").joinpath(file).read_text(encoding="utf-8")
    found: list[dict[str, Any]] = tomllib.loads(text)[table]
    return found
