"""Which of two memories that cannot both be right is believed; the order is fixed and total."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, TypeAlias

from project_memory.lifecycle import is_expired
from project_memory.model import Authority, Memory

Claim: TypeAlias = tuple[Memory, Mapping[str, Any]]
"""A memory and one of its facts, in the form of an object."""

_WEIGHT = {Authority.USER: 2, Authority.AGENT: 1, Authority.IMPORT: 0}


def ordered(memories: Iterable[Memory]) -> list[Memory]:
    """Return memories, the most credible first.

    What a person asserts goes before what an agent does, and that before an import; then what was
    validated later; then what was edited later; last, so that no two are equal, the lesser id.
    """
    found = sorted(memories, key=lambda memory: memory.id)
    # each sort keeps the order of equals, so that the most telling one comes last
    found.sort(key=lambda memory: memory.updated_at, reverse=True)
    found.sort(key=_validated, reverse=True)
    found.sort(key=lambda memory: _WEIGHT[memory.asserted_by], reverse=True)
    return found


def _validated(memory: Memory) -> str:
    return str(memory.document.get("evidence", {}).get("last_validated", ""))


def of_facts(claims: Iterable[Claim], today: date) -> list[Claim]:
    """Return facts of one key that say different things, the most credible first.

    Who asserts the memory counts first; then what the fact counts for today: verified, without a
    status, assumed or expired; then the later `verified_at`; then the order of the memories.
    """
    found = list(claims)
    by_id = {memory.id: memory for memory, _ in found}
    places = {memory.id: place for place, memory in enumerate(ordered(by_id.values()))}
    found.sort(key=lambda claim: (places[claim[0].id], str(claim[1]["fact"])))
    found.sort(key=lambda claim: str(claim[1].get("verified_at", "")), reverse=True)
    found.sort(key=lambda claim: _strength(claim[1], today), reverse=True)
    found.sort(key=lambda claim: _WEIGHT[claim[0].asserted_by], reverse=True)
    return found


def _strength(fact: Mapping[str, Any], today: date) -> int:
    if is_expired(fact, today):
        return 0
    return {"verified": 2, "assumption": 0}.get(str(fact.get("status")), 1)
