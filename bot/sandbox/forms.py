"""Reads the parameters and files of a call from a query string, a form, multipart data or JSON."""

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from tornado.httputil import HTTPFile, HTTPInputError, parse_multipart_form_data

from bot.sandbox.refusals import bad_request
from bot.sandbox.wire import Request


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that came with a call."""

    name: str
    data: bytes
    mime_type: str


@dataclass(frozen=True, slots=True)
class Form:
    """The parameters as they came (strings, or JSON values of a JSON body) and the uploads by field name."""

    values: dict[str, Any]
    uploads: dict[str, Upload]


def read_form(request: Request) -> Form:
    """Return what the call carries; raises Refusal when it cannot be read."""
    values: dict[str, Any] = {}
    uploads: dict[str, Upload] = {}
    try:
        if request.query:
            values.update(_pairs(request.query))
        if request.body:
            kind = request.headers.get("content-type", "application/x-www-form-urlencoded")
            _read_body(kind, request.body, values, uploads)
    except UnicodeDecodeError as error:
        raise bad_request("strings must be encoded in UTF-8") from error
    return Form(values, uploads)


def _pairs(text: str) -> list[tuple[str, str]]:
    return parse_qsl(text, keep_blank_values=True, errors="strict")


def _read_body(kind: str, body: bytes, values: dict[str, Any], uploads: dict[str, Upload]) -> None:
    if kind.startswith("application/x-www-form-urlencoded"):
        values.update(_pairs(body.decode()))
    elif kind.startswith("application/json"):
        try:
            content = json.loads(body)
        except json.JSONDecodeError as error:
            raise bad_request("can't parse JSON object") from error
        if not isinstance(content, dict):
            raise bad_request("JSON object expected as the request body")
        values.update({name: value for name, value in content.items() if value is not None})
    elif kind.startswith("multipart/form-data"):
        _read_multipart(kind, body, values, uploads)


def _read_multipart(kind: str, body: bytes, values: dict[str, Any], uploads: dict[str, Upload]) -> None:
    arguments: dict[str, list[bytes]] = {}
    files: dict[str, list[HTTPFile]] = {}
    boundary = kind.partition("boundary=")[2].partition(";")[0].strip()
    try:
        parse_multipart_form_data(boundary.encode(), body, arguments, files)
    except HTTPInputError as error:
        raise bad_request("can't parse multipart/form-data") from error
    for name, parts in arguments.items():
        values[name] = parts[-1].decode()
    for name, found in files.items():
        part = found[-1]
        uploads[name] = Upload(part["filename"], part["body"], part["content_type"])
