"""Say what a transaction did, or what it keeps for a person to decide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from project_memory import documents
from project_memory.model import (
    Memory,
    MemoryChange,
    Problem,
    Receipt,
    Severity,
    Touched,
)
from project_memory.proposals import Proposal
from project_memory.services.working_set import WorkingSet


def of_change(
    work: WorkingSet, operation: str, revision: int, proposals: Sequence[int], *, dry_run: bool
) -> Receipt:
    """Return what was changed, or would be by a dry run."""
    changes = work.memory_changes()
    touched = [_touched(work, change) for change in changes]
    touched.sort(key=lambda t: (t.change in {"mirrored", "status-shown"}, t.id))
    names = work.changed_labels()
    expected = work.expectation_changes()
    nothing = () if changes or names or expected or work.proposals else ("nothing changed",)
    return Receipt(
        operation=operation,
        project=work.project.name,
        revision=revision,
        dry_run=dry_run,
        memories=tuple(touched),
        labels=names,
        expectations=tuple(change.expectation.id for change in expected),
        notes=(*work.notes, *nothing),
        warnings=tuple(_warnings(work, changes)),
        near_duplicates=tuple(work.near_duplicates),
        proposals=tuple(proposals),
    )


def of_proposal(work: WorkingSet, proposal: Proposal, numbers: Sequence[int]) -> Receipt:
    """Return what was kept for a person, or would be: there is no number after a dry run."""
    kept = f"kept as proposal {numbers[0]}" if numbers else "it would be kept as a proposal"
    changes = work.memory_changes()
    ids = ", ".join(f"'{change.id}'" for change in changes)
    return Receipt(
        operation=proposal.operation,
        project=work.project.name,
        revision=work.project.revision,
        dry_run=not numbers,
        notes=(
            f"{kept} for a person to decide, because {'; '.join(proposal.because)}",
            f"nothing is changed until then{f'; it is about {ids}' if ids else ''}",
            *work.notes,
        ),
        warnings=tuple(_warnings(work, changes)),
        near_duplicates=tuple(work.near_duplicates),
        proposals=tuple(numbers),
    )


def _touched(work: WorkingSet, change: MemoryChange) -> Touched:
    before, after = change.before, change.after
    subject = after or before
    assert subject is not None
    moved = before.id if before and after and before.id != after.id else None
    return Touched(
        id=subject.id,
        change=work.event(subject.key) or _neighbour_event(before, after),
        version=subject.version,
        status=after.status if after else None,
        previous_id=moved,
    )


def _neighbour_event(before: Memory | None, after: Memory | None) -> str:
    assert before is not None
    assert after is not None
    if before.document["labels"] != after.document["labels"]:
        return "relabelled"
    linked = documents.links(before.document), documents.links(after.document)
    return "mirrored" if set(linked[0]) != set(linked[1]) else "status-shown"


def _warnings(work: WorkingSet, changes: Iterable[MemoryChange]) -> Iterator[Problem]:
    for change in changes:
        if change.after is not None and work.is_authored(change.after.key):
            found = work.problems(change.after)
            yield from (p for p in found if p.severity is Severity.WARNING)
