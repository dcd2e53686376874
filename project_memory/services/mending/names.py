"""Files that are not named after the id of their document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator

from project_memory import exchange
from project_memory.exchange import Held, Incoming, Package


def renames(held: Held, package: Package, changeable: Container[str]) -> Iterator[tuple[str, str]]:
    """Yield (old name, new name) of every file whose right name is free.

    Args:
        held: The directory.
        package: What was read from it.
        changeable: Names of the files that may be renamed.
    """
    count = Counter(_folded(incoming) for incoming in package.memories)
    taken = {name.lower(): name for name in (*held.files, *held.others)}
    for incoming in package.memories:
        folder, slash, _ = incoming.file.rpartition("/")
        new = f"{folder}{slash}{incoming.document.get('id')}.json"
        if incoming.file == new or incoming.file not in changeable or new in exchange.OWN:
            continue
        if (
            count[_folded(incoming)] == 1
            and taken.get(new.lower(), incoming.file) == incoming.file
        ):
            yield incoming.file, new


def _folded(incoming: Incoming) -> str:
    return str(incoming.document.get("id")).lower()
