"""Import what lies at a path, be it this program's or another's."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from project_memory import exchange
from project_memory.model import Receipt
from project_memory.services import importing
from project_memory.services.importing import ImportReport
from project_memory.services.working_set import WorkingSet


class Run(Protocol):
    """One import: read and checked when made."""

    def apply(self, work: WorkingSet) -> None:
        """Add and update everything, inside a transaction."""

    def report(self, receipt: Receipt) -> ImportReport:
        """Return what was done."""


def run(
    path: Path,
    *,
    form: str | None = None,
    shown: str | None = None,
    strict: bool = False,
    take_older: bool = False,
) -> Run:
    """Read what lies at a path, and return what brings it in.

    Args:
        path: File or folder.
        form: Name of the format; None: the one that it shows.
        shown: What provenance calls a file of another program; None: its name.
        strict: Whether to refuse labels that are not registered, instead of adding them.
        take_older: Whether documents that are older than what is here replace it.

    Raises:
        NotFound: there is nothing at the path.
        InvalidInput: the format is not clear, or what is there is of another.
        StoreUnreadable: it cannot be read.
        InvalidDocument: it is broken; every problem is listed.
        SecretFound: a document of ours holds what looks like a credential.
    """
    exchange.check(path, "name a directory of memories or an export file")
    if form is None and exchange.is_ours(path):
        return importing.Run(exchange.read(path), strict=strict, take_older=take_older)
    from project_memory.exchange import foreign  # noqa: PLC0415  # parsers of YAML and Markdown

    name = form or foreign.recognised(path)
    if name == foreign.OWN:
        return importing.Run(exchange.read(path), strict=strict, take_older=take_older)
    from project_memory.services import adopting  # noqa: PLC0415

    return adopting.Run(path, name, shown or path.name, strict=strict, take_older=take_older)
