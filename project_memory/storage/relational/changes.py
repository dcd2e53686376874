"""The rows of a revision's changes: written once, and put anew only by a purge."""

from __future__ import annotations

from project_memory.model import Change, MemoryChange, Revision
from project_memory.storage.codec import change_to_row
from project_memory.storage.relational.session import Session


def insert(session: Session, project: int, revision: Revision) -> None:
    """Write the changes of a revision."""
    into = """history (project, revision, seq, subject, before, after,
        memory_key, memory_id, version)"""
    rows = [
        (project, revision.number, seq, *change_to_row(change), *_memory_of(change))
        for seq, change in enumerate(revision.changes)
    ]
    session.insert(into, rows)


def replace(session: Session, project: int, revision: Revision) -> None:
    """Put changes and reason of a revision in the place of those it had."""
    place = (project, revision.number)
    sql = "UPDATE revisions SET reason = ? WHERE project = ? AND number = ?"
    session.run(sql, (revision.reason, *place))
    session.run("DELETE FROM history WHERE project = ? AND revision = ?", place)
    insert(session, project, revision)


def _memory_of(change: Change) -> tuple[int | None, str | None, int | None]:
    if not isinstance(change, MemoryChange):
        return None, None, None
    memory = change.after or change.before
    assert memory is not None
    return memory.key, memory.id, memory.version
