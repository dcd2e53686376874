"""Bring the files of a directory from what they were to what they shall be."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from project_memory.errors import Conflict, StorageError
from project_memory.exchange import writing


def bring(path: Path, before: Mapping[str, bytes], after: Mapping[str, bytes | None]) -> None:
    """Write and remove files, each wholly or not at all; every other one is left alone.

    What is new is written first, and what goes is removed last, so that nothing is ever in no
    file: a twin is there before what it keeps is written over.

    Args:
        path: The directory; it is made where it is missing.
        before: Name -> content, as it was read.
        after: Name -> content as it shall be; None for a file that shall go.

    Raises:
        Conflict: a file is not as it was read; nothing is done.
        StorageError: a file cannot be written or removed.
    """
    try:
        for name in after:
            _check(path, name, before)
        for name, content in sorted(after.items(), key=lambda each: each[0] in before):
            if content is not None:
                (path / name).parent.mkdir(parents=True, exist_ok=True)
                writing.replace(path / name, content.decode("utf-8"), mode=0o644)
        for name, content in after.items():
            if content is None:
                (path / name).unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(f"cannot write '{error.filename}' ({error.strerror})") from error


def _check(path: Path, name: str, before: Mapping[str, bytes]) -> None:
    place = path / name
    found = place.read_bytes() if place.is_file() else None
    if found != before.get(name):
        raise Conflict(
            f"'{name}' was changed meanwhile; the project has what was read before, and the "
            "folder is as it was: run the command again"
        )
