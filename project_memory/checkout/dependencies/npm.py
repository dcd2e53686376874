"""What ``package.json`` and ``package-lock.json`` say."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from project_memory.checkout.dependencies.declaration import Declaration, Unreadable, after

_KINDS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_MODULES = "node_modules/"


def manifest(text: str) -> Iterator[Declaration]:
    """Yield what ``package.json`` names, of every kind of dependency.

    Raises:
        Unreadable: it is no such file.
    """
    held = _parsed(text)
    for kind in _KINDS:
        for key, value in _mapping(held.get(kind)).items():
            name, versions = _aliased(key, value)
            yield Declaration(name, versions, after(_key(kind), _key(key)))


def lock(text: str) -> Iterator[Declaration]:
    """Yield what ``package-lock.json`` pins at the top of the tree, in any of its versions.

    Raises:
        Unreadable: it is no such file.
    """
    held = _parsed(text)
    if "packages" in held:
        pinned = _mapping(held["packages"])
        top = {key: value for key, value in pinned.items() if key.rfind(_MODULES) == 0}
        for key, value in top.items():
            yield _pinned(key, key.removeprefix(_MODULES), value)
    else:
        for key, value in _mapping(held.get("dependencies")).items():
            yield _pinned(key, key, value)


def _pinned(key: str, name: str, value: Any) -> Declaration:
    entry = _mapping(value)
    versions = entry.get("version")
    other = entry.get("name")
    name, pinned = _aliased(other if isinstance(other, str) else name, versions)
    return Declaration(name, pinned, after(_key(key)))


def _aliased(key: str, value: Any) -> tuple[str, str | None]:
    """Return the name and versions of a package that may go by another name here."""
    if not _is_text(value):
        return key, None
    if value.startswith("npm:"):
        name, _, versions = value.removeprefix("npm:").rpartition("@")
        return (name, versions) if name else (versions, None)
    return key, value.removeprefix("workspace:")


def _parsed(text: str) -> Mapping[str, Any]:
    try:
        held = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"is no JSON ({error})") from error
    if not isinstance(held, Mapping):
        raise Unreadable("is no JSON object")
    return held


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _key(name: str) -> str:
    return rf'"{re.escape(name)}"\s*:'
