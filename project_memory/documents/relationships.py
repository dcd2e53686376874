"""Links as a document holds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
            if isinstance(item, str):
                yield Link(kind, item)
            else:
                yield Link(kind, item["id"], item.get("reason"))


def targets(document: Document, kind: str) -> list[str]:
    """Return the ids that a document's links of one kind lead to, sorted."""
    held = _of_kind(document, kind)
    return sorted(map(_target, held))


def has_link(document: Document, link: Link) -> bool:
    """Return whether a document has exactly this relationship."""
    return link in links({"relationships": {link.kind: _of_kind(document, link.kind)}})


def with_links(document: Document, held: Iterable[Link]) -> dict[str, Any]:
    """Return a document that has exactly these relationships, in canonical order."""
    return {**document, "relationships": ordered(held)}


def with_link(document: Document, link: Link) -> dict[str, Any]:
    """Return a canonical document with a link in the place of any of its kind and target."""
    held = document.get("relationships") or {}
    if link.kind not in held:  # which an older document may lack
        return with_links(document, [*links(document), link])
    others = [item for item in _of_kind(document, link.kind) if _target(item) != link.target]
    moved = sorted([*others, _item(link)], key=_place)
    return {**document, "relationships": {**held, link.kind: moved}}


def ordered(held: Iterable[Link]) -> dict[str, list[Any]]:
    """Return links as the field `relationships`: every kind, sorted by target."""
    by_kind: dict[str, list[Link]] = {kind: [] for kind in RELATION_FIELDS}
    for link in held:
        by_kind[link.kind].append(link)
    return {kind: sorted(map(_item, found), key=_place) for kind, found in by_kind.items()}


def _of_kind(document: Document, kind: str) -> Sequence[Any]:
    return (document.get("relationships") or {}).get(kind) or ()


def _target(item: Any) -> str:
    return item if isinstance(item, str) else str(item["id"])


def _place(item: Any) -> tuple[str, str]:
    return (item, "") if isinstance(item, str) else (item["id"], item.get("reason") or "")


def _item(link: Link) -> Any:
    if link.kind in _PLAIN_LINKS:
        return link.target
    return {"id": link.target, **({"reason": link.reason} if link.reason is not None else {})}
