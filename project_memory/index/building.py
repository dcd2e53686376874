"""Make a segment of analysed documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from project_memory import documents, relations
from project_memory.index.fields import Analysed, Name, analysed, labelled
from project_memory.index.segment import (
    CASE,
    DIVIDER,
    STATUSES,
    Lists,
    Part,
    Postings,
    Segment,
    Tie,
    Trait,
)
from project_memory.model import Memory
from project_memory.ranking import hashing, languages
from project_memory.ranking.tokens import Token

KINDS = tuple(sorted(relations.KINDS))
"""The table of kinds of links."""

LANGUAGES = tuple(name for name in languages.LANGUAGES if name != languages.ENGLISH)
"""The table of languages whose stems are told apart, a bit each."""

_MOST = 255
_FIELD, _SENTENCE = 0, 1
"""Numbers in the stream of tokens that stand for the end of a field and of a sentence."""


@dataclass(frozen=True, slots=True)
class _Stream:
    """All tokens of a batch in order, with ends of fields and of sentences among them.

    Attributes:
        numbers: (s,), places in `table`.
        rows: (s,), the row of each.
        parts: (s,), the field of each.
        case: (s,), bits of `Case` of the word in its document.
        table: The different tokens; the first two stand for ends.
    """

    numbers: NDArray[np.int64]
    rows: NDArray[np.int32]
    parts: NDArray[np.uint8]
    case: NDArray[np.uint8]
    table: tuple[Token, ...]


def build(memories: Sequence[Memory]) -> Segment:
    """Return a segment of these memories, a row each, in their order, without mentions."""
    return assembled(memories, [analysed(memory.document) for memory in memories])


def labels_of(memories: Sequence[Memory]) -> Segment:
    """Return a segment of these memories as if they said nothing but their labels and files."""
    return assembled(memories, [labelled(memory.document) for memory in memories])


def assembled(memories: Sequence[Memory], analyses: Sequence[Analysed]) -> Segment:
    """Return a segment of memories that are analysed already."""
    stream = _stream(analyses)
    real = stream.numbers > _SENTENCE
    single = np.array([token.single for token in stream.table])
    content = real & ~(np.array([token.stop for token in stream.table]) | single)[stream.numbers]
    stems = _channel(stream, hashing.numbers(token.stem for token in stream.table), real)
    surfaces = _channel(
        stream, hashing.numbers(token.surface for token in stream.table), real, case=True
    )
    spoken = real & ~single[stream.numbers] & (stream.parts == Part.BODY)
    hubs = [_ties(analysis) for analysis in analyses]
    m = len(memories)
    lengths = np.bincount(
        3 * stream.rows[content].astype(np.int64) + stream.parts[content], minlength=3 * m
    )
    links, targets, kinds = _links(memories)
    return Segment(
        keys=np.array([memory.key for memory in memories], np.int64),
        ids=hashing.numbers(memory.id for memory in memories),
        statuses=np.array(
            [[STATUSES.index(m.status), STATUSES.index(m.own_status)] for m in memories], np.uint8
        ).reshape(-1, 2),
        traits=np.array(list(map(_traits, memories, analyses)), np.uint8),
        languages=_languages(stream, m),
        lengths=lengths.reshape(m, 3).astype(np.int32),
        stems=stems[0],
        surfaces=surfaces[0],
        sequence=_sequence(stream, stems, content, stream.numbers == _FIELD),
        words=_sequence(
            stream, surfaces, spoken, (stream.numbers == _SENTENCE) & (stream.parts == Part.BODY)
        ),
        links=links,
        targets=targets,
        kinds=kinds,
        **hub_arrays(hubs),
    )


def _traits(memory: Memory, analysis: Analysed) -> int:
    return (Trait.ARCHIVED if memory.archived else 0) | (Trait.CODE if analysis.code else 0)


def _stream(analyses: Sequence[Analysed]) -> _Stream:
    known: dict[int, int] = {}
    table = [Token("", "", stop=True), Token("", "", stop=True)]
    numbers: list[int] = []
    case: list[int] = []
    parts: list[tuple[int, int]] = []
    counts: list[int] = []
    for analysis in analyses:
        before, lower, upper = len(numbers), analysis.lower, analysis.upper
        for part, held, end in _parts(analysis):
            for token in held:
                # one token object stands for all its like, so that its address tells it
                place = known.get(id(token))
                if place is None:
                    place = known[id(token)] = len(table)
                    table.append(token)
                numbers.append(place)
                word = token.surface
                case.append((word in lower) + 2 * (word in upper))
            numbers.append(end)
            case.append(0)
            parts.append((part, len(held) + 1))
        counts.append(len(numbers) - before)
    kinds = np.array(parts, np.int64).reshape(-1, 2)
    return _Stream(
        numbers=np.array(numbers, np.int64),
        rows=np.repeat(np.arange(len(analyses), dtype=np.int32), counts),
        parts=np.repeat(kinds[:, 0], kinds[:, 1]).astype(np.uint8),
        case=np.array(case, np.uint8),
        table=tuple(table),
    )


def _parts(analysis: Analysed) -> Iterator[tuple[Part, tuple[Token, ...], int]]:
    """Yield (field, tokens, the end that follows)."""
    yield Part.TITLE, analysis.title, _FIELD
    for sentence in analysis.sentences:
        yield Part.BODY, sentence, _SENTENCE
    yield Part.BODY, (), _FIELD
    yield Part.LABELS, analysis.labels, _FIELD


def _channel(
    stream: _Stream, terms: NDArray[np.uint64], real: NDArray[np.bool_], *, case: bool = False
) -> tuple[Postings, NDArray[np.int64]]:
    """Return postings of one reading of the tokens, and the place of each token's term in them."""
    numbers, parts = stream.numbers[real], stream.parts[real]
    different, places = np.unique(terms, return_inverse=True)
    found, rows = places[numbers], stream.rows[real]
    order = np.lexsort((rows, found))
    found, rows = found[order], rows[order]
    new = np.ones(len(found), np.bool_)
    new[1:] = (found[1:] != found[:-1]) | (rows[1:] != rows[:-1])
    group = np.cumsum(new) - 1
    exact = np.bincount(4 * group + parts[order], minlength=4 * int(new.sum())).reshape(-1, 4)
    counts: NDArray[np.uint8] = np.minimum(exact, _MOST).astype(np.uint8)
    if case:
        counts[:, CASE] = stream.case[real][order][new]
    held, inverse = np.unique(found[new], return_inverse=True)
    starts = np.append(np.searchsorted(inverse, np.arange(len(held))), len(inverse))
    place = np.full(len(different), -1, np.int64)
    place[held] = np.arange(len(held))
    made = Postings(different[held], starts.astype(np.int64), rows[new], counts)
    return made, place[places]


def _sequence(
    stream: _Stream,
    channel: tuple[Postings, NDArray[np.int64]],
    kept: NDArray[np.bool_],
    ends: NDArray[np.bool_],
) -> Lists:
    shown = kept | ends
    values = np.where(ends, DIVIDER, channel[1][stream.numbers])[shown].astype(np.int32)
    last = int(stream.rows[-1]) + 1 if len(stream.rows) else 0
    counts = np.bincount(stream.rows[shown], minlength=last)
    return Lists(np.concatenate(([0], np.cumsum(counts))).astype(np.int64), values)


def _languages(stream: _Stream, m: int) -> NDArray[np.uint32]:
    """Return, (m,), the languages of each row's stems, a bit each."""
    bits = {name[:2]: 1 << place for place, name in enumerate(LANGUAGES)}
    of_token = np.array([bits.get(t.stem.partition("|")[0], 0) if "|" in t.stem else 0
                         for t in stream.table], np.uint32)  # fmt: skip
    found = np.zeros(m, np.uint32)
    body = stream.parts == Part.BODY
    np.bitwise_or.at(found, stream.rows[body], of_token[stream.numbers[body]])
    return found


def _links(
    memories: Sequence[Memory],
) -> tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.uint8]]:
    """Return (where each row's links begin, target, kind), ordered within a row."""
    found = [
        sorted({(hashing.number(k.target), KINDS.index(k.kind))
                for k in documents.links(memory.document)})
        for memory in memories
    ]  # fmt: skip
    starts = np.concatenate(([0], np.cumsum([len(each) for each in found]))).astype(np.int64)
    flat = [link for each in found for link in each]
    targets = np.array([target for target, _ in flat], np.uint64)
    return starts, targets, np.array([kind for _, kind in flat], np.uint8)


def _ties(analysis: Analysed) -> dict[Name, int]:
    ties: dict[int, tuple[Name, int]] = {}
    for names, tie in (
        (analysis.names, Tie.OWNER),
        (analysis.phrases, Tie.PHRASE),
        (analysis.carried, Tie.CARRIED),
    ):
        for name in names:
            known, held = ties.get(name.number, (name, 0))
            ties[name.number] = known, held | tie
    return dict(ties.values())


def hub_arrays(rows: Sequence[Mapping[Name, int]]) -> dict[str, Any]:
    """Return the fields of a segment that speak of hubs, from name -> bits of `Tie` a row."""
    names = {name.number: name for ties in rows for name in ties}
    terms = np.array(sorted(names), np.uint64)
    texts = [names[int(number)].text.encode() for number in terms]
    numbers = np.array([name.number for ties in rows for name in ties], np.uint64)
    flags = np.array([tie for ties in rows for tie in ties.values()], np.uint8)
    owners = np.repeat(np.arange(len(rows), dtype=np.int32), [len(ties) for ties in rows])
    return {
        "hub_words": np.array([names[int(n)].words for n in terms], np.uint8),
        "hub_texts": Lists(_starts(map(len, texts)), np.frombuffer(b"".join(texts), np.uint8)),
        **tied(terms, owners, np.searchsorted(terms, numbers), flags, len(rows)),
    }


def tied(
    terms: NDArray[np.uint64],
    rows: NDArray[np.int32],
    hubs: NDArray[np.int64],
    ties: NDArray[np.uint8],
    m: int,
) -> dict[str, Any]:
    """Return both directions of ties, `hubs` being places in `terms`, each pair once."""
    bits: NDArray[np.uint8] = ties[:, np.newaxis]
    forward = np.lexsort((hubs, rows))
    inverse = np.lexsort((rows, hubs))
    ends = np.cumsum(np.bincount(hubs, minlength=len(terms)))
    return {
        "hubs": Postings(
            terms,
            np.concatenate(([0], ends)).astype(np.int64),
            rows[inverse],
            bits[inverse],
        ),
        "row_hubs": Lists(_starts(np.bincount(rows, minlength=m)), hubs[forward].astype(np.int32)),
        "ties": ties[forward],
    }


def _starts(counts: Iterable[int]) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum(np.fromiter(counts, np.int64)))).astype(np.int64)
