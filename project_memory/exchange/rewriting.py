"""Bring the files of a directory from one state to another."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from project_memory.errors import Conflict, StorageError
from project_memory.exchange import writing


def rewrite(
    path: Path,
    before: Mapping[str, bytes],
    after: Mapping[str, bytes],
    renamed: Mapping[str, str],
) -> None:
    """Rename files, then write those whose content differs; every other one is left alone.

    Each file is replaced wholly or not at all, and what was interrupted can be begun again.

    Args:
        path: The directory.
        before: Name -> content, as it was read.
        after: Name -> content, as it shall be; no name is missing but the old ones of renames.
        renamed: New name -> old name.

    Raises:
        Conflict: a file that would be renamed or written is not as it was read; nothing is done.
        StorageError: a file cannot be written.
    """
    written = {name: data for name, data in after.items()
               if before.get(renamed.get(name, name)) != data}  # fmt: skip
    try:
        for name in (*renamed, *written):
            _check(path, renamed.get(name, name), before)
        for new, old in renamed.items():
            _rename(path / old, path / new)
        for name, data in written.items():
            writing.replace(path / name, data.decode("utf-8"), mode=_mode(path / name))
    except OSError as error:
        raise StorageError(f"cannot write '{error.filename}' ({error.strerror})") from error


def _check(path: Path, name: str, before: Mapping[str, bytes]) -> None:
    place = path / name
    found = place.read_bytes() if place.is_file() else None
    if found != before.get(name):
        raise Conflict(
            f"'{name}' was changed meanwhile; nothing was mended, run the command again"
        )


def _rename(old: Path, new: Path) -> None:
    # on a file system that is blind to case, the new name may be the old file's own
    if os.path.lexists(new) and not new.samefile(old):
        raise Conflict(f"'{new.name}' came to be meanwhile; run the command again")
    old.rename(new)


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o644
