"""Take documents from a directory or a file into a project, in one transaction.

The order of the documents does not matter: all are added or updated first, their links after.
An import never deletes, never revives what is outdated here, and repairs what older tools of
this format allowed, naming each repair.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from project_memory import documents, exchange, lifecycle, relations
from project_memory.errors import InvalidDocument
from project_memory.exchange import Incoming, Package
from project_memory.model import (
    Actor,
    Authority,
    Document,
    Memory,
    Problem,
    Receipt,
    Status,
)
from project_memory.services import (
    curate,
    deferring,
    expecting,
    joining,
    links,
    older,
    refusing,
)
from project_memory.services.foreign_labels import ForeignLabels
from project_memory.services.working_set import WorkingSet

_TRUSTED_META = ("version", "links_version", "updated_at", "author", "asserted_by", "tier")


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of one thing that another program remembered.

    Attributes:
        source: File and line, or number of the row.
        original: What its source calls it.
        outcome: created, updated, unchanged, kept, duplicate or refused.
        id: The memory that it is, or that says the same; None where it is refused.
        why: Why it is refused, or None.
    """

    source: str
    original: str
    outcome: str
    id: str | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did.

    Attributes:
        read: Documents or items found.
        created: Ids added, sorted.
        updated: Ids whose text changed, sorted.
        kept: Ids whose document is older than what is here, so that it was not taken, sorted.
        unchanged: Documents that said nothing new.
        labels: Labels added to the registry, sorted.
        repairs: One sentence for everything that was put right.
        receipt: The transaction, with neighbours that only got a mirror.
        format: Name of the format that was read.
        items: What became of everything, in the order of the source; of foreign formats only.
    """

    read: int
    created: tuple[str, ...]
    updated: tuple[str, ...]
    kept: tuple[str, ...]
    unchanged: int
    labels: tuple[str, ...]
    repairs: tuple[str, ...]
    receipt: Receipt
    format: str = "project-memory"
    items: tuple[Taken, ...] = ()

    @property
    def passed(self) -> bool:
        """Return whether nothing was refused."""
        return not any(each.outcome == "refused" for each in self.items)


class Run:
    """One import: checked when made, applied inside a transaction."""

    def __init__(
        self,
        package: Package,
        *,
        strict: bool = False,
        take_older: bool = False,
        restoring: bool = True,
    ) -> None:
        """Check what was read.

        Args:
            package: What was read.
            strict: Whether to refuse labels that are not registered, instead of adding them.
            take_older: Whether older documents replace newer ones.
            restoring: Whether a person's import into an empty project restores all that the
                package tells, who asserts what among it.

        Raises:
            InvalidDocument: a file or document is broken; every problem is listed.
            SecretFound: a document holds what looks like a credential; its file is named.
        """
        self._package = package
        self._restoring = restoring
        self._take_older = take_older
        self._former: set[str] = set()
        self._kept: set[str] = set()
        self._repairs: list[str] = [*self._package.repairs, *_doubts(self._package)]
        self._labels = ForeignLabels(self._package.registry, self._repairs, strict=strict)
        refusing.refuse_broken(self._package)

    def apply(self, work: WorkingSet) -> None:
        """Add and update everything, then link it. See `transaction.commit`.

        Raises:
            UnknownLabel: `strict`, and a label is not registered.
            SecretFound: what is taken over beside documents holds what looks like a credential.
            InvalidInput: a proposal that is taken over is malformed.
            InvalidDocument: a document, or a link among them, breaks a rule.
        """
        work.strict = False
        person = self._restoring and work.actor.authority is Authority.USER
        trusted = person and not any(work.all())
        if trusted:
            refusing.refuse_secrets_beside(self._package)
            work.past.extend(self._package.history)
            deferring.restore(work, self._package.proposals)
        else:
            work.actor = Actor(work.actor.name, Authority.IMPORT)
            self._leave_proposals()
        self._labels.register(work)
        for incoming in self._package.memories:
            self._take(work, incoming, trusted=trusted)
        self._link(work)
        self._repairs += expecting.take(work, self._package.expectations)
        for incoming in self._package.memories:
            if incoming.document["id"] not in self._former:
                self._settle(work, incoming)
            if trusted:
                _restore_counters(work, incoming)

    def _leave_proposals(self) -> None:
        count = len(self._package.proposals)
        if count:
            self._repairs.append(
                f"proposals that wait ({count}) were left out; only a person's import into an "
                "empty project takes them"
            )

    def report(self, receipt: Receipt) -> ImportReport:
        """Return what was done, from the receipt of the transaction."""
        by_event = {
            event: tuple(sorted(t.id for t in receipt.memories if t.change == event))
            for event in ("imported", "updated")
        }
        taken = {*by_event["imported"], *by_event["updated"]}
        kept = self._kept - taken
        return ImportReport(
            read=len(self._package.memories),
            created=by_event["imported"],
            updated=by_event["updated"],
            kept=tuple(sorted(kept)),
            unchanged=len(self._package.memories) - len(taken) - len(kept),
            labels=receipt.labels,
            repairs=tuple(self._repairs),
            receipt=receipt,
        )

    def _take(self, work: WorkingSet, incoming: Incoming, *, trusted: bool) -> None:
        document = self._labels.resolved(work, incoming.document)
        found = work.find(document["id"])
        if found is None and (moved := work.redirect(document["id"])):
            self._repairs.append(f"'{document['id']}' was renamed here; taken as '{moved}'")
            document = {**document, "id": moved}
            found = work.get(moved)
        if found is not None and not self._take_older and self._is_older(work, found, incoming):
            self._kept.add(found.id)
            return
        if not trusted:
            document, told = deferring.without_privileges(work, document, found)
            self._repairs += told
        if found is None:
            _add(work, incoming, document, trusted=trusted)
        elif not deferring.is_protected(work, found):
            _update(work, found, document)
        elif deferring.update(work, found, document):
            self._repairs.append(f"what '{found.id}' came with waits for a person to decide")

    def _is_older(self, work: WorkingSet, found: Memory, incoming: Incoming) -> bool:
        """Return whether a document must not replace what is here; note if it says nothing new."""
        document = self._labels.resolved(work, incoming.document)
        if older.is_former(work, found, document):
            self._former.add(incoming.document["id"])
            return True
        return older.is_earlier(found, incoming) and _updated(found, document) != found

    def _link(self, work: WorkingSet) -> None:
        problems: list[Problem] = []
        telling = [m for m in self._package.memories if m.document["id"] not in self._former]
        found, repairs = joining.links_once(telling)
        if self._restoring:  # other programs tell of a link on one side only
            self._repairs += repairs
        for incoming, link in found:
            source = work.get(incoming.document["id"]).id
            if deferring.link(work, source, link):
                self._repairs.append(
                    f"{link.kind} '{link.target}' of '{source}' waits for a person to decide"
                )
                continue
            try:
                links.add(work, source, link, "updated")
            except InvalidDocument as error:
                problems += [replace(p, file=incoming.file) for p in error.problems]
        if problems:
            raise InvalidDocument(problems)

    def _settle(self, work: WorkingSet, incoming: Incoming) -> None:
        """Make stale what came as superseded, but nothing live supersedes it."""
        memory = work.get(incoming.document["id"])
        if deferring.is_protected(work, memory):
            return
        came = incoming.document["status"] == Status.SUPERSEDED
        own = memory.own_status is Status.ACTIVE and incoming.own_status is None
        if came and own and not relations.live_successors(memory, work.find):
            reason = "imported as superseded without a successor"
            document = {**memory.document, "status": "stale", "status_reason": reason}
            settled = replace(
                memory, document=documents.canonical(document), own_status=Status.STALE
            )
            work.put(settled, "updated", authored=True)
            self._repairs.append(f"'{memory.id}' was superseded by nothing; made stale")


def _doubts(package: Package) -> Iterator[str]:
    """Yield a sentence for each expectation that is doubtful in itself, with its place."""
    for problem in package.problems:
        if problem.code in {exchange.DOUBLE_EXPECTATION, exchange.UNKNOWN_EXPECTED}:
            yield f"{problem.file}:{problem.line}: {problem.path}: {problem.message}"


def _add(work: WorkingSet, incoming: Incoming, document: Document, *, trusted: bool) -> None:
    created = _created(document)
    beside: dict[str, Any] = {
        "created_at": created or work.now,
        "asserted_by": Authority.IMPORT,
        "pinned": incoming.pinned,
        "archived_at": (incoming.archived_at or work.now) if incoming.archived else None,
    }
    if incoming.own_status is not None:
        beside["own_status"] = incoming.own_status
    if trusted and incoming.meta is not None:
        beside |= {name: incoming.meta[name] for name in ("created_at", "author", "asserted_by")}
        beside["asserted_by"] = Authority(beside["asserted_by"])
    curate.add_document(work, document, "imported", **beside)


def _update(work: WorkingSet, found: Memory, document: Document) -> None:
    updated = _updated(found, document)
    if updated != found:
        edited = replace(updated, asserted_by=work.actor.authority)
        work.put(edited, "updated", authored=True)


def _updated(found: Memory, document: Document) -> Memory:
    """Return a memory with the text of a document; links stay, and a status is never revived."""
    own = lifecycle.worse(found.own_status, Status(document["status"]))
    text = {**document, "status": found.document["status"] if own is found.own_status else own}
    if own is found.own_status and "status_reason" in found.document:
        text["status_reason"] = found.document["status_reason"]
    merged = documents.canonical(documents.with_links(text, documents.links(found.document)))
    if merged == documents.canonical(found.document):
        return found
    return replace(found, document=merged, own_status=own)


def _restore_counters(work: WorkingSet, incoming: Incoming) -> None:
    if incoming.meta is None:
        return
    memory = work.get(incoming.document["id"])
    beside = {name: incoming.meta[name] for name in _TRUSTED_META}
    beside["asserted_by"] = Authority(beside["asserted_by"])
    restored = replace(memory, **beside, declared=incoming.meta.get("declared", {}))
    work.put(restored, "imported", authored=False)


def _created(document: Document) -> str | None:
    evidence = document["evidence"]
    day = evidence.get("created") or evidence.get("last_validated")
    return day if day is None or "T" in day else f"{day}T00:00:00Z"
