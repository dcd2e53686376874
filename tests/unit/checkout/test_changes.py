"""A change as git tells it: every file with its fate and lines, whatever it is called or holds."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from repositories import Repository

from project_memory.checkout import changes
from project_memory.checkout.git import Checkout, checkout_at
from project_memory.checkout.patches import ChangedFile, Fate, Hunk
from project_memory.errors import InvalidInput

TODAY = date(2026, 3, 9)
LINES = "".join(f"line {number}\n" for number in range(1, 9))


@pytest.fixture
def branch(repository: Repository) -> Repository:
    """Return a repository with one commit on main, on a branch of it."""
    start = {"a.py": LINES, "b.py": LINES.upper(), "gone.py": "z\n", "we\nird é.py": "x\ny\n"}
    repository.commit("2026-03-01", start)
    repository.git("checkout", "--quiet", "-b", "work")
    return repository


def at(repository: Repository) -> Checkout:
    return checkout_at(repository.root)


def since(repository: Repository, base: str = "main") -> tuple[ChangedFile, ...]:
    return changes.since(at(repository), base).files


def test_every_fate_is_told_with_the_lines_that_changed(branch: Repository) -> None:
    branch.git("mv", "b.py", "c.py")
    changed = LINES.replace("line 3\n", "three\n").replace("line 7\n", "")
    files = {"a.py": changed, "c.py": LINES.upper() + "END", "gone.py": None, "new.py": "1\n2\n"}
    branch.commit("2026-03-05", files)
    change = changes.since(at(branch), "main")
    assert change.files == (
        ChangedFile("a.py", Fate.CHANGED, None,
                    (Hunk(3, ("line 3",), ("three",)), Hunk(6, ("line 7",), ()))),
        ChangedFile("c.py", Fate.RENAMED, "b.py", (Hunk(9, (), ("END",)),)),
        ChangedFile("gone.py", Fate.DELETED, None, (Hunk(0, ("z",), ()),)),
        ChangedFile("new.py", Fate.ADDED, None, (Hunk(1, (), ("1", "2")),)),
    )  # fmt: skip
    assert (change.made_on, change.told) == ("2026-03-05", "since 'main'")
    assert [file.line for file in change.files] == [3, 9, None, 1]


def test_names_hold_anything(branch: Repository) -> None:
    names = ["tab\there.py", 'quo"te\\.py', "-n.py", "with space.py", "a -> b.py", "日本.py"]
    bytes_name = os.fsdecode(b"by\xffte.py")
    branch.commit("2026-03-05", dict.fromkeys([*names, bytes_name, "we\nird é.py"], "one\n"))
    found = {file.path: file.fate for file in since(branch)}
    assert found == {
        **dict.fromkeys([*names, bytes_name], Fate.ADDED), "we\nird é.py": Fate.CHANGED,
    }  # fmt: skip


def test_what_a_file_holds_never_passes_for_a_header(branch: Repository) -> None:
    evil = "-- a/fake\n++ b/fake\n@@ -1 +1 @@\n:000000 100644 0 1 A\tx\ndiff --git a/x b/x\n"
    branch.commit("2026-03-05", {"a.py": evil, "b.py": "-- b/b.py\r\n"})
    branch.write({"a.py": "last"})
    branch.commit("2026-03-06")
    found = {file.path: file for file in since(branch)}
    assert list(found) == ["a.py", "b.py"]
    assert found["a.py"].hunks == (Hunk(1, tuple(LINES.splitlines()), ("last",)),)
    assert found["b.py"].hunks == (
        Hunk(1, tuple(LINES.upper().splitlines()), ("-- b/b.py\r",)),
    )  # fmt: skip
    assert changes.since(at(branch), "HEAD~1").files[0].hunks == (
        Hunk(1, tuple(evil.splitlines()), ("last",)),
    )  # fmt: skip


def test_files_that_are_no_text_have_no_lines(branch: Repository) -> None:
    (branch.root / "gone.py").unlink()
    (branch.root / "gone.py").symlink_to("a.py")
    (branch.root / "image").write_bytes(b"\0\1")
    branch.commit("2026-03-05")
    link, image = since(branch)
    assert (link.fate, image.fate, image.hunks) == (Fate.CHANGED, Fate.ADDED, ())
    assert link.hunks == (Hunk(0, ("z",), ()), Hunk(1, (), ("a.py",)))


def test_a_change_begins_where_the_branch_did(branch: Repository) -> None:
    branch.commit("2026-03-02", {"mine.py": "1\n"})
    branch.git("checkout", "--quiet", "main")
    branch.commit("2026-03-03", {"theirs.py": "1\n", "a.py": "x\n"})
    branch.git("checkout", "--quiet", "work")
    assert [file.path for file in since(branch)] == ["mine.py"]
    branch.git("merge", "--quiet", "--no-edit", "main", day="2026-03-04")
    branch.commit("2026-03-05", {"after.py": "1\n"})
    assert [file.path for file in since(branch)] == ["after.py", "mine.py"]


def test_what_is_staged_is_the_next_commit(branch: Repository) -> None:
    branch.write({"a.py": LINES + "staged\n", "new.py": "1\n"})
    branch.git("add", "a.py")
    branch.write({"a.py": LINES + "more\n"})
    change = changes.staged(at(branch), TODAY)
    assert change.files == (ChangedFile("a.py", Fate.CHANGED, None, (Hunk(9, (), ("staged",)),)),)
    assert (change.made_on, change.told) == ("2026-03-09", "staged")


def test_before_the_first_commit_all_that_is_staged_is_new(repository: Repository) -> None:
    repository.write({"a.py": "1\n"})
    repository.git("add", "a.py")
    (file,) = changes.staged(at(repository), TODAY).files
    assert (file.path, file.fate) == ("a.py", Fate.ADDED)
    with pytest.raises(InvalidInput) as caught:
        since(repository, "main")
    assert str(caught.value) == (
        "nothing is committed yet, so nothing can be compared; use --staged"
    )


def test_a_hook_has_an_index_of_its_own(
    branch: Repository, new_repository: Callable[..., Repository], monkeypatch: pytest.MonkeyPatch
) -> None:
    branch.write({"a.py": "1\n", "b.py": "1\n"})
    monkeypatch.setenv("GIT_INDEX_FILE", str(branch.root / ".git/next-index-7.lock"))
    branch.git("read-tree", "HEAD")
    branch.git("add", "b.py")
    assert [file.path for file in changes.staged(at(branch), TODAY).files] == ["b.py"]
    other = new_repository("other")
    monkeypatch.delenv("GIT_INDEX_FILE")
    other.commit("2026-03-01", {"a.py": "1\n"})
    monkeypatch.setenv("GIT_INDEX_FILE", str(branch.root / ".git/next-index-7.lock"))
    assert changes.staged(at(other), TODAY).files == ()


def test_no_configuration_changes_the_answer_or_is_run(branch: Repository, tmp_path: Path) -> None:
    branch.git("mv", "b.py", "c.py")
    branch.commit("2026-03-05", {"a.py": LINES + "more\n", ".gitattributes": "*.py diff=evil\n"})
    before = since(branch)
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch '{tmp_path / 'started'}'\n")
    program.chmod(0o755)
    order = tmp_path / "order"
    order.write_text("c.py\n")
    for name, value in {
        "diff.external": str(program), "diff.evil.command": str(program),
        "diff.evil.textconv": str(program), "diff.noprefix": "true", "diff.context": "9",
        "diff.mnemonicPrefix": "true", "diff.renames": "false", "diff.orderFile": str(order),
        "diff.interHunkContext": "9", "core.quotePath": "false", "color.ui": "always",
        "color.diff": "always", "diff.relative": "true", "diff.submodule": "log",
    }.items():  # fmt: skip
        branch.git("config", name, value)
    assert since(branch) == before
    assert {file.path for file in before} == {".gitattributes", "a.py", "c.py"}
    assert not (tmp_path / "started").exists()


def test_exported_memories_are_no_code(branch: Repository) -> None:
    branch.commit("2026-03-05", {".project-memory/memories/a.json": "{}\n", "new.py": "1\n"})
    assert [file.path for file in since(branch)] == ["new.py"]


@pytest.mark.parametrize("base", ["origin/main", "-x", "--help", "", "a b", "main\nHEAD"])
def test_a_base_that_is_not_there_is_told(branch: Repository, base: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        since(branch, base)
    assert str(caught.value) == (
        f"no commit '{base}' here; name a branch, tag or commit, or run `git fetch` first"
    )


def test_histories_without_a_common_commit_are_told(branch: Repository) -> None:
    branch.git("checkout", "--quiet", "--orphan", "apart")
    branch.commit("2026-03-05")
    with pytest.raises(InvalidInput) as caught:
        since(branch)
    assert str(caught.value) == (
        "'main' and HEAD have no commit in common; name a branch of this history"
    )


def test_a_shallow_clone_is_told_with_what_brings_the_rest(
    branch: Repository, tmp_path: Path
) -> None:
    branch.commit("2026-03-05", {"new.py": "1\n"})
    branch.git("checkout", "--quiet", "main")
    branch.commit("2026-03-06", {"theirs.py": "1\n"})
    clone = Repository(tmp_path / "clone")
    url = f"file://{branch.root}"
    branch.git("clone", "--quiet", "--depth=1", "--branch=work", url, str(clone.root))
    end = "or check out with `fetch-depth: 0` in continuous integration"
    with pytest.raises(InvalidInput) as caught:
        since(clone, "origin/main")
    assert str(caught.value) == (
        "no commit 'origin/main' here, and the clone is shallow; run `git fetch --unshallow` and "
        f"fetch the branch, {end}"
    )
    clone.git("fetch", "--quiet", "--depth=1", "origin", "main:refs/remotes/origin/main")
    with pytest.raises(InvalidInput) as caught:
        since(clone, "origin/main")
    assert str(caught.value) == (
        "the clone is shallow, and holds no commit that 'origin/main' and HEAD have in common; "
        f"run `git fetch --unshallow`, {end}"
    )
    clone.git("fetch", "--quiet", "--deepen=1", "origin", "work", "main:refs/remotes/origin/main")
    change = changes.since(at(clone), "origin/main")
    assert ([file.path for file in change.files], change.notes) == (["new.py"], (
        "the clone is shallow, so that more may count as changed than the branch changed; "
        "`git fetch --unshallow` brings the rest",
    ))  # fmt: skip
    branch.git("checkout", "--quiet", "main")
    clone.git("fetch", "--quiet", "--unshallow", "origin")
    assert changes.since(at(clone), "origin/main").notes == ()
    assert [file.path for file in since(clone, "origin/main")] == ["new.py"]


def test_a_clone_without_past_contents_is_told_and_nothing_is_fetched(
    branch: Repository, tmp_path: Path
) -> None:
    branch.commit("2026-03-05", {"a.py": "1\n"})
    branch.git("config", "uploadpack.allowFilter", "true")
    clone = Repository(tmp_path / "clone")
    url = f"file://{branch.root}"
    branch.git("clone", "--quiet", "--filter=blob:none", "--branch=work", url, str(clone.root))
    with pytest.raises(InvalidInput) as caught:
        since(clone, "origin/main")
    assert str(caught.value) == (
        "the clone left out contents of the past, and nothing is fetched here; run "
        "`git diff origin/main... --stat` once, which fetches them"
    )
    clone.git("diff", "origin/main...", "--stat")
    assert [file.path for file in since(clone, "origin/main")] == ["a.py"]


def test_files_are_named_by_path_or_folder(branch: Repository) -> None:
    branch.commit("2026-03-05", {"src/x.py": "1\n", "src/y/z.py": "1\n"})
    change = changes.named(["./src/", "a.py", "never.py"], TODAY, at(branch))
    assert {file.path: (file.fate, file.hunks) for file in change.files} == {
        "a.py": (Fate.CHANGED, None), "never.py": (Fate.DELETED, None),
        "src": (Fate.CHANGED, None), "src/x.py": (Fate.CHANGED, None),
        "src/y/z.py": (Fate.CHANGED, None),
    }  # fmt: skip
    without = changes.named(["./src/", "never.py"], TODAY)
    assert [(file.path, file.fate) for file in without.files] == [
        ("never.py", Fate.CHANGED), ("src", Fate.CHANGED),
    ]  # fmt: skip


def test_a_missing_last_line_break_is_no_line(branch: Repository) -> None:
    branch.commit("2026-03-05", {"open.py": "one\ntwo"})
    before = branch.git("rev-parse", "HEAD")
    branch.commit("2026-03-06", {"open.py": "one\nthree", "other.py": "x"})
    assert since(branch, before) == (
        ChangedFile("open.py", Fate.CHANGED, None, (Hunk(2, ("two",), ("three",)),)),
        ChangedFile("other.py", Fate.ADDED, None, (Hunk(1, (), ("x",)),)),
    )
