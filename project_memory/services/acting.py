"""Act on what an audit found: in one transaction, within a limit, only on what was printed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from project_memory import access, audit
from project_memory.audit import Finding, policy
from project_memory.errors import Conflict, ProjectMemoryError
from project_memory.model import Project
from project_memory.ports import Storage
from project_memory.proposals import State
from project_memory.services import batch
from project_memory.services.audit_report import Applied, AuditReport
from project_memory.services.transaction import Order, Watch, commit, unwatched
from project_memory.services.working_set import WorkingSet


def act(
    storage: Storage,
    project: Project,
    report: AuditReport,
    order: Order,
    watch: Watch = unwatched,
) -> AuditReport:
    """Apply the actions of a report, wholly or not at all, and return it with what became of them.

    What waits for a person as a proposal already is left.

    Raises:
        Conflict: the project has changed since the audit.
        ProjectMemoryError: whatever an action raises, with the finding in a note; nothing is
            changed then.
    """
    limit = policy.action_limit(report.policy, report.checked)
    waiting = _waiting(storage, project)
    free = [f for f in report.findings if f.action is None or _operation(f) not in waiting]
    chosen = audit.planned(free, limit)
    operations = [_operation(finding) for finding in chosen]
    batch.check(operations)

    def run(work: WorkingSet) -> None:
        _refuse_moved(work, report.store.revision)
        for finding, operation in zip(chosen, operations, strict=True):
            _perform(work, finding, operation)
        _lend_no_word(work)

    receipt = commit(storage, project.name, replace(order, operations=operations), run, watch)
    acting = sum(finding.action is not None for finding in report.findings)
    done = bool(chosen) and not (receipt.dry_run or receipt.proposals)
    undo = f"project-memory undo --revision {receipt.revision}" if done else None
    applied = Applied(chosen, acting - len(chosen), limit, receipt, undo)
    return replace(report, applied=applied)


def _perform(work: WorkingSet, finding: Finding, operation: dict[str, Any]) -> None:
    try:
        batch.perform(work, operation)
    except ProjectMemoryError as error:
        error.add_note(
            f"nothing was done, since {finding.code} of '{finding.subject}' cannot be put right "
            f"as proposed; do it by hand, or leave such findings with --ignore {finding.code}"
        )
        raise


def _lend_no_word(work: WorkingSet) -> None:
    """Leave everything asserted by whom it was: who lets an audit act has read no text for it."""
    for change in work.memory_changes():
        before, after = change.before, change.after
        if before and after and access.lends_word(before, after):
            work.put(replace(after, asserted_by=before.asserted_by), "updated", authored=False)


def _waiting(storage: Storage, project: Project) -> list[dict[str, Any]]:
    with storage.read() as reader:
        proposals = reader.proposals(project.key, State.WAITING)
        return [dict(operation) for proposal in proposals for operation in proposal.operations]


def _refuse_moved(work: WorkingSet, revision: int) -> None:
    if work.project.revision != revision:
        raise Conflict(
            f"'{work.project.name}' is at revision {work.project.revision} and was audited at "
            f"{revision}; audit it again"
        )


def _operation(finding: Finding) -> dict[str, Any]:
    assert finding.action is not None
    return {"op": finding.action.operation, **finding.action.arguments}
