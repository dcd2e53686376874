"""Whether what a store derives from documents, to find them by, agrees with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from project_memory import documents, duplicates
from project_memory.duplicates import Imprint
from project_memory.model import Memory, Problem
from project_memory.ports import CROWD, Reader

_FIX = "change its text, which stores what it is found by anew"


_BATCH = 1000
"""Memories whose texts are sketched together: a tenth of the time, and little to hold."""


def problems(reader: Reader, project: int, memories: Sequence[Memory]) -> Iterator[Problem]:
    """Yield a problem for each way in which an unarchived memory is not found that should be."""
    current = [memory for memory in memories if not memory.archived]
    for start in range(0, len(current), _BATCH):
        batch = current[start : start + _BATCH]
        told = duplicates.imprints([documents.lesson(memory.document) for memory in batch])
        for memory, imprint in zip(batch, told, strict=True):
            yield from _problems(reader, project, memory, imprint)


def _problems(reader: Reader, project: int, memory: Memory, imprint: Imprint) -> Iterator[Problem]:
    name, document = memory.id, memory.document
    if name not in reader.same_text(project, documents.text_digest(document)):
        yield Problem(
            "stale-digest",
            f"'{name}' is not found by its text, and could be created a second time",
            memory=name,
            fix="change its text, which stores the digest anew",
        )
    if not _is_near_itself(reader, project, memory, imprint):
        yield Problem(
            "stale-bands",
            f"'{name}' is not found by texts like its own, and could get a twin unnoticed",
            memory=name,
            fix=_FIX,
        )
    for key, _ in documents.fact_values(document):
        if name not in reader.other_values(project, key, ""):  # which is nobody's value
            yield Problem(
                "stale-values",
                f"'{name}' is not found by its fact '{documents.quotable(key)}', and whoever says "
                "otherwise would not be told",
                memory=name,
                fix=_FIX,
            )


def _is_near_itself(reader: Reader, project: int, memory: Memory, imprint: Imprint) -> bool:
    # one band will do: they are stored together
    bands = imprint.bands[:1]
    found = reader.near_text(project, bands, CROWD)
    return not bands or memory.id in found or len(found) == CROWD
