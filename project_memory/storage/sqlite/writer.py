"""The writing half of the port over SQLite."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from project_memory.model import Revision
from project_memory.storage.codec import latest_believed
from project_memory.storage.relational import bands as packing
from project_memory.storage.relational.writer import ON_USES, USES, Counts, RelationalWriter
from project_memory.storage.sqlite.reader import SqliteReader


class SqliteWriter(RelationalWriter, SqliteReader):
    """See `ports.Writer`."""

    def start_after(self, last_key: int) -> None:
        """See `RelationalWriter.start_after`."""
        self.session.run("UPDATE store SET value = ? WHERE name = 'last_key'", (last_key,))

    def rewrite_history(self, project: int, rewrite: Callable[[Revision], Revision]) -> None:
        """See `Writer.rewrite_history`."""
        # what is deleted is overwritten with zeros, even if the file is not vacuumed later
        self.session.rows("PRAGMA secure_delete = ON")
        super().rewrite_history(project, rewrite)

    def _add_project(self, name: str) -> None:
        sql = "INSERT INTO projects (key, name) VALUES (?, ?) ON CONFLICT (name) DO NOTHING"
        self.session.run(sql, (self.last_project() + 1, name))

    def _given(self, count: int) -> range:
        self.session.run(
            """UPDATE store SET value = ? + max(value, (SELECT ifnull(max(key), 0) FROM memories))
            WHERE name = 'last_key'""",
            (count,),
        )
        last = self._counter()
        return range(last - count + 1, last + 1)

    def _add_uses(self, project: int, day: str, counts: Mapping[int, Counts]) -> None:
        sql = f"""INSERT INTO {USES} SELECT project, key, tier, ?, ?, ?, ?, ?, ?
            FROM memories WHERE project = ? AND key = ? {ON_USES}"""
        ahead = latest_believed(day)
        rows = [
            (*each, *((1, day) if each[0] else (0, None)), project, key, ahead, ahead)
            for key, each in counts.items()
        ]
        self.session.run_each(sql, rows)

    def _present_keys(self, project: int, ids: Sequence[str]) -> dict[str, int]:
        present = "SELECT key FROM memories WHERE project = ? AND id = ?"
        renamed = "SELECT memory_key FROM redirects WHERE project = ? AND old_id = ?"
        found: dict[str, int] = {}
        for name in ids:
            asked = (project, name)
            row = self.session.row(present, asked) or self.session.row(renamed, asked)
            if row is not None:
                found[name] = int(row[0])
        return found

    def _change(self, sql: str, project: int, key: int, row: tuple[Any, ...]) -> int:  # noqa: ARG002
        changed = self.session.run(sql, row)
        if changed:
            # by the key alone, unique here: of two columns the planner could take the other
            self.session.run("DELETE FROM fact_values WHERE memory_key = ?", (key,))
        return changed

    def _keep_imprint(self, project: int, key: int, bands: set[int], signs: bytes) -> None:
        sql = "INSERT INTO imprints (memory_key, signs, bands) VALUES (?, ?, ?)"
        self.session.run(sql, (key, signs, packing.packed(bands)))
        into = "text_bands (project, band, memory_key)"
        self.session.insert(into, [(project, band, key) for band in bands])

    def _leave_bands(self, project: int, key: int, bands: list[int]) -> None:
        sql = "DELETE FROM text_bands WHERE project = ? AND band = ? AND memory_key = ?"
        self.session.run_each(sql, [(project, band, key) for band in bands])

    def _forget_imprint(self, project: int, key: int) -> bytes | None:  # noqa: ARG002
        row = self.session.row("SELECT bands FROM imprints WHERE memory_key = ?", (key,))
        if row is None:
            return None
        self.session.run("DELETE FROM imprints WHERE memory_key = ?", (key,))
        return bytes(row[0])
