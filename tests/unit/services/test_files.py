"""An audit with a checkout at hand, from the store and a real repository to the findings."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from factories import draft
from repositories import Repository

from project_memory.app import ProjectMemory
from project_memory.errors import InvalidInput
from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)
TEXT = "".join(f"line {number} of a file that git can know again\n" for number in range(20))
CODES = ("file-missing", "file-renamed", "file-changed")


@pytest.fixture
def code(tmp_path: Path) -> Repository:
    repository = Repository(tmp_path / "code")
    repository.root.mkdir()
    repository.git("init", "--quiet", "--initial-branch=main")
    repository.commit("2026-03-01", {"a.py": "a\n", "b.py": "b\n", "moved.py": TEXT})
    return repository


@pytest.fixture
def memory() -> Iterator[ProjectMemory]:
    """Return a project of three memories that name files, validated on March 2."""
    with ProjectMemory.open(
        "inmemory://",
        project="demo",
        actor=ADA,
        create=True,
        clock=lambda: datetime(2026, 3, 2, tzinfo=UTC),
    ) as opened:
        for name in ("a", "b", "moved"):
            described = f"the lesson of the file that is called {name} here"
            opened.create(draft(id=f"of-{name}", description=described,
                                scope={"files": [f"{name}.py"]}))  # fmt: skip
        yield opened


def found(memory: ProjectMemory, folder: Path | None) -> list[tuple[str, str]]:
    report = memory.audit(codes=CODES, checkout=folder)
    return [(finding.code, finding.subject) for finding in report.findings]


def test_what_became_of_files_is_found(memory: ProjectMemory, code: Repository) -> None:
    assert found(memory, code.root) == []
    code.git("mv", "moved.py", "src.py")
    code.commit("2026-03-05", {"a.py": "another\n", "b.py": None})
    assert found(memory, code.root) == [
        ("file-missing", "of-b"),
        ("file-renamed", "of-moved"),
        ("file-changed", "of-a"),
    ]


def test_to_validate_again_settles_it(memory: ProjectMemory, code: Repository) -> None:
    code.commit("2026-03-05", {"a.py": "another\n"})
    later = ProjectMemory(memory._storage, "demo", ADA, lambda: datetime(2026, 3, 6, tzinfo=UTC))
    assert found(later, code.root) == [("file-changed", "of-a")]
    later.touch(["of-a"])
    assert found(later, code.root) == []


def test_a_rename_is_applied_and_taken_back(memory: ProjectMemory, code: Repository) -> None:
    code.git("mv", "moved.py", "src.py")
    before = memory.get("of-moved").memory
    report = memory.audit(codes=CODES, checkout=code.root)
    memory.apply_findings(memory.keep_findings(report), dry_run=False)
    assert memory.get("of-moved").memory["scope"]["files"] == ["src.py"]
    assert found(memory, code.root) == []
    memory.undo()
    assert memory.get("of-moved").memory == before


def test_a_change_is_found_after_its_rename_was_applied(
    memory: ProjectMemory, code: Repository
) -> None:
    code.git("mv", "moved.py", "src.py")
    code.commit("2026-03-05", {"src.py": TEXT + "and one more\n"})
    memory.update("of-moved", {"scope": {"files": ["src.py"]}})
    assert found(memory, code.root) == [("file-changed", "of-moved")]


def test_without_a_checkout_the_other_checks_are_made(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    reason = "the project's code is not at hand; name it with --checkout DIR"
    report = memory.audit()
    assert report.notes == (f"files were not compared: {reason}",)
    assert not set(CODES) & set(report.checks)
    with pytest.raises(InvalidInput) as refused:
        memory.audit(codes=["file-changed"])
    assert str(refused.value) == reason
    (note,) = memory.audit(checkout=tmp_path).notes
    assert note == (
        f"files were not compared: '{tmp_path}' is in no checkout of git; name the project's "
        "repository"
    )


def test_nothing_is_noted_where_no_memory_names_a_file(memory: ProjectMemory) -> None:
    for name in ("a", "b", "moved"):
        memory.update(f"of-{name}", {"scope": {"files": []}})
    assert memory.audit().notes == ()


def test_what_the_history_does_not_reach_is_noted(
    memory: ProjectMemory, code: Repository, tmp_path: Path
) -> None:
    code.commit("2026-03-05", {"a.py": "another\n", "b.py": None})
    code.git("clone", "--quiet", "--depth=1", f"file://{code.root}", str(tmp_path / "shallow"))
    later = ProjectMemory(memory._storage, "demo", ADA, lambda: datetime(2026, 3, 5, tzinfo=UTC))
    later.touch(["of-a"])
    report = memory.audit(codes=CODES, checkout=tmp_path / "shallow")
    assert [(f.code, f.subject) for f in report.findings] == [("file-missing", "of-b")]
    assert report.notes == (
        "2 memories were validated before the history of the code begins, so only missing files "
        "are told; the clone is shallow, and `git fetch --unshallow` brings the rest",
    )


def test_checks_of_facts_are_made(memory: ProjectMemory, code: Repository) -> None:
    check = {"type": "text_absent", "path": "*.py", "text": "line 7"}
    memory.update("of-a", {"checks": [check]})
    report = memory.audit(codes=["check-contradicted"], checkout=code.root)
    assert [(f.subject, f.message, f.evidence) for f in report.findings] == [
        (
            "of-a",
            "line 8 of 'moved.py' holds 'line 7'; see which is wrong, and correct the lesson with "
            "its check, or the code",
            {"path": "$.checks[0]", "file": "moved.py", "line": 8},
        )
    ]
    assert "check-contradicted" in memory.audit(checkout=code.root).checks


def test_checks_that_cannot_be_made_are_noted(memory: ProjectMemory) -> None:
    reason = "the project's code is not at hand; name it with --checkout DIR"
    memory.update("of-a", {"checks": [{"type": "file_exists", "path": "a.py"}]})
    note = "files were not compared and checks of facts were not made"
    assert memory.audit().notes == (f"{note}: {reason}",)
    for name in ("a", "b", "moved"):
        memory.update(f"of-{name}", {"scope": {"files": []}})
    report = memory.audit()
    assert report.notes == (f"checks of facts were not made: {reason}",)
    assert not {"check-contradicted", "check-undecided"} & set(report.checks)
    with pytest.raises(InvalidInput) as refused:
        memory.audit(codes=["check-undecided"])
    assert str(refused.value) == reason


def test_names_that_are_no_text_are_told_with_escapes(
    memory: ProjectMemory, code: Repository
) -> None:
    code.commit("2026-03-01", {"c\udcff.py": "line 1\n"})
    memory.update("of-a", {"checks": [{"type": "file_absent", "path": "c*"}]})
    memory.update("of-b", {"scope": {"files": ["c*"]}})
    code.git("mv", "moved.py", "m\udcfe.py")
    code.commit("2026-03-05", {"c\udcff.py": "line 2\n"})
    codes = (*CODES, "check-contradicted")
    report = memory.keep_findings(memory.audit(codes=codes, checkout=code.root))
    assert {(each.code, each.subject): each.evidence for each in report.findings} == {
        ("check-contradicted", "of-a"): {"path": "$.checks[0]", "file": r"c\udcff.py"},
        # no memory could name what it was renamed to
        ("file-missing", "of-moved"): {"path": "moved.py"},
        ("file-changed", "of-b"): {
            "path": "c*", "last_validated": "2026-03-02", "files": [r"c\udcff.py"],
        },
    }  # fmt: skip
