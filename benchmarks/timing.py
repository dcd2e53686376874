"""What a call costs: time on the clock, and time of this process on a processor.

The first is what somebody waits; the second hardly feels what else the machine does.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Cost:
    """Time on the clock and on a processor, in one unit; or a rate by each of them."""

    clock: float
    processor: float

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.clock + other.clock, self.processor + other.processor)

    def __sub__(self, other: Cost) -> Cost:
        return Cost(self.clock - other.clock, self.processor - other.processor)


def timed(act: Callable[..., T], *arguments: Any) -> tuple[Cost, T]:
    """Return the seconds that a call takes, and what it returns."""
    processor, clock = time.process_time(), time.perf_counter()
    value = act(*arguments)
    return Cost(time.perf_counter() - clock, time.process_time() - processor), value


def rate(count: int, seconds: Cost) -> Cost:
    """Return how many that makes a second."""
    return Cost(count / seconds.clock, count / max(seconds.processor, 1e-9))


def total(costs: Iterable[Cost]) -> Cost:
    """Return the sum of costs."""
    return sum(costs, Cost(0.0, 0.0))


def percentile(seconds: Sequence[Cost], place: int) -> Cost:
    """Return a percentile, 5 to 95 in fives, of each kind of time, in milliseconds."""
    return Cost(
        _percentile([cost.clock for cost in seconds], place),
        _percentile([cost.processor for cost in seconds], place),
    )


def fastest(seconds: Sequence[Cost]) -> Cost:
    """Return the least of each kind of time, in milliseconds."""
    return Cost(
        1000 * min(cost.clock for cost in seconds),
        1000 * min(cost.processor for cost in seconds),
    )


def _percentile(seconds: Sequence[float], place: int) -> float:
    if len(seconds) == 1:
        return 1000 * seconds[0]
    return 1000 * statistics.quantiles(seconds, n=20, method="inclusive")[place // 5 - 1]
