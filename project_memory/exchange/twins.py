"""Files that hold what a folder said where the store said otherwise, for people to decide."""

from __future__ import annotations

from collections.abc import Mapping

from project_memory.exchange.form import stem_of

ENDING = ".conflict.json"


def is_twin(name: str) -> bool:
    """Return whether a file, given relative to its directory, is one."""
    return name.endswith(ENDING)


def twin_of(file: str, held: Mapping[str, bytes], content: bytes) -> str:
    """Return the name of the twin that is to hold a file's content, or holds it already.

    Args:
        file: The file that the twin is beside, be it there or not.
        held: Name -> content of what is there; no twin of another content is replaced.
        content: What the folder said.
    """
    folder, slash, _ = file.rpartition("/")
    number = 1
    while True:
        mark = "" if number == 1 else f".{number}"
        name = f"{folder}{slash}{stem_of(file)}{mark}{ENDING}"
        if held.get(name, content) == content:
            return name
        number += 1
