"""Put what a backup holds in the place of a store, in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from project_memory.backups import Backup, stamp
from project_memory.errors import InvalidInput, NotFound, StorageError, StoreUnreadable
from project_memory.ports import Reader, Storage, Writer
from project_memory.storage import open_storage, refusals
from project_memory.storage.copying import Tell, fill, in_rows, in_tables
from project_memory.storage.location import backups, located
from project_memory.storage.sqlite import SqliteStorage, copies
from project_memory.tokens import Token

Allow = Callable[[str], None]
"""Refuses that a store, told by its URL or path, is replaced; or returns."""


@dataclass(frozen=True, slots=True)
class Restored:
    """What was restored.

    Attributes:
        file: The backup.
        store: The store that holds it, without credentials.
        rows: Table -> rows, all of which were compared.
        kept: Where what the store held before is; None where it held nothing.
        revoked: Ids of tokens that the backup accepts and that stay revoked, sorted.
        purged: How many purges there were since; what they removed is back.
    """

    file: str
    store: str
    rows: Mapping[str, int]
    kept: str | None
    revoked: tuple[str, ...]
    purged: int


@dataclass(frozen=True, slots=True)
class _Outliving:
    """What a store knows that no earlier state of it may undo."""

    revoked: tuple[Token, ...] = ()
    purged: frozenset[str] = frozenset()
    backups: tuple[Backup, ...] = ()


@dataclass(frozen=True, slots=True)
class Here:
    """Circumstances of a restore.

    Attributes:
        time: UTC timestamp of the present moment.
        host: Name of this machine.
        patience: Seconds to wait for others who write.
    """

    time: str
    host: str
    patience: float


def restored(url: str | None, file: Path, here: Here, *, allow: Allow, tell: Tell) -> Restored:
    """Replace everything in a store by what a backup holds; all of it, or nothing.

    The backup is read through before the store is touched. Nobody can write meanwhile; whoever
    reads goes on, and sees either. A store that is missing is made.

    Args:
        url: Where the store is.
        file: A backup, of this or an earlier version.
        here: When and where that is, and how long others are waited for.
        allow: Is asked before a store that is there is replaced.
        tell: Is told how much is done.

    Raises:
        NotFound: there is no such file.
        InvalidInput: it is the store itself, or the store is only in memory.
        StoreUnreadable: the file is no store, or is damaged.
        SchemaVersionMismatch: a newer version of this package wrote it.
        StorageBusy: others write.
        StorageError: the store cannot be written; nothing was changed.
    """
    place = located(url)
    if place is None:
        raise refusals.fleeting(url)
    if place == file:
        raise InvalidInput(f"'{file}' is the store itself; name a backup of it")
    with (
        TemporaryDirectory(prefix="project-memory-") as folder,
        copies.unpacked(file, Path(folder)) as draft,
        closing(SqliteStorage(draft)) as backup,
    ):
        storage, aside = _target(url, here, allow)
        with closing(storage), storage.write() as held, backup.read() as view:
            before = _outliving(held)
            kept = aside
            if held.projects():
                allow(storage.url)
                kept = _kept(storage, place, stamp(here.time))
            if kept is not None:
                record = Backup(here.time, here.host, str(kept))
                before = replace(before, backups=(*before.backups, record))
            old, new = in_tables(view, backup), in_rows(held, storage)
            new.clear()
            rows = fill(old, new, storage.url, tell)
            revoked, purged = _upheld(held, before)
        named = None if kept is None else str(kept)
        return Restored(str(file), storage.url, rows, named, revoked, purged)


def _target(url: str | None, here: Here, allow: Allow) -> tuple[Storage, Path | None]:
    """Return the store, and where a damaged file that had its place is."""
    try:
        return open_storage(url, create=False, busy_timeout=here.patience), None
    except NotFound:
        return open_storage(url, create=True), None
    except StoreUnreadable:
        place = located(url)
        if not isinstance(place, Path) or not place.is_file():
            raise
        allow(str(place))
        aside = place.with_name(f"{place.name}.damaged-{stamp(here.time)}")
        _put_aside(place, aside)
        return open_storage(url, create=True), aside


def _put_aside(place: Path, aside: Path) -> None:
    try:
        for ending in ("-wal", "-shm", ""):
            file = Path(f"{place}{ending}")
            if file.exists():
                file.replace(f"{aside}{ending}")
    except OSError as error:
        raise StorageError(
            f"'{place}' cannot be put aside ({error.strerror}); allow writing to its folder"
        ) from error


def _kept(storage: Storage, place: object, moment: str) -> Path:
    """Write what the store holds to a file, and return it."""
    folder, name = backups(), "store"
    if isinstance(place, Path):
        folder, name = place.parent, place.name
    path = folder / f"{name}.before-restore-{moment}.backup"
    storage.copy_to(path)
    return path


def _outliving(reader: Reader) -> _Outliving:
    return _Outliving(
        tuple(token for token in reader.tokens() if token.revoked_at is not None),
        _purged(reader),
        tuple(reader.backups()),
    )


def _upheld(writer: Writer, before: _Outliving) -> tuple[tuple[str, ...], int]:
    """Write what outlives the restore, and return what is told of it."""
    revoked = []
    for token in before.revoked:
        held = writer.token(token.id)
        if held is not None and held.revoked_at is None:
            writer.put_token(token)
            revoked.append(token.id)
    for backup in before.backups:
        writer.put_backup(backup)
    writer.void_codes_and_sessions()
    return tuple(sorted(revoked)), len(before.purged - _purged(writer))


def _purged(reader: Reader) -> frozenset[str]:
    every = (reader.tombstones(project.key) for project in reader.projects())
    return frozenset().union(*every)
