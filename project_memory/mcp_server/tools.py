"""The tools: what agents read of each, and the one call on the application that each makes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from project_memory.app import ProjectMemory
from project_memory.errors import InvalidInput

_RECEIPT = "output/receipt"


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool.

    Attributes:
        name: What it is called by.
        title: What people read.
        call: (memory, **arguments) -> result; its docstring is the agent's manual.
        output: Name of the schema of its result.
        read_only: Whether it changes nothing.
        destructive: Whether it can take something away, if only until the next undo.
        idempotent: Whether a second equal call changes nothing more.
    """

    name: str
    title: str
    call: Callable[..., Any]
    output: str = _RECEIPT
    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False

    @property
    def description(self) -> str:
        """Return when to use it and what comes back."""
        return " ".join((inspect.getdoc(self.call) or "").split())


def _recall(memory: ProjectMemory, **query: Any) -> Any:
    """Use before starting project work, and at every error or symptom that may be known.

    Give the symptom in plain words. Returns the lessons that bear on it, best first: the first
    ones whole, the rest light. Wrong or outdated ones come under warnings, never as answers;
    nothing_relevant means that the store knows nothing of it. Before you change files, give them:
    without a query, what names them answers. With neither: standing rules, then the most central.
    """
    return memory.recall(**query)


def _search(memory: ProjectMemory, **query: Any) -> Any:
    """Use to see everything that carries certain labels or holds certain text.

    Complete, unranked, ordered by id; a banner marks what must not be taken as current.
    """
    return memory.search(**query)


def _get(memory: ProjectMemory, *, id: str, **when: Any) -> Any:  # noqa: A002  # the tool's argument
    """Use to read a memory whole, or as it once was.

    A banner says when it must not be taken as current, superseded_by what to read instead,
    suppressed_by who contradicts it and goes before it; meta.version is what if_version wants.
    """
    return memory.get(id, **when)


def _neighborhood(memory: ProjectMemory, *, id: str, **bounds: Any) -> Any:  # noqa: A002
    """Use when a memory helped and its causes, dependents, exceptions or successors may too.

    Returns light memories, nearest first, and typed links.
    """
    return memory.neighborhood(id, **bounds)


def _labels(memory: ProjectMemory, **choice: Any) -> Any:
    """Use before storing a memory or writing a label expression: reuse labels, invent none.

    Returns the registered labels by prefix.
    """
    return memory.labels(**choice)


def _create(
    opened: ProjectMemory,
    /,
    *,
    memory: Any = None,
    note: str | None = None,
    dry_run: bool = False,
    **options: Any,
) -> Any:
    """Use when a task taught something project-specific, not obvious and likely to recur.

    Recall first: extend a memory rather than add its twin. One lesson a memory; link what it
    bears on. Never a secret: say where it lives. Returns a receipt, which names near_duplicates,
    or every problem with its path. What a person must decide is kept as a proposal, and the
    receipt says so.
    """
    if (memory is None) is (note is None):
        raise InvalidInput(
            "create_memory takes either memory or note; give one of the two: memory for a lesson "
            "that is worked out, note for a thought"
        )
    if note is not None:
        return opened.note(note, dry_run=dry_run)
    return opened.create(memory, dry_run=dry_run, **options)


def _update(memory: ProjectMemory, *, id: str, patch: Any, **options: Any) -> Any:  # noqa: A002
    """Use to extend or correct a memory.

    Give the version you read as if_version, so that nobody's edit is lost. Returns a receipt.
    """
    return memory.update(id, patch, **options)


def _undo(memory: ProjectMemory, **options: Any) -> Any:
    """Use when your own last change here was a mistake.

    Takes back that whole operation; refused if what it touched has changed since.
    """
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
    """Use to record how two lessons bear on each other; write one side, the mirror is added.

    'NEW supersedes OLD' retires OLD. With remove, takes the link away on both sides.
    """
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
    """Use only when a person asks for it; otherwise let a successor supersede the memory.

    Wants the exact id twice. History keeps the text.
    """
    if confirm_exact_id != id:
        raise InvalidInput(
            f"confirm_exact_id is '{confirm_exact_id}', not '{id}'; nothing was deleted, "
            "repeat the exact id to delete it"
        )
    return memory.delete(id, if_version=if_version)


def _add_label(memory: ProjectMemory, *, label: str, **options: Any) -> Any:
    """Use when no registered label fits; see list_labels first.

    A near-twin of a registered label is refused unless distinct.
    """
    return memory.add_label(label, **options)


def _record_use(
    memory: ProjectMemory,
    *,
    memory_ids: list[str] | None = None,
    wrong_ids: list[str] | None = None,
    note: str | None = None,
) -> Any:
    """Use after a recalled memory changed what you did, or proved wrong.

    Counts only; no status changes.
    """
    return memory.record_use(memory_ids or (), wrong_ids=wrong_ids or (), note=note)


TOOLS = (
    Tool("recall", "Recall lessons", _recall, "output/recall", read_only=True, idempotent=True),
    Tool(
        "search_memories",
        "Search memories",
        _search,
        "output/search",
        read_only=True,
        idempotent=True,
    ),
    Tool("get_memory", "Read one memory", _get, "output/show", read_only=True, idempotent=True),
    Tool(
        "get_memory_neighborhood",
        "Read what is linked",
        _neighborhood,
        "output/neighborhood",
        read_only=True,
        idempotent=True,
    ),
    Tool("list_labels", "List labels", _labels, "output/labels-list", read_only=True,
         idempotent=True),
    Tool("create_memory", "Store a lesson", _create),
    Tool("update_memory", "Change a memory", _update, destructive=True, idempotent=True),
    Tool("undo", "Take back the last change", _undo, destructive=True),
    Tool("link_memories", "Link two memories", _link, destructive=True, idempotent=True),
    Tool("delete_memory", "Delete a memory", _delete, destructive=True, idempotent=True),
    Tool("add_label", "Register a label", _add_label, idempotent=True),
    Tool("record_memory_use", "Say what helped", _record_use, "tools/record_memory_use.output"),
)  # fmt: skip
"""Every tool, in the order in which they are listed."""

BY_NAME = {tool.name: tool for tool in TOOLS}
