"""What was purged never comes back: keyed digests of ids and texts, from which neither is read."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from project_memory import documents
from project_memory.model import Document, Memory, MemoryChange, Problem, Revision
from project_memory.ports import Reader


def of_id(store_id: str, memory_id: str) -> str:
    """Return the digest of an id in this store, 64 hexadecimal digits."""
    return _digest(store_id, "id", memory_id)


def of_text(store_id: str, text_digest: str) -> str:
    """Return the digest of a `documents.text_digest` in this store, 64 hexadecimal digits."""
    return _digest(store_id, "text", text_digest)


@dataclass(frozen=True, slots=True)
class Buried:
    """The tombstones of one project, and the key of their digests, if there are any."""

    store_id: str
    digests: frozenset[str]

    def has_id(self, memory_id: str) -> bool:
        """Return whether a memory of this id was purged."""
        return bool(self.digests) and of_id(self.store_id, memory_id) in self.digests

    def has_text(self, document: Document) -> bool:
        """Return whether a memory of this text was purged."""
        if not self.digests:
            return False
        return of_text(self.store_id, documents.text_digest(document)) in self.digests


def of(reader: Reader, project: int) -> Buried:
    """Return the tombstones of a project."""
    digests = reader.tombstones(project)
    return Buried(reader.store_id() if digests else "", digests)


def problems(buried: Buried, before: Memory | None, after: Memory) -> Iterator[Problem]:
    """Yield why a memory may not be what a change would make of it."""
    if (before is None or before.id != after.id) and buried.has_id(after.id):
        yield Problem(
            "purged-id",
            f"'{after.id}' was purged here, and its id stays out of use",
            "$.id",
            after.id,
            "choose another id, or leave the memory out",
        )
    if buried.has_text(after.document) and not (
        before is not None and buried.has_text(before.document)
    ):
        yield Problem(
            "purged-text",
            "a memory of this text was purged here",
            "$.remembered_facts",
            after.id,
            "write it without what had to go, or leave the memory out",
        )


def past_problems(buried: Buried, revisions: Iterable[Revision]) -> Iterator[Problem]:
    """Yield why a history may not be taken over; each memory of it is named once."""
    changes = (c for r in revisions for c in r.changes if isinstance(c, MemoryChange))
    versions = (memory for c in changes for memory in (c.before, c.after) if memory is not None)
    named = {m.id for m in versions if buried.has_id(m.id) or buried.has_text(m.document)}
    for name in sorted(named):
        yield Problem(
            "purged-history",
            f"the history tells of '{name}', which was purged here",
            "$.history",
            name,
            "export without history, and without that memory",
        )


def _digest(store_id: str, kind: str, value: str) -> str:
    message = f"{kind}\0{value}".encode()
    return hmac.new(store_id.encode(), message, hashlib.sha256).hexdigest()
