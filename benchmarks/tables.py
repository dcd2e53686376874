"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence


def row(cells: Iterable[str]) -> str:
    """Return a line of a table."""
    return f"| {' | '.join(cells)} |"


def head(cells: Sequence[str]) -> Iterator[str]:
    """Yield the lines above the first row."""
    yield row(cells)
    yield row(["---"] * len(cells))


class Table:
    """Figures by measure and system; each other system's also as a multiple of the first's.

    Attributes:
        systems: Names, in the order of the columns.
    """

    def __init__(self, title: str, systems: Sequence[str]) -> None:
        self._title = title
        self.systems = tuple(systems)
        self._rows: dict[str, dict[str, float]] = {}

    def put(self, measure: str, system: str, value: float) -> None:
        """Note a figure."""
        self._rows.setdefault(measure, {})[system] = value

    def lines(self) -> Iterator[str]:
        """Yield the table."""
        yield from head([self._title, *self.systems])
        for measure, values in self._rows.items():
            yield row([measure, *(self._cell(values, name) for name in self.systems)])

    def _cell(self, values: dict[str, float], system: str) -> str:
        if system not in values:
            return "-"
        first, value = values.get(self.systems[0]), values[system]
        told = _figure(value, digits=3)
        if system == self.systems[0] or not first:
            return told
        return f"{told} ({_figure(value / first, digits=2)}×)"


def _figure(value: float, *, digits: int) -> str:
    """Return a value with so many digits, or whole where it has more before the point."""
    return f"{value:.{digits}g}" if abs(value) < 10**digits else f"{value:.0f}"
