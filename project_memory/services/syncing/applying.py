"""Bring the store to what a plan says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from project_memory import documents, relations
from project_memory.documents import Link
from project_memory.errors import InvalidDocument
from project_memory.exchange import Incoming
from project_memory.model import Expectation, Memory, Problem, Registry, Status
from project_memory.proposals import Operation
from project_memory.services import curate, deferring, expecting, links, tombstones
from project_memory.services.foreign_labels import ForeignLabels
from project_memory.services.syncing import labelling, sides
from project_memory.services.syncing.plan import Plan
from project_memory.services.syncing.sides import Edge, Told
from project_memory.services.working_set import WorkingSet

_OWN = ("id", "schema_version", "status", "status_reason", "relationships")


@dataclass(slots=True)
class Applying:
    """A plan that is carried out on a working set.

    Attributes:
        work: The working set.
        plan: What is to be held; links that would close a cycle are added to its conflicts.
        read: Name -> what the folder holds of a memory.
        theirs: The labels of the folder.
        notes: Sentences on what is put right, or waits for a person to decide.
        taken: Ids of the memories that were added or changed.
        added: Ids of those of them that were added.
        waiting: Ids of the memories that say what they said until a person decides.
    """

    work: WorkingSet
    plan: Plan
    read: Mapping[str, Incoming]
    theirs: Registry
    notes: list[str] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)
    added: set[str] = field(default_factory=set)
    waiting: set[str] = field(default_factory=set)

    def run(self) -> None:
        """Carry it out.

        Raises:
            InvalidDocument: a document, or a link among them, breaks a rule.
            InvalidInput: there are too many expectations.
        """
        carried = {label for told in self.plan.told.values() for label in told["labels"]}
        labelling.put_labels(self.work, self.plan.registry, carried)
        foreign = ForeignLabels(self.theirs, self.notes, strict=False)
        for name, told in sorted(self.plan.told.items()):
            self._put(name, told, foreign)
        self._refuse_purged()
        self._link()
        for name in sorted(self.plan.deleted):
            self._delete(self.work.get(name))
        labelling.put_prefixes(self.work, self.plan.registry)
        self._expect()

    def _put(self, name: str, told: Told, foreign: ForeignLabels) -> None:
        found = self.work.find(name)
        if found is not None and sides.of_memory(found) == told:
            return
        document = foreign.resolved(self.work, sides.document_of(told))
        document, waits = deferring.without_privileges(self.work, document, found)
        self.notes += waits
        if found is None:
            self._add(document, told)
            return
        beside = {"archived": told["archived"], "pinned": told["pinned"]}
        wanted = {**beside, **document}
        if sides.of_memory(found) == {k: v for k, v in wanted.items() if k != "relationships"}:
            return
        if deferring.is_protected(self.work, found):
            deferring.propose(self.work, found, *_operations(found, document, told))
            self.waiting.add(found.id)
        else:
            self._update(found, document, told)

    def _add(self, document: dict[str, Any], told: Told) -> None:
        self.taken.add(document["id"])
        self.added.add(document["id"])
        curate.add_document(
            self.work,
            document,
            "created",
            own_status=Status(told["status"]),
            pinned=told["pinned"],
            archived_at=self.work.now if told["archived"] else None,
        )

    def _refuse_purged(self) -> None:
        """Refuse what was purged from the store and is still in the folder, by its file."""
        buried = [
            problem
            for name in sorted(self.added)
            for problem in tombstones.problems(self.work.buried, None, self.work.get(name))
        ]
        if buried:
            raise InvalidDocument([self._in_folder(problem) for problem in buried])

    def _in_folder(self, problem: Problem) -> Problem:
        incoming = self.read.get(str(problem.memory))
        if incoming is None or not incoming.file:
            return problem
        return replace(problem, file=incoming.file, fix=f"remove '{incoming.file}'")

    def _update(self, found: Memory, document: dict[str, Any], told: Told) -> None:
        if document["id"] != found.id:
            curate.rename(self.work, found.id, document["id"])
            found = self.work.get(document["id"])
        own = Status(told["status"])
        text = documents.with_links(document, documents.links(found.document))
        # the shown status of what is superseded follows from its links
        shown = found.document["status"] if own is found.own_status else own.value
        moved = told["archived"] != found.archived
        changed = replace(
            found,
            document=documents.canonical({**text, "status": shown}),
            own_status=own,
            pinned=told["pinned"],
            archived_at=(self.work.now if told["archived"] else None)
            if moved
            else found.archived_at,
            asserted_by=self.work.actor.authority,
        )
        if changed != found:
            self.work.put(changed, "updated", authored=True)
        self.taken.add(changed.id)

    def _delete(self, memory: Memory) -> None:
        if deferring.is_protected(self.work, memory):
            deferring.propose(self.work, memory, {"op": "delete", "id": memory.id})
            self.waiting.add(memory.id)
        else:
            curate.delete(self.work, memory.id)

    # -- links -----------------------------------------------------------------------------------

    def _link(self) -> None:
        wanted = {self._ends(edge): reason for edge, reason in self.plan.edges.items()}
        held = {
            edge: reason
            for memory in list(self.work.all())
            for edge, reason in sides.halves(memory.document, str)
        }
        for edge in sorted(held.keys() - wanted.keys()):
            self._unlink(edge)
        broken: list[InvalidDocument] = []
        for edge, reason in sorted(wanted.items()):
            if edge not in held or held[edge] != reason:
                self._add_link(edge, reason, broken)
        if broken:
            raise InvalidDocument([problem for each in broken for problem in each.problems])

    def _ends(self, edge: Edge) -> Edge:
        """Return a link under the ids that its memories have now; proposed names are not yet."""
        kind, *ends = edge
        source, target = (self._present(end) for end in ends)
        return sides.ordered(kind, source, target)

    def _present(self, name: str) -> str:
        told = self.plan.told.get(name)
        return str(told["id"]) if told and self.work.find(told["id"]) else name

    def _unlink(self, edge: Edge) -> None:
        kind, source, target = edge
        if self.plan.deleted.intersection(edge[1:]):
            return
        ends = [self.work.get(end) for end in (source, target)]
        kept = [end for end in ends if deferring.is_protected(self.work, end)]
        if kept:
            gone = {"op": "unlink", "from_id": source, "kind": kind, "to_id": target}
            deferring.propose(self.work, kept[0], gone)
            self.notes.append(f"to unlink '{source}' {kind} '{target}' waits for a person")
        else:
            links.remove(self.work, source, kind, target)

    def _add_link(self, edge: Edge, reason: str | None, broken: list[InvalidDocument]) -> None:
        kind, source, target = edge
        if self.work.find(source) is None:  # what links to nothing is told by its own side
            kind, source, target = relations.KINDS[kind].inverse, target, source
        link = Link(kind, target, reason)
        try:
            if deferring.link(self.work, source, link):
                self.notes.append(f"{kind} '{target}' of '{source}' waits for a person to decide")
            else:
                links.add(self.work, source, link, "linked")
        except InvalidDocument as error:
            if {problem.code for problem in error.problems} == {"cycle"}:
                self.plan.conflicts.setdefault(source, []).append(f"relationships.{kind}")
            else:
                broken.append(InvalidDocument(list(self._located(error, source, target))))

    def _located(self, error: InvalidDocument, *names: str) -> Iterator[Any]:
        file = next((self.read[name].file for name in names if name in self.read), None)
        yield from (replace(problem, file=file) for problem in error.problems)

    # -- expectations ----------------------------------------------------------------------------

    def _expect(self) -> None:
        wanted = [self._expectation(each) for each in self.plan.expectations]
        for name in self.work.expectations.keys() - {each.id for each in wanted}:
            self.work.remove_expectation(name)
        for each in wanted:
            before = self.work.expectations.get(each.id)
            if before is None or self._as_now(before) != each:
                self.work.put_expectation(each)
        expecting.check_count(self.work)

    def _expectation(self, value: Mapping[str, Any]) -> Expectation:
        ids = tuple(sorted({self._present(name) for name in value["expects"]}))
        return Expectation(value["query"], ids, value["within"], value.get("labels"))

    def _as_now(self, expectation: Expectation) -> Expectation:
        return expecting.renamed(expectation, lambda n: expecting.present_id(self.work, n))


def _operations(found: Memory, document: Mapping[str, Any], told: Told) -> Iterator[Operation]:
    """Yield what would make a memory say what is told of it."""
    name = found.id
    before, after = (
        {field: value for field, value in side.items() if field not in _OWN}
        for side in (found.document, document)
    )
    patch = documents.patch_between(before, after)
    if patch:
        yield {"op": "update", "id": name, "patch": patch}
    if told["status"] != found.own_status:
        reason = document.get("status_reason") or "synced so"
        yield {"op": "status", "id": name, "status": told["status"], "reason": reason}
    if told["archived"] != found.archived:
        yield {"op": "archive" if told["archived"] else "unarchive", "id": name}
    if told["pinned"] != found.pinned:
        yield {"op": "pin" if told["pinned"] else "unpin", "id": name}
    if document["id"] != name:
        yield {"op": "rename", "id": name, "new_id": document["id"]}
