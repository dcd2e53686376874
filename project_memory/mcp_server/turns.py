"""How many of those who ask a server for something are answered at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import anyio.to_thread
from anyio import CapacityLimiter

READERS = 4
"""Questions that are answered at once."""

_Answer = TypeVar("_Answer")


class Turns:
    """Runs what reads or writes a store in threads, few at once, whoever asked for it and where.

    Changes take turns: a store has one writer at a time, and one that shares the interpreter with
    every question would keep the store from all who wait.
    """

    def __init__(self) -> None:
        self._reading, self._writing = CapacityLimiter(READERS), CapacityLimiter(1)

    async def read(self, answer: Callable[[], _Answer]) -> _Answer:
        """Return what a question is answered with when its turn has come."""
        return await anyio.to_thread.run_sync(answer, limiter=self._reading)

    async def write(self, answer: Callable[[], _Answer]) -> _Answer:
        """Return what a change is answered with when its turn has come."""
        return await anyio.to_thread.run_sync(answer, limiter=self._writing)
