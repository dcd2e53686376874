"""Where the memories come from: a project that is opened when it is first needed."""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import Protocol

from project_memory.app import ProjectMemory
from project_memory.errors import NotFound, StorageError
from project_memory.model import Actor

_PATIENCE = 0.02
"""Seconds that an answer waits for git; what comes too late is known to the next answer."""


class Source(Protocol):
    """A project to serve; may be asked by any thread.

    Attributes:
        remote: Whether who asks is elsewhere, and learns nothing of where the store is.
    """

    remote: bool

    @property
    def project(self) -> str:
        """Return the name or repository id by which it was asked for."""
        ...

    def __call__(self) -> ProjectMemory:
        """Return the opened project.

        Raises:
            NotFound: there is no such store or project.
            StorageError: the store cannot be read.
        """
        ...


class OpenSource:
    """A project that is open already, for who asks over a network."""

    remote = True

    def __init__(self, opened: ProjectMemory) -> None:
        self._opened = opened
        self.project = opened.project

    def __call__(self) -> ProjectMemory:
        """See `Source.__call__`."""
        return self._opened


class LazySource:
    """A project that opens itself once; an attempt that failed is made again by the next call."""

    remote = False

    def __init__(self, store_url: str | None, project: str, actor: Actor) -> None:
        self.project = project
        self._store_url = store_url
        self._actor = actor
        self._lock = Lock()
        self._opened: ProjectMemory | None = None

    def __call__(self) -> ProjectMemory:
        """See `Source.__call__`."""
        with self._lock:
            if self._opened is None:
                self._opened = self._open()
            return self._opened

    def close(self) -> None:
        """Release the store; idempotent."""
        with self._lock:
            if self._opened is not None:
                self._opened.close()
                self._opened = None

    def _open(self) -> ProjectMemory:
        try:
            opened = ProjectMemory.open(self._store_url, project=self.project, actor=self._actor)
        except (NotFound, StorageError) as error:
            error.add_note("a store that cannot be read is not an empty one: tell the person")
            raise
        opened.look_at(Path(), patience=_PATIENCE)
        opened.follow()
        return opened
