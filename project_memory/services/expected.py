"""Ask what a project expects to be found, and say what is not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from project_memory import relations
from project_memory.errors import InvalidInput, NotFound
from project_memory.index import Index
from project_memory.model import Expectation, LostExpectation, Memory, Problem, Registry, Status
from project_memory.services.asking import Query
from project_memory.services.collecting import no_collection
from project_memory.services.known import Known
from project_memory.services.recall import first_answers
from project_memory.services.store import StoreInfo


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one expectation.

    Attributes:
        id: Its id.
        query: What was asked.
        expects: The memories that must be found, under their present ids, sorted.
        within: How many of the first answers count.
        labels: Label expression that narrowed the question, or None.
        held: Whether every one of them was found.
        places: Expected memory -> its place among those answers, from 1; of one that is
            superseded, that of what took its place.
        missing: Those that were not found, sorted.
        obstacle: Why the question cannot be asked at all, or None.
    """

    id: str
    query: str
    expects: tuple[str, ...]
    within: int
    labels: str | None
    held: bool
    places: Mapping[str, int]
    missing: tuple[str, ...]
    obstacle: str | None = None

    @property
    def lost(self) -> LostExpectation:
        """Return what a receipt says of it."""
        return LostExpectation(self.id, self.query, self.within, self.labels, self.missing)


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What became of expectations, those that were lost first, then by query."""

    expectations: tuple[Outcome, ...]
    held: int
    lost: int
    store: StoreInfo


class Folder(Known):
    """The memories of a folder or file, by id; nothing was renamed there."""

    def __init__(self, memories: Mapping[str, Memory]) -> None:
        self._memories = memories

    def __call__(self, memory_id: str) -> Memory | None:
        """Return the memory of this id, or None."""
        return self._memories.get(memory_id)

    def read(self, ids: Iterable[str]) -> None:
        """Do nothing: all are at hand."""

    def present(self, memory_id: str) -> Memory:
        """Return the memory of this id.

        Raises:
            NotFound: there is none.
        """
        found = self(memory_id)
        if found is None:
            raise NotFound(f"no memory '{memory_id}' in this folder; name one that is there")
        return found

    def of(self, project: str | None) -> Known:  # noqa: ARG002  # other projects are not at hand
        """Return these memories."""
        return self

    def saying_otherwise(self, key: str, value: str) -> list[Memory]:  # noqa: ARG002
        """Return nothing: keyed facts are compared where a store has them in its index."""
        return []


def outcome(known: Known, index: Index, expectation: Expectation, today: date) -> Outcome:
    """Return what becomes of one expectation; it changes no counter."""
    asked = Query(
        query=expectation.query, label_query=expectation.labels, limit=expectation.within
    )
    places: dict[str, int] = {}
    obstacle = None
    try:
        found = first_answers(known, index, asked, today)
        places = {name: place for place, name in enumerate(found, 1)}
    except InvalidInput as error:  # a label is gone, or the folder's text is no expression
        obstacle = str(error)
    ids, reached = [], {}
    for name in expectation.expects:
        present, ends = _standing_in(known, name)
        ids.append(present)
        at = [places[end] for end in ends if end in places]
        if at:
            reached[present] = min(at)
    expects = tuple(sorted(set(ids)))
    missing = tuple(name for name in expects if name not in reached)
    return Outcome(
        expectation.id,
        expectation.query,
        expects,
        expectation.within,
        expectation.labels,
        not missing,
        reached,
        missing,
        obstacle,
    )


def each_outcome(
    known: Known, index: Index, expectations: Sequence[Expectation], today: date
) -> list[Outcome]:
    """Return what becomes of expectations, in their order."""
    index.await_questions(len(expectations))
    with no_collection():
        return [outcome(known, index, each, today) for each in expectations]


def outcomes(
    known: Known, index: Index, expectations: Iterable[Expectation], today: date, info: StoreInfo
) -> Outcomes:
    """Return what becomes of expectations."""
    found = each_outcome(known, index, list(expectations), today)
    found.sort(key=lambda each: (each.held, each.query, each.labels or ""))
    held = sum(each.held for each in found)
    return Outcomes(tuple(found), held, len(found) - held, info)


def in_folder(
    memories: Mapping[str, Memory],
    registry: Registry,
    expectations: Iterable[Expectation],
    today: date,
) -> list[Outcome]:
    """Return what becomes of expectations over the memories of a folder, in their order."""
    asked = list(expectations)
    if not asked:
        return []
    index = Index.build(memories.values(), registry, 0)
    return each_outcome(Folder(memories), index, asked, today)


def problems(found: Sequence[Outcome], project: str | None = None) -> list[Problem]:
    """Return one problem for each memory that is expected and not found."""
    return [
        Problem(
            "expectation-lost",
            _message(each, name),
            memory=name,
            fix=f"make it findable by that, or `project-memory expect remove {each.id}`",
            project=project,
        )
        for each in found
        for name in each.missing
    ]


def _message(each: Outcome, name: str) -> str:
    if each.obstacle:
        return f"expectation '{each.query}' cannot be asked: {each.obstacle}"
    narrowed = f" of {each.labels}" if each.labels else ""
    where = f"among its first {each.within} answers" if each.within > 1 else "as its first answer"
    return f"'{each.query}' does not find '{name}' {where}{narrowed}"


def _standing_in(known: Known, name: str) -> tuple[str, list[str]]:
    """Return (present id, the memories any of which is found in its place)."""
    try:
        memory = known.present(name)
    except NotFound:
        return name, []
    if memory.status is Status.SUPERSEDED:
        return memory.id, [memory.id, *relations.current_successors(memory, known)]
    return memory.id, [memory.id]
