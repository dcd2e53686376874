"""Take what another program remembers into a project: as memories with their origin, once each.

An item is known again by its origin, which its memory's evidence tells; so a second import changes
nothing, and one of a changed source updates what changed. What says the same as a memory that is
here becomes none, what looks like a secret is refused by itself, and the rest goes in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from project_memory import documents, secrets, validation
from project_memory.documents import Link
from project_memory.errors import InvalidDocument, SecretFound
from project_memory.exchange import Incoming, Package, foreign
from project_memory.exchange.foreign import Reading, Shape
from project_memory.model import Document, Problem, Receipt, Severity
from project_memory.services import importing, naming, twins
from project_memory.services.importing import ImportReport, Taken
from project_memory.services.older import said
from project_memory.services.relating import Ties
from project_memory.services.working_set import WorkingSet

_PLACEHOLDER = "2000-01-01"
"""A day for documents that are only checked; the transaction gives them theirs."""


@dataclass(slots=True)
class _Adopted:
    """One shape on its way to be a memory; `refused` says why it becomes none."""

    shape: Shape
    id: str = ""
    twin: str | None = None
    refused: str | None = None
    document: Document | None = None


class Run:
    """One import of a foreign format: read and checked when made, applied in a transaction."""

    def __init__(
        self, path: Path, name: str, shown: str, *, strict: bool, take_older: bool
    ) -> None:
        """Read what lies at `path` in the format of this name.

        Raises:
            NotFound: there is nothing at `path`.
            InvalidInput: it is of another shape than the format, or beyond what is read at once.
            StoreUnreadable: it cannot be read.
            InvalidDocument: it is broken; every problem is listed.
        """
        self._reading: Reading = foreign.read(path, name, shown)
        self._strict, self._take_older = strict, take_older
        self._adopted: list[_Adopted] = []
        self._inner: importing.Run | None = None
        if self._reading.problems:
            raise InvalidDocument(self._reading.problems)
        self._shapes = [s for item in self._reading.items for s in foreign.shapes(item, name)]
        self._refused = {
            number: leaks for number, shape in enumerate(self._shapes) if (leaks := _leaks(shape))
        }
        self._check()

    def apply(self, work: WorkingSet) -> None:
        """Add and update what is new, then link it. See `transaction.commit`.

        Raises:
            UnknownLabel: `strict`, and a label is not registered.
            InvalidDocument: a document, or a link among them, breaks a rule.
        """
        self._adopted = list(self._identified(work))
        taken = [each for each in self._adopted if not (each.refused or each.twin)]
        labelled = naming.labelled(work, [_document(work, each) for each in taken])
        for each, document in zip(taken, labelled, strict=True):
            each.document = _as_before(work, each, document)
        ties = Ties(self._adopted_ids(), self._reading.left_out)
        incoming = tuple(
            Incoming(_linked(each, ties), each.shape.item.file, sound=True,
                     locate=lambda _, line=each.shape.item.line: line)  # type: ignore[misc]
            for each in taken
        )  # fmt: skip
        self._inner = importing.Run(
            Package(incoming, repairs=tuple(ties.left_out)),
            strict=self._strict,
            take_older=self._take_older,
            restoring=False,
        )
        self._inner.apply(work)
        twins.note(work)

    def report(self, receipt: Receipt) -> ImportReport:
        """Return what was done, from the receipt of the transaction."""
        assert self._inner is not None
        report = self._inner.report(receipt)
        outcome = dict.fromkeys(report.kept, "kept")
        outcome |= dict.fromkeys(report.created, "created")
        outcome |= dict.fromkeys(report.updated, "updated")
        items = tuple(_taken(each, outcome) for each in self._adopted)
        return replace(report, format=self._reading.format, read=len(items), items=items)

    def _check(self) -> None:
        """Refuse what could be no document, before any lock is taken."""
        problems: list[Problem] = []
        for number, shape in enumerate(self._shapes):
            if number in self._refused:
                continue
            document = _complete(shape, "checked-only", "a project", _PLACEHOLDER)
            found = validation.check_document(document, stored=True)
            problems += [
                replace(p, memory=None, file=shape.item.file, line=shape.item.line)
                for p in found
                if p.severity is Severity.ERROR
            ]
        if problems:
            raise InvalidDocument(problems)

    def _identified(self, work: WorkingSet) -> Iterator[_Adopted]:
        """Yield every shape with its id, or why it becomes no memory."""
        known = _origins(work, self._reading.format)
        given: set[str] = set(known.values())
        texts: dict[str, str] = {}
        for number, shape in enumerate(self._shapes):
            if number in self._refused:
                yield _Adopted(shape, refused=self._refused[number])
                continue
            own = known.get(_origin(shape, self._reading.format))
            name = own or _free(work, shape, given)
            adopted = _Adopted(shape, name)
            document = _complete(shape, name, work.project.name, _PLACEHOLDER)
            digest = documents.text_digest(document)
            others = [other for other in work.same_text(digest) if other != name]
            if digest in texts:
                adopted.twin = texts[digest]
            elif own is None and others:
                adopted.twin = others[0]
            elif work.buried.has_text(document):
                adopted.refused = "a memory of this text was purged here"
            else:
                given.add(name)
                texts[digest] = name
            yield adopted

    def _adopted_ids(self) -> Iterator[tuple[Shape, str]]:
        for each in self._adopted:
            if not each.refused:
                yield each.shape, each.twin or each.id


def _leaks(shape: Shape) -> str | None:
    """Return why a shape is refused as a secret, or None."""
    found = secrets.scan_document(shape.draft) or [
        ("the id", rule) for rule in secrets.scan(f"{shape.wish}\n{shape.origin}")
    ]
    return str(SecretFound(found[:1])) if found else None


def _origins(work: WorkingSet, name: str) -> dict[str, str]:
    """Return origin -> id of what was imported from a format before."""
    found = {}
    for memory in work.all():
        evidence = memory.document["evidence"]
        if evidence["created_from_task"] == foreign.task(name):
            origin = foreign.place_and_origin(evidence.get("source", ""))
            if origin is not None:
                found[origin] = memory.id
    return found


def _origin(shape: Shape, name: str) -> str:
    return foreign.place_and_origin(shape.draft["evidence"]["source"]) or name


def _free(work: WorkingSet, shape: Shape, given: set[str]) -> str:
    """Return the id that a shape wishes, or where another memory has that, one like no other's."""
    if shape.wish not in given and not work.is_taken(shape.wish):
        return shape.wish
    suffix = foreign.fingerprint(shape.draft["evidence"]["source"])
    return f"{shape.wish[: 79 - len(suffix)].rstrip('-')}-{suffix}"


def _complete(shape: Shape, name: str, project: str, day: str) -> dict[str, Any]:
    evidence = {"last_validated": day, **shape.draft["evidence"]}
    scope = {"project": project, "applies_to": [], "reach": "project", **shape.draft["scope"]}
    blank = {"schema_version": 1, "id": name, "solution_pattern": []}
    return documents.canonical({**blank, **shape.draft, "evidence": evidence, "scope": scope})


def _document(work: WorkingSet, each: _Adopted) -> dict[str, Any]:
    return _complete(each.shape, each.id, work.project.name, work.today.isoformat())


def _as_before(work: WorkingSet, each: _Adopted, document: dict[str, Any]) -> dict[str, Any]:
    """Return a document with the day and line that a state of its memory has which says the same.

    The source tells no day, and a line moves when something above it changes; neither is news.
    """
    found = work.find(each.id)
    if found is None:
        return document
    for state in (found, *work.states(found)):
        held = state.document["evidence"]
        moved = {"source": held.get("source", document["evidence"]["source"])}
        if "last_validated" not in each.shape.draft["evidence"]:
            moved["last_validated"] = held["last_validated"]
        told = documents.canonical({**document, "evidence": {**document["evidence"], **moved}})
        if _text(told, work) == _text(state.document, work):
            return told
    return document


def _text(document: Document, work: WorkingSet) -> dict[str, Any]:
    """Return what a document says but for its links and status, which the store derives."""
    told = said(documents.canonical(document), work.registry)
    beside = {"relationships", "status", "status_reason", "standing"}
    return {field: value for field, value in told.items() if field not in beside}


def _linked(each: _Adopted, ties: Ties) -> Document:
    assert each.document is not None
    links: Iterable[Link] = ties.links(each.shape, each.id)
    return documents.with_links(each.document, tuple(links))


def _taken(each: _Adopted, outcome: Mapping[str, str]) -> Taken:
    if each.refused:
        said_ = "refused"
    else:
        said_ = "duplicate" if each.twin else outcome.get(each.id, "unchanged")
    item = each.shape.item
    origin = documents.quotable(each.shape.origin)
    name = None if each.refused else each.twin or each.id
    return Taken(f"{item.file}:{item.line}", origin, said_, name, each.refused)
