"""A store in one SQLite file."""

from project_memory.storage.sqlite.store import BUSY_TIMEOUT, SqliteStorage

__all__ = ["BUSY_TIMEOUT", "SqliteStorage"]
