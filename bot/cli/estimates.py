"""`estimate`: one answer as JSON, one a line, or as a table for people."""

import argparse
import json
import logging
import sys
from functools import cache
from typing import Any

from pydantic import ValidationError

from bot import settings
from bot.cli.lines import print_json, reading
from bot.cli.table import estimate_table
from bot.errors import DeskError, HubError, UnknownNameError, UsageError
from bot.estimation import EstimateRequest, estimate, find_model, repo_id
from bot.hub import Hub
from bot.i18n import LOCALES, texts

LANGUAGES = {"en": "en", "zh": "zh_Hans"}
"""The languages of what machines read; a table for people comes in every one of the desk's."""

_FOR_PEOPLE = LANGUAGES | {locale.lower().replace("_", "-"): locale for locale in LOCALES}

_COUNTS = (
    "sequence-length", "micro-batch", "gpus", "lora-rank", "concurrency", "context-length", "generate-tokens",
)  # fmt: skip
_RANKS = ("zero", "tp", "pp")
_LONGEST = 500

# What pydantic calls the forms of a field that takes several, beside names that no field has.
_FORMS = frozenset({"str", "bool"})

_log = logging.getLogger(__name__)


def add_to(commands: Any) -> None:
    """Add this command to the command line."""
    parser = commands.add_parser("estimate", help="memory, cards, time and cost of a job")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--json", metavar="REQUEST", help="one request as JSON; prints one answer as JSON")
    source.add_argument(
        "--batch", metavar="FILE", help="requests as JSON lines (- for stdin); prints one answer a line"
    )
    source.add_argument("--model", help="a model's name or size; prints a table for people")
    parser.add_argument("--lang", choices=_FOR_PEOPLE, default="en", help="the table's language")
    for name in ("task", "method", "weights", "optimizer", "gpu", "engine", "load", "report", "lora-targets"):
        parser.add_argument(f"--{name}")
    for name in _COUNTS:
        parser.add_argument(f"--{name}", type=int)
    for name in ("tokens", "samples", "epochs", "hours", "utilization", "duration-days"):
        parser.add_argument(f"--{name}", type=float)
    for name in ("gradient-checkpointing", "flash-attention"):
        parser.add_argument(f"--{name}", action=argparse.BooleanOptionalAction)
    for name in _RANKS:
        parser.add_argument(f"--{name}", type=int, help="how the cards share the job")
    parser.set_defaults(run=_estimate)


def _estimate(arguments: argparse.Namespace) -> int:
    if arguments.batch:
        with reading(arguments.batch) as lines:
            for line in lines:
                print_json(_answer_line(line))
        return 0
    if arguments.json:
        answer = _answer_line(arguments.json)
        print_json(answer)
        return 1 if "error" in answer else 0
    given = {key: value for key, value in vars(arguments).items() if value is not None}
    fields = {key: value for key, value in given.items() if key in EstimateRequest.model_fields}
    ranks = {key: given[key] for key in _RANKS if key in given}
    request = _known(_request(fields | ({"parallelism": ranks} if ranks else {})))
    sys.stdout.write(estimate_table(request, estimate(request), texts(_FOR_PEOPLE[arguments.lang])) + "\n")
    return 0


def _answer_line(line: str) -> dict[str, Any]:
    """One answer, or an error with a code and one line of text; whatever a line holds, the next ones are answered."""
    try:
        return estimate(_known(_request(_json_object(line)))).model_dump(mode="json", exclude_none=False)
    except DeskError as error:
        return _error(error.code, str(error))
    except Exception:  # noqa: BLE001 - decided here: a line that fails must not stop the others
        _log.exception("a line could not be answered")
        return _error("internal", "this request cannot be answered")


def _known(request: EstimateRequest) -> EstimateRequest:
    """Return `request` with the shape of a model that only the hub knows; without the hub it stays as it is.

    Raises UnknownNameError, with the nearest names and why the hub did not help, for a model that nobody knows.
    """
    if not isinstance(request.model, str):
        return request
    try:
        find_model(request.model)
    except UnknownNameError as unknown:
        repo = repo_id(request.model)
        hub = _hub() if repo else None
        if repo is None or hub is None or not hub.on:
            raise
        try:
            return request.model_copy(update={"model": hub.find(repo)})
        except HubError as error:
            raise UnknownNameError("model", f"{request.model} ({error})", unknown.suggestions) from error
        except UnknownNameError as error:
            raise unknown from error
    return request


@cache
def _hub() -> Hub:
    """Return the hub of this process; settings are read only where a name is not known."""
    return Hub(settings.load().hub_url)


def _error(code: str, message: str) -> dict[str, Any]:
    text = " ".join(message.split())
    return {"error": {"code": code, "message": text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"}}


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
        raise UsageError(_complaint(error)) from error


def _complaint(error: ValidationError) -> str:
    """Return what is wrong with the first field that is; of a field that takes several forms, with the nearest one."""
    found = error.errors(include_url=False)
    same = [each for each in found if each["loc"][:1] == found[0]["loc"][:1]]
    deepest = max(len(each["loc"]) for each in same)
    nearest = [each for each in same if len(each["loc"]) == deepest]
    where = ".".join(str(part) for part in nearest[0]["loc"] if _named(part))
    messages = ", or ".join(dict.fromkeys(each["msg"] for each in nearest))
    return f"{where}: {messages}" if where else messages


def _named(part: int | str) -> bool:
    """Whether a part of a place in a request is a field or an index, and not a form that the field takes."""
    return isinstance(part, int) or (part.isidentifier() and part.islower() and part not in _FORMS)
