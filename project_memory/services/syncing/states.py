"""A memory as a folder tells it: its document and what stands beside it, from either side."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from project_memory import documents
from project_memory.documents import Link
from project_memory.exchange import Incoming
from project_memory.model import Document, Expectation, Label, Memory, Registry, Status, as_json
from project_memory.services.older import said


@dataclass(frozen=True, slots=True)
class State:
    """One memory on one side.

    Attributes:
        document: Canonical.
        own: Own status.
        archived: Whether it is out of retrieval.
        pinned: Whether retention must leave it alone.
    """

    document: Document
    own: Status
    archived: bool
    pinned: bool

    @property
    def links(self) -> frozenset[Link]:
        """Return its links."""
        return frozenset(documents.links(self.document))

    def digest(self, registry: Registry) -> str:
        """Return what tells it from every other state, with labels as they are called today."""
        text = {**said(self.document, registry), "status": None}
        return _digest([text, self.own, self.archived, self.pinned])


def of_memory(memory: Memory) -> State:
    """Return what the store holds."""
    document = documents.canonical(memory.document)
    return State(document, memory.own_status, memory.archived, memory.pinned)


def of_incoming(incoming: Incoming) -> State:
    """Return what a folder holds; who is superseded there and says no more was active before."""
    shown = Status(incoming.document["status"])
    active = Status.ACTIVE if shown is Status.SUPERSEDED else shown
    document = documents.canonical(incoming.document)
    return State(document, incoming.own_status or active, incoming.archived, incoming.pinned)


def of_label(label: Label) -> str:
    """Return the digest of a label."""
    return _digest({**as_json(label), "aliases": sorted(label.aliases)})


def of_expectation(expectation: Expectation) -> str:
    """Return the digest of an expectation."""
    return _digest(as_json(expectation))


def _digest(value: Any) -> str:
    text = documents.compact(value)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
