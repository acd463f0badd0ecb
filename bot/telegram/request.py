"""The way to the Bot API: one HTTP client on aiohttp for everything, and calls whose parameters are plain JSON.

The library's own client, httpx, takes about four times as long for a small call. Building the library's objects, only to
read a message's number from them, takes as long again; so the outbox and the poller call with plain values.
"""

import json
from typing import Any, Final

import aiohttp
from telegram.error import NetworkError, TimedOut
from telegram.request import BaseRequest, RequestData

READ_TIMEOUT_S: Final = 20.0
CONNECT_TIMEOUT_S: Final = 5.0


class AiohttpRequest(BaseRequest):
    """The library's request over one aiohttp session; `connections` bounds how many calls are open at once."""

    def __init__(self, connections: int) -> None:
        self._connections = connections
        self._session: aiohttp.ClientSession | None = None

    @property
    def read_timeout(self) -> float:
        """Seconds that an answer may take."""
        return READ_TIMEOUT_S

    async def initialize(self) -> None:
        """Open the session."""
        if self._session is None:
            connector = aiohttp.TCPConnector(limit=self._connections, keepalive_timeout=30)
            headers = {"User-Agent": self.USER_AGENT}
            self._session = aiohttp.ClientSession(connector=connector, headers=headers)

    async def shutdown(self) -> None:
        """Close the session."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def call(self, url: str, payload: dict[str, Any], timeout_s: float = READ_TIMEOUT_S) -> Any:
        """Call a method with plain values and return its plain result; raises TelegramError as the library does."""
        return await self.post(url, _Plain(payload), read_timeout=timeout_s)  # type: ignore[arg-type]  # read below alone

    async def do_request(  # noqa: PLR0917 - the library's signature
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: Any = BaseRequest.DEFAULT_NONE,
        write_timeout: Any = BaseRequest.DEFAULT_NONE,  # noqa: ARG002 - one limit holds for the whole call
        connect_timeout: Any = BaseRequest.DEFAULT_NONE,
        pool_timeout: Any = BaseRequest.DEFAULT_NONE,  # noqa: ARG002 - waiting for a connection counts as well
    ) -> tuple[int, bytes]:
        """Make one request; raises TimedOut and NetworkError, never an error of aiohttp."""
        if self._session is None:
            raise RuntimeError("this request is not initialised")
        timeout = aiohttp.ClientTimeout(
            total=_seconds(read_timeout, READ_TIMEOUT_S), sock_connect=_seconds(connect_timeout, CONNECT_TIMEOUT_S)
        )
        try:
            async with self._session.request(method, url, timeout=timeout, **_body(request_data)) as answer:
                return answer.status, await answer.read()
        except TimeoutError as error:
            raise TimedOut from error
        except aiohttp.InvalidURL as error:
            # Its text is the address, and the address holds the token.
            raise NetworkError(type(error).__name__) from None
        except (aiohttp.ClientError, OSError) as error:
            raise NetworkError(f"{type(error).__name__}: {error}") from error


class _Plain:
    """Parameters that are JSON already."""

    def __init__(self, payload: dict[str, Any]) -> None:
        self.body = json.dumps(payload, separators=(",", ":")).encode()


def _body(data: RequestData | _Plain | None) -> dict[str, Any]:
    if data is None:
        return {}
    if isinstance(data, _Plain):
        return {"data": data.body, "headers": {"Content-Type": "application/json"}}
    if not data.contains_files:
        return {"data": data.json_parameters}
    form = aiohttp.FormData(data.json_parameters)
    for name, (filename, content, mime_type) in data.multipart_data.items():
        form.add_field(name, content, filename=filename, content_type=mime_type)
    return {"data": form}


def _seconds(given: Any, default: float) -> float:
    return float(given) if isinstance(given, int | float) else default
