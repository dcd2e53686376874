"""What hooks told a session already, so that nothing is told twice.

A file of ids for each session, in the user's cache folder. It may be lost at any time: then
something is told again.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WORK = 100_000
"""Bytes of a transcript from which on a session counts as work that can have taught something."""

DAYS = 7
"""Days after which a session is forgotten."""

_LOOKED_AT = 32 * 1024 * 1024
_REMINDED = "/reminded"
_WRITES = re.compile(rb'"name" ?: ?"[^"]*(?:create_memory|update_memory)"')


@dataclass(frozen=True, slots=True)
class Session:
    """A session by its file, or without one where the client names none."""

    file: Path | None

    @classmethod
    def of(cls, name: object) -> Session:
        """Return the session of a name."""
        if not isinstance(name, str) or not name:
            return cls(None)
        digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        return cls(_folder() / digest)

    def told(self) -> set[str]:
        """Return the ids of the memories that were told."""
        with suppress(OSError):
            if self.file:
                return set(self.file.read_text(encoding="utf-8").split("\n"))
        return set()

    def tell(self, ids: Iterable[str]) -> None:
        """Take note that memories were told."""
        with suppress(OSError):
            if self.file:
                self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                with self.file.open("a", encoding="utf-8") as opened:
                    opened.write("".join(f"{name}\n" for name in ids))

    def remind(self) -> None:
        """Take note that the agent was reminded to remember."""
        self.tell([_REMINDED])

    def forget(self) -> None:
        """Begin anew, since the client's context does; sessions of long ago are forgotten too."""
        with suppress(OSError):
            if self.file:
                self.file.unlink(missing_ok=True)
            for each in _folder().glob("*"):
                if each.stat().st_mtime < time.time() - DAYS * 86_400:
                    each.unlink(missing_ok=True)

    def is_due(self, sent: Mapping[str, Any]) -> bool:
        """Return whether a session has worked, stored nothing and was not reminded yet."""
        place = sent.get("transcript_path")
        if self.file is None or not isinstance(place, str) or _REMINDED in self.told():
            return False
        with suppress(OSError, ValueError), Path(place).open("rb") as opened:
            read = opened.read(_LOOKED_AT)
            return len(read) >= WORK and not _WRITES.search(read)
        return False


def _folder() -> Path:
    import platformdirs  # noqa: PLC0415  # an event without a session needs none

    return Path(platformdirs.user_cache_dir("project-memory", appauthor=False)) / "sessions"
