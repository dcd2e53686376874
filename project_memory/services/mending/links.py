"""The other side of links that only one side tells of, and the status that follows from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from project_memory import documents, relations, validation
from project_memory.documents import Link
from project_memory.model import Memory, Severity, Status
from project_memory.services.rules import Known

Say = Callable[[str, str], None]
"""Takes a memory's id and a sentence that says what is changed in it."""


@dataclass(frozen=True, slots=True)
class Linked:
    """What becomes of the documents that may be changed.

    Attributes:
        documents: Id -> document.
        own: Id -> own status, where a document shows another one from now on.
    """

    documents: Mapping[str, dict[str, Any]]
    own: Mapping[str, str]


def mended(
    known: Known, changeable: Mapping[str, dict[str, Any]], say: Say, *, keeps_own: bool
) -> Linked:
    """Return the documents with the mirrors that are missing, and shown as superseded if they are.

    Left alone is what has no one right answer: a link on a circle, and a mirror that would make
    the document invalid.

    Args:
        known: All memories, among them those that may not be changed.
        changeable: Id -> document, as it is to be written.
        say: Is told of every change.
        keeps_own: Whether an own status can be kept beside its document.
    """
    memories = {
        name: replace(memory, document=changeable.get(name, memory.document))
        for name, memory in known.memories.items()
    }
    changed = dict(changeable)
    for name, link in _safe_mirrors(memories, known.doubtful):
        if name in changed:
            grown = documents.with_links(changed[name], [*documents.links(changed[name]), link])
            if _is_valid(grown):
                changed[name] = grown
                memories[name] = replace(memories[name], document=grown)
                say(name, f"{link.kind} '{link.target}' was missing; added")
    own: dict[str, str] = {}
    for name in _superseded(memories, known.doubtful):
        was, kept = memories[name].status, memories[name].own_status
        if name in changed and (keeps_own or kept is Status.ACTIVE):
            own |= {} if kept is Status.ACTIVE else {name: kept.value}
            changed[name] = {**changed[name], "status": Status.SUPERSEDED.value}
            say(name, f"status '{was}' became '{Status.SUPERSEDED}'")
    return Linked(changed, own)


def _safe_mirrors(
    memories: Mapping[str, Memory], doubtful: set[str]
) -> Iterator[tuple[str, Link]]:
    """Yield (id, the link it lacks), but for links on a circle."""
    missing = [(link.target, relations.mirror(source, link))
               for source, link in relations.missing_mirrors(memories, doubtful)]  # fmt: skip
    closed = dict(memories)
    for name, link in missing:
        document = closed[name].document
        both = documents.with_links(document, [*documents.links(document), link])
        closed[name] = replace(closed[name], document=both)
    for name, link in missing:
        ahead = relations.acyclic_direction(name, link)
        if ahead is None or relations.path(ahead[0], ahead[2], ahead[1], closed.get) is None:
            yield name, link


def _superseded(memories: Mapping[str, Memory], doubtful: set[str]) -> Iterator[str]:
    """Yield the ids of memories that are superseded and show another status."""
    for problem in relations.problems(memories, doubtful):
        if problem.code == "superseded-not-shown" and problem.memory:
            yield problem.memory


def _is_valid(document: Mapping[str, Any]) -> bool:
    found = validation.check_document(document, stored=True)
    return not any(problem.severity is Severity.ERROR for problem in found)
