"""Speed in one run, side by side on the same local Telegram, as ratios; `python -m tests.bench`, printed, nothing asserted."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime

import httpx

from bot.sandbox.server import DEFAULT_TOKEN
from bot.sandbox.world import STAFF_CHAT_ID
from tests import postgres

CHATS = int(os.environ.get("BENCH_CHATS", "500"))
STEADY_PER_S, STEADY_S = 30, 20
"""The steady load under which the wait for a reply is measured."""
GREETED = ("/start", 2)
"""What makes a customer known, and how many messages answer it."""
ANSWERS = ("to be decided", "a support desk", "to be decided", "to be decided", "to be decided", "to be decided")


@dataclass
class Local:
    """A local Telegram in a process of its own, and what its people do."""

    url: str
    http: httpx.AsyncClient
    people: list[int]

    async def call(self, path: str, body: dict | None = None):
        reply = await self.http.request("GET" if body is None else "POST", "/client" + path, json=body)
        return reply.json()["result"]

    async def begin_anew(self) -> None:
        """A new world with new people."""
        await self.call("/reset", {})
        made = [await self.call("/users", {"first_name": f"P{n}", "language_code": "en"}) for n in range(CHATS)]
        self.people = [person["id"] for person in made]

    async def write(self, texts: list[str]) -> None:
        """Let everybody write each text in turn."""
        for text in texts:
            for person in self.people:
                await self.call(f"/users/{person}/messages", {"text": text})

    async def seq(self) -> int:
        calls = await self.call("/calls?after=0")
        return calls[-1]["seq"] if calls else 0

    async def sent(self, after: int, times: list[datetime]) -> int:
        """Add to `times` when each message since call `after` was sent; returns the last call's number."""
        calls = await self.call(f"/calls?after={after}&method=sendMessage")
        times += [datetime.fromisoformat(call["time"]) for call in calls if call["status"] == 200]
        return calls[-1]["seq"] if calls else after


def start(*arguments: str, **environment: str) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, *arguments],
        env={**os.environ, **environment},
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )


def stop(process: subprocess.Popen) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()


async def until(what, seconds: float = 120.0):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = await what()
        if found:
            return found
        await asyncio.sleep(0.3)
    raise TimeoutError


async def replies(local: Local, after: int, wanted: int) -> list[datetime]:
    """Wait for so many messages since call `after`, looking rarely: looking costs the server time."""
    times: list[datetime] = []
    deadline = time.monotonic() + 120
    while len(times) < wanted and time.monotonic() < deadline:
        await asyncio.sleep(0.5)
        after = await local.sent(after, times)
    return times


async def greeted(local: Local, setup: tuple[str, int]) -> None:
    """Let everybody say the first word and wait for all that answers it."""
    word, messages = setup
    before = await local.seq()
    await local.write([word])
    await replies(local, before, messages * CHATS)


async def drained(local: Local, begin, texts: list[str], setup: tuple[str, int]) -> float:
    """Replies a second at which a bot works off what everybody wrote while it was away."""
    process = begin()
    await greeted(local, setup)
    stop(process)
    await local.write(texts)
    before = await local.seq()
    process = begin()
    try:
        times = await replies(local, before, len(texts) * CHATS)
    finally:
        stop(process)
    return (len(times) - 1) / (times[-1] - times[0]).total_seconds()


async def waits(local: Local, begin, setup: tuple[str, int]) -> list[float]:
    """Seconds from an update to its reply under a steady load, shortest first."""
    process = begin()
    try:
        await greeted(local, setup)
        before = await local.seq()
        asked: dict[int, list[datetime]] = {}
        asking = set()
        begun = time.monotonic()
        for n in range(STEADY_PER_S * STEADY_S):
            await asyncio.sleep(max(0.0, begun + n / STEADY_PER_S - time.monotonic()))
            person = local.people[n % CHATS]
            asked.setdefault(person, []).append(datetime.now(UTC))
            asking.add(asyncio.create_task(local.call(f"/users/{person}/messages", {"text": ANSWERS[n // CHATS]})))
        await asyncio.gather(*asking)
        await replies(local, before, STEADY_PER_S * STEADY_S)
        calls = await local.call(f"/calls?after={before}&method=sendMessage")
    finally:
        stop(process)
    found = []
    for call in calls:
        moments = asked.get(int(call["params"]["chat_id"]))
        if moments and call["status"] == 200:
            found.append((datetime.fromisoformat(call["time"]) - moments.pop(0)).total_seconds())
    return sorted(found)


async def plain_sockets(local: Local, calls: int = 6000, connections: int = 8) -> float:
    """sendMessage answers a second that the server gives to clients which do nothing but ask: its own cost."""
    host, port = local.url.removeprefix("http://").split(":")
    for person in local.people[:connections]:
        await local.call(f"/users/{person}/messages", {"text": "hello"})

    async def ask(person: int) -> None:
        reader, writer = await asyncio.open_connection(host, int(port))
        body = f"chat_id={person}&text=hello".encode()
        head = (
            f"POST /bot{DEFAULT_TOKEN}/sendMessage HTTP/1.1\r\nHost: {host}:{port}\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        for _ in range(calls // connections):
            writer.write(head.encode() + body)
            answer = await reader.readuntil(b"\r\n\r\n")
            assert answer.startswith(b"HTTP/1.1 200"), answer
            length = int(answer.lower().split(b"content-length:")[1].split(b"\r\n")[0])
            await reader.readexactly(length)
        writer.close()

    begun = time.monotonic()
    await asyncio.gather(*(ask(person) for person in local.people[:connections]))
    return calls / (time.monotonic() - begun)


def tell(rates: dict[str, float], steady: dict[str, list[float]]) -> None:
    """Print every rate beside the plain echo's, the server's own beside the fastest library's, and the waits."""
    base = rates.get("ptb")
    for name, rate in rates.items():
        beside = f"  {rate / base:5.2f} × the plain python-telegram-bot echo" if base else ""
        sys.stdout.write(f"{name:10} {rate:6.0f} /s{beside}\n")
    libraries = [rates[name] for name in ("ptb", "aiogram") if name in rates]
    if libraries and "sockets" in rates:
        ratio = rates["sockets"] / max(libraries)
        sys.stdout.write(f"the server alone gives {ratio:.1f} × what the fastest library gets from it\n")
    for name, waited in steady.items():
        middle, high = (1000 * waited[int(len(waited) * part)] for part in (0.5, 0.95))
        sys.stdout.write(
            f"{name:10} update to reply at {STEADY_PER_S} a second: median {middle:.0f} ms, 95 % within {high:.0f} ms, "
            f"{len(waited)} of {STEADY_PER_S * STEADY_S} answered\n"
        )


async def main() -> None:
    wanted = sys.argv[1:] or ["sockets", "ptb", "aiogram", "sqlite", "postgres"]
    rates: dict[str, float] = {}
    steady: dict[str, list[float]] = {}
    port = "18099"
    server = start("-m", "bot", "sandbox", "--no-bot", "--port", port)
    url = f"http://127.0.0.1:{port}"
    try:
        async with httpx.AsyncClient(base_url=url, timeout=60) as http:
            local = Local(url, http, [])

            async def up():
                try:
                    return await local.call("/overview")
                except httpx.HTTPError:
                    return None

            await until(up)
            with tempfile.TemporaryDirectory() as folder, postgres.server() as pg:
                desk = {
                    "BOT_TOKEN": DEFAULT_TOKEN,
                    "BOT_API_URL": f"{url}/bot",
                    "BOT_STAFF_CHAT_ID": str(STAFF_CHAT_ID),
                    "BOT_LOG_LEVEL": "ERROR",
                    "BOT_MESSAGES_PER_SECOND": "0",
                }
                profile = ("-m", "cProfile", "-o", os.environ["BENCH_PROFILE"]) if "BENCH_PROFILE" in os.environ else ()
                files = iter(range(9))

                def ours(url: str):
                    """Our bot on a database of its own."""
                    return lambda: start(*profile, "-m", "bot", "run", **desk, BOT_DATABASE_URL=url)

                def peer(name: str):
                    return lambda: start("-m", "tests.echo", name, f"{url}/bot", DEFAULT_TOKEN)

                bots = {
                    "ptb": (lambda: peer("ptb"), ("hello", 1)),
                    "aiogram": (lambda: peer("aiogram"), ("hello", 1)),
                    "sqlite": (lambda: ours(f"sqlite+aiosqlite:///{folder}/{next(files)}.db"), GREETED),
                    "postgres": (lambda: ours(pg.fresh_database()), GREETED),
                }
                for name in wanted:
                    await local.begin_anew()
                    if name == "sockets":
                        rates[name] = await plain_sockets(local)
                    else:
                        fresh, setup = bots[name]
                        rates[name] = await drained(local, fresh(), list(ANSWERS), setup)
                        await local.begin_anew()
                        steady[name] = await waits(local, fresh(), setup)
                tell(rates, steady)
    finally:
        stop(server)


if __name__ == "__main__":
    asyncio.run(main())
