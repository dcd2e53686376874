"""Hold the files that memories name against a checkout."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from project_memory.checkout.comparison import compared
from project_memory.checkout.git import Checkout, checkout_at
from project_memory.errors import InvalidInput
from project_memory.model import Memory
from project_memory.staleness import FileState, named_files


@dataclass(frozen=True, slots=True)
class Files:
    """What became of files.

    Attributes:
        states: Memory id -> those of its files that changed, moved or are missing; memories
            without any are left out.
        notes: What is not known, and why.
    """

    states: Mapping[str, tuple[FileState, ...]]
    notes: tuple[str, ...]


def compared_files(memories: Iterable[Memory], folder: Path | None) -> Files:
    """Compare the files of memories with the checkout that holds a folder.

    Raises:
        InvalidInput: there is no folder, no checkout, or git cannot read it.
    """
    checkout = checkout_of(folder)
    named = {memory.id: named_files(memory) for memory in memories}
    found = compared(checkout, [each for several in named.values() for each in several])
    undated = sum(
        any(each.day in found.unknown_days for each in several) for several in named.values()
    )
    by_memory = {
        name: tuple(found.states[each] for each in several if each in found.states)
        for name, several in named.items()
    }
    return Files(
        {name: several for name, several in by_memory.items() if several},
        (_undated(undated, shallow=checkout.shallow),) if undated else (),
    )


def checkout_of(folder: Path | None) -> Checkout:
    """Return the checkout that holds a folder.

    Raises:
        InvalidInput: there is no folder, or no checkout.
    """
    if folder is None:
        raise InvalidInput("the project's code is not at hand; name it with --checkout DIR")
    return checkout_at(folder)


def _undated(memories: int, *, shallow: bool) -> str:
    some = "1 memory was" if memories == 1 else f"{memories} memories were"
    why = "; the clone is shallow, and `git fetch --unshallow` brings the rest" if shallow else ""
    return (
        f"{some} validated before the history of the code begins, so only missing files are told"
        f"{why}"
    )
