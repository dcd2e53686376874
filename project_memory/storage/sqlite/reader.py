"""The reading half of the port over SQLite."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from project_memory import documents
from project_memory.ports import CROWD
from project_memory.storage.relational.feed import Hints
from project_memory.storage.relational.reader import RelationalReader
from project_memory.storage.relational.tables import TABLES, Table

_UNDER = f"""SELECT * FROM (SELECT memory_key FROM text_bands WHERE project = ? AND band = ?
    ORDER BY memory_key LIMIT {CROWD})"""

_BESIDE = "i.memory_key = m.key"
_UNARCHIVED = f"""SELECT m.key, m.id, i.signs FROM memories AS m JOIN imprints AS i ON {_BESIDE}
    WHERE m.archived_at IS NULL AND m.project = ? AND m.key IN"""


# Of which project an imprint is, is told by its memory here.
_OF_KEYS = Table(
    "imprints",
    ("project", "memory_key", "signs", "bands"),
    key=2,
    read="""(SELECT m.project, i.memory_key, i.signs, i.bands
        FROM imprints AS i JOIN memories AS m ON m.key = i.memory_key)""",
    implied=1,
)


class SqliteReader(RelationalReader):
    """See `ports.Reader`."""

    POSITION = "instr"
    BESIDE = _BESIDE
    # Left to itself, the planner walks the revisions until it meets the actor, or the id.
    HINTS = Hints("INDEXED BY revisions_by_actor", "INDEXED BY history_by_id")
    TABLES = tuple(_OF_KEYS if table.name == "imprints" else table for table in TABLES)

    def lessons(self, project: int, ids: Iterable[str]) -> dict[str, str]:
        """See `Reader.lessons`."""
        sql = """SELECT json_extract(document, '$.description', '$.remembered_facts')
            FROM memories WHERE project = ? AND id = ?"""
        rows = {name: self.session.row(sql, (project, name)) for name in ids}
        told = {name: json.loads(row[0]) for name, row in rows.items() if row is not None}
        return {
            name: documents.lesson({"description": description, "remembered_facts": facts or ()})
            for name, (description, facts) in told.items()
        }

    def last_key(self) -> int:
        """See `RelationalReader.last_key`."""
        row = self.session.row("SELECT ifnull(max(key), 0) FROM memories")
        assert row is not None
        return max(int(row[0]), self._counter())

    def _under(self, project: int, bands: Collection[int]) -> Iterable[int]:
        if not bands:
            return ()
        # one statement for all bands: each by itself takes longer to begin than to run
        sql = " UNION ALL ".join([_UNDER] * len(bands))
        rows = self.session.rows(sql, [each for band in bands for each in (project, band)])
        return (row[0] for row in rows)

    def _unarchived(self, project: int, keys: Sequence[int]) -> list[tuple[Any, ...]]:
        places = ", ".join("?" * len(keys))
        return self.session.rows(f"{_UNARCHIVED} ({places})", (project, *keys))

    def _counter(self) -> int:
        row = self.session.row("SELECT value FROM store WHERE name = 'last_key'")
        assert row is not None
        return int(row[0])
