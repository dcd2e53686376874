"""Git merges and compares the folder field by field, in real repositories with two branches."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from factories import draft
from repositories import Repository

from project_memory.app import ProjectMemory, validate_directory
from project_memory.checkout import drivers
from project_memory.errors import InvalidInput
from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)
FOLDER = ".project-memory"


def opened() -> ProjectMemory:
    return ProjectMemory.open("inmemory://", project="demo", actor=ADA, create=True)


@pytest.fixture
def two(run: Callable[..., tuple[int, str, str]], tmp_path: Path, monkeypatch) -> list[Repository]:
    """Return two clones of a repository that has lessons, both told how to merge them."""
    first = Repository(tmp_path / "first")
    first.root.mkdir()
    first.git("init", "--quiet", "--initial-branch=main")
    with opened() as store:
        for name in ("one", "two", "three"):
            store.create(draft(id=name, description=f"the lesson that is called {name} here"))
        store.link("one", "causes", "two")
        store.sync(first.root / FOLDER)
    monkeypatch.chdir(first.root)
    code, out, _ = run("setup", "--git", "--no-skills")
    assert code == 0
    assert "git\t.gitattributes\tadded\ngit\t.git/config\tadded\n" in out
    assert (
        "git\t.gitattributes\tunchanged\ngit\t.git/config\tunchanged\n"
        in (run("setup", "--git", "--no-skills")[1])
    )
    first.commit("2026-01-01")
    first.git("clone", "--quiet", str(first.root), str(tmp_path / "second"))
    second = Repository(tmp_path / "second")
    monkeypatch.chdir(second.root)
    assert (
        "git\t.gitattributes\tunchanged\ngit\t.git/config\tadded\n"
        in (run("setup", "--git", "--no-skills")[1])
    )
    return [first, second]


def changed(repository: Repository, change: Callable[[ProjectMemory], object]) -> None:
    """Change a fresh store over the folder of a clone, synchronise and commit."""
    folder = repository.root / FOLDER
    with opened() as store:
        store.sync(folder)
        change(store)
        assert store.sync(folder).passed
    repository.commit("2026-01-02")


def test_two_branches_that_change_the_same_lessons_merge_without_a_word(
    two: list[Repository], tmp_path: Path
) -> None:
    first, second = two

    def ours(store: ProjectMemory) -> None:
        store.update("one", {"tags": ["ours"], "pitfalls": ["mind it"]})
        store.link("one", "depends_on", "three")
        store.add_label("area:ours")
        store.pin("two")

    def theirs(store: ProjectMemory) -> None:
        store.update("one", {"tags": ["theirs"], "triggers": ["locked"]})
        store.unlink("one", "causes", "two")
        store.link("three", "related", "two", link_reason="both are about the same")
        store.add_label("area:theirs")
        store.pin("three")

    changed(first, ours)
    changed(second, theirs)
    second.git("pull", "--quiet", "--no-rebase", "--no-edit", "origin", "main")
    folder = second.root / FOLDER
    assert validate_directory(folder).problems == ()
    with opened() as store:
        store.import_path(folder)
        one = store.get("one").memory
        assert (one["tags"], one["pitfalls"], one["triggers"]) == (
            ["theirs", "ours"], ["mind it"], ["locked"]
        )  # fmt: skip
        linked = {kind: held for kind, held in one["relationships"].items() if held}
        assert linked == {"depends_on": [{"id": "three"}]}
        assert [store.get(name).meta.pinned for name in ("one", "two", "three")] == [
            False, True, True
        ]  # fmt: skip
        assert {"area:ours", "area:theirs"} <= {
            label.label for group in store.labels().groups for label in group.labels
        }


def test_a_true_conflict_is_one_for_git_and_only_in_its_field(two: list[Repository]) -> None:
    first, second = two
    changed(first, lambda s: s.update("one", {"description": "the lesson as the first has it"}))
    changed(second, lambda s: s.update(
        "one", {"description": "the lesson as the second has it", "tags": ["theirs"]}
    ))  # fmt: skip
    with pytest.raises(subprocess.CalledProcessError):
        second.git("pull", "--quiet", "--no-rebase", "--no-edit", "origin", "main")
    assert second.git("diff", "--name-only", "--diff-filter=U") == f"{FOLDER}/memories/one.json"
    text = (second.root / FOLDER / "memories" / "one.json").read_text(encoding="utf-8")
    assert (
        "<<<<<<< ours\n"
        '  "description": "the lesson as the second has it",\n'
        "=======\n"
        '  "description": "the lesson as the first has it",\n'
        ">>>>>>> theirs\n"
    ) in text
    assert '"theirs"' in text


def test_differences_are_shown_as_notes(two: list[Repository]) -> None:
    first, _ = two
    changed(first, lambda store: store.update("one", {"pitfalls": ["mind the gap"]}))
    shown = first.git("show", "--format=", "HEAD", "--", f"{FOLDER}/memories/one.json")
    assert "+## Pitfalls\n+\n+- mind the gap" in shown


def test_a_dry_run_of_setup_tells_git_nothing(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    repository = Repository(tmp_path)
    repository.git("init", "--quiet")
    out = run("setup", "--git", "--no-skills", "--dry-run")[1]
    assert "git\t.gitattributes\tadded\ngit\t.git/config\tadded\n" in out
    assert not (tmp_path / ".gitattributes").exists()
    assert "project-memory" not in (tmp_path / ".git" / "config").read_text()


def test_attributes_of_others_stay_and_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    Repository(tmp_path).git("init", "--quiet")
    path = tmp_path / ".gitattributes"
    path.write_bytes(b"*.png binary")
    assert drivers.install(tmp_path, "lessons", "pm", dry_run=False)[".gitattributes"] == "updated"
    assert path.read_bytes() == (
        b"*.png binary\n"
        b"lessons/**/*.json merge=project-memory diff=project-memory\n"
        b"lessons/*.json merge=project-memory diff=project-memory\n"
    )
    path.write_bytes(b"\xff")
    with pytest.raises(InvalidInput) as error:
        drivers.install(tmp_path, "lessons", "pm", dry_run=False)
    assert str(error.value) == (
        f"cannot change '{path}' (it is not UTF-8); mend it, and run again"
    )


def test_a_file_that_is_not_there_is_told(run: Callable[..., tuple[int, str, str]]) -> None:
    assert run("git-textconv", "gone.json") == (
        2, "", "error: cannot read 'gone.json' (No such file or directory); name a file\n"
    )  # fmt: skip
    assert run("git-merge", "a", "b", "c", "d")[2] == (
        "error: cannot read 'a' (No such file or directory); name a file\n"
    )


def test_git_is_told_no_longer_and_what_others_wrote_stays(
    two: list[Repository], run: Callable[..., tuple[int, str, str]]
) -> None:
    second = two[1]
    attributes = second.root / ".gitattributes"
    attributes.write_text("*.png binary\n" + attributes.read_text())
    second.git("config", "merge.other.driver", "true")
    out = run("setup", "--no-git", "--no-skills")[1]
    assert "git\t.gitattributes\tremoved\ngit\t.git/config\tremoved\n" in out
    assert attributes.read_text() == "*.png binary\n"
    config = (second.root / ".git" / "config").read_text()
    assert "project-memory" not in config
    assert "driver = true" in config
    out = run("setup", "--no-git", "--no-skills")[1]
    assert "git\t.gitattributes\tunchanged\ngit\t.git/config\tunchanged\n" in out
