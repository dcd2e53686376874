"""The reading half of the port over PostgreSQL."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from project_memory.model import Memory
from project_memory.ports import CROWD
from project_memory.storage.relational.reader import MEMORY, RelationalReader, memory_of


class PostgresReader(RelationalReader):
    """See `ports.Reader`."""

    POSITION = "strpos"
    BESIDE = "i.project = m.project AND i.memory_key = m.key"

    def last_key(self) -> int:
        """See `RelationalReader.last_key`."""
        row = self.session.row("SELECT last_value FROM memory_keys")
        assert row is not None
        return int(row[0])

    def _named(self, project: int, ids: list[str]) -> Iterator[Memory]:
        # one question instead of one for each, since each goes over a network
        sql = f"SELECT {MEMORY} FROM memories WHERE project = ? AND id = ANY(?) ORDER BY id"
        yield from map(memory_of, self.session.rows(sql, (project, ids)))

    def _under(self, project: int, bands: Collection[int]) -> Iterable[int]:
        sql = f"""SELECT found.memory_key FROM unnest(CAST(? AS BIGINT[])) AS wanted (band)
            CROSS JOIN LATERAL (SELECT memory_key FROM text_bands AS t
                WHERE t.project = ? AND t.band = wanted.band
                ORDER BY memory_key LIMIT {CROWD}) AS found"""
        return (row[0] for row in self.session.rows(sql, (list(bands), project)))

    def _unarchived(self, project: int, keys: Sequence[int]) -> list[tuple[Any, ...]]:
        sql = f"""SELECT m.key, m.id, i.signs FROM memories AS m
            JOIN imprints AS i ON {self.BESIDE}
            WHERE m.project = ? AND m.key = ANY(?) AND m.archived_at IS NULL"""
        return self.session.rows(sql, (project, list(keys)))
