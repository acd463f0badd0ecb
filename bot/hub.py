"""Asks the model hub for the published shape of a model that the catalogue does not hold."""

import asyncio
import contextlib
import json
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

from bot.errors import DeskError, EstimateError, HubError, UnknownNameError
from bot.estimation import ModelSpec, find_card, find_model, read_config, repo_id, repos_in

TIMEOUT_S: Final = 4.0
"""How long one question may take in all."""
PATIENCE_S: Final = 1.5
"""How long a customer's message waits for it."""
LARGEST_BYTES: Final = 1 << 20
"""A configuration is a few kB."""
MOST_KEPT: Final = 512
FOUND_S: Final = 86_400.0
MISSED_S: Final = 600.0
PAUSE_S: Final = 60.0
"""How long nobody asks again after the hub could not be reached."""

_HOPS: Final = 3
_AT_ONCE: Final = 2  # threads of its own, so that a silent hub holds up nobody else's
_PLAIN: Final = {"accept-encoding": "identity"}  # a packed body could grow beyond all bounds in one piece
_NOT_THERE: Final = (401, 403, 404, 410)  # absent, private, or behind a licence that only people can accept


class Hub:
    """The hub at `url`; an empty address turns it off. Shapes are kept in memory, as are names that it does not know.

    Only that one host is asked, redirects to others are not followed, and no token is sent.
    """

    def __init__(self, url: str, *, timeout_s: float = TIMEOUT_S, now: Callable[[], float] = time.monotonic) -> None:
        self._url, self._timeout_s, self._now = url.rstrip("/"), timeout_s, now
        self._kept: OrderedDict[str, tuple[float, ModelSpec | None]] = OrderedDict()
        self._quiet_until = -1.0
        self._lock, self._threads = Lock(), ThreadPoolExecutor(_AT_ONCE, "hub")

    @property
    def on(self) -> bool:
        """Whether there is a hub to ask."""
        return bool(self._url)

    async def ask(self, repo: str) -> ModelSpec:
        """Return the shape of `repo`, off the event loop; raises as `find` does."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self.find, repo)

    def find(self, repo: str) -> ModelSpec:
        """Return the published shape of `repo` ("org/name").

        Raises UnknownNameError when the hub has no readable configuration of that name, HubError when it is off or cannot
        be reached.
        """
        with self._lock:
            until, spec = self._kept.get(repo, (-1.0, None))
            if self._now() < until:
                return _known(repo, spec)
            if not self.on or self._now() < self._quiet_until:
                raise HubError("the model hub is not asked now")
        try:
            spec = self._fetch(repo)
        except HubError:
            with self._lock:
                self._quiet_until = self._now() + PAUSE_S
            raise
        with self._lock:
            self._kept[repo] = (self._now() + (FOUND_S if spec else MISSED_S), spec)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return _known(repo, spec)

    def _fetch(self, repo: str) -> ModelSpec | None:
        # It takes a quarter of a second to load, which only those pay who ask.
        from huggingface_hub import hf_hub_url  # noqa: PLC0415

        if repo_id(repo) != repo:
            return None
        body = self._read(hf_hub_url(repo, "config.json", endpoint=self._url))
        try:
            config = json.loads(body or b"null")
            return read_config(config).model_copy(update={"hub_id": repo}) if isinstance(config, dict) else None
        except (EstimateError, ValueError, RecursionError):
            return None

    def _read(self, url: str) -> bytes | None:
        """Return what lies at `url` of the hub, None where nothing does; follows its redirects only to itself."""
        from huggingface_hub import get_session  # noqa: PLC0415

        session, ends = get_session(), self._now() + self._timeout_s
        try:
            for _ in range(_HOPS):
                left = max(0.01, ends - self._now())
                with session.stream("GET", url, headers=_PLAIN, timeout=left, follow_redirects=False) as response:
                    if not response.is_redirect:
                        return self._body(response, ends)
                    url = urljoin(url, response.headers["location"])
                if urlsplit(url)[:2] != urlsplit(self._url)[:2]:
                    return None
        except HubError:
            raise
        except Exception as error:
            raise HubError(f"the model hub cannot be reached: {type(error).__name__}") from error
        return None

    def _body(self, response: Any, ends: float) -> bytes | None:
        if response.status_code in _NOT_THERE:
            return None
        if response.status_code != 200:  # noqa: PLR2004 - HTTP's OK
            raise HubError(f"the model hub answers {response.status_code}")
        read = bytearray()
        for piece in response.iter_bytes():
            read += piece
            if len(read) > LARGEST_BYTES:
                return None
            if self._now() > ends:
                raise HubError("the model hub takes too long")
        return bytes(read)


async def shapes_in(text: str, hub: Hub) -> Mapping[str, ModelSpec]:
    """Return what `hub` tells of the models that a message names and the catalogue does not hold, by "org/name".

    Nobody waits longer than `PATIENCE_S`: an answer that comes later is there when the model is named again.
    """
    if not hub.on or "/" not in text:
        return {}
    repos = [repo for repo in repos_in(text) if not _in_catalogues(repo)]
    found = await asyncio.gather(*(_asked(hub, repo) for repo in repos))
    return {repo: spec for repo, spec in zip(repos, found, strict=True) if spec is not None}


async def _asked(hub: Hub, repo: str) -> ModelSpec | None:
    question = asyncio.ensure_future(hub.ask(repo))
    await asyncio.wait({question}, timeout=PATIENCE_S)
    if not question.done():
        question.add_done_callback(lambda late: late.cancelled() or late.exception())
        return None
    try:
        return question.result()
    except DeskError:
        return None


def _in_catalogues(repo: str) -> bool:
    """Whether the catalogue holds this model, or a stroke stands between two cards: RTX4090/RTX3090."""
    for find, name in ((find_model, repo), (find_card, repo.rpartition("/")[2])):
        with contextlib.suppress(UnknownNameError):
            find(name)
            return True
    return False


def _known(repo: str, spec: ModelSpec | None) -> ModelSpec:
    if spec is None:
        raise UnknownNameError("model", repo)
    return spec
