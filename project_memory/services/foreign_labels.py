"""Take the labels of an export into the registry here."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from project_memory import documents, labels
from project_memory.errors import UnknownLabel
from project_memory.model import Document, Label, Registry
from project_memory.services import relabelling
from project_memory.services.working_set import WorkingSet


class ForeignLabels:
    """The registry of an export; `repairs` gets a sentence for all that is put right.

    Strict, it adds no label.
    """

    def __init__(self, theirs: Registry, repairs: list[str], *, strict: bool) -> None:
        self._theirs, self._repairs, self._strict = theirs, repairs, strict

    def register(self, work: WorkingSet) -> None:
        """Add labels that the registry lacks; names that are known keep their meaning."""
        known = work.registry
        here = labels.aliases(known)
        taken = {**known.labels, **here}
        for label in self._theirs.labels.values():
            if label.name in taken or self._strict:
                continue
            kept = tuple(alias for alias in label.aliases if alias not in taken)
            self._repairs += [
                f"alias '{alias}' of '{label.name}' is another label here; left out"
                for alias in label.aliases
                if alias not in kept
            ]
            broader = here.get(label.broader or "", label.broader)
            instead = here.get(label.replaced_by or "", label.replaced_by)
            work.put_label(replace(label, aliases=kept, broader=broader, replaced_by=instead))
        for prefix in sorted(self._theirs.single - known.single):
            self._declare_single(work, prefix)

    def resolved(self, work: WorkingSet, document: Document) -> dict[str, Any]:
        """Return a document in canonical form with labels that are registered here.

        Raises:
            UnknownLabel: strict, and a label is not registered.
        """
        names = []
        theirs = labels.aliases(self._theirs)
        for carried in document["labels"]:
            name = carried if carried in work.registry.labels else theirs.get(carried, carried)
            try:
                names.append(_in_use(work.registry, name))
            except UnknownLabel:
                if self._strict:
                    raise
                work.put_label(Label(name))
                self._repairs.append(
                    f"label '{name}' of '{document['id']}' was not registered; added"
                )
                names.append(name)
        return documents.canonical({**document, "labels": list(dict.fromkeys(names))})

    def _declare_single(self, work: WorkingSet, prefix: str) -> None:
        """Let a prefix allow one label as it did there, unless memories here carry several."""
        of_prefix = [name for name in work.registry.labels if labels.prefix(name) == prefix]
        if relabelling.several(work.carrying(of_prefix), prefix):
            self._repairs.append(
                f"prefix '{prefix}' allows one label a memory there; memories here carry several"
            )
        else:
            work.put_prefix(prefix, single=True)


def _in_use(registry: Registry, name: str) -> str:
    """Return the label that a name stands for, or what replaces it; a deprecated one may stay."""
    found = labels.resolve(registry, name)
    deprecated = registry.labels[found].deprecated
    return labels.replacements(registry).get(found, found) if deprecated else found
