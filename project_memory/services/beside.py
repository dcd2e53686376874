"""Read memories beside the project's checkout: say what of it they do not fit any more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from project_memory.model import Memory, Project, Status
from project_memory.staleness import Fate, Named, named_files, outlasts_changes
from project_memory.verdicts import Standing, Verdict

if TYPE_CHECKING:
    from project_memory.checkout.glance import Glance

Flags: TypeAlias = Callable[[Sequence[Memory]], Mapping[str, tuple[str, ...]]]
"""Returns memory id -> what a reader should know of the code, for those of which there is any."""


def nothing(_: Sequence[Memory]) -> Mapping[str, tuple[str, ...]]:
    """Return nothing: there is no checkout at hand."""
    return {}


def flags(project: Project, folder: Path, *, patience: float | None) -> Flags:
    """Return what flags memories by the checkout that holds a folder, if it is the project's.

    To find that out, and to read the history, begins at once in a thread of its own; an answer
    waits at most `patience` seconds for it, or as long as it takes.
    """
    from project_memory.checkout.glance import Glance  # noqa: PLC0415  # git

    glance = Glance(partial(_checkout, project, folder), patience=patience)
    glance.prepare()
    return partial(_flags, glance)


def _checkout(project: Project, folder: Path) -> Path | None:
    from project_memory.checkout.identity import project_identity  # noqa: PLC0415  # git

    found = project_identity(folder)
    return found.root if found.id in {project.name, *project.repository_ids} else None


def _flags(glance: Glance, memories: Sequence[Memory]) -> dict[str, tuple[str, ...]]:
    from project_memory.services.checking import carried  # noqa: PLC0415  # git

    named = {memory.id: named_files(memory) for memory in memories if not memory.archived}
    checks = {memory.id: carried(memory) for memory in memories if _claims(memory)}
    seen = glance.look([each for several in named.values() for each in several], checks)
    if not seen.fates and not seen.verdicts:
        return {}
    found = {
        memory.id: (
            *_of_files(memory, named[memory.id], seen.fates),
            *_of_checks(seen.verdicts.get(memory.id, ())),
        )
        for memory in memories
        if memory.id in named
    }
    return {name: sentences for name, sentences in found.items() if sentences}


def _claims(memory: Memory) -> bool:
    """Return whether readers take a memory for true."""
    return not memory.archived and memory.status in (Status.ACTIVE, Status.STALE)


def _of_checks(verdicts: Iterable[Verdict]) -> Iterator[str]:
    for verdict in verdicts:
        if verdict.standing is Standing.CONTRADICTED:
            yield f"check contradicted by the code: {verdict.message}"


def _of_files(memory: Memory, named: Sequence[Named], fates: Mapping[Named, Fate]) -> list[str]:
    told = {Fate.MISSING: "file missing", Fate.CHANGED: "file changed since validated"}
    if outlasts_changes(memory.document["labels"]):
        del told[Fate.CHANGED]
    by_fate = {fate: [each.path for each in named if fates.get(each) is fate] for fate in told}
    return [f"{told[fate]}: {', '.join(paths)}" for fate, paths in by_fate.items() if paths]
