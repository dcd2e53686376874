"""The directory form: labels.json, meta.json, memories/<id>.json and archive/<id>.json."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from project_memory import documents
from project_memory.errors import StorageError, StoreUnreadable
from project_memory.exchange import registry_form, repair, text
from project_memory.exchange.package import Incoming, Package
from project_memory.model import Memory, Problem, Registry, Status

MEMORIES, ARCHIVE = "memories", "archive"
_WINDOWS = frozenset(
    {"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(1, 10))}
)


def read(path: Path) -> Package:
    """Return everything in a directory; a plain folder of documents counts as memories.

    Raises:
        StoreUnreadable: the directory, or a file in it, cannot be read.
    """
    problems: list[Problem] = []
    repairs: list[str] = []
    try:
        registry = _registry(path, problems)
        meta = _meta(path, problems)
        memories = list(_memories(path, meta, problems, repairs))
    except OSError as error:
        raise StoreUnreadable(
            f"cannot read '{error.filename or path}' ({error.strerror}); nothing was taken from it"
        ) from error
    memories.sort(key=lambda incoming: (str(incoming.document.get("id")), incoming.file))
    problems += _name_problems(memories)
    return Package(tuple(memories), registry, (), tuple(problems), tuple(repairs))


def write(path: Path, memories: Iterable[Memory], registry: Registry) -> tuple[int, int]:
    """Write a project in canonical form; return how many documents, and how many files changed.

    Files that are there but not part of it are left alone, except a document's former place when
    it was archived or brought back.

    Raises:
        StorageError: a file cannot be written.
    """
    meta: dict[str, Any] = {}
    count = changed = 0
    try:
        for memory in memories:
            folder, other = (ARCHIVE, MEMORIES) if memory.archived else (MEMORIES, ARCHIVE)
            name = f"{memory.id}.json"
            changed += _replace(path / folder / name, documents.to_text(memory.document))
            (path / other / name).unlink(missing_ok=True)
            meta |= _beside(memory)
            count += 1
        changed += _replace(path / "labels.json", registry_form.to_text(registry))
        changed += _replace(path / "meta.json", documents.to_text({"memories": meta}))
    except OSError as error:
        raise StorageError(f"cannot write '{error.filename}' ({error.strerror})") from error
    return count, changed


def _beside(memory: Memory) -> dict[str, Any]:
    """Return what the directory keeps of a memory beside its document, under its id."""
    kept: dict[str, Any] = {}
    if memory.pinned:
        kept["pinned"] = True
    if memory.status is Status.SUPERSEDED and memory.own_status is not Status.ACTIVE:
        kept["own_status"] = memory.own_status.value
    return {memory.id: kept} if kept else {}


def _registry(path: Path, problems: list[Problem]) -> Registry:
    if not (path / "labels.json").exists():
        return Registry()
    value, found = _json(path / "labels.json", "labels.json")
    problems += found
    registry, more = registry_form.from_json(value if not found else None, "labels.json")
    problems += more
    return registry


def _meta(path: Path, problems: list[Problem]) -> Mapping[str, Any]:
    if not (path / "meta.json").exists():
        return {}
    value, found = _json(path / "meta.json", "meta.json")
    problems += found
    memories = value.get("memories", {}) if isinstance(value, dict) else None
    if not found and not isinstance(memories, dict):
        problems.append(Problem("bad-meta", "'memories' is no object", file="meta.json"))
    return memories if isinstance(memories, dict) else {}


def _json(path: Path, file: str) -> tuple[Any, list[Problem]]:
    content, problems = text.load(path, file)
    return (None, problems) if problems else text.parse(content, file)


def _memories(
    path: Path, meta: Mapping[str, Any], problems: list[Problem], repairs: list[str]
) -> Iterator[Incoming]:
    for file in _files(path):
        content, found = text.load(path / file, file)
        value, more = (None, []) if found else text.parse(content, file)
        problems += [*found, *more]
        if found or more:
            continue
        if not isinstance(value, dict):
            problems.append(
                Problem("not-an-object", "a document is a JSON object", file=file, line=1)
            )
            continue
        document, repaired = repair.normalised(value)
        repairs += [f"{file}: {sentence}" for sentence in repaired]
        yield _incoming(document, file, meta, content)


def _incoming(
    document: dict[str, Any], file: str, meta: Mapping[str, Any], content: str
) -> Incoming:
    name = document.get("id")
    beside = meta.get(name, {}) if isinstance(name, str) else {}
    beside = beside if isinstance(beside, dict) else {}
    own = beside.get("own_status")
    return Incoming(
        document=document,
        file=file,
        archived=file.startswith(f"{ARCHIVE}/"),
        own_status=Status(own) if own in {"active", "stale", "wrong"} else None,
        pinned=beside.get("pinned") is True,
        locate=partial(text.line_of, content),
    )


def _files(path: Path) -> list[str]:
    """Return the document files of a directory, sorted, relative to it."""
    folders = [name for name in (MEMORIES, ARCHIVE) if (path / name).is_dir()]
    places = [(f"{name}/", path / name) for name in folders] if folders else [("", path)]
    own = {"labels.json", "meta.json"} if not folders else set()
    return sorted(
        f"{prefix}{entry.name}"
        for prefix, place in places
        for entry in os.scandir(place)
        if entry.name.endswith(".json") and entry.name not in own and not _is_twin(entry.name)
    )


def _is_twin(name: str) -> bool:
    return name.endswith(".conflict.json") or name.startswith(".")


def _name_problems(memories: Iterable[Incoming]) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    cases: dict[str, str] = {}
    for incoming in memories:
        name = incoming.document.get("id")
        if not isinstance(name, str):
            continue
        stem = Path(incoming.file).stem
        line = incoming.locate("$.id")
        if stem != name:
            yield Problem("name-mismatch", f"the file is named '{stem}', its id is '{name}'",
                          "$.id", name, f"name the file '{name}.json'", file=incoming.file,
                          line=line)  # fmt: skip
        if name in seen:
            yield Problem("duplicate-id", f"id '{name}' is also in '{seen[name]}'", "$.id", name,
                          "keep one of the two", file=incoming.file, line=line)  # fmt: skip
        elif name.lower() in cases:
            yield Problem("case-twin", f"id '{name}' differs only in case from "
                          f"'{cases[name.lower()]}'", "$.id", name, file=incoming.file,
                          line=line)  # fmt: skip
        if name.lower() in _WINDOWS:
            yield Problem("unsafe-name", f"id '{name}' is no file name on Windows", "$.id", name,
                          "choose another id", file=incoming.file, line=line)  # fmt: skip
        seen.setdefault(name, incoming.file)
        cases.setdefault(name.lower(), name)


def _replace(path: Path, content: str) -> bool:
    """Write a file atomically; return False where it holds the content already."""
    data = content.encode("utf-8", "surrogatepass")
    if path.is_file() and path.read_bytes() == data:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    Path(name).chmod(0o644)
    Path(name).replace(path)
    return True
