"""Files as a person names them, seen from the working directory."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from project_memory.errors import InvalidInput


def from_top(files: Iterable[str], top: Path | None) -> list[str]:
    """Return files, named as seen from here, as paths from the top of a checkout.

    Without a checkout at hand they are such paths already.

    Raises:
        InvalidInput: one is blank, or not in the checkout.
    """
    named = list(files)
    for name in named:
        if not name.strip():
            raise InvalidInput(f"'{name}' names no file; name one, or a folder such as '.'")
    return [_plain(name) if top is None else _from_top(name, top) for name in named]


def _from_top(name: str, top: Path) -> str:
    # links within the checkout are names of their own, so only the folder is resolved
    place = Path(os.path.normpath(Path.cwd() / name))
    real = place.parent.resolve() / place.name
    for root, path in ((top, place), (top.resolve(), real)):
        if path == root or path.is_relative_to(root):
            return path.relative_to(root).as_posix()
    raise InvalidInput(f"'{name}' is not in the checkout '{top}'; name files of it")


def _plain(name: str) -> str:
    path = PurePosixPath(os.path.normpath(name))
    if path.is_absolute() or ".." in path.parts:
        raise InvalidInput(
            f"'{name}' leads out of the repository; write the path from its top, or stand in its "
            "checkout"
        )
    return path.as_posix()
