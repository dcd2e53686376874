"""Which memory of the store a file of the folder is about, whichever side renamed it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from project_memory import documents
from project_memory.exchange import Incoming
from project_memory.model import Memory
from project_memory.services.syncing.states import State


@dataclass(frozen=True, slots=True)
class Naming:
    """Names by which both sides know their memories.

    Attributes:
        base: Id when both sides were the same -> name.
        folder: Id in the folder -> name.
        moved: Names of what the folder has under an id that it once had here.
        renamed: Names of what was renamed in the folder.
    """

    base: Mapping[str, str]
    folder: Mapping[str, str]
    moved: frozenset[str]
    renamed: frozenset[str]

    def of_base(self, memory_id: str) -> str:
        """Return the name of a memory that had this id when both sides were the same."""
        return self.base.get(memory_id, memory_id)

    def of_folder(self, memory_id: str) -> str:
        """Return the name of a memory that has this id in the folder."""
        return self.folder.get(memory_id) or self.of_base(memory_id)


def naming(
    base: State, now: State, read: Iterable[Incoming], redirects: Mapping[str, str]
) -> Naming:
    """Return the names of memories on both sides.

    A file under an id that was nowhere is a memory whose file is missing, if it says the same:
    it was renamed in the folder.

    Args:
        base: What both sides were.
        now: What the store holds.
        read: What the folder holds.
        redirects: Old id -> present id of what was renamed here.
    """
    here = {memory.id for memory in now.memories.values()}
    known = {m.id: _present_id(m, now) for m in base.memories.values()}
    told = {str(incoming.document["id"]): incoming for incoming in read}
    fresh = {name: one for name, one in told.items() if name not in known and name not in here}
    missing = {m.id: m for m in base.memories.values() if m.id not in told and known[m.id] in here}
    renamed = _renamed({name: m for name, m in missing.items() if known[name] not in told}, fresh)
    moved = {
        name: redirects[name]
        for name in fresh.keys() - renamed.keys()
        if redirects.get(name) in here and redirects[name] not in told
    }
    folder = {name: known[old] for name, old in renamed.items()}
    return Naming(known, folder | moved, frozenset(moved.values()), frozenset(folder.values()))


def _present_id(memory: Memory, now: State) -> str:
    found = now.memories.get(memory.key)
    return found.id if found is not None else memory.id


def _renamed(missing: Mapping[str, Memory], fresh: Mapping[str, Incoming]) -> dict[str, str]:
    """Return new id -> old id of each file that says what a missing one did, and no other does."""
    gone = {name: documents.text_digest(m.document) for name, m in missing.items()}
    came = {name: documents.text_digest(one.document) for name, one in fresh.items()}
    counts = Counter(gone.values()), Counter(came.values())
    by_text = {digest: name for name, digest in gone.items()}
    return {
        name: by_text[digest]
        for name, digest in came.items()
        if counts[0][digest] == counts[1][digest] == 1
    }
