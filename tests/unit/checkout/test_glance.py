"""Files of an answer are looked at in passing, and no answer waits for long."""

from __future__ import annotations

import os
import subprocess
import threading
from pathlib import Path

import pytest

from project_memory.checkout import git
from project_memory.checkout.glance import Glance
from project_memory.staleness import Fate, Named

DAY = "2026-03-02"


@pytest.fixture
def started(repository):
    """Return a repository with two files committed on March 1."""
    repository.commit("2026-03-01", {"src/a.py": "a\n", "src/b.py": "b\n"})
    return repository


@pytest.fixture
def glance(started) -> Glance:
    return Glance(lambda: started.root / "src", patience=None)


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the git commands that are run from here on."""
    started: list[str] = []
    real = subprocess.Popen

    class Counted(real):
        def __init__(self, command, **options):
            started.append(command[command.index("-C") + 2])
            super().__init__(command, **options)

    monkeypatch.setattr(git.subprocess, "Popen", Counted)
    return started


def fates(glance: Glance, *names: str, day: str = DAY) -> dict[str, str]:
    found = glance.look([Named(name, day) for name in names]).fates
    return {named.path: fate.value for named, fate in found.items()}


def test_what_is_as_it_was_has_no_fate(glance: Glance) -> None:
    assert fates(glance, "src/a.py", "./src/b.py", "src", "src/*.py", "nothing.py") == {}


def test_changes_are_seen_whether_committed_or_not(glance: Glance, started) -> None:
    started.commit("2026-03-05", {"src/a.py": "another\n"})
    started.write({"src/b.py": "another\n"})
    assert fates(glance, "src/a.py", "src/b.py") == {"src/a.py": "changed", "src/b.py": "changed"}
    assert fates(glance, "src/a.py", "src/b.py", day="2026-03-05") == {"src/b.py": "changed"}


def test_each_commit_and_each_edit_is_seen_by_the_next_answer(glance: Glance, started) -> None:
    assert fates(glance, "src/a.py") == {}
    started.write({"src/a.py": "another one\n"})
    assert fates(glance, "src/a.py") == {"src/a.py": "changed"}
    started.write({"src/a.py": "a\n"})
    assert fates(glance, "src/a.py") == {}
    started.commit("2026-03-05", {"src/a.py": "a third\n"})
    assert fates(glance, "src/a.py") == {"src/a.py": "changed"}
    assert fates(glance, "src/a.py", day="2026-03-05") == {}
    started.git("checkout", "--quiet", "--detach", "HEAD~1")
    assert fates(glance, "src/a.py") == {}


def test_what_is_gone_is_missing_once_it_is_committed(glance: Glance, started) -> None:
    started.write({"src/a.py": None})
    assert fates(glance, "src/a.py") == {}  # a sparse checkout looks the same
    started.commit("2026-03-05")
    assert fates(glance, "src/a.py") == {"src/a.py": "missing"}


def test_links_are_not_followed(glance: Glance, started, tmp_path: Path) -> None:
    (tmp_path / "outside.txt").write_text("one\n")
    (started.root / "link").symlink_to(tmp_path / "outside.txt")
    started.commit("2026-03-01")
    assert fates(glance, "link") == {}
    (tmp_path / "outside.txt").write_text("two\n")
    assert fates(glance, "link") == {}


def test_a_second_look_runs_no_process(glance: Glance, started, processes: list[str]) -> None:
    started.write({"src/b.py": "another\n"})
    first = fates(glance, "src/a.py", "src/b.py")
    assert processes
    processes.clear()
    assert fates(glance, "src/a.py", "src/b.py") == first == {"src/b.py": "changed"}
    assert processes == []


def test_what_was_prepared_needs_two_processes_more(glance: Glance, processes: list[str]) -> None:
    glance.prepare()
    fates(glance)
    with glance._lock:
        processes.clear()
    fates(glance, "src/a.py", "src/b.py")
    assert processes == ["cat-file", "hash-object"]


def test_no_answer_waits_longer_than_it_wants(started) -> None:
    began, go_on = threading.Event(), threading.Event()

    def slow() -> Path:
        began.set()
        go_on.wait(30)
        return started.root

    glance = Glance(slow, patience=0.01)
    started.write({"src/a.py": "another\n"})
    assert fates(glance, "src/a.py") == {}
    assert began.is_set()
    go_on.set()
    glance._patience = None
    assert fates(glance, "src/a.py") == {"src/a.py": "changed"}


@pytest.mark.parametrize("place", ["none", "no repository", "no such folder", "bare"])
def test_where_there_is_no_checkout_nothing_is_told(
    tmp_path: Path, new_repository, place: str
) -> None:
    found = {
        "none": None,
        "no repository": tmp_path,
        "no such folder": tmp_path / "nowhere",
        "bare": new_repository("bare", "--bare").root,
    }[place]
    asked: list[None] = []

    def find() -> Path | None:
        asked.append(None)
        return found

    glance = Glance(find, patience=None)
    assert [fates(glance, "a.py"), fates(glance, "a.py")] == [{}, {}]
    assert len(asked) == 1


def test_before_the_first_commit_nothing_is_told(repository) -> None:
    repository.write({"a.py": "a\n"})
    assert fates(Glance(lambda: repository.root, patience=None), "a.py", "b.py") == {}


def test_a_linked_worktree_is_looked_at_by_itself(started) -> None:
    started.git("worktree", "add", "--quiet", "-b", "other", "../other")
    other = type(started)(started.root.parent / "other")
    glance = Glance(lambda: other.root, patience=None)
    assert fates(glance, "src/a.py") == {}
    other.commit("2026-03-05", {"src/a.py": "another\n"})
    assert fates(glance, "src/a.py") == {"src/a.py": "changed"}


def test_many_may_ask_at_once(glance: Glance, started) -> None:
    started.write({"src/a.py": "another\n"})
    found: list[dict[str, str]] = []
    threads = [
        threading.Thread(target=lambda: found.append(fates(glance, "src/a.py", "src/b.py")))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [{"src/a.py": Fate.CHANGED.value}] * 8


def test_a_file_that_was_only_touched_is_the_same(glance: Glance, started) -> None:
    os.utime(started.root / "src/a.py", (1, 1))
    assert fates(glance, "src/a.py") == {}


def messages(glance: Glance, *checks: dict[str, str]) -> list[str]:
    seen = glance.look(checks={"first": checks, "second": ()})
    assert seen.verdicts.keys() <= {"first"}
    return [verdict.message for verdict in seen.verdicts.get("first", ())]


def test_checks_are_made_as_files_are_now(glance: Glance, started) -> None:
    check = {"type": "text_present", "path": "src/a.py", "text": "a"}
    assert messages(glance, check) == []
    started.write({"src/a.py": "b\n"})
    assert messages(glance, check) == ["'src/a.py' does not hold 'a'"]
    started.write({"src/a.py": "a\n"})
    assert messages(glance, check) == []


def test_a_glob_means_what_git_tracks_by_the_time_of_the_answer(glance: Glance, started) -> None:
    check = {"type": "file_absent", "path": "src/c*"}
    started.write({"src/c.py": "c\n"})
    assert messages(glance, check) == []
    started.git("add", "--all")
    assert messages(glance, check) == ["'src/c.py' is there, and 'src/c*' means it"]


def test_what_git_tracks_is_read_once(
    glance: Glance, started, processes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    check = {"type": "file_absent", "path": "src/*.py"}
    assert messages(glance, check) == messages(glance, check)
    assert processes.count("ls-files") == 1


def test_a_glob_that_means_many_files_is_not_looked_at_in_passing(
    glance: Glance, started, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("project_memory.checkout.glance.MOST_MATCHES", 1)
    check = {"type": "text_absent", "path": "src/*.py", "text": "a"}
    assert messages(glance, check) == ["'src/*.py' matches more than 1 files"]


def test_checks_need_no_past(started, tmp_path: Path) -> None:
    started.git("config", "uploadpack.allowFilter", "true")
    place = tmp_path / "partial"
    started.git("clone", "--quiet", "--filter=blob:none", f"file://{started.root}", str(place))
    glance = Glance(lambda: place, patience=None)
    assert fates(glance, "src/a.py") == {}
    assert messages(glance, {"type": "file_exists", "path": "x"}) == ["'x' is not there"]


def test_checks_where_there_is_no_checkout_are_not_made(tmp_path: Path) -> None:
    glance = Glance(lambda: tmp_path, patience=None)
    assert messages(glance, {"type": "file_exists", "path": "x"}) == []
