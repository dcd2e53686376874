"""One index over a project and over what reaches it from others.

Statistics are pooled and the walk is one. Memories of other projects that do not reach everywhere
are not there at all: they neither answer nor count, and no path leads through them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np
from pyroaring import BitMap

from project_memory.expression import Node
from project_memory.index.corpus import Corpus
from project_memory.index.index import Index
from project_memory.index.naming import Naming
from project_memory.index.roster import Roster
from project_memory.index.segment import Segment
from project_memory.index.selection import Selection, Texts
from project_memory.model import Registry, Status
from project_memory.ranking import hashing

SEPARATOR = "/"
"""Between the name of another project and an id, which has none itself."""


@dataclass(frozen=True, slots=True)
class Part:
    """Another project: name, key, index, and which of its memories reach everywhere."""

    name: str
    key: int
    index: Index
    reach: BitMap


def joined(own: Index, others: Sequence[Part]) -> Index:
    """Return the index of a project together with what reaches it.

    Memories of other projects go by ``project/id``.
    """
    segments, live = list(own.corpus.segments), list(own.corpus.live)
    for part in others:
        wanted = np.array(part.reach.to_array(), np.int64)
        for segment, alive in zip(part.index.corpus.segments, part.index.corpus.live, strict=True):
            segments.append(_apart(segment, part.key))
            live.append(alive & np.isin(segment.keys, wanted))
    return Index(
        _Roster(own.roster, others),
        _Selection(own, others),
        Corpus(segments, live),
        {},
        registry=own.registry,
        revision=own.revision,
    )


def qualified(project: str, memory_id: str) -> str:
    """Return what a memory of another project goes by."""
    return f"{project}{SEPARATOR}{memory_id}"


def parted(name: str) -> tuple[str | None, str]:
    """Return (project, or None for the own one, and id) of what a memory goes by."""
    project, _, memory_id = name.rpartition(SEPARATOR)
    return project or None, memory_id


def _apart(segment: Segment, key: int) -> Segment:
    """Return a segment whose ids and links are told from the same ones of other projects."""
    salt = np.uint64(hashing.number(f"project {key}"))
    return replace(segment, ids=segment.ids ^ salt, targets=segment.targets ^ salt)


class _Roster(Roster):
    """The rosters of several projects, read as one."""

    def __init__(self, own: Roster, others: Sequence[Part]) -> None:
        super().__init__()
        self._own, self._others = own, {part.name: part for part in others}

    def key(self, memory_id: str) -> int | None:
        project, plain = parted(memory_id)
        if project is None:
            return self._own.key(plain)
        part = self._others.get(project)
        key = part.index.roster.key(plain) if part else None
        return key if part and key and key in part.reach else None

    def id(self, key: int) -> str:
        for name, part in self._others.items():
            if key in part.reach:
                return qualified(name, part.index.roster.id(key))
        return self._own.id(key)

    def updated(self, key: int) -> str:
        for part in self._others.values():
            if key in part.reach:
                return part.index.roster.updated(key)
        return self._own.updated(key)


class _Selection(Selection):
    """The selections of several projects, read as one."""

    def __init__(self, own: Index, others: Sequence[Part]) -> None:
        super().__init__()
        self._own, self._others = own, others

    def evaluate(self, node: Node, *, registry: Registry, today: date, texts: Texts) -> BitMap:
        found = self._own.selection.evaluate(node, registry=registry, today=today, texts=texts)
        for part in self._others:
            # a label that only the own project has selects nothing elsewhere
            labels = {**registry.labels, **part.index.registry.labels}
            theirs = replace(part.index.registry, labels=labels)
            selected = part.index.selection.evaluate(
                node,
                registry=theirs,
                today=today,
                texts=lambda keys, reach=part.reach: texts(keys & reach),  # type: ignore[misc]
            )
            found |= selected & part.reach
        return found

    def naming(self, paths: Iterable[str]) -> Naming:
        asked = list(paths)
        found = self._own.selection.naming(asked)
        for part in self._others:
            theirs = part.index.selection.naming(asked)
            found = Naming(
                found.exact | theirs.exact & part.reach, found.wide | theirs.wide & part.reach
            )
        return found

    @property
    def everyone(self) -> BitMap:
        return self._own.selection.everyone

    @property
    def archived(self) -> BitMap:
        return self._own.selection.archived

    def with_status(self, statuses: Iterable[Status]) -> BitMap:
        wanted = list(statuses)
        found = self._own.selection.with_status(wanted)
        for part in self._others:
            found |= part.index.selection.with_status(wanted) & part.reach
        return found

    def standing(self) -> BitMap:
        found = self._own.selection.standing()
        for part in self._others:
            found |= part.index.selection.standing() & part.reach
        return found
