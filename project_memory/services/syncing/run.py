"""One synchronisation: what the folder changed is taken, then the folder is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from project_memory import documents, exchange, lifecycle, relations
from project_memory.documents import Link
from project_memory.errors import Conflict
from project_memory.exchange import Incoming, Package, directory, synced
from project_memory.exchange.synced import Agreed
from project_memory.model import Actor, Authority, Memory, Project, Receipt
from project_memory.ports import Reader
from project_memory.services import (
    curate,
    deferring,
    expecting,
    importing,
    links,
    overwriting,
    refusing,
)
from project_memory.services.syncing import beside, merging, states
from project_memory.services.syncing.plan import Plan
from project_memory.services.syncing.report import SyncReport
from project_memory.services.syncing.states import State
from project_memory.services.working_set import WorkingSet


class Run:
    """One synchronisation: the folder is read when made; see `apply`, then `finish`."""

    def __init__(self, path: Path, store: str, project: str, *, prune: bool) -> None:
        """Read the folder, and what both sides agreed on last.

        Args:
            path: The folder; one that is not there is made.
            store: Identity of the store.
            project: Name of the project.
            prune: Whether a memory goes whose file was taken away.

        Raises:
            StoreUnreadable: the folder, or a file in it, cannot be read.
            InvalidInput: a part of it is a symbolic link.
            InvalidDocument: it is broken; every problem is listed.
            SecretFound: a document holds what looks like a credential.
        """
        self._seen = dict(_marks(path))
        self._path, self._store, self._project, self._prune = path, store, project, prune
        self._package = exchange.read(path) if path.exists() else Package()
        if path.exists():
            overwriting.refuse_links(path)
        refusing.refuse_broken(self._package)
        self._agreed = synced.read(path, store, project)
        self._plan = Plan(path)
        self._inner: importing.Run | None = None

    def apply(self, work: WorkingSet) -> None:
        """Take what the folder changed. See `transaction.commit`.

        Raises:
            InvalidDocument: a document, or a link among them, breaks a rule.
            InvalidTransition: the folder gives a status that the lifecycle does not allow.
        """
        self._plan = Plan(self._path)
        work.actor = Actor(work.actor.name, Authority.IMPORT)
        for incoming in self._package.memories:
            self._decide(work, incoming)
        self._missing(work)
        beside.labels(work, self._package, self._agreed, self._plan)
        self._unlink(work)
        self._inner = importing.Run(
            Package(
                tuple(self._linkable(work)),
                self._package.registry,
                expectations=tuple(beside.expectations(work, self._package, self._agreed)),
            ),
            take_older=True,
            restoring=False,
        )
        self._inner.apply(work)
        for name, wanted in self._plan.beside.items():
            beside.give(work, name, wanted)

    def finish(self, reader: Reader, project: Project, receipt: Receipt) -> SyncReport:
        """Write the folder as the store is after the transaction, and what both now agree on.

        Raises:
            Conflict: a file was changed since the folder was read; nothing is written.
            StorageError: a file cannot be written.
        """
        plan, dry = self._plan, receipt.dry_run
        before = sorted(plan.unsettled())
        changed = 0
        if not dry:
            self._refuse_changed()
            plan.write_twins()
            for file in plan.gone:
                (self._path / file).unlink(missing_ok=True)
            registry = reader.registry(project.key)
            memories = list(reader.memories(project.key))
            expected = expecting.present(reader, project.key)
            _, changed = directory.write(
                self._path, memories, registry, expected, leave=plan.waiting
            )
            held = {m.id: states.of_memory(m).digest(registry) for m in memories}
            for name in plan.waiting & held.keys():
                held[name] = self._agreed.documents.get(name, "")
            agreed = Agreed(
                held,
                {label.name: states.of_label(label) for label in registry.labels.values()},
                {each.id: states.of_expectation(each) for each in expected},
            )
            synced.write(self._path, self._store, self._project, agreed)
        return self._report(receipt, changed, before)

    def _report(self, receipt: Receipt, changed: int, before: list[str]) -> SyncReport:
        assert self._inner is not None
        plan, told = self._plan, self._inner.report(receipt)
        return SyncReport(
            path=str(self._path),
            taken=tuple(sorted({*told.created, *told.updated, *plan.beside} - plan.waiting)),
            deleted=tuple(sorted(plan.deleted)),
            restored=tuple(sorted(plan.restored)),
            removed=tuple(sorted(plan.gone)),
            waiting=tuple(sorted(plan.waiting)),
            files_changed=changed,
            conflicts=tuple(plan.conflicts),
            unsettled=tuple(before),
            repairs=(*plan.dropped, *told.repairs),
            receipt=receipt,
        )

    def _decide(self, work: WorkingSet, incoming: Incoming) -> None:
        name = str(incoming.document["id"])
        theirs = states.of_incoming(incoming)
        base, told = self._agreed.documents.get(name), theirs.digest(work.registry)
        found = work.find(name)
        if found is None:
            self._decide_gone(work, incoming, base, told)
            return
        ours = states.of_memory(found)
        held = ours.digest(work.registry)
        if told in {held, base}:
            return
        former = {state.digest(work.registry): state for state in _states(work, found)}
        if base is None and told in former:
            return
        began = ours if base == held else former.get(base or "")
        self._merge(work, found, incoming, (began, ours, theirs))

    def _decide_gone(
        self, work: WorkingSet, incoming: Incoming, base: str | None, told: str
    ) -> None:
        """Decide about a document of which there is no memory."""
        name = str(incoming.document["id"])
        if base is None and not work.is_taken(name) and not work.last_version(name):
            self._plan.incoming.append(incoming)
            return
        self._plan.gone.append(incoming.file)
        if base != told:
            self._plan.conflict(
                name, incoming, (), "deleted or renamed in the store, changed here"
            )

    def _merge(
        self,
        work: WorkingSet,
        found: Memory,
        incoming: Incoming,
        sides: tuple[State | None, State, State],
    ) -> None:
        began, ours, theirs = sides
        base = began.document if began else None
        document, clashing = merging.merged(base, ours.document, theirs.document)
        if deferring.is_protected(work, found):
            self._plan.waiting.add(found.id)
            self._plan.incoming.append(replace(incoming, document=theirs.document))
            return
        wanted = beside.both(began, ours, theirs, clashing)
        known = began.links if began else ours.links
        added = sorted(theirs.links - known, key=lambda link: (link.kind, link.target))
        self._plan.unlinked |= set(_both_sides(found.id, known - theirs.links))
        text = {**document, "status": lifecycle.worse(ours.own, wanted.own).value}
        taken = documents.with_links(documents.canonical(text), added)
        self._plan.incoming.append(replace(incoming, document=taken, own_status=None))
        self._plan.beside[found.id] = wanted
        if clashing:
            self._plan.conflict(
                found.id, incoming, tuple(sorted(clashing)), "changed on both sides"
            )

    def _missing(self, work: WorkingSet) -> None:
        """Delete, or write again, what the folder has no file of any more."""
        present = {str(incoming.document["id"]) for incoming in self._package.memories}
        for name, base in sorted(self._agreed.documents.items()):
            found = work.find(name)
            if name in present or found is None:
                continue
            same = states.of_memory(found).digest(work.registry) == base
            if self._prune and same and not deferring.is_protected(work, found):
                curate.delete(work, name)
                self._plan.deleted.append(name)
            else:
                self._plan.restored.append(name)

    def _unlink(self, work: WorkingSet) -> None:
        for source, kind, target in sorted(self._plan.unlinked):
            memory = work.find(source)
            if memory is not None and any(
                (link.kind, link.target) == (kind, target)
                for link in documents.links(memory.document)
            ):
                links.remove(work, source, kind, target)

    def _refuse_changed(self) -> None:
        now = dict(_marks(self._path))
        for name in sorted(now.keys() | self._seen.keys()):
            if now.get(name) != self._seen.get(name):
                raise Conflict(
                    f"'{name}' was changed meanwhile; the project has what was read before, and "
                    "the folder is as it was: run the command again"
                )

    def _linkable(self, work: WorkingSet) -> Iterator[Incoming]:
        """Yield documents to take, without links that go, or lead to what is deleted here."""
        taken = {str(incoming.document["id"]) for incoming in self._plan.incoming}
        for incoming in self._plan.incoming:
            yield self._with_links(work, incoming, taken)

    def _with_links(self, work: WorkingSet, incoming: Incoming, taken: set[str]) -> Incoming:
        name = str(incoming.document["id"])
        kept = []
        for link in documents.links(incoming.document):
            if (name, link.kind, link.target) in self._plan.unlinked:
                continue
            if link.target in taken or work.find(link.target) or work.redirect(link.target):
                kept.append(link)
            else:
                self._plan.dropped.append(
                    f"'{name}' {link.kind} '{link.target}' is gone: that is deleted in the store"
                )
        return replace(incoming, document=documents.with_links(incoming.document, kept))


def _states(work: WorkingSet, memory: Memory) -> Iterator[State]:
    return (states.of_memory(state) for state in work.states(memory))


def _both_sides(name: str, several: frozenset[Link]) -> Iterator[tuple[str, str, str]]:
    for link in several:
        yield name, link.kind, link.target
        yield link.target, relations.KINDS[link.kind].inverse, name


def _marks(path: Path) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield what tells whether a file of the folder was changed: when it was, and its size."""
    for name in exchange.PARTS:
        place = path / name
        for file in sorted(place.glob("*.json")) if place.is_dir() else [place]:
            if file.exists():
                found = file.stat()
                yield file.relative_to(path).as_posix(), (found.st_mtime_ns, found.st_size)
