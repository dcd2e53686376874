"""What a shell offers for ids, labels, kinds and statuses; silent when there is no store."""

from __future__ import annotations

import click

from project_memory.errors import ProjectMemoryError
from project_memory.model import Status


def memory_ids(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """Return the ids that begin like this."""
    from project_memory.cli.session import opened  # noqa: PLC0415

    try:
        with opened() as memories:
            return memories.memory_ids(incomplete)
    except ProjectMemoryError:
        return []


def labels(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """Return the registered labels that begin like this; a colon ends a word in no shell here."""
    from project_memory.cli.session import opened  # noqa: PLC0415

    try:
        with opened() as memories:
            groups = memories.labels(with_counts=False).groups
    except ProjectMemoryError:
        return []
    names = (label.label for group in groups for label in group.labels)
    return [name for name in names if name.startswith(incomplete)]


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
