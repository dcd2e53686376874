"""Poetry's constraints in the terms of PEP 440."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

MAX_LENGTH = 2000
"""Length of the longest constraint that is read."""

_CONDITION = re.compile(r"(?P<sign>[~^<>=!]*)\s*(?P<version>[^\s,~^<>=!]+)")


def versions(value: Any) -> str | None:
    """Return what a constraint allows, alternatives parted by ``||``; None for any version.

    Args:
        value: The constraint, a table with one, or a list of such, of which each may hold.
    """
    match value:
        case str() if len(value) <= MAX_LENGTH:
            return "||".join(_all(each) for each in re.split(r"\s*\|\|?\s*", value.strip()))
        case Mapping():
            return versions(value.get("version"))
        case list():
            each = [versions(one) for one in value]
            return None if None in each else "||".join(map(str, each))
    return None


def _all(constraint: str) -> str:
    """Return conditions that hold together, in the terms of PEP 440."""
    found = (_one(match["sign"], match["version"]) for match in _CONDITION.finditer(constraint))
    return ",".join(condition for condition in found if condition)


def _one(sign: str, version: str) -> str:
    if version == "*":
        return ""
    numbers = [int(part) for part in re.match(r"[\d.]*", version)[0].split(".") if part]  # type: ignore[index]  # matches anything
    match sign:
        case "^":
            return f">={version},<{_next(numbers, _leading(numbers))}"
        case "~":
            return f">={version},<{_next(numbers, min(1, len(numbers) - 1))}"
        case "" | "=":
            return f"=={version}"
    return f"{sign}{version}"


def _leading(numbers: Sequence[int]) -> int:
    """Return the position of the first number that is not zero, else of the last one."""
    return next((at for at, number in enumerate(numbers) if number), len(numbers) - 1)


def _next(numbers: Sequence[int], at: int) -> str:
    """Return the first version in which the number at a position is a higher one."""
    return ".".join(map(str, [*numbers[:at], numbers[at] + 1])) if numbers else "0"
