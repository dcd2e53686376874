"""Ranges of semantic versions, as npm writes them, and whether two have a version in common."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import nodesemver

MAX_LENGTH = 200
"""Length of the longest range that is read."""

_APART = re.compile(r"(?<=[<>=~^])\s+")
_REQUIREMENT = re.compile(
    r"(?P<name>@?[A-Za-z0-9][\w./~-]*)\s*(?:@|(?=[\s<>=~^*])|$)(?P<range>.*)"
)


def named(requirement: str) -> tuple[str, str] | None:
    """Return the name and the versions of a requirement such as ``react@^18`` or ``serde >=1``.

    Both commas and spaces part conditions that must hold together. None stands for what is no
    name with versions.
    """
    found = _REQUIREMENT.fullmatch(requirement.strip())
    if found is None:
        return None
    versions = _APART.sub("", found["range"].replace(",", " ").strip())
    return (found["name"], versions) if is_range(versions) else None


def is_range(text: str) -> bool:
    """Return whether a text is a range of versions; an empty one is: any version."""
    return _parsed(text) is not None


def overlap(first: str, second: str) -> bool:
    """Return whether some release, or a pre-release that either names, is in both ranges.

    What is no range, such as a tag or an address, may be any version.
    """
    one, other = _parsed(first), _parsed(second)
    if one is None or other is None:
        return True
    return any(_meet([*here, *there]) for here, there in product(one.set, other.set))


def _parsed(text: str) -> Any | None:
    if len(text) > MAX_LENGTH:
        return None
    try:
        return nodesemver.make_range(text, loose=False)
    except ValueError:
        return None


def _meet(comparators: list[Any]) -> bool:
    """Return whether one version satisfies all comparators.

    If any does, then so does the lowest there is, or one of the bounds, or the first release after
    one of them.
    """
    candidates = [nodesemver.make_semver("0.0.0", loose=False)]
    for comparator in comparators:
        if comparator.semver is not nodesemver.ANY:
            candidates += _near(comparator.semver)
    return any(all(each.test(version) for each in comparators) for version in candidates)


def _near(version: Any) -> Iterator[Any]:
    yield version
    patch = version.patch if version.prerelease else version.patch + 1
    yield nodesemver.make_semver(f"{version.major}.{version.minor}.{patch}", loose=False)
