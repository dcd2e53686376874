"""Where the index of a project is kept between processes.

Nothing here loads the index itself before one is read or written.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from project_memory.ports import Reader

if TYPE_CHECKING:
    from project_memory.index import Index

WORTH = 10
"""An index of fewer memories is built about as fast as it is read and written."""


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

    def is_of_this_store(told: Mapping[str, Any]) -> bool:
        return told == origin(reader, project, int(told["revision"]))

    try:
        registry = reader.registry(project)
        return snapshot.load(place(reader, project, "index"), registry, is_of_this_store)
    except OSError:
        return None


def save(reader: Reader, project: int, index: Index) -> None:
    """Keep an index; where it cannot be written, nothing is kept."""
    from project_memory.index import snapshot  # noqa: PLC0415  # numpy

    told = origin(reader, project, index.revision)
    if told is not None:
        with suppress(OSError):
            snapshot.save(index, place(reader, project, "index"), told)


def findings(reader: Reader, project: int) -> list[str]:
    """Return what is wrong with the index that is kept, with its remedy; nothing if none is."""
    from project_memory.index import arrayfile  # noqa: PLC0415  # numpy

    path = place(reader, project, "index")
    try:
        if path.exists():
            arrayfile.read(path)
    except (arrayfile.Damaged, KeyError, ValueError, TypeError):
        return [f"'{path}' is damaged; remove it, it is written anew"]
    except OSError as error:
        reason = str(error.strerror).lower()
        return [f"'{path}' cannot be read ({reason}); remove it, it is written anew"]
    return []


def remove(reader: Reader, project: int) -> None:
    """Remove what is kept of a project, and what a killed process left half written."""
    for kind in ("index", "words"):
        path = place(reader, project, kind)
        with suppress(OSError):
            for each in (path, *path.parent.glob(f".{path.name}.*")):
                each.unlink(missing_ok=True)


def place(reader: Reader, project: int, kind: str) -> Path:
    """Return the file of a project, `kind` being index or words."""
    return folder() / f"{reader.store_id()}-{project}.{kind}"


def origin(reader: Reader, project: int, revision: int) -> Mapping[str, Any] | None:
    """Return what a file that is kept tells of its store; None if the revision is not there."""
    found = reader.mark(project, revision)
    if found is None:
        return None
    return {
        "store": reader.store_id(),
        "project": project,
        "revision": revision,
        "mark": found,
    }
