"""What became of files since a day, told from real repositories."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from project_memory.checkout import git
from project_memory.checkout.comparison import Comparison, compared
from project_memory.checkout.git import checkout_at
from project_memory.checkout.glance import Glance
from project_memory.errors import InvalidInput
from project_memory.staleness import Fate, FileState, Named

DAY = "2026-03-02"
TEXT = "".join(f"line {number} of a file that git can know again\n" for number in range(20))


def comparison(folder: Path, *names: str, day: str = DAY) -> Comparison:
    return compared(checkout_at(folder), [Named(name, day) for name in names])


def states(repository, *names: str, day: str = DAY) -> list[FileState]:
    found = comparison(repository.root, *names, day=day).states
    return [found[key] for key in sorted(found, key=lambda key: key.path)]


def fates(repository, *names: str, day: str = DAY) -> dict[str, str]:
    return {state.path: state.fate.value for state in states(repository, *names, day=day)}


@pytest.fixture
def started(repository):
    """Return a repository with three files committed on March 1."""
    repository.commit("2026-03-01", {"src/a.py": "a\n", "src/b.py": "b\n", "moved.py": TEXT})
    return repository


# -- changed, missing, the same ------------------------------------------------------------------


def test_what_is_as_it_was_has_no_fate(started) -> None:
    assert fates(started, "src/a.py", "src/b.py", "moved.py", "src", "src/*.py", "**") == {}


def test_a_change_committed_since_is_found(started) -> None:
    started.commit("2026-03-05", {"src/a.py": "another\n"})
    assert fates(started, "src/a.py", "src/b.py") == {"src/a.py": "changed"}


def test_a_change_that_is_not_committed_is_found(started) -> None:
    started.write({"src/a.py": "another\n"})
    assert fates(started, "src/a.py", "src/b.py") == {"src/a.py": "changed"}


def test_a_change_that_is_only_staged_is_found(started) -> None:
    started.write({"src/a.py": "another\n"})
    started.git("add", "--all")
    assert fates(started, "src/a.py") == {"src/a.py": "changed"}


def test_a_change_that_was_taken_back_is_none(started) -> None:
    started.commit("2026-03-05", {"src/a.py": "another\n"})
    started.commit("2026-03-06", {"src/a.py": "a\n"})
    assert fates(started, "src/a.py") == {}


def test_a_file_that_was_only_touched_is_the_same(started) -> None:
    os.utime(started.root / "src/a.py", (1, 1))
    assert fates(started, "src/a.py") == {}


@pytest.mark.parametrize("moment", ["2026-03-02T00:00:00Z", "2026-03-02T23:59:59Z"])
def test_what_is_committed_on_the_day_counts_as_seen(started, moment: str) -> None:
    started.commit(moment, {"src/a.py": "another\n"})
    assert fates(started, "src/a.py") == {}


def test_a_day_ends_at_midnight_in_utc(started) -> None:
    started.commit("2026-03-03T00:30:00+01:00", {"src/a.py": "another\n"})
    assert fates(started, "src/a.py") == {}
    started.commit("2026-03-03T00:00:00Z", {"src/a.py": "a third\n"})
    assert fates(started, "src/a.py") == {"src/a.py": "changed"}


def test_each_day_is_compared_with_its_own_commit(started) -> None:
    started.commit("2026-03-05", {"src/a.py": "another\n"})
    started.commit("2026-03-09", {"src/b.py": "another\n"})
    days = {day: fates(started, "src/a.py", "src/b.py", day=day) for day in
            ("2026-03-04", "2026-03-05", "2026-03-09", "2026-12-31")}  # fmt: skip
    assert days == {
        "2026-03-04": {"src/a.py": "changed", "src/b.py": "changed"},
        "2026-03-05": {"src/b.py": "changed"},
        "2026-03-09": {},
        "2026-12-31": {},
    }


@pytest.mark.parametrize("committed", [True, False])
def test_a_file_that_is_gone_is_missing(started, *, committed: bool) -> None:
    started.write({"src/a.py": None})
    if committed:
        started.commit("2026-03-05")
    assert states(started, "src/a.py") == [FileState("src/a.py", Fate.MISSING)]


def test_a_file_that_never_was_is_missing_unless_it_is_ignored(started) -> None:
    started.commit("2026-03-05", {".gitignore": "built/\n*.log\n"})
    assert fates(started, "src/c.py", "built/app.js", "run.log") == {"src/c.py": "missing"}


def test_a_file_that_git_does_not_track_is_there(started) -> None:
    started.write({"notes.txt": "to do\n"})
    assert fates(started, "notes.txt") == {}


def test_a_file_that_was_made_since_is_no_change(started) -> None:
    started.commit("2026-03-05", {"src/c.py": "c\n"})
    assert fates(started, "src/c.py") == {}


def test_a_file_that_is_only_announced_to_git_is_no_change(started) -> None:
    started.write({"src/c.py": "c\n"})
    started.git("add", "--intent-to-add", "src/c.py")
    assert fates(started, "src/c.py") == {}


def test_a_path_is_taken_however_it_is_written(started) -> None:
    started.commit("2026-03-05", {"src/a.py": "another\n"})
    assert fates(started, "./src/a.py", "src//a.py") == {
        "./src/a.py": "changed",
        "src//a.py": "changed",
    }


@pytest.mark.parametrize(
    "name", ["with space.py", 'a "quoted" one.py', "é/ü.py", "-n.py", ":a.py"]
)
def test_any_name_is_asked_for_as_it_is(repository, name: str) -> None:
    repository.commit("2026-03-01", {name: "a\n"})
    assert fates(repository, name) == {}
    repository.write({name: "another\n"})
    assert fates(repository, name) == {name: "changed"}
    repository.commit("2026-03-05")
    assert fates(repository, name) == {name: "changed"}


def test_a_conflict_that_is_not_resolved_is_a_change(started) -> None:
    started.git("checkout", "--quiet", "-b", "theirs")
    started.commit("2026-03-03", {"src/a.py": "theirs\n"})
    started.git("checkout", "--quiet", "main")
    started.commit("2026-03-04", {"src/a.py": "ours\n"})
    with pytest.raises(subprocess.CalledProcessError):
        started.git("merge", "theirs")
    assert fates(started, "src/a.py", "src/b.py") == {"src/a.py": "changed"}
    assert fates(started, "src/a.py", day="2026-03-04") == {"src/a.py": "changed"}


def test_line_ends_that_git_converts_are_no_change(repository) -> None:
    repository.commit("2026-03-01", {".gitattributes": "*.txt text eol=lf\n", "a.txt": "a\nb\n"})
    (repository.root / "a.txt").write_bytes(b"a\r\nb\r\n")
    assert fates(repository, "a.txt") == {}


# -- many ----------------------------------------------------------------------------------------


def test_the_sixty_first_changed_file_is_found(repository) -> None:
    names = [f"src/file-{number:03}.py" for number in range(150)]
    repository.commit("2026-03-01", dict.fromkeys(names, "a\n"))
    repository.commit("2026-03-05", dict.fromkeys(names[:75], "b\n"))
    repository.write(dict.fromkeys(names[75:], "b\n"))
    assert fates(repository, *names) == dict.fromkeys(names, "changed")
    assert states(repository, "src/*.py") == [FileState("src/*.py", Fate.CHANGED, tuple(names))]


def test_the_number_of_processes_does_not_grow_with_the_files(
    repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"src/file-{number}.py" for number in range(200)]
    for number, name in enumerate(names[:30]):
        repository.commit(f"2026-02-{number % 28 + 1:02}", {name: "a\n"})
    repository.commit("2026-03-01", dict.fromkeys(names, "b\n"))
    repository.write(dict.fromkeys(names[::2], "c\n"))
    repository.write(dict.fromkeys(names[1::8]))
    started: list[str] = []
    real = subprocess.run

    def counted(command, **options):
        started.append(command[4])
        return real(command, **options)

    monkeypatch.setattr(git.subprocess, "run", counted)
    found = compared(
        checkout_at(repository.root),
        [Named(name, f"2026-02-{number % 28 + 1:02}") for number, name in enumerate(names)],
    )
    assert len(found.states) > 25
    assert len(started) < 15


# -- globs and folders ---------------------------------------------------------------------------


def test_a_glob_names_every_file_in_it_that_changed_or_went(started) -> None:
    started.commit("2026-03-05", {"src/a.py": "another\n", "src/c.py": "made since\n"})
    started.write({"src/b.py": None})
    assert states(started, "src/**/*.py", "*.md") == [
        FileState("src/**/*.py", Fate.CHANGED, ("src/a.py", "src/b.py"))
    ]


@pytest.mark.parametrize("name", ["src", "src/", "."])
def test_a_folder_means_what_is_in_it(started, name: str) -> None:
    started.commit("2026-03-05", {"src/a.py": "another\n"})
    assert states(started, name) == [FileState(name, Fate.CHANGED, ("src/a.py",))]


@pytest.mark.parametrize("name", ["src", "src/*.py"])
def test_what_has_no_file_left_is_missing(started, name: str) -> None:
    started.commit("2026-03-05", {"src/a.py": None, "src/b.py": None})
    assert states(started, name) == [FileState(name, Fate.MISSING, ("src/a.py", "src/b.py"))]


def test_a_glob_that_never_meant_anything_tells_nothing(started) -> None:
    assert fates(started, "docs/*.md", "**/*.rs") == {}


def test_a_file_in_the_place_of_which_a_folder_came_is_missing(started) -> None:
    started.write({"src/a.py": None})
    started.commit("2026-03-05", {"src/a.py/inner.py": "c\n"})
    assert fates(started, "src/a.py") == {"src/a.py": "missing"}


# -- renames -------------------------------------------------------------------------------------


def renamed(name: str, now: str) -> list[FileState]:
    return [FileState(name, Fate.RENAMED, now=now)]


def test_a_rename_is_told_with_the_new_path(started) -> None:
    started.git("mv", "moved.py", "src/moved.py")
    started.commit("2026-03-05")
    assert states(started, "moved.py") == renamed("moved.py", "src/moved.py")


def test_a_rename_that_is_only_staged_is_told(started) -> None:
    started.git("mv", "moved.py", "src/moved.py")
    assert states(started, "moved.py") == renamed("moved.py", "src/moved.py")


def test_renames_are_followed_one_after_another(started) -> None:
    for number in range(5):
        old = "moved.py" if number == 0 else f"step/{number - 1}.py"
        (started.root / "step").mkdir(exist_ok=True)
        started.git("mv", old, f"step/{number}.py")
        started.commit(f"2026-03-1{number}", {"src/a.py": f"{number}\n"})
    started.git("mv", "step/4.py", "step/5.py")
    assert states(started, "moved.py") == renamed("moved.py", "step/5.py")


def test_a_file_that_was_rewritten_after_its_rename_is_followed(started) -> None:
    started.git("mv", "moved.py", "src/moved.py")
    started.commit("2026-03-05")
    started.commit("2026-03-06", {"src/moved.py": "nothing of it is left\n"})
    assert states(started, "moved.py") == renamed("moved.py", "src/moved.py")


def test_a_file_that_was_renamed_and_then_deleted_is_missing(started) -> None:
    started.git("mv", "moved.py", "src/moved.py")
    started.commit("2026-03-05")
    started.commit("2026-03-06", {"src/moved.py": None})
    assert fates(started, "moved.py") == {"moved.py": "missing"}


def test_a_change_under_an_earlier_name_is_found(started) -> None:
    started.git("mv", "moved.py", "src/moved.py")
    started.commit("2026-03-05")
    assert fates(started, "src/moved.py") == {}
    started.commit("2026-03-06", {"src/moved.py": TEXT + "and one more\n"})
    assert fates(started, "src/moved.py") == {"src/moved.py": "changed"}
    started.git("mv", "src/moved.py", "src/again.py")
    assert fates(started, "src/again.py") == {"src/again.py": "changed"}


def test_a_rename_that_a_merge_brought_is_told(started) -> None:
    started.git("checkout", "--quiet", "-b", "topic")
    started.git("mv", "moved.py", "src/moved.py")
    started.commit("2026-03-03")
    started.git("checkout", "--quiet", "main")
    started.commit("2026-03-04", {"src/b.py": "another\n"})
    started.git("merge", "--quiet", "--no-edit", "topic", day="2026-03-05")
    assert states(started, "moved.py") == renamed("moved.py", "src/moved.py")


# -- which commit --------------------------------------------------------------------------------


def test_what_stood_on_another_branch_on_the_day_is_not_what_was_here(started) -> None:
    started.git("checkout", "--quiet", "-b", "topic")
    started.commit("2026-03-02", {"src/a.py": "another\n"})
    started.git("checkout", "--quiet", "main")
    started.commit("2026-03-04", {"src/b.py": "another\n"})
    started.git("merge", "--quiet", "--no-edit", "topic", day="2026-03-05")
    assert fates(started, "src/a.py") == {"src/a.py": "changed"}


def test_clocks_that_disagree_let_the_nearest_commit_of_the_day_count(started) -> None:
    started.commit("2026-03-20", {"src/a.py": "another\n"})
    started.commit("2026-03-01", {"src/b.py": "another\n"})
    assert fates(started, "src/a.py", "src/b.py") == {}


def test_of_days_before_the_first_commit_nothing_is_known(started) -> None:
    started.commit("2026-03-05", {"src/a.py": "another\n", "src/b.py": None})
    found = comparison(started.root, "src/a.py", "src/b.py", day="2026-02-27")
    assert found.unknown_days == {"2026-02-27"}
    assert [(key.path, state.fate) for key, state in found.states.items()] == [
        ("src/b.py", Fate.MISSING)
    ]


# -- kinds of checkouts --------------------------------------------------------------------------


def test_a_linked_worktree_is_compared_by_itself(started) -> None:
    started.git("worktree", "add", "--quiet", "-b", "other", "../other")
    other = type(started)(started.root.parent / "other")
    other.write({"src/a.py": "another\n"})
    assert fates(other, "src/a.py") == {"src/a.py": "changed"}
    assert fates(started, "src/a.py") == {}


def test_a_folder_below_the_top_stands_for_the_whole_checkout(started) -> None:
    started.write({"src/a.py": "another\n"})
    assert list(comparison(started.root / "src", "src/a.py").states)


def test_submodules_are_passed_over(started, new_repository: Callable[..., object]) -> None:
    inner = new_repository("inner")
    inner.commit("2026-02-01", {"lib.c": "int x;\n"})
    started.git("submodule", "--quiet", "add", str(inner.root), "vendor/inner")
    started.commit("2026-03-01")
    started.write({"vendor/inner/lib.c": "int y;\n"})
    assert fates(started, "vendor/inner", "vendor/inner/lib.c", "vendor/inner/nothing.c") == {}
    assert fates(started, "vendor/**", "vendor") == {}


def test_links_are_not_followed(started, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret.txt").write_text("one\n")
    (started.root / "link.txt").symlink_to(tmp_path / "outside/secret.txt")
    (started.root / "folder").symlink_to(tmp_path / "outside")
    started.commit("2026-03-01")
    (tmp_path / "outside/secret.txt").write_text("two\n")
    names = ("link.txt", "folder", "folder/secret.txt", "folder/nothing.txt")
    assert fates(started, *names) == {}
    (started.root / "link.txt").unlink()
    (started.root / "link.txt").symlink_to("src/a.py")
    assert fates(started, *names) == {"link.txt": "changed"}


def test_a_link_in_the_place_of_a_file_is_a_change(started, tmp_path: Path) -> None:
    (tmp_path / "outside.txt").write_text("a\n")
    (started.root / "src/a.py").unlink()
    (started.root / "src/a.py").symlink_to(tmp_path / "outside.txt")
    assert fates(started, "src/a.py") == {"src/a.py": "changed"}


def test_a_shallow_clone_tells_of_what_it_has(started, tmp_path: Path) -> None:
    started.commit("2026-03-05", {"src/a.py": "another\n"})
    started.commit("2026-03-09", {"src/b.py": "another\n"})
    source = f"file://{started.root}"
    started.git("clone", "--quiet", "--depth=2", source, str(tmp_path / "shallow"))
    checkout = checkout_at(tmp_path / "shallow")
    days = ["2026-03-02", "2026-03-05"]
    found = compared(checkout, [Named(f"src/{n}.py", day) for n in "ab" for day in days])
    assert checkout.shallow
    assert found.unknown_days == {"2026-03-02"}
    assert list(found.states) == [Named("src/b.py", "2026-03-05")]


def test_a_partial_clone_is_read_without_its_origin(started, tmp_path: Path) -> None:
    started.git("config", "uploadpack.allowFilter", "true")
    started.git("mv", "moved.py", "src/moved.py")
    started.commit("2026-03-05", {"src/a.py": "another\n"})
    started.commit("2026-03-06", {"src/a.py": "a third\n", "src/b.py": None})
    partial = type(started)(tmp_path / "partial")
    source = f"file://{started.root}"
    started.git("clone", "--quiet", "--filter=blob:none", source, str(partial.root))
    started.root.rename(tmp_path / "away")
    assert checkout_at(partial.root).partial
    assert fates(partial, "src/a.py", "src/b.py", "moved.py", "src/moved.py") == {
        "src/a.py": "changed",
        "src/b.py": "missing",
        "moved.py": "missing",
    }
    assert Glance(lambda: partial.root, patience=None).look([Named("src/a.py", DAY)]).fates == {}


def test_before_the_first_commit_only_what_is_missing_is_told(repository) -> None:
    repository.write({"src/a.py": "a\n"})
    assert fates(repository, "src/a.py", "src/b.py") == {"src/b.py": "missing"}
    assert checkout_at(repository.root).head is None


def test_another_hash_function_serves_too(new_repository: Callable[..., object]) -> None:
    modern = new_repository("modern", "--object-format=sha256")
    (modern.root / "link").symlink_to("a.py")
    modern.commit("2026-03-01", {"a.py": "a\n"})
    os.utime(modern.root / "link", (1, 1), follow_symlinks=False)
    assert fates(modern, "a.py", "link") == {}
    modern.write({"a.py": "b\n"})
    assert fates(modern, "a.py", "link") == {"a.py": "changed"}


def test_a_folder_in_no_repository_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as refused:
        checkout_at(tmp_path)
    assert str(refused.value) == (
        f"'{tmp_path}' is in no checkout of git; name the project's repository"
    )


def test_a_repository_without_files_is_named(new_repository: Callable[..., object]) -> None:
    bare = new_repository("bare", "--bare")
    with pytest.raises(InvalidInput) as refused:
        checkout_at(bare.root)
    assert str(refused.value) == (
        f"'{bare.root}' is in a repository without a work tree; name a checkout of it"
    )


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as refused:
        checkout_at(tmp_path / "nowhere")
    assert str(refused.value) == (
        f"git cannot read '{tmp_path}/nowhere' (cannot change to '{tmp_path}/nowhere': "
        "No such file or directory); see what `git status` says there"
    )


def test_a_machine_without_git_is_told(started, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InvalidInput) as refused:
        checkout_at(started.root)
    assert str(refused.value) == "git cannot be run (no such file or directory); install it"


def test_the_index_is_not_written(started) -> None:
    os.utime(started.root / "src/a.py", (1, 1))
    before = (started.root / ".git/index").read_bytes()
    assert fates(started, "src/a.py") == {}
    assert (started.root / ".git/index").read_bytes() == before
    assert not (started.root / ".git/index.lock").exists()


# -- against what git itself says ----------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_random_histories_are_told_as_git_tells_them(repository, seed: int) -> None:
    chance = random.Random(seed)
    names = [f"{folder}/{number}" for folder in ("one", "two/deep") for number in range(4)]
    for day in range(1, 25):
        some = {name: f"{chance.randrange(3)}\n" for name in chance.sample(names, 2)}
        there = [name for name in names if (repository.root / name).exists()]
        gone = dict.fromkeys(name for name in there if name not in some and chance.random() < 0.1)
        repository.commit(f"2026-03-{day:02}", {**some, **gone})
    repository.write({names[0]: "work in progress\n"})
    days = [f"2026-03-{day:02}" for day in range(1, 25, 3)]
    named = [Named(name, day) for name in names for day in days]
    found = compared(checkout_at(repository.root), named).states
    told = {key: state.fate for key, state in found.items() if state.fate is not Fate.RENAMED}
    moved = {key for key, state in found.items() if state.fate is Fate.RENAMED}
    wanted = {key: _fate(repository, key) for key in named if key not in moved}
    new = {key for key in named if key not in moved and _was(repository, key) is None}
    assert {key: fate for key, fate in told.items() if key not in new} == {
        key: fate for key, fate in wanted.items() if fate and key not in new
    }


def _was(repository, named: Named) -> str | None:
    end = f"--before={named.day}T23:59:59Z"
    commit = repository.git("rev-list", "-1", "--first-parent", end, "HEAD")
    found = repository.git("ls-tree", commit, named.path)
    return found.split()[2] if found else None


def _fate(repository, named: Named) -> Fate | None:
    if not (repository.root / named.path).exists():
        return Fate.MISSING
    same = repository.git("hash-object", named.path) == _was(repository, named)
    return None if same else Fate.CHANGED
