"""Take back what a revision did to labels: in the registry, and on the memories it relabelled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from project_memory import documents, labels
from project_memory.errors import Conflict
from project_memory.model import (
    LabelChange,
    Memory,
    MemoryChange,
    PrefixChange,
    Registry,
    Revision,
)
from project_memory.services import relabelling
from project_memory.services.working_set import WorkingSet


def put_registry_back(work: WorkingSet, revision: Revision) -> None:
    """Give labels back what a revision changed, before its memories come back.

    Raises:
        Conflict: a label has changed since, or would break a rule of the registry by now.
    """
    known = work.registry
    old = Registry(dict(known.labels), known.single)
    for change in revision.changes:
        if isinstance(change, LabelChange):
            if known.labels.get(change.name) != change.after:
                raise _moved_on(revision, f"label '{change.name}' has changed")
            if change.before is None:
                work.remove_label(change.name)
            else:
                work.put_label(change.before)
    for fault in labels.new_faults(old, work.registry):
        raise Conflict(f"revision {revision.number} cannot be undone: {fault}")


def put_prefixes_back(work: WorkingSet, revision: Revision) -> None:
    """Let prefixes allow one label or several as before, after the memories have come back.

    Raises:
        Conflict: a prefix has changed since, or memories carry several of its labels.
    """
    for change in revision.changes:
        if isinstance(change, PrefixChange):
            if (change.prefix in work.registry.single) != change.after:
                raise _moved_on(revision, f"prefix '{change.prefix}' has changed")
            relabelling.declare_single(work, change.prefix, single=change.before)


def refuse_carried(work: WorkingSet, revision: Revision) -> None:
    """Refuse to take back the making of labels that memories carry.

    Raises:
        Conflict: with the first such memory.
    """
    made = [c.name for c in revision.changes if isinstance(c, LabelChange) and c.before is None]
    gone = [name for name in made if name not in work.registry.labels]
    for memory in work.carrying(gone) if gone else ():
        name = next(name for name in gone if name in memory.document["labels"])
        raise Conflict(
            f"revision {revision.number} cannot be undone: '{memory.id}' carries label '{name}'; "
            "take the label off first"
        )


def is_relabelled(change: MemoryChange) -> bool:
    """Return whether all that a revision did to a memory follows from a change of the registry."""
    before, after = change.before, change.after
    if before is None or after is None or before.version != after.version:
        return False
    return before.id == after.id and before.document["labels"] != after.document["labels"]


def put_carried_back(work: WorkingSet, before: Memory, after: Memory) -> None:
    """Give a memory back the labels that a change of the registry took from it.

    Other labels stay as they are by now. Like that change, this is no edit of the memory.
    """
    now = work.find(after.id)
    if now is None:
        return
    was, became = set(before.document["labels"]), set(after.document["labels"])
    carried = set(now.document["labels"])
    if became - was <= carried:
        names = sorted((carried - (became - was)) | (was - became))
        document = with_known_labels(work, now.id, {**now.document, "labels": names})
        work.put(replace(now, document=document), "restored", authored=False)


def with_known_labels(
    work: WorkingSet, memory_id: str, document: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a text that comes back with the labels that its own stand for by now."""
    stands_for = labels.aliases(work.registry) | labels.replacements(work.registry)
    names = {name: stands_for[name] for name in document["labels"] if name in stands_for}
    work.notes += [f"label '{old}' of '{memory_id}' came back as '{new}'"
                   for old, new in names.items()]  # fmt: skip
    return documents.relabelled(document, names) if names else dict(document)


def _moved_on(revision: Revision, why: str) -> Conflict:
    return Conflict(
        f"revision {revision.number} cannot be undone: {why} since; undo the later change first"
    )
