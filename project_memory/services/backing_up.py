"""Keep copies of the whole store in a folder, and know where they are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from project_memory.backups import Backup, stamp
from project_memory.errors import InvalidInput, StorageError
from project_memory.model import Clock, timestamp
from project_memory.ports import Reader, Storage

ENDING = ".db"
"""Of the name of a file; what ends otherwise is a folder."""

_BEGINNING = "project-memory"


@dataclass(frozen=True, slots=True)
class BackupReport:
    """A backup that was made.

    Attributes:
        file: Its absolute path.
        bytes: Its size.
        time: UTC timestamp.
        rows: Table -> rows; it was read back, and holds as many.
        removed: Older backups of the same store in the same folder that were removed.
        store: The store, without credentials.
    """

    file: str
    bytes: int
    time: str
    rows: Mapping[str, int]
    removed: tuple[str, ...]
    store: str


def back_up(
    storage: Storage, place: Path, *, keep: int | None, host: str, clock: Clock
) -> BackupReport:
    """Write a backup to a folder, or to a file that is not there, and note where it is.

    Args:
        storage: The store, which goes on being used.
        place: Absolute path; a file ends with `ENDING`.
        keep: How many backups of this store the folder may hold; None: any number.
        host: Name of this machine.
        clock: The present moment.

    Raises:
        InvalidInput: the store is only in memory, or `keep` is given for a file.
        Conflict: the file is there already.
        StoreUnreadable: the store is damaged.
        StorageError: the backup cannot be written, or an older one cannot be removed.
    """
    single = place.suffix == ENDING and not place.is_dir()
    if single and keep is not None:
        raise InvalidInput(f"--keep is for a folder, and '{place}' is a file; name its folder")
    time = timestamp(clock())
    with storage.read() as reader:
        beginning = _beginning(reader)
        file = place if single else free_name(reader, place, time)
    rows = storage.copy_to(file)
    with storage.write() as writer:
        writer.put_backup(Backup(time, host, str(file)))
    removed = _rotated(file, beginning, keep) if keep is not None else ()
    if removed:
        with storage.write() as writer:
            for old in removed:
                writer.remove_backup(host, old)
    return BackupReport(str(file), file.stat().st_size, time, rows, removed, storage.url)


def known(reader: Reader, host: str) -> list[Backup]:
    """Return the backups that were noted, by time, without those that are gone from here."""
    return [b for b in reader.backups() if b.host != host or Path(b.file).exists()]


def remains(reader: Reader, host: str) -> list[str]:
    """Return what a purge says of the backups, a sentence each."""
    return [
        f"backup '{each.file}'{'' if each.host == host else f' on {each.host!r}'} was made before "
        "and may hold it; delete it, or put it under lock"
        for each in known(reader, host)
    ]


def free_name(reader: Reader, folder: Path, time: str) -> Path:
    """Return a file for a backup that is not there; later ones sort after earlier ones."""
    beginning, number = f"{_beginning(reader)}-{stamp(time)}", 1
    while (path := folder / f"{beginning}-{number}{ENDING}").exists():
        number += 1
    return path


def _beginning(reader: Reader) -> str:
    return f"{_BEGINNING}-{reader.store_id()[:12]}"


def _rotated(made: Path, beginning: str, keep: int) -> tuple[str, ...]:
    """Remove all but the newest backups, the one just made among them; return their paths."""
    form = re.compile(rf"{re.escape(beginning)}-(\d{{8}}T\d{{6}}Z)-(\d+){re.escape(ENDING)}")
    found = {file: form.fullmatch(file.name) for file in made.parent.iterdir() if file != made}
    named = [(match[1], int(match[2]), file) for file, match in found.items() if match]
    old = [file for *_, file in sorted(named, reverse=True)[max(0, keep - 1) :]]
    for file in old:
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            raise StorageError(
                f"backup '{made}' was made, but the older '{file}' cannot be removed "
                f"({error.strerror}); remove it, and allow writing to its folder"
            ) from error
    return tuple(sorted(map(str, old)))
