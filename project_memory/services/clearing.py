"""Take what is told of a memory out of one project: its history, and what stands beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from project_memory.model import Expectation, Project, Revision, timestamp
from project_memory.ports import Reader, Writer
from project_memory.proposals import Decision, Proposal, State
from project_memory.services import gaps
from project_memory.services.traces import (
    Traces,
    cleaned,
    cleaned_expectation,
    cleaned_proposal,
    is_about,
    said,
)
from project_memory.services.transaction import Order


@dataclass(frozen=True, slots=True)
class Telling:
    """Where a project tells of a memory, the memory itself aside.

    Attributes:
        revisions: Numbers of the revisions.
        proposals: What is to stand in the place of each proposal.
        sightings: Subjects of what audits found.
        expectations: Id -> what is left of it, or None.
        questions: Texts of the questions.
    """

    revisions: tuple[int, ...]
    proposals: tuple[Proposal, ...]
    sightings: tuple[str, ...]
    expectations: dict[str, Expectation | None]
    questions: tuple[str, ...]

    def __bool__(self) -> bool:
        """Return whether it tells of it at all."""
        beside = self.proposals or self.sightings or self.expectations or self.questions
        return bool(self.revisions or beside)


def telling(reader: Reader, project: Project, known: Traces, order: Order) -> Telling:
    """Return where a project tells of a memory."""
    kept = reader.expectations(project.key)
    left = {each.id: cleaned_expectation(known, each) for each in kept}
    return Telling(
        tuple(r.number for r in reader.revisions(project.key) if cleaned(known, r) is not r),
        tuple(_proposals(reader, project, known, order)),
        tuple({s.subject: None for s in reader.sightings(project.key)
               if s.subject in known.ids or is_about(known, s)}),
        {each.id: left[each.id] for each in kept if left[each.id] != each},
        tuple(gaps.telling(reader.questions(project.key), known.texts, known.ids)),
    )  # fmt: skip


def clear(
    writer: Writer, project: Project, known: Traces, found: Telling, own: range = range(0)
) -> None:
    """Take out what was found; revisions of the purge itself, `own`, keep their reason."""

    def rewritten(revision: Revision) -> Revision:
        return cleaned(known, revision, keep_reason=revision.number in own)

    writer.rewrite_history(project.key, rewritten)
    for proposal in found.proposals:
        writer.put_proposal(project.key, proposal)
    for subject in found.sightings:
        writer.remove_sightings(project.key, subject)
    for name, left in found.expectations.items():
        if left is None:
            writer.remove_expectation(project.key, name)
        else:
            writer.put_expectation(project.key, left)
    writer.forget_questions(project.key, found.questions)


def bare(number: int, order: Order, reason: str | None) -> Revision:
    """Return a revision that changes nothing, and tells other processes of the purge."""
    return Revision(number, order.actor, order.operation, reason, timestamp(order.moment), ())


def _proposals(
    reader: Reader, project: Project, known: Traces, order: Order
) -> Iterator[Proposal]:
    spoken = said(known)
    for proposal in reader.proposals(project.key):
        if is_about(spoken, proposal):
            yield _emptied(proposal, order)
        elif is_about(known, proposal):
            yield cleaned_proposal(known, proposal)


def _emptied(found: Proposal, order: Order) -> Proposal:
    """Return a proposal without what it said; one that waited is withdrawn."""
    decision = found.decision and replace(found.decision, reason=None)
    waited = found.state is State.WAITING
    ended = Decision(order.actor, timestamp(order.moment)) if waited else decision
    return Proposal(
        found.number, found.actor, found.time, found.revision, found.operation,
        because=("what it was about was purged",),
        state=State.WITHDRAWN if waited else found.state,
        skipped_at=found.skipped_at,
        decision=ended,
    )  # fmt: skip
