"""Where the index of a project is kept between processes.

Nothing here loads the index itself before one is read or written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from project_memory.ports import Reader

if TYPE_CHECKING:
    from project_memory.index import Index

WORTH = 200
"""An index of fewer memories is built about as fast as it is read."""


def folder() -> Path:
    """Return the folder of all snapshots of this user."""
    import platformdirs  # noqa: PLC0415  # only who asks to rank needs it

    return Path(platformdirs.user_cache_dir("project-memory", appauthor=False)) / "index"


def load(reader: Reader, project: int) -> Index | None:
    """Return the index that was kept, of this or an earlier revision; None where there is none.

    A file of another store, of a revision that this store does not have, or one that is damaged
    counts for none.
    """
    from project_memory.index import snapshot  # noqa: PLC0415  # numpy

    path = _path(reader, project)
    try:
        told = snapshot.origin(path)
        if told is None or told != _origin(reader, project, int(told["revision"])):
            return None
        return snapshot.load(path, reader.registry(project), int(told["revision"]))
    except (OSError, KeyError, ValueError, TypeError):
        return None


def save(reader: Reader, project: int, index: Index) -> None:
    """Keep an index; where it cannot be written, nothing is kept."""
    from project_memory.index import snapshot  # noqa: PLC0415  # numpy

    told = _origin(reader, project, index.revision)
    if told is not None:
        with suppress(OSError):
            snapshot.save(index, _path(reader, project), told)


def remove(reader: Reader, project: int) -> None:
    """Remove what is kept of a project."""
    with suppress(OSError):
        _path(reader, project).unlink(missing_ok=True)


def _path(reader: Reader, project: int) -> Path:
    return folder() / f"{reader.store_id()}-{project}.index"


def _origin(reader: Reader, project: int, revision: int) -> Mapping[str, Any] | None:
    """Return what tells a revision from every other; None where the project has no such one.

    A store that was restored from a backup may have another revision of the same number.
    """
    found = next(reader.revisions(project, after=revision - 1, limit=1), None)
    if found is None or found.number != revision:
        return None
    told = (found.time, found.actor.name, found.operation, str(len(found.changes)))
    return {
        "store": reader.store_id(),
        "project": project,
        "revision": revision,
        "digest": hashlib.sha256("\n".join(told).encode()).hexdigest(),
    }
