"""Keep as a proposal what a person must decide."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from project_memory import access, secrets
from project_memory.errors import SecretFound
from project_memory.model import MemoryChange
from project_memory.ports import Writer
from project_memory.proposals import Operation, Proposal
from project_memory.services.working_set import WorkingSet


def reasons(work: WorkingSet) -> list[str]:
    """Return why a person must decide what a working set holds, each once; none if nobody must."""
    settings, changes = work.project.settings, work.memory_changes()
    others = [*work.label_changes(), *work.expectation_changes()]
    if access.reviews_writes(settings, work.caller) and (changes or others):
        return ["this project reviews what agents write"]
    renamed = {c.before.id: c.after.id for c in changes if c.before and c.after}
    deed = access.Deed(work.caller, work.actor, renamed, takes_back=work.taken_back)
    found = [
        reason
        for change in work.expectation_changes()
        for reason in access.reasons_to_review_expectation(settings, work.caller, change)
    ]
    found += (
        reason
        for change in changes
        for reason in access.reasons_for_review(
            settings, deed, change, authored=work.is_authored(change.key)
        )
    )
    return list(dict.fromkeys(found))


def proposed(
    work: WorkingSet,
    operation: str,
    operations: Sequence[Operation],
    *,
    reason: str | None,
    because: Iterable[str],
) -> Proposal:
    """Return the proposal to do these operations; its number is 0 until it is kept.

    Raises:
        SecretFound: an operation holds what looks like a credential.
    """
    plain = tuple(_without_condition(each) for each in operations)
    _refuse_secrets(plain)
    made = blank(work, operation)
    versions = _versions(work.memory_changes(), work)
    return replace(
        made, operations=plain, reason=reason, because=tuple(because), versions=versions
    )


def blank(work: WorkingSet, operation: str) -> Proposal:
    """Return a proposal of the caller's that says nothing yet."""
    return Proposal(0, work.caller, work.now, work.project.revision, operation)


def keep(writer: Writer, work: WorkingSet, proposals: Iterable[Proposal]) -> tuple[int, ...]:
    """Store proposals and return their numbers.

    A new one that says the same as one of the same actor's that waits is that one.
    """
    numbers = []
    waiting: dict[str, int] | None = None
    for proposal in proposals:
        if waiting is None:
            waiting = {_content(one): one.number for one in work.waiting()}
        number = proposal.number or waiting.get(_content(proposal), 0)
        if number and not proposal.number:
            work.notes.append(f"it waits already, as proposal {number}")
        else:
            number = number or writer.next_proposal(work.project.key)
            kept = proposal if proposal.number else _numbered(work, proposal, number)
            writer.put_proposal(work.project.key, kept)
            waiting[_content(proposal)] = number
        numbers.append(number)
    return tuple(numbers)


def _numbered(work: WorkingSet, proposal: Proposal, number: int) -> Proposal:
    """Return a new proposal, made on what the working set leaves unless it says on what."""
    named = (work.find(operation.get("id", "")) for operation in proposal.operations)
    versions = {memory.id: memory.version for memory in named if memory is not None}
    return replace(proposal, number=number, versions=proposal.versions or versions)


def _content(proposal: Proposal) -> str:
    said = [proposal.actor.name, proposal.actor.authority, proposal.note, *proposal.operations]
    return json.dumps(said, sort_keys=True, default=dict)


def _without_condition(operation: Operation) -> dict[str, Any]:
    """Return an operation without its version: the proposal keeps those of all it touches."""
    return {k: v for k, v in operation.items() if v is not None and k != "if_version"}


def _refuse_secrets(operations: Sequence[Operation]) -> None:
    leaks = [(f"operation {position} {path}", rule)
             for position, operation in enumerate(operations)
             for path, rule in secrets.scan_document(operation)]  # fmt: skip
    if leaks:
        raise SecretFound(leaks)


def _versions(changes: Iterable[MemoryChange], work: WorkingSet) -> dict[str, int]:
    """Return id -> version of the memories that are changed by name or change their status."""
    return {
        change.before.id: change.before.version
        for change in changes
        if change.before is not None
        and (
            work.is_authored(change.key)
            or change.after is None
            or change.before.status is not change.after.status
        )
    }
