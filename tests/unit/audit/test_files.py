"""What is said of the files that memories name."""

from __future__ import annotations

import pytest
from factories import evidence, memory

from project_memory import audit
from project_memory.audit import OF_FILES, Action, Finding, Severity
from project_memory.model import Memory
from project_memory.staleness import Fate, FileState


def naming(*files: str, **fields: object) -> Memory:
    scope = {"project": "demo", "files": list(files), "applies_to": [], "reach": "project"}
    return memory(1, id="lake", scope=scope, **fields)


def found(subject: Memory, *states: FileState) -> list[Finding]:
    return audit.judge(evidence(subject, files={"lake": states}), OF_FILES)


def test_a_missing_file_is_told() -> None:
    assert found(naming("a.py"), FileState("a.py", Fate.MISSING)) == [
        Finding(
            "file-missing",
            Severity.WARNING,
            "lake",
            "'a.py' is not there; name the file where the lesson holds, or archive it",
            {"path": "a.py"},
        )
    ]


def test_a_renamed_file_is_told_with_what_brings_the_memory_up_to_date() -> None:
    subject = naming("a.py", "b.py", "c.py", "src/c.py")
    states = [
        FileState("a.py", Fate.RENAMED, now="src/a.py"),
        FileState("c.py", Fate.RENAMED, now="src/c.py"),
    ]
    files = ["src/a.py", "b.py", "src/c.py"]
    action = Action("update", {"id": "lake", "patch": {"scope": {"files": files}}})
    assert found(subject, *states)[0] == Finding(
        "file-renamed",
        Severity.WARNING,
        "lake",
        "'a.py' is 'src/a.py' now; let the memory name it so",
        {"path": "a.py", "file": "src/a.py"},
        action,
    )
    assert [finding.action for finding in found(subject, *states)] == [action, action]
    assert len(audit.planned(found(subject, *states), 50)) == 1


def test_a_changed_file_is_told() -> None:
    assert found(naming("a.py"), FileState("a.py", Fate.CHANGED)) == [
        Finding(
            "file-changed",
            Severity.NOTE,
            "lake",
            "'a.py' has changed since 2026-01-31; see whether the lesson still holds, and "
            "validate it again",
            {"path": "a.py", "last_validated": "2026-01-31", "file": "a.py"},
        )
    ]


def test_of_a_glob_the_first_files_are_shown_and_all_are_kept() -> None:
    files = tuple(f"src/{number}.py" for number in range(70))
    (finding,) = found(naming("src/*.py"), FileState("src/*.py", Fate.CHANGED, files))
    assert finding.message.startswith(
        "'src/*.py' has changed since 2026-01-31 (src/0.py, src/1.py, src/2.py, src/3.py, "
        "src/4.py and 65 more); see"
    )
    assert finding.evidence["files"] == list(files)


def test_the_sixty_first_file_of_a_memory_is_told() -> None:
    names = [f"{number}.py" for number in range(64)]
    states = [FileState(name, Fate.CHANGED) for name in names]
    told = [finding.evidence["path"] for finding in found(naming(*names), *states)]
    assert sorted(told) == sorted(names)


@pytest.mark.parametrize(
    ("labels", "codes"),
    [
        (["kind:bug"], ["file-changed"]),
        (["kind:observation"], ["file-changed"]),
        (["area:lake"], ["file-changed"]),
        (["kind:decision"], []),
        (["kind:architecture"], []),
        (["kind:convention"], []),
        (["kind:bug", "kind:decision"], ["file-changed"]),
    ],
)
def test_what_was_seen_is_flagged_and_what_was_decided_is_not(
    labels: list[str], codes: list[str]
) -> None:
    subject = naming("a.py", labels=labels)
    assert [f.code for f in found(subject, FileState("a.py", Fate.CHANGED))] == codes
    missing = found(subject, FileState("a.py", Fate.MISSING))
    assert [finding.code for finding in missing] == ["file-missing"]


@pytest.mark.parametrize(
    "state", [{"archived_at": "2026-02-01T00:00:00Z"}, {"status": "superseded"}]
)
def test_what_is_not_current_is_not_looked_at(state: dict[str, str]) -> None:
    assert found(naming("a.py", **state), FileState("a.py", Fate.MISSING)) == []
