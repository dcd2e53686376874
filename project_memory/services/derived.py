"""Whether what a store derives from documents, to find them by, agrees with them."""

from __future__ import annotations

from collections.abc import Iterator

from project_memory import documents, duplicates
from project_memory.model import Memory, Problem
from project_memory.ports import CROWD, Reader

_FIX = "change its text, which stores what it is found by anew"


def problems(reader: Reader, project: int, memory: Memory) -> Iterator[Problem]:
    """Yield a problem for each way in which an unarchived memory is not found that should be."""
    if memory.archived:
        return
    name, document = memory.id, memory.document
    if name not in reader.same_text(project, documents.text_digest(document)):
        yield Problem(
            "stale-digest",
            f"'{name}' is not found by its text, and could be created a second time",
            memory=name,
            fix="change its text, which stores the digest anew",
        )
    if not _is_near_itself(reader, project, memory):
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


def _is_near_itself(reader: Reader, project: int, memory: Memory) -> bool:
    # one band will do: they are stored together
    bands = duplicates.imprint(documents.lesson(memory.document)).bands[:1]
    found = reader.near_text(project, bands, CROWD)
    return not bands or memory.id in found or len(found) == CROWD
