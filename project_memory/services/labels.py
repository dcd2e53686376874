"""Read the registry of labels, and change what concerns one label only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from project_memory import labels, validation
from project_memory.errors import InvalidLabel, NotFound, UnknownLabel, UnknownLabels
from project_memory.labels import Branch, Group
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


@dataclass(frozen=True, slots=True)
class LabelTree:
    """The registry by what is broader, each label before those below it."""

    labels: tuple[Branch, ...]
    store: StoreInfo


def add(work: WorkingSet, label: str, *, description: str = "", distinct: bool = False) -> None:
    """Register a label.

    Raises:
        InvalidLabel: its form is wrong, its prefix reserved, its description too long or with
            control characters, it exists already, or it is a near-twin of a registered one and
            `distinct` is false.
    """
    name = labels.canonical(label)
    text = _checked_description(name, description)
    registry = work.registry
    taken = name if name in registry.labels else labels.aliases(registry).get(name)
    if taken is not None:
        alias = "" if taken == name else f" (as an alias of '{taken}')"
        raise InvalidLabel(f"label '{name}' is registered already{alias}; use it as it is")
    if not distinct:
        refuse_twin(registry, name)
    near = labels.near(registry, name)
    if near:
        work.notes.append(f"near '{name}': {', '.join(near)}")
    work.put_label(Label(name, text))


def describe(work: WorkingSet, label: str, description: str) -> None:
    """Say what a label is for.

    Raises:
        UnknownLabel: it is not registered.
        InvalidLabel: it is an alias, or the description is too long or with control characters.
    """
    found = registered(work, label)
    text = _checked_description(found.name, description)
    work.put_label(replace(found, description=text))


def add_alias(work: WorkingSet, label: str, alias: str, *, distinct: bool = False) -> None:
    """Let another name stand for a label.

    Raises:
        UnknownLabel: the label is not registered.
        InvalidLabel: the alias is malformed, a label of its own, the alias of another label, or a
            near-twin of another label and `distinct` is false.
    """
    found = registered(work, label)
    name = labels.canonical(alias)
    registry = work.registry
    owner = labels.aliases(registry).get(name)
    if owner == found.name:
        return
    if owner is not None:
        raise InvalidLabel(
            f"'{name}' is an alias of '{owner}'; take it away first with "
            f"`project-memory labels alias {owner} {name} --remove`"
        )
    if name == found.name:
        raise InvalidLabel(f"'{name}' is the label itself; name another alias")
    if name in registry.labels:
        raise InvalidLabel(
            f"'{name}' is a label of its own; to fold it into '{found.name}' use "
            f"`project-memory labels merge {name} {found.name}`"
        )
    if not distinct:
        refuse_twin(registry, name, but=found.name)
    work.put_label(replace(found, aliases=tuple(sorted({*found.aliases, name}))))


def remove_alias(work: WorkingSet, label: str, alias: str) -> None:
    """Let a name stand for a label no more.

    Raises:
        UnknownLabel: the label is not registered.
        NotFound: the label has no such alias.
    """
    found = registered(work, label)
    name = alias.strip()
    if name not in found.aliases:
        raise NotFound(
            f"'{found.name}' has no alias '{name}'; "
            f"`project-memory labels list --prefix {labels.prefix(found.name)}` shows them"
        )
    kept = tuple(other for other in found.aliases if other != name)
    work.put_label(replace(found, aliases=kept))


def set_broader(work: WorkingSet, label: str, broader: str | None = None) -> None:
    """Put a label under a broader one, or under none.

    Raises:
        UnknownLabel: one of the two is not registered.
        InvalidLabel: the label is an alias, or a cycle would close.
    """
    found = registered(work, label)
    above = None if broader is None else labels.resolve(work.registry, broader)
    changed = labels.with_label(work.registry, replace(found, broader=above))
    work.put_registry(changed)


def accepted(work: WorkingSet, names: Iterable[str], carried: Sequence[str] = ()) -> list[str]:
    """Return labels as a text may carry them; a deprecated one that it carries already stays.

    Raises:
        UnknownLabels: some are not registered; all are named.
        InvalidLabel: one is deprecated, and nothing replaces it.
    """
    found, unknown = [], {}
    for position, given in enumerate(names):
        try:
            found.append(_accepted(work, given, carried))
        except UnknownLabel as error:
            unknown[f"$.labels[{position}]"] = error
    if unknown:
        raise UnknownLabels(unknown)
    return list(dict.fromkeys(found))


def _accepted(work: WorkingSet, given: str, carried: Sequence[str]) -> str:
    registered = labels.resolve(work.registry, given)
    if registered in carried:
        return registered
    name = labels.accepted(work.registry, given)
    if work.registry.labels[registered].deprecated:
        work.notes.append(f"label '{given}' is deprecated; '{name}' took its place")
    return name


def registered(work: WorkingSet, label: str) -> Label:
    """Return the label that is to be changed.

    Raises:
        UnknownLabel: it is not registered.
        InvalidLabel: it is an alias.
    """
    registry = work.registry
    name = labels.resolve(registry, label.strip())
    if name != label.strip():
        raise InvalidLabel(
            f"'{label.strip()}' is an alias of '{name}'; name that label, or take the alias away "
            f"with `project-memory labels alias {name} {label.strip()} --remove`"
        )
    return registry.labels[name]


def refuse_twin(registry: Registry, name: str, but: str | None = None) -> None:
    """Refuse a name that says the same as a label in another spelling, except the label `but`.

    Raises:
        InvalidLabel: with the label that it resembles.
    """
    others = {k: label for k, label in registry.labels.items() if k != but}
    twin = labels.near_twin(Registry(others, registry.single), name)
    if twin is not None:
        raise InvalidLabel(
            f"label '{name}' is a near-twin of '{twin}'; use that one, or say that the new one "
            "is distinct (--distinct)"
        )


def listed(
    registry: Registry, counts: dict[str, int] | None, prefix: str | None
) -> tuple[Group, ...]:
    """Return the groups of a registry, or the one of `prefix` (with or without its colon)."""
    groups = labels.grouped(registry, counts)
    wanted = prefix.removesuffix(":") if prefix else None
    return tuple(group for group in groups if wanted in (None, group.prefix))


def branches(
    registry: Registry, counts: Mapping[str, int], totals: Mapping[str, int], top: str | None
) -> tuple[Branch, ...]:
    """Return the labels below `top`, or all of them, each before those below it.

    Raises:
        UnknownLabel: `top` is not registered.
    """
    name = None if top is None else labels.resolve(registry, top)
    return labels.tree(registry, counts, totals, name)


def _checked_description(name: str, description: str) -> str:
    if len(description) > MAX_DESCRIPTION:
        raise InvalidLabel(
            f"the description of '{name}' has {len(description)} characters; "
            f"at most {MAX_DESCRIPTION} are allowed"
        )
    registry = {"schema_version": 1, "labels": {name: {"description": description}}}
    for problem in validation.check_form(registry, "labels"):
        raise InvalidLabel(f"the description of '{name}' cannot be kept: {problem.message}")
    return description.strip()
