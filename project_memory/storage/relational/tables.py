"""Every table that all databases have in common, so that a store can go from one to another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from project_memory.storage.relational.session import Session

_PAGE = 500


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a store of the newest version.

    Attributes:
        name: Its name.
        columns: Its columns, those of its key first.
        key: How many columns are its key.
        booleans: Which columns are true or false, which some databases keep as 1 and 0.
        read: What the columns are selected from, where that is not the table alone.
        implied: How many of the first columns follow from the others, and are not stored.
    """

    name: str
    columns: tuple[str, ...]
    key: int
    booleans: frozenset[str] = frozenset()
    read: str = ""
    implied: int = 0

    def count(self, session: Session) -> int:
        """Return how many rows it has."""
        row = session.row(f"SELECT count(*) FROM {self.name}")
        assert row is not None
        return int(row[0])

    def pages(self, session: Session) -> Iterator[list[tuple[Any, ...]]]:
        """Yield all rows in the order of their key, some at a time, never none."""
        columns, key = ", ".join(self.columns), ", ".join(self.columns[: self.key])
        marks = ", ".join("?" * self.key)
        after, last = "", ()
        while True:
            place = self.read or self.name
            sql = f"SELECT {columns} FROM {place} AS t {after} ORDER BY {key} LIMIT {_PAGE}"
            rows = [self._same(row) for row in session.rows(sql, last)]
            if rows:
                yield rows
            if len(rows) < _PAGE:
                return
            after, last = f"WHERE ({key}) > ({marks})", rows[-1][: self.key]

    def add(self, session: Session, rows: Sequence[Sequence[Any]]) -> None:
        """Insert rows."""
        stored = self.columns[self.implied :]
        columns, marks = ", ".join(stored), ", ".join("?" * len(stored))
        sql = f"INSERT INTO {self.name} ({columns}) VALUES ({marks})"
        session.run_each(sql, [row[self.implied :] for row in rows])

    def _same(self, row: Sequence[Any]) -> tuple[Any, ...]:
        if not self.booleans:
            return tuple(row)
        return tuple(
            bool(value) if name in self.booleans else value
            for name, value in zip(self.columns, row, strict=True)
        )


def _table(name: str, columns: str, *, key: int, booleans: str = "") -> Table:
    return Table(name, tuple(columns.split()), key, frozenset(booleans.split()))


TABLES = (
    _table("projects", "key name revision settings archived_at", key=1),
    _table("repository_ids", "repository_id project", key=1),
    _table(
        "labels",
        "project name description aliases broader deprecated replaced_by",
        key=2,
        booleans="deprecated",
    ),
    _table("single_prefixes", "project prefix", key=2),
    _table("expectations", "project id expectation", key=2),
    _table(
        "memories",
        "project key id digest document own_status version links_version created_at updated_at "
        "author asserted_by archived_at pinned tier declared tier_since",
        key=2,
        booleans="pinned",
    ),
    _table("imprints", "project memory_key signs bands", key=2),
    _table("text_bands", "project band memory_key", key=3),
    _table("fact_values", "project fact_key value memory_key", key=4),
    _table("redirects", "project old_id memory_key", key=2),
    _table(
        "revisions",
        "project number actor authority operation reason time undoes mark",
        key=2,
    ),
    _table(
        "history",
        "project revision seq subject memory_key memory_id version before after",
        key=3,
    ),
    _table(
        "uses",
        "project memory_key tier surfaced surfaced_direct applied wrong days last_seen",
        key=3,
    ),
    _table("questions", "project day count", key=2),
    _table("unhelped_questions", "project text first_day last_day unanswered unapplied", key=2),
    _table("proposals", "project number state proposal", key=2),
    _table("sightings", "project subject code place sighting", key=4),
    _table("tombstones", "project digest", key=2),
    _table("tokens", "id digest actor role projects created_at expires_at revoked_at", key=1),
    _table("backups", "host file made_at", key=2),
    _table(
        "enrollments",
        "digest actor role projects days expires_at redeemed_at person",
        key=1,
        booleans="person",
    ),
    _table(
        "sessions", "digest token proof person created_at expires_at", key=1, booleans="person"
    ),
    _table("synced_folders", "project host folder revision mark absent", key=3),
    _table(
        "jobs",
        "project kind worker leased_until started_at succeeded_at due_at failures failing_since "
        "error result",
        key=2,
    ),
)
"""A table that refers to another comes after it."""
