"""What a store and a folder agreed on when they were last synchronised, kept in the folder.

It is true of one store and one clone only, so a ``.gitignore`` beside it keeps it out of git.
Where it is lost, nothing else is: what differs then is a conflict instead of one side's change.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from project_memory.errors import StorageError
from project_memory.exchange import writing

FOLDER = ".sync"
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Agreed:
    """The last agreement.

    Attributes:
        documents: Id -> digest of the document with what stands beside it.
        labels: Label -> digest.
        expectations: Id -> digest.
    """

    documents: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    expectations: dict[str, str] = field(default_factory=dict)


def read(path: Path, store: str, project: str) -> Agreed:
    """Return what a project of a store and a folder agreed on; nothing where that is not known."""
    try:
        value = json.loads(_file(path, store).read_text(encoding="utf-8"))
        kept = value["projects"][project] if value["version"] == _VERSION else {}
        return Agreed(**{name: dict(each) for name, each in kept.items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Agreed()


def write(path: Path, store: str, project: str, agreed: Agreed) -> None:
    """Keep what a project of a store and a folder agree on.

    Raises:
        StorageError: it cannot be written.
    """
    try:
        (path / FOLDER).mkdir(parents=True, exist_ok=True)
        writing.replace(path / FOLDER / ".gitignore", "*\n", mode=0o644)
        projects: dict[str, Any] = {**_projects(path, store), project: asdict(agreed)}
        value = {"version": _VERSION, "projects": projects}
        writing.replace(_file(path, store), json.dumps(value, indent=1) + "\n", mode=0o600)
    except OSError as error:
        raise StorageError(f"cannot write '{error.filename}' ({error.strerror})") from error


def _projects(path: Path, store: str) -> dict[str, Any]:
    try:
        return dict(json.loads(_file(path, store).read_text(encoding="utf-8"))["projects"])
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _file(path: Path, store: str) -> Path:
    return path / FOLDER / f"{store[:32]}.json"
