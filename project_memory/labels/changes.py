"""Changes of a registry that touch more than one label; each returns another registry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from project_memory.errors import InvalidLabel
from project_memory.labels.registry import new_faults
from project_memory.model import Label, Registry


def renamed(registry: Registry, old: str, new: str) -> Registry:
    """Return the registry with a label under another name; the old one becomes an alias.

    Raises:
        InvalidLabel: the new name is that of another label.
    """
    label = registry.labels[old]
    aliases = {*label.aliases, old} - {new}
    moved = replace(label, name=new, aliases=tuple(sorted(aliases)))
    return _checked(registry, {**_repointed(registry, old, new, new), new: moved})


def merged(registry: Registry, victim: str, into: str) -> Registry:
    """Return the registry with one label folded into another, whose alias it becomes.

    Aliases and narrower labels of the victim go to the other label, its description only where
    the other has none.
    """
    gone, kept = registry.labels[victim], registry.labels[into]
    aliases = {*kept.aliases, *gone.aliases, victim}
    rest = _taken_out(registry, victim, into)
    united = replace(
        rest[into],
        aliases=tuple(sorted(aliases)),
        description=kept.description or gone.description,
    )
    return _checked(registry, {**rest, into: united})


def removed(registry: Registry, name: str, replacement: str | None) -> Registry:
    """Return the registry without a label.

    Narrower labels come under the replacement, else under what the label was under.
    """
    return _checked(registry, _taken_out(registry, name, replacement))


def deprecated(registry: Registry, name: str, replacement: str | None) -> Registry:
    """Return the registry with a label that is not to be used any more.

    What it had replaced is replaced by the same.

    Raises:
        InvalidLabel: it would replace itself.
    """
    label = replace(registry.labels[name], deprecated=True, replaced_by=replacement)
    rest = {
        other: replace(each, replaced_by=replacement)
        if replacement and each.replaced_by == name and other != replacement
        else each
        for other, each in registry.labels.items()
    }
    return _checked(registry, {**rest, name: label})


def restored(registry: Registry, name: str) -> Registry:
    """Return the registry with a deprecated label in use again."""
    label = replace(registry.labels[name], deprecated=False, replaced_by=None)
    return _checked(registry, {**registry.labels, name: label})


def _taken_out(registry: Registry, name: str, heir: str | None) -> dict[str, Label]:
    """Return the labels without one; what was below it comes below the heir."""
    gone = registry.labels[name]
    rest = _repointed(registry, name, heir or gone.broader, heir)
    if heir is not None and name in _above(registry, heir):
        # the heir was below what goes, and takes its place
        rest[heir] = replace(rest[heir], broader=gone.broader)
    return rest


def _repointed(
    registry: Registry, name: str, broader: str | None, replaced_by: str | None
) -> dict[str, Label]:
    """Return the other labels, those that named this one now naming others."""
    rest = {}
    for other, label in registry.labels.items():
        if other == name:
            continue
        kept = replace(label, broader=broader) if label.broader == name else label
        if label.replaced_by == name:
            kept = replace(kept, replaced_by=replaced_by)
        rest[other] = kept
    return rest


def _above(registry: Registry, name: str) -> set[str]:
    found: set[str] = set()
    above = registry.labels[name].broader
    while above in registry.labels and above not in found:
        found.add(str(above))
        above = registry.labels[str(above)].broader
    return found


def _checked(before: Registry, labels: Mapping[str, Label]) -> Registry:
    changed = Registry(MappingProxyType(dict(labels)), before.single)
    if broken := new_faults(before, changed):
        raise InvalidLabel("\n".join(broken))
    return changed
