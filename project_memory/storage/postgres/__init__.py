"""A store in a PostgreSQL database; its driver comes with the extra ``postgres``."""

from project_memory.storage.postgres.store import PostgresStorage

__all__ = ["PostgresStorage"]
