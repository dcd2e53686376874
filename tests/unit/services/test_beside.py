"""Memories that are read beside the project's checkout are flagged by what became of its files."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from factories import draft
from repositories import Repository

from project_memory.app import ProjectMemory
from project_memory.checkout.identity import project_identity
from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)


@pytest.fixture
def code(tmp_path: Path) -> Repository:
    """Return a repository in which a file changed, one went, and one is as it was."""
    repository = Repository(tmp_path / "code")
    repository.root.mkdir()
    repository.git("init", "--quiet", "--initial-branch=main")
    repository.commit("2026-03-01", dict.fromkeys(("a.py", "b.py", "c.py"), "one\n"))
    repository.commit("2026-03-05", {"a.py": "two\n", "b.py": None})
    return repository


@pytest.fixture
def memory(code: Repository) -> Iterator[ProjectMemory]:
    """Return the project of that repository, validated on March 2."""
    with ProjectMemory.open(
        "inmemory://",
        project=project_identity(code.root).id,
        actor=ADA,
        create=True,
        clock=lambda: datetime(2026, 3, 2, tzinfo=UTC),
    ) as opened:
        opened.look_at(code.root, patience=None)
        yield opened


def made(memory: ProjectMemory, name: str, *files: str, **fields: Any) -> None:
    described = f"the lesson of the mirror that is called {name} here"
    memory.create(draft(id=name, description=described, scope={"files": list(files)}, **fields))


def test_what_changed_or_went_is_said_by_every_answer(memory: ProjectMemory) -> None:
    made(memory, "first", "a.py", "b.py", "c.py")
    flags = ("file missing: b.py", "file changed since validated: a.py")
    assert memory.get("first").flags == flags
    for asked in ({"query": "mirror"}, {"query": "mirror", "full_count": 0}, {}):
        assert [hit.flags for hit in memory.recall(**asked).answers] == [flags]


def test_the_sixty_first_file_is_said(memory: ProjectMemory, code: Repository) -> None:
    names = [f"src/{number:02}.py" for number in range(64)]
    code.commit("2026-03-01", dict.fromkeys(names, "one\n"))
    code.write(dict.fromkeys(names, "two\n"))
    code.git("commit", "--quiet", "--all", "--message", "a change", day="2026-03-06")
    made(memory, "first", *names)
    (flag,) = memory.get("first").flags or ()
    assert flag == f"file changed since validated: {', '.join(names)}"


def test_what_is_as_it_was_is_not_flagged(memory: ProjectMemory) -> None:
    made(memory, "first", "c.py", "*.py")
    made(memory, "second", pitfalls=["another text"])
    assert [memory.get(name).flags for name in ("first", "second")] == [None, None]


def test_to_validate_again_takes_the_flag_away(memory: ProjectMemory, code: Repository) -> None:
    made(memory, "first", "a.py")
    later = ProjectMemory(
        memory._storage, memory.project, ADA, lambda: datetime(2026, 3, 6, tzinfo=UTC)
    )
    later.look_at(code.root, patience=None)
    assert later.get("first").flags
    later.touch(["first"])
    assert later.get("first").flags is None


def test_a_decision_outlasts_changes_and_not_the_file(memory: ProjectMemory) -> None:
    made(memory, "first", "a.py", "b.py", labels=["kind:decision"])
    assert memory.get("first").flags == ("file missing: b.py",)


def test_neither_the_past_nor_the_archive_is_flagged(memory: ProjectMemory) -> None:
    made(memory, "first", "a.py")
    assert memory.get("first", version=1).flags is None
    memory.archive("first")
    assert memory.get("first").flags is None


def test_the_checkout_of_another_project_says_nothing(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    made(memory, "first", "a.py")
    other = Repository(tmp_path / "other")
    other.root.mkdir()
    other.git("init", "--quiet")
    other.commit("2026-03-05", {"a.py": "three\n"})
    memory.look_at(other.root, patience=None)
    assert memory.get("first").flags is None


def test_a_project_that_is_named_otherwise_is_known_by_its_repository(
    memory: ProjectMemory, code: Repository
) -> None:
    with memory._storage.write() as writer:
        writer.put_project("shop", ["example.org/acme/shop"])
    code.git("remote", "add", "origin", "git@example.org:acme/shop.git")
    shop = ProjectMemory(memory._storage, "shop", ADA, lambda: datetime(2026, 3, 2, tzinfo=UTC))
    shop.look_at(code.root, patience=None)
    shop.add_label("kind:bug")
    made(shop, "first", "a.py")
    assert shop.get("first").flags == ("file changed since validated: a.py",)


def test_what_no_one_asked_to_look_at_is_not_looked_at(memory: ProjectMemory) -> None:
    made(memory, "first", "a.py")
    apart = ProjectMemory(memory._storage, memory.project, ADA)
    assert apart.get("first").flags is None


def test_a_working_directory_that_is_gone_is_no_checkout(
    memory: ProjectMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(memory, "first", "a.py")
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    memory.look_at(Path(), patience=None)
    assert memory.get("first").flags is None


def test_the_working_directory_is_looked_at_by_its_relative_path(
    memory: ProjectMemory, code: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(memory, "first", "a.py")
    monkeypatch.chdir(code.root)
    memory.look_at(Path(), patience=None)
    assert memory.get("first").flags == ("file changed since validated: a.py",)


CHECK = {"type": "text_absent", "path": "a.py", "text": "two"}
CONTRADICTED = "check contradicted by the code: line 1 of 'a.py' holds 'two'"


def test_a_check_that_the_code_contradicts_is_said_by_every_answer(
    memory: ProjectMemory, code: Repository
) -> None:
    undecided = {"type": "file_exists", "path": "link"}
    (code.root / "link").symlink_to("a.py")
    made(memory, "first", "b.py", checks=[CHECK, undecided])
    flags = ("file missing: b.py", CONTRADICTED)
    assert memory.get("first").flags == flags
    for asked in ({"query": "mirror"}, {"query": "mirror", "full_count": 0}):
        assert [hit.flags for hit in memory.recall(**asked).answers] == [flags]


def test_a_check_that_holds_again_is_not_flagged(memory: ProjectMemory, code: Repository) -> None:
    made(memory, "first", checks=[CHECK])
    assert memory.get("first").flags == (CONTRADICTED,)
    code.write({"a.py": "three\n"})
    assert memory.get("first").flags is None


def test_checks_of_what_is_wrong_are_not_made(memory: ProjectMemory) -> None:
    made(memory, "first", checks=[CHECK])
    memory.set_status("first", "wrong", reason="it was never so")
    assert memory.get("first").flags is None
