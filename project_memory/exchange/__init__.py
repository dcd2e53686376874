"""Documents outside a store: a directory that diffs well, or one portable file."""

from __future__ import annotations

from pathlib import Path

from project_memory.documents import printable
from project_memory.errors import NotFound, StoreUnreadable
from project_memory.exchange import directory, single
from project_memory.exchange.directory import OWN, PARTS, belongs
from project_memory.exchange.directory import read as read_folder
from project_memory.exchange.expectation_form import DOUBLE as DOUBLE_EXPECTATION
from project_memory.exchange.expectation_form import UNKNOWN as UNKNOWN_EXPECTED
from project_memory.exchange.folder import Folder, Held, OnDisk, held
from project_memory.exchange.form import ENDINGS, JSON, Form, stem_of
from project_memory.exchange.package import Incoming, Package
from project_memory.exchange.registry_form import from_json as registry_of
from project_memory.exchange.registry_form import to_json as registry_json
from project_memory.exchange.registry_form import to_text as registry_text
from project_memory.exchange.rewriting import rewrite
from project_memory.exchange.single import is_export

__all__ = [
    "DOUBLE_EXPECTATION",
    "ENDINGS",
    "JSON",
    "OWN",
    "PARTS",
    "UNKNOWN_EXPECTED",
    "Folder",
    "Form",
    "Held",
    "Incoming",
    "OnDisk",
    "Package",
    "belongs",
    "check",
    "form_named",
    "form_of",
    "held",
    "is_export",
    "is_ours",
    "read",
    "read_folder",
    "read_or_document",
    "registry_json",
    "registry_of",
    "registry_text",
    "rewrite",
    "stem_of",
]


def read(path: Path) -> Package:
    """Return what lies at `path`: a directory of documents, or a file that holds them all.

    Broken files are problems of the package, not exceptions.

    Raises:
        NotFound: there is nothing at `path`.
        StoreUnreadable: it cannot be read.
    """
    check(path, "name a directory of memories or an export file")
    return _directory(path) if path.is_dir() else single.read(path)


def read_or_document(path: Path) -> Package:
    """Return what lies at `path`; a file may hold one document by itself. See `read`."""
    check(
        path,
        "name a folder or file that `project-memory export` wrote, a file of one memory, or a "
        "store",
    )
    return _directory(path) if path.is_dir() else single.read_or_document(path)


def is_ours(path: Path) -> bool:
    """Return whether what lies at `path` is certain to be an export of ours.

    Raises:
        StoreUnreadable: it cannot be read.
    """
    try:
        if path.is_dir():
            return any((path / part).exists() for part in PARTS)
        return path.suffix in {".json", ".jsonl"} and path.is_file() and is_export(path)
    except OSError as error:
        raise StoreUnreadable(
            f"cannot read '{printable(str(path))}' ({error.strerror}); nothing was taken from it"
        ) from error


def form_of(path: Path) -> Form:
    """Return the form of a directory: notes where it holds any and no document of the other."""
    found = {
        form
        for folder in (directory.MEMORIES, directory.ARCHIVE)
        for form in ENDINGS
        if any((path / folder).glob(f"*{form}"))
    }
    return form_named("markdown") if found == {".md"} else JSON


def form_named(name: str) -> Form:
    """Return the form that an export calls so: directory or markdown."""
    if name == JSON.name:
        return JSON
    from project_memory.exchange import notes  # noqa: PLC0415  # a parser of YAML

    return notes.FORM


def _directory(path: Path) -> Package:
    return directory.read(OnDisk(path), form_of(path))


def check(path: Path, remedy: str) -> None:
    """Refuse a path at which there is nothing, saying what to name instead.

    Raises:
        NotFound: there is nothing at `path`.
        StoreUnreadable: that cannot be told.
    """
    shown = printable(str(path))
    try:
        exists = path.exists()
    except OSError as error:
        raise StoreUnreadable(f"cannot read '{shown}' ({error.strerror})") from error
    if not exists:
        raise NotFound(f"nothing at '{shown}'; {remedy}")
