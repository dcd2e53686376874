"""What is known about files: alone, beside a question, and told apart from what merely ranks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from factories import draft
from repositories import Repository

from project_memory.app import ProjectMemory
from project_memory.checkout.identity import project_identity
from project_memory.cli.views.explanation import lines
from project_memory.errors import InvalidInput
from project_memory.model import Actor, Authority, as_json

ADA = Actor("ada", Authority.USER)
Make = Callable[..., None]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[ProjectMemory]:
    with ProjectMemory.open(
        "inmemory://", project="demo", actor=ADA, create=True,
        clock=lambda: datetime(2026, 3, 4, tzinfo=UTC),
    ) as opened:  # fmt: skip
        yield opened


@pytest.fixture
def make(memory: ProjectMemory) -> Make:
    def made(name: str, *files: str, **fields: Any) -> None:
        said = f"the mirror of {name} breaks when two writers meet"
        memory.create(
            draft(id=name, **{"description": said, "scope": {"files": list(files)}, **fields}),
            allow_duplicate=True,
        )

    return made


def answers(memory: ProjectMemory, **query: Any) -> list[str]:
    return [hit.id for hit in memory.recall(limit=50, **query).answers]


def test_alone_files_bring_what_names_them_the_direct_first(
    memory: ProjectMemory, make: Make
) -> None:
    make("a-folder", "src/store")
    make("b-glob", "src/**/*.py")
    make("c-file", "./src/store/sqlite.py")
    make("d-check", checks=[{"type": "text_present", "path": "src/store/sqlite.py", "text": "x"}])
    make("e-check-glob", checks=[{"type": "file_absent", "path": "src/store/*.py"}])
    make("other", "src/store/postgres.py", "src/st", "docs/*", "src/*.py")
    make("standing", standing=True)
    memory.link("other", "related", "b-glob", link_reason="a link makes it more central")
    found = answers(memory, files=["src/store/sqlite.py"])
    assert set(found[:2]) == {"c-file", "d-check"}
    assert set(found[2:]) == {"a-folder", "b-glob", "e-check-glob"}
    assert memory.recall(files=["src/store/sqlite.py"]).standing == ()


def test_a_folder_is_all_that_is_in_it(memory: ProjectMemory, make: Make) -> None:
    make("file", "src/store/sqlite.py")
    make("glob", "src/store/*.sql")
    make("itself", "src/store")
    make("beside", "src/store.py", "src/storage/a.py")
    assert set(answers(memory, files=["src/store/"])) == {"file", "glob", "itself"}
    assert answers(memory, files=["src/store"])[0] == "itself"


def test_beside_a_question_what_names_files_is_raised_and_nothing_is_hidden(
    memory: ProjectMemory, make: Make
) -> None:
    make("a-first")
    make("b-named", "src/a.py")
    make("c-meant", "src/*")
    query = "the mirror breaks when two writers meet"
    before = {hit.id: hit.score for hit in memory.recall(query=query).answers}
    after = memory.recall(query=query, files=["src/a.py"]).answers
    assert before.keys() == {"a-first", "b-named", "c-meant"}
    assert max(before, key=before.__getitem__) == "a-first"
    assert after[0].id == "b-named"
    raised = {hit.id: hit.score - before[hit.id] for hit in after}
    assert raised == pytest.approx({"a-first": 0, "b-named": 0.3, "c-meant": 0.15})


def test_an_explanation_adds_up_and_says_which_files_are_named(
    memory: ProjectMemory, make: Make
) -> None:
    make("named", "src/a.py", "src/b.py", labels=["kind:bug"])
    make("meant", "src/*")
    make("neither")
    found = memory.recall(
        query="mirror of named", files=["src/a.py", "src/b.py", "c.py"], prefer=["kind:bug"],
        explain=True,
    )  # fmt: skip
    told = {hit.id: hit for hit in found.answers}
    for hit in told.values():
        why = hit.why
        assert hit.score == pytest.approx(
            (why.walk + why.lexical) * why.status_factor + why.preference, abs=1e-5
        )
    assert {name: (hit.why.files, hit.why.preference) for name, hit in told.items()} == {
        "named": (("src/a.py", "src/b.py"), 0.4), "meant": (("src/a.py", "src/b.py"), 0.25),
        "neither": ((), 0.1),
    }  # fmt: skip
    assert lines(as_json(told["named"].why))[-1] == "names the files: src/a.py, src/b.py"


def test_filters_and_order_hold_for_files_too(memory: ProjectMemory, make: Make) -> None:
    make("bug", "src/a.py")
    make("decision", "src/a.py", labels=["kind:decision"])
    make("elsewhere", "src/b.py")
    assert answers(memory, files=["src/a.py"], label_query="kind:decision") == ["decision"]
    for query in ("", "mirror"):
        recent = answers(memory, query=query, files=["src/a.py"], order="recent")
        assert set(recent) == {"bug", "decision"}


def test_an_outdated_lesson_is_a_warning_beside_its_successor(
    memory: ProjectMemory, make: Make
) -> None:
    make("old", "src/a.py")
    make("heir", "src/a.py")
    make("wrong", "src/a.py")
    memory.link("heir", "supersedes", "old")
    memory.set_status("wrong", "wrong", reason="it was not so")
    found = memory.recall(files=["src/a.py"])
    assert [hit.id for hit in found.answers] == ["heir"]
    assert [hit.id for hit in found.warnings] == ["wrong"]


def test_files_that_nothing_names_are_no_question_about_everything(
    memory: ProjectMemory, make: Make
) -> None:
    make("other", "src/a.py")
    found = memory.recall(files=["src/b.py"])
    assert (found.answers, found.nothing_relevant) == ((), True)
    assert found.brought is None
    assert memory.usage().memories[0].total.surfaced == 0


def test_an_edit_changes_what_a_lesson_names(memory: ProjectMemory, make: Make) -> None:
    make("moving", "src/a.py")
    assert answers(memory, files=["src/a.py"]) == ["moving"]
    memory.update("moving", {"scope": {"files": ["src/b.py"]}})
    assert answers(memory, files=["src/a.py"]) == []
    assert answers(memory, files=["src/b.py"]) == ["moving"]


def test_other_projects_answer_by_what_reaches_everywhere(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.db'}"
    for project, name in (("one", "here"), ("two", "there"), ("two", "hidden")):
        reach = "everywhere" if name == "there" else "project"
        with ProjectMemory.open(url, project=project, actor=ADA, create=True) as memory:
            scope = {"files": ["**/*.sql"], "reach": reach}
            said = f"the lesson of migrations that is called {name}"
            memory.create(draft(id=name, description=said, scope=scope))
    with ProjectMemory.open(url, project="one", actor=ADA) as memory:
        assert answers(memory, files=["db/1.sql"]) == ["here"]
        assert set(answers(memory, files=["db/1.sql"], all_projects=True)) == {"here", "there"}


def test_absolute_paths_are_those_of_the_checkout_that_is_looked_at(tmp_path: Path) -> None:
    code = Repository(tmp_path / "code")
    code.root.mkdir()
    code.git("init", "--quiet", "--initial-branch=main")
    code.commit("2026-03-01", {"src/a.py": "1\n"})
    name = project_identity(code.root).id
    with ProjectMemory.open("inmemory://", project=name, actor=ADA, create=True) as memory:
        memory.create(draft(id="first", scope={"files": ["src/a.py"]}))
        memory.look_at(code.root / "src", patience=None)
        assert answers(memory, files=[str(code.root / "src" / "a.py")]) == ["first"]
        (tmp_path / "link").symlink_to(code.root)
        assert answers(memory, files=[str(tmp_path / "link/src/a.py")]) == ["first"]
        with pytest.raises(InvalidInput):
            memory.recall(files=[str(tmp_path / "src/a.py")])


def test_without_a_working_directory_an_absolute_path_is_refused(
    memory: ProjectMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    memory.look_at(Path(), patience=None)
    with pytest.raises(InvalidInput) as caught:
        memory.recall(files=["/src/a.py"])
    assert str(caught.value) == (
        "'/src/a.py' is no path within the repository; write it from the top, as src/store.py"
    )


@pytest.mark.parametrize("path", ["/src/a.py", "../a.py", "src/../../a.py", " ", "", "."])
def test_a_path_that_leads_out_is_refused(memory: ProjectMemory, path: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        memory.recall(files=[path])
    assert str(caught.value) == (
        f"'{path}' is no path within the repository; write it from the top, as src/store.py"
    )


def test_too_many_files_and_other_kinds_are_refused(memory: ProjectMemory, make: Make) -> None:
    make("windows", "src/a.py")
    assert answers(memory, files="src\\a.py") == ["windows"]
    with pytest.raises(InvalidInput) as caught:
        memory.recall(files=[f"{number}.py" for number in range(65)])
    assert str(caught.value) == "65 files are named at once; name at most 64"
    with pytest.raises(InvalidInput) as caught:
        memory.recall(files=[1])
    assert str(caught.value) == "'files' is of type list; give a list of strings"


def test_a_file_is_known_however_its_accent_is_written(memory: ProjectMemory, make: Make) -> None:
    make("accent", "caf\u00e9/a.py")
    assert answers(memory, files=["cafe\u0301/a.py"]) == ["accent"]
