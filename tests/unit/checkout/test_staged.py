"""What the next commit holds, read from git's index in a real repository."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from project_memory.checkout.staged import Staged, staged
from project_memory.errors import InvalidInput, NotFound


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.com", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "none"))
    top = tmp_path / "top"
    (top / "store/memories").mkdir(parents=True)
    (top / "store/memories/a.json").write_text("staged\n")
    (top / "other.json").write_text("elsewhere")
    git(top, "init", "--quiet", "--initial-branch", "main")
    git(top, "add", ".")
    monkeypatch.chdir(top)
    return top


def read(folder: str = "store") -> Staged:
    return staged(Path(folder), lambda name: name.endswith(".json"))


def test_the_index_counts_and_not_the_work_tree(repository: Path) -> None:
    (repository / "store/memories/a.json").write_text("later")
    (repository / "store/memories/b.json").write_text("never added")
    assert read() == Staged({"memories/a.json": b"staged\n"}, frozenset(), frozenset())


@pytest.mark.parametrize(
    ("here", "folder"),
    [(".", "store"), (".", "store/"), (".", "./store"), ("store", "."),
     ("store/memories", ".."), ("sub", "../store")],
)  # fmt: skip
def test_a_folder_is_named_from_wherever_the_command_runs(
    repository: Path, monkeypatch: pytest.MonkeyPatch, here: str, folder: str
) -> None:
    (repository / "sub").mkdir()
    monkeypatch.chdir(repository / here)
    assert read(folder).files == {"memories/a.json": b"staged\n"}
    assert read(str(repository / "store")).files == {"memories/a.json": b"staged\n"}


def test_odd_names_and_contents_come_as_they_are(repository: Path) -> None:
    odd = {"memories/ü x.json": b"\0\n\n", "memories/[a]*.json": b"", "memories/t\tn\n.json": b"1"}
    for name, content in odd.items():
        (repository / "store" / name).write_bytes(content)
    git(repository, "add", ".")
    assert read().files == {"memories/a.json": b"staged\n", **odd}


def test_only_what_is_wanted_is_read(repository: Path) -> None:
    (repository / "store/notes.txt").write_text("no document")
    git(repository, "add", ".")
    assert list(read().files) == ["memories/a.json"]


def test_links_are_told_apart_from_files(repository: Path) -> None:
    (repository / "store/memories/link.json").symlink_to("a.json")
    git(repository, "add", ".")
    assert read().others == {"memories/link.json"}
    assert list(read().files) == ["memories/a.json"]


def test_an_announced_file_is_no_part_of_the_commit(repository: Path) -> None:
    (repository / "store/memories/b.json").write_text("not yet")
    git(repository, "add", "--intent-to-add", "store/memories/b.json")
    assert list(read().files) == ["memories/a.json"]


def test_a_conflict_is_named(repository: Path) -> None:
    git(repository, "commit", "--quiet", "-m", "first")
    for branch, text in (("theirs", "theirs"), ("ours", "ours")):
        git(repository, "checkout", "--quiet", "-b", branch, "main")
        (repository / "store/memories/a.json").write_text(text)
        git(repository, "commit", "--quiet", "-a", "-m", branch)
    with pytest.raises(subprocess.CalledProcessError):
        git(repository, "merge", "theirs")
    assert read() == Staged({}, frozenset(), frozenset({"memories/a.json"}))


def test_the_index_of_a_partial_commit_is_the_one_that_counts(repository: Path) -> None:
    # `git commit FILE` gives its hooks an index of their own, by a relative name
    git(repository, "commit", "--quiet", "-m", "first")
    (repository / "store/memories/a.json").write_text("committed alone")
    (repository / "store/memories/b.json").write_text("staged, not committed")
    git(repository, "add", "store/memories/b.json")
    hook = repository / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text('#!/bin/sh\nprintf %s "$GIT_INDEX_FILE" > seen\ncp "$GIT_INDEX_FILE" taken\n')
    hook.chmod(0o755)
    git(repository, "commit", "--quiet", "-m", "one", "store/memories/a.json")
    assert (repository / "seen").read_text()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_INDEX_FILE", "taken")
        assert read().files == {"memories/a.json": b"committed alone"}


def test_a_folder_that_the_commit_removes_is_empty(repository: Path) -> None:
    git(repository, "commit", "--quiet", "-m", "first")
    git(repository, "rm", "--quiet", "-r", "store")
    assert not (repository / "store").exists()
    assert read().files == {}


def test_an_untracked_folder_is_empty(repository: Path) -> None:
    (repository / "fresh").mkdir()
    assert read("fresh").files == {}


def test_a_mistyped_folder_is_named(repository: Path) -> None:
    with pytest.raises(NotFound) as caught:
        read("stroe")
    assert str(caught.value) == (
        "nothing at 'stroe', neither here nor in the index of git; name the folder that "
        "`project-memory export` writes"
    )


def test_outside_a_repository_the_reason_is_told(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository.parent)
    with pytest.raises(InvalidInput) as caught:
        read("top/store")
    assert str(caught.value) == (
        "git cannot read the index (not a git repository (or any of the parent directories): "
        ".git); run --staged inside the repository that holds the folder"
    )


def test_a_folder_outside_the_repository_is_refused(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with pytest.raises(InvalidInput, match="outside repository"):
        read("../out")


def test_without_git_the_remedy_is_told(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository))
    with pytest.raises(InvalidInput) as caught:
        read()
    assert str(caught.value) == (
        "git cannot be run (no such file or directory); install it, or validate the folder "
        "without --staged"
    )
