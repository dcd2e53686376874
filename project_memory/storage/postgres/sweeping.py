"""Leave no trace of what was removed in the tables, and know where the server keeps copies."""

from __future__ import annotations

from pathlib import Path

import psycopg

from project_memory.storage.postgres import failures
from project_memory.storage.postgres.connections import SCHEMA, Connection
from project_memory.storage.server import Server

_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = %s ORDER BY tablename"
_LOGS = (
    "the server's write-ahead log holds it until it is written over, and so do replicas' logs, "
    "archives and backups of the server; ask its administrator"
)
_OWED = f"SELECT value FROM {SCHEMA}.store WHERE name = 'sweep'"
_SETTLE = f"DELETE FROM {SCHEMA}.store WHERE name = 'sweep' AND value = %s"
_OLD_VIEWS = """SELECT count(*) FROM pg_stat_activity
    WHERE backend_xmin IS NOT NULL AND pid <> pg_backend_pid()
    AND backend_type = 'client backend' AND datname = current_database()"""


def swept(
    connection: Connection, server: Server, seconds: float, backups: Path, store_id: str
) -> list[str]:
    """Write the tables anew without their free space, and name what may remain.

    What was owed when it began is settled if nobody had an old view of the tables.

    Raises:
        StorageBusy: others used a table for longer than `seconds`.
    """
    try:
        connection.execute(f"SET lock_timeout = {max(1, round(seconds * 1000))}")
        owed = connection.execute(_OWED).fetchone()
        for (name,) in connection.execute(_TABLES, (SCHEMA,)).fetchall():
            connection.execute(f"VACUUM FULL {SCHEMA}.{name}".encode())
        connection.execute("RESET lock_timeout")
        viewers = connection.execute(_OLD_VIEWS).fetchone()
        viewed = viewers is not None and viewers[0] > 0
        if owed is not None and not viewed:
            connection.execute(_SETTLE, owed)
    except psycopg.Error as error:
        raise failures.translated(error, server) from error
    remains = [
        f"backup '{file}' was made before and may hold it; delete it, or put it under lock"
        for file in sorted(backups.glob(f"{store_id}.v*.sql"))
    ]
    if viewed:
        remains.append(
            "another session reads an old view of the database, so that its tables may hold it; "
            "run `project-memory doctor` when that session has ended, which clears it"
        )
    return [*remains, _LOGS]
