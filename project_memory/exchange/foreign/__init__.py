"""What other programs remember, read into items that can become memories.

Each format is a module with a `NAME` and a pure `read`, which takes the text of one file, or the
rows of a database, and adds what it finds. `IMPORTERS` is the table of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from project_memory.documents import printable
from project_memory.errors import InvalidInput, NotFound
from project_memory.exchange.foreign import (
    agent_files,
    basic_memory,
    cursor_rules,
    lists,
    mem0,
    project_memory_mcp,
    reading,
    rows,
    schist,
    server_memory,
    tree,
    vault,
)
from project_memory.exchange.foreign.item import MAX_ITEMS, Findings, Item, Reading, Tie, joined
from project_memory.exchange.foreign.recognising import OWN, recognised
from project_memory.exchange.foreign.shaping import (
    Shape,
    fingerprint,
    place_and_origin,
    shapes,
    task,
)

__all__ = [
    "IMPORTERS",
    "OWN",
    "Importer",
    "Item",
    "Reading",
    "Shape",
    "Tie",
    "fingerprint",
    "place_and_origin",
    "read",
    "recognised",
    "shapes",
    "task",
]


@dataclass(frozen=True, slots=True)
class Importer:
    """One format.

    Attributes:
        what: What it is of.
        text: Reads one file of text, or None for a database.
        endings: Endings of the files that are read in a folder; none: it is one file.
        rows: Reads a database, or None.
        tables: Tables that a database has.
        optional: Tables that it may have.
    """

    what: str
    text: Callable[[str, Findings], None] | None = None
    endings: tuple[str, ...] = ()
    rows: Callable[[rows.Tables, Findings], None] | None = None
    tables: frozenset[str] = frozenset()
    optional: frozenset[str] = frozenset()


IMPORTERS: Mapping[str, Importer] = MappingProxyType(
    {
        server_memory.NAME: Importer(
            "the reference MCP memory server's JSONL", server_memory.read
        ),
        agent_files.NAME: Importer("CLAUDE.md, AGENTS.md, MEMORY.md", agent_files.read, (".md",)),
        cursor_rules.NAME: Importer("Cursor's .mdc rules", cursor_rules.read, (".mdc",)),
        vault.NAME: Importer("an Obsidian vault", vault.read, (".md",)),
        basic_memory.NAME: Importer("basic-memory notes", basic_memory.read, (".md",)),
        project_memory_mcp.NAME: Importer(
            "project-memory-mcp's database",
            rows=project_memory_mcp.read,
            tables=project_memory_mcp.TABLES,
            optional=project_memory_mcp.OPTIONAL,
        ),
        schist.NAME: Importer(
            "schist's agent-state database",
            rows=schist.read,
            tables=schist.TABLES,
            optional=schist.OPTIONAL,
        ),
        mem0.NAME: Importer("an export of mem0", mem0.read),
        lists.NAME: Importer("a plain list in Markdown", lists.read),
    }
)
"""Name -> importer, in the order of the documentation."""


def read(path: Path, name: str, shown: str) -> Reading:
    """Return what lies at a path, in the format of a name.

    Args:
        path: A file or folder.
        name: One of `IMPORTERS`.
        shown: What provenance calls a file; files of a folder are named within it.

    Raises:
        NotFound: there is nothing at the path.
        InvalidInput: it is a folder where a file is needed, or beyond what is read at once.
        StoreUnreadable: it cannot be read.
    """
    importer = IMPORTERS[name]
    if not path.exists():
        raise NotFound(f"nothing at '{printable(str(path))}'; name a file or folder to import")
    if path.is_dir():
        return _folder(path, name, importer)
    found = Findings(printable(shown))
    if importer.rows is not None:
        importer.rows(rows.read(path, importer.tables, importer.optional), found)
    else:
        _file(path.parent, path.name, importer, found)
    reading.bounded(found)
    return found.reading(name)


def _folder(path: Path, name: str, importer: Importer) -> Reading:
    if not importer.endings:
        raise InvalidInput(
            f"'{printable(path.name)}' is a folder, and {importer.what} is one file; name that"
        )
    names, passed = tree.files(path, lambda file: file.lower().endswith(importer.endings))
    if not names:
        raise InvalidInput(
            f"the folder '{printable(path.name)}' holds no file that ends in "
            f"{' or '.join(importer.endings)}; name another"
        )

    def each() -> Iterator[Findings]:
        for file in names:
            found = Findings(printable(file))
            _file(path, file, importer, found)
            yield found

    whole = joined(name, each())
    if len(whole.items) > MAX_ITEMS:
        raise InvalidInput(
            f"the folder '{printable(path.name)}' holds more than {MAX_ITEMS:,} items; import its "
            "folders one by one"
        )
    return Reading(name, whole.items, whole.problems, (*passed, *whole.left_out))


def _file(top: Path, file: str, importer: Importer, found: Findings) -> None:
    assert importer.text is not None
    content = reading.content(top, file, found)
    if content is not None:
        importer.text(content, found)
