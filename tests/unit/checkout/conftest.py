"""Repositories of git for tests of checkouts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from repositories import Repository


@pytest.fixture
def new_repository(tmp_path: Path) -> Callable[..., Repository]:
    """Return what makes an empty repository of a name."""

    def made(name: str = "repository", *options: str) -> Repository:
        repository = Repository(tmp_path / name)
        repository.root.mkdir()
        repository.git("init", "--quiet", "--initial-branch=main", *options)
        return repository

    return made


@pytest.fixture
def repository(new_repository: Callable[..., Repository]) -> Repository:
    """Return an empty repository."""
    return new_repository()
