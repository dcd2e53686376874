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
from project_memory.index import mentions, merging
from project_memory.index.building import build
from project_memory.index.corpus import Corpus
from project_memory.index.distinct import distinct
from project_memory.index.index import Index
from project_memory.index.naming import Naming
from project_memory.index.roster import Roster
from project_memory.index.segment import Segment
from project_memory.index.selection import Selection, Texts
from project_memory.model import Memory, Registry, Status
from project_memory.ranking import hashing

SEPARATOR = "/"
"""Between the name of another project and an id, which has none itself."""


@dataclass(frozen=True, slots=True)
class Part:
    """Another project.

    Attributes:
        name: Its name.
        key: Its key.
        index: Its index.
        reach: Which of its memories reach everywhere.
        told: Those of them that link to what stays in the project, as others are told them.
    """

    name: str
    key: int
    index: Index
    reach: BitMap
    told: tuple[Memory, ...] = ()


def linking_out(index: Index, reach: BitMap) -> list[str]:
    """Return the ids of the memories among `reach` that link to others than those."""
    corpus = index.corpus
    rows = np.flatnonzero(corpus.among(reach))
    owners, targets, _ = corpus.links(rows)
    outside = distinct(owners[~np.isin(targets, corpus.ids[rows])])
    return index.ids(corpus.keys[rows[outside]].tolist())


def joined(own: Index, others: Sequence[Part]) -> Index:
    """Return the index of a project together with what reaches it.

    Memories of other projects go by ``project/id``.
    """
    segments, live = list(own.corpus.segments), list(own.corpus.live)
    for part in others:
        alike = part.reach - BitMap(memory.key for memory in part.told)
        wanted = np.array(alike.to_array(), np.int64)
        for segment, alive in zip(part.index.corpus.segments, part.index.corpus.live, strict=True):
            segments.append(_apart(segment, part.key))
            live.append(alive & np.isin(segment.keys, wanted))
        if part.told:
            made = build(part.told)
            names = [segment.owned for segment in (*segments, made)]
            made = merging.with_mentions(made, mentions.in_texts(made, names))
            segments.append(_apart(made, part.key))
            live.append(np.ones(len(made), np.bool_))
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
        self._told = {part.name: _selecting(part.told) for part in others}

    def evaluate(self, node: Node, *, registry: Registry, today: date, texts: Texts) -> BitMap:
        found = self._own.selection.evaluate(node, registry=registry, today=today, texts=texts)
        for part in self._others:
            # a label that only the own project has selects nothing elsewhere
            labels = {**registry.labels, **part.index.registry.labels}
            theirs = replace(part.index.registry, labels=labels)
            told = BitMap(memory.key for memory in part.told)
            for selection, keys in (
                (part.index.selection, part.reach - told),
                (self._told[part.name], told),
            ):
                found |= keys & selection.evaluate(
                    node,
                    registry=theirs,
                    today=today,
                    texts=lambda asked, keys=keys: texts(asked & keys),  # type: ignore[misc]
                )
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


def _selecting(memories: Iterable[Memory]) -> Selection:
    """Return a selection of some memories."""
    made = Selection()
    for memory in memories:
        made.put(memory.key, memory)
    return made
