"""Text on its way to and from a server, which takes any character but one.

PostgreSQL's text holds no U+0000. It is written as two characters U+0001, and a U+0001 as U+0001
U+0002, which keeps every text apart from every other, and their order. JSON text has neither.
"""

from __future__ import annotations

import re

from psycopg import adapters
from psycopg.abc import Buffer
from psycopg.adapt import AdaptersMap, Dumper, Loader

_MEANT = {b"\1\1": b"\0", b"\1\2": b"\1"}
_WRITTEN = re.compile(b"\1[\1\2]")


class _TextDumper(Dumper):
    """Writes text; a lone surrogate is a UnicodeEncodeError."""

    def dump(self, obj: str) -> bytes:
        data = obj.encode()
        if b"\0" in data or b"\1" in data:
            return data.replace(b"\1", b"\1\2").replace(b"\0", b"\1\1")
        return data


class _TextLoader(Loader):
    def load(self, data: Buffer) -> str:
        held = bytes(data)
        if b"\1" in held:
            held = _WRITTEN.sub(lambda found: _MEANT[found[0]], held)
        return held.decode()


def adaptation() -> AdaptersMap:
    """Return what a connection is to translate values by."""
    adapted = AdaptersMap(adapters)
    adapted.register_dumper(str, _TextDumper)
    adapted.register_loader("text", _TextLoader)
    return adapted
