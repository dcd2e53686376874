"""What the policy's `protect` selects: memories that silence never archives."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from project_memory import expression, labels
from project_memory.audit.policy import PROTECTED, Policy
from project_memory.errors import UnknownLabel
from project_memory.index.selection import Selection
from project_memory.model import Memory, Registry


def protected(
    memories: Iterable[Memory], registry: Registry, protect: str, today: date
) -> frozenset[str]:
    """Return the ids of memories, archived ones too, that an expression selects.

    Raises:
        ExpressionSyntaxError: it cannot be parsed.
        UnknownLabel: it names a label that is not registered.
    """
    by_key = {memory.key: memory for memory in memories}
    selection = Selection()
    for key, memory in by_key.items():
        selection.put(key, memory)
    parts = (expression.parse(part) for part in ("is:any", _known(protect, registry)))
    found = selection.evaluate(
        expression.all_of(parts),
        registry=registry,
        today=today,
        texts=lambda keys: ((key, by_key[key].document) for key in keys),
    )
    return frozenset(by_key[key].id for key in found)


def _known(protect: str, registry: Registry) -> str:
    """Return the expression; of the default one, only what this project has labels for."""
    if protect != Policy().protect:
        return protect
    return " OR ".join(part for part in PROTECTED if _is_known(part, registry))


def _is_known(part: str, registry: Registry) -> bool:
    if labels.prefix(part) != "kind":
        return True
    try:
        labels.resolve(registry, part)
    except UnknownLabel:
        return False
    return True
