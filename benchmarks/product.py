"""The product as a system to measure: written by `apply`, asked by `recall`."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from project_memory.app import ProjectMemory
from project_memory.errors import ProjectMemoryError
from project_memory.model import Actor, Authority

if TYPE_CHECKING:  # a new process that only answers has no need of it
    from passages import Store

BATCH = 2000
EVERYTHING = 100_000_000
"""Tokens that no answer reaches."""

PROJECT = "bench"
ACTOR = Actor("benchmark", Authority.IMPORT)


@contextmanager
def opened(folder: Path, cache: str = "cache") -> Iterator[ProjectMemory]:
    """Open the store of a folder, made where it is missing, with a cache folder of its own."""
    with (
        _caching(folder / cache),
        ProjectMemory.open(
            str(folder / "store.db"), project=PROJECT, actor=ACTOR, create=True
        ) as memory,
    ):
        yield memory


@contextmanager
def _caching(folder: Path) -> Iterator[None]:
    """Let indexes be kept in a folder meanwhile; `unittest.mock` takes long to load."""
    before = os.environ.get("XDG_CACHE_HOME")
    os.environ["XDG_CACHE_HOME"] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ["XDG_CACHE_HOME"]
        else:
            os.environ["XDG_CACHE_HOME"] = before


def write(memory: ProjectMemory, store: Store) -> None:
    """Write the memories, then the links between them."""
    creations = [{"op": "create", "memory": d, "allow_duplicate": True} for d in store.drafts]
    written: set[str] = set()
    for start in range(0, len(creations), BATCH):
        written |= _created(memory, creations[start : start + BATCH])
    links = [
        {"op": "link", "from_id": a, "kind": "related", "to_id": b, "reason": reason}
        for (a, b), reason in sorted(store.links.items())
        if a in written and b in written
    ]
    for start in range(0, len(links), BATCH):
        memory.apply(links[start : start + BATCH])


def recalled(memory: ProjectMemory, text: str, count: int) -> list[str]:
    """Return the ids of at most `count` answers, best first, with the relative floor off."""
    found = memory.recall(
        query=text, limit=count, full_count=0, max_tokens=EVERYTHING, floor=False
    )
    return [hit.id for hit in found.answers]


def register(memory: ProjectMemory, labels: Iterable[str]) -> None:
    """Register labels that are new to the store."""
    memory.apply([{"op": "add_label", "label": name, "distinct": True} for name in labels])


def write_lessons(memory: ProjectMemory, documents: Sequence[Mapping[str, Any]]) -> None:
    """Write documents whose links lead to those before."""
    operations = [{"op": "create", "memory": d, "allow_duplicate": True} for d in documents]
    for start in range(0, len(operations), BATCH):
        memory.apply(operations[start : start + BATCH])


def asked(memory: ProjectMemory, text: str, label_query: str | None = None) -> list[str]:
    """Return the ids of eight answers, of which three came whole, as an agent would ask."""
    found = memory.recall(
        query=text, label_query=label_query, limit=8, full_count=3, max_tokens=EVERYTHING
    )
    return [hit.id for hit in found.answers]


def _created(memory: ProjectMemory, creations: list[dict[str, Any]]) -> set[str]:
    """Apply a batch and return its ids; a passage that is refused is left out, and said so."""
    while creations:
        try:
            memory.apply(creations)
        except ProjectMemoryError as error:
            place = re.search(r"operation (\d+)", " ".join(getattr(error, "__notes__", ())))
            if place is None:
                raise
            refused = creations.pop(int(place[1]))["memory"]["id"]
            print(f"left out {refused}: {error}", file=sys.stderr)
        else:
            break
    return {creation["memory"]["id"] for creation in creations}
