"""TOML, and where its keys stand."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any

from project_memory.checkout.dependencies.declaration import Locate, Unreadable, after


def parsed(text: str) -> Mapping[str, Any]:
    """Return what a text holds.

    Raises:
        Unreadable: it is no TOML.
    """
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"is no TOML ({error})") from error


def at(held: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    """Return the table of a path of names; empty where there is none."""
    value: Any = held
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def key_of(names: tuple[str, ...], key: str) -> Locate:
    """Return what finds a key of a table, whether the table has a heading or the key has one."""
    heading = r"^[ \t]*\[" + r"\.".join(map(_name, names))
    own = after(rf"{heading}\.{_name(key)}\]")
    below = after(rf"{heading}\]", rf"^{_name(key)}[=.]")
    return lambda text: own(text) or below(text)


def _name(name: str) -> str:
    return rf"""[ \t]*["']?{re.escape(name)}["']?[ \t]*"""
