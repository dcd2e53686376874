"""A PostgreSQL of our own for tests: made in a temporary folder, stopped by its process."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import psycopg

SETTINGS = ("fsync=off", "listen_addresses=", "max_connections=200", "shared_buffers=16MB")
"""What is lost with the machine is nothing that a test asks for."""


def programs() -> Path | None:
    """Return the folder of the server's programs, or None where there are none."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).resolve().parent  # Debian puts a link on the path
    installed = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    newest = sorted(installed, key=lambda path: int(path.parent.parent.name))
    return newest[-1].parent if newest else None


STRANGER = "stranger"
"""The only user whom the server asks for a password."""


class Server:
    """A server that listens on a socket in a folder of its own, and on no network."""

    def __init__(self, folder: Path, bin_: Path) -> None:
        self.folder, self._bin = folder, bin_
        self._as: Mapping[str, object] = {}
        if os.geteuid() == 0:  # it refuses to run as root
            user = next(u for u in pwd.getpwall() if u.pw_name in {"postgres", "nobody"})
            os.chown(folder, user.pw_uid, user.pw_gid)
            self._as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        made = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        self._run("initdb", "-D", "data", *made)
        rules = folder / "data" / "pg_hba.conf"
        rules.write_text(f"local all {STRANGER} scram-sha-256\n{rules.read_text()}")
        self._process: subprocess.Popen[bytes] | None = None

    def url(self, database: str = "postgres", user: str = "postgres") -> str:
        """Return the URL of a database."""
        return f"postgresql://{user}@/{database}?host={quote(str(self.folder), safe='/')}"

    def run(self, *statements: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """Run statements, each by itself, and return what the last one answers."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute("SET client_min_messages = warning")
            for statement in statements:
                cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def load(self, script: str, database: str) -> None:
        """Let psql run a script."""
        address = ["-h", str(self.folder), "-U", "postgres", "-d", database]
        self._run("psql", "-q", "-f", "-", *address, given=script)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command = [str(self._bin / "postgres"), "-D", "data", "-k", str(self.folder)]
        for setting in SETTINGS:
            command += ["-c", setting]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                **self._as,
            )
        ready = [str(self._bin / "pg_isready"), "-q", "-h", str(self.folder)]
        while subprocess.run(ready, check=False).returncode:
            assert self._process.poll() is None, (self.folder / "log").read_text()
            time.sleep(0.02)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop it at once: sessions end (SIGINT), or nothing is tidied up (SIGQUIT)."""
        assert self._process is not None
        self._process.send_signal(how)
        self._process.wait(60)

    def _run(self, program: str, *arguments: str, given: str = "") -> None:
        command = [str(self._bin / program), *arguments]
        done = subprocess.run(
            command,
            cwd=self.folder,
            input=given,
            capture_output=True,
            text=True,
            check=False,
            **self._as,
        )
        assert done.returncode == 0, done.stderr


@contextmanager
def running() -> Iterator[Server | None]:
    """Yield a server that runs until the end; None where it is not installed."""
    found = programs()
    if found is None:
        yield None
        return
    # a socket's path may have 107 characters, which pytest's folders leave no room for
    with TemporaryDirectory(prefix="pm-") as name:
        server = Server(Path(name), found)
        server.start()
        try:
            yield server
        finally:
            server.stop(signal.SIGQUIT)
