"""Record which recalled memories helped and which were wrong; counts only, never a status."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from project_memory.errors import InvalidInput
from project_memory.model import Revision, Uses, timestamp
from project_memory.ports import Storage
from project_memory.services import history
from project_memory.services.transaction import Order, existing_project, refuse_secret


@dataclass(frozen=True, slots=True)
class UseRecorded:
    """Ids whose counters were raised, each once, sorted."""

    applied: tuple[str, ...]
    wrong: tuple[str, ...]
    project: str


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
        InvalidInput: no id is given, or one is given as both.
        NotFound: an id is no memory; nothing is counted.
        SecretFound: the note looks like a credential.
    """
    refuse_secret(order.reason, "the note")
    refuse_secret(order.actor.name, "the actor's name")
    applied, wrong = set(memory_ids), set(wrong_ids)
    if not applied and not wrong:
        raise InvalidInput("no memory is named; give memory_ids, wrong_ids or both")
    for both in sorted(applied & wrong):
        raise InvalidInput(f"'{both}' is given as applied and as wrong; choose one")
    with storage.write() as writer:
        found = existing_project(writer, project)
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
