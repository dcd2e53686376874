"""Files in which a store comes into being, and those that a killed process left behind."""

from __future__ import annotations

import os
import re
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

if sys.platform != "win32":
    import fcntl

_BESIDE = ("", "-wal", "-shm")


@contextmanager
def draft(path: Path) -> Iterator[Path]:
    """Yield a file beside `path`, for its owner only, which is gone at the end.

    Raises:
        OSError: the file cannot be made.
    """
    place, handle = _made(path)
    try:
        yield place
    finally:
        os.close(handle)
        _remove(place)


def _made(path: Path) -> tuple[Path, int]:
    """Return a new file and a handle whose lock tells other processes that this one lives."""
    while True:
        place = path.with_name(f".{path.name}.{secrets.token_hex(8)}.new")
        handle = os.open(place, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
        try:
            swept = not _lock(handle) or not os.fstat(handle).st_nlink
        except OSError:  # a file system without such locks, where nothing is swept
            swept = False
        if not swept:
            return place, handle
        os.close(handle)


def sweep(path: Path) -> None:
    """Remove the drafts of this store whose process is gone."""
    form = re.compile(rf"(\.{re.escape(path.name)}\.[0-9a-f]{{16}}\.new)(-wal|-shm)?")
    with suppress(OSError):
        found = (form.fullmatch(name) for name in os.listdir(path.parent))  # noqa: PTH208  # names
        for name in {match[1] for match in found if match}:
            with suppress(OSError):
                _remove_if_left(path.with_name(name))


def _remove_if_left(place: Path) -> None:
    try:
        handle = os.open(place, os.O_RDWR)
    except FileNotFoundError:
        _remove(place)  # what is beside it may still be there
        return
    left = False
    try:
        left = _lock(handle)
        if left:
            _remove(place)
    finally:
        os.close(handle)
    if left:
        _remove(place)  # Windows removes no file that is open


def _lock(handle: int) -> bool:
    """Return whether a file's lock, which is none of those that SQLite takes, was free.

    Raises:
        OSError: the file system has no such locks.
    """
    if sys.platform != "win32":
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def _remove(place: Path) -> None:
    for ending in _BESIDE:
        with suppress(OSError):
            Path(f"{place}{ending}").unlink()
