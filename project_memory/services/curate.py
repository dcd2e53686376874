"""Change memories: every operation is a function on a working set.

`transaction.commit` runs one, or several in turn, and writes the result as one revision.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from project_memory import access, documents, lifecycle, secrets, validation
from project_memory.documents import Link
from project_memory.errors import (
    InvalidDocument,
    MemoryExists,
    SecretFound,
    VersionConflict,
)
from project_memory.model import Document, Memory, Severity, Status
from project_memory.services import labels as label_services
from project_memory.services import links
from project_memory.services.working_set import WorkingSet

_UNREADABLE = frozenset({"schema-type", "schema-any-of"})
"""Problems of what cannot be put into canonical form."""
_INCOMPLETE = frozenset({"schema-required"})
"""Problems of what has no text, in canonical form either."""


def check_draft(draft: Mapping[str, Any]) -> None:
    """Refuse a draft before any lock is taken.

    Raises:
        InvalidDocument: it breaks the schema; every problem is listed.
        SecretFound: its text looks like a credential.
    """
    found = [p for p in validation.check_draft(draft) if p.severity is Severity.ERROR]
    if found:
        raise InvalidDocument(found)
    leaks = secrets.scan_document(draft)
    if leaks:
        raise SecretFound(leaks)


def create(work: WorkingSet, draft: Mapping[str, Any], *, allow_duplicate: bool = False) -> Memory:
    """Create a memory from a draft that `check_draft` has passed, with its links.

    Raises:
        UnknownLabels: labels are not registered.
        InvalidLabel: a label is deprecated, and nothing replaces it.
        MemoryExists: the id is taken, or a memory of the same text exists and
            `allow_duplicate` is false.
        InvalidDocument: a link is not allowed.
    """
    resolved = {**draft, "labels": label_services.accepted(work, draft["labels"])}
    named = [draft["id"]] if "id" in draft else []
    work.read([*named, *(link.target for link in documents.links(draft))])
    if "id" in draft:
        refuse_taken(work, draft["id"])
    document = documents.from_draft(
        resolved, project=work.project.name, today=work.today, taken=work.is_taken
    )
    if not allow_duplicate:
        _refuse_same_text(work, document)
    links.refuse_twice(document)
    added = add_document(work, document, "created")
    for link in documents.links(document):
        links.add(work, added.id, link, "created")
    return work.get(added.id)


def add_document(work: WorkingSet, document: Document, event: str, **beside: Any) -> Memory:
    """Add a complete document without its links, which the caller adds once all targets exist.

    `beside` overrides what the store keeps beside the document.
    """
    status = Status(document["status"])
    fields: dict[str, Any] = {
        "own_status": Status.ACTIVE if status is Status.SUPERSEDED else status,
        "created_at": work.now,
        "updated_at": work.now,
        "author": work.author,
        "asserted_by": access.asserted_after_edit(work.actor),
        "tier_since": work.now,
        **beside,
    }
    bare = documents.with_links({**document, "status": fields["own_status"].value}, ())
    return work.add(Memory(key=0, document=bare, version=1, links_version=1, **fields), event)


def update(
    work: WorkingSet,
    memory_id: str,
    patch: Mapping[str, Any],
    *,
    if_version: int | None = None,
) -> Memory:
    """Merge a patch (RFC 7396) onto a memory; `relationships` in a patch only adds links.

    Raises:
        NotFound: there is no such memory.
        VersionConflict: `if_version` is given and is not the current version.
        InvalidDocument: the patch touches what only another command may, or the result is invalid.
        UnknownLabels: labels are not registered.
        InvalidLabel: a label is deprecated, nothing replaces it, and the memory lacked it.
    """
    memory = work.get(memory_id)
    check_version(work, memory, if_version)
    merged = documents.merge_patch(memory.document, patch)
    links.refuse_twice({"id": memory.id, "relationships": patch.get("relationships")})
    _refuse(merged, _UNREADABLE)
    merged["labels"] = label_services.accepted(
        work, merged.get("labels", ()), memory.document["labels"]
    )
    merged = documents.canonical(merged)
    _refuse(merged, _INCOMPLETE)
    kept = documents.with_links(merged, documents.links(memory.document))
    if documents.canonical(memory.document) != kept:
        edited = replace(memory, document=kept, asserted_by=access.asserted_after_edit(work.actor))
        work.put(edited, "updated", authored=True)
    held = set(documents.links(memory.document))
    for link in documents.links(merged):
        if link not in held:
            links.add(work, memory.id, link, "updated")
    return work.get(memory.id)


def link(work: WorkingSet, from_id: str, kind: str, to_id: str, reason: str | None = None) -> None:
    """Link two memories; the mirror is written with it.

    Raises:
        NotFound: the source does not exist.
        InvalidInput: the kind is unknown, or takes no reason, or needs one.
        InvalidDocument: the target does not exist, is the source, or a cycle would close.
    """
    links.add(work, from_id, Link(kind, to_id, links.checked_reason(kind, reason)))


def unlink(work: WorkingSet, from_id: str, kind: str, to_id: str) -> None:
    """Remove a link and its mirror. See `links.remove`."""
    links.remove(work, from_id, kind, to_id)


def set_status(
    work: WorkingSet,
    memory_id: str,
    status: str,
    *,
    reason: str | None = None,
    if_version: int | None = None,
) -> None:
    """Change the own status; back to active stamps `last_validated`.

    Raises:
        NotFound: there is no such memory.
        InvalidInput: `status` is no status.
        InvalidTransition: the lifecycle does not allow it, or a reason is missing.
        VersionConflict: `if_version` is given and is not the current version.
    """
    memory = work.get(memory_id)
    check_version(work, memory, if_version)
    new = lifecycle.checked_status(status)
    lifecycle.check_transition(memory.id, memory.own_status, new, reason)
    document = {k: v for k, v in memory.document.items() if k != "status_reason"}
    document["status"] = new.value
    if reason and reason.strip():
        document["status_reason"] = reason.strip()
    if new is Status.ACTIVE:
        document["evidence"] = {**document["evidence"], "last_validated": work.today.isoformat()}
    changed = replace(
        memory,
        document=documents.canonical(document),
        own_status=new,
        asserted_by=access.asserted_after_edit(work.actor),
    )
    work.put(changed, "status", authored=True)


def archive(work: WorkingSet, memory_id: str) -> None:
    """Take a memory out of retrieval; it is kept and can be brought back."""
    memory = work.get(memory_id)
    if not memory.archived:
        work.put(replace(memory, archived_at=work.now), "archived", authored=True)


def unarchive(work: WorkingSet, memory_id: str) -> None:
    """Bring an archived memory back into retrieval."""
    memory = work.get(memory_id)
    if memory.archived:
        work.put(replace(memory, archived_at=None), "unarchived", authored=True)


def pin(work: WorkingSet, memory_id: str) -> None:
    """Protect a memory from retention."""
    work.put(replace(work.get(memory_id), pinned=True), "pinned", authored=True)


def unpin(work: WorkingSet, memory_id: str) -> None:
    """Give a memory back to retention."""
    work.put(replace(work.get(memory_id), pinned=False), "unpinned", authored=True)


def delete(work: WorkingSet, memory_id: str, *, if_version: int | None = None) -> None:
    """Delete a memory and every link to it; history keeps its text.

    Raises:
        NotFound: there is no such memory.
        VersionConflict: `if_version` is given and is not the current version.
    """
    memory = work.get(memory_id)
    check_version(work, memory, if_version)
    links.remove_all(work, memory.id)
    work.remove(work.get(memory.id))
    work.notes.append(
        f"history keeps the text of '{memory.id}'; `project-memory history undo` brings it back, "
        f"a person removes it for good with `project-memory purge {memory.id}`"
    )


def rename(
    work: WorkingSet, memory_id: str, new_id: str, *, if_version: int | None = None
) -> None:
    """Give a memory another id everywhere; the old id leads to it from then on.

    Raises:
        NotFound: there is no such memory.
        MemoryExists: the new id is taken, or led to another memory once.
        VersionConflict: `if_version` is given and is not the current version.
    """
    memory = work.get(memory_id)
    check_version(work, memory, if_version)
    if new_id == memory.id:
        return
    if work.redirect(new_id) != memory.id:
        refuse_taken(work, new_id)
    move(work, memory, new_id)


def move(work: WorkingSet, memory: Memory, new_id: str) -> None:
    """Give a memory an id that is free, and lead its neighbours' links there."""
    renamed = replace(memory, document=documents.canonical({**memory.document, "id": new_id}))
    work.put(renamed, "renamed", authored=True)
    for neighbour in sorted({held.target for held in documents.links(memory.document)}):
        links.retarget(work, neighbour, memory.id, new_id)


def check_version(work: WorkingSet, memory: Memory, if_version: int | None) -> None:
    """Refuse a change that was decided on another version of the memory.

    Raises:
        VersionConflict: with the fields that changed since, where that version is known.
    """
    if if_version is None or if_version == memory.version:
        return
    base = work.document_at(memory.id, if_version)
    diff = documents.diff(base, memory.document) if base is not None else {}
    raise VersionConflict(memory.id, if_version, memory.version, diff)


def refuse_taken(work: WorkingSet, memory_id: str) -> None:
    """Refuse an id that a memory has, or had before it was renamed.

    Raises:
        MemoryExists: it is taken.
    """
    found = work.find(memory_id)
    if found is not None:
        raise MemoryExists(
            memory_id,
            f"memory '{memory_id}' exists already (version {found.version}); "
            "update it, or choose another id",
        )
    moved = work.redirect(memory_id)
    if moved is not None:
        raise MemoryExists(
            moved, f"id '{memory_id}' leads to the renamed memory '{moved}'; choose another id"
        )


def _refuse_same_text(work: WorkingSet, document: Document) -> None:
    twins = work.same_text(documents.text_digest(document))
    if twins:
        raise MemoryExists(
            twins[0],
            f"memory '{twins[0]}' has the same text; extend it with an update, "
            "or allow the duplicate (--allow-duplicate)",
        )


def _refuse(document: Mapping[str, Any], codes: frozenset[str]) -> None:
    """Refuse a document with such a problem, which what reads it next could not bear."""
    found = validation.check_document(document, stored=True)
    if any(problem.code in codes for problem in found):
        raise InvalidDocument([p for p in found if p.severity is Severity.ERROR])
