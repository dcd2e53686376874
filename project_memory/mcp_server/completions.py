"""Complete ids and labels as they are typed."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import mcp_types as types

from project_memory.app import ProjectMemory

MAX_VALUES = 100
_IDS = frozenset({"id", "from_id", "to_id", "related_to"})
_LABELS = frozenset({"label", "labels", "prefer"})


def completed(
    opened: Callable[[], ProjectMemory], argument: types.CompletionArgument
) -> types.CompleteResult:
    """Return what an argument can be completed to, sorted; nothing for other kinds."""
    memory = opened()
    if argument.name in _IDS:
        found = memory.memory_ids(argument.value)
    elif argument.name in _LABELS:
        groups = memory.labels(with_counts=False).groups
        found = _beginning((e.label for group in groups for e in group.labels), argument.value)
    elif argument.name == "project":
        found = _beginning([memory.project], argument.value)
    else:
        found = []
    completion = types.Completion(
        values=found[:MAX_VALUES], total=len(found), has_more=len(found) > MAX_VALUES
    )
    return types.CompleteResult(completion=completion)


def _beginning(values: Iterable[str], start: str) -> list[str]:
    return sorted(value for value in values if value.startswith(start))
