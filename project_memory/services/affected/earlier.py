"""Names that lessons have for files of a change and that these had long before it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from project_memory import globs
from project_memory.checkout import disk
from project_memory.checkout.comparison import compared
from project_memory.checkout.git import Checkout, plain
from project_memory.checkout.patches import ChangedFile
from project_memory.model import Memory
from project_memory.staleness import Fate, named_files


def earlier_names(
    memories: Iterable[Memory], files: Sequence[ChangedFile], checkout: Checkout | None
) -> dict[str, str]:
    """Return path that a memory names -> path now, of files that were renamed before a change.

    Only names that lead nowhere are looked for in the history.

    Raises:
        InvalidInput: git cannot read the repository.
    """
    if checkout is None or not files:
        return {}
    known = {path for file in files for path in file.paths}
    named = {each for memory in memories for each in named_files(memory)}
    paths = {each.path: plain(each.path) for each in named if not globs.is_glob(each.path)}
    lost = {
        name
        for name, path in paths.items()
        if path not in known and disk.kind(checkout.root, path) is None
    }
    if not lost:
        return {}
    states = compared(checkout, [each for each in named if each.path in lost]).states
    moved = (state for state in states.values() if state.fate is Fate.RENAMED)
    return {plain(state.path): state.now for state in moved if state.now is not None}
