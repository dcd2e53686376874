"""`ProjectMemory`: one store, one project, one actor, and every use case on them.

It opens the store, keeps the index caches and delegates; the features are in `services`.
"""

from __future__ import annotations

import copy
import os
import platform
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Event
from types import TracebackType
from typing import TYPE_CHECKING, Any

from project_memory import access, services
from project_memory.errors import Conflict, InvalidInput, NotFound, StorageError
from project_memory.jobs import Kind, Plan
from project_memory.model import (
    Actor,
    Check,
    Clock,
    LostExpectation,
    Project,
    Receipt,
    system_clock,
    timestamp,
)
from project_memory.ports import Reader, Storage
from project_memory.proposals import State
from project_memory.roles import Speaker
from project_memory.services.store import StoreInfo, existing_project
from project_memory.services.tally import Tally
from project_memory.signatures import checked, checked_call
from project_memory.storage import (
    IN_MEMORY,
    address,
    backups,
    called,
    copy_storage,
    findings,
    is_local,
    open_storage,
    restore_storage,
    without_credentials,
)

if TYPE_CHECKING:  # what a use case needs loads with it; "as": told to views
    from project_memory.index import Index
    from project_memory.services.affected import Affected as Affected  # noqa: PLC0414
    from project_memory.services.asking import Query
    from project_memory.services.audit_report import AuditReport as AuditReport  # noqa: PLC0414
    from project_memory.services.backing_up import BackupReport
    from project_memory.services.beside import Flags
    from project_memory.services.brief import Brief
    from project_memory.services.computing import Computed
    from project_memory.services.configuring import ProjectInfo
    from project_memory.services.expected import Outcomes
    from project_memory.services.expecting import Expectations
    from project_memory.services.following import Follower
    from project_memory.services.history import History, RevisionDetail, VersionDifference
    from project_memory.services.hits import Hit
    from project_memory.services.inbox import Inbox, Review
    from project_memory.services.indexes import Indexes
    from project_memory.services.mending import MendReport as MendReport  # noqa: PLC0414
    from project_memory.services.recall import Recall
    from project_memory.services.seeding import Seeds
    from project_memory.services.validate import Report as Report  # noqa: PLC0414
    from project_memory.services.working import Task
    from project_memory.services.working_set import WorkingSet
    from project_memory.storage.copying import Copied, Tell
    from project_memory.storage.restoring import Restored

JSON = Mapping[str, Any]

__all__ = [
    "ProjectMemory",
    "backup_store",
    "check_store",
    "init_store",
    "list_projects",
    "mend_directory",
    "migrate_store",
    "planned_store",
    "restore_store",
    "validate_directory",
    "validate_staged",
    "without_credentials",
]


@checked
class ProjectMemory:
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
    ) -> ProjectMemory:
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

    def spoken_to_by(self, speaker: Speaker) -> ProjectMemory:
        """Return the same project in the name of a speaker, with what that one sees beside it.

        Both share the store, the index and the counters, which stay with this one to close. To
        the speaker, who is elsewhere, the store has a name and no place.
        """
        self._all_indexes()  # made once, before anything is shared
        spoken = copy.copy(self)
        spoken._called = called(self._storage.url)
        spoken._actor, spoken._sees = speaker.actor, speaker.sees
        return spoken

    def __enter__(self) -> ProjectMemory:
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

    # -- changes; each returns what it changed and is one revision -------------------------------

    def create(self, draft: JSON, *, allow_duplicate: bool = False, **options: Any) -> Receipt:
        """Create a memory. See `curate.check_draft` and `curate.create`."""
        services.curate.check_draft(draft)
        operation = {"op": "create", "memory": draft, "allow_duplicate": allow_duplicate or None}
        return self._perform(operation, **options)

    def update(
        self, memory_id: str, patch: JSON, *, if_version: int | None = None, **options: Any
    ) -> Receipt:
        """Merge a patch onto a memory. See `curate.update`."""
        operation = {"op": "update", "id": memory_id, "patch": patch, "if_version": if_version}
        return self._perform(operation, **options)

    def link(
        self,
        from_id: str,
        kind: str,
        to_id: str,
        *,
        link_reason: str | None = None,
        **options: Any,
    ) -> Receipt:
        """Link two memories. See `curate.link`."""
        options.setdefault("reason", link_reason)
        operation = {"op": "link", "from_id": from_id, "kind": kind, "to_id": to_id}
        return self._perform({**operation, "reason": link_reason}, **options)

    def unlink(self, from_id: str, kind: str, to_id: str, **options: Any) -> Receipt:
        """Remove a link and its mirror. See `links.remove`."""
        operation = {"op": "unlink", "from_id": from_id, "kind": kind, "to_id": to_id}
        return self._perform(operation, **options)

    def set_status(
        self,
        memory_id: str,
        status: str,
        *,
        reason: str | None = None,
        if_version: int | None = None,
        **options: Any,
    ) -> Receipt:
        """Change a memory's own status. See `curate.set_status`."""
        operation = {"op": "status", "id": memory_id, "status": status, "reason": reason}
        return self._perform({**operation, "if_version": if_version}, reason=reason, **options)

    def touch(
        self, memory_ids: Iterable[str], *, note: str | None = None, **options: Any
    ) -> Receipt:
        """Say that memories still hold; history keeps the note. See `revalidating.touch_all`."""
        named = list(memory_ids)
        operations = [{"op": "touch", "id": memory_id} for memory_id in named]
        act = partial(services.revalidating.touch_all, memory_ids=named)
        return self._commit("touch", act, reason=note, operations=operations, **options)

    def archive(self, memory_id: str, **options: Any) -> Receipt:
        """Take a memory out of retrieval. See `curate.archive`."""
        return self._perform({"op": "archive", "id": memory_id}, **options)

    def unarchive(self, memory_id: str, **options: Any) -> Receipt:
        """Bring an archived memory back. See `curate.unarchive`."""
        return self._perform({"op": "unarchive", "id": memory_id}, **options)

    def pin(self, memory_id: str, **options: Any) -> Receipt:
        """Protect a memory from retention. See `curate.pin`."""
        return self._perform({"op": "pin", "id": memory_id}, **options)

    def unpin(self, memory_id: str, **options: Any) -> Receipt:
        """Give a memory back to retention. See `curate.unpin`."""
        return self._perform({"op": "unpin", "id": memory_id}, **options)

    def delete(self, memory_id: str, *, if_version: int | None = None, **options: Any) -> Receipt:
        """Delete a memory. See `curate.delete`."""
        operation = {"op": "delete", "id": memory_id, "if_version": if_version}
        return self._perform(operation, **options)

    def purge(
        self, memory_id: str, *, leave_copies: bool = False, **options: Any
    ) -> services.purge.PurgeReport:
        """Remove a memory and its text from the whole store. See `purge.purge`."""
        order = services.transaction.Order("purge", self._actor, self._clock(), **options)
        within = services.purge.Within(self._sees, leave_copies=leave_copies)
        act = partial(services.purge.purge, host=platform.node(), within=within)
        return act(self._storage, self.project, order, memory_id)

    def rename(
        self, memory_id: str, new_id: str, *, if_version: int | None = None, **options: Any
    ) -> Receipt:
        """Give a memory another id. See `curate.rename`."""
        operation = {"op": "rename", "id": memory_id, "new_id": new_id, "if_version": if_version}
        return self._perform(operation, **options)

    def merge(
        self, memory_id: str, into_id: str, *, if_version: int | None = None, **options: Any
    ) -> Receipt:
        """Fold a memory into another. See `merging.merge`."""
        operation = {"op": "merge", "id": memory_id, "into": into_id, "if_version": if_version}
        return self._perform(operation, **options)

    def apply(self, operations: Sequence[JSON], **options: Any) -> Receipt:
        """Run several operations in one transaction. See `batch.check` and `batch.run`."""
        services.batch.check(operations)
        return self._commit(
            "apply", lambda w: services.batch.run(w, operations), operations=operations, **options
        )

    def add_label(
        self, label: str, *, description: str = "", distinct: bool = False, **options: Any
    ) -> Receipt:
        """Register a label. See `labels.add`."""
        operation = {"op": "add_label", "label": label, "description": description or None}
        return self._perform({**operation, "distinct": distinct or None}, "add-label", **options)

    def describe_label(self, label: str, description: str, **options: Any) -> Receipt:
        """Say what a label is for. See `labels.describe`."""
        operation = {"op": "describe_label", "label": label, "description": description}
        return self._perform(operation, "describe-label", **options)

    def add_alias(
        self, label: str, alias: str, *, distinct: bool = False, **options: Any
    ) -> Receipt:
        """Let another name stand for a label. See `labels.add_alias`."""
        operation = {
            "op": "add_alias",
            "label": label,
            "alias": alias,
            "distinct": distinct or None,
        }
        return self._perform(operation, "add-alias", **options)

    def remove_alias(self, label: str, alias: str, **options: Any) -> Receipt:
        """Let a name stand for a label no more. See `labels.remove_alias`."""
        operation = {"op": "remove_alias", "label": label, "alias": alias}
        return self._perform(operation, "remove-alias", **options)

    def set_broader(self, label: str, broader: str | None, **options: Any) -> Receipt:
        """Put a label under a broader one, or under none. See `labels.set_broader`."""
        operation = {"op": "set_broader", "label": label, "broader": broader}
        return self._perform(operation, "set-broader", **options)

    def rename_label(
        self, label: str, new: str, *, distinct: bool = False, **options: Any
    ) -> Receipt:
        """Give a label another name everywhere. See `relabelling.rename`."""
        operation = {
            "op": "rename_label",
            "label": label,
            "new": new,
            "distinct": distinct or None,
        }
        return self._perform(operation, "rename-label", **options)

    def merge_labels(self, label: str, into: str, **options: Any) -> Receipt:
        """Fold a label into another. See `relabelling.merge`."""
        operation = {"op": "merge_labels", "label": label, "into": into}
        return self._perform(operation, "merge-labels", **options)

    def deprecate_label(
        self, label: str, *, replacement: str | None = None, **options: Any
    ) -> Receipt:
        """Let no further text carry a label. See `relabelling.deprecate`."""
        operation = {"op": "deprecate_label", "label": label, "replacement": replacement}
        return self._perform(operation, "deprecate-label", **options)

    def restore_label(self, label: str, **options: Any) -> Receipt:
        """Let texts carry a deprecated label again. See `relabelling.restore`."""
        operation = {"op": "restore_label", "label": label}
        return self._perform(operation, "restore-label", **options)

    def remove_label(
        self, label: str, *, replacement: str | None = None, **options: Any
    ) -> Receipt:
        """Take a label out of the registry. See `relabelling.remove`."""
        operation = {"op": "remove_label", "label": label, "replacement": replacement}
        return self._perform(operation, "remove-label", **options)

    def set_single(
        self, prefix: str, *, single: bool = True, keep: Sequence[str] = (), **options: Any
    ) -> Receipt:
        """Let a prefix allow one label a memory. See `relabelling.declare_single`."""
        operation = {"op": "set_single", "prefix": prefix, "single": single, "keep": list(keep)}
        return self._perform(operation, "set-single", **options)

    def expect(
        self,
        query: str,
        expects: Sequence[str],
        *,
        within: int | None = None,
        labels: str | None = None,
        **options: Any,
    ) -> Receipt:
        """Expect memories to be found by a symptom. See `expecting.add`."""
        operation = {"op": "expect", "query": query, "expects": list(expects)}
        return self._perform({**operation, "within": within, "labels": labels}, **options)

    def unexpect(self, expectation: str, **options: Any) -> Receipt:
        """Expect something no more, named by id or question. See `expecting.remove`."""
        return self._perform({"op": "unexpect", "expectation": expectation}, **options)

    def seed_expectations(
        self,
        memory_ids: Sequence[str] = (),
        *,
        within: int | None = None,
        limit: int = 500,
        **options: Any,
    ) -> Seeds:
        """Expect memories to be found by their triggers. See `seeding.seeds`."""
        with self._reading() as (reader, _):
            index, today = self._index(reader), self._clock().date()
            found = services.seeding.seeds(
                reader, self._project.key, index, memory_ids, today, within=within, limit=limit
            )
        receipt = self._commit(
            "expect",
            lambda w: services.batch.run(w, found.operations),
            operations=found.operations,
            **options,
        )
        return services.seeding.done(found, receipt)

    def undo(self, *, revision: int | None = None, **options: Any) -> Receipt:
        """Take back a revision, by default the actor's last one or proposal. See `undo.undo`."""
        with self._storage.read() as reader:
            proposal = (
                None
                if revision
                else services.inbox.last_of(reader, self._project.key, self._actor)
            )
        if proposal is not None:
            return self.reject(proposal.number, verb="undo", **options)
        with self._storage.read() as reader:
            found = (
                services.undo.last_revision(reader, self._project.key, self._actor)
                if revision is None
                else services.history.numbered(reader, self._project.key, revision)
            )

        def take_back(work: WorkingSet) -> None:
            services.undo.undo(work, found)
            services.review.reopen(work, found.number)

        return self._commit("undo", take_back, undoes=found.number, **options)

    def revert(self, memory_id: str, *, version: int, **options: Any) -> Receipt:
        """Put a memory back to one of its versions. See `undo.revert_to`."""
        return self._perform({"op": "revert", "id": memory_id, "version": version}, **options)

    def record_use(
        self, memory_ids: Iterable[str], *, wrong_ids: Iterable[str] = (), note: str | None = None
    ) -> services.usage.UseRecorded:
        """Count memories as applied or wrong. See `usage.record`."""
        order = services.transaction.Order("use", self._actor, self._clock(), note)
        done = services.usage.record(self._storage, self.project, order, memory_ids, wrong_ids)
        self._tally.apply(done.applied)
        return done

    def import_path(
        self,
        path: str | Path,
        *,
        form: str | None = None,
        shown: str | None = None,
        strict: bool = False,
        take_older: bool = False,
        **options: Any,
    ) -> services.importing.ImportReport:
        """Import what this or another program wrote. See `bringing.run` for the arguments."""
        run = services.bringing.run(
            Path(path), form=form, shown=shown, strict=strict, take_older=take_older
        )
        receipt = self._commit("import", run.apply, **options)
        return run.report(receipt)

    # -- what waits to be decided ----------------------------------------------------------------

    def note(self, text: str, **options: Any) -> Receipt:
        """Keep a note that waits to be made a memory. See `review.note`."""
        return self._commit("note", lambda w: services.review.note(w, text), **options)

    def inbox(self, state: State | None = State.WAITING) -> Inbox:
        """Return the proposals in a state, or all. See `inbox.listed`."""
        with self._reading() as (reader, info):
            return services.inbox.listed(reader, self._project.key, info, state=state)

    def proposal(self, number: int) -> Review:
        """Return a proposal and what it would change. See `inbox.shown`."""
        order = services.transaction.Order("review", self._actor, self._clock(), dry_run=True)
        with self._reading() as (reader, info):
            return services.inbox.shown(reader, self._project, order, number, info)

    def apply_proposal(
        self,
        number: int,
        *,
        draft: JSON | None = None,
        anyway: bool = False,
        reason: str | None = None,
        **options: Any,
    ) -> Receipt:
        """Do what a proposal says. See `review.apply`."""
        if draft is not None:
            services.curate.check_draft(draft)
        with self._storage.read() as reader:
            why = services.inbox.applied_because(reader, self._project.key, number, reason)
        return self._commit(
            "review",
            lambda w: services.review.apply(w, number, draft=draft, anyway=anyway, reason=reason),
            reason=why,
            **options,
        )

    def reject(
        self, number: int, *, reason: str | None = None, verb: str = "reject", **options: Any
    ) -> Receipt:
        """End a proposal without applying it. See `review.reject`."""
        return self._commit(
            verb,
            lambda w: services.review.reject(w, number, reason=reason),
            reason=reason,
            **options,
        )

    def skip(self, number: int, **options: Any) -> Receipt:
        """Put a proposal off. See `review.skip`."""
        return self._commit("skip", lambda w: services.review.skip(w, number), **options)

    # -- reads -----------------------------------------------------------------------------------

    def recall(self, **query: Any) -> Recall:
        """Find what bears on a question. See `asking.Query` for the arguments."""
        asked = services.asking.checked_query(self._folder, **query)
        found = self._recalled(asked)
        if found.brought:
            question = f"{asked.query} {asked.related_to or ''}" if asked.offset == 0 else None
            self._tally.add(self._clock().date().isoformat(), found.brought, question)
        if asked.query.strip() and asked.offset == 0:
            self._note_help(asked.query, found)
        return found

    def bearing(self, words: str) -> tuple[Hit, ...]:
        """Return the few memories that bear directly on words that were not said to ask for any.

        Nothing is counted: nobody asked. See `bearing.direct`.
        """
        key = self._project.key
        if not services.bearing.least(words):
            return ()
        with self._storage.read() as reader:
            if not services.bearing.could_bear(reader, key, words):
                return ()
            asked = services.asking.checked_query(query=words, **services.bearing.ASKED)
            index = self._index(reader)
            services.bearing.keep(reader, key, index)
        return services.bearing.direct(self._recalled(asked), index, words)

    def _recalled(self, asked: Query) -> Recall:
        with self._reading() as (reader, info):
            others = self._others(reader) if asked.all_projects else {}
            return services.recall.recall(
                services.known.Known(reader, self._project.key, others),
                self._all_indexes().joined(reader, self._project.key, others),
                asked,
                info=info,
                today=self._clock().date(),
                flags=self._flags,
            )

    def _note_help(self, question: str, found: Recall) -> None:
        day, revision = self._clock().date().isoformat(), found.store.revision
        direct = [name for name, itself in (found.brought or {}).items() if itself]
        if found.nothing_relevant:
            self._tally.miss(day, question, revision)
        elif direct:
            self._tally.hit(day, question, revision, direct)

    def brief(self, *, max_tokens: int | None = None) -> Brief:
        """Return what to know at the start of work. See `brief.brief`."""
        with self._reading() as (reader, info):
            return services.brief.brief(
                reader,
                self._project.key,
                self._index(reader),
                max_tokens=services.brief.DEFAULT if max_tokens is None else max_tokens,
                info=info,
                today=self._clock().date(),
            )

    def search(
        self,
        label_query: Any = None,
        *,
        text_query: str | None = None,
        status_filter: Any = None,
        before: str | None = None,
        after: str | None = None,
        order: str = "id",
        limit: int = 50,
        offset: int = 0,
    ) -> services.browse.Page:
        """List what an expression selects. See `selecting.search`."""
        services.browse.check_window(limit, offset)
        tree = services.selecting.tree(label_query, text=text_query, before=before, after=after)
        chosen = services.selecting.ordered(order)
        wanted = services.selecting.statuses(status_filter)
        today = self._clock().date()
        with self._reading() as (reader, info):
            ids = services.selecting.search(
                reader,
                self._project.key,
                self._index(reader),
                tree,
                wanted=wanted,
                today=today,
                order=chosen,
            )
            return services.browse.page(
                reader, self._project.key, ids, info, today=today, limit=limit, offset=offset
            )

    def get(
        self, memory_id: str, *, version: int | None = None, as_of: str | None = None
    ) -> services.browse.Reading:
        """Return one memory, whole. See `browse.read`."""
        today = self._clock().date()
        with self._reading() as (reader, info):
            return services.browse.read(
                reader,
                self._project.key,
                memory_id,
                info,
                today=today,
                flags=self._flags,
                version=version,
                as_of=as_of,
            )

    def memory_ids(self, start: str = "") -> list[str]:
        """Return the ids, archived ones too, that begin with `start`, sorted."""
        with self._storage.read() as reader:
            found = (memory.id for memory in reader.memories(self._project.key))
            return [name for name in found if name.startswith(start)]

    def neighborhood(
        self, memory_id: str, *, depth: int = 1, max_nodes: int = 25
    ) -> services.browse.Neighborhood:
        """Return what is linked to a memory. See `browse.neighborhood`."""
        today = self._clock().date()
        with self._reading() as (reader, info):
            return services.browse.neighborhood(
                reader,
                self._project.key,
                memory_id,
                info,
                today=today,
                depth=depth,
                max_nodes=max_nodes,
            )

    def labels(
        self, *, prefix: str | None = None, with_counts: bool = True
    ) -> services.labels.Labels:
        """Return the registry by prefix, with how many unarchived memories carry each."""
        with self._reading() as (reader, info):
            counts = self._index(reader).label_counts() if with_counts else None
            registry = reader.registry(self._project.key)
            return services.labels.Labels(services.labels.listed(registry, counts, prefix), info)

    def label_tree(self, top: str | None = None) -> services.labels.LabelTree:
        """Return the labels below one, or all, with what each alone and all below it hold."""
        with self._reading() as (reader, info):
            index = self._index(reader)
            registry = reader.registry(self._project.key)
            counts, totals = index.label_counts(), index.label_totals()
            return services.labels.LabelTree(
                services.labels.branches(registry, counts, totals, top), info
            )

    def history(self, memory_id: str | None = None, *, limit: int = 20) -> History:
        """Return the newest revisions of the project or of one memory. See `history.listed`."""
        with self._reading() as (reader, info):
            found = services.history.listed(
                reader, self._project.key, memory_id=memory_id, limit=limit
            )
            return services.history.History(found, info)

    def revision(self, number: int) -> RevisionDetail:
        """Return one revision with its differences. See `history.numbered`."""
        with self._reading() as (reader, info):
            found = services.history.numbered(reader, self._project.key, number)
            return services.history.RevisionDetail(
                services.history.entry(found), services.history.differences(found), info
            )

    def diff(self, memory_id: str, *, old: int, new: int | None = None) -> VersionDifference:
        """Return how a memory differs between two versions. See `history.compared`."""
        with self._reading() as (reader, info):
            return services.history.compared(
                reader, self._project.key, memory_id, (old, new), info
            )

    def validate(self, *, code: Path | None = None, recall: bool = False) -> Report:
        """Check the project; `recall`: and what it expects. See `validate.validate_store`."""
        with self._storage.read() as reader:
            report = services.validate.validate_store(
                reader, self._project, code=code, clock=self._clock
            )
        if not recall:
            return report
        found = self.run_expectations().expectations
        problems = services.expected.problems(found, self.project)
        return services.validate.with_more(report, problems)

    def expectations(self) -> Expectations:
        """Return what the project expects to be found. See `expecting.listed`."""
        with self._reading() as (reader, info):
            return services.expecting.listed(reader, self._project.key, info)

    def run_expectations(self, names: Sequence[str] = ()) -> Outcomes:
        """Ask what is expected to be found, all or those named. See `expected.outcomes`."""
        named = services.expecting.named
        with self._reading() as (reader, info):
            known = services.expecting.present(reader, self._project.key)
            asked = [named(known, name) for name in names] if names else known
            lookup, today = services.known.Known(reader, self._project.key), self._clock().date()
            return services.expected.outcomes(lookup, self._index(reader), asked, today, info)

    def audit(self, **asked: Any) -> AuditReport:
        """Report what is outdated, doubled or unused. See `Request` for the arguments."""
        with self._reading() as (reader, info):
            return services.audit.run(
                reader, self._project, info, self._clock, services.audit_report.Request(**asked)
            )

    def affected_since(self, base: str, checkout: Path | None) -> Affected:
        """Return the lessons that a branch touches. See `affected.since`."""
        return self._affected(partial(services.affected.since, base=base, folder=checkout))

    def affected_staged(self, checkout: Path | None) -> Affected:
        """Return the lessons that the next commit touches. See `affected.staged`."""
        return self._affected(partial(services.affected.staged, folder=checkout))

    def affected_files(self, files: Iterable[str], checkout: Path | None = None) -> Affected:
        """Return the lessons that a change of files touches. See `affected.of_files`."""
        return self._affected(partial(services.affected.of_files, paths=files, folder=checkout))

    def usage(self, *, limit: int = 50, offset: int = 0) -> services.usage.UsageReport:
        """Return how often memories were brought and helped. See `usage.listed`."""
        with self._reading() as (reader, info):
            return services.usage.listed(
                reader, self._project.key, info, limit=limit, offset=offset
            )

    def memory_usage(self, memory_id: str) -> services.usage.UsageReport:
        """Return how often one memory was brought and helped. See `usage.of_memory`."""
        with self._reading() as (reader, info):
            return services.usage.of_memory(reader, self._project.key, memory_id, info)

    def gaps(self, *, limit: int = 20, offset: int = 0) -> services.gaps.GapReport:
        """Return what recall did not help with. See `gaps.listed`."""
        with self._reading() as (reader, info):
            project = existing_project(reader, self.project)
            return services.gaps.listed(reader, project, info, limit=limit, offset=offset)

    def keep_findings(self, report: AuditReport) -> AuditReport:
        """Remember what an audit found, and say since when. See `sightings.keep`."""
        return services.sightings.keep(self._storage, self._project, report)

    def compute(self, plan: Plan, *, early: bool) -> Computed:
        """Do background work, where nobody is at it, and return what is new.

        Where `early` is false, only what is due. What fails is in the states of the jobs.
        """
        reports: list[AuditReport] = []
        here = platform.node()
        tasks = [
            *self.tasks(plan, reports.append),
            *services.tasks.of_store(self._storage, plan, here, self._clock),
        ]
        name = services.working.new_worker(here, os.getpid())
        worker = services.working.Worker(self._storage, name, self._clock)
        done = [worker.do(each, early=True) for each in tasks] if early else worker.do_due(tasks)
        now = timestamp(self._clock())
        with self._reading() as (reader, info):
            known = services.computing.states(reader, now, self._project.key)
            ran = {(job.kind, job.project) for job in done if job}
            asked = {task.key[::-1] for task in tasks} if early else ran
            keys = {None: 0, self._project.name: self._project.key}
            jobs = [each for each in known if (each.kind, keys.get(each.project)) in asked]
            return services.computing.computed(now, jobs, reports, info)

    def jobs(self) -> Computed:
        """Return the state of all background work on the project and the store."""
        now = timestamp(self._clock())
        with self._reading() as (reader, info):
            known = services.computing.states(reader, now, self._project.key)
            return services.computing.computed(now, known, (), info)

    def tasks(
        self, plan: Plan, tell: Callable[[AuditReport], None] = lambda _: None
    ) -> list[Task]:
        """Return the planned work on this project; `tell` is given each report of an audit."""
        audits = {
            kind: partial(self._audited, kind, plan.checkout, tell)
            for kind in services.computing.CODES
        }
        return services.tasks.of_project(self._project, plan, {Kind.INDEX: self._warm, **audits})

    def _audited(
        self, kind: Kind, checkout: Path | None, tell: Callable[[AuditReport], None]
    ) -> JSON:
        request = services.audit_report.Request(checkout=checkout)
        with self._storage.read() as reader:
            project = existing_project(reader, self.project)
        ignored = services.audit.policy_of(project, request).ignore
        codes = [code for code in services.computing.CODES[kind] if code not in ignored]
        if not codes:
            return {}
        report = self.keep_findings(self.audit(codes=codes, checkout=checkout))
        tell(report)
        return services.computing.told(report)

    def _warm(self) -> JSON:
        with self._storage.read() as reader:
            return {"memories": self._all_indexes().warm(reader, self._project.key)}

    def apply_findings(self, report: AuditReport, *, dry_run: bool = False) -> AuditReport:
        """Act on what an audit found. See `acting.act`."""
        order = services.transaction.Order("audit", self._actor, self._clock(), None, dry_run)
        return services.acting.act(self._storage, self._project, report, order, self._lost)

    def apply_finding(
        self, code: str, subject: str, action: JSON, *, revision: int, dry_run: bool = False
    ) -> AuditReport:
        """Do the one action that an audit printed at a revision. See `acting.only`."""
        report = services.acting.only(self.audit(codes=(code,)), subject, action, revision)
        return self.apply_findings(report, dry_run=dry_run)

    def project_info(self) -> ProjectInfo:
        """Return the project's name, repositories and settings. See `configuring.info`."""
        with self._storage.read() as reader:
            return services.configuring.info(existing_project(reader, self.project), self.store)

    def configure(self, patch: JSON) -> ProjectInfo:
        """Change settings of the project. See `configuring.configure`."""
        changed = services.configuring.configure(self._storage, self.project, self._actor, patch)
        return services.configuring.info(changed, self.store)

    def stats(self) -> services.projects.Stats:
        """Return counts. See `projects.stats`."""
        with self._reading() as (reader, info):
            return services.projects.stats(reader, self._project, info)

    def sync(
        self, path: str | Path, *, prune: bool = False, **options: Any
    ) -> services.syncing.SyncReport:
        """Bring the project and a folder to say the same. See `syncing.Run`."""
        with self._storage.read() as reader:
            store = reader.store_id()
        run = services.syncing.Run(Path(path), store, self.project, prune=prune)
        receipt = self._commit("sync", run.apply, **options)
        with self._storage.read() as reader:
            return run.finish(reader, self._project, receipt)

    def export_directory(
        self, path: str | Path, *, form: str = "directory", overwrite: bool = False
    ) -> services.exporting.ExportReport:
        """Write the project as a directory that diffs well. See `exporting.directory`."""
        with self._storage.read() as reader:
            day = self._clock().date()
            return services.exporting.directory(
                reader, self._project, Path(path), day, form=form, overwrite=overwrite
            )

    def export_file(
        self,
        path: str | Path,
        *,
        with_history: bool = True,
        overwrite: bool = False,
        in_lines: bool = False,
    ) -> services.exporting.ExportReport:
        """Write the project as one portable file. See `exporting.single_file`."""
        with self._storage.read() as reader:
            day = self._clock().date()
            return services.exporting.single_file(
                reader,
                self._project,
                Path(path),
                day,
                with_history=with_history,
                overwrite=overwrite,
                in_lines=in_lines,
            )

    def export_graph(
        self, path: str | Path, *, overwrite: bool = False
    ) -> services.exporting.ExportReport:
        """Write the file of the reference MCP memory server. See `passing_on.knowledge_graph`."""
        with self._storage.read() as reader:
            return services.passing_on.knowledge_graph(
                reader, self._project, Path(path), overwrite=overwrite
            )

    def export_section(self, path: str | Path, *, budget: int) -> services.exporting.ExportReport:
        """Write what to know into a section of a file. See `passing_on.section`."""
        return services.passing_on.section(
            Path(path), lambda most: self.brief(max_tokens=most), budget=budget
        )

    def portable(self, *, with_history: bool = True) -> dict[str, Any]:
        """Return the project as the portable file holds it. See `exporting.portable`."""
        with self._storage.read() as reader:
            return services.exporting.portable(reader, self._project, with_history=with_history)

    # -- plumbing --------------------------------------------------------------------------------

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


@checked_call
def list_projects(url: str | None) -> list[Project]:
    """Return the projects of a store, by name.

    Raises:
        NotFound: there is no such store.
    """
    storage = open_storage(url, create=False)
    try:
        with storage.read() as reader:
            return reader.projects()
    finally:
        storage.close()


@checked_call
def init_store(
    url: str | None,
    *,
    project: str,
    actor: Actor,
    repository_ids: Iterable[str] = (),
    clock: Clock = system_clock,
) -> services.projects.Ready:
    """Make the store and the project where they are missing. See `projects.ensure`."""
    storage = open_storage(url, create=True)
    try:
        return services.projects.ensure(storage, project, actor, clock, repository_ids)
    finally:
        storage.close()


@checked_call
def migrate_store(url: str | None, *, to: str, tell: Tell = lambda _done, _of: None) -> Copied:
    """Copy a whole store to a place where there is none. See `storage.copying.copied`."""
    return copy_storage(url, to, tell)


@checked_call
def backup_store(
    url: str | None,
    place: str | Path | None = None,
    *,
    keep: int | None = None,
    clock: Clock = system_clock,
) -> BackupReport:
    """Write a backup of a whole store, by default to the user's folder. See `backing_up.back_up`.

    Raises:
        NotFound: there is no such store.
    """
    target = backups() if place is None else Path(place)
    with closing(open_storage(url, create=False)) as storage:
        return services.backing_up.back_up(
            storage, target.expanduser().absolute(), keep=keep, host=platform.node(), clock=clock
        )


@checked_call
def restore_store(
    url: str | None,
    file: str | Path,
    *,
    actor: Actor,
    replace: bool = False,
    clock: Clock = system_clock,
    tell: Tell = lambda _done, _of: None,
) -> Restored:
    """Put what a backup holds in the place of a store. See `restoring.restored`.

    Raises:
        Conflict: there is a store, and `replace` is false.
        Forbidden: there is a store, and the actor is no person.
    """

    def allow(store: str) -> None:
        if not replace:
            raise Conflict(
                f"there is a store at '{store}'; repeat with --yes to put the backup in its "
                "place, what it holds is kept in a file"
            )
        access.check_person(actor, "put a backup in the place of a store")

    return restore_storage(
        url,
        Path(file).expanduser().absolute(),
        time=timestamp(clock()),
        host=platform.node(),
        allow=allow,
        tell=tell,
    )


@checked_call
def planned_store(
    url: str | None, *, project: str, actor: Actor, repository_ids: Iterable[str] = ()
) -> services.projects.Ready:
    """Return what `init_store` would make, and make nothing. See `projects.planned`."""
    with closing(_existing_or_empty(url)) as storage, storage.read() as reader:
        return services.projects.planned(reader, address(url), project, actor, repository_ids)


def _existing_or_empty(url: str | None) -> Storage:
    try:
        return open_storage(url, create=False)
    except NotFound:
        return open_storage(IN_MEMORY, create=True)


@checked_call
def check_store(url: str | None, project: str) -> list[Check]:
    """Return what doctor must know of a store and a project in it. See `storage.findings`."""
    checks = [Check("store", detail, ok=False) for detail in findings(url)]
    if checks:
        # a damaged file is better left as it is; what a server lacks is no reason to wait
        if not is_local(address(url)):
            with suppress(InvalidInput, NotFound, StorageError):
                checks += _finished(url)
        return checks
    names = [p.name for p in list_projects(url) if project in (p.name, *p.repository_ids)]
    failing = _failing(url)
    detail = f"'{names[0]}'" if names else f"no '{project}' yet; run `project-memory init`"
    return [
        Check("store", "sound", ok=True),
        Check("project", detail, ok=bool(names)),
        *(_kept_index(url, names[0]) if names else ()),
        *_finished(url),
        *(Check("background work", each, ok=False) for each in failing),
    ]


def _kept_index(url: str | None, project: str) -> Iterator[Check]:
    """Yield a finding where the index that is kept between processes is of no use."""
    with closing(open_storage(url, create=False)) as storage, storage.read() as reader:
        key = existing_project(reader, project).key
        for detail in services.snapshots.findings(reader, key):
            yield Check("index", detail, ok=False)


def _finished(url: str | None) -> Iterator[Check]:
    """Finish a purge that was cut off, and yield what came of it."""
    with closing(open_storage(url, create=False)) as storage:
        if not services.sweeping.owed(storage):
            return
        remains = services.sweeping.finish(storage, platform.node())
        left = services.sweeping.owed(storage)
    done = "could not be finished" if left else "is finished"
    detail = "; ".join([f"a purge that was cut off {done}", *remains])
    yield Check("purge", detail, ok=not remains)


def _failing(url: str | None) -> list[str]:
    """Return a sentence for each job that fails."""
    with closing(open_storage(url, create=False)) as storage, storage.read() as reader:
        jobs = services.computing.states(reader, timestamp(system_clock()))
    return [
        f"'{job.kind}'{f' of {job.project!r}' if job.project else ''} fails since "
        f"{job.failing_since} ({job.error}); it is tried again at {job.due_at}, or at once by "
        "`project-memory compute --once`"
        for job in jobs
        if job.failures
    ]


@checked_call
def validate_directory(
    path: str | Path, *, code: Path | None = None, recall: bool = False
) -> Report:
    """Check a directory of documents without a store. See `validate.validate_directory`."""
    return services.validate.validate_directory(Path(path), code=code, recall=recall)


@checked_call
def mend_directory(path: str | Path, *, dry_run: bool = False) -> MendReport:
    """Mend what has one right answer in a directory. See `mending.mend`."""
    return services.mending.mend(Path(path), dry_run=dry_run)


@checked_call
def validate_staged(path: str | Path, *, recall: bool = False) -> Report:
    """Check a directory as the next commit will hold it. See `validate.validate_staged`."""
    return services.validate.validate_staged(Path(path), recall=recall)
