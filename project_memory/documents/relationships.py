"""Links as a document holds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from project_memory.model import Document

RELATION_FIELDS = (
    "related",
    "supersedes",
    "superseded_by",
    "contradicts",
    "depends_on",
    "required_by",
    "caused_by",
    "causes",
    "generalizes",
    "specializes",
)
"""Kinds of relationships, in canonical order."""

_PLAIN_LINKS = frozenset({"supersedes", "superseded_by"})


@dataclass(frozen=True, slots=True)
class Link:
    """One relationship as its source holds it."""

    kind: str
    target: str
    reason: str | None = None


def links(document: Document) -> Iterator[Link]:
    """Yield every relationship, by kind in canonical order, then as listed."""
    held = document.get("relationships") or {}
    for kind in RELATION_FIELDS:
        for item in held.get(kind) or ():
            if isinstance(item, Mapping):
                yield Link(kind, item["id"], item.get("reason"))
            else:
                yield Link(kind, item)


def targets(document: Document, kind: str) -> list[str]:
    """Return the ids that a document's links of one kind lead to, sorted."""
    held = (document.get("relationships") or {}).get(kind) or ()
    return sorted(item["id"] if isinstance(item, Mapping) else item for item in held)


def with_links(document: Document, held: Iterable[Link]) -> dict[str, Any]:
    """Return a document that has exactly these relationships, in canonical order."""
    return {**document, "relationships": ordered(held)}


def ordered(held: Iterable[Link]) -> dict[str, list[Any]]:
    """Return links as the field `relationships`: every kind, sorted by target."""
    by_kind: dict[str, list[Link]] = {kind: [] for kind in RELATION_FIELDS}
    for link in held:
        by_kind[link.kind].append(link)
    return {
        kind: [_item(link) for link in sorted(found, key=lambda k: (k.target, k.reason or ""))]
        for kind, found in by_kind.items()
    }


def _item(link: Link) -> Any:
    if link.kind in _PLAIN_LINKS:
        return link.target
    return {"id": link.target, **({"reason": link.reason} if link.reason is not None else {})}
