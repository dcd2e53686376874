"""Text that looks like a credential; an older version, or an import, may have let it in."""

from __future__ import annotations

from collections.abc import Iterator

from project_memory import secrets
from project_memory.audit.evidence import Evidence
from project_memory.audit.finding import Finding, Severity
from project_memory.documents import quotable


def leaked(evidence: Evidence) -> Iterator[Finding]:
    """Find secrets in memories, archived ones too, and in the descriptions of labels."""
    for name in sorted(evidence.memories):
        for path, rule in secrets.scan_document(evidence.memories[name].document):
            yield _leak(name, path, rule)
    for name in sorted(evidence.registry.labels):
        for rule in secrets.scan(evidence.registry.labels[name].description):
            yield _leak(name, "description", rule)


def _leak(subject: str, path: str, rule: str) -> Finding:
    return Finding(
        "secret",
        Severity.ERROR,
        quotable(subject),
        f"{path} looks like a secret (rule '{rule}'); make it invalid where it is used, take it "
        "out, then purge the history that holds it",
        {"path": path, "rule": rule},
    )
