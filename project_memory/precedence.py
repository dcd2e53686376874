"""Which of two memories that cannot both be right is believed; the order is fixed and total."""

from __future__ import annotations

from collections.abc import Iterable

from project_memory.model import Authority, Memory

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
