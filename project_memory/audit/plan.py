"""Choose what of an audit's findings to act on at once."""

from __future__ import annotations

from collections.abc import Iterable

from project_memory.audit.finding import Finding


def planned(findings: Iterable[Finding], limit: int) -> tuple[Finding, ...]:
    """Return the findings to act on, in their order, at most `limit`.

    No two actions touch one subject, and none takes away what another one relies on: of two
    halves of anything, one stays.
    """
    chosen: list[Finding] = []
    touched: set[str] = set()
    needed: set[str] = set()
    for finding in findings:
        if finding.action is None or len(chosen) == limit:
            continue
        keeps = set(finding.action.keeps)
        if finding.subject in touched | needed or touched & keeps:
            continue
        chosen.append(finding)
        touched.add(finding.subject)
        needed |= keeps
    return tuple(chosen)
