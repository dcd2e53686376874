"""Hold the server to the conformance suite of the protocol, and let the Inspector ask it.

    npm install --prefix FOLDER @modelcontextprotocol/conformance @modelcontextprotocol/inspector
    python benchmarks/conformance.py --modules FOLDER/node_modules

The suite knows of no tokens, so that what it sends goes through a relay that adds one. What it
must fail is in `conformance.yml` beside this file, each with its reason; the script ends with 1
where anything else fails, and where one of these no longer does.
"""

from __future__ import annotations

import argparse
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import product
from processes import Server

from project_memory.app import ProjectMemory

EXPECTED = Path(__file__).with_name("conformance.yml")
LESSON = {
    "id": "busy-database",
    "description": "the database is locked where two writers meet",
    "labels": ["kind:lesson"],
    "triggers": ["database is locked"],
    "remembered_facts": ["a second writer waits for the lock of the first"],
}
DEFAULT = f"/mcp?project={product.PROJECT}"

ASKED: Sequence[tuple[Sequence[str], str]] = (
    (("--method", "tools/list"), "create_memory"),
    (
        ("--method", "tools/call", "--tool-name", "recall", "--tool-arg", "query=locked"),
        "busy-database",
    ),
    (("--method", "resources/read", "--uri", "memory://bench/busy-database"), "two writers meet"),
)
"""What the Inspector is asked, and what its answer holds."""


def main() -> None:
    """Serve a small store, and let both programs ask it."""
    options = _options()
    with tempfile.TemporaryDirectory() as name:
        folder, token = Path(name), secrets.token_urlsafe(32)
        store = str(folder / "store.db")
        with ProjectMemory.open(
            store, project=product.PROJECT, actor=product.ACTOR, create=True
        ) as memory:
            memory.create(LESSON)
        with Server(store, folder / "log", token) as server, relayed(server.url, token) as relay:
            failed = _suite(options, relay, folder)
            failed |= _inspector(options, f"{server.url}{DEFAULT}", token)
    sys.exit(failed)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--modules", type=Path, required=True, help="folder of npm's packages")
    parser.add_argument("--node", default="node", help="program of Node.js, from version 22")
    return parser.parse_args()


def _suite(options: argparse.Namespace, relay: str, folder: Path) -> int:
    script = options.modules / "@modelcontextprotocol/conformance/dist/index.js"
    line = [options.node, script, "server", "--url", f"{relay}/mcp", "-o", folder / "results"]
    return subprocess.run([*line, "--expected-failures", EXPECTED], check=False).returncode


def _inspector(options: argparse.Namespace, url: str, token: str) -> int:
    """Let the Inspector list the tools, recall and read a memory, with the token itself."""
    script = options.modules / "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
    start = [options.node, script, "--cli", url, "--transport", "http"]
    start += ["--header", f"Authorization: Bearer {token}"]
    failed = False
    for more, told in ASKED:
        done = subprocess.run(
            [*start, *more],
            check=False,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=120,
        )
        right = done.returncode == 0 and told in done.stdout
        answer = "answered" if right else f"not answered\n{done.stdout[-500:]}{done.stderr[-500:]}"
        print(f"the Inspector's {' '.join(more)}: {answer}", flush=True)
        failed |= not right
    return int(failed)


@contextmanager
def relayed(server: str, token: str) -> Iterator[str]:
    """Yield an address whose requests reach a server with a token and a project."""
    target = urlsplit(server)

    class Relay(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _pass_on(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            connection = HTTPConnection(str(target.hostname), target.port)
            connection.putrequest(self.command, DEFAULT, skip_host=True, skip_accept_encoding=True)
            for name, value in self.headers.items():
                connection.putheader(name, value)
            connection.putheader("Authorization", f"Bearer {token}")
            connection.endheaders(body)
            response = connection.getresponse()
            self.send_response(response.status)
            for name, value in response.getheaders():
                if name.lower() not in {"transfer-encoding", "content-length", "connection"}:
                    self.send_header(name, value)
            self.send_header("Connection", "close")
            self.end_headers()
            self.close_connection = True
            with closing(connection), suppress(BrokenPipeError):  # a stream that nobody reads on
                while part := response.read1(65536):
                    self.wfile.write(part)

        do_GET = do_POST = do_DELETE = _pass_on  # noqa: N815  # names of the library

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Relay) as listening:
        listening.daemon_threads = True
        thread = Thread(target=listening.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.server_address[1]}"
        finally:
            listening.shutdown()


if __name__ == "__main__":
    main()
