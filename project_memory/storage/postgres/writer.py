"""The writing half of the port over PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from project_memory.storage.codec import latest_believed
from project_memory.storage.postgres.reader import PostgresReader
from project_memory.storage.relational import bands as packing
from project_memory.storage.relational.writer import ON_USES, USES, Counts, RelationalWriter

CHANNEL = "project_memory"
"""Who listens here is told of every revision as ``project key:number``, once it is committed."""


class PostgresWriter(RelationalWriter, PostgresReader):
    """See `ports.Writer`."""

    def start_after(self, last_key: int) -> None:
        """See `RelationalWriter.start_after`."""
        self.session.rows("SELECT setval('memory_keys', ?)", (last_key,))
        self.session.rows(
            """SELECT setval(pg_get_serial_sequence('projects', 'key'), CAST(? AS BIGINT))
            WHERE ? > 0""",
            (last_project := self.last_project(), last_project),
        )

    def _moved_on(self, project: int, number: int) -> int:
        sql = """UPDATE projects SET revision = ? WHERE key = ? AND revision = ?
            RETURNING pg_notify(?, ?)"""
        told = (CHANNEL, f"{project}:{number}")
        return self.session.run(sql, (number, project, number - 1, *told))

    def _add_uses(self, project: int, day: str, counts: Mapping[int, Counts]) -> None:
        sql = f"""INSERT INTO {USES} SELECT m.project, m.key, m.tier,
                c.surfaced, c.direct, c.applied, c.wrong,
                CASE WHEN c.surfaced > 0 THEN 1 ELSE 0 END, CASE WHEN c.surfaced > 0 THEN ? END
            FROM unnest(CAST(? AS BIGINT[]), CAST(? AS BIGINT[]), CAST(? AS BIGINT[]),
                CAST(? AS BIGINT[]), CAST(? AS BIGINT[]))
                AS c (key, surfaced, direct, applied, wrong)
            JOIN memories AS m ON m.project = ? AND m.key = c.key {ON_USES}"""
        columns = map(list, zip(*counts.values(), strict=True))
        ahead = latest_believed(day)
        self.session.run(sql, (day, list(counts), *columns, project, ahead, ahead))

    def _present_keys(self, project: int, ids: Sequence[str]) -> dict[str, int]:
        # what was renamed comes first, so that who has the id now takes its place
        sql = """SELECT old_id, memory_key, 0 AS present FROM redirects
            WHERE project = ? AND old_id = ANY(?)
            UNION ALL SELECT id, key, 1 FROM memories WHERE project = ? AND id = ANY(?)
            ORDER BY present"""
        rows = self.session.rows(sql, (project, list(ids)) * 2)
        return {str(row[0]): int(row[1]) for row in rows}

    def _change(self, sql: str, project: int, key: int, row: tuple[Any, ...]) -> int:
        cleared = "DELETE FROM fact_values WHERE project = ? AND memory_key = ?"
        return self.session.run(f"WITH cleared AS ({cleared}) {sql}", (project, key, *row))

    def _keep_imprint(self, project: int, key: int, bands: set[int], signs: bytes) -> None:
        sql = """WITH kept AS (
                INSERT INTO imprints (project, memory_key, signs, bands) VALUES (?, ?, ?, ?))
            INSERT INTO text_bands (project, band, memory_key)
                SELECT ?, band, ? FROM unnest(CAST(? AS BIGINT[])) AS given (band)"""
        kept = (project, key, signs, packing.packed(bands))
        self.session.run(sql, (*kept, project, key, list(bands)))

    def _leave_bands(self, project: int, key: int, bands: list[int]) -> None:
        sql = "DELETE FROM text_bands WHERE project = ? AND band = ANY(?) AND memory_key = ?"
        self.session.run(sql, (project, bands, key))

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
