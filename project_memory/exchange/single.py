"""The portable form: one JSON file with labels, documents, what stands beside them, history."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import Any

from project_memory import documents, validation
from project_memory.documents import printable
from project_memory.errors import StorageError, StoreUnreadable
from project_memory.exchange import (
    expectation_form,
    history_form,
    json_lines,
    lines,
    naming,
    proposal_form,
    registry_form,
    repair,
    text,
    writing,
)
from project_memory.exchange.folder import OnDisk
from project_memory.exchange.package import Incoming, Locate, Package, located
from project_memory.model import (
    Expectation,
    Memory,
    Problem,
    Registry,
    Revision,
    Status,
    as_json,
)
from project_memory.proposals import Proposal

FORMAT = "project-memory-export"
FORMAT_VERSION = 1
MAX_FILE = 2 * 1024 * 1024 * 1024
"""Size of an export, in bytes; a project of 10,000 memories with its history has some 100 MB."""


_BEGINNING = 1000  # bytes; the format is the first thing in an export


def read(path: Path) -> Package:
    """Return everything in an export file; a broken one is a package of problems.

    Raises:
        StoreUnreadable: the file cannot be read.
    """
    return _export(*_value(path))


def read_or_document(path: Path) -> Package:
    """Return everything in an export file, or the one document that a file holds by itself.

    Raises:
        StoreUnreadable: the file cannot be read.
    """
    value, content, problems, file = _value(path)
    if not isinstance(value, dict) or "format" in value or not value.keys() & {*documents.FIELDS}:
        return _export(value, content, problems, file)
    document, repairs = repair.normalised(value)
    placed = partial(repair.path_in_file, value, document)
    incoming = Incoming(document, file, locate=partial(lines.line_of, content), placed=placed)
    return Package((incoming,), repairs=tuple(repairs), partial=True)


def is_export(path: Path) -> bool:
    """Return whether a file begins like an export, or is empty.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        beginning = file.read(_BEGINNING)
    return not beginning or FORMAT.encode() in beginning


def value(
    project: str,
    memories: Iterable[Memory],
    registry: Registry,
    history: Iterable[Revision],
    *,
    proposals: Iterable[Proposal] = (),
    expectations: Iterable[Expectation] = (),
) -> dict[str, Any]:
    """Return what an export file holds, as JSON data but for mappings that are no dict."""
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "project": project,
        "labels": registry_form.to_json(registry),
        "memories": [{"document": m.document, "meta": _meta(m)} for m in memories],
        "expectations": expectation_form.to_json(expectations),
        "history": [history_form.to_json(revision) for revision in history],
        "proposals": [proposal_form.to_json(proposal) for proposal in proposals],
    }


def write(path: Path, content: Mapping[str, Any]) -> None:
    """Write what `value` returned to a file, atomically.

    Raises:
        StorageError: the file cannot be written.
    """
    _write(path, json.dumps(content, ensure_ascii=False, indent=1, default=dict) + "\n")


def write_lines(path: Path, content: Mapping[str, Any]) -> None:
    """Write what `value` returned to a file, one row to a line. See `write`."""
    _write(path, "".join(json_lines.lines(content)))


def _write(path: Path, written: str) -> None:
    try:
        writing.replace(path, written, mode=0o600)
    except OSError as error:
        raise StorageError(f"cannot write '{path}' ({error.strerror})") from error


def _meta(memory: Memory) -> dict[str, Any]:
    kept: dict[str, Any] = as_json(memory)
    return {name: value for name, value in kept.items() if name not in {"key", "document"}}


def _value(path: Path) -> tuple[Any, str, list[Problem], str]:
    """Return (JSON value, text, problems, the name that problems give the file)."""
    file = printable(path.name)
    try:
        content, problems = text.load(OnDisk(path.parent), path.name, file, limit=MAX_FILE)
    except OSError as error:
        raise StoreUnreadable(
            f"cannot read '{path}' ({error.strerror}); nothing was taken from it"
        ) from error
    if not problems and json_lines.is_so(content):
        content, problems = json_lines.joined(content, file)
    value, problems = (None, problems) if problems else text.parse(content, file)
    return value, content, problems, file


def _export(value: Any, content: str, problems: list[Problem], file: str) -> Package:
    problems = problems or _form_problems(value, content, file)
    return Package(problems=tuple(problems)) if problems else _package(value, content, file)


def _form_problems(value: Any, content: str, file: str) -> list[Problem]:
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        fix = "name a file that `project-memory export` wrote, or a directory"
        message = f"'format' is not '{FORMAT}'"
        return [Problem("not-an-export", message, "$.format", file=file, line=1, fix=fix)]
    if value.get("format_version") != FORMAT_VERSION:
        message = f"format_version {value.get('format_version')!r} is not {FORMAT_VERSION}"
        fix = "import it with the version that wrote it"
        return [Problem("export-version", message, "$.format_version", file=file, line=1, fix=fix)]
    found = validation.check_form(value, "export")
    return [located(problem, file, partial(lines.line_of, content)) for problem in found]


def _package(value: Mapping[str, Any], content: str, file: str) -> Package:
    repairs: list[str] = []
    registry, found = registry_form.from_json(value["labels"], repairs)
    memories = [
        _incoming(row, file, locate, repairs)
        for row, locate in zip(value["memories"], _locators(content), strict=False)
    ]
    memories.sort(key=lambda incoming: str(incoming.document["id"]))
    problems = [replace(problem, path=f"$.labels{problem.path[1:]}") for problem in found]
    expectations = tuple(map(expectation_form.from_json, value.get("expectations", ())))
    known = {str(incoming.document["id"]) for incoming in memories}
    problems += expectation_form.problems(expectations, known)
    return Package(
        tuple(memories),
        registry,
        tuple(history_form.from_json(revision) for revision in value.get("history", ())),
        (
            *(located(problem, file, partial(lines.line_of, content)) for problem in problems),
            *naming.repeated_ids(memories),
        ),
        tuple(repairs),
        proposals=tuple(map(proposal_form.from_json, value.get("proposals", ()))),
        expectations=expectations,
        beside=(file, partial(lines.line_of, content)),
    )


def _locators(content: str) -> Iterator[Locate]:
    """Yield, for every row in turn, what finds the line of a path in its document."""

    @cache  # to find one row is to pass over all before it
    def starts() -> list[int]:
        return [start for _, start in lines.children(content, lines.find(content, "$.memories"))]

    def locate(row: int, path: str) -> int | None:
        return lines.line_of(content, f"$.document{path.removeprefix('$')}", starts()[row])

    return (partial(locate, row) for row in count())


def _incoming(row: Mapping[str, Any], file: str, locate: Locate, repairs: list[str]) -> Incoming:
    document, repaired = repair.normalised(row["document"])
    repairs += [f"{document['id']}: {sentence}" for sentence in repaired]
    meta = row["meta"]
    return Incoming(
        document=document,
        file=file,
        archived=meta.get("archived_at") is not None,
        archived_at=meta.get("archived_at"),
        own_status=Status(meta["own_status"]),
        pinned=meta["pinned"],
        meta=meta,
        locate=locate,
        placed=partial(repair.path_in_file, row["document"], document),
    )
