"""A store as the first version of its schema wrote it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from project_memory.storage.sqlite import SqliteStorage, migrations

PACKAGED = migrations.packaged()


LITTLE = {"id": "kept-one"}


def make_first(path: Path, document: Mapping[str, Any] = LITTLE, name: str = "demo") -> None:
    """Make a store with one project of this name, and one memory."""
    with closing(SqliteStorage(path, create=True, steps=PACKAGED[:1])):
        pass
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO projects (key, name) VALUES (1, ?)", (name,))
        connection.execute("INSERT INTO repository_ids VALUES (?, 1)", (f"host/{name}",))
        connection.execute(
            """INSERT INTO memories VALUES (1, 1, ?, 'd', ?, 'active', 1, 1,
            '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 'ada', 'user', NULL, 0, 2, '{}')""",
            (document["id"], json.dumps(document, separators=(",", ":"))),
        )
        connection.execute(
            """INSERT INTO usage VALUES (1, 1, 'applied', 2), (1, 1, 'wrong', 1),
            (1, 9, 'wrong', 3)"""
        )
