"""Say which memories helped and which were wrong, and read what was counted; never a status."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from project_memory.errors import InvalidInput
from project_memory.model import Memory, Revision, Status, Usage, Uses, timestamp
from project_memory.ports import Reader, Storage
from project_memory.services import browse, history, reasons
from project_memory.services.store import StoreInfo, changeable_project
from project_memory.services.transaction import Order


@dataclass(frozen=True, slots=True)
class UseRecorded:
    """Ids whose counters were raised, each once, sorted."""

    applied: tuple[str, ...]
    wrong: tuple[str, ...]
    project: str


@dataclass(frozen=True, slots=True)
class UsageRow:
    """The counters of one memory.

    Attributes:
        id: Its id.
        description: What it is about.
        status: Its shown status.
        tier: Its retention tier, from 1.
        tier_since: UTC timestamp since when its silence counts for that tier.
        questions: Questions the project was asked since then, from the next day on.
        total: All that was ever counted.
        in_tier: What was counted in this tier.
    """

    id: str
    description: str
    status: Status
    tier: int
    tier_since: str | None
    questions: int
    total: Uses
    in_tier: Uses


@dataclass(frozen=True, slots=True)
class UsageReport:
    """Unarchived memories, the most brought first, ties by id.

    Attributes:
        memories: One row for each in the window.
        count: How many there are.
        questions: Questions that the project was ever asked.
        store: Where it was.
    """

    memories: tuple[UsageRow, ...]
    count: int
    questions: int
    store: StoreInfo


def record(
    storage: Storage,
    project: str,
    order: Order,
    memory_ids: Iterable[str],
    wrong_ids: Iterable[str],
) -> UseRecorded:
    """Count memories as applied, others as found wrong.

    The order's reason, where there is one, is kept in history as a revision that changes nothing.

    Raises:
        InvalidInput: no id is given, or one is given as both, or the note is too long.
        NotFound: an id is no memory; nothing is counted.
        SecretFound: the note looks like a credential.
    """
    reasons.check_reason(order.reason, "the note")
    reasons.check_name(order.actor.name, "the actor's name")
    applied, wrong = set(memory_ids), set(wrong_ids)
    if not applied and not wrong:
        raise InvalidInput("no memory is named; give memory_ids, wrong_ids or both")
    for both in sorted(applied & wrong):
        raise InvalidInput(f"'{both}' is given as applied and as wrong; choose one")
    with storage.write(project) as writer:
        found = changeable_project(writer, project)
        ids = {n: history.present(writer, found.key, n).id for n in sorted(applied | wrong)}
        helped, misled = {ids[name] for name in applied}, {ids[name] for name in wrong}
        uses = {
            name: Uses(applied=int(name in helped), wrong=int(name in misled))
            for name in helped | misled
        }
        writer.add_usage(found.key, order.moment.date().isoformat(), uses)
        if order.reason:
            time = timestamp(order.moment)
            noted = Revision(
                found.revision + 1, order.actor, order.operation, order.reason, time, ()
            )
            writer.append_revision(found.key, noted)
    return UseRecorded(tuple(sorted(applied)), tuple(sorted(wrong)), found.name)


def listed(
    reader: Reader, project: int, info: StoreInfo, *, limit: int, offset: int
) -> UsageReport:
    """Return the counters of the memories that can be recalled, never recalled ones among them.

    Raises:
        InvalidInput: `limit` is below 1 or `offset` below 0.
    """
    browse.check_window(limit, offset)
    usage = reader.usage(project)
    nothing = Uses()
    found = [memory for memory in reader.memories(project) if not memory.archived]
    found.sort(key=lambda memory: (-usage.total.get(memory.id, nothing).surfaced, memory.id))
    rows = tuple(_row(memory, usage) for memory in found[offset : offset + limit])
    return UsageReport(rows, len(found), sum(usage.questions.values()), info)


def of_memory(reader: Reader, project: int, memory_id: str, info: StoreInfo) -> UsageReport:
    """Return the counters of one memory, archived or not, as a report of one row.

    Raises:
        NotFound: there is no such memory.
    """
    usage = reader.usage(project)
    row = _row(history.present(reader, project, memory_id), usage)
    return UsageReport((row,), 1, sum(usage.questions.values()), info)


def _row(memory: Memory, usage: Usage) -> UsageRow:
    return UsageRow(
        id=memory.id,
        description=memory.document["description"],
        status=memory.status,
        tier=memory.tier,
        tier_since=memory.tier_since,
        questions=usage.asked_since(memory.tier_since or memory.created_at),
        total=usage.total.get(memory.id, Uses()),
        in_tier=usage.tier.get(memory.id, Uses()),
    )
