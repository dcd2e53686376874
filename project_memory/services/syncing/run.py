"""One synchronisation: both sides are merged in one transaction, then the folder is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from project_memory import documents, exchange
from project_memory.documents import printable
from project_memory.errors import InvalidInput, NotFound, StoreUnreadable
from project_memory.exchange import Held, Incoming, OnDisk, Package, replacing, twins
from project_memory.exchange import directory as directory_form
from project_memory.model import Actor, Authority, Memory, Project, Receipt
from project_memory.ports import Reader
from project_memory.services import expecting, links, overwriting, refusing
from project_memory.services.syncing import buried, naming, sides, states
from project_memory.services.syncing.applying import Applying
from project_memory.services.syncing.naming import Naming
from project_memory.services.syncing.plan import META, REGISTRY, Plan, plan
from project_memory.services.syncing.report import SyncConflict, SyncReport
from project_memory.services.syncing.sides import Side
from project_memory.services.syncing.states import State
from project_memory.services.working_set import WorkingSet
from project_memory.synced import Synced

_BECAUSE = "changed on both sides"
_GONE = "deleted in the store, changed here"


@dataclass(slots=True)
class _Done:
    """What the transaction came to; another one would be reckoned anew."""

    applied: Applying
    names: Naming
    read: dict[str, Incoming]
    behind: Mapping[int, int]


class Run:
    """One synchronisation: the folder is read when made; see `apply`, then `finish`."""

    def __init__(self, path: Path, host: str, *, prune: bool) -> None:
        """Read the folder.

        Args:
            path: The folder; one that is not there, and was not synced before, is made.
            host: Name of the machine that it is on.
            prune: Whether a memory goes whose file was taken away.

        Raises:
            StoreUnreadable: the folder, or a file in it, cannot be read.
            InvalidInput: a part of it is a symbolic link, or it holds the other form.
            InvalidDocument: it is broken; every problem is listed.
            SecretFound: a document holds what looks like a credential.
        """
        self._path, self._host, self._prune = path, host, prune
        self._exists = path.exists()
        overwriting.refuse_links(path)
        overwriting.refuse_other_form(path, exchange.JSON)
        self._held = _held(path) if self._exists else Held({})
        self._package = exchange.read_folder(self._held)
        refusing.refuse_broken(self._package)
        _refuse_loose(path, self._package)
        self._done: _Done | None = None

    def apply(self, work: WorkingSet) -> None:
        """Take what the folder changed. See `transaction.commit`.

        Raises:
            NotFound: the folder is gone.
            InvalidInput: every file is gone, and memories would be deleted for it.
            InvalidDocument: a document, or a link among them, breaks a rule.
        """
        kept = self._known(work)
        work.actor = Actor(work.actor.name, Authority.IMPORT)
        work.strict = False
        now = states.present(work.all(), work.registry, work.expectations)
        base = _base(work, now, kept)
        redirects = work.redirects()
        held = buried.without(work.buried, self._package.memories)
        names = naming.naming(base, now, held, redirects)
        read = {names.of_folder(str(i.document["id"])): i for i in held}
        store = sides.of_state(now, str)
        known = sides.of_state(base, names.of_base)
        folder = self._side(names, read, (known if kept else store, store))
        if not kept:
            _add_former(work, known, folder)
        self._refuse_empty(known, read)
        made = plan(known, store, folder, taken=redirects, prune=self._prune)
        applied = Applying(work, made, read, self._package.registry)
        applied.run()
        behind = {
            now_key: kept.absent.get(now_key, kept.revision) if kept else 0
            for name in applied.waiting & read.keys()
            if (now_key := _key(now, name)) is not None
        }
        self._done = _Done(applied, names, read, behind)

    def finish(
        self, reader: Reader, project: Project, receipt: Receipt
    ) -> tuple[SyncReport, Synced | None]:
        """Write the folder as the store is; return the report, and what the store is to keep.

        Raises:
            Conflict: a file was changed since the folder was read; nothing is written.
            StorageError: a file cannot be written.
        """
        assert self._done is not None
        conflicts, kept_aside = self._conflicts()
        unsettled = tuple(sorted(filter(twins.is_twin, self._held.files)))
        if receipt.dry_run:
            return self._report(receipt, conflicts, unsettled, {}), None
        after = {**self._files(reader, project), **kept_aside}
        gone = {incoming.file for incoming in self._package.memories} - after.keys()
        changed: dict[str, bytes | None] = {
            name: content
            for name, content in after.items()
            if self._held.files.get(name) != content
        }
        changed |= dict.fromkeys(sorted(gone))
        replacing.bring(self._path, self._held.files, changed)
        return self._report(receipt, conflicts, unsettled, changed), self._synced(reader, project)

    def _known(self, work: WorkingSet) -> Synced | None:
        """Return what the store keeps of the folder, if it is still of this store's history."""
        kept = work.synced(self._host, str(self._path.absolute()))
        if kept is None:
            return None
        if not self._exists:
            raise NotFound(
                f"'{printable(str(self._path))}' is gone, which was synced with this project "
                "before; bring it back, or make an empty folder to have it written anew"
            )
        return kept if work.mark(kept.revision) == kept.mark else None

    def _side(
        self, names: Naming, read: Mapping[str, Incoming], before: tuple[Side, Side]
    ) -> Side:
        """Return what the folder tells; what it has no file for is as it was."""
        known, store = before
        with_meta = self._held.holds("meta.json")
        side = Side()
        for name, incoming in read.items():
            was = None if with_meta else known.told.get(name) or store.told.get(name)
            side.told[name] = sides.of_incoming(incoming, was)
            if name in names.moved:
                side.told[name]["id"] = name
        side.edges = sides.folder_edges(read, known.edges, names.of_folder, names.renamed)
        side.registry = known.registry
        if self._held.holds("labels.json"):
            side.registry = self._package.registry
        side.expectations = known.expectations
        if with_meta:
            side.expectations = sides.expected(self._package.expectations, names.of_folder)
        return side

    def _refuse_empty(self, known: Side, read: Mapping[str, Incoming]) -> None:
        if self._prune and len(known.told) > 1 and not read:
            raise InvalidInput(
                f"none of the {len(known.told)} memories that '{printable(str(self._path))}' held "
                "last is in it any more; sync without --prune to have their files written again"
            )

    def _files(self, reader: Reader, project: Project) -> dict[str, bytes]:
        assert self._done is not None
        memories = list(reader.memories(project.key))
        expected = expecting.present(reader, project.key)
        written = dict(directory_form.files(memories, reader.registry(project.key), expected))
        for memory in memories:
            if memory.id in self._done.applied.waiting & self._done.read.keys():
                self._leave(memory, written)
        return {name: content.encode("utf-8") for name, content in written.items()}

    def _leave(self, memory: Memory, written: dict[str, str]) -> None:
        """Let a file say on what waits for a person, with the links that both sides have."""
        assert self._done is not None
        incoming = self._done.read[memory.id]
        folder = "archive" if memory.archived else "memories"
        del written[f"{folder}/{memory.id}.json"]
        linked = documents.with_links(incoming.document, documents.links(memory.document))
        written[incoming.file] = documents.to_text(documents.canonical(linked))

    def _synced(self, reader: Reader, project: Project) -> Synced | None:
        assert self._done is not None
        revision = reader.revision(project.key)
        mark = reader.mark(project.key, revision)
        if mark is None:  # nothing was ever written, so that nothing is in common
            return None
        place = str(self._path.absolute())
        kept = Synced(project.key, self._host, place, revision, mark, self._done.behind)
        return None if reader.synced(project.key, self._host, place) == kept else kept

    # -- what is told ----------------------------------------------------------------------------

    def _conflicts(self) -> tuple[list[SyncConflict], dict[str, bytes]]:
        """Return (the conflicts, file -> what the folder said)."""
        assert self._done is not None
        conflicts, kept = [], dict[str, bytes]()
        for name, fields in sorted(self._done.applied.plan.conflicts.items()):
            twin, content = self._twin(name, kept)
            if content is not None:
                kept[twin] = content
            told, because = _told(name, self._done.applied.plan), _BECAUSE if fields else _GONE
            shown = sorted({_shown(name, field) for field in fields})
            conflicts.append(SyncConflict(told, tuple(shown), twin, because))
        return conflicts, kept

    def _twin(self, name: str, more: Mapping[str, bytes]) -> tuple[str, bytes | None]:
        assert self._done is not None
        file = {REGISTRY: "labels.json", META: "meta.json"}.get(name)
        place = file
        if file is None:
            incoming = self._done.read.get(name)
            file = incoming.file if incoming else f"memories/{name}.json"
            place = f"{file.rpartition('/')[0]}/{_told(name, self._done.applied.plan)}.json"
        content = self._held.files.get(file)
        held = {**self._held.files, **more}
        return twins.twin_of(place or file, held, content or b""), content

    def _report(
        self,
        receipt: Receipt,
        conflicts: list[SyncConflict],
        unsettled: tuple[str, ...],
        changed: Mapping[str, bytes | None],
    ) -> SyncReport:
        assert self._done is not None
        applied = self._done.applied
        made = applied.plan
        removed = sorted(name for name, content in changed.items() if content is None)
        return SyncReport(
            path=str(self._path),
            taken=tuple(sorted(applied.taken)),
            deleted=tuple(sorted(made.deleted - applied.waiting)),
            restored=tuple(sorted(made.restored)),
            removed=tuple(removed),
            waiting=tuple(sorted(applied.waiting)),
            files_changed=len(changed) - len(removed),
            conflicts=tuple(conflicts),
            unsettled=unsettled,
            repairs=(*self._package.repairs, *_dropped(made), *applied.notes),
            receipt=receipt,
        )


def _held(path: Path) -> Held:
    try:
        return exchange.held(OnDisk(path), lambda n: exchange.belongs(n) or twins.is_twin(n))
    except OSError as error:
        raise StoreUnreadable(
            f"cannot read '{printable(str(error.filename))}' ({error.strerror}); "
            "nothing was taken from it"
        ) from error


def _refuse_loose(path: Path, package: Package) -> None:
    """Refuse documents beside the folders that are synced, and links given twice."""
    for incoming in package.memories:
        if "/" not in incoming.file:
            raise InvalidInput(
                f"'{incoming.file}' lies in '{printable(str(path))}' itself; move documents to "
                "the folder 'memories' in it"
            )
        links.refuse_twice(incoming.document)


def _base(work: WorkingSet, now: State, kept: Synced | None) -> State:
    if kept is None:
        return State()
    oldest = min((kept.revision, *kept.absent.values()))
    return states.before(now, work.since(oldest), kept.revision, kept.absent)


def _key(now: State, name: str) -> int | None:
    return next((key for key, memory in now.memories.items() if memory.id == name), None)


def _add_former(work: WorkingSet, known: Side, folder: Side) -> None:
    """Take for common what the folder says and the store said once: only the store changed it."""
    for name, told in folder.told.items():
        found = work.find(name)
        if found and any(sides.of_memory(state) == told for state in work.states(found)):
            known.told[name] = told


def _told(name: str, made: Plan) -> str:
    """Return what a conflict is told to be of."""
    if name in (REGISTRY, META):
        return f"{name}.json"
    return str(made.told.get(name, {}).get("id", name))


def _shown(name: str, path: str) -> str:
    return path.split(".")[1] if name == REGISTRY and "." in path else f"$.{path}"


def _dropped(made: Plan) -> Iterator[str]:
    for kind, source, target in sorted(made.dropped):
        yield f"'{source}' {kind} '{target}' is gone: that is deleted in the store"
