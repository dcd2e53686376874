"""Ids and file names: each id once, in a file of its name, on every system."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from project_memory.documents import printable
from project_memory.exchange.form import stem_of
from project_memory.exchange.package import Incoming
from project_memory.model import Problem, Severity

_WINDOWS = frozenset(
    {"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(1, 10))}
)


def repeated_ids(memories: Iterable[Incoming]) -> Iterator[Problem]:
    """Yield a problem for every id that another document has, or differs from in case only."""
    seen: dict[str, Incoming] = {}
    # of two that differ in case only, the one with capitals is wrong
    for incoming in sorted(memories, key=_has_capitals):
        name = incoming.document.get("id")
        if not isinstance(name, str):
            continue
        first = seen.setdefault(name.lower(), incoming)
        if first is incoming:
            continue
        twin = str(first.document["id"])
        if twin == name:
            place = "twice" if first.file == incoming.file else f"also in '{first.file}'"
            yield _problem(incoming, "duplicate-id", f"id '{printable(name)}' is {place}",
                           "keep one of the two")  # fmt: skip
        else:
            yield _problem(incoming, "case-twin", f"id '{printable(name)}' differs only in case "
                           f"from '{printable(twin)}'", "rename one of the two")  # fmt: skip


def file_names(memories: Iterable[Incoming]) -> Iterator[Problem]:
    """Yield a problem for every file that is not named after its id, or not safe on Windows."""
    for incoming in memories:
        name = incoming.document.get("id")
        if not isinstance(name, str):
            continue
        stem, shown = stem_of(incoming.file), printable(name)
        if stem != shown:
            message = f"the file is named '{stem}', its id is '{shown}'"
            ending = f".{incoming.file.rpartition('.')[2].lower()}"
            fix = f"name the file '{shown}{ending}'"
            yield _problem(incoming, "name-mismatch", message, fix)
        if name.lower() in _WINDOWS:
            message = f"id '{name}' is no file name on Windows"
            yield _problem(incoming, "unsafe-name", message, "choose another id", Severity.WARNING)


def unclear_ids(memories: Iterable[Incoming]) -> set[str]:
    """Return the ids that links mean or not, depending on how a misnamed file is put right."""
    stems = {stem_of(incoming.file) for incoming in memories}
    unclear: set[str] = set()
    for incoming in memories:
        name, stem = incoming.document.get("id"), stem_of(incoming.file)
        if stem != name:
            unclear.add(stem)
            if isinstance(name, str) and name not in stems:
                unclear.add(name)
    return unclear


def _has_capitals(incoming: Incoming) -> bool:
    name = str(incoming.document.get("id"))
    return name != name.lower()


def _problem(
    incoming: Incoming, code: str, message: str, fix: str, severity: Severity = Severity.ERROR
) -> Problem:
    return Problem(
        code,
        message,
        "$.id",
        printable(str(incoming.document["id"])),
        fix,
        severity,
        file=incoming.file,
        line=incoming.locate("$.id"),
    )
