"""Record the history that came with an export, before the import that brought it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from project_memory.model import Change, Memory, MemoryChange, Revision
from project_memory.ports import Writer


def replay(
    writer: Writer,
    project: int,
    revisions: Sequence[Revision],
    last: int,
    changes: Iterable[MemoryChange],
) -> int:
    """Append the revisions of another store after revision `last`; return the new last number.

    Numbers continue this project's. Keys are this store's: a memory that lives on has the key it
    was just given, one that was deleted gets a key of its own.
    """
    keys = _living(revisions, changes)
    for revision in revisions:
        moved = tuple(_rekeyed(writer, change, keys) for change in revision.changes)
        undoes = None if revision.undoes is None else revision.undoes + last
        number = revision.number + last
        writer.append_revision(
            project, replace(revision, number=number, changes=moved, undoes=undoes)
        )
    return last + (revisions[-1].number if revisions else 0)


def _living(revisions: Sequence[Revision], changes: Iterable[MemoryChange]) -> dict[int, int]:
    """Return exported key -> key in this store, for the memories that exist at the end."""
    here = {change.after.id: change.after.key for change in changes if change.after}
    last_ids: dict[int, str | None] = {}
    for revision in revisions:
        for change in revision.changes:
            if isinstance(change, MemoryChange):
                last_ids[change.key] = change.after.id if change.after else None
    return {key: here[name] for key, name in last_ids.items() if name in here}


def _rekeyed(writer: Writer, change: Change, keys: dict[int, int]) -> Change:
    if not isinstance(change, MemoryChange):
        return change
    if change.key not in keys:
        keys[change.key] = writer.next_key()
    key = keys[change.key]
    return MemoryChange(_with_key(change.before, key), _with_key(change.after, key))


def _with_key(memory: Memory | None, key: int) -> Memory | None:
    return None if memory is None else replace(memory, key=key)


def redirects(writer: Writer, project: int, last: int) -> None:
    """Let ids that memories of the replayed history had before a renaming lead to them again."""
    for revision in writer.revisions(project, after=last):
        put_redirects(writer, project, revision.changes)


def put_redirects(writer: Writer, project: int, changes: Iterable[Change]) -> None:
    """Let the ids that one revision took from memories lead to them, unless others have them."""
    left, taken = {}, set()
    for change in changes:
        if isinstance(change, MemoryChange) and change.after:
            if change.before is None or change.before.id != change.after.id:
                taken.add(change.after.id)
            if change.before is not None and change.before.id != change.after.id:
                left[change.before.id] = change.key
    for old, key in left.items():
        writer.put_redirect(project, old, key)
    for name in sorted(taken) if left else ():
        writer.put_redirect(project, name, None)
