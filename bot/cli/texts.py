"""Takes the texts that the code marks into the catalogues, or checks that nothing is left to do.

Run while developing, as `python -m bot.cli.texts [--check]`; Babel does the reading and merging.
"""

import io
import string
import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from bot import resources
from bot.i18n import DOMAIN, TRANSLATED

KEYWORDS = {"N_": None, "NP_": (1, 2)}


def main(arguments: list[str]) -> int:
    """Update the catalogues; with --check change nothing and return 1 when one is out of date, incomplete or faulty."""
    check, faults = "--check" in arguments, []
    marked = extracted()
    for locale in TRANSLATED:
        path = resources.folder("locales") / locale / "LC_MESSAGES" / f"{DOMAIN}.po"
        faults += _bring_up(path, locale, marked, write=not check)
    for fault in faults:
        sys.stderr.write(f"{fault}\n")
    return 1 if check and faults else 0


def extracted() -> Catalog:
    """Return every text that the code marks."""
    found = Catalog(domain=DOMAIN)
    package = Path(resources.__file__).resolve().parent
    for _file, _line, message, _comments, _context in extract_from_dir(
        str(package), method_map=[("**.py", "python")], keywords=KEYWORDS
    ):
        found.add(message)
    return found


def faults_of(catalogue: Catalog, marked: Catalog) -> list[str]:
    """Return what is wrong with a catalogue, a line each: missing, fuzzy, other placeholders, no longer used."""
    found = []
    for message in marked:
        if not message.id:
            continue
        key = message.id[0] if isinstance(message.id, tuple | list) else message.id
        translated = catalogue.get(key)
        strings = _strings(translated.string) if translated else ()
        if translated is None or not all(strings):
            found.append(f"not translated: {key!r}")
        elif translated.fuzzy:
            found.append(f"fuzzy: {key!r}")
        else:
            wanted = placeholders(_strings(message.id)[-1])
            found += [f"other placeholders: {key!r}" for text in strings if placeholders(text) != wanted]
    known = {_strings(message.id)[0] for message in marked if message.id}
    found += [f"no longer used: {m.id!r}" for m in catalogue if m.id and _strings(m.id)[0] not in known]
    return found


def placeholders(text: str) -> frozenset[str]:
    """Return the names in braces of a text."""
    return frozenset(name for _, name, _, _ in string.Formatter().parse(text) if name)


def _bring_up(path: Path, locale: str, marked: Catalog, *, write: bool) -> list[str]:
    with path.open("rb") as file:
        catalogue = read_po(file, locale=locale, domain=DOMAIN)
    if write:
        catalogue.update(marked, no_fuzzy_matching=True)
        catalogue.obsolete.clear()
        out = io.BytesIO()
        write_po(out, catalogue, sort_output=True, width=0, no_location=True)
        path.write_bytes(out.getvalue())
    return [f"{locale}: {fault}" for fault in faults_of(catalogue, marked)]


def _strings(value: object) -> tuple[str, ...]:
    return tuple(value) if isinstance(value, tuple | list) else (str(value or ""),)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
