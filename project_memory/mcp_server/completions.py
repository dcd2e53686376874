"""Complete ids and labels as they are typed."""

from __future__ import annotations

import mcp_types as types

from project_memory.mcp_server.source import Source

MAX_VALUES = 100
"""What the protocol allows in one answer."""


def completed(source: Source, argument: types.CompletionArgument) -> types.CompleteResult:
    """Return what an argument can be completed to, sorted; nothing for other kinds."""
    found = _candidates(source, argument.name, argument.value)
    completion = types.Completion(
        values=found[:MAX_VALUES], total=len(found), has_more=len(found) > MAX_VALUES
    )
    return types.CompleteResult(completion=completion)


def _candidates(source: Source, name: str, start: str) -> list[str]:
    match name:
        case "id":
            return source().memory_ids(start)
        case "label":
            groups = source().labels(with_counts=False).groups
            names = [entry.label for group in groups for entry in group.labels]
        case "project":
            names = [source().project]
        case _:
            return []
    return sorted(each for each in names if each.startswith(start))
