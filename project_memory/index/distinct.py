"""The different values of an array.

As `numpy.unique`, which loads masked arrays to ask whether these are some: a tenth of a second in
each new process.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Value = TypeVar("Value", bound=np.generic)


def distinct(values: NDArray[Value]) -> NDArray[Value]:
    """Return, (d,), the different values of an array, ascending."""
    ordered = np.sort(values, axis=None)
    first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]
