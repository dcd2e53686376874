"""Validate a directory without a store, or a project of a store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from project_memory import exchange, labels, relations, secrets, validation
from project_memory.exchange import Incoming
from project_memory.model import Authority, Memory, Problem, Project, Registry, Severity, Status
from project_memory.ports import Reader


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
    by_file: dict[tuple[str, str], Incoming] = {}
    memories: dict[str, Memory] = {}
    problems = list(package.problems)
    for key, incoming in enumerate(package.memories):
        found = _document_problems(incoming.document)
        problems += [_located(problem, incoming) for problem in found]
        name = incoming.document.get("id")
        if isinstance(name, str) and not _blocks(found):
            memories.setdefault(name, _memory(key, incoming))
            by_file.setdefault((name, ""), incoming)
    registry = package.registry if package.registry.labels else None
    for problem in _project_problems(memories, registry):
        incoming_of = by_file.get((problem.memory or "", ""))
        problems.append(_located(problem, incoming_of) if incoming_of else problem)
    return _report(str(path), len(package.memories), problems)


def validate_store(reader: Reader, project: Project) -> Report:
    """Check every document, link, label and derived status of a project."""
    memories = {memory.id: memory for memory in reader.memories(project.key)}
    problems = [
        problem for memory in memories.values() for problem in _document_problems(memory.document)
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


def _document_problems(document: object) -> list[Problem]:
    found = validation.check_document(document, stored=True)
    if _blocks(found):
        return found
    for path, rule in secrets.scan_document(document):  # type: ignore[arg-type]
        found.append(
            Problem(
                "secret",
                f"looks like a secret (rule '{rule}')",
                path,
                str(document["id"]),  # type: ignore[index]
                "say where the secret lives, not its value",
            )
        )
    return found


def _blocks(problems: Iterable[Problem]) -> bool:
    return any(p.severity is Severity.ERROR and p.code != "secret" for p in problems)


def _project_problems(memories: dict[str, Memory], registry: Registry | None) -> Iterator[Problem]:
    yield from relations.problems(memories)
    if registry is not None:
        for name in sorted(memories):
            yield from _label_problems(memories[name], registry)


def _label_problems(memory: Memory, registry: Registry) -> Iterator[Problem]:
    carried = memory.document["labels"]
    aliases = labels.aliases(registry)
    for position, label in enumerate(carried):
        if label in registry.labels:
            continue
        where = f"$.labels[{position}]"
        if label in aliases:
            yield Problem("alias-label", f"'{label}' is an alias", where, memory.id,
                          f"write '{aliases[label]}'", Severity.WARNING)  # fmt: skip
        else:
            near = labels.near(registry, label)
            fix = (
                f"use {' or '.join(repr(n) for n in near)}, or register it"
                if near
                else "register it"
            )
            yield Problem(
                "unknown-label", f"label '{label}' is not registered", where, memory.id, fix
            )
    for prefix in labels.check_single(registry, carried):
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


def _located(problem: Problem, incoming: Incoming) -> Problem:
    return replace(problem, file=incoming.file, line=incoming.locate(problem.path))
