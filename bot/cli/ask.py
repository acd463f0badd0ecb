"""`estimate`, `parse` and `checklist`: what outside checks, and people without a chat, ask."""

import argparse
import asyncio
import csv
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import ValidationError

from bot import quantities
from bot.checklist.fields import FIELDS
from bot.checklist.template import read_template
from bot.checklist.understand import Moment
from bot.cli.table import estimate_table
from bot.errors import DeskError, UsageError
from bot.estimation import EstimateRequest, estimate
from bot.i18n import LOCALES, texts
from bot.storage import engine as engines
from bot.storage import migrations, requests

LANGUAGES = {"en": "en", "zh": "zh_Hans"}
"""The languages of what machines read; a table for people comes in every one of the desk's."""

_FOR_PEOPLE = LANGUAGES | {locale.lower().replace("_", "-"): locale for locale in LOCALES}


def add_to(commands: Any) -> None:
    """Add these commands to the command line."""
    _add_estimate(commands.add_parser("estimate", help="memory, cards, time and cost of a job"))
    _add_parse(commands.add_parser("parse", help="the normal form of an answer in Chinese or English"))
    _add_checklist(
        commands.add_parser("checklist", help="the checklist's fields, a customer's answers, a pasted template")
    )


def _add_estimate(parser: argparse.ArgumentParser) -> None:
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--json", metavar="REQUEST", help="one request as JSON; prints one answer as JSON")
    source.add_argument(
        "--batch", metavar="FILE", help="requests as JSON lines (- for stdin); prints one answer a line"
    )
    source.add_argument("--model", help="a model's name or size; prints a table for people")
    parser.add_argument("--lang", choices=_FOR_PEOPLE, default="en", help="the table's language")
    for name in ("task", "method", "weights", "optimizer", "gpu", "engine", "load"):
        parser.add_argument(f"--{name}")
    for name in (
        "sequence-length",
        "micro-batch",
        "gpus",
        "lora-rank",
        "concurrency",
        "context-length",
        "generate-tokens",
    ):
        parser.add_argument(f"--{name}", type=int)
    for name in ("tokens", "hours", "utilization", "duration-days"):
        parser.add_argument(f"--{name}", type=float)
    for name in ("gradient-checkpointing", "flash-attention"):
        parser.add_argument(f"--{name}", action=argparse.BooleanOptionalAction)
    parser.set_defaults(run=_estimate)


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


def _estimate(arguments: argparse.Namespace) -> int:
    if arguments.batch:
        with _reading(arguments.batch) as lines:
            for line in lines:
                if line.strip():
                    _print(_answer_line(line))
        return 0
    if arguments.json:
        answer = _answer_line(arguments.json)
        _print(answer)
        return 1 if "error" in answer else 0
    names = set(EstimateRequest.model_fields)
    given = {key: value for key, value in vars(arguments).items() if key in names and value is not None}
    request = _request(given)
    sys.stdout.write(estimate_table(request, estimate(request), texts(_FOR_PEOPLE[arguments.lang])) + "\n")
    return 0


def _answer_line(line: str) -> dict[str, Any]:
    """One answer, or an error with a code and one line of text."""
    try:
        return estimate(_request(_json_object(line))).model_dump(mode="json", exclude_none=False)
    except DeskError as error:
        return {"error": {"code": error.code, "message": " ".join(str(error).split())}}


def _json_object(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"not JSON: {error}") from error
    if not isinstance(value, dict):
        raise UsageError("a request is a JSON object")
    return value


def _request(given: dict[str, Any]) -> EstimateRequest:
    try:
        return EstimateRequest.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"{where}: {first['msg']}") from error


def _parse(arguments: argparse.Namespace) -> int:
    now = _moment(arguments)
    if arguments.batch:
        with _reading(arguments.batch) as lines:
            for row in csv.DictReader(lines):
                _print(_parsed(row.get("kind") or "", row.get("input") or "", row.get("lang"), now))
        return 0
    if arguments.text is None or arguments.kind is None:
        raise UsageError("parse needs --kind and a text, or --batch")
    _print(_parsed(arguments.kind, arguments.text, arguments.lang, now))
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
        _print(asyncio.run(_stored(arguments.database, arguments.customer)))
    elif arguments.parse_template:
        with _reading(arguments.parse_template) as lines:
            pasted = "".join(lines)
        read = read_template(pasted, Moment(datetime.now(UTC).astimezone(ZoneInfo("Asia/Shanghai"))))
        answers = {key: answer.model_dump(mode="json") for key, answer in read.answers.items()}
        _print({"answers": answers, "open": list(read.open), "unplaced": list(read.unplaced)})
    else:
        _print([_field(field) for field in FIELDS])
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


@contextmanager
def _reading(path: str) -> Iterator[TextIO]:
    if path == "-":
        yield sys.stdin
        return
    try:
        file = Path(path).open(encoding="utf-8", newline="")  # noqa: SIM115 - closed by the `with` below
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error
    with file:
        yield file


def _print(value: dict[str, Any] | Iterable[Any]) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
