"""What is unsound about a store's file, for people who ask."""

from __future__ import annotations

import os
import re
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from project_memory.errors import NotFound, StorageError
from project_memory.storage.relational.steps import check_version
from project_memory.storage.sqlite import failures, files, migrations
from project_memory.storage.sqlite.connections import connect

_MOUNTS = Path("/proc/self/mounts")
_NETWORKED = re.compile(
    r"(fuse\.)?(9p|afs|afp.*|beegfs|ceph|cifs|coda|davfs2?|drvfs|glusterfs|gpfs|lustre|ncpfs|"
    r"nfs4?|smb3?|smbfs|sshfs|webdav)"
)
_SHOWN = 5


def findings(path: Path) -> list[str]:
    """Return what is wrong with the store in this file, each with its remedy."""
    try:
        files.check_file(path)
        inside = list(_inside(path))
    except (NotFound, StorageError) as error:
        return [str(error)]
    return [*inside, *_open_to_others(path), *networked(path)]


def networked(path: Path, mounts: Path = _MOUNTS) -> list[str]:
    """Return a warning if the file is on a network file system, where it can be told.

    Args:
        path: The file, which may not exist yet.
        mounts: Table of mounts as Linux shows it; without one nothing is known.
    """
    kind = _file_system(Path(os.path.realpath(path)), mounts)
    if kind is None or not _NETWORKED.fullmatch(kind):
        return []
    warning = (
        f"store '{path}' is on a network file system ({kind}), where SQLite's locks cannot be "
        "relied on; keep it on a local disk"
    )
    return [warning]


def _inside(path: Path) -> Iterator[str]:
    try:
        with closing(connect(path)) as connection:
            files.check_identity(connection, path)
            newest = len(migrations.packaged())
            check_version(migrations.version(connection), newest, path)
            yield from _damage(connection, path)
    except sqlite3.Error as error:
        raise failures.translated(error, path) from error


def _damage(connection: sqlite3.Connection, path: Path) -> Iterator[str]:
    found = [str(row[0]) for row in connection.execute(f"PRAGMA integrity_check({_SHOWN:d})")]
    if found != ["ok"]:
        yield f"store '{path}' is damaged ({'; '.join(found)}); put a backup in its place"
        return
    orphans = connection.execute("PRAGMA foreign_key_check").fetchall()
    if orphans:
        tables = ", ".join(sorted({f"'{row[0]}'" for row in orphans}))
        yield (
            f"store '{path}' has {len(orphans)} rows without their parent in {tables}; "
            "put a backup in its place"
        )


def _open_to_others(path: Path) -> Iterator[str]:
    if os.name != "posix":
        return
    for file in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
        mode = stat.S_IMODE(file.stat().st_mode) if file.exists() else 0
        if mode & 0o077:
            yield f"'{file}' is open to other users (mode {mode:04o}); run `chmod 600 '{file}'`"


def _file_system(path: Path, mounts: Path) -> str | None:
    if os.name == "nt":
        return "smb3" if path.as_posix().startswith("//") else None
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return None
    kind = None
    depth = 0
    for _, point, name, *_ in (line.split(" ") for line in lines if line.count(" ") >= 3):
        folder = Path(_unescaped(point))
        # A later mount covers an earlier one of the same folder.
        if path.is_relative_to(folder) and len(folder.parts) >= depth:
            kind, depth = name, len(folder.parts)
    return kind


def _unescaped(point: str) -> str:
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        point = point.replace(code, character)
    return point
