"""Paths of the code as callers give them, and as memories name them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from pathlib import Path
from unicodedata import normalize

from project_memory.checkout.identity import project_identity
from project_memory.errors import InvalidInput

MOST = 64
"""Paths that one question may be about."""


def from_top(paths: Iterable[str], folder: Path | None) -> tuple[str, ...]:
    """Return paths from the top of the repository, each once, in the order given.

    Args:
        paths: Such paths; or absolute ones, below the top of the repository that holds `folder`.
        folder: Where the code is, or None where that is not known.

    Raises:
        InvalidInput: a path is blank, or leads out of the repository; or there are too many.
    """
    given = list(paths)
    if len(given) > MOST:
        raise InvalidInput(f"{len(given)} files are named at once; name at most {MOST}")
    top = _top(folder) if folder is not None and any(map(posixpath.isabs, given)) else None
    return tuple(dict.fromkeys(_plain(path, top) for path in given))


def _top(folder: Path) -> Path | None:
    try:
        return project_identity(folder).root
    except OSError:  # the working directory may be gone
        return None


def _plain(path: str, top: Path | None) -> str:
    # accents as memories are kept: a letter and its accent as one sign
    plain = normalize("NFC", posixpath.normpath(path.replace("\\", "/")))
    if posixpath.isabs(plain) and top is not None:
        # links within the checkout are names of their own, so only the folder is resolved
        for place in (Path(plain), Path(plain).parent.resolve() / Path(plain).name):
            if place != top and place.is_relative_to(top):
                return place.relative_to(top).as_posix()
    if not path.strip() or plain == "." or posixpath.isabs(plain) or plain.startswith("../"):
        raise InvalidInput(
            f"'{path}' is no path within the repository; write it from the top, as src/store.py"
        )
    return plain
