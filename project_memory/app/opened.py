"""A store that is open at one project, for one actor: what every use case stands on."""

from __future__ import annotations

import copy
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from project_memory import services
from project_memory.model import (
    Actor,
    Clock,
    LostExpectation,
    Project,
    Receipt,
    system_clock,
)
from project_memory.ports import Reader, Storage
from project_memory.roles import Speaker
from project_memory.services.store import StoreInfo, existing_project
from project_memory.services.tally import Tally
from project_memory.signatures import checked
from project_memory.storage import (
    called,
    is_local,
    open_storage,
)

if TYPE_CHECKING:  # what a use case needs loads with it
    from project_memory.index import Index
    from project_memory.services.affected import Affected
    from project_memory.services.beside import Flags
    from project_memory.services.following import Follower
    from project_memory.services.indexes import Indexes
    from project_memory.services.working_set import WorkingSet

JSON = Mapping[str, Any]


@checked
class Opened:
    """A project of a store, in the name of an actor; safe to share between threads."""

    def __init__(
        self, storage: Storage, project: str, actor: Actor, clock: Clock = system_clock
    ) -> None:
        self._storage = storage
        self._actor = actor
        self._clock = clock
        self._indexes: Indexes | None = None
        self._follower: Follower | None = None
        with storage.read() as reader:
            self._project = existing_project(reader, project)
        self._tally = Tally(storage, self._project.key, self._project.name)
        self._flags: Flags = services.beside.nothing
        self._folder: Path | None = None
        self._sees: Callable[[Project], bool] = lambda _: True
        self._called = storage.url
        self._settled = Event()

    @classmethod
    def open(
        cls,
        url: str | None = None,
        *,
        project: str,
        actor: Actor,
        create: bool = False,
        clock: Clock = system_clock,
    ) -> Self:
        """Open a project of the store at `url` (None: the default place).

        With `create`, a missing store and a missing project are made.

        Raises:
            NotFound: there is no such store, or no such project in it.
            StorageError: the store cannot be read.
        """
        storage = open_storage(url, create=create)
        try:
            if create:
                services.projects.ensure(storage, project, actor, clock)
            return cls(storage, project, actor, clock)
        except BaseException:
            storage.close()
            raise

    def close(self) -> None:
        """Write what was counted, keep the index for the next process, and release the store."""
        self.settle()
        self._storage.close()

    def settle(self) -> None:
        """Write what was counted, and keep the index for the next process; nothing follows."""
        self._tally.close()
        if self._follower is not None:
            self._follower.close()
        if self._indexes is not None:
            self._indexes.close(self._storage)

    def spoken_to_by(self, speaker: Speaker) -> Self:
        """Return the same project in the name of a speaker, with what that one sees beside it.

        Both share the store, the index and the counters, which stay with this one to close. To
        the speaker, who is elsewhere, the store has a name and no place.
        """
        self._all_indexes()  # made once, before anything is shared
        spoken = copy.copy(self)
        spoken._called = called(self._storage.url)
        spoken._actor, spoken._sees = speaker.actor, speaker.sees
        return spoken

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def look_at(self, folder: Path, *, patience: float | None) -> None:
        """Let what is read be flagged by the checkout at a folder. See `beside.flags`.

        Absolute paths that recall is given are taken as paths in it.

        A store that others share over a network is read without.
        """
        self._folder = folder
        if is_local(self._storage.url):
            self._flags = services.beside.flags(self._project, folder, patience=patience)

    def follow(self) -> None:
        """Take in what others write while nobody asks, where the store tells of it."""
        if self._follower is None:
            self._follower = services.following.Follower(self._storage, self.take_in)

    def take_in(self, project: int) -> None:
        """Bring the index of the project of a key up to date, if it is held here."""
        self._all_indexes().take_in(self._storage, project)

    @property
    def store(self) -> str:
        """Return where the store is, without credentials; to who is elsewhere, its name."""
        return self._called

    @property
    def actor(self) -> Actor:
        """Return who acts."""
        return self._actor

    @property
    def project(self) -> str:
        """Return the project's readable name."""
        return self._project.name

    def _perform(self, operation: JSON, verb: str | None = None, **options: Any) -> Receipt:
        """Run one operation of a batch by itself, under its own name."""
        return self._commit(
            verb or operation["op"],
            lambda w: services.batch.perform(w, operation),
            operations=(operation,),
            **options,
        )

    def _commit(
        self,
        operation: str,
        act: Callable[[WorkingSet], object],
        *,
        reason: str | None = None,
        dry_run: bool = False,
        undoes: int | None = None,
        operations: Sequence[JSON] | None = None,
    ) -> Receipt:
        if not dry_run and not self._settled.is_set():
            self._settled.set()  # the first change of who opened the store will do
            services.sweeping.settle(self._storage, platform.node())
        now = self._clock()
        order = services.transaction.Order(
            operation, self._actor, now, reason, dry_run, undoes, operations
        )
        return services.transaction.commit(self._storage, self.project, order, act, self._lost)

    def _lost(self, reader: Reader, work: WorkingSet) -> Sequence[LostExpectation]:
        """Return the expectations that a change loses. See `watching.lost`."""
        if not work.expectations:
            return ()
        return services.watching.lost(reader, self._index, work, self._clock().date())

    @contextmanager
    def _reading(self) -> Iterator[tuple[Reader, StoreInfo]]:
        with self._storage.read() as reader:
            revision = reader.revision(self._project.key)
            yield reader, StoreInfo(self.store, self.project, revision)

    def _affected(self, found: Callable[[services.affected.Place], Affected]) -> Affected:
        with self._reading() as (reader, info):
            return found(
                services.affected.Place(reader, self._project.key, info, self._clock().date())
            )

    def _others(self, reader: Reader) -> dict[str, int]:
        return services.projects.sharing(reader, self._project, self._sees)

    def _index(self, reader: Reader) -> Index:
        return self._all_indexes().fresh(reader, self._project.key)

    def _all_indexes(self) -> Indexes:
        if self._indexes is None:
            self._indexes = services.indexes.Indexes(
                kept=not self._storage.url.startswith("inmemory:")
            )
        return self._indexes
