"""Say, before a change is made, which expectations it would lose.

An expectation is lost where it holds before a change and not after it. Each is asked of two
indexes: the one at hand, and the same with the change laid over it, which is thrown away. What a
change can do to a ranking at all has no bound, since every text weighs in every other's score;
so a small change is held to what it is most likely to lose, and `validate --recall` to all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache

from project_memory import documents
from project_memory.errors import NotFound
from project_memory.index import Index
from project_memory.model import (
    Change,
    Expectation,
    Label,
    LabelChange,
    LostExpectation,
    Memory,
    MemoryChange,
    PrefixChange,
)
from project_memory.ports import Reader
from project_memory.ranking.tokens import tokens
from project_memory.services import expecting
from project_memory.services.expected import each_outcome, outcome
from project_memory.services.known import Known
from project_memory.services.working_set import WorkingSet

NEAR = 25
"""Expectations of other memories that a small change is held to: those it shares most words with.

So many rankings take a quarter of a second over 10,000 memories.
"""

MANY = 100
"""A change of more memories than this is held to every expectation."""


def lost(
    reader: Reader, index_of: Callable[[Reader], Index], work: WorkingSet, today: date
) -> tuple[LostExpectation, ...]:
    """Return the expectations that a closed working set loses, of those it is held to, by query.

    Nothing is asked of an index where there is nothing to hold the change to.
    """
    held_to = watched(work)
    if not held_to:
        return ()
    index = index_of(reader)
    overlaid = _overlaid(index, work)
    after, before = _Laid(reader, work), Known(reader, work.project.key)
    # under the ids from before the change, which lead through it
    named = [expecting.renamed(each, lambda name: _present(before, name)) for each in held_to]
    found = each_outcome(after, overlaid, named, today)
    failing = [(each, one) for each, one in zip(named, found, strict=True) if not one.held]
    return tuple(one.lost for each, one in failing if outcome(before, index, each, today).held)


def watched(work: WorkingSet) -> list[Expectation]:
    """Return the expectations that a change is held to, by query.

    Those that it changes itself are left out: of them something else is expected.
    """
    changed = {change.expectation.id for change in work.expectation_changes()}
    kept = {name: each for name, each in work.expectations.items() if name not in changed}
    changes = work.memory_changes()
    if any(map(_is_wide, work.label_changes())) or len(changes) > MANY:
        chosen = set(kept)
    else:
        chosen = _expecting(work, kept, changes) | _alike(kept, changes)
    return sorted(
        (kept[name] for name in chosen), key=lambda each: (each.query, each.labels or "")
    )


class _Laid(Known):
    """The memories of a project as a working set leaves them."""

    def __init__(self, reader: Reader, work: WorkingSet) -> None:
        super().__init__(reader, work.project.key)
        self._work = work

    def __call__(self, memory_id: str) -> Memory | None:
        """Return the memory of this id, or None."""
        return self._work.find(memory_id)

    def read(self, ids: Iterable[str]) -> None:
        """See `Known.read`."""
        self._work.read(ids)

    def present(self, memory_id: str) -> Memory:
        """Return the memory of this id, or of one that it had before.

        Raises:
            NotFound: there is none.
        """
        found = self._work.find(memory_id)
        if found is None:
            found = self._work.of_key(super().present(memory_id).key)
        if found is None:
            raise NotFound(f"no memory '{memory_id}'; list ids with `project-memory list`")
        return found


def _overlaid(index: Index, work: WorkingSet) -> Index:
    """Return an index with a change that is not made, whose memories have keys of no store."""
    _ = index.corpus  # so that what it has not taken in is taken in once
    following = index.last_key + 1
    changes: list[Change] = []
    for change in work.memory_changes():
        after = change.after
        if after is not None and after.key < 0:
            after, following = replace(after, key=following), following + 1
        changes.append(MemoryChange(change.before, after))
    return index.updated(changes, work.registry, index.revision + 1)


def _present(known: Known, name: str) -> str:
    try:
        return known.present(name).id
    except NotFound:
        return name


def _expecting(
    work: WorkingSet, expectations: Mapping[str, Expectation], changes: Sequence[MemoryChange]
) -> set[str]:
    """Return the ids of the expectations of changed memories and of what these supersede."""
    touched: set[str] = set()
    waiting = [memory for c in changes for memory in (c.before, c.after) if memory is not None]
    while waiting:
        memory = waiting.pop()
        touched.add(memory.id)
        below = set(documents.targets(memory.document, "supersedes")) - touched
        waiting += filter(None, map(work.find, sorted(below)))
    renamed = work.redirects() if expectations else {}
    return {
        name
        for name, each in expectations.items()
        if any(one in touched or renamed.get(one) in touched for one in each.expects)
    }


def _is_wide(change: LabelChange | PrefixChange) -> bool:
    """Return whether a change of the registry can move what an expression selects."""
    match change:
        case LabelChange(before=Label() as before, after=Label() as after):
            return replace(before, description="") != replace(after, description="")
        case LabelChange(before=before):
            return before is not None
        case _:
            return False


def _alike(expectations: Mapping[str, Expectation], changes: Sequence[MemoryChange]) -> set[str]:
    """Return the ids of the expectations whose words changed texts hold the most of."""
    said = [
        _words(" ".join(text for _, text in documents.strings(memory.document)))
        for change in changes
        for memory in (change.before, change.after)
        if memory is not None
    ]
    shares: dict[str, float] = {}
    for name, each in expectations.items():
        asked = _words(each.query)
        held = max((len(asked & words) for words in said), default=0)
        if held:
            shares[name] = held / len(asked)
    return set(sorted(shares, key=lambda name: (-shares[name], name))[:NEAR])


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(token.stem for token in tokens(text) if not token.stop)
