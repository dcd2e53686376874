"""Change the registry and every memory that carries a label, in one transaction.

None of this is an edit of the memories: who asserts a text, its version and its time stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from project_memory import documents, labels
from project_memory.errors import Conflict, InvalidLabel, LabelInUse, NotFound
from project_memory.model import Memory, Registry
from project_memory.services.labels import refuse_twin, registered
from project_memory.services.working_set import WorkingSet

_NAMED = 3
"""Memories that a message names."""


def rename(work: WorkingSet, label: str, new: str, *, distinct: bool = False) -> None:
    """Give a label another name everywhere; the old one becomes an alias of it.

    Raises:
        UnknownLabel: the label is not registered.
        InvalidLabel: the label is an alias, the new name is malformed or names another label, or
            is a near-twin of another label and `distinct` is false.
        Conflict: memories carry another label of a prefix that allows one.
    """
    old = registered(work, label).name
    name = labels.canonical(new)
    if name == old:
        return
    owner = name if name in work.registry.labels else labels.aliases(work.registry).get(name)
    if owner not in (None, old):
        alias = "" if owner == name else f" (as an alias of '{owner}')"
        raise InvalidLabel(
            f"label '{name}' is registered already{alias}; to fold '{old}' into it use "
            f"`project-memory labels merge {old} {owner}`"
        )
    if not distinct:
        refuse_twin(work.registry, name, but=old)
    work.put_registry(labels.renamed(work.registry, old, name))
    _relabel(work, {old: name})


def merge(work: WorkingSet, label: str, into: str) -> None:
    """Fold a label into another one, whose alias it becomes.

    Raises:
        UnknownLabel: one of the two is not registered.
        InvalidLabel: the label is an alias, both are the same, or the other is deprecated.
        Conflict: memories carry another label of a prefix that allows one.
    """
    victim = registered(work, label).name
    kept = _target(work, victim, into)
    work.put_registry(labels.merged(work.registry, victim, kept))
    _relabel(work, {victim: kept})


def deprecate(work: WorkingSet, label: str, *, replacement: str | None = None) -> None:
    """Let no further text carry a label; what carries it gets the replacement, if there is one.

    Raises:
        UnknownLabel: the label or its replacement is not registered.
        InvalidLabel: the label is an alias, or its replacement is itself or deprecated.
        Conflict: memories carry another label of a prefix that allows one.
    """
    name = registered(work, label).name
    instead = None if replacement is None else _target(work, name, replacement)
    work.put_registry(labels.deprecated(work.registry, name, instead))
    if instead is not None:
        _relabel(work, {name: instead})
    elif carriers := work.carrying([name]):
        work.notes.append(f"'{name}' stays on {_count(carriers)}")


def restore(work: WorkingSet, label: str) -> None:
    """Let texts carry a deprecated label again.

    Raises:
        UnknownLabel: it is not registered.
        InvalidLabel: it is an alias.
    """
    work.put_registry(labels.restored(work.registry, registered(work, label).name))


def remove(work: WorkingSet, label: str, *, replacement: str | None = None) -> None:
    """Take a label out of the registry; what carries it gets the replacement.

    Raises:
        UnknownLabel: the label or its replacement is not registered.
        InvalidLabel: the label is an alias, or its replacement is itself or deprecated.
        LabelInUse: memories carry it and nothing replaces it.
        Conflict: memories carry another label of a prefix that allows one.
    """
    name = registered(work, label).name
    instead = None if replacement is None else _target(work, name, replacement)
    carriers = work.carrying([name]) if instead is None else []
    if carriers:
        raise LabelInUse(
            f"label '{name}' is on {_count(carriers)} ({_few(carriers)}); "
            "name a replacement (--replacement), or take it off them first"
        )
    _tell_moved(work, name, instead)
    work.put_registry(labels.removed(work.registry, name, instead))
    if instead is not None:
        _relabel(work, {name: instead})


def declare_single(
    work: WorkingSet, prefix: str, *, single: bool = True, keep: Iterable[str] = ()
) -> None:
    """Declare whether a memory may carry only one label of a prefix.

    A memory that carries several keeps the first of `keep` that it carries.

    Raises:
        NotFound: no label has this prefix.
        UnknownLabel: a label to keep is not registered.
        InvalidLabel: a label to keep has another prefix.
        Conflict: memories carry several, and none of those to keep.
    """
    name = prefix.strip().removesuffix(":")
    of_prefix = [label for label in work.registry.labels if labels.prefix(label) == name]
    if not of_prefix and name not in work.registry.single:
        known = ", ".join(sorted({labels.prefix(label) for label in work.registry.labels}))
        raise NotFound(f"no label has the prefix '{name}'; prefixes: {known}")
    wanted = [_kept(work.registry, name, label) for label in keep]
    work.put_prefix(name, single=single)
    if not single:
        return
    crowded = several(work.carrying(of_prefix), name)
    stuck = [memory for memory in crowded if not set(wanted).intersection(_labels(memory))]
    if stuck:
        raise Conflict(
            f"several labels of prefix '{name}' are on {_count(stuck)} ({_few(stuck)}); "
            f"take labels off them, or say which to keep (--keep {min(of_prefix)})"
        )
    for memory in crowded:
        kept = next(label for label in wanted if label in _labels(memory))
        dropped = [label for label in of_prefix if label in _labels(memory) and label != kept]
        _put(work, memory, dict.fromkeys(dropped, kept))
    if crowded:
        work.notes.append(f"one label of several was kept on {_count(crowded)}")


def several(memories: Iterable[Memory], prefix: str) -> list[Memory]:
    """Return the memories that carry more than one label of a prefix."""
    return [
        memory
        for memory in memories
        if sum(labels.prefix(label) == prefix for label in _labels(memory)) > 1
    ]


def _target(work: WorkingSet, label: str, target: str) -> str:
    """Return the label that takes another one's place.

    Raises:
        UnknownLabel: it is not registered.
        InvalidLabel: it is the same label, or deprecated.
    """
    name = labels.resolve(work.registry, target.strip())
    if name == label:
        raise InvalidLabel(f"'{label}' cannot take its own place; name two labels")
    if work.registry.labels[name].deprecated:
        raise InvalidLabel(f"'{name}' is deprecated; name a label that is in use")
    return name


def _relabel(work: WorkingSet, names: Mapping[str, str]) -> None:
    """Let every memory that carries one of the labels carry another: old -> new."""
    carriers = work.carrying(names)
    for memory in carriers:
        _put(work, memory, names)
    for prefix in sorted({labels.prefix(new) for new in names.values()} & work.registry.single):
        if crowded := several(work.carrying(names.values()), prefix):
            raise Conflict(
                f"prefix '{prefix}' allows one label a memory, but several would be on "
                f"{_count(crowded)} ({_few(crowded)}); take labels off them first"
            )
    if carriers:
        work.notes += [f"'{new}' takes the place of '{old}' on {_count(carriers)}"
                       for old, new in names.items()]  # fmt: skip


def _put(work: WorkingSet, memory: Memory, names: Mapping[str, str]) -> None:
    document = documents.relabelled(memory.document, names)
    work.put(replace(memory, document=document), "relabelled", authored=False)


def _tell_moved(work: WorkingSet, name: str, replacement: str | None) -> None:
    """Note which labels come under another one, because theirs goes."""
    above = replacement or work.registry.labels[name].broader
    moved = [each.name for each in work.registry.labels.values() if each.broader == name]
    place = f"under '{above}'" if above else "at the top"
    work.notes += [f"'{each}' is {place} now" for each in sorted(moved) if each != above]


def _kept(registry: Registry, prefix: str, label: str) -> str:
    name = labels.resolve(registry, label.strip())
    if labels.prefix(name) != prefix:
        raise InvalidLabel(f"'{name}' is no label of prefix '{prefix}'; name one that is")
    return name


def _labels(memory: Memory) -> Sequence[str]:
    carried: Sequence[str] = memory.document["labels"]
    return carried


def _count(memories: Sequence[Memory]) -> str:
    return "1 memory" if len(memories) == 1 else f"{len(memories)} memories"


def _few(memories: Sequence[Memory]) -> str:
    named = ", ".join(f"'{memory.id}'" for memory in memories[:_NAMED])
    more = len(memories) - _NAMED
    return f"{named} and {more} more" if more > 0 else named
