"""HTTP/1.1 on an asyncio protocol: small, fast, and close enough to the socket that broken answers are really broken.

tornado answered 3,700 empty calls a second on the machine where this layer answered 9,500, and a torn answer needs the
transport anyway; so only tornado's multipart parser is used (in forms.py).
"""

import asyncio
import logging
import socket
import struct
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import cast

BODY_LIMIT = 50 * 1024 * 1024
# An upload of exactly 50 MB still has its form around it.
_FORM_OVERHEAD = 256 * 1024
_HEAD_LIMIT = 64 * 1024


_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Request:
    """One request; header names are lower-case, `oversized` means that the body was dropped unread."""

    verb: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes
    oversized: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer; `torn` says how it breaks on its way: "reset" or "half_body"."""

    body: bytes = b""
    status: int = 200
    content_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    torn: str = ""


@dataclass(frozen=True, slots=True)
class Stream:
    """An answer without end: `feed` writes through the function it gets until the connection is gone."""

    feed: Callable[[Callable[[bytes], None]], Awaitable[None]]
    content_type: str = "text/event-stream"


Answer = Reply | Stream
Handler = Callable[[Request], Answer | Awaitable[Answer]]


class HttpProtocol(asyncio.Protocol):
    """One connection: requests are answered in order, and a lost connection cancels the answer in work."""

    def __init__(self, handler: Handler, connections: set["HttpProtocol"]) -> None:
        self._handler = handler
        self._connections = connections
        self._buffer = bytearray()
        self._work: asyncio.Task[None] | None = None
        self._reader: _BodyReader | None = None
        self._keep_alive = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the transport of a new connection."""
        self._transport = cast("asyncio.Transport", transport)
        self._connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the reason does not matter here
        """Stop what was being done for the peer that went away."""
        self._connections.discard(self)
        if self._work is not None:
            self._work.cancel()

    def data_received(self, data: bytes) -> None:
        """Collect bytes and answer every request that is complete."""
        self._buffer += data
        if self._work is None:
            self._advance()

    def close(self) -> None:
        """Close the connection at once."""
        if self._work is not None:
            self._work.cancel()
        self._transport.abort()

    def _advance(self) -> None:
        """Answer the complete requests in the buffer, one after the other."""
        while self._work is None and not self._transport.is_closing():
            if self._reader is None and not self._read_head():
                return
            reader = self._reader
            if reader is None or not reader.consume(self._buffer):
                return
            self._reader = None
            self._serve(reader.request())

    def _read_head(self) -> bool:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            if len(self._buffer) > _HEAD_LIMIT:
                self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
            return False
        lines = self._buffer[:end].decode("latin-1").split("\r\n")
        del self._buffer[: end + 4]
        start = lines[0].split(" ")
        if len(start) != 3 or not start[2].startswith("HTTP/1."):  # noqa: PLR2004 - verb, target, version
            self._refuse(HTTPStatus.BAD_REQUEST)
            return False
        headers: dict[str, str] = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        connection = headers.get("connection", "").lower()
        self._keep_alive = connection == "keep-alive" if start[2] == "HTTP/1.0" else connection != "close"
        path, _, query = start[1].partition("?")
        length = headers.get("content-length", "0")
        if not length.isdigit():
            self._refuse(HTTPStatus.BAD_REQUEST)
            return False
        if headers.get("expect", "").lower() == "100-continue":
            self._transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        chunked = headers.get("transfer-encoding", "").lower() == "chunked"
        self._reader = _BodyReader(start[0], path, query, headers, None if chunked else int(length))
        return True

    def _refuse(self, status: HTTPStatus) -> None:
        self._keep_alive = False
        self._send(Reply(b"", status, "text/plain"))

    def _serve(self, request: Request) -> None:
        try:
            answer = self._handler(request)
        except Exception:  # noqa: BLE001 - a broken answer must not take the connection with it
            _log.exception("%s %s failed inside the sandbox", request.verb, request.path)
            answer = Reply(status=500)
        if isinstance(answer, Reply):
            self._send(answer)
            return
        self._work = asyncio.ensure_future(self._finish(answer))

    async def _finish(self, answer: Stream | Awaitable[Answer]) -> None:
        try:
            done = answer if isinstance(answer, Stream) else await answer
        except Exception:  # noqa: BLE001 - as above
            _log.exception("an answer failed inside the sandbox")
            done = Reply(status=500)
        if isinstance(done, Stream):
            await self._feed(done)
        else:
            self._send(done)
        self._work = None
        self._advance()

    async def _feed(self, stream: Stream) -> None:
        self._transport.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
            % stream.content_type.encode()
        )
        await stream.feed(self._transport.write)
        self._transport.close()

    def _send(self, reply: Reply) -> None:
        if self._transport.is_closing():
            return
        if reply.torn == "reset":
            raw: socket.socket = self._transport.get_extra_info("socket")
            # A zero linger time makes the kernel send RST instead of FIN.
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._transport.abort()
            return
        body = reply.body[: len(reply.body) // 2] if reply.torn == "half_body" else reply.body
        self._transport.write(_head(reply, keep_alive=self._keep_alive) + body)
        if reply.torn or not self._keep_alive:
            self._transport.close()


class _BodyReader:
    """Collects the body of one request, by length or in chunks, and drops what is over the limit."""

    def __init__(self, verb: str, path: str, query: str, headers: dict[str, str], length: int | None) -> None:
        self._start = (verb, path, query, headers)
        self._chunked = length is None
        self._left = length or 0
        self._dropping = self._left > BODY_LIMIT + _FORM_OVERHEAD
        self._body = bytearray()
        self._last_chunk = False

    def consume(self, buffer: bytearray) -> bool:
        """Move what belongs to the body out of `buffer`; True when the body is complete."""
        while True:
            take = min(self._left, len(buffer))
            if not self._dropping:
                self._body += buffer[:take]
                self._dropping = len(self._body) > BODY_LIMIT + _FORM_OVERHEAD
            del buffer[:take]
            self._left -= take
            if self._left:
                return False
            if not self._chunked or self._last_chunk:
                return True
            if not self._next_chunk(buffer):
                return False

    def request(self) -> Request:
        """Return the finished request."""
        body = b"" if self._dropping else bytes(self._body)
        return Request(*self._start, body=body, oversized=self._dropping)

    def _next_chunk(self, buffer: bytearray) -> bool:
        start = 2 if buffer[:2] == b"\r\n" else 0
        end = buffer.find(b"\r\n", start)
        if end < 0:
            return False
        try:
            size = int(bytes(buffer[start:end]).split(b";")[0], 16)
        except ValueError:
            size = 0
        if size == 0:
            # The empty line after the last chunk belongs to it; trailers are not used by any client here.
            if len(buffer) < end + 4:
                return False
            self._last_chunk = True
            del buffer[: end + 4]
            return True
        del buffer[: end + 2]
        self._left = size
        return True


def _head(reply: Reply, *, keep_alive: bool) -> bytes:
    if reply.status == HTTPStatus.OK and not reply.headers and keep_alive:
        return b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n" % (
            reply.content_type.encode(),
            len(reply.body),
        )
    lines = [
        f"HTTP/1.1 {reply.status} {_phrase(reply.status)}",
        f"Content-Type: {reply.content_type}",
        f"Content-Length: {len(reply.body)}",
        *(f"{name}: {value}" for name, value in reply.headers),
    ]
    if not keep_alive:
        lines.append("Connection: close")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"
