"""Every test that takes `back_end` or `storage` runs over each back end.

A further back end needs one entry in `_BACK_ENDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from project_memory.model import Project
from project_memory.ports import Storage
from project_memory.storage import open_storage

Open = Callable[..., Storage]
"""Opens the same store again; takes `busy_timeout`."""


def _sqlite(folder: Path) -> Open:
    path = str(folder / "memory.db")
    return lambda **options: open_storage(path, create=True, **options)


def _in_memory(folder: Path) -> Open:
    # Its contents are the object's own, so every opening is the same object, as first opened.
    opened: list[Storage] = []

    def open_once(**options: float) -> Storage:
        if not opened:
            opened.append(open_storage("inmemory://", create=True, **options))
        return opened[0]

    return open_once


_BACK_ENDS = {"sqlite": _sqlite, "inmemory": _in_memory}


@pytest.fixture(params=sorted(_BACK_ENDS))
def back_end(request, tmp_path) -> Iterator[Open]:
    """Return what opens one empty store, and close all that it opened."""
    opened: list[Storage] = []
    opener = _BACK_ENDS[request.param](tmp_path)

    def opening(**options: float) -> Storage:
        opened.append(opener(**options))
        return opened[-1]

    yield opening
    for storage in opened:
        storage.close()


@pytest.fixture
def storage(back_end: Open) -> Storage:
    """Return an empty store."""
    return back_end()


@pytest.fixture
def project(storage: Storage) -> Project:
    """Return a project of that store."""
    with storage.write() as writer:
        return writer.put_project("demo")
