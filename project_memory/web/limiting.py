"""Bound how often strangers may try something, each by address and all together."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable
from threading import Lock

from starlette.types import Scope

from project_memory.web.refusals import Refusal

PER_ADDRESS, IN_ALL, SECONDS = 60, 600, 60
"""Attempts of one address, and of all, in so many seconds; those that succeed are none."""


class Attempts:
    """Counts attempts; safe to share between threads.

    A proxy is one address, so that its clients have that one's share.
    """

    def __init__(
        self,
        *,
        per_address: int = PER_ADDRESS,
        in_all: int = IN_ALL,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._per_address, self._in_all, self._clock = per_address, in_all, clock
        self._lock = Lock()
        self._counts: Counter[str] = Counter()
        self._ends = -math.inf

    def check(self, scope: Scope) -> None:
        """Count an attempt, before it is known what becomes of it.

        Raises:
            Refusal: there were too many; it says when to come again.
        """
        address = _address(scope)
        with self._lock:
            now = self._clock()
            if now >= self._ends:
                self._counts.clear()
                self._ends = now + SECONDS
            # no more addresses are remembered than attempts are let through
            if self._counts.total() >= self._in_all or self._counts[address] >= self._per_address:
                raise _too_many(math.ceil(self._ends - now))
            self._counts[address] += 1

    def succeeded(self, scope: Scope) -> None:
        """Count an attempt no more."""
        with self._lock:
            # its minute may be over, and its count with it
            self._counts[_address(scope)] = max(0, self._counts[_address(scope)] - 1)


def _address(scope: Scope) -> str:
    return str((scope.get("client") or ("",))[0])


def _too_many(seconds: int) -> Refusal:
    return Refusal(
        429,
        "too-many-attempts",
        f"there were too many attempts that failed; repeat it in {seconds} seconds",
        {"Retry-After": str(seconds)},
    )
