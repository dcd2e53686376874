"""The arrays that ranking reads, built from analysed documents."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from project_memory import documents, relations
from project_memory.index.fields import SNIPPET, Analysed
from project_memory.model import Memory
from project_memory.ranking import bm25
from project_memory.ranking.names import mentioned
from project_memory.ranking.tokens import Token
from project_memory.ranking.walk import Steps

MAX_SNIPPETS = 8
RARE_HUB = 30
OWNER_WEIGHT = 100.0
UNIQUE_SHARE = 0.25
DIVIDER = -1


@dataclass(frozen=True, slots=True)
class Channel:
    """One way of reading terms: vocabulary, and term weights (documents, terms) by column.

    Attributes:
        terms: Term -> column.
        weights: Saturated BM25F weight times idf.
        parts: Field -> (documents, terms) weighted, unsaturated frequency; for explanations.
    """

    terms: Mapping[str, int]
    weights: sparse.csc_array
    parts: Mapping[str, sparse.csc_array]


@dataclass(frozen=True, slots=True)
class Corpus:
    """All that ranking needs of a project's unarchived memories; row order is by id.

    Attributes:
        ids: Id of each row.
        stems: The stemmed channel.
        surfaces: The unstemmed channel.
        sequence: Stem numbers of all documents one after the other; `DIVIDER` between fields.
        offsets: (n + 1,), where each document begins in `sequence`.
        lengths: (n,), terms of each document.
        languages: Languages that occur.
        owners: Name -> rows that own it.
        openings: First word of a name -> names that begin with it.
        name_df: Name -> documents that own or mention it.
        steps: Step weights of the graph.
        hubs: Column of each hub in the graph, for explanations.
    """

    ids: tuple[str, ...]
    stems: Channel
    surfaces: Channel
    sequence: NDArray[np.int32]
    offsets: NDArray[np.int64]
    lengths: NDArray[np.int64]
    languages: tuple[str, ...]
    owners: Mapping[str, tuple[int, ...]]
    openings: Mapping[str, set[str]]
    name_df: Mapping[str, int]
    steps: Steps
    hubs: tuple[str, ...]


def build(memories: Sequence[Memory], analyses: Sequence[Analysed]) -> Corpus:
    """Return the corpus of unarchived memories in the order of ids."""
    ids = tuple(memory.id for memory in memories)
    rows = {name: row for row, name in enumerate(ids)}
    common = _common(analyses)
    owners, openings = _names(analyses, common)
    mentions = [_mentions(analysis, owners, openings) for analysis in analyses]
    links = _links(memories, rows)
    contexts = _contexts(analyses, links, mentions, owners)
    stem_fields = {
        "title": [a.title for a in analyses],
        "body": [a.body for a in analyses],
        "labels": [a.labels for a in analyses],
        "context": contexts,
    }
    surface_fields = {name: stem_fields[name] for name in ("title", "body", "labels")}
    stems = _channel(stem_fields, lambda token: token.stem)
    sequence, offsets = _sequence(analyses, stems.terms)
    hubs = _hubs(analyses, mentions, owners, common)
    name_df = Counter(name for found in mentions for name in found)
    matrix, hub_names = _hub_matrices(hubs, owners, len(ids))
    return Corpus(
        ids=ids,
        stems=stems,
        surfaces=_channel(surface_fields, lambda token: token.surface),
        sequence=sequence,
        offsets=offsets,
        lengths=_lengths(sequence, offsets),
        languages=_languages(analyses),
        owners=owners,
        openings=openings,
        name_df=name_df,
        steps=Steps(*matrix, _link_matrix(memories, rows)),
        hubs=hub_names,
    )


def _common(analyses: Sequence[Analysed]) -> set[str]:
    """Return the words that are written small more than half as often as with a capital.

    Counted in documents. Such a word names nothing by itself, even where it begins a sentence.
    """
    upper = Counter(word for analysis in analyses for word in analysis.upper)
    lower = Counter(word for analysis in analyses for word in analysis.lower)
    return {word for word, count in lower.items() if count > 0.5 * upper[word]}


def _names(
    analyses: Sequence[Analysed], common: set[str]
) -> tuple[dict[str, tuple[int, ...]], dict[str, set[str]]]:
    found: defaultdict[str, list[int]] = defaultdict(list)
    for row, analysis in enumerate(analyses):
        for name in analysis.names - common:
            found[name].append(row)
    openings: defaultdict[str, set[str]] = defaultdict(set)
    owners = {name: tuple(rows) for name, rows in found.items() if len(rows) <= RARE_HUB}
    for name in owners:
        openings[name.partition(" ")[0]].add(name)
    return owners, dict(openings)


def _mentions(
    analysis: Analysed, owners: Mapping[str, tuple[int, ...]], openings: Mapping[str, set[str]]
) -> dict[str, int]:
    """Return name -> the first sentence that mentions it; -1 for the document's own names."""
    found = {name: -1 for name in analysis.names if name in owners}
    if analysis.code:
        return found
    for number, sentence in enumerate(analysis.sentences):
        for name in mentioned(sentence, openings):
            found.setdefault(name, number)
    return found


def _links(memories: Sequence[Memory], rows: Mapping[str, int]) -> list[list[int]]:
    return [
        sorted({rows[k.target] for k in documents.links(m.document) if k.target in rows})
        for m in memories
    ]


def _contexts(
    analyses: Sequence[Analysed],
    links: Sequence[Sequence[int]],
    mentions: Sequence[Mapping[str, int]],
    owners: Mapping[str, tuple[int, ...]],
) -> list[tuple[Token, ...]]:
    """Return what others say of each memory: its neighbours, and sentences that mention it."""
    snippets: list[list[tuple[Token, ...]]] = [[] for _ in analyses]
    for row in range(len(analyses)):
        for other in _around(row, links)[:MAX_SNIPPETS]:
            whole = (*analyses[other].title, *analyses[other].body)
            snippets[row].append(whole[:SNIPPET])
    for row, found in enumerate(mentions):
        for name in sorted(found):
            number = found[name]
            if number >= 0 and row not in owners[name]:
                for owner in owners[name]:
                    if len(snippets[owner]) < MAX_SNIPPETS:
                        snippets[owner].append(_snippet(analyses[row], number))
    return [tuple(token for part in parts for token in part) for parts in snippets]


def _around(row: int, links: Sequence[Sequence[int]]) -> list[int]:
    """Return linked rows; in a chain, where links are few, those two links away as well."""
    near = list(links[row])
    if len(near) > 2:
        return near
    further = {other for n in near for other in links[n] if len(links[n]) <= 2}
    return sorted({*near, *further} - {row})


def _snippet(analysis: Analysed, number: int) -> tuple[Token, ...]:
    lead = analysis.title if number else ()
    return (*lead[: SNIPPET // 3], *analysis.snippets[number])


def _channel(
    fields: Mapping[str, Sequence[tuple[Token, ...]]], read: Callable[[Token], str]
) -> Channel:
    vocabulary: dict[str, int] = {}
    n = len(next(iter(fields.values())))
    parts: dict[str, sparse.csc_array] = {}
    counted: dict[str, tuple[list[Counter[int]], NDArray[np.int64]]] = {}
    for field, documents_tokens in fields.items():
        rows = [
            Counter(vocabulary.setdefault(read(t), len(vocabulary)) for t in tokens)
            for tokens in documents_tokens
        ]
        lengths = np.array([_length(tokens) for tokens in documents_tokens], np.int64)
        counted[field] = (rows, lengths)
    for field, (rows, lengths) in counted.items():
        setting = bm25.FIELDS[field]
        norms = bm25.length_norms(lengths, setting.b)
        norms[norms == 0] = 1.0
        scale = setting.weight / norms
        parts[field] = _scaled_counts(rows, scale, (n, len(vocabulary)))
    total = sparse.csc_array((n, len(vocabulary)), dtype=np.float64)
    for part in parts.values():
        total = sparse.csc_array(total + part)
    df = np.diff(total.indptr).astype(np.int64)
    idf = bm25.idf(df, n)
    weights = total.copy()
    weights.data = bm25.saturated(total.data) * np.repeat(idf, np.diff(total.indptr))
    return Channel(vocabulary, weights, parts)


def _length(tokens: Iterable[Token]) -> int:
    return sum(1 for token in tokens if not (token.stop or token.single))


def _scaled_counts(
    rows: Sequence[Counter[int]], scale: NDArray[np.float64], shape: tuple[int, int]
) -> sparse.csc_array:
    indptr = np.cumsum([0, *(len(row) for row in rows)])
    indices = np.fromiter((t for row in rows for t in row), np.int64, indptr[-1])
    data = np.fromiter((c for row in rows for c in row.values()), np.float64, indptr[-1])
    data *= np.repeat(scale, np.diff(indptr))
    matrix = sparse.csc_array(sparse.csr_array((data, indices, indptr), shape=shape))
    matrix.sort_indices()
    return matrix


def _sequence(
    analyses: Sequence[Analysed], vocabulary: Mapping[str, int]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    places: list[int] = []
    offsets = [0]
    for analysis in analyses:
        for field in (analysis.title, analysis.body, analysis.labels):
            places.extend(vocabulary[t.stem] for t in field if not (t.stop or t.single))
            places.append(DIVIDER)
        offsets.append(len(places))
    return np.array(places, np.int32), np.array(offsets, np.int64)


def _lengths(sequence: NDArray[np.int32], offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    counted = np.concatenate(([0], np.cumsum(sequence != DIVIDER)))
    lengths: NDArray[np.int64] = counted[offsets[1:]] - counted[offsets[:-1]]
    return lengths


def _languages(analyses: Sequence[Analysed]) -> tuple[str, ...]:
    prefixes = {t.stem[:2] for a in analyses for t in a.body if t.stem[2:3] == "|"}
    return tuple(sorted(prefixes))


def _hubs(
    analyses: Sequence[Analysed],
    mentions: Sequence[Mapping[str, int]],
    owners: Mapping[str, tuple[int, ...]],
    common: set[str],
) -> list[list[str]]:
    found = []
    plain = {f"name {word}" for word in common}
    for analysis, names in zip(analyses, mentions, strict=True):
        named = {f"name {name}" for name in names if name in owners}
        found.append(sorted((analysis.hubs - plain) | named))
    return found


def _hub_matrices(
    hubs: Sequence[Sequence[str]], owners: Mapping[str, tuple[int, ...]], n: int
) -> tuple[tuple[sparse.csr_array, sparse.csr_array], tuple[str, ...]]:
    """Return ((memory -> hub, hub -> memory), hubs by column).

    Every memory is a hub to itself too, where a share of its mass stays; a name that nobody else
    mentions is the same thing again and is left out. Another hub that only one memory has keeps
    mass from the shared ones, but less than they do.
    """
    df = Counter(hub for found in hubs for hub in found)
    edges: list[tuple[int, str, float, float]] = []
    for row, found in enumerate(hubs):
        edges.append((row, f"self {row:09d}", math.log1p(n), OWNER_WEIGHT))
        for hub in found:
            own = hub.startswith("name ") and row in owners.get(hub[5:], ())
            if df[hub] <= _limit(hub, n) and not (own and df[hub] == 1):
                weight = math.log1p(n / df[hub]) * (1.0 if df[hub] > 1 else UNIQUE_SHARE)
                edges.append((row, hub, weight, OWNER_WEIGHT if own else 1.0))
    columns = {hub: column for column, hub in enumerate(sorted({edge[1] for edge in edges}))}
    places = [edge[0] for edge in edges], [columns[edge[1]] for edge in edges]
    shape = (n, len(columns))
    out, back = np.array([e[2] for e in edges]), np.array([e[3] for e in edges])
    to_hubs = sparse.csr_array((out, places), shape=shape)
    to_memories = sparse.csr_array((back, places[::-1]), shape=shape[::-1])
    return (to_hubs, to_memories), tuple(columns)


def _limit(hub: str, n: int) -> float:
    """Return how many memories a hub may join.

    A label or file that more than a quarter of a small project shares would let any query bring
    up everything.
    """
    if hub.startswith("name "):
        return RARE_HUB
    return min(max(RARE_HUB, n / 20), max(2, n / 4))


def _link_matrix(memories: Sequence[Memory], rows: Mapping[str, int]) -> sparse.csr_array:
    weights: dict[tuple[int, int], float] = {}
    for row, memory in enumerate(memories):
        for link in documents.links(memory.document):
            other = rows.get(link.target)
            if other is not None:
                weight = relations.KINDS[link.kind].weight
                weights[row, other] = max(weight, weights.get((row, other), 0.0))
    n = len(memories)
    places = np.array(list(weights), np.int64).reshape(-1, 2)
    data = np.array(list(weights.values()))
    return sparse.csr_array((data, (places[:, 0], places[:, 1])), shape=(n, n))
