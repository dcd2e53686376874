"""Use cases that change memories."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from project_memory import services
from project_memory.app.opened import JSON, Opened
from project_memory.model import Receipt
from project_memory.proposals import State
from project_memory.signatures import checked

if TYPE_CHECKING:  # what a use case needs loads with it
    from project_memory.services.inbox import Inbox, Review
    from project_memory.services.seeding import Seeds
    from project_memory.services.working_set import WorkingSet


@checked
class Changes(Opened):
    """What changes memories; each returns what it changed and is one revision."""

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

    def sync(
        self, path: str | Path, *, prune: bool = False, **options: Any
    ) -> services.syncing.SyncReport:
        """Bring the project and a folder to say the same. See `syncing.Run`."""
        run = services.syncing.Run(Path(path), platform.node(), prune=prune)
        receipt = self._commit("sync", run.apply, **options)
        with self._storage.read() as reader:
            report, kept = run.finish(reader, self._project, receipt)
        if kept is not None:
            with self._storage.write(self.project) as writer:
                writer.put_synced(kept)
        return report

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
