"""What a shell offers for ids, labels, kinds and statuses; silent when there is no store."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from project_memory.errors import ProjectMemoryError
from project_memory.model import Status

if TYPE_CHECKING:  # most completions need no store
    from project_memory.app import ProjectMemory


def memory_ids(context: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """Return the ids that begin like this."""
    return _from_store(context, lambda memories: memories.memory_ids(incomplete))


def labels(context: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """Return the registered labels that begin like this."""

    def registered(memories: ProjectMemory) -> list[str]:
        groups = memories.labels(with_counts=False).groups
        names = (label.label for group in groups for label in group.labels)
        return [name for name in names if name.startswith(incomplete)]

    return _from_store(context, registered)


def kinds(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """Return the kinds of relationship that begin like this."""
    return [kind for kind in relationship_kinds() if kind.startswith(incomplete)]


def statuses(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """Return the statuses that begin like this."""
    return [status for status in Status if status.startswith(incomplete)]


def relationship_kinds() -> list[str]:
    """Return the kinds of relationship as the schema lists them."""
    from project_memory.resources import schema  # noqa: PLC0415

    return list(schema("parts")["$defs"]["relationships"]["properties"])


def _from_store(context: click.Context, read: Callable[[ProjectMemory], list[str]]) -> list[str]:
    from project_memory.cli.session import opened  # noqa: PLC0415

    # a completion runs outside of any command, and `opened` reads the options of the current one
    with context.scope(cleanup=False), suppress(ProjectMemoryError), opened() as memories:
        return read(memories)
    return []
