"""The directory form: labels.json, meta.json, memories/<id>.json and archive/<id>.json."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from project_memory import documents, validation
from project_memory.documents import printable
from project_memory.errors import StorageError, StoreUnreadable
from project_memory.exchange import (
    expectation_form,
    lines,
    naming,
    registry_form,
    repair,
    text,
    writing,
)
from project_memory.exchange.folder import Folder
from project_memory.exchange.form import JSON, Form, stem_of
from project_memory.exchange.package import Incoming, Locate, Package, as_is, located
from project_memory.model import Expectation, Memory, Problem, Registry, Severity, Status

MEMORIES, ARCHIVE = "memories", "archive"
OWN = frozenset({"labels.json", "meta.json"})
"""Files of a directory that are no documents."""
PARTS = (MEMORIES, ARCHIVE, *sorted(OWN))
"""Everything that lies in a directory itself."""


@dataclass(slots=True)
class _Notes:
    """What reading a directory brings to light beside its documents."""

    problems: list[Problem] = field(default_factory=list)
    repairs: list[str] = field(default_factory=list)
    unread: set[str] = field(default_factory=set)


def read(folder: Folder, form: Form = JSON) -> Package:
    """Return everything in a directory; a plain folder of documents counts as memories.

    Raises:
        StoreUnreadable: the directory, or a file in it, cannot be read.
    """
    notes = _Notes()
    try:
        registry = _registry(folder, notes)
        kept, locate = _meta(folder, notes)
        meta = kept["memories"]
        memories = list(_memories(folder, form, meta, notes))
    except OSError as error:
        raise StoreUnreadable(
            f"cannot read '{printable(str(error.filename))}' ({error.strerror}); "
            "nothing was taken from it"
        ) from error
    memories.sort(key=_by_id)
    notes.unread |= naming.unclear_ids(memories)
    notes.problems += [*naming.file_names(memories), *naming.repeated_ids(memories)]
    known = {str(incoming.document.get("id")) for incoming in memories} | notes.unread
    notes.problems += [_stranger(name, locate) for name in sorted(meta.keys() - known)]
    expectations = tuple(map(expectation_form.from_json, kept.get("expectations", ())))
    doubtful = expectation_form.problems(expectations, known)
    notes.problems += [located(problem, "meta.json", locate) for problem in doubtful]
    return Package(
        tuple(memories),
        registry,
        (),
        tuple(notes.problems),
        tuple(notes.repairs),
        frozenset(notes.unread),
        expectations=expectations,
        beside=("meta.json", locate),
    )


def write(
    path: Path,
    memories: Iterable[Memory],
    registry: Registry,
    expectations: Sequence[Expectation] = (),
    form: Form = JSON,
) -> tuple[int, int]:
    """Write a project in canonical form; return how many documents, and how many files changed.

    Files that are there but not part of it are left alone, except a document's former place when
    it was archived or brought back.

    Raises:
        StorageError: a file cannot be written.
    """
    count = changed = 0
    try:
        for name, content in files(memories, registry, expectations, form):
            changed += _replace(path / name, content)
            if name not in OWN:
                (path / _elsewhere(name)).unlink(missing_ok=True)
                count += 1
    except OSError as error:
        raise StorageError(f"cannot write '{error.filename}' ({error.strerror})") from error
    return count, changed


def files(
    memories: Iterable[Memory],
    registry: Registry,
    expectations: Sequence[Expectation] = (),
    form: Form = JSON,
) -> Iterator[tuple[str, str]]:
    """Yield (name, content) of every file of a project's directory: documents, then the rest."""
    meta: dict[str, Any] = {}
    for memory in memories:
        folder = ARCHIVE if memory.archived else MEMORIES
        yield f"{folder}/{memory.id}{form.ending}", form.write(memory.document)
        meta |= _beside(memory)
    yield "labels.json", registry_form.to_text(registry)
    beside: dict[str, Any] = {"memories": meta}
    if expectations:
        beside["expectations"] = expectation_form.to_json(expectations)
    yield "meta.json", documents.to_text(beside)


def _elsewhere(name: str) -> str:
    """Return where a document would be if it were archived, or no longer."""
    folder, _, last = name.partition("/")
    return f"{MEMORIES if folder == ARCHIVE else ARCHIVE}/{last}"


def leftovers(path: Path, ids: Container[str], form: Form = JSON) -> list[Path]:
    """Return the document files in a written directory that belong to none of these ids, sorted.

    Raises:
        StorageError: a folder cannot be read.
    """
    try:
        found = [
            file for name in (MEMORIES, ARCHIVE) for file in (path / name).glob(f"*{form.ending}")
        ]
    except OSError as error:
        raise StorageError(f"cannot read '{error.filename}' ({error.strerror})") from error
    return sorted(file for file in found if file.stem not in ids)


def _beside(memory: Memory) -> dict[str, Any]:
    """Return what the directory keeps of a memory beside its document, under its id."""
    kept: dict[str, Any] = {}
    if memory.pinned:
        kept["pinned"] = True
    if memory.status is Status.SUPERSEDED and memory.own_status is not Status.ACTIVE:
        kept["own_status"] = memory.own_status.value
    return {memory.id: kept} if kept else {}


def _registry(folder: Folder, notes: _Notes) -> Registry:
    file = "labels.json"
    content, value = _value(folder, file, notes)
    if value is None:
        return Registry()
    registry, found = registry_form.from_json(value, notes.repairs)
    notes.problems += [
        located(problem, file, partial(lines.line_of, content)) for problem in found
    ]
    return registry


def _meta(folder: Folder, notes: _Notes) -> tuple[Mapping[str, Any], Locate]:
    """Return (what stands beside the documents, JSON path -> line)."""
    file = "meta.json"
    content, value = _value(folder, file, notes)
    locate = partial(lines.line_of, content)
    if value is None:
        return {"memories": {}}, locate
    found = validation.check_form(value, "meta")
    notes.problems += [located(problem, file, locate) for problem in found]
    return ({"memories": {}} if found else value), locate


def _value(folder: Folder, file: str, notes: _Notes) -> tuple[str, Any]:
    """Return (text, JSON value) of a file; the value is None if it is absent or broken."""
    if not folder.holds(file):  # a link to nowhere is not an absent file
        return "", None
    content, found = text.load(folder, file, file)
    value, more = (None, []) if found else text.parse(content, file)
    if value is None and not found and not more:
        more = [Problem("schema-type", "null is not of type object", file=file, line=1)]
    notes.problems += [*found, *more]
    return content, value


def _memories(
    folder: Folder, form: Form, meta: Mapping[str, Any], notes: _Notes
) -> Iterator[Incoming]:
    for name in _files(folder, form, notes):
        file = printable(name)
        content, found = text.load(folder, name, file)
        value, more = (None, []) if found else form.parse(content, file)
        if not isinstance(value, dict):
            notes.unread.add(stem_of(name))
            shape = Problem("not-an-object", "a document is a JSON object", file=file, line=1)
            notes.problems += [*found, *more] or [shape]
            continue
        notes.problems += more
        sound = form is JSON and repair.is_sound(value, content)
        document, repairs = (value, []) if sound else repair.normalised(value)
        notes.repairs += [f"{file}: {sentence}" for sentence in repairs]
        placed = as_is if sound else partial(repair.path_in_file, value, document)
        yield Incoming(
            document=document,
            file=file,
            archived=file.startswith(f"{ARCHIVE}/"),
            locate=partial(form.line_of, content),
            placed=placed,
            repairs=tuple(repairs),
            sound=sound,
            **_beside_of(document, meta),
        )


def _by_id(incoming: Incoming) -> tuple[str, bool, str]:
    """Order by id; of several files with one id, the one named after it comes first."""
    name = str(incoming.document.get("id"))
    return name, stem_of(incoming.file) != name, incoming.file


def _beside_of(document: Mapping[str, Any], meta: Mapping[str, Any]) -> dict[str, Any]:
    """Return what ``meta.json`` says of a document."""
    name = document.get("id")
    kept = meta.get(name, {}) if isinstance(name, str) else {}
    own = {"own_status": Status(kept["own_status"])} if "own_status" in kept else {}
    return {"pinned": kept.get("pinned", False), **own}


def _files(folder: Folder, form: Form, notes: _Notes) -> list[str]:
    """Return the document files of a directory, sorted, relative to it."""
    places = [name for name in (MEMORIES, ARCHIVE) if folder.holds(name)]
    own = OWN if not places else frozenset()
    found = []
    for place in places or [""]:
        prefix = f"{place}/" if place else ""
        for name, is_file in folder.entries(place):
            if name in own or not form.is_document(name):
                continue
            if is_file:
                found.append(f"{prefix}{name}")
            else:
                file = printable(f"{prefix}{name}")
                notes.problems.append(Problem("not-a-file", "no regular file", file=file))
                notes.unread.add(stem_of(name))
    return sorted(found)


def belongs(name: str) -> bool:
    """Return whether a file of a directory, given relative to it, is one that `read` looks at."""
    folder, _, last = name.rpartition("/")
    if folder:
        return folder in {MEMORIES, ARCHIVE} and JSON.is_document(last)
    return last in OWN or JSON.is_document(last) or last in {MEMORIES, ARCHIVE}


def _stranger(name: str, locate: Locate) -> Problem:
    return Problem(
        "bad-meta",
        f"there is no memory '{printable(name)}'",
        f"$.memories.{printable(name)}",
        fix="remove the entry",
        severity=Severity.WARNING,
        file="meta.json",
        line=locate(f"$.memories.{name}"),
    )


def _replace(path: Path, content: str) -> bool:
    """Write a file atomically; return False where it holds the content already."""
    if path.is_file() and path.read_bytes() == content.encode("utf-8"):
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    writing.replace(path, content, mode=0o644)
    return True
