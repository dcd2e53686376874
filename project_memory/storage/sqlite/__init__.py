"""A store in one SQLite file."""

from project_memory.storage.sqlite.store import SqliteStorage

__all__ = ["SqliteStorage"]
