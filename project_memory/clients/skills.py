"""Copy the packaged skills to where a client looks for them."""

from __future__ import annotations

import shutil
from pathlib import Path

from project_memory import resources
from project_memory.errors import InvalidInput


def names() -> list[str]:
    """Return the names of the packaged skills, sorted."""
    return sorted(p.parent.name for p in (resources.data_root() / "skills").glob("*/SKILL.md"))


def install(folder: Path) -> dict[str, str]:
    """Copy every packaged skill into `folder`; return name -> added, refreshed or unchanged.

    Folders of other skills are left alone. Running it again refreshes the copies.

    Raises:
        InvalidInput: the folder cannot be written.
    """
    try:
        return {name: _install_one(name, folder / name) for name in names()}
    except OSError as error:
        raise InvalidInput(
            f"cannot write skills to '{folder}' ({error.strerror}); "
            "choose another folder with --dest"
        ) from error


def planned(folder: Path) -> dict[str, str]:
    """Return what `install` would, and copy nothing."""
    return {name: _change(name, folder / name) for name in names()}


def outdated(folder: Path) -> list[str]:
    """Return the names of packaged skills whose copy in `folder` differs, sorted.

    A skill that was never copied there is not named.
    """
    return [
        name
        for name in names()
        if (folder / name).is_dir() and not _equal(_source(name), folder / name)
    ]


def _source(name: str) -> Path:
    return resources.data_root() / "skills" / name


def _install_one(name: str, target: Path) -> str:
    change = _change(name, target)
    if change != "unchanged":
        shutil.copytree(_source(name), target, dirs_exist_ok=True)
    return change


def _change(name: str, target: Path) -> str:
    if target.is_dir() and _equal(_source(name), target):
        return "unchanged"
    return "refreshed" if target.exists() else "added"


def _equal(source: Path, target: Path) -> bool:
    files = [path for path in source.rglob("*") if path.is_file()]
    copies = [target / path.relative_to(source) for path in files]
    return all(
        copy.is_file() and copy.read_bytes() == path.read_bytes()
        for path, copy in zip(files, copies, strict=True)
    )
