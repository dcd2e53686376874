"""The portable form: one JSON file with labels, documents, what stands beside them, history."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from project_memory.errors import StorageError, StoreUnreadable
from project_memory.exchange import history_form, registry_form, repair, text
from project_memory.exchange.package import Incoming, Package
from project_memory.model import Memory, Problem, Registry, Revision, Status, as_json

FORMAT = "project-memory-export"
FORMAT_VERSION = 1


def read(path: Path) -> Package:
    """Return everything in an export file; a broken one is a package of problems.

    Raises:
        StoreUnreadable: the file cannot be read.
    """
    try:
        content, problems = text.load(path, path.name)
    except OSError as error:
        raise StoreUnreadable(
            f"cannot read '{path}' ({error.strerror}); nothing was taken from it"
        ) from error
    value, more = (None, []) if problems else text.parse(content, path.name)
    problems += more or ([] if problems else _form_problems(value, path.name))
    if problems or value is None:
        return Package(problems=tuple(problems))
    return _package(value, content, path.name)


def write(
    path: Path,
    project: str,
    memories: Iterable[Memory],
    registry: Registry,
    history: Iterable[Revision],
) -> int:
    """Write an export file atomically; return how many documents it holds.

    Raises:
        StorageError: the file cannot be written.
    """
    rows = [{"document": m.document, "meta": _meta(m)} for m in memories]
    value = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "project": project,
        "labels": registry_form.to_json(registry),
        "memories": rows,
        "history": [history_form.to_json(revision) for revision in history],
    }
    try:
        _write(path, json.dumps(value, ensure_ascii=False, indent=1, default=dict) + "\n")
    except OSError as error:
        raise StorageError(f"cannot write '{path}' ({error.strerror})") from error
    return len(rows)


def _meta(memory: Memory) -> dict[str, Any]:
    kept: dict[str, Any] = as_json(memory)
    return {name: value for name, value in kept.items() if name not in {"key", "document"}}


def _form_problems(value: Any, file: str) -> list[Problem]:
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        return [Problem("not-an-export", f"'format' is not '{FORMAT}'", "$.format", file=file,
                        fix="name a file that `project-memory export` wrote, or a directory")]  # fmt: skip
    if value.get("format_version") != FORMAT_VERSION:
        return [Problem("export-version", f"format_version {value.get('format_version')!r} is not "
                        f"{FORMAT_VERSION}", "$.format_version", file=file,
                        fix="import it with the version that wrote it")]  # fmt: skip
    rows = value.get("memories")
    if not isinstance(rows, list) or not all(map(_is_row, rows)):
        return [Problem("not-an-export", "'memories' is no list of documents with meta",
                        "$.memories", file=file)]  # fmt: skip
    return []


def _is_row(row: Any) -> bool:
    return isinstance(row, dict) and all(
        isinstance(row.get(k), dict) for k in ("document", "meta")
    )


def _package(value: Mapping[str, Any], content: str, file: str) -> Package:
    registry, problems = registry_form.from_json(value.get("labels"), file)
    try:
        history = tuple(history_form.from_json(x) for x in value.get("history", ()))
        memories = tuple(
            _incoming(row, f"$.memories[{n}].document", content, file)
            for n, row in enumerate(value["memories"])
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        problems.append(Problem("not-an-export", f"it is damaged near {error}", file=file))
        return Package(problems=tuple(problems))
    return Package(memories, registry, history, tuple(problems))


def _incoming(row: Mapping[str, Any], path: str, content: str, file: str) -> Incoming:
    document, _ = repair.normalised(row["document"])
    meta = row["meta"]

    def locate(inner: str) -> int | None:
        return text.line_of(content, path + inner.removeprefix("$"))

    return Incoming(
        document=document,
        file=file,
        archived=meta.get("archived_at") is not None,
        archived_at=meta.get("archived_at"),
        own_status=Status(meta["own_status"]),
        pinned=meta.get("pinned") is True,
        meta=meta,
        locate=locate,
    )


def _write(path: Path, content: str) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    with os.fdopen(handle, "wb") as file:
        file.write(content.encode("utf-8", "surrogatepass"))
    Path(name).chmod(0o600)
    Path(name).replace(path)
