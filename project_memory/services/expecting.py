"""Say which symptom must find which memories, and take that back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from project_memory import documents, expression, labels, validation
from project_memory.errors import Conflict, InvalidInput, NotFound
from project_memory.model import Expectation, ExpectationChange, Revision, as_json
from project_memory.ports import Reader
from project_memory.services.store import StoreInfo
from project_memory.services.working_set import WorkingSet

WITHIN = 5
"""Of so many first answers an expected memory is one, unless it is said otherwise."""

MOST = 2000
"""Expectations of one project: so many are run in the time that a person waits."""


@dataclass(frozen=True, slots=True)
class Listed:
    """An expectation as it is listed; see `Expectation`."""

    id: str
    query: str
    expects: tuple[str, ...]
    within: int
    labels: str | None


@dataclass(frozen=True, slots=True)
class Expectations:
    """What a project expects to be found, by query."""

    expectations: tuple[Listed, ...]
    store: StoreInfo


def listed(reader: Reader, project: int, info: StoreInfo) -> Expectations:
    """Return what a project expects, with the ids that its memories have now."""
    return Expectations(tuple(map(as_listed, present(reader, project))), info)


def as_listed(each: Expectation) -> Listed:
    """Return an expectation as it is listed."""
    return Listed(each.id, each.query, each.expects, each.within, each.labels)


def add(
    work: WorkingSet,
    query: str,
    expects: Sequence[str],
    within: int | None = None,
    labels: str | None = None,
) -> Expectation:
    """Expect memories of a question; one that is expected something of already expects more.

    Raises:
        InvalidInput: a value is out of its bounds, or there are too many expectations.
        NotFound: there is no such memory.
        ExpressionSyntaxError: the label expression cannot be parsed.
        UnknownLabel: it names a label that is not registered.
    """
    source = documents.cleaned(labels) if labels else None
    _check_labels(work, source)
    ids = {work.get(name).id for name in expects}
    made = Expectation(documents.cleaned(query), tuple(sorted(ids)), WITHIN, source or None)
    before = work.expectations.get(made.id)
    if before is not None:
        ids |= {present_id(work, name) for name in before.expects}
        made = replace(made, expects=tuple(sorted(ids)), within=before.within)
    if within is not None:
        made = replace(made, within=within)
    _check_form(made)
    work.put_expectation(made)
    check_count(work)
    return made


def remove(work: WorkingSet, expectation: str) -> None:
    """Expect something no more; it is named by its id, or by its question if only one asks it.

    Raises:
        NotFound: there is none.
        InvalidInput: several ask this, of different labels.
    """
    work.remove_expectation(named(work.expectations.values(), expectation).id)


def named(known: Iterable[Expectation], name: str) -> Expectation:
    """Return the expectation of this id or question.

    Raises:
        NotFound: there is none.
        InvalidInput: several ask this, of different labels.
    """
    text = documents.cleaned(name)
    found = [each for each in known if text in (each.id, each.query)]
    if not found:
        raise NotFound(f"no expectation '{name}'; `project-memory expect list` shows them")
    if len(found) > 1:
        ids = ", ".join(f"'{each.id}'" for each in found)
        raise InvalidInput(f"several expectations ask '{name}'; name one by its id: {ids}")
    return found[0]


def put_back(work: WorkingSet, revision: Revision) -> None:
    """Take back what a revision did to expectations.

    Raises:
        Conflict: one has changed since.
    """
    for change in revision.changes:
        if not isinstance(change, ExpectationChange):
            continue
        name = change.expectation.id
        if work.expectations.get(name) != change.after:
            raise Conflict(
                f"revision {revision.number} cannot be undone: expectation '{name}' has changed "
                "since; undo the later change first"
            )
        if change.before is None:
            work.remove_expectation(name)
        else:
            work.put_expectation(change.before)


def take(work: WorkingSet, expectations: Iterable[Expectation]) -> list[str]:
    """Take over expectations that come from elsewhere; return a sentence for each that differs.

    Where a question is expected something of already, what comes is taken. Memories that are not
    here are left in: the next run reports them.

    Raises:
        InvalidInput: there are too many.
    """
    told = []
    for each in expectations:
        came = renamed(each, lambda name: present_id(work, name))
        before = work.expectations.get(came.id)
        if before is not None:
            before = renamed(before, lambda name: present_id(work, name))
        if before == came:
            continue
        work.put_expectation(came)
        if before is not None:
            told.append(
                f"expectation '{came.id}' is as it came: {_said(came)}, not {_said(before)}"
            )
    check_count(work)
    return told


def _said(expectation: Expectation) -> str:
    names = ", ".join(f"'{name}'" for name in expectation.expects)
    return f"{names} within {expectation.within}"


def present(reader: Reader, project: int) -> list[Expectation]:
    """Return what a project expects, with the ids that its memories have now."""

    def moved(name: str) -> str:
        gone = reader.memory(project, name) is None
        return (reader.redirect(project, name) if gone else None) or name

    return [renamed(each, moved) for each in reader.expectations(project)]


def renamed(expectation: Expectation, moved: Callable[[str], str]) -> Expectation:
    """Return an expectation of memories under the ids that `moved` gives for theirs."""
    ids = tuple(sorted({moved(name) for name in expectation.expects}))
    return replace(expectation, expects=ids)


def present_id(work: WorkingSet, name: str) -> str:
    """Return the id that a memory has now, or this one where there is none any more."""
    return name if work.find(name) else work.redirect(name) or name


def check_count(work: WorkingSet) -> None:
    """Refuse more expectations than can be run.

    Raises:
        InvalidInput: there are too many.
    """
    if len(work.expectations) > MOST:
        raise InvalidInput(
            f"a project has at most {MOST:,} expectations, and these would be "
            f"{len(work.expectations):,}; remove some with `project-memory expect remove`"
        )


def check_within(within: int) -> None:
    """Refuse a number of answers that no expectation can have.

    Raises:
        InvalidInput: it is out of range.
    """
    _check_form(Expectation("any", ("any",), within))


def _check_form(expectation: Expectation) -> None:
    problems = validation.check_form(as_json(expectation), "expectation")
    if problems:
        lines = (f"{p.path}: {p.message}{f'; {p.fix}' if p.fix else ''}" for p in problems)
        raise InvalidInput("\n".join(lines))


def _check_labels(work: WorkingSet, source: str | None) -> None:
    for term in expression.terms(expression.parse(source)):
        if isinstance(term, expression.LabelTerm) and "*" not in term.label:
            labels.resolve(work.registry, term.label)
