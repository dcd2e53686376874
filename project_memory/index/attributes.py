"""What a memory can be selected by, text apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from project_memory import documents, globs
from project_memory.model import Document, Memory

FIELDS = (
    *("status", "id", "author", "asserted", "reach", "confidence", "is", "label", "tag"),
    *("file", "glob", "checked", "linked", "created", "updated", "validated", "expires"),
)
"""Every field that `attributes` yields.

They are those of the language, and: ``label``; ``glob``, for files stored with wildcards;
``checked``, for paths and globs of checks;
``expires``, for facts; and ``is`` also tells ``any`` and, of a memory with links, ``linked``.
"""


def attributes(memory: Memory) -> Iterator[tuple[str, str]]:
    """Yield (field, value), some perhaps twice; a day comes with its month and its year."""
    document = memory.document
    scope, evidence = document["scope"], document["evidence"]
    yield "status", document["status"]
    yield "id", memory.id
    yield "author", memory.author
    yield "asserted", memory.asserted_by.value
    yield "reach", scope.get("reach", "project")
    if "confidence" in evidence:
        yield "confidence", evidence["confidence"]
    linked = [("linked", link.target) for link in documents.links(document)]
    yield from linked
    yield from (("is", flag) for flag in _flags(memory, is_linked=bool(linked)))
    yield from (("label", label) for label in document["labels"])
    yield from (("tag", tag) for tag in document["tags"])
    yield from (_file(globs.plain(path)) for path in scope.get("files", ()))
    checks = document.get("checks", ())
    yield from (("checked", globs.plain(each["path"])) for each in checks if "path" in each)
    yield from _days("created", memory.created_at)
    yield from _days("updated", memory.updated_at)
    yield from _days("validated", evidence["last_validated"])
    for fact in _dated_facts(document):
        yield from _days("expires", fact["expires"])


def _flags(memory: Memory, *, is_linked: bool) -> Iterator[str]:
    yield "any"
    if memory.archived:
        yield "archived"
    if memory.pinned:
        yield "pinned"
    if memory.document.get("standing"):
        yield "standing"
    if is_linked:
        yield "linked"


def _file(path: str) -> tuple[str, str]:
    return ("glob" if globs.is_glob(path) else "file"), path


def _days(field: str, moment: str) -> Iterator[tuple[str, str]]:
    yield field, moment[:4]
    yield field, moment[:7]
    yield field, moment[:10]


def _dated_facts(document: Document) -> Iterator[dict[str, Any]]:
    for fact in document["remembered_facts"]:
        if isinstance(fact, dict) and "expires" in fact:
            yield fact
