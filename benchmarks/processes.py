"""A server of the product as a process, ended by its own id."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path


class Server:
    """A store that is served on a free port of loopback.

    Attributes:
        url: Where it is asked.
    """

    def __init__(self, store: str, log: Path, token: str) -> None:
        """Start it, and wait until it listens; its log goes into a file."""
        own = {k: v for k, v in os.environ.items() if not k.startswith("PROJECT_MEMORY_")}
        line = ("--store", store, "serve", "--http", "--bind", "127.0.0.1:0")
        with log.open("w", encoding="utf-8") as written:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "project_memory", *line],
                stderr=written,
                env={**own, "PROJECT_MEMORY_TOKEN": token},
            )
        self._log = log
        try:
            self.url = self._address()
        except BaseException:
            self.end()
            raise

    def end(self) -> int:
        """Let it end what it does, and return its exit code; idempotent."""
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def _address(self) -> str:
        while True:
            text = self._log.read_text(encoding="utf-8")
            for line in text.splitlines():
                if '"event": "serving"' in line and line.endswith("}"):
                    return str(json.loads(line)["url"])
            if self._process.poll() is not None:
                sys.exit(f"the server did not start:\n{text}")
            time.sleep(0.05)
