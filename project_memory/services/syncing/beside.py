"""What stands beside documents: labels, expectations, own status, archive and pins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from project_memory import exchange
from project_memory.exchange import Package
from project_memory.exchange.synced import Agreed
from project_memory.model import Expectation
from project_memory.services import curate, expecting
from project_memory.services.syncing import states
from project_memory.services.syncing.plan import Plan
from project_memory.services.syncing.states import State
from project_memory.services.working_set import WorkingSet


def labels(work: WorkingSet, package: Package, agreed: Agreed, plan: Plan) -> None:
    """Take labels that only the folder changed; new ones come with the documents."""
    clashing = []
    for label in package.registry.labels.values():
        known = work.registry.labels.get(label.name)
        if known is None:
            continue
        base = agreed.labels.get(label.name)
        ours, theirs = states.of_label(known), states.of_label(label)
        if theirs in {ours, base}:
            continue
        if ours == base:
            work.put_label(label)
        else:
            clashing.append(label.name)
    if clashing:
        told = ("labels.json", tuple(sorted(clashing)), "changed on both sides")
        plan.keep("labels", exchange.registry_text(package.registry), told)


def expectations(work: WorkingSet, package: Package, agreed: Agreed) -> Iterator[Expectation]:
    """Yield what the folder expects and the store never did; take away what it dropped."""
    told = {each.id: each for each in package.expectations}
    for name, each in told.items():
        if name not in work.expectations and agreed.expectations.get(name) is None:
            yield each
    for name, base in agreed.expectations.items():
        held = work.expectations.get(name)
        if name not in told and held and states.of_expectation(held) == base:
            expecting.remove(work, name)


def both(began: State | None, ours: State, theirs: State, clashing: list[str]) -> State:
    """Return what stands beside a document after both changes; paths of conflicts are added."""
    found: dict[str, Any] = {}
    for name in ("own", "archived", "pinned"):
        base, mine, other = (getattr(side, name, None) for side in (began, ours, theirs))
        if other not in {mine, base} and mine != base:
            clashing.append(f"$.{'status' if name == 'own' else name}")
        found[name] = mine if other == base or mine != base else other
    return replace(ours, **found)


def give(work: WorkingSet, name: str, wanted: State) -> None:
    """Give a memory the status, archive and pin that it is to have.

    Raises:
        InvalidTransition: the lifecycle does not allow the status.
    """
    memory = work.get(name)
    if memory.own_status is not wanted.own:
        reason = memory.document.get("status_reason", "so said the folder")
        curate.set_status(work, name, wanted.own, reason=reason)
    if memory.archived != wanted.archived:
        (curate.archive if wanted.archived else curate.unarchive)(work, name)
    if memory.pinned != wanted.pinned:
        (curate.pin if wanted.pinned else curate.unpin)(work, name)
