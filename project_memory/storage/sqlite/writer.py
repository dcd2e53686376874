"""The writing half of the port over SQLite."""

from __future__ import annotations

from collections.abc import Callable

from project_memory.model import Revision
from project_memory.storage.relational.writer import RelationalWriter
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

    def _clear_values(self, project: int, key: int) -> None:  # noqa: ARG002
        # by the key alone, which is unique here: of two columns the planner could take the other
        self.session.run("DELETE FROM fact_values WHERE memory_key = ?", (key,))

    def _keep_imprint(self, project: int, key: int, signs: bytes, packed: bytes) -> None:  # noqa: ARG002
        sql = "INSERT INTO imprints (memory_key, signs, bands) VALUES (?, ?, ?)"
        self.session.run(sql, (key, signs, packed))

    def _forget_imprint(self, project: int, key: int) -> bytes | None:  # noqa: ARG002
        row = self.session.row("SELECT bands FROM imprints WHERE memory_key = ?", (key,))
        if row is None:
            return None
        self.session.run("DELETE FROM imprints WHERE memory_key = ?", (key,))
        return bytes(row[0])
