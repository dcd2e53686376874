"""An index as a file, so that a new process need not read every memory.

What it holds is only ever a copy of what the store says: a file that is damaged, of another store,
or made by other rules is no error, the index is then built anew.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import Stemmer
from numpy.typing import NDArray

from project_memory.index import arrayfile
from project_memory.index.arrayfile import Damaged
from project_memory.index.attributes import FIELDS
from project_memory.index.building import KINDS, LANGUAGES
from project_memory.index.corpus import Corpus
from project_memory.index.index import Index
from project_memory.index.roster import Roster
from project_memory.index.segment import STATUSES, Lists, Postings, Segment
from project_memory.index.selection import Selection
from project_memory.index.stored import SEPARATOR, Carried, Entries, Keys, packed
from project_memory.model import Registry

FORMAT = 3
"""Raised with every change of what is stored, or of how texts become terms."""

_RULES = {
    "format": FORMAT,
    "statuses": [status.value for status in STATUSES],
    "kinds": list(KINDS),
    "languages": list(LANGUAGES),
    "stemmer": Stemmer.version(),
    "unicode": unicodedata.unidata_version,
}
_PARTS: Mapping[str, type] = {
    "stems": Postings, "surfaces": Postings, "hubs": Postings,
    "sequence": Lists, "words": Lists, "hub_texts": Lists, "row_hubs": Lists,
}  # fmt: skip
"""The fields of a segment that hold several arrays; every other is one."""


def save(index: Index, path: Path, origin: Mapping[str, Any]) -> None:
    """Write an index; `origin` says what it is of, in JSON; its `revision` is the index's.

    Raises:
        OSError: it cannot be written.
    """
    arrays = {**_corpus_arrays(index.corpus), **_roster_arrays(index.roster)}
    arrays |= _selection_arrays(index.selection)
    told = {"rules": _RULES, "origin": origin, "segments": len(index.corpus.segments)}
    arrayfile.write(path, told, arrays)


def load(
    path: Path, registry: Registry, accepted: Callable[[Mapping[str, Any]], bool]
) -> Index | None:
    """Return the index that a file holds; None where it cannot be used.

    Args:
        path: The file.
        registry: Labels as of now.
        accepted: Whether an origin, as `save` was given it, is of this store.

    Raises:
        OSError: it cannot be read.
    """
    try:
        told, arrays = arrayfile.read(path)
        if told.get("rules") != _RULES or not accepted(told["origin"]):
            return None
        count, revision = int(told["segments"]), int(told["origin"]["revision"])
        corpus = Corpus(
            [_segment(arrays, f"{place}.") for place in range(count)],
            [arrays[f"{place}.live"] for place in range(count)],
        )
        roster, selection = _roster(arrays), _selection(arrays)
    except (Damaged, KeyError, ValueError, TypeError):
        return None
    return Index(roster, selection, corpus, {}, registry=registry, revision=revision)


def _corpus_arrays(corpus: Corpus) -> dict[str, NDArray[Any]]:
    arrays: dict[str, NDArray[Any]] = {}
    for place, (segment, live) in enumerate(zip(corpus.segments, corpus.live, strict=True)):
        arrays[f"{place}.live"] = live
        for field in fields(segment):
            held = getattr(segment, field.name)
            for name, each in _flat(field.name, held):
                arrays[f"{place}.{name}"] = each
    return arrays


def _flat(name: str, held: Any) -> list[tuple[str, NDArray[Any]]]:
    if name not in _PARTS:
        return [(name, held)]
    return [(f"{name}.{each.name}", getattr(held, each.name)) for each in fields(_PARTS[name])]


def _segment(arrays: Mapping[str, NDArray[Any]], prefix: str) -> Segment:
    held: dict[str, Any] = {}
    for field in fields(Segment):
        kind = _PARTS.get(field.name)
        if kind is None:
            held[field.name] = arrays[prefix + field.name]
        else:
            parts = [arrays[f"{prefix}{field.name}.{each.name}"] for each in fields(kind)]
            held[field.name] = kind(*parts)
    return Segment(**held)


def _roster_arrays(roster: Roster) -> dict[str, NDArray[Any]]:
    entries = sorted(roster.entries().items())
    by_id = sorted((entry[0].encode(), key) for key, entry in entries)
    return {
        "keys": np.array([key for key, _ in entries], np.int64),
        **_listed("entries", packed(_joined(entry) for _, entry in entries)),
        **_listed("ids", packed(name for name, _ in by_id)),
        "keys_by_id": np.array([key for _, key in by_id], np.int64),
    }


def _roster(arrays: Mapping[str, NDArray[Any]]) -> Roster:
    entries = Entries(arrays["keys"], _lists(arrays, "entries"))
    return Roster(entries, Keys(_lists(arrays, "ids"), arrays["keys_by_id"]))


def _selection_arrays(selection: Selection) -> dict[str, NDArray[Any]]:
    arrays: dict[str, NDArray[Any]] = {}
    for field, carriers in selection.carriers().items():
        held = sorted((value.encode(), who) for value, who in carriers.items() if who)
        arrays |= _listed(f"values.{field}", packed(value for value, _ in held))
        arrays |= _listed(f"bitmaps.{field}", packed(who.serialize() for _, who in held))
    carried = sorted(selection.carried().items())
    arrays["carrying"] = np.array([key for key, _ in carried], np.int64)
    return arrays | _listed("carried", packed(_joined(names) for _, names in carried))


def _selection(arrays: Mapping[str, NDArray[Any]]) -> Selection:
    carriers = {
        field: Carried(_lists(arrays, f"values.{field}"), _lists(arrays, f"bitmaps.{field}"))
        for field in FIELDS
    }
    return Selection(carriers, Entries(arrays["carrying"], _lists(arrays, "carried")))


def _joined(texts: tuple[str, ...]) -> bytes:
    return SEPARATOR.join(texts).encode()


def _listed(name: str, lists: Lists) -> dict[str, NDArray[Any]]:
    return {f"{name}.starts": lists.starts, f"{name}.values": lists.values}


def _lists(arrays: Mapping[str, NDArray[Any]], name: str) -> Lists:
    return Lists(arrays[f"{name}.starts"], arrays[f"{name}.values"])
