"""What an import refuses before it begins."""

from __future__ import annotations

from project_memory import secrets
from project_memory.errors import InvalidDocument, SecretFound
from project_memory.exchange import Package
from project_memory.model import Severity, as_json
from project_memory.services.validate import document_problems, secret_questions


def refuse_broken(package: Package) -> None:
    """Refuse a package of which any part is broken.

    Raises:
        InvalidDocument: with every problem.
        SecretFound: documents hold what looks like a credential, and nothing else is wrong.
    """
    found = list(package.problems)
    for incoming in package.memories:
        found += document_problems(incoming)
    found += secret_questions(package)
    errors = [problem for problem in found if problem.severity is Severity.ERROR]
    if any(problem.code != "secret" for problem in errors):
        raise InvalidDocument(errors)
    if errors:
        raise SecretFound(
            [
                (f"{incoming.file} {path}", rule)
                for incoming in package.memories
                for path, rule in secrets.scan_document(incoming.document)
            ]
            + [
                (f"the description of '{label.name}'", rule)
                for label in package.registry.labels.values()
                for rule in secrets.scan(label.description)
            ]
            + _leaks(package)
        )


def _leaks(package: Package) -> list[tuple[str, str]]:
    return [(f"expectation '{each.id}'", rule) for each in package.expectations
            for rule in secrets.scan(f"{each.query}\n{each.labels or ''}")]  # fmt: skip


def refuse_secrets_beside(package: Package) -> None:
    """Refuse what looks like a credential in the history, in proposals, or beside a document.

    Raises:
        SecretFound: with each place.
    """
    rows = [(f"revision {revision.number}", as_json(revision)) for revision in package.history]
    rows += [(f"what stands beside '{i.document['id']}'", i.meta or {}) for i in package.memories]
    rows += [(f"a proposal of '{p.actor.name}'", as_json(p)) for p in package.proposals]
    leaks = [(f"{row} {path}", rule) for row, value in rows
             for path, rule in secrets.scan_document(value)]  # fmt: skip
    if leaks:
        raise SecretFound(leaks)
