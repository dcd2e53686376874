"""Every test that takes `back_end` or `storage` runs over each back end.

A further back end needs one entry in `_BACK_ENDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from project_memory.model import Project
from project_memory.ports import Storage
from project_memory.storage import open_storage

Open = Callable[..., Storage]
"""Opens the same store again; takes `busy_timeout`."""

Empty = Callable[[], Open]
"""Makes room for an empty store, and returns what opens it."""


def _postgres(request: pytest.FixtureRequest) -> Empty:
    empty = request.getfixturevalue("postgres")
    return lambda: _at(empty())


def _sqlite(request: pytest.FixtureRequest) -> Empty:
    folder: Path = request.getfixturevalue("tmp_path")
    numbers = count()
    return lambda: _at(str(folder / f"memory-{next(numbers)}.db"))


def _in_memory(request: pytest.FixtureRequest) -> Empty:
    return _of_one_object


def _at(url: str) -> Open:
    return lambda **options: open_storage(url, create=True, **options)


def _of_one_object() -> Open:
    # Its contents are the object's own, so every opening is the same object, as first opened.
    opened: list[Storage] = []

    def open_once(**options: float) -> Storage:
        if not opened:
            opened.append(open_storage("inmemory://", create=True, **options))
        return opened[0]

    return open_once


_BACK_ENDS = {"sqlite": _sqlite, "inmemory": _in_memory, "postgres": _postgres}


@pytest.fixture(params=sorted(_BACK_ENDS))
def empty(request) -> Empty:
    """Return what makes room for an empty store, in the place of the one before."""
    return _BACK_ENDS[request.param](request)


@pytest.fixture
def back_end(empty: Empty) -> Iterator[Open]:
    """Return what opens one empty store, and close all that it opened."""
    opened: list[Storage] = []
    opener = empty()

    def opening(**options: float) -> Storage:
        opened.append(opener(**options))
        return opened[-1]

    yield opening
    for storage in opened:
        storage.close()


@pytest.fixture
def fresh(empty: Empty) -> Callable[[], Storage]:
    """Return what opens an empty store, which the caller closes before it asks for the next."""

    def opened() -> Storage:
        return empty()()

    return opened


@pytest.fixture
def storage(back_end: Open) -> Storage:
    """Return an empty store."""
    return back_end()


@pytest.fixture
def project(storage: Storage) -> Project:
    """Return a project of that store."""
    with storage.write() as writer:
        return writer.put_project("demo")
