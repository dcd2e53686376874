"""Documents outside a store: a directory that diffs well, or one portable file."""

from __future__ import annotations

from pathlib import Path

from project_memory.documents import printable
from project_memory.errors import NotFound, StoreUnreadable
from project_memory.exchange import directory, single
from project_memory.exchange.package import Incoming, Package, located

__all__ = ["Incoming", "Package", "located", "read"]


def read(path: Path) -> Package:
    """Return what lies at `path`: a directory of documents, or a file that holds them all.

    Broken files are problems of the package, not exceptions.

    Raises:
        NotFound: there is nothing at `path`.
        StoreUnreadable: it cannot be read.
    """
    shown = printable(str(path))
    try:
        exists = path.exists()
    except OSError as error:
        raise StoreUnreadable(f"cannot read '{shown}' ({error.strerror})") from error
    if not exists:
        raise NotFound(f"nothing at '{shown}'; name a directory of memories or an export file")
    return directory.read(path) if path.is_dir() else single.read(path)
