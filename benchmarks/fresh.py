"""A new process that answers from what a folder holds: ``fresh.py SYSTEM FOLDER``.

Reads queries, one a line, and after each answer writes the processor time that the process has
taken, in seconds. At the end of input it writes its resident memory and the part of it that no
file backs, in bytes. With ``writer`` for SYSTEM every line is a draft, which is created.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

RESULTS = 8


@contextmanager
def answering(system: str, folder: Path) -> Iterator[Callable[[str], object]]:
    """Give what a line is handed to; only the system's own modules are loaded."""
    if system in {"product", "writer"}:
        import product  # noqa: PLC0415 - a peer must not pay for it

        with product.opened(folder) as memory:
            if system == "writer":
                yield lambda line: memory.create(json.loads(line))
            else:
                yield lambda line: product.asked(memory, line)
    else:
        import peers  # noqa: PLC0415 - the product must not pay for it

        peer = peers.opened(system, folder)
        yield lambda line: peer.search(line, RESULTS)


def resident() -> dict[str, int]:
    """Return the resident memory of this process and its anonymous part, in bytes."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    sizes = {line.split(":")[0]: line.split()[1] for line in lines if line.endswith(" kB")}
    return {"resident": 1024 * int(sizes["VmRSS"]), "private": 1024 * int(sizes["RssAnon"])}


def main(system: str, folder: str) -> None:
    """Answer until the end of input."""
    with answering(system, Path(folder)) as answer:
        for line in sys.stdin:
            answer(line.rstrip("\n"))
            print(time.process_time(), flush=True)
        print(json.dumps(resident()), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
