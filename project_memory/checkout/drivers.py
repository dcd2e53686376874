"""Let git merge and compare the folder of lessons document by document."""

from __future__ import annotations

from pathlib import Path

from project_memory.checkout import git
from project_memory.errors import InvalidInput

NAME = "project-memory"
_SETTINGS = {
    "merge.project-memory.name": "lessons, field by field",
    "merge.project-memory.driver": "{command} git-merge %O %A %B %P",
    "diff.project-memory.textconv": "{command} git-textconv",
}


def install(root: Path, folder: str, command: str, *, dry_run: bool) -> dict[str, str]:
    """Tell git how to merge and compare a folder; return file -> added, updated or unchanged.

    The attributes are of the repository and can be committed; the settings are of this clone.

    Args:
        root: The top of the checkout.
        folder: Relative to it, with ``/``.
        command: What starts this program, as a shell reads it.
        dry_run: Whether only to say what would change.

    Raises:
        InvalidInput: git is missing, or a file cannot be read or written.
    """
    settings = {name: value.format(command=command) for name, value in _SETTINGS.items()}
    return {
        ".gitattributes": _attributes(root / ".gitattributes", _lines(folder), dry_run=dry_run),
        ".git/config": _config(root, settings, dry_run=dry_run),
    }


def remove(root: Path, folder: str, *, dry_run: bool) -> dict[str, str]:
    """Take away what `install` told git; return file -> removed or unchanged.

    Raises:
        InvalidInput: git is missing, or a file cannot be read or written.
    """
    return {
        ".gitattributes": _without(root / ".gitattributes", _lines(folder), dry_run=dry_run),
        ".git/config": _forget(root, dry_run=dry_run),
    }


def _lines(folder: str) -> list[str]:
    return [f"{folder}/**/*.json merge={NAME} diff={NAME}",
            f"{folder}/*.json merge={NAME} diff={NAME}"]  # fmt: skip


def _attributes(path: Path, lines: list[str], *, dry_run: bool) -> str:
    before = _read(path)
    missing = [line for line in lines if line not in before.splitlines()]
    if not missing:
        return "unchanged"
    gap = "" if not before or before.endswith("\n") else "\n"
    _write(path, before + gap + "".join(f"{each}\n" for each in missing), dry_run=dry_run)
    return "updated" if before else "added"


def _without(path: Path, lines: list[str], *, dry_run: bool) -> str:
    before = _read(path).splitlines(keepends=True)
    kept = [line for line in before if line.rstrip("\r\n") not in lines]
    if kept == before:
        return "unchanged"
    _write(path, "".join(kept), dry_run=dry_run)
    return "removed"


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode() if path.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise _unchangeable(path, error) from error


def _write(path: Path, content: str, *, dry_run: bool) -> None:
    try:
        if dry_run:
            return
        if content:
            path.write_bytes(content.encode())
        else:
            path.unlink()
    except OSError as error:
        raise _unchangeable(path, error) from error


def _unchangeable(path: Path, error: Exception) -> InvalidInput:
    why = getattr(error, "strerror", None) or "it is not UTF-8"
    return InvalidInput(f"cannot change '{path}' ({why}); mend it, and run again")


def _forget(root: Path, *, dry_run: bool) -> str:
    if not any(_setting(root, name) for name in _SETTINGS):
        return "unchanged"
    if not dry_run:
        for section in dict.fromkeys(name.rpartition(".")[0] for name in _SETTINGS):
            git.run(root, "config", "--local", "--remove-section", section, fine=(0, 1, 128))
    return "removed"


def _config(root: Path, settings: dict[str, str], *, dry_run: bool) -> str:
    present = {name: _setting(root, name) for name in settings}
    if present == settings:
        return "unchanged"
    if not dry_run:
        for name, value in settings.items():
            git.run(root, "config", "--local", name, value)
    return "updated" if any(present.values()) else "added"


def _setting(root: Path, name: str) -> str:
    return git.run(root, "config", "--local", "--get", name, fine=(0, 1)).decode().rstrip("\n")
