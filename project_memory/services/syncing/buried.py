"""What was purged from the store goes from a folder too."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from project_memory import documents
from project_memory.exchange import Incoming
from project_memory.services.tombstones import Buried


def without(buried: Buried, read: Iterable[Incoming]) -> list[Incoming]:
    """Return what a folder holds without the texts that were purged, and the links to them."""
    held = list(read)
    gone = {str(each.document["id"]) for each in held if buried.has_text(each.document)}
    if not gone:
        return held
    return [_unlinked(each, gone) for each in held if each.document["id"] not in gone]


def _unlinked(incoming: Incoming, gone: Collection[str]) -> Incoming:
    kept = [link for link in documents.links(incoming.document) if link.target not in gone]
    return replace(incoming, document=documents.with_links(incoming.document, kept))
