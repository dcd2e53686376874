"""What a synchronisation is to do, and the twins that keep what both sides changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from project_memory import documents
from project_memory.errors import StorageError
from project_memory.exchange import Incoming, directory, writing
from project_memory.services.syncing.report import SyncConflict
from project_memory.services.syncing.states import State


@dataclass(slots=True)
class Plan:
    """What is to be done, gathered inside the transaction.

    Attributes:
        path: The folder.
        incoming: Documents to take, with only the links that are new.
        beside: Id -> what is to stand beside its document.
        unlinked: (Id, kind, target) of links that go, from both sides.
        gone: Files whose memory is gone.
        waiting: Ids whose change waits for a person.
        deleted: Ids that go because their file is gone.
        restored: Ids whose file is gone and comes back.
        twins: File -> text of what both sides changed.
        conflicts: The same for the report.
        dropped: One sentence for each link of the folder that leads to what is deleted.
    """

    path: Path
    incoming: list[Incoming] = field(default_factory=list)
    beside: dict[str, State] = field(default_factory=dict)
    unlinked: set[tuple[str, str, str]] = field(default_factory=set)
    gone: list[str] = field(default_factory=list)
    waiting: set[str] = field(default_factory=set)
    deleted: list[str] = field(default_factory=list)
    restored: list[str] = field(default_factory=list)
    twins: dict[str, str] = field(default_factory=dict)
    conflicts: list[SyncConflict] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)

    def conflict(
        self, name: str, incoming: Incoming, fields: tuple[str, ...], because: str
    ) -> None:
        """Keep the folder's side of a document beside its file."""
        folder = incoming.file.rpartition("/")[0]
        text = documents.to_text(documents.canonical(incoming.document))
        self.keep(f"{folder}/{name}" if folder else name, text, (name, fields, because))

    def keep(self, stem: str, text: str, told: tuple[str, tuple[str, ...], str]) -> None:
        """Keep a text as a twin; `told` is what the report says: id, fields, because."""
        file = self._free(stem)
        self.twins[file] = text
        name, fields, because = told
        self.conflicts.append(SyncConflict(name, fields, file, because))

    def unsettled(self) -> Iterator[str]:
        """Yield the twins that are there, relative to the folder."""
        for folder in ("", directory.MEMORIES, directory.ARCHIVE):
            for file in (self.path / folder).glob("*.conflict.json"):
                yield file.relative_to(self.path).as_posix()

    def write_twins(self) -> None:
        """Write the twins.

        Raises:
            StorageError: one cannot be written.
        """
        try:
            for file, text in self.twins.items():
                writing.replace(self.path / file, text, mode=0o644)
        except OSError as error:
            raise StorageError(f"cannot write '{error.filename}' ({error.strerror})") from error

    def _free(self, stem: str) -> str:
        """Return the name of a twin that is not there yet."""
        number, file = 1, f"{stem}.conflict.json"
        while file in self.twins or (self.path / file).exists():
            number += 1
            file = f"{stem}-{number}.conflict.json"
        return file
