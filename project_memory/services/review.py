"""Decide what waits: apply, reject, skip; and write a note down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from project_memory import access, documents, validation
from project_memory.errors import Conflict, InvalidInput, ProposalConflict
from project_memory.proposals import Decision, Proposal, State
from project_memory.services import batch, curate, proposing
from project_memory.services.conflicts import conflicts
from project_memory.services.reasons import refuse_secret
from project_memory.services.working_set import WorkingSet


def note(work: WorkingSet, text: str) -> None:
    """Keep a plain-text note until somebody makes a memory of it.

    Raises:
        InvalidInput: the text is blank, too long, or holds control characters.
        SecretFound: it looks like a credential.
    """
    cleaned = documents.cleaned(text)
    for problem in validation.check_form(cleaned, "note"):
        raise InvalidInput(f"the note cannot be kept: {problem.message}")
    refuse_secret(cleaned, "the note")
    work.proposals.append(replace(proposing.blank(work, "note"), note=cleaned))
    work.notes.append("the note waits in the inbox until somebody makes a memory of it")


def apply(
    work: WorkingSet,
    number: int,
    *,
    draft: Mapping[str, Any] | None = None,
    anyway: bool = False,
    reason: str | None = None,
) -> None:
    """Do what a proposal says, to the project as it is; a note becomes the `draft`.

    Raises:
        NotFound: there is no such proposal, or what it is about is gone.
        Conflict: it has been decided already.
        Forbidden: a person must decide.
        InvalidInput: a note comes without a draft, or another proposal with one.
        ProposalConflict: what it changes has changed since, and `anyway` is false.
    """
    proposal = _undecided(work, number)
    access.check_applying(work.project.settings, work.actor, proposal)
    if proposal.note is not None:
        curate.create(work, _needed(proposal, draft))
    elif draft is not None:
        raise InvalidInput(f"proposal {number} is no note; apply it without a draft")
    else:
        work.author = proposal.actor.name
        batch.run(work, proposal.operations)
        found = conflicts(work, proposal)
        if found and not anyway:
            raise ProposalConflict(number, found)
    _decide(work, proposal, State.APPLIED, reason)


def reject(work: WorkingSet, number: int, *, reason: str | None = None) -> None:
    """End a proposal without applying it; it is kept, with who ended it and why.

    Raises:
        NotFound: there is no such proposal.
        Conflict: it has been decided already.
        Forbidden: the actor is neither a person nor who proposed it.
    """
    proposal = _undecided(work, number)
    _decide(work, proposal, access.state_when_ended(work.actor, proposal), reason)


def skip(work: WorkingSet, number: int) -> None:
    """Put a proposal off: it waits behind all others, unchanged.

    Raises:
        NotFound: there is no such proposal.
        Conflict: it has been decided already.
        Forbidden: the actor is no person.
    """
    access.check_person(work.actor, "put a proposal off")
    work.proposals.append(replace(_undecided(work, number), skipped_at=work.now))
    work.notes.append(f"proposal {number} waits on, behind all others")


def reopen(work: WorkingSet, revision: int) -> None:
    """Let wait again what a revision, which is taken back, applied; what was purged is no more."""
    for proposal in work.applied_by(revision):
        if proposal.operations or proposal.note is not None:
            work.proposals.append(replace(proposal, state=State.WAITING, decision=None))
            work.notes.append(f"proposal {proposal.number} waits again")


def _undecided(work: WorkingSet, number: int) -> Proposal:
    proposal = work.proposal(number)
    if proposal.decision is not None:
        raise Conflict(
            f"proposal {number} was {proposal.state} by '{proposal.decision.actor.name}' at "
            f"{proposal.decision.time}; `project-memory review list` shows those that wait"
        )
    return proposal


def _needed(proposal: Proposal, draft: Mapping[str, Any] | None) -> Mapping[str, Any]:
    if draft is None:
        raise InvalidInput(
            f"proposal {proposal.number} is a note; give the draft of the memory that it becomes "
            "(--draft)"
        )
    return draft


def _decide(work: WorkingSet, proposal: Proposal, state: State, reason: str | None) -> None:
    decision = Decision(work.caller, work.now, reason)
    work.proposals.append(replace(proposal, state=state, decision=decision))
    work.notes.append(f"proposal {proposal.number} of '{proposal.actor.name}' is {state}")
