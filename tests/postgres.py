"""A PostgreSQL server of the tests' own, in a temporary folder, reached through a Unix socket and loopback.

The server refuses to run as root, so that as root it is started as the `postgres` user of Debian's package.
"""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg


class Server:
    def __init__(self, port: int, control: Callable[..., None]) -> None:
        self.port = port
        self._made = 0
        self._control = control

    def stop(self) -> None:
        """Stop at once, cutting every connection, as a crash does."""
        self._control("-m", "immediate", "stop")

    def start(self) -> None:
        self._control("start")

    def fresh_database(self) -> str:
        self._made += 1
        name = f"t{os.getpid()}_{self._made}"
        with psycopg.connect(f"host=127.0.0.1 port={self.port} user=postgres dbname=postgres", autocommit=True) as c:
            c.execute(f'CREATE DATABASE "{name}"')
        return f"postgresql+asyncpg://postgres@127.0.0.1:{self.port}/{name}"


@contextmanager
def server() -> Iterator[Server]:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    if not found:
        raise RuntimeError("PostgreSQL is missing: run .ci/services, or apt-get install postgresql")
    binaries = found[-1].parent
    folder = Path(tempfile.mkdtemp(prefix="gpu-desk-pg-"))
    as_user = []
    if os.getuid() == 0:
        as_user = ["runuser", "-u", "postgres", "--"]
        shutil.chown(folder, "postgres", "postgres")
    data = folder / "data"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]

    def quietly(*command: object) -> None:
        subprocess.run([*as_user, *map(str, command)], check=True, stdout=subprocess.DEVNULL, cwd="/")

    quietly(binaries / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off -c max_connections=200"

    def control(*words: object) -> None:
        quietly(binaries / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options, *words)

    control("start")
    try:
        yield Server(port, control)
    finally:
        control("-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)
