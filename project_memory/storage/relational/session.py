"""What the shared statements are run by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol


class Session(Protocol):
    """Runs bound statements, each parameter a ``?``, until its transaction ends.

    It raises only this package's errors.
    """

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return every row of a query; none when a parameter is text that cannot be stored."""
        ...

    def row(self, sql: str, parameters: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        """Return the first row of a query, or None."""
        ...

    def run(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        """Run a statement that changes rows and return how many it changed.

        Raises:
            InvalidInput: a parameter holds a lone surrogate.
        """
        ...

    def run_each(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement that changes rows once for each of these parameters.

        Raises:
            InvalidInput: a parameter holds a lone surrogate.
        """
        ...

    def insert(self, into: str, rows: Sequence[Sequence[Any]], on: str = "") -> None:
        """Insert rows, of the same number of values each, ``into`` a table and its columns.

        ``on`` is the clause for rows that are there; no two of these may be the same one.

        Raises:
            InvalidInput: a value holds a lone surrogate.
        """
        ...

    def check_open(self) -> None:
        """Raise StorageError if the transaction has ended."""
        ...
