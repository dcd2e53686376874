"""The canonical text of the files of a directory, and what it changes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from project_memory import documents, exchange, labels
from project_memory.exchange import Held, Incoming, Package
from project_memory.model import Severity

LABELS, META = "labels.json", "meta.json"
FORM = "put into canonical form"


def is_sound(package: Package, file: str) -> bool:
    """Return whether one of the files beside the documents was read without an error."""
    return not any(p.file == file and p.severity is Severity.ERROR for p in package.problems)


def document(incoming: Incoming, package: Package) -> tuple[dict[str, Any], list[str]]:
    """Return (the canonical document with labels and links once each, what that changes)."""
    known = labels.aliases(package.registry) if is_sound(package, LABELS) else {}
    carried = list(incoming.document["labels"])
    named = [known.get(label, label) for label in carried]
    tidy = documents.canonical({**incoming.document, "labels": named})
    held = list(documents.links(tidy))
    changes = [
        *incoming.repairs,
        *(f"label '{label}' is an alias; written '{known[label]}'"
          for label in dict.fromkeys(carried) if label in known),
        *(f"label '{label}' was given twice; kept once" for label in _repeated(carried)),
        *(f"{link.kind} '{link.target}' was given twice; kept once" for link in _repeated(held)),
    ]  # fmt: skip
    return documents.with_links(tidy, dict.fromkeys(held)), changes


def beside(held: Held, package: Package, own: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield (name, text) of ``labels.json`` and ``meta.json``, as far as they are there and sound.

    Args:
        held: The directory.
        package: What was read from it.
        own: Id -> own status that ``meta.json`` must keep from now on.
    """
    if LABELS in held.files and is_sound(package, LABELS):
        yield LABELS, exchange.registry_text(package.registry)
    if (META in held.files or own) and is_sound(package, META):
        meta = json.loads(held.files.get(META, b'{"memories": {}}').decode("utf-8-sig"))
        for name, status in own.items():
            meta["memories"].setdefault(name, {})["own_status"] = status
        meta["memories"] = dict(sorted(meta["memories"].items()))
        yield META, documents.to_text(meta)


def _repeated(items: Iterable[Any]) -> list[Any]:
    return [item for item, count in Counter(items).items() if count > 1]
