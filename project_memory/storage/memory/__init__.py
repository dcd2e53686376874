"""The fake: a store in this process's memory, for tests and demonstrations."""

from project_memory.storage.memory.store import InMemoryStorage

__all__ = ["InMemoryStorage"]
