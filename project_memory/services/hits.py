"""Answers as they are given: light or whole, within a budget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from project_memory.index import Scored, parted
from project_memory.lifecycle import FactStatus, effective_facts
from project_memory.model import Document, Memory, Status
from project_memory.services import shown
from project_memory.services.beside import Flags
from project_memory.services.budget import Budget
from project_memory.services.known import Known


@dataclass(frozen=True, slots=True)
class Hit:
    """One answer or warning.

    Attributes:
        project: The other project that it is of, or None.
        memory: The document, or None where only the light form fits or was asked for.
        facts: Of a whole one, the facts that count for less than they say, or None.
        suppressed_by: Memories that contradict it and are believed before it, or None.
        banner: Why it must not be taken as current, or None.
        flags: What to know of its files, where the project's checkout is at hand, or None.
    """

    id: str
    score: float
    status: Status
    description: str
    labels: tuple[str, ...]
    version: int
    updated_at: str
    memory: Document | None = None
    facts: tuple[FactStatus, ...] | None = None
    project: str | None = None
    answers_for: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    suppressed_by: tuple[str, ...] | None = None
    banner: str | None = None
    flags: tuple[str, ...] | None = None
    why: Any = None


@dataclass(frozen=True, slots=True)
class Sight:
    """What answers are made with.

    Attributes:
        known: Where memories are read.
        today: The day.
        budget: The tokens left to spend.
        flags: Says what to know of the files of memories.
    """

    known: Known
    today: date
    budget: Budget
    flags: Flags


def given(sight: Sight, scored: Sequence[Scored], *, full: int) -> list[Hit]:
    """Return hits in order while they fit, whole for the first `full`, light where whole fails."""
    fitting: list[Hit] = []
    for light, memory in _light(sight, scored):
        whole = _whole(sight, light, memory) if len(fitting) < full else light
        forms = [whole, light]
        form = next((form for form in forms if sight.budget.take(form)), None)
        if form is None:
            break
        fitting.append(form)
    return fitting


def _light(sight: Sight, scored: Sequence[Scored]) -> Iterator[tuple[Hit, Memory]]:
    memories = [memory for each in scored if (memory := sight.known(each.id)) is not None]
    flags = sight.flags(memories)
    for each in scored:
        project, memory_id = parted(each.id)
        known = sight.known.of(project)
        memory = known(memory_id)
        if memory is not None:
            light = shown.light(memory, known, sight.today)
            told = flags.get(memory.id) if project is None else None
            hit = replace(_hit(each, memory, light), project=project, flags=told)
            if project is not None and hit.banner is not None:
                hit = replace(hit, banner=f"{hit.banner} (ids are those of project '{project}')")
            yield hit, memory


def _hit(scored: Scored, memory: Memory, light: shown.Light) -> Hit:
    return Hit(
        id=memory.id,
        score=scored.score,
        status=memory.status,
        description=light.description,
        labels=light.labels,
        version=memory.version,
        updated_at=memory.updated_at,
        answers_for=tuple(parted(name)[1] for name in scored.answers_for),
        superseded_by=light.superseded_by,
        suppressed_by=light.suppressed_by,
        banner=light.banner,
        why=scored.explanation,
    )


def _whole(sight: Sight, light: Hit, memory: Memory) -> Hit:
    facts = effective_facts(memory.document, sight.today)
    document = memory.document
    if light.project is not None:
        document = sight.known.of(light.project).told(document)
    return replace(light, memory=document, facts=facts)
