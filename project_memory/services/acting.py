"""Act on what an audit found: in one transaction, within a limit, only on what was printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from project_memory import access, audit
from project_memory.audit import Finding, policy
from project_memory.errors import Conflict, ProjectMemoryError
from project_memory.model import Project, as_json
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


def only(report: AuditReport, subject: str, action: Mapping[str, Any], at: int) -> AuditReport:
    """Return a report with nothing but the finding on a subject that has this action.

    Args:
        report: An audit of the present.
        subject: What the finding is about.
        action: Its operation and arguments as they were printed.
        at: Revision of the project for which they were.

    Raises:
        Conflict: the project has changed since, or nothing is found any more that has the action.
    """
    project, present = report.store.project, report.store.revision
    if present != at:
        raise _moved(project, present, at)
    found = tuple(
        finding
        for finding in report.findings
        if finding.subject == subject
        and finding.action is not None
        and finding.action.operation == action.get("operation")
        and as_json(finding.action.arguments) == action.get("arguments")
    )
    if not found:
        raise Conflict(f"no such action is found of '{subject}' any more; audit it again")
    return replace(report, findings=found[:1])


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
        raise _moved(work.project.name, work.project.revision, revision)


def _moved(project: str, present: int, audited: int) -> Conflict:
    return Conflict(
        f"'{project}' is at revision {present} and was audited at {audited}; audit it again"
    )


def _operation(finding: Finding) -> dict[str, Any]:
    assert finding.action is not None
    return {"op": finding.action.operation, **finding.action.arguments}
