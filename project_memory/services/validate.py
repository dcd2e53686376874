"""Validate a directory without a store, or a project of a store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path, PurePath

from project_memory import documents, exchange, secrets, validation
from project_memory.documents import printable, quotable
from project_memory.exchange import Incoming, Package
from project_memory.model import (
    Authority,
    Clock,
    Document,
    Memory,
    Problem,
    Project,
    Severity,
    Status,
    system_clock,
)
from project_memory.ports import Reader
from project_memory.services import checking, derived, rules
from project_memory.services.checking import Facts
from project_memory.services.collecting import no_collection
from project_memory.validation import registry

_UNSEARCHED = validation.UNREADABLE | {"oversize"}  # to search it could take minutes
_ABOUT_IDS = ("case-twin", "duplicate-id", "", "name-mismatch", "unsafe-name")


@dataclass(frozen=True, slots=True)
class Report:
    """The verdict: `ok` when no problem is an error; problems in a stable order.

    `facts` tells what checks were held against, where they were.
    """

    source: str
    checked: int
    ok: bool
    problems: tuple[Problem, ...]
    facts: Facts | None = None

    @property
    def passed(self) -> bool:
        """Return whether a check that this is the result of passes."""
        return self.ok


def validate_directory(
    path: Path, *, code: Path | None = None, recall: bool = False, clock: Clock = system_clock
) -> Report:
    """Check a directory of documents, an export file or a file of one document, with lines.

    Of one document by itself, only what needs no other one is checked.

    Args:
        path: What is checked.
        code: Folder in the checkout that checks are held against, or None to leave them.
        recall: Whether what is expected to be found is asked too.
        clock: Tells the day.

    Raises:
        NotFound: there is nothing at `path`.
        StoreUnreadable: it cannot be read.
        InvalidInput: `code` is in no checkout.
    """
    with no_collection():
        package = exchange.read_or_document(path)
        return validate_package(str(path), package, clock().date(), code=code, recall=recall)


def validate_staged(path: Path, *, recall: bool = False, clock: Clock = system_clock) -> Report:
    """Check a directory of documents as the next commit of its git repository will hold it.

    Raises:
        NotFound: there is nothing at `path`, neither here nor in the index.
        InvalidInput: it is in no git repository.
    """
    from project_memory.checkout.staged import staged  # noqa: PLC0415  # subprocess

    found = staged(path, exchange.belongs)
    with no_collection():
        package = exchange.read_folder(exchange.Held(found.files, found.others))
        whole = _with_unmerged(package, found.unmerged)
        return validate_package(str(path), whole, clock().date(), recall=recall)


def _with_unmerged(package: Package, names: Iterable[str]) -> Package:
    problems = [
        Problem(
            "unmerged",
            "a merge left the file in conflict",
            file=printable(name),
            fix="resolve the conflict, then `git add` the file",
        )
        for name in names
    ]
    unread = package.unread | {PurePath(name).stem for name in names}
    return replace(package, problems=(*package.problems, *problems), unread=unread)


def validate_package(
    source: str, package: Package, today: date, *, code: Path | None = None, recall: bool = False
) -> Report:
    """Check what was read from `source`, which the report names. See `validate_directory`.

    With `recall`, what is expected to be found is asked of the documents without errors.
    """
    problems = [*package.problems, *secret_questions(package)]
    read: dict[str, Incoming] = {}
    known = rules.Known(doubtful=set(package.unread))
    for key, incoming in enumerate(package.memories):
        found = document_problems(incoming)
        problems += found
        name = incoming.document.get("id")
        if isinstance(name, str) and name not in read:
            read[name] = incoming
            known.add(memory_of(key, incoming), found)
    if package.partial:
        known.doubtful |= _targets_elsewhere(known)
    labels = package.registry if package.registry.labels else None
    broken = {problem.memory for problem in problems if problem.severity is Severity.ERROR}
    facts, contradicted = _held(known, code)
    for problem in (*rules.problems(known, labels, today), *contradicted):
        problems.append(read[problem.memory or ""].located(problem))
    if recall:
        # what is lost because it is not there is told once
        problems = [problem for problem in problems if problem.code != exchange.UNKNOWN_EXPECTED]
        sound = {name: m for name, m in known.memories.items() if name not in broken}
        problems += _unfound(package, sound, today)
    return _report(source, len(package.memories), _told_once(problems), facts)


def _targets_elsewhere(known: rules.Known) -> set[str]:
    linked = (documents.links(memory.document) for memory in known.memories.values())
    return {link.target for links in linked for link in links} - known.memories.keys()


def document_problems(incoming: Incoming) -> list[Problem]:
    """Return every problem of one document that was read, secrets too, with file and line."""
    found = [] if incoming.sound else _schema_problems(incoming.document)
    if not any(problem.code in _UNSEARCHED for problem in found):
        found = _with_secrets(found, incoming.document)
    return [incoming.located(problem) for problem in found]


def validate_store(
    reader: Reader, project: Project, *, code: Path | None = None, clock: Clock = system_clock
) -> Report:
    """Check every document, link and label of a project, and what is derived from them.

    With `code`, a folder in its checkout, the checks of memories are held against that.
    """
    with no_collection():
        return _checked(reader, project, code, clock().date())


def _checked(reader: Reader, project: Project, code: Path | None, today: date) -> Report:
    labels = reader.registry(project.key)
    problems = list(registry.problems(labels))
    known = rules.Known()
    memories = list(reader.memories(project.key))
    for memory in memories:
        found = _with_secrets(_schema_problems(memory.document), memory.document)
        problems += found
        known.add(memory, found)
    problems += derived.problems(reader, project.key, memories)
    problems += rules.problems(known, labels, today)
    facts, contradicted = _held(known, code)
    named = [replace(problem, project=project.name) for problem in (*problems, *contradicted)]
    return _report(project.name, len(memories), named, facts)


def _held(known: rules.Known, code: Path | None) -> tuple[Facts | None, list[Problem]]:
    return (None, []) if code is None else checking.held(known.checks, code)


def with_more(report: Report, problems: Iterable[Problem]) -> Report:
    """Return a report with further problems."""
    return _report(report.source, report.checked, (*report.problems, *problems), report.facts)


def secret_questions(package: Package) -> Iterator[Problem]:
    """Yield each expectation of the package that looks like a secret, with its line."""
    file, locate = package.beside
    for place, each in enumerate(package.expectations):
        path = f"$.expectations[{place}]"
        for rule in secrets.scan(f"{each.query}\n{each.labels or ''}"):
            fix = "say where the secret lives, not its value"
            told = f"looks like a secret (rule '{rule}')"
            yield Problem("secret", told, path, fix=fix, file=file, line=locate(path))


def _unfound(package: Package, memories: Mapping[str, Memory], today: date) -> Iterator[Problem]:
    """Yield what the package expects to be found among these memories and is not, with lines."""
    from project_memory.services import expected  # noqa: PLC0415  # numpy

    found = expected.in_folder(memories, package.registry, package.expectations, today)
    file, locate = package.beside
    for place, outcome in enumerate(found):
        path = f"$.expectations[{place}]"
        for problem in expected.problems([outcome]):
            yield replace(problem, path=path, file=file, line=locate(path))


def _told_once(problems: Iterable[Problem]) -> Iterator[Problem]:
    """Yield the problems, of those with one id only the one that explains the others."""
    best: dict[tuple[str | None, int | None], Problem] = {}
    for problem in problems:
        if problem.path != "$.id":
            yield problem
            continue
        place = problem.file, problem.line
        first = best.setdefault(place, problem)
        best[place] = min(first, problem, key=_explains)
    yield from best.values()


def _explains(problem: Problem) -> int:
    known = problem.code if problem.code in _ABOUT_IDS else ""
    return _ABOUT_IDS.index(known)


def _report(
    source: str, checked: int, problems: Iterable[Problem], facts: Facts | None = None
) -> Report:
    unique = sorted(dict.fromkeys(problems), key=_order)
    ok = not any(problem.severity is Severity.ERROR for problem in unique)
    return Report(source, checked, ok, tuple(unique), facts)


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
            quotable(str(document.get("id"))),
            "say where the secret lives, not its value",
        )
        for path, rule in leaks
    ]


def memory_of(key: int, incoming: Incoming) -> Memory:
    """Return a document that was read as a memory, of which nothing but the text is known."""
    shown = incoming.document.get("status")
    own = Status(shown) if shown in ("active", "stale", "wrong") else Status.ACTIVE
    return Memory(
        key=key,
        document=incoming.document,
        own_status=incoming.own_status or own,
        version=1,
        links_version=1,
        created_at="",
        updated_at="",
        author="",
        asserted_by=Authority.IMPORT,
        archived_at="archived" if incoming.archived else None,
    )
