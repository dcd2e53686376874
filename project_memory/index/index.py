"""`Index`: what recall and search ask of one project at one revision."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from datetime import date
from functools import cached_property, partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from project_memory.expression import LabelTerm, Node
from project_memory.index import answers, context, direct, explain, lexical, ranker, succession
from project_memory.index.answers import Explanation, Ranking, RankRequest, Scored
from project_memory.index.corpus import Corpus
from project_memory.index.lexical import Terms
from project_memory.index.naming import Naming
from project_memory.index.roster import Roster
from project_memory.index.segment import SHOWN, STATUSES
from project_memory.index.selection import Selection
from project_memory.index.words import Words, words
from project_memory.model import Change, Document, Memory, MemoryChange, Registry, Status
from project_memory.ranking import fuse

Texts = Callable[[Iterable[str]], Iterable[tuple[str, Document]]]
"""Yields (id, document) for the memories of these ids."""

_State: TypeAlias = tuple[Corpus, Mapping[int, Memory | None], Set[int]]
"""What was taken in, what waits by key, and the keys of what waits with other labels only."""

_ROUNDING = 10.0**-fuse.DIGITS
_FACTORS = np.array([answers.STATUS_FACTOR[status] for status in Status])


class Index:
    """An immutable index; `updated` makes the next one, at the cost of what changed.

    Memories are numbered by their key. The texts of memories are taken in when ranking is first
    asked for, so that a search alone does not pay for them; documents themselves are not kept.

    Attributes:
        registry: Labels as of the revision.
        revision: The project's revision that the index holds.
        roster: Which memories there are.
        selection: What they can be selected by.
    """

    def __init__(
        self,
        roster: Roster,
        selection: Selection,
        corpus: Corpus,
        pending: Mapping[int, Memory | None],
        relabelled: Set[int] = frozenset(),
        *,
        registry: Registry,
        revision: int,
    ) -> None:
        self.registry = registry
        self.revision = revision
        self.roster = roster
        self.selection = selection
        # one value, so that a thread that reads it never sees half of a step
        self._state: _State = corpus, pending, relabelled
        self._candidates: tuple[BitMap | None, NDArray[np.bool_]] = None, np.zeros(0, np.bool_)
        self._asked: tuple[str, lexical.Terms] = "", lexical.Terms((), (), ())

    @classmethod
    def build(cls, memories: Iterable[Memory], registry: Registry, revision: int) -> Index:
        """Return the index of these memories, archived ones among them."""
        empty = cls(Roster(), Selection(), Corpus(), {}, registry=registry, revision=0)
        return empty._changed({m.key: m for m in memories}, frozenset(), registry, revision)

    def updated(self, changes: Sequence[Change], registry: Registry, revision: int) -> Index:
        """Return the index after these changes; this one stays as it is."""
        told = [change for change in changes if isinstance(change, MemoryChange)]
        rewritten = {change.key for change in told if not change.is_of_labels}
        last = {change.key: change.after for change in told}
        return self._changed(last, last.keys() - rewritten, registry, revision)

    def __contains__(self, memory_id: str) -> bool:
        return self.roster.key(memory_id) is not None

    def __len__(self) -> int:
        """Return how many memories it holds, archived ones among them."""
        return len(self.selection.everyone)

    @property
    def last_key(self) -> int:
        """Return the highest key of a memory it holds; 0 for none."""
        everyone = self.selection.everyone
        return int(everyone.max()) if everyone else 0

    def select(self, node: Node, *, today: date, texts: Texts) -> BitMap:
        """Return the keys of the memories that an expression selects.

        Raises:
            UnknownLabel: it names a label that is not registered.
        """

        def by_key(keys: BitMap) -> Iterator[tuple[int, Document]]:
            for name, document in texts([self.roster.id(key) for key in keys]):
                yield self._known(name), document

        return self.selection.evaluate(node, registry=self.registry, today=today, texts=by_key)

    def with_status(self, statuses: Iterable[Status]) -> BitMap:
        """Return the keys of the memories that show one of these statuses."""
        return self.selection.with_status(statuses)

    def naming(self, paths: Iterable[str]) -> Naming:
        """Return the keys of the memories that name paths, in their files or their checks."""
        return self.selection.naming(paths)

    def is_common(self, query: str) -> bool:
        """Return whether a query holds nothing but stop words, if any word at all."""
        return lexical.is_common(query)

    def ids(self, keys: Iterable[int]) -> list[str]:
        """Return ids, sorted."""
        return sorted(self.roster.id(key) for key in keys)

    def keys(self, ids: Iterable[str]) -> BitMap:
        """Return the keys of these ids."""
        return BitMap(self._known(name) for name in ids)

    def newest(self, keys: Iterable[int]) -> list[str]:
        """Return ids, the last updated first, ties by id."""
        return self.roster.newest(keys)

    def standing(self) -> list[str]:
        """Return the ids of active standing rules, sorted."""
        return self.ids(self.selection.standing() & self.with_status([Status.ACTIVE]))

    def label_counts(self) -> dict[str, int]:
        """Return label -> number of unarchived memories that carry it."""
        return self.selection.label_counts()

    def label_totals(self) -> dict[str, int]:
        """Return label -> number of unarchived memories that carry it or a narrower one."""
        return self.selection.label_totals(self.registry)

    def rank(self, request: RankRequest, candidates: BitMap) -> Ranking:
        """Return the best answers and all warnings among the candidates, best first.

        Candidates are selected before anything is scored; statistics are those of all unarchived
        memories.
        """
        among = self._among(candidates)
        asked = bool(request.query.strip()) or request.related_to is not None
        base = self._base(request, among, asked=asked)
        scores, settled, warnings = self._settled(base, among)
        added = self._preferences(request, asked=asked)
        hits = [self._finished(hit, added) for hit in settled]
        base[[self._row(name) for name in scores]] = -np.inf
        final = base * self._factors + added
        top = max(
            (round(float(final.max(initial=-np.inf)), fuse.DIGITS), *(h.score for h in hits))
        )
        least = answers.FLOOR * max(top, 0.0) if request.floor and asked else 0.0
        rows = np.flatnonzero(final >= least - _ROUNDING)
        rounded = np.round(final[rows], fuse.DIGITS)
        held = np.flatnonzero(rounded >= least)
        plain = self._best(rows[held], rounded[held], request.need)
        kept = answers.ordered([*plain, *(hit for hit in hits if hit.score >= least)])
        total = len(held) + len(kept) - len(plain)
        doubtful = [self._finished(hit, added) for hit in warnings]
        warned = answers.ordered(hit for hit in doubtful if hit.score >= least)
        return Ranking(kept[: request.need], warned, total)

    def explained(
        self, request: RankRequest, candidates: BitMap, hits: Sequence[Scored]
    ) -> list[Scored]:
        """Return hits of a ranking, each with how its score came about."""
        corpus = self.corpus
        anchor = None if request.related_to is None else self._row(request.related_to)
        scores = self._scores(request.query, self._among(candidates), anchor)
        told = {
            hit.id: explain.explained(
                corpus, scores, self._row(hit.scored_as or hit.id), self._name
            )
            for hit in hits
        }
        return [self._told(hit, request, told[hit.id]) for hit in hits]

    def words(self) -> Words:
        """Return the words that the texts hold."""
        return words(self.corpus)

    def direct(self, query: str, hits: Iterable[Scored]) -> set[str]:
        """Return the ids of the hits that the query's rarer words reach by a text of their own.

        A hit that answers for an outdated memory is reached where either is.
        """
        return self._reached(query, hits, direct.matched)

    def shared(self, words: str, hits: Iterable[Scored], *, least: int) -> set[str]:
        """Return the ids of the hits that share enough with a sentence. See `direct.shared`."""
        return self._reached(words, hits, partial(direct.shared, least=least))

    def _reached(
        self,
        query: str,
        hits: Iterable[Scored],
        reaches: Callable[[Corpus, Terms, NDArray[np.int64]], NDArray[np.bool_]],
    ) -> set[str]:
        terms = self._terms(query)
        sources = {hit.id: {hit.id, hit.scored_as or hit.id} for hit in hits}
        either_of = set().union(*sources.values())
        rows = {self._row(name): name for name in either_of if self.roster.key(name)}
        found = np.array(sorted(rows), np.int64)
        reached = {rows[row] for row in found[reaches(self.corpus, terms, found)].tolist()}
        return {name for name, either in sources.items() if either & reached}

    @property
    def has_ranked(self) -> bool:
        """Return whether texts are taken in, so that it costs nothing more to write it down."""
        return not self._state[1]

    def take_in_texts(self) -> None:
        """Take in all changes of texts, so that nobody who ranks waits for that."""
        assert self.corpus is not None

    @property
    def corpus(self) -> Corpus:
        """Return what ranking reads, with all changes taken in."""
        corpus, pending, relabelled = self._state
        if pending:
            corpus = corpus.updated(pending, relabelled)
            self._state = corpus, {}, frozenset()
        return corpus

    def await_questions(self, count: int) -> None:
        """Prepare for so many questions, where that is quicker than to answer each by itself."""
        if count * lexical.DEPTH >= len(self):
            context.work_out(self.corpus)

    def _changed(
        self,
        changes: Mapping[int, Memory | None],
        relabelled: Set[int],
        registry: Registry,
        revision: int,
    ) -> Index:
        roster, selection = self.roster.copy(), self.selection.copy()
        for key, memory in changes.items():
            roster.remove(key)
            if memory is None:
                selection.remove(key)
            else:
                selection.put(key, memory)
        # an id may pass from one changed memory to another
        for key, memory in changes.items():
            if memory is not None:
                roster.put(key, memory)
        corpus, pending, waiting = self._state
        # what waits with another text is read, whatever came after
        only = (waiting - changes.keys()) | (relabelled - (pending.keys() - waiting))
        following = {**pending, **changes}
        return Index(
            roster, selection, corpus, following, only, registry=registry, revision=revision
        )

    def _settled(
        self, base: NDArray[np.float64], among: NDArray[np.bool_]
    ) -> tuple[dict[str, float], list[Scored], list[Scored]]:
        """Return (id -> score of those settled here, answers, warnings); see `answers.settled`.

        Those are the outdated memories that match, and their successors that match.
        """
        corpus = self.corpus
        heirs = {
            row: succession.heirs(corpus, row)
            for row in succession.outdated(corpus, base).tolist()
        }
        rows = dict.fromkeys([*heirs, *(end for ends in heirs.values() for end in ends)])
        names = {row: self._name(row) for row in rows}
        scores = {names[row]: float(base[row]) for row in rows if np.isfinite(base[row])}
        statuses = {names[row]: _statuses(corpus, row) for row in rows}
        ends = {names[row]: sorted(names[end] for end in found) for row, found in heirs.items()}
        allowed = {names[row] for row in rows if among[row]}
        return scores, *answers.settled(scores, statuses, ends, allowed)

    def _told(self, hit: Scored, request: RankRequest, told: Explanation) -> Scored:
        key = self._known(hit.id)
        preferred = tuple(
            label for label in sorted(set(request.prefer)) if key in self._carriers(label)
        )
        preference = answers.PREFERENCE * len(preferred) + self._share(request.files, key)
        shown, _ = _statuses(self.corpus, self._row(hit.id))
        explanation = replace(
            told,
            status_factor=answers.STATUS_FACTOR[shown],
            preference=round(preference, fuse.DIGITS),
            labels=preferred,
            files=tuple(path for path in request.files if self._share([path], key)),
            scored_as=hit.scored_as,
        )
        return replace(hit, explanation=explanation)

    def _base(
        self, request: RankRequest, among: NDArray[np.bool_], *, asked: bool
    ) -> NDArray[np.float64]:
        """Return the score of each row before its status counts; -inf where it is no answer."""
        if not asked:
            return np.where(among, self._central, -np.inf)
        anchor = None if request.related_to is None else self._row(request.related_to)
        fused = self._scores(request.query, among, anchor).fused
        fused = np.where(fused > 0, fused, -np.inf)
        if anchor is not None:
            fused[anchor] = -np.inf
        return fused

    def _scores(self, query: str, among: NDArray[np.bool_], anchor: int | None) -> ranker.Scores:
        return ranker.scores(self.corpus, query, self._terms(query), among, anchor)

    def _terms(self, query: str) -> lexical.Terms:
        """Return the terms of a query, which one recall asks for several times."""
        asked, terms = self._asked
        if asked != query:
            terms = lexical.query_terms(self.corpus, query)
            self._asked = query, terms
        return terms

    @cached_property
    def _central(self) -> NDArray[np.float64]:
        return ranker.central(self.corpus)

    @cached_property
    def _factors(self) -> NDArray[np.float64]:
        """Return what the status of each row does to its score."""
        return _FACTORS[self.corpus.statuses[:, SHOWN]]

    def _share(self, files: Sequence[str], key: int) -> float:
        """Return what a memory has for the files that it names."""
        named = self.naming(files)
        if key in named.exact:
            return answers.NAMED
        return answers.MEANT if key in named.wide else 0.0

    def _preferences(self, request: RankRequest, *, asked: bool) -> NDArray[np.float64]:
        """Return what preferred labels, and files, add to each row."""
        added = np.zeros(len(self.corpus))
        for label in request.prefer:
            added += answers.PREFERENCE * self.corpus.among(self._carriers(label))
        if request.files:
            named = self.naming(request.files)
            added[self.corpus.among(named.exact)] += answers.NAMED if asked else answers.FIRST
            added[self.corpus.among(named.wide - named.exact)] += answers.MEANT if asked else 0.0
        return added

    def _carriers(self, label: str) -> BitMap:
        return self.select(LabelTerm(label, exact=True), today=date.min, texts=lambda _: ())

    def _finished(self, hit: Scored, added: NDArray[np.float64]) -> Scored:
        row = self._row(hit.id)
        shown, own = _statuses(self.corpus, row)
        factor = answers.STATUS_FACTOR[own if shown is Status.SUPERSEDED else shown]
        return replace(hit, score=round(hit.score * factor + float(added[row]), fuse.DIGITS))

    def _best(
        self, rows: NDArray[np.int64], final: NDArray[np.float64], need: int | None
    ) -> list[Scored]:
        """Return the best of some rows by their scores, best first, ties by id."""
        if need is not None:
            best = np.flatnonzero(final >= fuse.reached_by(final, need))
            rows, final = rows[best], final[best]
        scores = zip(rows.tolist(), final.tolist(), strict=True)
        return list(answers.ordered(Scored(self._name(row), score) for row, score in scores))[
            :need
        ]

    def _among(self, candidates: BitMap) -> NDArray[np.bool_]:
        """Return, (rows,), which rows are candidates; the same ones come again and again."""
        last, among = self._candidates
        if last != candidates:
            among = self.corpus.among(candidates)
            self._candidates = BitMap(candidates), among
        return among

    def _name(self, row: int) -> str:
        return self.roster.id(int(self.corpus.keys[row]))

    def _row(self, name: str) -> int:
        return int(self.corpus.rows_of(np.array([self._known(name)]))[0])

    def _known(self, name: str) -> int:
        key = self.roster.key(name)
        assert key is not None, "ids asked for are of this revision"
        return key


def _statuses(corpus: Corpus, row: int) -> tuple[Status, Status]:
    shown, own = corpus.statuses[row]
    return STATUSES[shown], STATUSES[own]
