"""Test collections as memories: the one mapping that every measurement of quality uses."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

DRAFT_FIELDS = ("id", "description", "labels", "tags", "remembered_facts")


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a collection; its id is unique within that collection."""

    collection: str
    id: str
    text: str


@dataclass
class Store:
    """What one store holds, and what is asked of it.

    Attributes:
        drafts: A draft for each passage, in the order of the collection.
        links: (id, id) -> the reason why the two are related.
        sources: Id of a memory -> the passage that it was made of.
        memories: Passage -> id of its memory.
        questions: What is asked.
    """

    drafts: list[dict[str, Any]] = field(default_factory=list)
    links: dict[tuple[str, str], str] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    memories: dict[str, str] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)

    def texts(self) -> list[str]:
        """Return the title and text of each passage, in the order of the drafts."""
        return ["\n".join([*draft["tags"], *draft["remembered_facts"]]) for draft in self.drafts]


def script(data: Path, name: str) -> ModuleType:
    """Return a script of the data folder as a module; the folder may be read-only."""
    spec = importlib.util.spec_from_file_location(name, data / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    return module


def stores(data: Path, names: Sequence[str]) -> dict[str, Store]:
    """Return group -> store of these collections; a collection without groups is one, ''."""
    mapping = script(data, "as_memories")
    found: defaultdict[str, Store] = defaultdict(Store)
    for name in names:
        for group, passage, document in mapping.documents(data / name):
            _add(found[group], passage, document)
        for group, question in _questions(data, name):
            found[group].questions.append(question)
    return dict(found)


def _add(store: Store, passage: str, document: dict[str, Any]) -> None:
    """Add a passage; one that two pooled collections share is added once."""
    if passage in store.memories:
        return
    memory_id, number = document["id"], 1
    while memory_id in store.sources:
        number += 1
        memory_id = f"{document['id']}-{number}"
    store.memories[passage] = memory_id
    store.sources[memory_id] = passage
    kept = {key: document[key] for key in DRAFT_FIELDS if key in document}
    store.drafts.append({**kept, "id": memory_id})
    for link in document["relationships"]["related"]:
        pair = (min(memory_id, link["id"]), max(memory_id, link["id"]))
        store.links.setdefault(pair, link["reason"])


def _questions(data: Path, name: str) -> Iterator[tuple[str, Question]]:
    for line in (data / name / "queries.jsonl").read_text(encoding="utf-8").splitlines():
        query = json.loads(line)
        yield query.get("group", ""), Question(name, query["id"], query["text"])
