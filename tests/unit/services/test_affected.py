"""Which lessons a change of the code touches, why, and which must be looked at again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from factories import draft
from repositories import Repository

from project_memory.app import ProjectMemory
from project_memory.model import Actor, Authority
from project_memory.services.affected import Affected, Kind, Lesson, Reason
from project_memory.services.affected.identifiers import MOST_MENTIONS
from project_memory.services.affected.links import MOST_DEPENDENTS

ADA = Actor("ada", Authority.USER)
STORE = "def open_store():\n    retry_budget = 3\n    return SqliteStore()\n"
Make = Callable[..., None]


@pytest.fixture
def code(tmp_path: Path) -> Repository:
    """Return a repository with a branch that changes, adds, renames and deletes a file."""
    repository = Repository(tmp_path / "code")
    repository.root.mkdir()
    repository.git("init", "--quiet", "--initial-branch=main")
    many = "".join(f"line {number}\n" for number in range(9))
    start = {"src/store.py": STORE, "src/gone.py": "x\n", "src/moved.py": many, "docs/a.md": "a\n"}
    repository.commit("2026-03-01", {**start, "first.py": many.upper(), "calm.py": "calm\n"})
    repository.git("mv", "first.py", "second.py")
    repository.commit("2026-03-02")
    repository.git("checkout", "--quiet", "-b", "work")
    repository.git("mv", "src/moved.py", "src/there.py")
    text = STORE.replace("= 3", "= 5").replace("SqliteStore", "FileStore")
    changed = {"src/store.py": text, "src/new.py": "1\n", "src/gone.py": None}
    repository.commit("2026-03-05", {**changed, "second.py": many.upper() + "more\n"})
    return repository


@pytest.fixture
def memory() -> Iterator[ProjectMemory]:
    """Return a project in which all was validated on the day before the branch's commit."""
    with ProjectMemory.open(
        "inmemory://", project="demo", actor=ADA, create=True,
        clock=lambda: datetime(2026, 3, 4, tzinfo=UTC),
    ) as opened:  # fmt: skip
        yield opened


@pytest.fixture
def make(memory: ProjectMemory) -> Make:
    def made(name: str, *files: str, **fields: Any) -> None:
        said = f"the lesson that is called {name} and says a thing of its own"
        fields = {"description": said, "remembered_facts": [f"fact of {name}"], **fields}
        memory.create(draft(id=name, scope={"files": list(files)}, **fields), allow_duplicate=True)

    return made


def lessons(found: Affected) -> dict[str, Lesson]:
    return {lesson.id: lesson for lesson in found.lessons}


def told(memory: ProjectMemory, code: Repository) -> dict[str, Lesson]:
    return lessons(memory.affected_since("main", code.root))


def reasons(lesson: Lesson) -> list[str]:
    return [reason.message for reason in lesson.reasons]


def test_a_file_that_a_lesson_names_is_told_at_its_first_changed_line(
    memory: ProjectMemory, code: Repository, make: Make
) -> None:
    make("store", "./src/store.py")
    make("calm", "calm.py")
    found = told(memory, code)
    assert list(found) == ["store"]
    message = "names './src/store.py', which was changed"
    assert found["store"].reasons == (Reason(Kind.FILE, message, "src/store.py", 2),)
    assert found["store"].revalidate == (
        "'src/store.py' changed after the validation of 2026-03-04",
    )  # fmt: skip


def test_renames_and_deletions_are_followed(
    memory: ProjectMemory, code: Repository, make: Make
) -> None:
    make("old-name", "src/moved.py")
    make("new-name", "src/there.py")
    make("gone", "src/gone.py")
    then = {"created_from_task": "test", "last_validated": "2026-03-01"}
    make("long-ago", "first.py", evidence=then)
    found = told(memory, code)
    assert {name: (reasons(each), each.revalidate) for name, each in found.items()} == {
        "old-name": (
            ["names 'src/moved.py', which was renamed to 'src/there.py'"],
            ("'src/moved.py' is 'src/there.py' now; correct its files",),
        ),
        "new-name": (["names 'src/there.py', which was renamed from 'src/moved.py'"], ()),
        "gone": (
            ["names 'src/gone.py', which was deleted"],
            ("'src/gone.py' is gone; correct its files",),
        ),
        "long-ago": (
            ["names 'first.py', which is 'second.py' now and was changed"],
            ("'first.py' is 'second.py' now; correct its files",),
        ),
    }
    assert [found["gone"].reasons[0].path, found["gone"].reasons[0].line] == ["src/gone.py", None]


def test_globs_and_folders_mean_what_is_in_them(
    memory: ProjectMemory, code: Repository, make: Make
) -> None:
    make("glob", "src/*.py")
    make("folder", "src")
    make("none", "docs/**", "lib", "s?c/*.rs")
    found = told(memory, code)
    assert {name: reasons(each) for name, each in found.items()} == {
        "folder": ["names 'src'; 'src/gone.py' and 3 others were changed"],
        "glob": ["names 'src/*.py'; 'src/gone.py' and 3 others were changed"],
    }
    assert found["glob"].revalidate == (
        "'src/gone.py' and 1 other changed after the validation of 2026-03-04",
    )


def test_what_was_decided_or_validated_since_needs_no_look(
    memory: ProjectMemory, code: Repository, make: Make
) -> None:
    make("decided", "src/store.py", labels=["kind:decision"])
    later = {"created_from_task": "test", "last_validated": "2026-03-04"}
    make("before", "src/store.py", evidence=later)
    found = told(memory, code)
    assert [found[name].revalidate for name in ("decided", "before")] == [
        (), ("'src/store.py' changed after the validation of 2026-03-04",),
    ]  # fmt: skip
    code.git("commit", "--amend", "--no-edit", "--quiet", day="2026-03-04T01:00:00Z")
    assert told(memory, code)["before"].revalidate == ()


def test_a_check_is_touched_where_the_change_can_turn_it(
    memory: ProjectMemory, code: Repository, make: Make
) -> None:
    code.commit("2026-03-06", {"requirements.txt": "My_Lib>=2\nother\n"})
    kinds: dict[str, dict[str, str]] = {
        "path": {"type": "text_present", "path": "src/store.py", "text": "nothing near"},
        "text-went": {"type": "text_present", "path": "src/*.py", "text": "SqliteStore()"},
        "text-came": {"type": "text_absent", "path": "src/**", "text": "FileStore()"},
        "text-stayed": {"type": "text_present", "path": "src/*.py", "text": "open_store"},
        "file-went": {"type": "file_exists", "path": "src/go*.py"},
        "name-went": {"type": "file_exists", "path": "src/m*.py"},
        "file-stayed": {"type": "file_exists", "path": "src/st*.py"},
        "file-came": {"type": "file_absent", "path": "src/n*.py"},
        "depends": {"type": "dependency", "requirement": "my-lib<2"},
        "depends-not": {"type": "dependency", "requirement": "lib"},
    }
    for name, check in kinds.items():
        make(name, checks=[check])
    found = told(memory, code)
    assert {name: (reasons(each)[0], each.reasons[0].line) for name, each in found.items()} == {
        "path": ("checks 'src/store.py' for 'nothing near'; 'src/store.py' was changed", 2),
        "text-went": ("checks 'src/*.py' for 'SqliteStore()'; 'src/store.py' was changed", 2),
        "text-came": ("checks 'src/**' for 'FileStore()'; 'src/store.py' was changed", 3),
        "file-went": ("checks 'src/go*.py'; 'src/gone.py' was deleted", None),
        "name-went": ("checks 'src/m*.py'; 'src/there.py' was renamed", None),
        "file-came": ("checks 'src/n*.py'; 'src/new.py' was added", 1),
        "depends": ("depends on 'my-lib<2'; 'requirements.txt' was added", 1),
    }
    assert {name for name, each in found.items() if each.revalidate} == found.keys()
    assert found["text-came"].revalidate == (
        "a check is contradicted by the code: line 3 of 'src/store.py' holds 'FileStore()'",
    )


def test_names_of_the_code_are_told_where_few_lessons_mention_them(
    memory: ProjectMemory, code: Repository, make: Make
) -> None:
    make("kept", pitfalls=["a retry_budget above 4 makes storms"])
    make("taken", tags=["SqliteStore"])
    make("pathed", remembered_facts=["it is written in src/store.py."])
    for number in range(MOST_MENTIONS + 1):
        make(
            f"many-{number}", remembered_facts=[f"{number}: open_store is slow, return FileStore"]
        )
    found = told(memory, code)
    assert {name: reasons(each) for name, each in found.items()} == {
        "kept": ["mentions 'retry_budget', which the change has in its lines"],
        "taken": ["mentions 'SqliteStore', which the change takes away"],
        "pathed": ["mentions 'src/store.py', which the change has in its lines"],
    }
    assert [each.reasons[0].line for each in found.values()] == [2, 2, 2]
    assert found["taken"].revalidate == ("the change takes 'SqliteStore' away",)
    assert found["kept"].revalidate == ()


def test_successors_and_dependents_are_told_and_mere_relatives_are_not(
    memory: ProjectMemory, code: Repository, make: Make
) -> None:
    for name in ("old", "store"):
        make(name, "src/store.py")
    for name in ("heir", "builds", "effect", "relative", "general"):
        make(name)
    make("by-glob", "src/*")
    make("builds-on-glob")
    memory.link("heir", "supersedes", "old")
    memory.link("builds", "depends_on", "store")
    memory.link("effect", "caused_by", "store")
    memory.link("relative", "related", "store", link_reason="both are about the store")
    memory.link("general", "generalizes", "store")
    memory.link("builds-on-glob", "depends_on", "by-glob")
    found = told(memory, code)
    assert {name: reasons(each)[0] for name, each in found.items()} == {
        "store": "names 'src/store.py', which was changed",
        "by-glob": "names 'src/*'; 'src/gone.py' and 3 others were changed",
        "heir": "supersedes 'old', which names 'src/store.py', which was changed",
        "builds": "depends on 'store'",
        "effect": "is caused by 'store'",
    }
    assert list(found) == ["store", "by-glob", "heir", "builds", "effect"]


def test_of_many_dependents_a_few_are_told_and_the_rest_is_counted(
    memory: ProjectMemory, code: Repository, make: Make
) -> None:
    make("store", "src/store.py")
    for number in range(MOST_DEPENDENTS + 2):
        make(f"builds-{number}")
        memory.link(f"builds-{number}", "depends_on", "store")
    found = memory.affected_since("main", code.root)
    assert len(found.lessons) == 1 + MOST_DEPENDENTS
    assert found.notes == (
        "2 more build on 'store'; see `project-memory neighborhood store`",
    )  # fmt: skip


def test_pitfalls_come_first_then_the_most_direct(
    memory: ProjectMemory, code: Repository, make: Make
) -> None:
    make("a-dependent", pitfalls=["do not"])
    make("b-named", tags=["retry_budget"])
    make("c-glob", "src/*")
    make("d-file", "src/store.py")
    make("e-glob", "src/*", pitfalls=["do not"])
    make("f-file", "src/new.py", pitfalls=["do not"])
    memory.link("a-dependent", "depends_on", "d-file")
    found = memory.affected_since("main", code.root)
    assert [lesson.id for lesson in found.lessons] == [
        "f-file", "e-glob", "d-file", "c-glob", "b-named", "a-dependent",
    ]  # fmt: skip
    assert found.counts == {"lessons": 6, "pitfalls": 3, "revalidate": 3}


def test_only_what_readers_take_for_true_is_told(
    memory: ProjectMemory, code: Repository, make: Make
) -> None:
    for name in ("wrong", "archived", "stale", "active"):
        make(name, "src/store.py")
    memory.set_status("wrong", "wrong", reason="it was not so")
    memory.set_status("stale", "stale", reason="the driver changed")
    memory.archive("archived")
    found = memory.affected_since("main", code.root)
    assert [(lesson.id, lesson.banner) for lesson in found.lessons] == [
        ("active", None),
        ("stale", "stale: check it before relying on it (the driver changed)"),
    ]
    assert found.checked == 2


def test_what_is_staged_touches_too(memory: ProjectMemory, code: Repository, make: Make) -> None:
    make("calm", "calm.py")
    make("store", "src/store.py")
    code.write({"calm.py": "storm\n"})
    assert lessons(memory.affected_staged(code.root)) == {}
    code.git("add", "calm.py")
    found = memory.affected_staged(code.root)
    assert [lesson.id for lesson in found.lessons] == ["calm"]
    assert (found.change, found.files) == ("staged", 1)


def test_files_and_folders_can_be_named(
    memory: ProjectMemory, code: Repository, make: Make
) -> None:
    make("calm", "calm.py")
    make("store", "src/store.py")
    make("glob", "**/st*.py")
    make("check", checks=[{"type": "file_exists", "path": "src/store.py"}])
    make("mentions", tags=["retry_budget"])
    for folder in (code.root, None):
        assert set(lessons(memory.affected_files(["src/store.py"], folder))) == {
            "store", "glob", "check",
        }  # fmt: skip
    assert set(lessons(memory.affected_files(["src"], code.root))) == {"store", "glob", "check"}
    assert set(lessons(memory.affected_files(["src"]))) == {"store", "check"}


def test_without_lessons_or_changes_nothing_is_told(
    memory: ProjectMemory, code: Repository, make: Make
) -> None:
    assert memory.affected_since("main", code.root).lessons == ()
    make("store", "src/store.py")
    found = memory.affected_since("HEAD", code.root)
    assert (found.lessons, found.files, found.checked) == ((), 0, 1)


def test_names_that_are_no_text_are_told_with_escapes(
    memory: ProjectMemory, make: Make, code: Repository
) -> None:
    make("by-glob", "odd*")
    make("by-check", checks=[{"type": "file_absent", "path": "odd*"}])
    make("by-name", remembered_facts=["call drain_the_odd_queue first"])
    code.commit("2026-03-06", {"odd\udcff.py": "drain_the_odd_queue()\n"})
    found = told(memory, code)
    for name in ("by-glob", "by-check", "by-name"):
        assert [reason.path for reason in found[name].reasons] == [r"odd\udcff.py"]


@pytest.mark.parametrize("written", ["caf\u00e9", "cafe\u0301"])
@pytest.mark.parametrize("asked", ["caf\u00e9", "cafe\u0301"])
def test_a_path_is_met_however_its_accent_is_written(
    memory: ProjectMemory, make: Make, code: Repository, written: str, asked: str
) -> None:
    make("exact", "caf\u00e9/a.py")
    make("wide", "caf\u00e9/*.py")
    code.commit("2026-03-06", {f"{written}/a.py": "one\n"})
    assert set(told(memory, code)) == {"exact", "wide"}
    for path in (f"{asked}/a.py", asked):
        found = memory.affected_files([path], code.root)
        assert set(lessons(found)) == {"exact", "wide"}
        assert reasons(lessons(found)["exact"]) == ["names 'caf\u00e9/a.py', which was changed"]


def test_a_check_meets_an_accent_however_a_line_writes_it(
    memory: ProjectMemory, make: Make, code: Repository
) -> None:
    make("accent", checks=[{"type": "text_absent", "path": "*.txt", "text": "\u00fcber"}])
    code.commit("2026-03-06", {"apart.txt": "one\nu\u0308ber\n"})
    reason = told(memory, code)["accent"].reasons[0]
    assert (reason.path, reason.line) == ("apart.txt", 2)
