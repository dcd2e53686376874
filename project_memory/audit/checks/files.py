"""Files that memories name, as a checkout has them now."""

from __future__ import annotations

from collections.abc import Iterator

from project_memory.audit.evidence import Evidence, current
from project_memory.audit.finding import Action, Finding, Severity
from project_memory.documents import quotable
from project_memory.model import Memory
from project_memory.staleness import Fate, FileState, outlasts_changes

_SHOWN = 5


def fates(evidence: Evidence) -> Iterator[Finding]:
    """Find memories whose files are missing, renamed, or changed since the last validation."""
    for memory in current(evidence):
        states = evidence.files.get(memory.id, ())
        for state in states:
            match state.fate:
                case Fate.MISSING:
                    yield _missing(memory, state)
                case Fate.RENAMED:
                    yield _renamed(memory, state, states)
                case Fate.CHANGED if not outlasts_changes(memory.document["labels"]):
                    yield _changed(memory, state)


def _missing(memory: Memory, state: FileState) -> Finding:
    return Finding(
        "file-missing",
        Severity.WARNING,
        memory.id,
        f"'{quotable(state.path)}' is not there; name the file where the lesson holds, or archive "
        "it",
        {"path": quotable(state.path), **({"files": list(state.files)} if state.files else {})},
    )


def _renamed(memory: Memory, state: FileState, states: tuple[FileState, ...]) -> Finding:
    """Return the finding; its action brings all renamed files of the memory up to date."""
    now = {each.path: each.now for each in states if each.fate is Fate.RENAMED}
    files = dict.fromkeys(now.get(path) or path for path in memory.document["scope"]["files"])
    return Finding(
        "file-renamed",
        Severity.WARNING,
        memory.id,
        f"'{quotable(state.path)}' is '{state.now}' now; let the memory name it so",
        {"path": quotable(state.path), "file": state.now},
        Action("update", {"id": memory.id, "patch": {"scope": {"files": list(files)}}}),
    )


def _changed(memory: Memory, state: FileState) -> Finding:
    day = memory.document["evidence"]["last_validated"]
    where = {"files": list(state.files)} if state.files else {"file": state.path}
    return Finding(
        "file-changed",
        Severity.NOTE,
        memory.id,
        f"'{state.path}' has changed since {day}{_named(state.files)}; see whether the lesson "
        "still holds, and validate it again",
        {"path": state.path, "last_validated": day, **where},
    )


def _named(files: tuple[str, ...]) -> str:
    """Return the first of several files, and how many more there are."""
    if not files:
        return ""
    more = f" and {len(files) - _SHOWN} more" if len(files) > _SHOWN else ""
    return f" ({', '.join(files[:_SHOWN])}{more})"
