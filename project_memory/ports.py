"""What services ask of a back end, at document level.

One contract suite (tests/contract) runs over every implementation. Every method that takes a
`project` takes the key of a `Project` that exists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Event
from typing import Any, Protocol

from project_memory.backups import Backup
from project_memory.jobs import Job
from project_memory.model import (
    Expectation,
    Handles,
    Label,
    Memory,
    Project,
    Question,
    Registry,
    Revision,
    Usage,
    Uses,
)
from project_memory.proposals import Proposal, State
from project_memory.sightings import Sighting
from project_memory.synced import Synced
from project_memory.tokens import Enrollment, Session, Token

CROWD = 50
"""Memories of one text band, and of one key of facts, that a reader looks at."""


class Reader(Protocol):
    """A consistent view of the store as of one moment."""

    def projects(self) -> list[Project]:
        """Return every project, by name."""
        ...

    def project(self, name: str) -> Project | None:
        """Return the project with this readable name or repository id, or None."""
        ...

    def revision(self, project: int) -> int:
        """Return the project's revision; 0 before its first change."""
        ...

    def memory(self, project: int, memory_id: str) -> Memory | None:
        """Return one memory, archived or not; redirects are not followed."""
        ...

    def memories(self, project: int, ids: Iterable[str] | None = None) -> Iterator[Memory]:
        """Yield the memories of these ids that exist, or all (archived ones too), by id."""
        ...

    def carriers(self, project: int, labels: Iterable[str]) -> Iterator[Memory]:
        """Yield the memories, archived ones too, that carry any of these labels, by id."""
        ...

    def same_text(self, project: int, digest: str) -> list[str]:
        """Return ids of unarchived memories whose `documents.text_digest` is this, sorted."""
        ...

    def near_text(self, project: int, bands: Iterable[int], limit: int) -> dict[str, bytes]:
        """Return id -> signs of unarchived memories under any of these bands, at most `limit`.

        Those under the most bands come first, of these the oldest. Of a band that holds more than
        `CROWD` memories, the oldest count, so that the cost does not grow with the store.
        """
        ...

    def imprints(self, project: int) -> dict[str, tuple[tuple[int, ...], bytes]]:
        """Return id -> (bands, signs) of each unarchived memory that has bands; these ascend."""
        ...

    def lessons(self, project: int, ids: Iterable[str]) -> dict[str, str]:
        """Return id -> `documents.lesson` of the memories of these ids that exist.

        It costs a fraction of what the memories themselves do.
        """
        ...

    def other_values(self, project: int, key: str, value: str) -> list[str]:
        """Return ids of unarchived memories with another value under a key of facts, sorted.

        Key and value are as `documents.fact_values` gives them. Of more than `CROWD` facts those
        of the least values count, of one value the oldest.
        """
        ...

    def handles(self, project: int) -> dict[str, Handles]:
        """Return id -> what the store finds each unarchived memory by."""
        ...

    def registry(self, project: int) -> Registry:
        """Return the project's labels and single prefixes."""
        ...

    def expectations(self, project: int) -> list[Expectation]:
        """Return what the project expects to be found, by query, then labels."""
        ...

    def redirect(self, project: int, memory_id: str) -> str | None:
        """Return the present id of a memory renamed away from this one, or None."""
        ...

    def redirects(self, project: int) -> dict[str, str]:
        """Return old id -> present id of every memory that was renamed, for each id it had."""
        ...

    def id_of(self, project: int, key: int) -> str | None:
        """Return the id that the memory of this key has, or None where there is none."""
        ...

    def last_version(self, project: int, memory_id: str) -> int:
        """Return the highest version that any memory of this id ever had; 0 for none."""
        ...

    def revisions(
        self,
        project: int,
        *,
        after: int = 0,
        before: int | None = None,
        memory_id: str | None = None,
        actor: str | None = None,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> Iterator[Revision]:
        """Yield revisions with ``after < number < before`` and all their changes.

        With `memory_id`, only revisions that touched a memory that has, or ever had, this id
        (under all its ids), each still with all its changes.
        """
        ...

    def mark(self, project: int, number: int) -> str | None:
        """Return what tells this revision from every other of its number; None for no revision.

        It stays when history is rewritten. In a copy of the store, such as a backup that was put
        in its place, the revisions that follow have other marks.
        """
        ...

    def marks(self, project: int, after: int) -> dict[int, str]:
        """Return number -> `mark` of each revision that follows one."""
        ...

    def states(self, project: int, key: int) -> Iterator[Memory]:
        """Yield the memory of this key as each revision that touched it left it, newest first."""
        ...

    def usage(self, project: int) -> Usage:
        """Return the counters of the project's present memories, and its questions by day."""
        ...

    def questions(self, project: int) -> list[Question]:
        """Return the questions kept by `Writer.note_questions`, by text."""
        ...

    def proposal(self, project: int, number: int) -> Proposal | None:
        """Return the proposal of this number, or None."""
        ...

    def proposals(self, project: int, state: State | None = None) -> Iterator[Proposal]:
        """Yield the proposals in this state, or all, by number."""
        ...

    def sightings(self, project: int) -> Iterator[Sighting]:
        """Yield what audits found, resolved ones too, by subject, code and place."""
        ...

    def tombstones(self, project: int) -> frozenset[str]:
        """Return the digests of what was purged."""
        ...

    def store_id(self) -> str:
        """Return the random identity this store was created with."""
        ...

    def jobs(self) -> list[Job]:
        """Return what is kept of background work, by project, then kind."""
        ...

    def backups(self) -> list[Backup]:
        """Return what is kept of backups, by time, then host and file."""
        ...

    def synced(self, project: int, host: str, folder: str) -> Synced | None:
        """Return what is kept of a folder that the project is synced with, or None."""
        ...

    def owes_sweep(self) -> bool:
        """Return whether data was removed whose space may not have been cleared yet."""
        ...

    def token(self, token_id: str) -> Token | None:
        """Return what is kept of the token of this id, or None."""
        ...

    def tokens(self) -> list[Token]:
        """Return what is kept of every token, by actor, then time, then id."""
        ...

    def session_of(self, digest: str) -> Session | None:
        """Return what is kept of the session of this digest, expired or not, or None."""
        ...


class Writer(Reader, Protocol):
    """A transaction: committed on clean exit, rolled back on any exception."""

    def put_project(
        self,
        name: str,
        repository_ids: Iterable[str] = (),
        settings: Mapping[str, Any] | None = None,
    ) -> Project:
        """Create the project of this name, or replace its repository ids and settings.

        Settings that are None stay as they are.

        Raises:
            Conflict: a repository id belongs to another project.
        """
        ...

    def rename_project(self, project: int, name: str) -> None:
        """Give a project another readable name.

        Raises:
            Conflict: another project has the name, or a repository id that is the same.
        """
        ...

    def archive_project(self, project: int, archived_at: str | None) -> None:
        """Take a project out of use, as of a UTC timestamp; None brings it back."""
        ...

    def remove_project(self, project: int) -> None:
        """Remove a project and all that is kept of it; no other gets its key, or its memories'."""
        ...

    def next_key(self) -> int:
        """Return a memory key that was never used before."""
        ...

    def next_keys(self, count: int) -> range:
        """Return so many memory keys that were never used before, ascending."""
        ...

    def put_memory(
        self,
        project: int,
        memory: Memory,
        digest: str,
        bands: Iterable[int] | None = None,
        signs: bytes = b"",
    ) -> None:
        """Insert the memory, or replace the one of the same key.

        `digest` is its text digest, `bands` and `signs` are those of its text, as
        `duplicates.imprint` gives them. Where `bands` is None, both stay as they were.

        Ids must be unique when the transaction ends; until then the memory put last has the id,
        so that memories can exchange theirs in any order.

        Raises:
            MemoryExists: at the end of the transaction, a memory has lost its id to another.
            InvalidInput: a text holds a lone surrogate.
        """
        ...

    def remove_memory(self, project: int, key: int) -> None:
        """Remove the memory of this key; its history, redirects and counters stay."""
        ...

    def put_label(self, project: int, label: Label) -> None:
        """Insert or replace one registered label."""
        ...

    def remove_label(self, project: int, name: str) -> None:
        """Remove one registered label."""
        ...

    def put_prefix(self, project: int, prefix: str, *, single: bool) -> None:
        """Declare whether a prefix allows one label a memory."""
        ...

    def put_expectation(self, project: int, expectation: Expectation) -> None:
        """Insert an expectation, or replace the one of the same id.

        Raises:
            InvalidInput: a text holds a lone surrogate.
        """
        ...

    def remove_expectation(self, project: int, expectation_id: str) -> None:
        """Remove the expectation of this id."""
        ...

    def put_redirect(self, project: int, old_id: str, key: int | None) -> None:
        """Let an old id lead to the memory of this key; None removes the redirect."""
        ...

    def append_revision(self, project: int, revision: Revision) -> None:
        """Record a revision, which changes each memory at most once.

        Raises:
            Conflict: its number is not the project's revision plus one.
        """
        ...

    def add_usage(
        self, project: int, day: str, uses: Mapping[str, Uses], *, questions: int = 0
    ) -> None:
        """Add what was counted on one day (UTC): memory id -> increments for its present tier.

        A memory that surfaced has one more of `days`, unless it was seen on that day or the next
        one, which processes that write late can name; a day further ahead was that of a wrong
        clock. The `days` given are not looked at. Old ids are followed to the present memory; ids
        that lead to none are dropped.
        """
        ...

    def note_questions(self, project: int, notes: Iterable[Question], limit: int) -> int:
        """Add to what is kept of questions, each text once, and return how many were dropped.

        Counts are added, days span both. Of more than `limit`, those noted least are dropped, of
        these the ones not noted for longest.

        Raises:
            InvalidInput: a text holds a lone surrogate.
        """
        ...

    def forget_questions(self, project: int, texts: Iterable[str] | None = None) -> None:
        """Remove what is kept of the questions of these texts, or of all."""
        ...

    def next_proposal(self, project: int) -> int:
        """Return the number of the project's next proposal."""
        ...

    def put_proposal(self, project: int, proposal: Proposal) -> None:
        """Insert a proposal, or replace the one of the same number.

        Raises:
            InvalidInput: a text holds a lone surrogate.
        """
        ...

    def put_sighting(self, project: int, sighting: Sighting) -> None:
        """Insert what an audit found, or replace the sighting of the same key.

        Raises:
            InvalidInput: a text holds a lone surrogate.
        """
        ...

    def remove_sightings(self, project: int, subject: str) -> None:
        """Remove whatever audits found on a subject."""
        ...

    def rewrite_history(self, project: int, rewrite: Callable[[Revision], Revision]) -> None:
        """Put in the place of each revision what `rewrite` returns for it, under its number.

        Only a purge does this; what is removed is overwritten.
        """
        ...

    def forget(self, project: int, key: int) -> None:
        """Remove the counters of a memory key, and the redirects to it."""
        ...

    def put_tombstone(self, project: int, digest: str) -> None:
        """Add the digest of what was purged; it stays for ever."""
        ...

    def take_job(self, job: Job, now: str, since: str | None = None) -> Job | None:
        """Let a worker have a job that nobody is at, and return what is kept of it, or None.

        One statement decides: of several who ask at once, one has it.

        Args:
            job: Its project and kind, the worker, and until when that one has it.
            now: UTC timestamp.
            since: UTC timestamp for `Job.is_due`; None: it is taken, due or not.
        """
        ...

    def renew_job(self, job: Job) -> bool:
        """Put off the end of a lease to that of `job`; return whether its worker still has it."""
        ...

    def end_job(self, job: Job) -> bool:
        """Keep what came of a job, and let others have it; return False if its worker lost it.

        Raises:
            InvalidInput: a text holds a lone surrogate.
        """
        ...

    def put_backup(self, backup: Backup) -> None:
        """Insert what is kept of a backup, or replace that of the same host and file."""
        ...

    def remove_backup(self, host: str, file: str) -> None:
        """Remove what is kept of a backup."""
        ...

    def put_synced(self, synced_with: Synced) -> None:
        """Insert what is kept of a synced folder, or replace that of the same folder.

        Raises:
            InvalidInput: a name holds a lone surrogate.
        """
        ...

    def owe_sweep(self) -> None:
        """Note with what is removed here that its space is to be cleared; `Storage.sweep` does."""
        ...

    def put_token(self, token: Token) -> None:
        """Insert what is kept of a token, or replace that of the same id."""
        ...

    def put_enrollment(self, enrollment: Enrollment) -> None:
        """Insert what is kept of a code, or replace that of the same digest, redeemed or not."""
        ...

    def void_codes_and_sessions(self) -> None:
        """Remove what is kept of every code and session: all have to be asked for anew."""
        ...

    def redeem(self, digest: str, now: str) -> Enrollment | None:
        """Return the enrollment of a code that was not redeemed and has not expired, once.

        Args:
            digest: Digest of the code.
            now: UTC timestamp.
        """
        ...

    def put_session(self, session: Session) -> None:
        """Insert what is kept of a session that was not there."""
        ...

    def remove_session(self, digest: str) -> None:
        """Remove the session of this digest, if it is there."""
        ...

    def remove_expired_sessions(self, now: str) -> None:
        """Remove the sessions that have expired at a UTC timestamp."""
        ...


class Storage(Protocol):
    """One store; safe to share between threads."""

    @property
    def url(self) -> str:
        """Return where the store is, without credentials."""
        ...

    def read(self) -> AbstractContextManager[Reader]:
        """Open a consistent view; never waits for a writer, never takes a write lock."""
        ...

    def write(self, project: str | None = None) -> AbstractContextManager[Writer]:
        """Open the one transaction that may write.

        Args:
            project: Readable name of the only project that it will change. Where a back end can,
                it holds up nobody who changes another one.

        Raises:
            StorageBusy: another writer held the lock for longer than the busy timeout.
        """
        ...

    def follow(self, end: Event) -> Iterator[int]:
        """Yield the key of each project that anyone changes, soon after, until the end is set.

        It saves waiting, and guarantees nothing: a back end that is not told yields none, and what
        is told while a connection is made anew is missed.
        """
        ...

    def copy_to(self, path: Path) -> Mapping[str, int]:
        """Write everything as of one moment to a new file, and return table -> rows.

        The file is a store by itself, for its owner only, and was read back. Nobody waits for it,
        and nothing has the name before it is whole, whatever happens meanwhile.

        Raises:
            InvalidInput: the store is only in memory.
            Conflict: the name is taken.
            StoreUnreadable: the store is damaged.
            StorageError: the file cannot be written.
        """
        ...

    def sweep(self) -> list[str]:
        """Clear the space that removed data left, and say where copies of it may remain.

        Each sentence says what to do. Readers that hold on to an old view can be in the way; then
        the sweep stays owed.

        Raises:
            StorageBusy: another writer held the lock for longer than the busy timeout.
        """
        ...

    def close(self) -> None:
        """Release every connection; idempotent."""
        ...
