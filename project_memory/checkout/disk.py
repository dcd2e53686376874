"""Files on the disk, as git would store them; symbolic links are never followed."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable
from enum import Enum
from itertools import accumulate
from pathlib import Path

from project_memory.checkout.git import Checkout, run


class Kind(Enum):
    """What is at a path."""

    FILE = "file"
    LINK = "link"
    OTHER = "other"


def kind(root: Path, path: str) -> Kind | None:
    """Return what is at a path below a folder, or None for nothing.

    What lies behind a symbolic link to a folder, and what may not be read, is something other.
    """
    *folders, _ = accumulate(path.split("/"), "{}/{}".format)
    try:
        if any(stat.S_ISLNK((root / folder).lstat().st_mode) for folder in folders):
            return Kind.OTHER
        mode = (root / path).lstat().st_mode
    except (OSError, ValueError):
        return None
    if stat.S_ISREG(mode):
        return Kind.FILE if os.access(root / path, os.R_OK) else Kind.OTHER
    return Kind.LINK if stat.S_ISLNK(mode) else Kind.OTHER


def object_ids(checkout: Checkout, paths: Iterable[str]) -> dict[str, str]:
    """Return path -> object id for those of the paths that are files or links now.

    Raises:
        InvalidInput: a file could not be read, though it was there a moment before.
    """
    kinds = {path: kind(checkout.root, path) for path in paths}
    files = [path for path, found in kinds.items() if found is Kind.FILE]
    links = [path for path, found in kinds.items() if found is Kind.LINK]
    return _hashed(checkout, files) | {path: _link_id(checkout, path) for path in links}


def _link_id(checkout: Checkout, path: str) -> str:
    """Return the object id of a symbolic link: what git stores of one is where it points."""
    target = os.fsencode((checkout.root / path).readlink())
    return hashlib.new(checkout.hash_name, b"blob %d\0" % len(target) + target).hexdigest()


def _hashed(checkout: Checkout, paths: list[str]) -> dict[str, str]:
    """Return path -> object id that git would give the file, as its attributes have it."""
    named = b"".join(_quoted(os.fsencode(path)) + b"\n" for path in paths)
    ids = run(checkout.root, "hash-object", "--stdin-paths", given=named) if paths else b""
    return dict(zip(paths, ids.decode().split(), strict=True))


def _quoted(path: bytes) -> bytes:
    """Return a path as git reads it on a line of its own."""
    if not any(byte < 0x20 or byte in b'"\\' for byte in path):
        return path
    signs = (b"\\%03o" % byte if byte < 0x20 or byte in b'"\\' else bytes([byte]) for byte in path)
    return b'"' + b"".join(signs) + b'"'
