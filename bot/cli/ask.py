"""`parse` and `checklist`: what outside checks, and people without a chat, ask."""

import argparse
import asyncio
import csv
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot import quantities
from bot.checklist.fields import FIELDS
from bot.checklist.template import read_template
from bot.checklist.understand import Moment
from bot.cli.estimates import LANGUAGES
from bot.cli.lines import print_json, reading
from bot.errors import DeskError, UsageError
from bot.i18n import texts
from bot.storage import engine as engines
from bot.storage import migrations, requests


def add_to(commands: Any) -> None:
    """Add these commands to the command line."""
    _add_parse(commands.add_parser("parse", help="the normal form of an answer in Chinese or English"))
    _add_checklist(
        commands.add_parser("checklist", help="the checklist's fields, a customer's answers, a pasted template")
    )


def _add_parse(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", nargs="?", help="one answer; needs --kind")
    parser.add_argument("--kind", choices=quantities.KINDS)
    parser.add_argument("--lang", choices=LANGUAGES)
    parser.add_argument("--batch", metavar="FILE", help="a table with the columns kind, lang, input (- for stdin)")
    parser.add_argument("--now", help="the reference moment, ISO 8601 with offset (default: now)")
    parser.add_argument("--tz", default="Asia/Shanghai", help="the person's time zone")
    parser.set_defaults(run=_parse)


def _add_checklist(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--customer", type=int, metavar="ID", help="the newest request of this customer")
    parser.add_argument("--database", help="the database's address, with --customer")
    parser.add_argument("--parse-template", metavar="FILE", help="a pasted template (- for stdin)")
    parser.add_argument("--json", action="store_true", help="print JSON (the only form there is)")
    parser.set_defaults(run=_checklist)


def _parse(arguments: argparse.Namespace) -> int:
    now = _moment(arguments)
    if arguments.batch:
        with reading(arguments.batch) as lines:
            for row in csv.DictReader(lines):
                print_json(_parsed(row.get("kind") or "", row.get("input") or "", row.get("lang"), now))
        return 0
    if arguments.text is None or arguments.kind is None:
        raise UsageError("parse needs --kind and a text, or --batch")
    print_json(_parsed(arguments.kind, arguments.text, arguments.lang, now))
    return 0


def _parsed(kind: str, text: str, lang: str | None, now: datetime) -> dict[str, Any]:
    try:
        normal = quantities.parse(kind, text, now=now, lang=lang)
    except ValueError as error:
        raise UsageError(str(error)) from error
    return {"kind": kind, "input": text, "normal": normal}


def _moment(arguments: argparse.Namespace) -> datetime:
    try:
        zone = ZoneInfo(arguments.tz)
        now = datetime.fromisoformat(arguments.now) if arguments.now else datetime.now(UTC)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise UsageError(f"--now or --tz: {error}") from error
    if now.tzinfo is None:
        raise UsageError("--now needs an offset, such as 2026-11-30T10:00+08:00")
    return now.astimezone(zone)


def _checklist(arguments: argparse.Namespace) -> int:
    if arguments.customer is not None:
        if not arguments.database:
            raise UsageError("--customer needs --database")
        print_json(asyncio.run(_stored(arguments.database, arguments.customer)))
    elif arguments.parse_template:
        with reading(arguments.parse_template) as lines:
            pasted = "".join(lines)
        read = read_template(pasted, Moment(datetime.now(UTC).astimezone(ZoneInfo("Asia/Shanghai"))))
        answers = {key: answer.model_dump(mode="json") for key, answer in read.answers.items()}
        print_json({"answers": answers, "open": list(read.open), "unplaced": list(read.unplaced)})
    else:
        print_json([_field(field) for field in FIELDS])
    return 0


def _field(field: Any) -> dict[str, Any]:
    def both(message: str) -> dict[str, str]:
        return {lang: texts(locale).text(message) for lang, locale in LANGUAGES.items()}

    return {
        "key": field.key,
        "section": str(field.section),
        "type": str(field.kind),
        "question": both(field.question),
        "hint": both(field.hint),
        "options": [{"code": option.code, **both(option.label)} for option in field.options],
    }


async def _stored(database: str, customer_id: int) -> dict[str, Any]:
    engine = engines.connect(database)
    try:
        await migrations.migrate(engine)
        async with engine.connect() as tx:
            found = await requests.newest(tx, customer_id)
    finally:
        await engine.dispose()
    if found is None:
        raise DeskError(f"customer {customer_id} has no request")
    answers = {key: answer.model_dump(mode="json") for key, answer in found.answers.items()}
    return {"state": str(found.state), "answers": answers}
