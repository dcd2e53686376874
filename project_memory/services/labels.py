"""Read and grow the registry of labels."""

from __future__ import annotations

from dataclasses import dataclass

from project_memory import labels
from project_memory.errors import InvalidLabel
from project_memory.labels import Group
from project_memory.model import Label, Registry
from project_memory.services.store import StoreInfo
from project_memory.services.working_set import WorkingSet

MAX_DESCRIPTION = 500
"""Characters in the description of a label."""


@dataclass(frozen=True, slots=True)
class Labels:
    """The registry, grouped by prefix."""

    groups: tuple[Group, ...]
    store: StoreInfo


def add(work: WorkingSet, label: str, *, description: str = "", distinct: bool = False) -> None:
    """Register a label.

    Raises:
        InvalidLabel: its form is wrong, its prefix reserved, its description too long, it exists
            already, or it is a near-twin of a registered one and `distinct` is false.
    """
    name = labels.canonical(label)
    if len(description) > MAX_DESCRIPTION:
        raise InvalidLabel(
            f"the description of '{name}' has {len(description)} characters; "
            f"at most {MAX_DESCRIPTION} are allowed"
        )
    registry = work.registry
    taken = name if name in registry.labels else labels.aliases(registry).get(name)
    if taken is not None:
        alias = "" if taken == name else f" (as an alias of '{taken}')"
        raise InvalidLabel(f"label '{name}' is registered already{alias}; use it as it is")
    twin = labels.near_twin(registry, name)
    if twin is not None and not distinct:
        raise InvalidLabel(
            f"label '{name}' is a near-twin of '{twin}'; use that one, or say that the new one "
            "is distinct (--distinct)"
        )
    near = labels.near(registry, name)
    if near:
        work.notes.append(f"near '{name}': {', '.join(near)}")
    work.put_label(Label(name, description.strip()))


def listed(
    registry: Registry, counts: dict[str, int] | None, prefix: str | None
) -> tuple[Group, ...]:
    """Return the groups of a registry, or the one of `prefix` (with or without its colon)."""
    groups = labels.grouped(registry, counts)
    wanted = prefix.removesuffix(":") if prefix else None
    return tuple(group for group in groups if wanted in (None, group.prefix))
