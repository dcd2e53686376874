"""What a label of an expression stands for in one registry."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from project_memory import globs, labels
from project_memory.errors import UnknownLabel
from project_memory.expression import LabelTerm
from project_memory.expression.values import FIELDS, expected
from project_memory.model import Registry

_NEAR = 0.7


class Vocabulary:
    """A registry, arranged for many look-ups."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self._canonical = labels.aliases(registry) | {name: name for name in registry.labels}
        self._replacements = labels.replacements(registry)
        self._prefixes = {labels.prefix(name) for name in self._canonical}
        self._narrower: dict[str, list[str]] = {}
        for label in registry.labels.values():
            if label.broader:
                self._narrower.setdefault(label.broader, []).append(label.name)

    def meant(self, term: LabelTerm) -> set[str]:
        """Return every canonical label that a term selects by.

        A pattern stands for all that the names and aliases it fits stand for, none perhaps; a
        deprecated label for what replaces it as well.

        Raises:
            UnknownLabel: it is no pattern, and no registered label or alias.
        """
        found = self._matching(term.label) if "*" in term.label else {self._resolved(term.label)}
        found |= {self._replacements[name] for name in found if name in self._replacements}
        return found if term.exact else self._with_narrower(found)

    def _resolved(self, label: str) -> str:
        found = self._canonical.get(label)
        if found is None:
            near = [*self._near_fields(label), *labels.near(self.registry, label)]
            raise UnknownLabel(label, near[:3])
        return found

    def _near_fields(self, label: str) -> list[str]:
        """Return the field term that a label of an unheard-of prefix may be meant for."""
        prefix, _, value = label.partition(":")
        if prefix in self._prefixes:
            return []
        near = difflib.get_close_matches(prefix, FIELDS, n=1, cutoff=_NEAR)
        return [f"{field}:{value}" for field in near if expected(field, value) is None]

    def _matching(self, pattern: str) -> set[str]:
        fits = globs.text_pattern(pattern).fullmatch
        return {name for alias, name in self._canonical.items() if fits(alias)}

    def _with_narrower(self, names: Iterable[str]) -> set[str]:
        found, waiting = set(names), list(names)
        while waiting:
            below = [n for n in self._narrower.get(waiting.pop(), ()) if n not in found]
            found.update(below)
            waiting.extend(below)
        return found
