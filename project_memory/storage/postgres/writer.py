"""The writing half of the port over PostgreSQL."""

from __future__ import annotations

from project_memory.model import Revision
from project_memory.storage.postgres.reader import PostgresReader
from project_memory.storage.relational.writer import RelationalWriter

CHANNEL = "project_memory"
"""Who listens here is told of every revision as ``project key:number``, once it is committed."""


class PostgresWriter(RelationalWriter, PostgresReader):
    """See `ports.Writer`."""

    def append_revision(self, project: int, revision: Revision) -> None:
        """See `Writer.append_revision`."""
        super().append_revision(project, revision)
        self.session.rows("SELECT pg_notify(?, ?)", (CHANNEL, f"{project}:{revision.number}"))

    def start_after(self, last_key: int) -> None:
        """See `RelationalWriter.start_after`."""
        self.session.rows("SELECT setval('memory_keys', ?)", (last_key,))
        self.session.rows(
            """SELECT setval(pg_get_serial_sequence('projects', 'key'), CAST(? AS BIGINT))
            WHERE ? > 0""",
            (last_project := self.last_project(), last_project),
        )

    def _keep_imprint(self, project: int, key: int, signs: bytes, packed: bytes) -> None:
        sql = "INSERT INTO imprints (project, memory_key, signs, bands) VALUES (?, ?, ?, ?)"
        self.session.run(sql, (project, key, signs, packed))

    def _forget_imprint(self, project: int, key: int) -> bytes | None:
        sql = "DELETE FROM imprints WHERE project = ? AND memory_key = ? RETURNING bands"
        row = self.session.row(sql, (project, key))
        return None if row is None else bytes(row[0])

    def _given(self, count: int) -> range:
        sql = "SELECT nextval('memory_keys') FROM generate_series(1, ?)"
        while True:
            # the writer of another project may have got some in between; keys need not be saved
            keys = [int(row[0]) for row in self.session.rows(sql, (count,))]
            if keys[-1] - keys[0] == count - 1:
                return range(keys[0], keys[-1] + 1)

    def _took(self, key: int) -> None:
        if key > self.last_key():
            self.session.rows("SELECT setval('memory_keys', ?)", (key,))
