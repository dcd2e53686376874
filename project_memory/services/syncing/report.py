"""What a synchronisation did."""

from __future__ import annotations

from dataclasses import dataclass

from project_memory.model import Receipt


@dataclass(frozen=True, slots=True)
class SyncConflict:
    """What both sides changed, each otherwise.

    Attributes:
        id: The memory, or ``labels.json``.
        fields: JSON paths, or names of labels; the store's side stays in the folder's file.
        file: Where the folder's side is kept, relative to the folder.
        because: What happened, in a few words.
    """

    id: str
    fields: tuple[str, ...]
    file: str
    because: str


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What a synchronisation did.

    Attributes:
        path: The folder.
        taken: Ids that the folder added or changed, sorted.
        deleted: Ids whose file was gone, deleted here because that was asked for, sorted.
        restored: Ids whose file was gone, and was written again, sorted.
        removed: Files whose memory is gone here, sorted.
        waiting: Ids whose change in the folder waits for a person; their files stay as they are.
        files_changed: Files written.
        conflicts: What both sides changed otherwise.
        unsettled: Twins of earlier conflicts that are still there, sorted.
        repairs: One sentence for everything that was put right.
        receipt: The transaction.
    """

    path: str
    taken: tuple[str, ...]
    deleted: tuple[str, ...]
    restored: tuple[str, ...]
    removed: tuple[str, ...]
    waiting: tuple[str, ...]
    files_changed: int
    conflicts: tuple[SyncConflict, ...]
    unsettled: tuple[str, ...]
    repairs: tuple[str, ...]
    receipt: Receipt

    @property
    def passed(self) -> bool:
        """Return whether both sides say the same, and no conflict waits to be settled."""
        return not (self.conflicts or self.unsettled)
