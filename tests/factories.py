"""Valid objects for tests; every field can be overridden."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from project_memory.audit import Evidence, Policy
from project_memory.model import (
    Actor,
    Authority,
    Change,
    Memory,
    Registry,
    Revision,
    Status,
    Usage,
)

KINDS = (
    "related",
    "supersedes",
    "superseded_by",
    "contradicts",
    "depends_on",
    "required_by",
    "caused_by",
    "causes",
    "generalizes",
    "specializes",
)


def draft(**fields: Any) -> dict[str, Any]:
    """Return the smallest useful draft."""
    return {
        "description": "Writers on one SQLite file see 'database is locked' under load",
        "labels": ["kind:bug"],
        "remembered_facts": ["a deferred transaction that upgrades fails at once"],
        **fields,
    }


def document(**fields: Any) -> dict[str, Any]:
    """Return a complete canonical document."""
    relationships = {kind: [] for kind in KINDS} | fields.pop("relationships", {})
    return {
        "schema_version": 1,
        "id": "sqlite-locked",
        "status": "active",
        "description": "Writers on one SQLite file see 'database is locked' under load",
        "labels": ["kind:bug"],
        "tags": [],
        "scope": {"project": "demo", "files": [], "applies_to": [], "reach": "project"},
        "triggers": [],
        "remembered_facts": ["a deferred transaction that upgrades fails at once"],
        "solution_pattern": [],
        "pitfalls": [],
        "evidence": {"created_from_task": "unit test", "last_validated": "2026-01-31"},
        "relationships": relationships,
        **fields,
    }


def memory(key: int = 1, **fields: Any) -> Memory:
    """Return a stored memory; fields of `Memory` override, all others go into the document."""
    beside = {
        name: fields.pop(name)
        for name in tuple(fields)
        if name in Memory.__slots__ and name != "document"
    }
    return Memory(
        **{
            "key": key,
            "document": document(**fields),
            "own_status": Status.ACTIVE,
            "version": 1,
            "links_version": 1,
            "created_at": "2026-01-31T09:30:00Z",
            "updated_at": "2026-01-31T09:30:00Z",
            "author": "ada",
            "asserted_by": Authority.USER,
            **beside,
        }
    )


def revision(number: int = 1, *changes: Change, actor: str = "ada", **fields: Any) -> Revision:
    """Return a revision; every field can be overridden."""
    return Revision(
        **{
            "number": number,
            "actor": Actor(actor, Authority.USER),
            "operation": "create",
            "reason": None,
            "time": "2026-01-31T09:30:00Z",
            "changes": changes,
            **fields,
        }
    )


def evidence(*memories: Memory, **fields: Any) -> Evidence:
    """Return what checks judge: these memories on 2026-03-01; every field can be overridden."""
    return Evidence(
        **{
            "memories": {each.id: each for each in sorted(memories, key=lambda m: m.id)},
            "registry": Registry(),
            "usage": Usage(),
            "policy": Policy(),
            "now": datetime(2026, 3, 1, tzinfo=UTC),
            **fields,
        }
    )
