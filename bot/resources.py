"""Finds the catalogues and migrations, in a checkout and in an installed wheel."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """Return the folder `locales` or `alembic`, wherever this copy of the product keeps it.

    Raises FileNotFoundError when neither place holds it.
    """
    for candidate in (_PACKAGE / f"_{name}", _PACKAGE.parent / name):
        if candidate.is_dir():
            return candidate
    raise FileNotFoundError(f"the folder {name!r} is missing from this installation")


def shipped(name: str) -> bytes:
    """Return a file that the bot sends along, such as measure.py."""
    return (_PACKAGE / "shipped" / name).read_bytes()
