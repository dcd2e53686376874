"""The tools: what agents read of each, and the one call that each makes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from project_memory.app import ProjectMemory
from project_memory.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool.

    Attributes:
        name: What it is called by.
        title: What people read.
        description: When to use it, and what comes back: the agent's manual.
        call: (memory, **arguments) -> result.
        read_only: Whether it changes nothing.
        destructive: Whether it can take something away.
        idempotent: Whether a second call changes nothing more.
    """

    name: str
    title: str
    description: str
    call: Callable[..., Any]
    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False


def _recall(memory: ProjectMemory, **query: Any) -> Any:
    return memory.recall(**query)


def _search(memory: ProjectMemory, **query: Any) -> Any:
    return memory.search(**query)


def _get(memory: ProjectMemory, *, id: str, **when: Any) -> Any:  # noqa: A002  # the tool's argument
    return memory.get(id, **when)


def _neighborhood(memory: ProjectMemory, *, id: str, **bounds: Any) -> Any:  # noqa: A002
    return memory.neighborhood(id, **bounds)


def _labels(memory: ProjectMemory, **choice: Any) -> Any:
    return memory.labels(**choice)


def _create(opened: ProjectMemory, /, *, memory: Any, **options: Any) -> Any:
    return opened.create(memory, **options)


def _update(memory: ProjectMemory, *, id: str, patch: Any, **options: Any) -> Any:  # noqa: A002
    return memory.update(id, patch, **options)


def _undo(memory: ProjectMemory, **options: Any) -> Any:
    return memory.undo(**options)


def _link(
    memory: ProjectMemory,
    *,
    from_id: str,
    kind: str,
    to_id: str,
    reason: str | None = None,
    remove: bool = False,
    dry_run: bool = False,
) -> Any:
    if remove:
        return memory.unlink(from_id, kind, to_id, reason=reason, dry_run=dry_run)
    return memory.link(from_id, kind, to_id, link_reason=reason, dry_run=dry_run)


def _delete(
    memory: ProjectMemory,
    *,
    id: str,  # noqa: A002
    confirm_exact_id: str,
    if_version: int | None = None,
) -> Any:
    if confirm_exact_id != id:
        raise InvalidInput(
            f"confirm_exact_id is '{confirm_exact_id}', not '{id}'; nothing was deleted"
        )
    return memory.delete(id, if_version=if_version)


def _add_label(memory: ProjectMemory, *, label: str, **options: Any) -> Any:
    return memory.add_label(label, **options)


def _record_use(memory: ProjectMemory, **use: Any) -> Any:
    return memory.record_use(use.get("memory_ids", ()), wrong_ids=use.get("wrong_ids", ()),
                             note=use.get("note"))  # fmt: skip


TOOLS = (
    Tool(
        "recall",
        "Recall lessons",
        "Use before starting project work, and at every error or symptom that might have been "
        "met before. Give the symptom in plain words. Returns the lessons that bear on it, best "
        "first: the first ones whole, the rest light. Wrong or outdated ones come under "
        "warnings, never as answers. nothing_relevant means that the store knows nothing of it. "
        "Without a query: standing rules, then the most central lessons.",
        _recall,
        read_only=True,
        idempotent=True,
    ),
    Tool(
        "search_memories",
        "Search memories",
        "Use to see everything that carries certain labels or holds certain text, without "
        "ranking. Complete; ordered by id; outdated ones carry a banner.",
        _search,
        read_only=True,
        idempotent=True,
    ),
    Tool(
        "get_memory",
        "Read one memory",
        "Use to read a memory whole, or as it was. A banner says when it must not be taken as "
        "current, and superseded_by what to read instead. meta.version is what if_version needs.",
        _get,
        read_only=True,
        idempotent=True,
    ),
    Tool(
        "get_memory_neighborhood",
        "Read what is linked",
        "Use when a memory helped and you want its causes, dependents, exceptions or successors. "
        "Returns light memories and typed links.",
        _neighborhood,
        read_only=True,
        idempotent=True,
    ),
    Tool(
        "list_labels",
        "List labels",
        "Use before creating a memory or a label expression, to reuse labels instead of "
        "inventing them.",
        _labels,
        read_only=True,
        idempotent=True,
    ),
    Tool(
        "create_memory",
        "Store a lesson",
        "Use at the end of a task that taught something specific to this project, not obvious "
        "and likely to come back. Recall first: extend a memory rather than add a twin. One "
        "lesson a memory. Never put in a secret: say where it lives. Returns a receipt, or every "
        "problem with its path.",
        _create,
    ),
    Tool(
        "update_memory",
        "Change a memory",
        "Use to extend or correct a memory. Pass the version you read as if_version, so that "
        "nobody's edit is lost. Lists are replaced whole.",
        _update,
        idempotent=True,
    ),
    Tool(
        "undo",
        "Take back the last change",
        "Use when your last change to this project was a mistake. Takes back the whole "
        "operation; refused if what it touched has changed since.",
        _undo,
        destructive=True,
    ),
    Tool(
        "link_memories",
        "Link two memories",
        "Use to record how two lessons bear on each other; write one side, the mirror is added. "
        "'NEW supersedes OLD' retires OLD. With remove, takes the link away.",
        _link,
        idempotent=True,
    ),
    Tool(
        "delete_memory",
        "Delete a memory",
        "Use only when a person asks for it; otherwise link a successor with supersedes. "
        "Needs the exact id twice. History keeps the text.",
        _delete,
        destructive=True,
    ),
    Tool(
        "add_label",
        "Register a label",
        "Use when no registered label fits; list_labels first. A near-twin is refused unless "
        "distinct.",
        _add_label,
        idempotent=True,
    ),
    Tool(
        "record_memory_use",
        "Say what helped",
        "Use after a recalled memory changed what you did, or proved wrong. Counts only; no "
        "status changes.",
        _record_use,
    ),
)  # fmt: skip
"""Every tool, in the order in which they are listed."""

BY_NAME = {tool.name: tool for tool in TOOLS}
