"""Whether what a store derives from documents, to find them by, agrees with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from project_memory import documents, duplicates
from project_memory.model import Handles, Memory, Problem
from project_memory.ports import Reader

_FIX = "change its text, which stores what it is found by anew"


_BATCH = 1000
"""Memories whose texts are sketched together: a tenth of the time, and little to hold."""


def problems(reader: Reader, project: int, memories: Sequence[Memory]) -> Iterator[Problem]:
    """Yield a problem for each way in which an unarchived memory is not found that should be."""
    current = [memory for memory in memories if not memory.archived]
    handles = reader.handles(project)  # all at once: a question for each costs half the check
    for start in range(0, len(current), _BATCH):
        batch = current[start : start + _BATCH]
        # one band will do: they are stored together
        told = duplicates.least_bands([documents.lesson(memory.document) for memory in batch])
        for memory, band in zip(batch, told, strict=True):
            yield from _problems(handles[memory.id], memory, band)


def _problems(held: Handles, memory: Memory, band: int | None) -> Iterator[Problem]:
    name, document = memory.id, memory.document
    if held.digest != documents.text_digest(document):
        yield Problem(
            "stale-digest",
            f"'{name}' is not found by its text, and could be created a second time",
            memory=name,
            fix="change its text, which stores the digest anew",
        )
    if band is not None and held.band != band:
        yield Problem(
            "stale-bands",
            f"'{name}' is not found by texts like its own, and could get a twin unnoticed",
            memory=name,
            fix=_FIX,
        )
    for key, value in documents.fact_values(document):
        if (key, value) not in held.values:
            yield Problem(
                "stale-values",
                f"'{name}' is not found by its fact '{documents.quotable(key)}', and whoever says "
                "otherwise would not be told",
                memory=name,
                fix=_FIX,
            )
