"""What bears on words that were not said to ask: little, and only what they reach directly.

Most of what a person says to an agent bears on nothing here, and is answered many times a day. So
the words of a project are kept as a file of numbers, in which a prompt is looked up before the
index is loaded.
"""

from __future__ import annotations

import json
import math
import os
import sys
import tempfile
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from heapq import nlargest
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from project_memory.ports import Reader
from project_memory.ranking.numbering import number
from project_memory.ranking.tokens import tokens
from project_memory.services import snapshots

if TYPE_CHECKING:  # whoever has nothing to say must not load the index
    from project_memory.index import Index
    from project_memory.services.hits import Hit
    from project_memory.services.recall import Recall

MOST = 3
"""Memories that are told at most."""

ASKED: Mapping[str, Any] = MappingProxyType({"limit": 8, "full_count": 8, "max_tokens": 1500})
"""How recall is asked: what is told is chosen from its first answers."""

_READ = 20_000
_SHORT = 5
"""Words that tell, in a sentence that is short."""

HEAVIEST, MOST_REPEATS, SINGLE_WEIGHT = 8, 3, 0.2
"""As `index.direct` and `index.lexical` have them, which load numpy."""

CAUTIOUS = 0.3
"""Less than `index.direct.SHARE`: rows that do not count any more are counted here."""

_ENGLISH = "english"
_KINDS = "QII"


def least(words: str) -> int:
    """Return how many of its words a text must share with a memory that bears on it, 0 if none.

    All of a word or two; of a sentence two, or three if it has many.
    """
    read = tokens(words[:_READ])
    content = len({token.surface for token in read if not token.stop})
    if len(read) <= 2 or not content:
        return content
    return 2 if content <= _SHORT else 3


def could_bear(reader: Reader, project: int, words: str) -> bool:
    """Return whether anything could bear on words; True as well where that is not known."""
    kept = _read(snapshots.place(reader, project, "words"))
    if kept is None or kept.origin != snapshots.origin(reader, project, reader.revision(project)):
        return True
    shared: Counter[int] = Counter()
    weights: Counter[int] = Counter()
    told: list[int] = []
    for (forms, single), times in _forms(words[:_READ], kept.languages).items():
        holding = set().union(*(kept.rows_with(form) for form in forms))
        if holding:
            weight = _weight(len(holding), kept.count, times, single=single)
            told.append(weight)
            shared.update(holding)
            weights.update(dict.fromkeys(holding, weight))
    words_needed, weight_needed = least(words), CAUTIOUS * sum(nlargest(HEAVIEST, told))
    return any(
        shared[row] >= words_needed and weight >= weight_needed for row, weight in weights.items()
    )


def keep(reader: Reader, project: int, index: Index) -> None:
    """Keep the words of a project, unless they are; where they cannot be written, nothing is."""
    origin = snapshots.origin(reader, project, index.revision)
    kept = _read(snapshots.place(reader, project, "words"))
    if origin is None or (kept is not None and kept.origin == origin):
        return
    words = index.words()
    parts: list[Any] = [words.known, words.starts, words.rows]
    arrays = [array(kind, part.tolist()) for kind, part in zip(_KINDS, parts, strict=True)]
    head = {
        "origin": origin,
        "languages": words.languages,
        "count": words.count,
        "sizes": [len(each) for each in arrays],
    }
    numbers = b"".join(_packed(each) for each in arrays)
    with suppress(OSError):
        _replace(
            snapshots.place(reader, project, "words"),
            json.dumps(head).encode() + b"\n" + numbers,
        )


def chosen(found: Recall, index: Index, words: str) -> tuple[Hit, ...]:
    """Return the best answers, then warnings, that share enough with words. See `Index.shared`.

    What only links or single words brought is no reason to speak up.
    """
    from project_memory.index import Scored  # noqa: PLC0415  # numpy

    hits = [hit for hit in (*found.answers, *found.warnings) if hit.project is None]
    scored = [Scored(hit.id, scored_as=next(iter(hit.answers_for), None)) for hit in hits]
    meant = index.shared(words[:_READ], scored, least=least(words))
    return tuple(hit for hit in hits if hit.id in meant)[:MOST]


def _forms(words: str, languages: Iterable[str]) -> Counter[tuple[frozenset[int], bool]]:
    """Return (numbers of its stems in all languages, whether it is a single character of a run).

    Each word that is no stop word is there as often as it is said.
    """
    own = tokens(words)
    read = [own, *(tokens(words, language) for language in (_ENGLISH, *languages))]
    return Counter(
        (frozenset(number(each[place].stem) for each in read), token.single)
        for place, token in enumerate(own)
        if not token.stop
    )


def _weight(holding: int, count: int, times: int, *, single: bool) -> int:
    """Return, in millionths, what ranking gives a word that so many of all rows hold."""
    inverse = math.log((count + 1) / (holding + 0.5))  # as `bm25.idf`
    factor = min(times, MOST_REPEATS) * (SINGLE_WEIGHT if single else 1)
    return round(1_000_000 * factor * inverse)


@dataclass(frozen=True, slots=True)
class _Kept:
    """The words of a project as they were kept. See `index.words.Words`."""

    origin: Any
    languages: Sequence[str]
    count: int
    known: Sequence[int]
    starts: Sequence[int]
    rows: Sequence[int]

    def rows_with(self, stem: int) -> Sequence[int]:
        place = _place(self.known, stem)
        return () if place is None else self.rows[self.starts[place] : self.starts[place + 1]]


def _place(numbers: Sequence[int], wanted: int) -> int | None:
    place = bisect_left(numbers, wanted)
    return place if place < len(numbers) and numbers[place] == wanted else None


def _read(path: Path) -> _Kept | None:
    try:
        head, _, rest = path.read_bytes().partition(b"\n")
        told = json.loads(head)
        parts: list[array[int]] = []
        for kind, size in zip(_KINDS, told["sizes"], strict=True):
            length = size * array(kind).itemsize
            parts.append(_packed_array(kind, rest[:length]))
            rest = rest[length:]
        return _Kept(told["origin"], told["languages"], told["count"], *parts)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _packed(numbers: array[int]) -> bytes:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def _packed_array(kind: str, content: bytes) -> array[int]:
    numbers = array(kind, content)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def _replace(path: Path, content: bytes) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        Path(draft).replace(path)
    except OSError:
        Path(draft).unlink(missing_ok=True)
        raise
