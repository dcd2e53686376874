"""Asking git about a folder is about that folder, and starts nothing that a repository names."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from repositories import Repository

from project_memory.checkout import calling, git
from project_memory.checkout.identity import project_identity
from project_memory.checkout.staged import staged
from project_memory.checkout.worktree import worktree
from project_memory.errors import InvalidInput


@pytest.fixture
def other(
    new_repository: Callable[..., Repository], monkeypatch: pytest.MonkeyPatch
) -> Repository:
    """Return another repository, which the environment names as a hook's does."""
    made = new_repository("other")
    made.git("remote", "add", "origin", "git@example.org:acme/other.git")
    made.commit("2026-01-01", {"theirs.py": "1\n"})
    monkeypatch.setenv("GIT_DIR", str(made.root / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(made.root))
    monkeypatch.setenv("GIT_INDEX_FILE", str(made.root / ".git/index"))
    return made


@pytest.fixture
def monitored(repository: Repository, tmp_path: Path) -> Path:
    """Return what appears if git starts the monitor that a repository names."""
    repository.commit("2026-01-01", {"store/memories/a.json": "{}", "a.py": "1\n"})
    started = tmp_path / "started"
    monitor = tmp_path / "monitor"
    monitor.write_text(f"#!/bin/sh\ntouch '{started}'\n")
    monitor.chmod(0o755)
    repository.git("config", "core.fsmonitor", str(monitor))
    repository.git("status")
    assert started.exists()
    started.unlink()
    return started


def test_the_folder_says_which_repository_is_meant(
    repository: Repository, other: Repository
) -> None:
    assert git.checkout_at(repository.root).root == repository.root.resolve()
    assert project_identity(repository.root).id.startswith("local:repository:")


def test_no_monitor_that_a_repository_names_is_started(
    repository: Repository, monitored: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worktree(git.checkout_at(repository.root))
    project_identity(repository.root)
    monkeypatch.chdir(repository.root)
    assert list(staged(Path("store"), lambda _name: True).files) == ["memories/a.json"]
    assert not monitored.exists()


def test_a_folder_that_looks_like_a_repository_within_a_clone_is_none(
    new_repository: Callable[..., Repository],
) -> None:
    inner = new_repository("inner", "--bare")
    inner.git("remote", "add", "origin", "git@example.org:acme/shop.git")
    assert project_identity(inner.root).id.startswith("local:inner:")
    with pytest.raises(InvalidInput) as caught:
        git.checkout_at(inner.root)
    assert str(caught.value) == (
        f"'{inner.root}' is in a repository without a work tree; name a checkout of it"
    )


def test_no_transport_is_allowed() -> None:
    environment = calling.environment()
    assert environment["GIT_ALLOW_PROTOCOL"] == "none"
    assert environment["PATH"] == os.environ["PATH"]


@pytest.mark.parametrize(
    ("stderr", "why"),
    [
        (b"warning: one\nfatal: no such thing\nhint: two\n", "no such thing"),
        (b"12:00:01 git.c:460 trace: built-in\nerror: bad index\n", "error: bad index"),
        (b"one\ntwo\n", "one"),
        (b"", "no reason given"),
    ],
)
def test_of_what_git_wrote_the_failure_is_told(stderr: bytes, why: str) -> None:
    assert calling.failure(stderr) == why
