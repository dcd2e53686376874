"""What ``pyproject.toml`` says: as PEP 621 and PEP 735 have it, and as Poetry, uv and PDM do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from packaging.utils import canonicalize_name

from project_memory.checkout.dependencies import pip, poetry, tables
from project_memory.checkout.dependencies.declaration import Declaration, Malformed, after

_POETRY = ("tool", "poetry")


def manifest(text: str) -> Iterator[Declaration | Malformed]:
    """Yield what it names: to run, to build, in extras and in groups; and what is no requirement.

    Raises:
        Unreadable: it is no such file.
    """
    held = tables.parsed(text)
    for requirement in _requirements(held):
        locate = after(re.escape(requirement))
        yield pip.declaration(requirement, locate) or Malformed(requirement, locate)
    for names in _tables(held):
        for key, value in tables.at(held, *names).items():
            locate = tables.key_of(names, key)
            yield Declaration(canonicalize_name(key), poetry.versions(value), locate)


def _requirements(held: Mapping[str, Any]) -> Iterator[str]:
    lists = [
        tables.at(held, "project").get("dependencies"),
        *tables.at(held, "project", "optional-dependencies").values(),
        *tables.at(held, "dependency-groups").values(),
        tables.at(held, "build-system").get("requires"),
        tables.at(held, "tool", "uv").get("dev-dependencies"),
        *tables.at(held, "tool", "pdm", "dev-dependencies").values(),
    ]
    for several in lists:
        if isinstance(several, list):  # of a group, what is no text includes another group
            yield from (each for each in several if isinstance(each, str))


def _tables(held: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    yield (*_POETRY, "dependencies")
    yield (*_POETRY, "dev-dependencies")
    for group in tables.at(held, *_POETRY, "group"):
        yield (*_POETRY, "group", group, "dependencies")
