"""What each side tells of a project, in a form that can be merged: texts apart from links.

Both sides and what they come from call a memory by one name, whatever each calls it by now: its
present id here, or where the store does not have it (any more), its id in the folder.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from project_memory import documents, relations
from project_memory.exchange import Incoming
from project_memory.model import Document, Expectation, Memory, Registry, Status, as_json
from project_memory.services.syncing.states import State

Told: TypeAlias = dict[str, Any]
"""A document without its links, with its own status in the place of the shown one, and with
``archived`` and ``pinned``."""

Edge: TypeAlias = tuple[str, str, str]
"""(kind, from, to), the kind as its pair is named by; symmetric ones from the lesser name."""

Names: TypeAlias = Callable[[str], str]
"""Id on a side -> the name that both sides know the memory by."""


@dataclass(slots=True)
class Side:
    """One side.

    Attributes:
        told: Name -> what is told of a memory.
        edges: Every link -> its reason.
        registry: The labels.
        expectations: What is expected, as plain JSON, under the names of memories.
    """

    told: dict[str, Told] = field(default_factory=dict)
    edges: dict[Edge, str | None] = field(default_factory=dict)
    registry: Registry = field(default_factory=Registry)
    expectations: list[dict[str, Any]] = field(default_factory=list)


def of_state(state: State, name: Names) -> Side:
    """Return what the store tells, or told."""
    side = Side(registry=state.registry)
    for memory in state.memories.values():
        side.told[name(memory.id)] = of_memory(memory)
        for edge, reason in halves(memory.document, name):
            side.edges[edge] = reason
    side.expectations = expected(state.expectations.values(), name)
    return side


def of_memory(memory: Memory) -> Told:
    """Return what the store tells of a memory."""
    return _told(
        memory.document, memory.own_status, archived=memory.archived, pinned=memory.pinned
    )


def of_incoming(incoming: Incoming, known: Told | None) -> Told:
    """Return what a folder tells of a memory.

    `known` is what it was, where the folder holds no file that says whether it is pinned and
    what its own status is; None where it does.
    """
    document = documents.canonical(incoming.document)
    shown = Status(document["status"])
    own = incoming.own_status or Status.ACTIVE
    if shown is not Status.SUPERSEDED:
        own = shown
    elif known is not None:
        own = Status(known["status"])
    pinned = incoming.pinned if known is None else known["pinned"]
    return _told(document, own, archived=incoming.archived, pinned=pinned)


def document_of(told: Told) -> dict[str, Any]:
    """Return the document that is told of, without links, its own status shown."""
    beside = {"archived", "pinned"}
    return documents.canonical({k: v for k, v in told.items() if k not in beside})


def halves(document: Document, name: Names) -> Iterator[tuple[Edge, str | None]]:
    """Yield every link of a document with its reason."""
    source = name(document["id"])
    for link in documents.links(document):
        yield ordered(link.kind, source, name(link.target)), link.reason


def expected(expectations: Iterable[Expectation], name: Names) -> list[dict[str, Any]]:
    """Return expectations as plain JSON, under the names of memories."""
    return [
        {**as_json(each), "expects": sorted({name(one) for one in each.expects})}
        for each in expectations
    ]


def folder_edges(
    read: Mapping[str, Incoming],
    known: Mapping[Edge, str | None],
    name: Names,
    renamed: Collection[str] = (),
) -> dict[Edge, str | None]:
    """Return the links that a folder tells of.

    A link that was there before is taken out when one of its sides is; a further one is told by
    either side. To what was renamed, both must tell of it: where branches were merged, one that
    the other took out is left under the new id. A side that changed the reason says what it is by
    now. What a memory without a file was linked to stays as it was.

    Args:
        read: Name -> what was read of it.
        known: The links when both sides were the same.
        name: Gives names to ids of the folder.
        renamed: Names of what was renamed in the folder.
    """
    told: dict[Edge, list[str | None]] = {}
    for incoming in read.values():
        for edge, reason in halves(incoming.document, name):
            told.setdefault(edge, []).append(reason)
    found = {
        edge: reason
        for edge, reason in known.items()
        if edge[1] not in read or edge[2] not in read
    }
    for edge, reasons in told.items():
        further = edge not in known and not {*edge[1:]} & {*renamed}
        if edge not in found and (len(reasons) > 1 or further):
            changed = [each for each in reasons if each != known.get(edge)]
            found[edge] = (changed or reasons)[0]
    return found


def _told(document: Document, own: Status, *, archived: bool, pinned: bool) -> Told:
    text = {field: value for field, value in document.items() if field != "relationships"}
    return {**text, "status": own.value, "archived": archived, "pinned": pinned}


def ordered(kind: str, source: str, target: str) -> Edge:
    """Return the one form of a link that both its sides tell of."""
    inverse = relations.KINDS[kind].inverse
    if not relations.is_base(kind) or (inverse == kind and target < source):
        return inverse, target, source
    return kind, source, target
