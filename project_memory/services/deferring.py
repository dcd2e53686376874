"""Turn what an import may not change by itself into proposals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from project_memory import access, documents, lifecycle
from project_memory.documents import Link
from project_memory.errors import InvalidInput
from project_memory.model import Authority, Document, Memory, Status
from project_memory.proposals import Operation, Proposal
from project_memory.services import batch, proposing
from project_memory.services.working_set import WorkingSet

_OWN = frozenset({"id", "schema_version", "status", "status_reason", "relationships"})
_RETIRING = ("supersedes", "superseded_by")


def is_protected(work: WorkingSet, memory: Memory) -> bool:
    """Return whether an import leaves this memory to a person."""
    restores = work.actor.authority is Authority.USER
    return not restores and bool(access.protection(work.project.settings, work.caller, memory))


def update(work: WorkingSet, found: Memory, document: Document) -> bool:
    """Propose what a document says about a memory; return whether it says anything new."""
    patch = documents.patch_between(_text(found.document), _text(document))
    operations: list[Operation] = []
    if patch:
        operations.append({"op": "update", "id": found.id, "patch": patch})
    own = lifecycle.worse(found.own_status, Status(document["status"]))
    if own is not found.own_status:
        reason = document.get("status_reason") or "imported so"
        operations.append({"op": "status", "id": found.id, "status": own, "reason": reason})
    if operations:
        propose(work, found, *operations)
    return bool(operations)


def claim(work: WorkingSet, memory_id: str, patch: Mapping[str, Any], because: str) -> None:
    """Propose to give a memory what only a person can give."""
    operation = {"op": "update", "id": memory_id, "patch": patch}
    made = proposing.blank(work, "import")
    work.proposals.append(replace(made, operations=(operation,), because=(because,)))


def without_privileges(
    work: WorkingSet, document: Mapping[str, Any], found: Memory | None
) -> tuple[dict[str, Any], list[str]]:
    """Return (a document without what only a person can give, a sentence for each such claim).

    What is left out is proposed; what `found`, the memory here, has already stays.
    """
    kept, told = dict(document), []
    before = found.document if found else {}
    if kept.get("standing") and not before.get("standing"):
        del kept["standing"]
        told.append(f"'{kept['id']}' came as a standing rule; only a person can make it one here")
        because = f"standing of '{kept['id']}' can be set only by a person"
        claim(work, kept["id"], {"standing": True}, because)
    everywhere = before.get("scope", {}).get("reach") == "everywhere"
    if kept["scope"].get("reach") == "everywhere" and not everywhere:
        kept["scope"] = {**kept["scope"], "reach": "project"}
        told.append(
            f"'{kept['id']}' came with reach everywhere; only a person can give it that here"
        )
        because = f"scope.reach of '{kept['id']}' can be set only by a person"
        claim(work, kept["id"], {"scope": {"reach": "everywhere"}}, because)
    return kept, told


def link(work: WorkingSet, source_id: str, held: Link) -> bool:
    """Propose a link that would retire a protected memory; return whether it is such a link."""
    if held.kind not in _RETIRING or work.find(held.target) is None:
        return False
    old = work.get(held.target if held.kind == "supersedes" else source_id)
    source = work.get(source_id)
    if not is_protected(work, old) or held in documents.links(source.document):
        return False
    operation = {"op": "link", "from_id": source_id, "kind": held.kind, "to_id": held.target}
    propose(work, old, operation)
    return True


def restore(work: WorkingSet, proposals: Iterable[Proposal]) -> None:
    """Let what waited in the project that was exported wait in this one.

    Raises:
        InvalidInput: a proposal is malformed.
    """
    for proposal in proposals:
        batch.check(proposal.operations)
        if bool(proposal.operations) is (proposal.note is not None):
            raise InvalidInput(
                f"a proposal of '{proposal.actor.name}' is neither operations nor a note; "
                "export it again"
            )
        work.proposals.append(replace(proposal, revision=work.project.revision))


def propose(work: WorkingSet, memory: Memory, *operations: Operation) -> None:
    """Propose what would change a memory that an import leaves to a person."""
    made = replace(
        proposing.blank(work, "import"),
        operations=operations,
        because=tuple(access.protection(work.project.settings, work.caller, memory)),
        versions={memory.id: memory.version},
    )
    work.proposals.append(made)


def _text(document: Document) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name not in _OWN}
