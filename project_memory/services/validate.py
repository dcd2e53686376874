"""Validate a directory without a store, or a project of a store."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from project_memory import exchange, labels, relations, secrets, validation
from project_memory.documents import printable
from project_memory.exchange import Incoming, located
from project_memory.model import (
    Authority,
    Document,
    Memory,
    Problem,
    Project,
    Registry,
    Severity,
    Status,
)
from project_memory.ports import Reader

_LINKED_BY = frozenset({"id", "status", "labels", "relationships"})


@dataclass(frozen=True, slots=True)
class Report:
    """The verdict: `ok` when no problem is an error; problems in a stable order."""

    source: str
    checked: int
    ok: bool
    problems: tuple[Problem, ...]


def validate_directory(path: Path) -> Report:
    """Check a directory of documents, or an export file, with file and line.

    Raises:
        NotFound: there is nothing at `path`.
        StoreUnreadable: it cannot be read.
    """
    package = exchange.read(path)
    problems = list(package.problems)
    read: dict[str, Incoming] = {}
    memories: dict[str, Memory] = {}
    unreadable = set(package.unread)
    for key, incoming in enumerate(package.memories):
        found = document_problems(incoming)
        problems += found
        name = incoming.document.get("id")
        if not isinstance(name, str) or name in read:
            continue
        read[name] = incoming
        if _can_be_linked(incoming.document, found):
            memories[name] = _memory(key, incoming)
        else:
            unreadable.add(name)
    registry = package.registry if package.registry.labels else None
    for problem in _project_problems(memories, registry, unreadable):
        source = read[problem.memory or ""]
        problems.append(located(problem, source.file, source.locate))
    return _report(str(path), len(package.memories), problems)


def document_problems(incoming: Incoming) -> list[Problem]:
    """Return every problem of one document that was read, secrets too, with file and line."""
    found = [] if incoming.sound else _schema_problems(incoming.document)
    if not found or found[0].code not in validation.UNREADABLE:
        found = _with_secrets(found, incoming.document)
    return [located(problem, incoming.file, incoming.locate) for problem in found]


def validate_store(reader: Reader, project: Project) -> Report:
    """Check every document, link, label and derived status of a project."""
    memories = {memory.id: memory for memory in reader.memories(project.key)}
    problems = [
        problem
        for memory in memories.values()
        for problem in _with_secrets(_schema_problems(memory.document), memory.document)
    ]
    problems += _project_problems(memories, reader.registry(project.key))
    named = [replace(problem, project=project.name) for problem in problems]
    return _report(project.name, len(memories), named)


def _report(source: str, checked: int, problems: Iterable[Problem]) -> Report:
    unique = sorted(dict.fromkeys(problems), key=_order)
    ok = not any(problem.severity is Severity.ERROR for problem in unique)
    return Report(source, checked, ok, tuple(unique))


def _order(problem: Problem) -> tuple[str, str, int, str, str, str]:
    place = (problem.file or "", problem.memory or "", problem.line or 0)
    return (*place, problem.path, problem.code, problem.message)


def _schema_problems(document: Document) -> list[Problem]:
    return validation.check_document(document, stored=True)


def _with_secrets(problems: list[Problem], document: Document) -> list[Problem]:
    """Add every secret; what else is wrong with such a text would repeat its value."""
    leaks = secrets.scan_document(document)
    if not leaks:
        return problems
    paths = {path for path, _ in leaks}
    return [problem for problem in problems if problem.path not in paths] + [
        Problem(
            "secret",
            f"looks like a secret (rule '{rule}')",
            path,
            printable(str(document.get("id"))),
            "say where the secret lives, not its value",
        )
        for path, rule in leaks
    ]


def _can_be_linked(document: Document, problems: Iterable[Problem]) -> bool:
    """Return whether what links and labels need of a document is as it should be."""
    return document.keys() >= _LINKED_BY and not any(
        problem.severity is Severity.ERROR
        and (problem.code in validation.UNREADABLE or _field(problem) in _LINKED_BY)
        for problem in problems
    )


def _field(problem: Problem) -> str:
    return re.split(r"[.\[]", problem.path.removeprefix("$."), maxsplit=1)[0]


def _project_problems(
    memories: dict[str, Memory],
    registry: Registry | None,
    unreadable: Container[str] = frozenset(),
) -> Iterator[Problem]:
    yield from relations.problems(memories, unreadable)
    if registry is not None:
        aliases = labels.aliases(registry)
        for name in sorted(memories):
            yield from _label_problems(memories[name], registry, aliases)


def _label_problems(
    memory: Memory, registry: Registry, aliases: Mapping[str, str]
) -> Iterator[Problem]:
    carried = memory.document["labels"]
    for position, label in enumerate(carried):
        where = f"$.labels[{position}]"
        if label in aliases:
            yield Problem("alias-label", f"'{label}' is an alias", where, memory.id,
                          f"write '{aliases[label]}'", Severity.WARNING)  # fmt: skip
        elif label not in registry.labels:
            near = " or ".join(f"'{name}'" for name in labels.near(registry, label))
            fix = f"use {near}, or register it" if near else "register it"
            yield Problem(
                "unknown-label", f"label '{label}' is not registered", where, memory.id, fix
            )
    for prefix in labels.check_single(registry, carried) if registry.single else ():
        yield Problem("single-prefix", f"prefix '{prefix}' allows one label a memory", "$.labels",
                      memory.id, "keep one of them")  # fmt: skip


def _memory(key: int, incoming: Incoming) -> Memory:
    document = incoming.document
    status = Status(document["status"])
    own = incoming.own_status or (Status.ACTIVE if status is Status.SUPERSEDED else status)
    return Memory(
        key=key,
        document=document,
        own_status=own,
        version=1,
        links_version=1,
        created_at="",
        updated_at="",
        author="",
        asserted_by=Authority.IMPORT,
        archived_at="archived" if incoming.archived else None,
    )
