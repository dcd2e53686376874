"""The memories and labels of one project as a transaction will leave them.

Operations (curate, labels, history, importing) read and change a `WorkingSet`; nothing reaches
the back end before `transaction.commit` has closed and checked it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from functools import cached_property

from project_memory import documents, duplicates, validation
from project_memory.duplicates import Imprint
from project_memory.errors import NotFound
from project_memory.model import (
    Actor,
    Document,
    Expectation,
    ExpectationChange,
    Label,
    LabelChange,
    Memory,
    MemoryChange,
    NearDuplicate,
    PrefixChange,
    Problem,
    Project,
    Registry,
    Revision,
    timestamp,
)
from project_memory.ports import Reader
from project_memory.proposals import Proposal, State
from project_memory.services import history, tombstones
from project_memory.services.tombstones import Buried
from project_memory.synced import Synced


class WorkingSet:
    """A reader with changes laid over it.

    Attributes:
        project: The project that is changed.
        caller: Who asks for the change.
        actor: In whose name it is made: the caller's, unless it is an import.
        author: Name of who wrote the memories that are added.
        now: The transaction's UTC timestamp.
        today: Its calendar date.
        notes: Sentences for the receipt.
        near_duplicates: Memories that say nearly what is written, for the receipt.
        past: Revisions of another store to record before this one, numbered anew.
        proposals: Proposals to be kept or replaced with this change; number 0 is a new one.
        taken_back: Whether the change only takes back what its actor may take back.
        strict: Whether the limits for new text bind; an import of older documents lifts them.
    """

    def __init__(self, reader: Reader, project: Project, actor: Actor, moment: datetime) -> None:
        self.project = project
        self.caller = actor
        self.actor = actor
        self.author = actor.name
        self.now = timestamp(moment)
        self.today = moment.date()
        self.notes: list[str] = []
        self.near_duplicates: list[NearDuplicate] = []
        self.past: list[Revision] = []
        self.proposals: list[Proposal] = []
        self.taken_back = False
        self.strict = True
        self._reader = reader
        self._before: dict[int, Memory | None] = {}
        self._after: dict[int, Memory | None] = {}
        self._keys: dict[str, int | None] = {}
        self._events: dict[int, str] = {}
        self._authored: set[int] = set()
        self._changes: list[MemoryChange] | None = []
        # texts written here, of which the reader cannot know: by key, and keys that had one
        self._digests: dict[int, str] = {}
        self._of_text: dict[str, set[int]] = {}
        self._imprints: dict[str, Imprint] = {}
        self._old_registry = reader.registry(project.key)
        self._labels = dict(self._old_registry.labels)
        self._single = set(self._old_registry.single)
        self._registry: Registry | None = None
        self._problems: dict[int, tuple[Document, list[Problem]]] = {}
        self._old_expectations = {each.id: each for each in reader.expectations(project.key)}
        self._expectations = dict(self._old_expectations)

    def read_on(self, reader: Reader) -> None:
        """Read from another reader of the same state of the project; the one before has ended."""
        self._reader = reader

    def find(self, memory_id: str) -> Memory | None:
        """Return the memory that has exactly this id, or None."""
        if memory_id not in self._keys:
            self._remember(memory_id, self._reader.memory(self.project.key, memory_id))
        key = self._keys[memory_id]
        return None if key is None else self._after[key]

    def read(self, ids: Iterable[str]) -> None:
        """Read memories that are asked for next, together where the store can."""
        fresh = {name for name in ids if name not in self._keys}
        found = {each.id: each for each in self._reader.memories(self.project.key, fresh)}
        for name in sorted(fresh):
            self._remember(name, found.get(name))

    def keyed(self, key: int) -> Memory | None:
        """Return the memory of this key if it was looked at before and is there, or None."""
        return self._after.get(key)

    def get(self, memory_id: str) -> Memory:
        """Return the memory of this id, following a redirect.

        Raises:
            NotFound: there is none.
        """
        found = self.find(memory_id)
        if found is None:
            target = self.redirect(memory_id)
            found = self.find(target) if target else None
        if found is None:
            raise NotFound(f"no memory '{memory_id}'; list ids with `project-memory list`")
        return found

    def of_key(self, key: int) -> Memory | None:
        """Return the memory of this key, whatever its id is by now, or None."""
        if key not in self._after:
            memory_id = self._reader.id_of(self.project.key, key)
            return None if memory_id is None else self.find(memory_id)
        return self._after[key]

    def redirect(self, memory_id: str) -> str | None:
        """Return the present id of a memory that was renamed away from this one, or None."""
        return self._reader.redirect(self.project.key, memory_id)

    def redirects(self) -> Mapping[str, str]:
        """Return old id -> present id of every stored memory that was renamed."""
        return self._reader.redirects(self.project.key)

    def is_taken(self, memory_id: str) -> bool:
        """Return whether an id cannot be given to a further memory."""
        if self.find(memory_id) is not None or self.redirect(memory_id) is not None:
            return True
        return self.buried.has_id(memory_id)

    def all(self) -> Iterator[Memory]:
        """Yield every memory of the project as it stands now, archived ones too, by id."""
        for memory in self._reader.memories(self.project.key):
            if memory.id not in self._keys:
                self._remember(memory.id, memory)
        for memory_id in sorted(self._keys):
            found = self.find(memory_id)
            if found is not None:
                yield found

    def carrying(self, labels: Iterable[str]) -> list[Memory]:
        """Return the memories, archived ones too, that carry any of these labels now, by id."""
        wanted = set(labels)
        for memory in self._reader.carriers(self.project.key, wanted):
            if memory.id not in self._keys:
                self._remember(memory.id, memory)
        known = (self.find(memory_id) for memory_id in sorted(self._keys))
        return [m for m in known if m and wanted.intersection(m.document["labels"])]

    def same_text(self, digest: str) -> list[str]:
        """Return ids of the memories of this text digest that are in retrieval now, sorted."""
        written = self._of_text.get(digest, ())
        keys = {key for key in written if self._digests[key] == digest}
        stored = self._reader.same_text(self.project.key, digest)
        for memory in self._reader.memories(self.project.key, stored):
            if memory.key not in self._after:
                self._remember(memory.id, memory)
            if memory.key not in self._digests:
                keys.add(memory.key)
        held = (self._after[key] for key in keys)
        return sorted(memory.id for memory in held if memory and not memory.archived)

    def last_version(self, memory_id: str) -> int:
        """Return the highest version that any stored memory of this id had; 0 for none."""
        return self._reader.last_version(self.project.key, memory_id)

    def near_text(self, bands: Iterable[int], limit: int) -> dict[str, bytes]:
        """Return id -> signs of unarchived stored memories under these bands, the likest first."""
        return self._reader.near_text(self.project.key, bands, limit)

    def lessons(self, ids: Iterable[str]) -> dict[str, str]:
        """Return id -> `documents.lesson` of the memories of these ids that are there."""
        names = list(ids)
        found = (self.find(name) for name in names if name in self._keys)
        here = {one.id: documents.lesson(one.document) for one in found if one is not None}
        others = [name for name in names if name not in self._keys]
        return {**here, **self._reader.lessons(self.project.key, others)}

    def imprints(self, memories: Iterable[Memory]) -> dict[str, Imprint]:
        """Return id -> `duplicates.imprint` of each memory, worked out once for a text."""
        lessons = {memory.id: documents.lesson(memory.document) for memory in memories}
        fresh = [text for text in dict.fromkeys(lessons.values()) if text not in self._imprints]
        self._imprints.update(zip(fresh, duplicates.imprints(fresh), strict=True))
        return {name: self._imprints[text] for name, text in lessons.items()}

    def proposal(self, number: int) -> Proposal:
        """Return the stored proposal of this number.

        Raises:
            NotFound: there is none.
        """
        found = self._reader.proposal(self.project.key, number)
        if found is None:
            raise NotFound(
                f"no proposal {number}; `project-memory review list` shows those that wait"
            )
        return found

    def synced(self, host: str, folder: str) -> Synced | None:
        """Return what the store keeps of a folder that it is synced with, or None."""
        return self._reader.synced(self.project.key, host, folder)

    def mark(self, revision: int) -> str | None:
        """Return what tells a stored revision from others of its number. See `Reader.mark`."""
        return self._reader.mark(self.project.key, revision)

    def since(self, revision: int) -> Iterator[Revision]:
        """Yield the stored revisions that follow one, newest first."""
        return self._reader.revisions(self.project.key, after=revision, newest_first=True)

    def waiting(self) -> Iterator[Proposal]:
        """Yield the stored proposals that wait to be decided, by number."""
        return self._reader.proposals(self.project.key, State.WAITING)

    def applied_by(self, revision: int) -> list[Proposal]:
        """Return the stored proposals that became this revision, by number."""
        applied = self._reader.proposals(self.project.key, State.APPLIED)
        return [one for one in applied if one.decision and one.decision.revision == revision]

    def states(self, memory: Memory) -> Iterator[Memory]:
        """Yield a memory as each stored revision that touched it left it, newest first."""
        return self._reader.states(self.project.key, memory.key)

    @cached_property
    def buried(self) -> Buried:
        """Return what was purged from the project."""
        return tombstones.of(self._reader, self.project.key)

    def other_values(self, key: str, value: str) -> list[str]:
        """Return ids of unarchived stored memories with another value under a key of facts."""
        return self._reader.other_values(self.project.key, key, value)

    def document_at(self, memory_id: str, version: int) -> Document | None:
        """Return the document of a stored memory at one of its versions, or None."""
        for revision in self._reader.revisions(
            self.project.key, memory_id=memory_id, newest_first=True
        ):
            for change in revision.changes:
                match change:
                    case MemoryChange(after=Memory() as after):
                        if after.id == memory_id and after.version == version:
                            return after.document
        return None

    def memory_at(self, memory_id: str, version: int) -> Memory:
        """Return a stored memory as one of its versions left it. See `history.version_of`."""
        return history.version_of(self._reader, self.project.key, memory_id, version)

    def add(self, memory: Memory, event: str, key: int | None = None) -> Memory:
        """Add a memory that the store lacks and return it with its key and version.

        The version continues where the last memory of this id ended. A deleted memory that comes
        back brings its `key`; others get one when they are written.
        """
        key = -1 - len(self._after) if key is None else key
        added = replace(memory, key=key, version=self.last_version(memory.id) + 1)
        self._before[key], self._after[key] = None, added
        self._changes = None
        self._keys[memory.id] = key
        self._note_text(added)
        self._events[key] = event
        self._authored.add(key)
        return added

    def put(self, memory: Memory, event: str, *, authored: bool) -> None:
        """Replace a memory; `authored` says that its own text, not only a mirror, changed."""
        old = self._after[memory.key]
        assert old is not None
        if old.id != memory.id:
            if self._keys[old.id] == memory.key:  # another may have taken it
                self._keys[old.id] = None
            self._keys[memory.id] = memory.key
        self._after[memory.key] = memory
        if MemoryChange(old, memory).is_of_text:
            self._note_text(memory)
        self._changes = None
        if authored:
            self._authored.add(memory.key)
            self._events.setdefault(memory.key, event)

    def remove(self, memory: Memory) -> None:
        """Remove a memory whose links are gone already."""
        self._after[memory.key] = None
        self._changes = None
        self._keys[memory.id] = None
        self._events[memory.key] = "deleted"

    @property
    def registry(self) -> Registry:
        """Return the labels as they stand now."""
        if self._registry is None:
            self._registry = Registry(self._labels, frozenset(self._single))
        return self._registry

    def put_label(self, label: Label) -> None:
        """Add or replace a registered label."""
        self._labels[label.name] = label

    def remove_label(self, name: str) -> None:
        """Remove a registered label."""
        del self._labels[name]

    def put_registry(self, registry: Registry) -> None:
        """Let the labels be those of another registry; single prefixes stay as they are."""
        self._labels = dict(registry.labels)
        self._registry = None

    def put_prefix(self, prefix: str, *, single: bool) -> None:
        """Declare whether a prefix allows one label a memory."""
        self._registry = None
        (self._single.add if single else self._single.discard)(prefix)

    @property
    def expectations(self) -> Mapping[str, Expectation]:
        """Return what the project expects to be found as it stands now, by id."""
        return self._expectations

    def put_expectation(self, expectation: Expectation) -> None:
        """Add an expectation, or replace the one of the same question."""
        self._expectations[expectation.id] = expectation

    def remove_expectation(self, expectation_id: str) -> None:
        """Remove an expectation."""
        del self._expectations[expectation_id]

    def memory_changes(self) -> list[MemoryChange]:
        """Return what differs from the store, by id; a memory added and removed again is none."""
        if self._changes is None:
            pairs = ((self._before[key], self._after[key]) for key in self._after)
            changed = [MemoryChange(before, after) for before, after in pairs if before != after]
            self._changes = sorted(changed, key=lambda change: change.id)
        return self._changes

    def label_changes(self) -> list[LabelChange | PrefixChange]:
        """Return what differs from the stored registry, by name."""
        old, new = self._old_registry.labels, self._labels
        moved = () if old == new else old.keys() | new.keys()
        names = sorted(n for n in moved if old.get(n) != new.get(n))
        labels = [LabelChange(old.get(name), new.get(name)) for name in names]
        singles = sorted(self._old_registry.single ^ self._single)
        prefixes = [
            PrefixChange(p, p in self._old_registry.single, p in self._single) for p in singles
        ]
        return [*labels, *prefixes]

    def expectation_changes(self) -> list[ExpectationChange]:
        """Return what differs from the stored expectations, by id."""
        old, new = self._old_expectations, self._expectations
        ids = sorted(i for i in old.keys() | new.keys() if old.get(i) != new.get(i))
        return [ExpectationChange(old.get(each), new.get(each)) for each in ids]

    def changed_labels(self) -> tuple[str, ...]:
        """Return the labels, and the prefixes with their colon, that differ, sorted."""
        names = {
            f"{c.prefix}:" if isinstance(c, PrefixChange) else c.name for c in self.label_changes()
        }
        return tuple(sorted(names))

    def event(self, key: int) -> str | None:
        """Return the verb under which a memory was changed by name, or None for a neighbour."""
        return self._events.get(key)

    def is_authored(self, key: int) -> bool:
        """Return whether a memory's own text was changed, not only its mirrors."""
        return key in self._authored

    def problems(self, memory: Memory) -> list[Problem]:
        """Return what is wrong with the form of a memory, looked at once for a document.

        Limits bind only what was written by name, and only where the change is strict.
        """
        known = self._problems.get(memory.key)
        if known is None or known[0] is not memory.document:
            lenient = not (self.strict and self.is_authored(memory.key))
            found = validation.check_document(memory.document, stored=lenient)
            known = self._problems[memory.key] = memory.document, found
        return known[1]

    def _note_text(self, memory: Memory) -> None:
        digest = documents.text_digest(memory.document)
        self._digests[memory.key] = digest
        self._of_text.setdefault(digest, set()).add(memory.key)

    def _remember(self, memory_id: str, memory: Memory | None) -> None:
        if memory is None:
            self._keys[memory_id] = None
        else:
            self._keys[memory_id] = memory.key
            self._before[memory.key] = self._after[memory.key] = memory
