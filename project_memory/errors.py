"""Every exception that is raised on purpose.

    ProjectMemoryError
    ├── InvalidInput                 the caller's input; exit code 2
    │   ├── InvalidDocument          carries every problem found
    │   ├── InvalidArguments         likewise, of a call's arguments
    │   ├── InvalidLabel
    │   ├── UnknownLabel
    │   │   └── UnknownLabels        of a document, each at its place
    │   ├── ExpressionSyntaxError    carries source, position and what was expected
    │   ├── InvalidTransition
    │   └── SecretFound              carries field path and rule, never the value
    ├── NotFound                     exit code 2
    ├── Conflict                     exit code 2
    │   ├── MemoryExists
    │   ├── VersionConflict
    │   ├── ProposalConflict     carries the fields that both sides changed
    │   ├── LabelInUse
    │   └── ExpectationLost      carries what would not be found any more
    ├── Forbidden                    exit code 2
    ├── Unidentified                 exit code 2
    ├── IssuerUnreachable            on a server alone
    └── StorageError                 exit code 3
        ├── StorageBusy
        ├── SchemaVersionMismatch
        └── StoreUnreadable

A message says what is wrong with the value in quotes, then what to do about it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from project_memory import telling
from project_memory.model import LostExpectation, Problem, as_json


class ProjectMemoryError(Exception):
    """Anything this package raises on purpose; `code` is stable across versions.

    Its text repeats no secret, and nothing at any length.
    """

    code = "error"

    def __str__(self) -> str:
        return telling.told(super().__str__())

    @property
    def facts(self) -> dict[str, Any]:
        """Return what belongs to the code, beside the message, as JSON data."""
        named = {name: value for name, value in vars(self).items() if not name.startswith("_")}
        told: dict[str, Any] = telling.told_value(as_json(named))
        return told


class InvalidInput(ProjectMemoryError):
    """The caller's input cannot be used."""

    code = "invalid-input"


class InvalidDocument(InvalidInput):
    """A document, draft or patch breaks the schema or a rule; `problems` lists every failure."""

    code = "invalid-document"

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(_line(problem) for problem in self.problems))

    def __str__(self) -> str:
        return telling.told_lines(Exception.__str__(self))


class InvalidArguments(InvalidInput):
    """The arguments of a call break its schema; `problems` lists every failure."""

    code = "invalid-arguments"

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(_line(problem) for problem in self.problems))

    def __str__(self) -> str:
        return telling.told_lines(Exception.__str__(self))


class InvalidLabel(InvalidInput):
    """A label's form is wrong or its prefix is reserved."""

    code = "invalid-label"


class UnknownLabel(InvalidInput):
    """A label is not in the registry; `near` holds up to three registered ones."""

    code = "unknown-label"

    def __init__(self, label: str, near: Sequence[str] = ()) -> None:
        self.label, self.near = label, tuple(near)
        super().__init__(f"{_unregistered(label)}; {_registration(label, near)}")


class UnknownLabels(UnknownLabel):
    """Labels of a document are not in the registry; `problems` lists all, `label` is the first."""

    def __init__(self, unknown: Mapping[str, UnknownLabel]) -> None:
        """Take path -> error, in the order of the document; at least one."""
        errors = tuple(unknown.values())
        self.label, self.near = errors[0].label, errors[0].near
        self.problems = tuple(
            Problem(
                self.code,
                _unregistered(each.label),
                path,
                fix=_registration(each.label, each.near),
            )
            for path, each in unknown.items()
        )
        InvalidInput.__init__(self, "\n".join(map(str, errors)))

    def __str__(self) -> str:
        return telling.told_lines(Exception.__str__(self))


class ExpressionSyntaxError(InvalidInput):
    """A label expression cannot be parsed; `position` counts characters from 0."""

    code = "expression-syntax"

    def __init__(self, source: str, position: int, expected: str) -> None:
        self.source, self.position, self.expected = source, position, expected
        start = max(0, position - 60)
        line = source[start : position + 60].replace("\n", " ").replace("\t", " ")
        caret = " " * (position - start) + "^"
        super().__init__(f"expected {expected} at position {position}\n  {line}\n  {caret}")

    def __str__(self) -> str:
        # a part of the source may show what only the whole gives away as a secret
        if telling.holds_secret(self.source):
            return f"expected something else at position {self.position} of what holds a secret"
        return super().__str__()


class InvalidTransition(InvalidInput):
    """A status change that the lifecycle does not allow."""

    code = "invalid-transition"


class SecretFound(InvalidInput):
    """Text looks like a credential; the value itself is never repeated."""

    code = "secret-found"

    def __init__(self, findings: Sequence[tuple[str, str]]) -> None:
        self.findings = tuple(findings)
        remedy = "say where the secret lives, not its value"
        lines = (
            f"{path} looks like a secret (rule '{rule}'); {remedy}" for path, rule in self.findings
        )
        super().__init__("\n".join(lines))


class NotFound(ProjectMemoryError):
    """No such memory, project, label, revision or store."""

    code = "not-found"


class Conflict(ProjectMemoryError):
    """The store has moved on, or the name is taken."""

    code = "conflict"


class MemoryExists(Conflict):
    """A memory of that id, or of the same normalised text, exists already."""

    code = "memory-exists"

    def __init__(self, memory_id: str, message: str) -> None:
        self.memory_id = memory_id
        super().__init__(message)


class VersionConflict(Conflict):
    """`if_version` does not match; `diff` maps field to [the caller's base, the current value]."""

    code = "version-conflict"

    def __init__(
        self, memory_id: str, given: int, current: int, diff: Mapping[str, Any] | None = None
    ) -> None:
        self.memory_id, self.given, self.current = memory_id, given, current
        self.diff = dict(diff or {})
        changed = f" (changed since: {', '.join(sorted(self.diff))})" if self.diff else ""
        super().__init__(
            f"memory '{memory_id}' is at version {current}, not {given}{changed}; "
            f"read it again and repeat the change on version {current}"
        )


class ProposalConflict(Conflict):
    """What a proposal changes has changed since it was made.

    `conflicts` maps id -> field -> [the value it was made on, the current one, the proposed one].
    """

    code = "proposal-conflict"

    def __init__(self, number: int, conflicts: Mapping[str, Mapping[str, Any]]) -> None:
        self.number, self.conflicts = number, {k: dict(v) for k, v in conflicts.items()}
        where = "; ".join(f"'{k}': {', '.join(sorted(v))}" for k, v in self.conflicts.items())
        super().__init__(
            f"proposal {number} was made before others changed the same ({where}); "
            f"`project-memory review show {number}` shows both, apply it all the same with "
            "--anyway, or reject it"
        )


class LabelInUse(Conflict):
    """A label cannot go while memories carry it."""

    code = "label-in-use"


class ExpectationLost(Conflict):
    """A strict project would no longer find what it expects; `lost` names it."""

    code = "expectation-lost"

    def __init__(self, project: str, lost: Sequence[LostExpectation]) -> None:
        self.lost = tuple(lost)
        said = "; ".join(_not_found(each) for each in self.lost[:3])
        more = f"; and {len(self.lost) - 3} more" if len(self.lost) > 3 else ""
        many = "an expectation" if len(self.lost) == 1 else f"{len(self.lost)} expectations"
        super().__init__(
            f"this would lose {many}, which project '{project}' refuses: {said}{more}; keep what "
            "is expected findable, or take it away first with `project-memory expect remove "
            f"{self.lost[0].id}`"
        )


class Forbidden(ProjectMemoryError):
    """The actor may not do this."""

    code = "forbidden"


class Unidentified(ProjectMemoryError):
    """Nobody has shown who they are, or what they showed is not accepted."""

    code = "unidentified"


class IssuerUnreachable(ProjectMemoryError):
    """Who gives out tokens cannot be asked for the keys that they are checked with."""

    code = "issuer-unreachable"

    def __init__(self, issuer: str) -> None:
        super().__init__(
            f"tokens of '{issuer}' cannot be checked, since it does not answer; repeat the "
            "request when it does"
        )


class StorageError(ProjectMemoryError):
    """The store itself failed; `from_afar` says so to who may not know where it is."""

    code = "storage"
    from_afar = "the store cannot be used; the server's log says more"


class StorageBusy(StorageError):
    """Another process holds the write lock for longer than the busy timeout."""

    code = "storage-busy"
    from_afar = "the store is busy, another writer has held it for too long; repeat it"


class SchemaVersionMismatch(StorageError):
    """The store was written by a newer version of this package."""

    code = "schema-version"


class StoreUnreadable(StorageError):
    """The file is not a store, is damaged, or cannot be opened."""

    code = "store-unreadable"


def _unregistered(label: str) -> str:
    return f"label {label!r} is not registered"


def _registration(label: str, near: Sequence[str]) -> str:
    hint = f"did you mean {' or '.join(repr(name) for name in near)}? " if near else ""
    return f"{hint}add it with `project-memory labels add {label}`"


def _not_found(lost: LostExpectation) -> str:
    names = ", ".join(f"'{name}'" for name in lost.missing)
    return f"'{lost.query}' would not find {names} within {lost.within}"


def _line(problem: Problem) -> str:
    place = f"{problem.memory} {problem.path}" if problem.memory else problem.path
    if problem.file:
        line = "" if problem.line is None else f":{problem.line}"
        place = f"{problem.file}{line}: {place}"
    fix = f"; {problem.fix}" if problem.fix else ""
    return f"{place}: {problem.message}{fix} [{problem.code}]"
