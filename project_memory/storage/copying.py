"""Copy a whole store into another database, row by row, and compare what has arrived."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate, chain, zip_longest

from project_memory.errors import Conflict, StorageError
from project_memory.ports import Reader, Storage
from project_memory.storage import refusals
from project_memory.storage.relational.reader import RelationalReader
from project_memory.storage.relational.writer import RelationalWriter


@dataclass(frozen=True, slots=True)
class Copied:
    """What was copied.

    Attributes:
        source: Where it was, without credentials.
        target: Where it is too, without credentials.
        rows: Table -> rows, all of which were compared.
    """

    source: str
    target: str
    rows: Mapping[str, int]


Tell = Callable[[int, int], None]
"""Is told how many steps are done, and of how many."""


def copied(source: Storage, target: Storage, tell: Tell) -> Copied:
    """Copy everything from one store to another that is empty, and say what it was.

    Nobody can write to either meanwhile. All of it arrives, or nothing. The copy has the identity
    of the store, the keys and the marks of all revisions.

    Raises:
        InvalidInput: a store is none of a database.
        Conflict: there are projects in the target.
        StorageError: what was read back is not what was written; nothing is kept.
    """
    with source.write() as held, target.write() as filled:
        old, new = in_tables(held, source), in_rows(filled, target)
        if new.projects():
            raise Conflict(
                f"store '{target.url}' holds projects already; name a place without a store"
            )
        counts = fill(old, new, target.url, tell)
    return Copied(source.url, target.url, counts)


def fill(old: RelationalReader, new: RelationalWriter, place: str, tell: Tell) -> dict[str, int]:
    """Write into empty tables what others hold, read it back, and return table -> rows.

    Raises:
        StorageError: what was read back is not what was written.
    """
    counts = {table.name: table.count(old.session) for table in old.TABLES}
    steps = chain(_written(old, new), _compared(old, new, place))
    for done in accumulate(steps):
        tell(done, 2 * sum(counts.values()))
    new.adopt(old.store_id(), old.last_key(), old.last_project())
    return counts


def in_tables(view: Reader, storage: Storage) -> RelationalReader:
    """Return a view of a store that has tables.

    Raises:
        InvalidInput: it has none.
    """
    if not isinstance(view, RelationalReader):
        raise refusals.fleeting(storage.url)
    return view


def in_rows(view: Reader, storage: Storage) -> RelationalWriter:
    """Return the transaction on a store that has tables.

    Raises:
        InvalidInput: it has none.
    """
    if not isinstance(view, RelationalWriter):
        raise refusals.fleeting(storage.url)
    return view


def _written(old: RelationalReader, new: RelationalWriter) -> Iterator[int]:
    """Copy the rows, and yield how many went in each step."""
    for source, target in zip(old.TABLES, new.TABLES, strict=True):
        for rows in source.pages(old.session):
            target.add(new.session, rows)
            yield len(rows)


def _compared(old: RelationalReader, new: RelationalWriter, place: str) -> Iterator[int]:
    """Compare the rows, and yield how many were the same in each step."""
    for source, target in zip(old.TABLES, new.TABLES, strict=True):
        pages = source.pages(old.session), target.pages(new.session)
        for sent, arrived in zip_longest(*pages, fillvalue=()):
            if sent != arrived:
                raise StorageError(
                    f"what store '{place}' holds of '{target.name}' is not what was written to "
                    "it; nothing was kept there: report this"
                )
            yield len(sent)
