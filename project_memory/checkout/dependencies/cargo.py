"""What ``Cargo.toml`` says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from project_memory.checkout.dependencies import ranges, tables
from project_memory.checkout.dependencies.declaration import Declaration

_KINDS = ("dependencies", "dev-dependencies", "build-dependencies")


def named(requirement: str) -> tuple[str, str] | None:
    """Return name and versions of a requirement; what is bare has a caret, as in a file."""
    found = ranges.named(requirement)
    return None if found is None else (found[0], " ".join(map(_careted, found[1].split())))


def manifest(text: str) -> Iterator[Declaration]:
    """Yield what it names, of every kind and for every target, and for its workspace.

    Raises:
        Unreadable: it is no such file.
    """
    held = tables.parsed(text)
    for names in _tables(held):
        for key, value in tables.at(held, *names).items():
            package = value.get("package") if isinstance(value, Mapping) else None
            name = package if isinstance(package, str) else key
            yield Declaration(name, _versions(value), tables.key_of(names, key))


def _tables(held: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    yield from ((kind,) for kind in _KINDS)
    yield "workspace", "dependencies"
    for target in tables.at(held, "target"):
        yield from (("target", target, kind) for kind in _KINDS)


def _versions(value: Any) -> str | None:
    """Return a range as npm writes it: what is bare has a caret."""
    said = value.get("version") if isinstance(value, Mapping) else value
    return comparators(said) if isinstance(said, str) else None


def comparators(versions: str) -> str:
    """Return Cargo's conditions, parted by commas, as npm writes them, parted by spaces."""
    return " ".join(_careted(each.strip()) for each in versions.split(","))


def _careted(comparator: str) -> str:
    is_bare = comparator[:1].isdigit() and "*" not in comparator
    return f"^{comparator}" if is_bare else comparator
