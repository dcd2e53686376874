"""What is unsound about a store on a server, for people who ask."""

from __future__ import annotations

from project_memory.errors import InvalidInput, NotFound, StorageError
from project_memory.storage.postgres.connections import SCHEMA, Connection, connect
from project_memory.storage.postgres.store import PostgresStorage
from project_memory.storage.server import Server

_BROKEN = """SELECT c.relname FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
    WHERE c.relnamespace = %s::regnamespace AND NOT i.indisvalid ORDER BY c.relname"""
_LOSSY = "SELECT name FROM pg_settings WHERE name = ANY(%s) AND setting = 'off' ORDER BY name"
_DURABLE = ["fsync", "full_page_writes", "synchronous_commit"]


def findings(server: Server) -> list[str]:
    """Return what is wrong with the store on this server, each with its remedy."""
    try:
        PostgresStorage(server).close()
        with connect(server) as connection:
            return _inside(connection, server)
    except (InvalidInput, NotFound, StorageError) as error:
        return [str(error)]


def _inside(connection: Connection, server: Server) -> list[str]:
    broken = connection.execute(_BROKEN, (SCHEMA,)).fetchall()
    lossy = connection.execute(_LOSSY, (_DURABLE,)).fetchall()
    return [
        *(
            f"index '{SCHEMA}.{name}' of store '{server}' is not valid; run "
            f"`REINDEX INDEX {SCHEMA}.{name}`"
            for (name,) in broken
        ),
        *(
            f"the server of store '{server}' has '{name}' off, so that it can lose what it said "
            "was stored; turn it on"
            for (name,) in lossy
        ),
    ]
