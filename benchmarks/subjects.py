"""The product and its peers over the same documents, each with the same methods."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path
from typing import Any, Protocol

import peers
import product

Document = Mapping[str, Any]

PRODUCT = "product"
RESULTS = 8
SPOKEN = ("tags", "triggers", "remembered_facts", "solution_pattern", "pitfalls", "labels")


class Subject(Protocol):
    """Something that holds documents and finds them."""

    def register(self, labels: Iterable[str]) -> None:
        """Take note of the labels that documents may have."""

    def fill(self, documents: Sequence[Document]) -> None:
        """Add documents in bulk."""

    def create(self, document: Document) -> None:
        """Add one document, durably, with its links where the subject has any."""

    def search(self, text: str) -> list[str]:
        """Return the ids of eight documents, best first."""

    def close(self) -> None:
        """Release the files."""


class Product:
    """The product: its answers hold three documents whole, its creates two mirrored links."""

    def __init__(self, folder: Path) -> None:
        """Open the store of a folder, or begin one."""
        self._open = ExitStack()
        self._memory = self._open.enter_context(product.opened(folder))

    def register(self, labels: Iterable[str]) -> None:
        """See `Subject.register`."""
        product.register(self._memory, labels)

    def fill(self, documents: Sequence[Document]) -> None:
        """See `Subject.fill`."""
        product.write_lessons(self._memory, documents)

    def create(self, document: Document) -> None:
        """See `Subject.create`."""
        self._memory.create(document)

    def search(self, text: str) -> list[str]:
        """See `Subject.search`."""
        return product.asked(self._memory, text)

    def filtered(self, expressions: Iterable[str]) -> Callable[[str], list[str]]:
        """Return a search among what the next of these expressions selects, in turns."""
        turns = cycle(expressions)
        return lambda text: product.asked(self._memory, text, next(turns))

    def select(self, label_query: str, limit: int) -> int:
        """Return how many memories an expression selects; the first `limit` are read too."""
        return self._memory.search(label_query, limit=limit).total

    def close(self) -> None:
        """See `Subject.close`."""
        self._open.close()


class Engine:
    """A peer: its answers are ids alone, and it has no links."""

    def __init__(self, name: str, folder: Path) -> None:
        """Begin an index in a folder."""
        self._peer = peers.opened(name, folder)
        self._ids: list[str] = []

    def register(self, labels: Iterable[str]) -> None:
        """See `Subject.register`; to a peer they are words."""

    def fill(self, documents: Sequence[Document]) -> None:
        """See `Subject.fill`."""
        self._peer.add([spoken(document) for document in documents])
        self._ids.extend(document["id"] for document in documents)

    def create(self, document: Document) -> None:
        """See `Subject.create`."""
        self.fill([document])

    def search(self, text: str) -> list[str]:
        """See `Subject.search`."""
        return [self._ids[number] for number in self._peer.search(text, RESULTS)]

    def close(self) -> None:
        """See `Subject.close`."""


def subject(name: str, folder: Path) -> Subject:
    """Return the product or a peer in a folder, which is made where it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    return Product(folder) if name == PRODUCT else Engine(name, folder)


def spoken(document: Document) -> str:
    """Return what a document says, as a peer is given it."""
    said = [document["description"], *document["scope"]["files"]]
    return "\n".join([*said, *(text for name in SPOKEN for text in document.get(name, ()))])


def novel(documents: Sequence[Document], number: int) -> dict[str, Any]:
    """Return a draft that none of the documents is like, linked to two of them.

    Its first word, `mark(number)`, occurs nowhere else.
    """
    chance = random.Random(number)
    source = " ".join(document["description"] for document in chance.choices(documents, k=8))

    def said(length: int) -> str:
        return " ".join(chance.choices(source.split(), k=length))

    one, other = chance.sample(documents, 2)
    return {
        "id": f"new-{number:06d}",
        "description": f"{mark(number)} {said(13)}",
        "labels": one["labels"],
        "scope": {"files": one["scope"]["files"]},
        "triggers": [said(6), said(5)],
        "remembered_facts": [said(14), said(12)],
        "solution_pattern": [said(12)],
        "pitfalls": [said(11)],
        "relationships": {
            "related": [
                {"id": linked["id"], "reason": "both were met on the same day"}
                for linked in (one, other)
            ]
        },
    }


def mark(number: int) -> str:
    """Return a word that stands for a number."""
    return "quokka" + "".join(chr(ord("a") + int(digit)) for digit in f"{number:04d}")
