"""Open the store when it is first needed, once, for all worker threads."""

from __future__ import annotations

from threading import Lock

from project_memory.app import ProjectMemory
from project_memory.model import Actor


class Opening:
    """A project that opens itself when it is called for."""

    def __init__(self, store_url: str | None, project: str, actor: Actor) -> None:
        self.project = project
        self._store_url = store_url
        self._actor = actor
        self._lock = Lock()
        self._opened: ProjectMemory | None = None

    def __call__(self) -> ProjectMemory:
        """Return the opened project; an attempt that failed is made again by the next call.

        Raises:
            NotFound: there is no such store or project.
            StorageError: the store cannot be read.
        """
        with self._lock:
            if self._opened is None:
                self._opened = ProjectMemory.open(
                    self._store_url, project=self.project, actor=self._actor
                )
            return self._opened

    def close(self) -> None:
        """Release the store."""
        with self._lock:
            if self._opened is not None:
                self._opened.close()
