"""Bring the labels of the store to those of a plan, and what carries them along."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from project_memory import documents, labels
from project_memory.model import Label, Registry
from project_memory.services.working_set import WorkingSet


def put_labels(work: WorkingSet, wanted: Registry, carried: Iterable[str]) -> None:
    """Let the labels be those that are wanted, and those that would be taken from under texts.

    Args:
        work: What is changed.
        wanted: The labels to be there.
        carried: Labels that texts will carry, whether they are wanted or not.
    """
    known = {**wanted.labels, **labels.aliases(wanted)}
    held = set(carried)
    back = {
        name: _by_itself(label, wanted)
        for name, label in work.registry.labels.items()
        if name not in known and (name in held or work.carrying([name]))
    }
    names = {
        old: new for old, new in labels.aliases(wanted).items() if old in work.registry.labels
    }
    work.put_registry(Registry({**wanted.labels, **back}, work.registry.single))
    for memory in work.carrying(names):
        document = documents.relabelled(memory.document, names)
        work.put(replace(memory, document=document), "relabelled", authored=False)


def put_prefixes(work: WorkingSet, wanted: Registry) -> None:
    """Let the prefixes be single that shall be."""
    for prefix in sorted(work.registry.single ^ wanted.single):
        work.put_prefix(prefix, single=prefix in wanted.single)


def _by_itself(label: Label, wanted: Registry) -> Label:
    """Return a label that refers to no other one that goes."""
    broader = label.broader if label.broader in wanted.labels else None
    instead = label.replaced_by if label.replaced_by in wanted.labels else None
    return replace(label, broader=broader, replaced_by=instead)
