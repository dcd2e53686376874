"""Lessons that a change touches over one link: successors, and those that build on a touched one.

Only what says of itself that it stands or falls with another is told; that two lessons are merely
related is no reason to read both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from project_memory import documents, relations
from project_memory.model import Memory, Status
from project_memory.services.affected.report import Kind, Reason

MOST_DEPENDENTS = 5
"""Dependents of one lesson that are told, the first by id."""

_BUILT_ON: Mapping[str, str] = MappingProxyType(
    {"required_by": "depends on", "causes": "is caused by"}
)
_DIRECT = frozenset({Kind.FILE, Kind.CHECK})


def successors(
    everyone: Mapping[str, Memory], direct: Mapping[str, Sequence[Reason]]
) -> Iterator[tuple[str, Reason]]:
    """Yield the memories that stand for superseded ones that a change touches, and why."""
    for name, reasons in direct.items():
        if everyone[name].status is Status.SUPERSEDED:
            first = reasons[0]
            message = f"supersedes '{name}', which {first.message}"
            for heir in relations.current_successors(everyone[name], everyone.get):
                yield heir, Reason(Kind.SUCCESSOR, message, first.path, first.line)


def dependents(
    touched: Mapping[str, Sequence[Reason]], current: Mapping[str, Memory]
) -> Iterator[tuple[str, Reason]]:
    """Yield current memories that build on one whose file or check a change touches, and why.

    One that is touched itself is no dependent. Of many, the first by id are told.
    """
    for name, told, targets in _built_on(touched, current):
        first = touched[name][0]
        for target in targets[:MOST_DEPENDENTS]:
            yield target, Reason(Kind.DEPENDENT, f"{told} '{name}'", first.path, first.line)


def left_out(
    touched: Mapping[str, Sequence[Reason]], current: Mapping[str, Memory]
) -> Iterator[str]:
    """Yield a sentence wherever not all dependents are told."""
    for name, _, targets in _built_on(touched, current):
        more = len(targets) - MOST_DEPENDENTS
        if more > 0:
            yield f"{more} more build on '{name}'; see `project-memory neighborhood {name}`"


def _built_on(
    touched: Mapping[str, Sequence[Reason]], current: Mapping[str, Memory]
) -> Iterator[tuple[str, str, list[str]]]:
    """Yield (touched memory, how others build on it, ids of these)."""
    for name, reasons in touched.items():
        if name in current and any(reason.kind in _DIRECT for reason in reasons):
            for kind, told in _BUILT_ON.items():
                targets = documents.targets(current[name].document, kind)
                others = [each for each in targets if each in current and each not in touched]
                yield name, told, others
