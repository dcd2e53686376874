"""Checks that memories carry, as a checkout stands to them."""

from __future__ import annotations

from collections.abc import Iterator

from project_memory.audit.evidence import Evidence, current
from project_memory.audit.finding import Finding, Severity
from project_memory.verdicts import Standing, Verdict

_SEVERITIES = {Standing.CONTRADICTED: Severity.WARNING, Standing.UNDECIDED: Severity.NOTE}


def failing(evidence: Evidence) -> Iterator[Finding]:
    """Find memories with a check that the code contradicts, or that cannot be decided."""
    for memory in current(evidence):
        for verdict in evidence.verdicts.get(memory.id, ()):
            yield _finding(memory.id, verdict)


def _finding(name: str, verdict: Verdict) -> Finding:
    place = {"file": verdict.file, "line": verdict.line}
    return Finding(
        f"check-{verdict.standing}",
        _SEVERITIES[verdict.standing],
        name,
        f"{verdict.message}; {verdict.fix}",
        {
            "path": f"$.checks[{verdict.position}]",
            **{key: value for key, value in place.items() if value is not None},
        },
    )
